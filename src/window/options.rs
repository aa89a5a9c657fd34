//! The options with which a window is opened.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use crate::build::BuildCache;
use crate::game::{Game, Start};
use crate::level::Level;
use crate::lighting::Lighting;
use crate::problems::Problems;
use crate::replay::Playback;
use crate::settings::{Settings, SettingsFile};
use crate::visibility::Camera;

/// A callback with the camera of every picture of a walk.
pub type CameraReport<'a> = dyn Fn(&Level, &Camera) + 'a;

/// A level that can be walked through.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum LevelChoice {
    /// A level that is shipped with the program, by its name.
    Shipped(&'static str),
    /// A level in a file.
    File(PathBuf),
}

/// The level to walk through, and the start.
#[derive(Clone, Debug)]
pub struct Wanted {
    /// The level.
    pub level: LevelChoice,
    /// The start of its game.
    pub begin: Begin,
}

/// The start of a game.
#[derive(Clone, Debug)]
pub enum Begin {
    /// A player at a start position.
    Start {
        /// The player's start position.
        start: Start,
        /// The initial yaw, degrees; the spawn's yaw if absent.
        yaw: Option<f64>,
    },
    /// The start of a replay file, which is played.
    Replay {
        /// The replay file.
        path: PathBuf,
        /// Whether to play the replay also in a level other than the recorded one.
        changed_level: bool,
    },
}

/// A loaded level with its game.
#[derive(Debug)]
pub struct LoadedGame {
    /// The level.
    pub level: Arc<Level>,
    /// The build cache, which makes reloading faster.
    pub cache: BuildCache,
    /// The level's lighting.
    pub lighting: Lighting,
    /// The game at its start.
    pub game: Game,
    /// The replay that is played first.
    pub playback: Option<Playback>,
}

/// A function that loads a level and its game on its own thread, and reports the progress (0..1).
pub type Make<E> =
    Arc<dyn Fn(&Wanted, &(dyn Fn(f32) + Sync)) -> Result<LoadedGame, E> + Send + Sync>;

/// A function that finds all problems of a level, on its own thread.
pub type CheckFunction = Arc<dyn Fn(&LevelChoice) -> Problems + Send + Sync>;

/// The contents and settings of a window.
pub struct Options<'a> {
    /// The first level, and the start.
    pub first: Wanted,
    /// The names of the shipped levels.
    pub shipped: &'a [&'static str],
    /// The player's settings.
    pub settings: Settings,
    /// The file in which the settings are saved.
    pub settings_file: SettingsFile,
    /// Messages that are shown to the player at first.
    pub said: Vec<String>,
    /// A callback with the durations of each reload.
    pub report: Option<fn(&str)>,
    /// A callback with the camera of each picture.
    pub camera: Option<&'a CameraReport<'a>>,
    /// The function that finds the problems that the window shows on demand.
    pub check: CheckFunction,
}

impl Default for Begin {
    fn default() -> Self {
        Self::Start {
            start: Start::Default,
            yaw: None,
        }
    }
}

impl Wanted {
    /// Returns the request for a level that starts at its default spawn.
    pub(super) fn from_its_spawn(level: LevelChoice) -> Self {
        Self {
            level,
            begin: Begin::default(),
        }
    }
}

impl LevelChoice {
    /// Returns the name of the level.
    pub(super) fn name(&self) -> String {
        match self {
            Self::Shipped(name) => (*name).to_owned(),
            Self::File(path) => path
                .file_name()
                .unwrap_or_default()
                .to_string_lossy()
                .into_owned(),
        }
    }

    /// Returns the level's file, if it has one.
    pub(super) fn file(&self) -> Option<&Path> {
        match self {
            Self::Shipped(_) => None,
            Self::File(path) => Some(path),
        }
    }
}
