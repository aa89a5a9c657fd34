//! The texts over a walk: help, statistics, prompts, and the name of the room.

use std::fmt::Write;
use std::time::{Duration, Instant};

use super::figures::{self, FrameStats};
use super::view::{HelpShown, ViewOptions};
use crate::frame::Frame;
use crate::game::Game;
use crate::level::Level;
use crate::menu::{author_help, player_help};
use crate::naming::plain_name;
use crate::settings::{Action, Settings};
use crate::visibility::Camera;

/// The time for which the name of a room is shown.
const TITLE_TIME: Duration = Duration::from_millis(2500);

/// The overlay texts; the buffers are reused.
#[derive(Debug, Default)]
pub(super) struct Texts {
    /// The text in the upper left corner.
    pub(super) text: String,
    /// The action that is available to the player here, or a hint.
    pub(super) prompt: String,
    /// The name of the last entered room.
    title: String,
    /// The time at which that room was entered.
    entered: Option<Instant>,
}

/// The data from outside the game that the texts show.
pub(super) struct Told<'a> {
    /// The index of the player.
    pub(super) player: usize,
    pub(super) view: &'a ViewOptions,
    pub(super) figures: &'a FrameStats,
    /// The result of [`super::graphics::Graphics::resolution_scale`].
    pub(super) resolution: (f64, bool),
    pub(super) frame: &'a Frame,
    /// The problems of the level's file.
    pub(super) problems: &'a str,
    /// The hint for a new player.
    pub(super) hint: &'a str,
    /// Whether the mouse turns the view.
    pub(super) is_captured: bool,
}

impl Texts {
    /// Returns the name of the room for some time after it was entered; empty afterwards.
    pub(super) fn title(&self) -> &str {
        let is_new = self
            .entered
            .is_some_and(|entered| entered.elapsed() < TITLE_TIME);
        if is_new { &self.title } else { "" }
    }

    /// Writes all texts.
    pub(super) fn write(
        &mut self,
        (level, game, camera): (&Level, &mut Game, &Camera),
        settings: &Settings,
        told: &Told,
    ) {
        let at = game.players[told.player].actor.state.at;
        let room = plain_name(&level.room(at.room).name);
        if room != self.title {
            self.title.clear();
            self.title.push_str(room);
            self.entered = Some(Instant::now());
        }
        self.write_prompt(level, game, settings, told);
        let text = &mut self.text;
        text.clear();
        if told.view.figures {
            figures::write_place(level, camera, text);
            told.figures
                .write((level, game), told.view, told.frame, told.resolution, text);
        }
        text.push_str(told.problems);
        if told.view.blockers {
            figures::write_blockers(level, &game.players[told.player], text);
        }
        let help = match told.view.help {
            HelpShown::None => return,
            HelpShown::Player => player_help(&settings.bindings),
            HelpShown::Author => author_help(&settings.bindings),
        };
        let gap = if text.is_empty() { "" } else { "\n" };
        let _ = write!(text, "{gap}{help}");
    }

    fn write_prompt(&mut self, level: &Level, game: &mut Game, settings: &Settings, told: &Told) {
        let (prompt, bindings) = (&mut self.prompt, &settings.bindings);
        prompt.clear();
        if let Some(usable) = game.usable(level, told.player) {
            let does = usable.describe(level, game.world());
            // Writing to a string cannot fail.
            let _ = write!(prompt, "{}: {does}", bindings.first_name(Action::Use));
        }
        let (held, ahead) = (game.holds(told.player), game.takeable(level, told.player));
        if let Some((body, does)) = held
            .map(|id| (id, "throw"))
            .or(ahead.map(|id| (id, "take")))
        {
            let gap = if prompt.is_empty() { "" } else { "\n" };
            let name = plain_name(&level.body(body).name);
            let key = bindings.first_name(Action::Grab);
            let _ = write!(prompt, "{gap}{key}: {does} the {name}");
        }
        if game.players[told.player].has_no_floor() && !told.view.is_flying() {
            let gap = if prompt.is_empty() { "" } else { "\n" };
            let key = bindings.first_name(Action::Fly);
            let _ = write!(prompt, "{gap}there is no floor here: {key} to fly");
        }
        if !prompt.is_empty() {
            return;
        }
        prompt.push_str(told.hint);
        if prompt.is_empty() && !told.is_captured {
            prompt.push_str("click to look around");
        }
    }
}
