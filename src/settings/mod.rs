//! The player's settings and key bindings, and the file that stores them.
//!
//! Two tables describe them: [`SETTINGS`] lists the settings, [`ACTIONS`] the actions of keys. The menu, the flags of
//! the command line, the settings file and the help are made from these tables.

mod actions;
mod bindings;
mod file;
mod keys;
mod table;

use std::path::PathBuf;

pub use actions::{ACTIONS, Action, ActionInfo, Audience};
pub use bindings::Bindings;
pub use file::SettingsFile;
pub use keys::{Key, KeyCode, MouseButton, PadButton};
pub use table::{Access, SETTINGS, Setting, SettingGroup, ValueKind};

/// The maximum number of recent levels that are stored.
const MAX_RECENT: usize = 8;

/// The player's settings.
#[derive(Clone, Debug, PartialEq)]
pub struct Settings {
    /// The speed of the view by mouse; 1 is 0.12 degrees per pixel.
    pub mouse_speed: f64,
    /// Whether moving the mouse forward looks down.
    pub invert_mouse: bool,
    /// The speed of the view by the gamepad's stick, degrees per second.
    pub stick_speed: f64,
    /// The vertical field of view, degrees.
    pub field_of_view_deg: f64,
    /// Whether the eye glides over steps instead of jumping with the body.
    pub smooth_steps: bool,
    /// Whether the player is seen from behind.
    pub third_person: bool,
    /// Whether the window fills the screen.
    pub fullscreen: bool,
    /// The maximum number of frames per second; 0 for the display's rate.
    pub max_fps: f64,
    /// The drawing quality.
    pub quality: DrawQuality,
    /// Pixels drawn along a side per displayed pixel.
    pub resolution_scale: f64,
    /// Whether the exposure adapts to the light of the picture.
    pub exposure_adaptation: bool,
    /// The size of all text; 1 is 14 points.
    pub text_size: f64,
    /// Whether a dot is drawn in the middle of the picture.
    pub crosshair: bool,
    /// Whether the name of a room is shown when the player enters it.
    pub room_names: bool,
    /// Whether the game is paused while another window has the keyboard focus.
    pub pause_in_background: bool,
    /// The key bindings.
    pub bindings: Bindings,
    /// The recently opened levels, the latest first.
    pub recent: Vec<PathBuf>,
    /// Whether the player has walked and looked around, so that no hints are needed.
    pub knows_first_steps: bool,
}

/// The drawing quality.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum DrawQuality {
    /// The quality that suits the device.
    Auto,
    /// The light of lamps is baked. No anisotropic filtering, and no bloom.
    Low,
    /// Medium anisotropic filtering.
    Medium,
    /// Large shadow maps, and the best anisotropic filtering.
    High,
}

impl Default for Settings {
    fn default() -> Self {
        Self {
            mouse_speed: 1.0,
            invert_mouse: false,
            stick_speed: 180.0,
            field_of_view_deg: 70.0,
            smooth_steps: true,
            third_person: false,
            fullscreen: false,
            max_fps: 0.0,
            quality: DrawQuality::Auto,
            resolution_scale: 1.0,
            exposure_adaptation: true,
            text_size: 1.0,
            crosshair: true,
            room_names: true,
            pause_in_background: true,
            bindings: Bindings::default(),
            recent: Vec::new(),
            knows_first_steps: false,
        }
    }
}

impl Settings {
    /// Adds this level to the recent levels.
    pub fn add_recent(&mut self, path: PathBuf) {
        self.recent.retain(|other| *other != path);
        self.recent.insert(0, path);
        self.recent.truncate(MAX_RECENT);
    }
}
