//! A walk that goes on in its level after that was saved and loaded again.

use std::sync::Arc;
use std::time::Instant;

use super::Walk;
use crate::frame::Frame;
use crate::game::Carried;
use crate::gpu::GpuError;
use crate::level::Level;
use crate::lighting::Lighting;
use crate::visibility::Visibility;
use crate::window::figures;
use crate::window::graphics::Graphics;
use crate::window::options::Options;
use crate::window::reload::{Loaded, Reload, Reloader};

/// How far the level is loaded again.
#[derive(Default)]
pub(super) struct Reloading {
    reloader: Option<Reloader>,
    /// The game stands still meanwhile.
    pub(super) is_loading: bool,
    /// What is wrong with the file as it is: the level before that stays.
    pub(super) problems: String,
    /// Is told how long it took.
    report: Option<fn(&str)>,
}

impl Reloading {
    /// Follows the level's file, if it has one.
    pub(super) fn begin(options: &Options, level: &Arc<Level>, lighting: &Lighting) -> Self {
        let mut reloading = Self {
            report: options.report,
            ..Self::default()
        };
        if let Some(file) = options.file {
            match Reloader::follow(file, Arc::clone(level), lighting) {
                Ok(reloader) => reloading.reloader = Some(reloader),
                Err(error) => log::warn!(
                    "{} is not loaded again when it is saved: {error}",
                    file.display()
                ),
            }
        }
        reloading
    }
}

impl Walk {
    /// Follows what happened to the level's file.
    pub(super) fn take_news(&mut self, graphics: &mut Graphics) -> Result<(), GpuError> {
        while let Some(news) = self.reloading.reloader.as_ref().and_then(Reloader::news) {
            self.reloading.is_loading = matches!(news, Reload::Began);
            self.written = None;
            match news {
                Reload::Began => {}
                Reload::Level(loaded) => self.replace_level(graphics, *loaded)?,
                Reload::Lighting(level, lighting) => {
                    if Arc::ptr_eq(&level, &self.level) {
                        self.lighting = *lighting;
                        graphics.replace_lighting();
                    }
                }
                Reload::Bad(problems) => {
                    self.reloading.problems = figures::problems(&self.level.name, &problems);
                    log::warn!("{}", self.reloading.problems);
                }
            }
        }
        Ok(())
    }

    /// Goes on in another version of the level.
    fn replace_level(&mut self, graphics: &mut Graphics, loaded: Loaded) -> Result<(), GpuError> {
        let (game, carried) = match self.game.carry_to(&self.level, &loaded.level) {
            Ok(carried) => carried,
            Err(error) => {
                self.reloading.problems = format!("the level before this one stays: {error}\n");
                return Ok(());
            }
        };
        let start = Instant::now();
        graphics.replace_level((&self.level, &loaded.level), &loaded.lighting)?;
        let upload = start.elapsed();
        self.game = game;
        self.drawn = self.game.world().clone();
        self.level = loaded.level;
        self.lighting = loaded.lighting;
        self.visibility = Visibility::default();
        self.frame = Frame::default();
        self.plan = None;
        self.view.thaw();
        self.reloading.problems.clear();
        let place = match carried {
            Carried::There => "".to_owned(),
            Carried::Near(distance) => {
                format!("; there was no room for you: moved by {distance:.1} m")
            }
            Carried::AtSpawn => "; there was no room for you: back at the spawn".to_owned(),
        };
        self.message
            .show(format!("{} loaded again{place}", self.level.name));
        if let Some(report) = self.reloading.report {
            let [read, light] = loaded.took.map(|took| took.as_millis());
            report(&format!(
                "{}: read {read} ms, light {light} ms, upload {} ms, in all {} ms; {} lightmaps to bake",
                self.level.name,
                upload.as_millis(),
                loaded.since.elapsed().as_millis(),
                loaded.missing,
            ));
        }
        Ok(())
    }
}
