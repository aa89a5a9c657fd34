//! What a player chooses: settings, keys, and the file that remembers them.
//!
//! Two tables describe all of it: [`SETTINGS`] what can be set, [`ACTIONS`] what keys can do. The menu, the flags of
//! the command line, the settings file and the help are made from them.

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
pub use table::{Access, Group, Kind, SETTINGS, Setting};

/// At most so many levels are remembered.
const MAX_RECENT: usize = 8;

/// What a player chose.
#[derive(Clone, Debug, PartialEq)]
pub struct Settings {
    /// How fast the mouse turns the view; 1 is 0.12 degrees a pixel.
    pub mouse_speed: f64,
    /// Moving the mouse forward looks down.
    pub invert_mouse: bool,
    /// How fast the stick of a gamepad turns the view, degrees a second.
    pub stick_speed: f64,
    /// Vertical field of view, degrees.
    pub field_of_view_deg: f64,
    /// The eye glides over steps instead of jumping with the body.
    pub smooth_steps: bool,
    /// The player is seen from behind.
    pub third_person: bool,
    /// The window fills the screen.
    pub fullscreen: bool,
    /// At most so many pictures a second; 0 for as many as the display shows.
    pub max_fps: f64,
    /// How finely it is drawn.
    pub quality: DrawQuality,
    /// Pixels drawn along a side for each that is shown.
    pub resolution_scale: f64,
    /// Size of all text; 1 is 14 points.
    pub text_size: f64,
    /// A dot in the middle of the picture.
    pub crosshair: bool,
    /// The name of a room is shown on entering it.
    pub room_names: bool,
    /// The game stands still while another window has the keyboard.
    pub pause_in_background: bool,
    /// Which keys do what.
    pub bindings: Bindings,
    /// Levels that were opened last, the latest first.
    pub recent: Vec<PathBuf>,
    /// The player has walked and looked around, and needs not be told how.
    pub knows_first_steps: bool,
}

/// How finely it is drawn.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum DrawQuality {
    /// As the device can do it.
    Auto,
    /// Small shadow maps, textures unfiltered where they slant.
    Low,
    /// The middle.
    Medium,
    /// Large shadow maps, textures filtered in the best way.
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
    /// Remembers that this level was opened.
    pub fn add_recent(&mut self, path: PathBuf) {
        self.recent.retain(|other| *other != path);
        self.recent.insert(0, path);
        self.recent.truncate(MAX_RECENT);
    }
}
