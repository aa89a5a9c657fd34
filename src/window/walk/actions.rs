//! Actions of keys that happen once per press.

use std::path::PathBuf;

use glam::DVec3;

use super::{WalkState, picture};
use crate::game::{EYE_HEIGHT, GameError, Start, WentBack};
use crate::level::At;
use crate::settings::{Action, Settings};
use crate::visibility::Camera;
use crate::window::figures;
use crate::window::graphics::Graphics;
use crate::window::view::Flown;
use crate::window::watch::{Watch, Watched};

impl WalkState {
    /// Performs the action of a key press. Actions of held keys are part of the input instead.
    pub(in crate::window) fn act(
        &mut self,
        action: Action,
        graphics: &mut Graphics,
        settings: &Settings,
        watch: &mut Watch,
    ) {
        self.written = None;
        match action {
            Action::GoBack => self.go_back(watch),
            Action::Fly => self.toggle_flight(settings, watch),
            Action::Help => self.view.next_help(),
            Action::Figures => {
                self.view.figures = !self.view.figures;
                if self.view.figures {
                    let camera = self.camera_now(graphics.aspect(), settings);
                    let flags = match self.view.is_flying() {
                        true => figures::view_flags(&self.level, &camera),
                        false => figures::start_flags(&self.level, &self.game.players[self.player]),
                    };
                    self.message.show(format!("copied: {flags}"));
                    graphics.copy(flags);
                }
            }
            Action::Portals => self.view.outlines = !self.view.outlines,
            Action::Freeze => {
                let camera = self.camera_now(graphics.aspect(), settings);
                self.view
                    .toggle_freeze(&self.game.players[self.player], camera);
            }
            Action::Culling => {
                self.view.next_culling();
                let text = format!("culling: {}", self.view.culling_name());
                self.message.show(text);
            }
            Action::Rooms => self.view.rooms = !self.view.rooms,
            Action::Lights => self.view.lights = !self.view.lights,
            Action::Plan => self.view.plan = !self.view.plan,
            Action::Blockers => self.view.blockers = !self.view.blockers,
            Action::Problems => self.message.show(self.leaks.toggle().to_owned()),
            Action::SavePicture => self.save_picture(graphics),
            Action::SaveReplay => self.save_replay(),
            _ => {}
        }
    }

    /// Returns the camera of a picture after the last tick.
    fn camera_now(&mut self, aspect: f64, settings: &Settings) -> Camera {
        self.camera(&picture(settings, aspect, 1.0)).0
    }

    fn go_back(&mut self, watch: &mut Watch) {
        self.view.thaw();
        let text = match self.game.go_back(&self.level, self.player) {
            Ok(WentBack::ToStanding) => "back where you last stood".to_owned(),
            Ok(WentBack::ToSpawn) => "back at the spawn".to_owned(),
            Err(error) => error.to_string(),
        };
        self.moved(text, watch);
    }

    /// Moves the player to a spawn.
    pub(in crate::window) fn start_at(&mut self, spawn: String, watch: &mut Watch) {
        self.view.thaw();
        let put = self
            .game
            .put_player(&self.level, self.player, &Start::Spawn(spawn));
        let text = put.map_or_else(|error| error.to_string(), |()| String::new());
        self.moved(text, watch);
    }

    /// Begins to fly, or ends a flight: the player walks on from the camera's position if there is room to stand.
    fn toggle_flight(&mut self, settings: &Settings, watch: &mut Watch) {
        let camera = self.camera_now(1.0, settings);
        match self
            .view
            .toggle_flight(&mut self.game.players[self.player], camera)
        {
            Flown::Begun => {
                let text = "flying through walls; press again to walk on from there";
                self.message.show(text.to_owned());
            }
            Flown::Thawed => {}
            Flown::Landed(eye) => {
                let text = match self.land(eye) {
                    Ok(()) => "walking on from here",
                    Err(_) => "there is no room to stand here: you are where you were",
                };
                self.moved(text.to_owned(), watch);
            }
        }
    }

    fn land(&mut self, eye: At) -> Result<(), GameError> {
        let feet = eye.point - DVec3::Y * EYE_HEIGHT;
        let feet = self.level.to_author(feet);
        self.game
            .put_player(&self.level, self.player, &Start::Feet(feet))
    }

    /// Shows a message and resets the recording after the player was moved.
    fn moved(&mut self, text: String, watch: &mut Watch) {
        self.message.show(text);
        self.still = None;
        self.replays.forget();
        watch(&self.level, &mut self.game, Watched::Moved);
    }

    fn save_picture(&mut self, graphics: &mut Graphics) {
        let saved = graphics.save_picture(&self.level, &self.viewer.lighting, &self.viewer.frame);
        self.message.show(match saved {
            Ok(path) => format!("wrote {}", whole(path).display()),
            Err(error) => error.to_string(),
        });
    }

    fn save_replay(&mut self) {
        let saved = self.replays.save(&self.level, &self.game);
        self.message.show(match saved {
            Ok(path) => format!("wrote {}: the last minute", whole(path).display()),
            Err(problem) => problem,
        });
    }
}

/// Returns the absolute path, so that the player finds the file.
fn whole(path: PathBuf) -> PathBuf {
    std::path::absolute(&path).unwrap_or(path)
}
