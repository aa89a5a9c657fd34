//! The reload state of a walk's level, and the messages about it.

use std::path::Path;
use std::sync::Arc;
use std::time::{Duration, Instant};

use super::reload::{Loaded, Reload, Reloader};
use crate::build::BuildCache;
use crate::game::CarriedPlayer;
use crate::level::Level;
use crate::lighting::Lighting;

/// The time during which the last picture stays on screen while a level is loading.
const PICTURE_HELD: Duration = Duration::from_millis(400);

/// The reload state of the level.
#[derive(Default)]
pub(super) struct Reloading {
    reloader: Option<Reloader>,
    /// The start of loading; the game is paused meanwhile. `None` while no level is loading.
    since: Option<Instant>,
    /// The problems of the current file, because of which the previous version stays.
    pub(super) problems: String,
    /// A callback with the durations of a reload.
    report: Option<fn(&str)>,
}

impl Reloading {
    /// Begins to watch the level's file, if it has one.
    pub(super) fn begin(
        file: Option<&Path>,
        report: Option<fn(&str)>,
        (level, cache): (&Arc<Level>, BuildCache),
        lighting: &Lighting,
    ) -> Self {
        let mut reloading = Self {
            report,
            ..Self::default()
        };
        if let Some(file) = file {
            match Reloader::follow(file, (Arc::clone(level), cache), lighting) {
                Ok(reloader) => reloading.reloader = Some(reloader),
                Err(error) => log::warn!(
                    "{} is not loaded again when it is saved: {error}",
                    file.display()
                ),
            }
        }
        reloading
    }

    /// Returns the next event since the last call, if any.
    pub(super) fn news(&mut self) -> Option<Reload> {
        let news = self.reloader.as_ref()?.news()?;
        self.since = matches!(news, Reload::Began).then(Instant::now);
        Some(news)
    }

    /// Whether the level is being loaded.
    pub(super) fn is_loading(&self) -> bool {
        self.since.is_some()
    }

    /// Whether loading is so recent that the last picture stays on screen.
    pub(super) fn holds_picture(&self) -> bool {
        self.since
            .is_some_and(|since| since.elapsed() < PICTURE_HELD)
    }

    /// Reports the durations of a reload and of the upload, which is part of it.
    pub(super) fn report(&self, loaded: &Loaded, upload: Duration) {
        let Some(report) = self.report else {
            return;
        };
        let [read, light] = loaded.took.map(|took| took.as_millis());
        report(&format!(
            "{}: read {read} ms, light {light} ms, upload {} ms, in all {} ms; {} lightmaps to bake",
            loaded.level.name,
            upload.as_millis(),
            loaded.since.elapsed().as_millis(),
            loaded.missing,
        ));
    }
}

/// Returns the message for the player about a reloaded level.
pub(super) fn words(level: &Level, carried: CarriedPlayer) -> String {
    let place = match carried {
        CarriedPlayer::There => String::new(),
        CarriedPlayer::Near(distance) => {
            format!("; there was no room for you: moved by {distance:.1} m")
        }
        CarriedPlayer::AtSpawn => "; there was no room for you: back at the spawn".to_owned(),
    };
    format!("{} loaded again{place}", level.name)
}
