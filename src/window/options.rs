//! What a window is opened with.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use crate::game::{Game, Start};
use crate::level::{Level, Problems};
use crate::lighting::Lighting;
use crate::replay::Playback;
use crate::settings::{Settings, SettingsFile};
use crate::visibility::Camera;

/// Is told the camera of every picture of a walk.
pub type CameraReport<'a> = dyn Fn(&Level, &Camera) + 'a;

/// A level that can be walked through.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum LevelChoice {
    /// One that comes with the program, by its name.
    Shipped(&'static str),
    /// One in a file.
    File(PathBuf),
}

/// What is to be walked through, and from where.
#[derive(Clone, Debug)]
pub struct Wanted {
    /// The level.
    pub level: LevelChoice,
    /// How its game begins.
    pub begin: Begin,
}

/// How a game begins.
#[derive(Clone, Debug)]
pub enum Begin {
    /// With a player.
    Start {
        /// Where it stands.
        start: Start,
        /// Where it looks at first, degrees; else along the spawn.
        yaw: Option<f64>,
    },
    /// As the replay in a file does, which is played.
    Replay {
        /// The file.
        path: PathBuf,
        /// Whether it is played also in another level than it was recorded in.
        changed_level: bool,
    },
}

/// What is walked through.
#[derive(Debug)]
pub struct Made {
    /// The level.
    pub level: Level,
    /// Its light.
    pub lighting: Lighting,
    /// The game at its start.
    pub game: Game,
    /// The replay that is played first.
    pub playback: Option<Playback>,
}

/// Makes what is wanted on a thread of its own; reports how much is done (0..1).
pub type Make<E> = Arc<dyn Fn(&Wanted, &(dyn Fn(f32) + Sync)) -> Result<Made, E> + Send + Sync>;

/// Finds all problems of a level, on a thread of its own.
pub type Check = Arc<dyn Fn(&LevelChoice) -> Problems + Send + Sync>;

/// What a window shows, and how.
pub struct Options<'a> {
    /// What it shows at first.
    pub first: Wanted,
    /// The names of the levels that come with the program.
    pub shipped: &'a [&'static str],
    /// What the player chose.
    pub settings: Settings,
    /// Where that is remembered.
    pub settings_file: SettingsFile,
    /// What the player is told at first.
    pub said: Vec<String>,
    /// Is told how long each loading again took.
    pub report: Option<fn(&str)>,
    /// Is told where the eye is.
    pub camera: Option<&'a CameraReport<'a>>,
    /// Finds the problems that the window shows on demand.
    pub check: Check,
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
    /// A level from its first spawn.
    pub(super) fn from_its_spawn(level: LevelChoice) -> Self {
        Self {
            level,
            begin: Begin::default(),
        }
    }
}

impl LevelChoice {
    /// What it is called.
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

    /// Its file, if it has one.
    pub(super) fn file(&self) -> Option<&Path> {
        match self {
            Self::Shipped(_) => None,
            Self::File(path) => Some(path),
        }
    }
}
