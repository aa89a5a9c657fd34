//! How far the level of a walk is loaded again, and what is said of it.

use std::path::Path;
use std::sync::Arc;
use std::time::{Duration, Instant};

use super::reload::{Loaded, Reload, Reloader};
use crate::game::Carried;
use crate::level::Level;
use crate::lighting::Lighting;

/// While a level is being loaded the last picture stays for so long.
const PICTURE_HELD: Duration = Duration::from_millis(400);

/// How far the level is loaded again.
#[derive(Default)]
pub(super) struct Reloading {
    reloader: Option<Reloader>,
    /// Since when it is being loaded: the game stands still meanwhile.
    since: Option<Instant>,
    /// What is wrong with the file as it is: the level before that stays.
    pub(super) problems: String,
    /// Is told how long it took.
    report: Option<fn(&str)>,
}

impl Reloading {
    /// Follows the level's file, if it has one.
    pub(super) fn begin(
        file: Option<&Path>,
        report: Option<fn(&str)>,
        level: &Arc<Level>,
        lighting: &Lighting,
    ) -> Self {
        let mut reloading = Self {
            report,
            ..Self::default()
        };
        if let Some(file) = file {
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

    /// What happened since it was last asked, one after another.
    pub(super) fn news(&mut self) -> Option<Reload> {
        let news = self.reloader.as_ref()?.news()?;
        self.since = matches!(news, Reload::Began).then(Instant::now);
        Some(news)
    }

    /// Whether the level is being loaded.
    pub(super) fn is_loading(&self) -> bool {
        self.since.is_some()
    }

    /// Whether it may be there before a new picture is missed.
    pub(super) fn holds_picture(&self) -> bool {
        self.since
            .is_some_and(|since| since.elapsed() < PICTURE_HELD)
    }

    /// Tells how long a loading again took, of that the upload.
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

/// What the player is told of a level that was loaded again.
pub(super) fn words(level: &Level, carried: Carried) -> String {
    let place = match carried {
        Carried::There => String::new(),
        Carried::Near(distance) => {
            format!("; there was no room for you: moved by {distance:.1} m")
        }
        Carried::AtSpawn => "; there was no room for you: back at the spawn".to_owned(),
    };
    format!("{} loaded again{place}", level.name)
}
