//! Performance statistics and problems as overlay text.

use std::fmt::Write;
use std::time::Duration;

use super::view::ViewOptions;
use crate::bodies::PhaseTimes;
use crate::frame::Frame;
use crate::game::{Game, Player};
use crate::level::Level;
use crate::problems::Problems;
use crate::visibility::Camera;

/// The number of problems of a file that are listed on the screen.
const MAX_PROBLEMS: usize = 8;
/// The maximum number of bytes of a listed problem.
const MAX_PROBLEM: usize = 160;

/// Returns the errors that make a file unusable as overlay text.
pub(super) fn problems(name: &str, problems: &Problems) -> String {
    let errors = &problems.errors;
    let mut text = format!("{name} cannot be used as it is; you go on in the level before:\n");
    for problem in errors.iter().take(MAX_PROBLEMS) {
        let line = problem.to_string();
        let end = line.floor_char_boundary(MAX_PROBLEM);
        let rest = if end < line.len() { "..." } else { "" };
        text.push_str(&format!("  {}{rest}\n", &line[..end]));
    }
    let more = errors.total().saturating_sub(MAX_PROBLEMS);
    if more > 0 {
        text.push_str(&format!("  and {more} more: opendoor check lists them\n"));
    }
    text
}

/// The weight of a new value in the displayed mean. A small weight keeps the number readable.
const SMOOTHING: f64 = 0.1;

/// The smoothed times of the last frames.
#[derive(Debug, Default)]
pub(super) struct FrameStats {
    tick_secs: f64,
    /// The times of the phases of rigid bodies, which are part of `tick_secs`.
    body_secs: [f64; PhaseTimes::COUNT],
    visibility_secs: f64,
    frame_secs: f64,
    /// `None` on devices without timestamps.
    gpu_secs: Option<f64>,
}

impl FrameStats {
    pub(super) fn tick_took(&mut self, took: Duration) {
        update_mean(&mut self.tick_secs, took);
    }

    /// Adds the duration of each phase of rigid bodies in a tick, from the total times before and after the tick.
    pub(super) fn bodies_took(&mut self, before: &PhaseTimes, after: &PhaseTimes) {
        let phases = before.named().into_iter().zip(after.named());
        for (mean, ((_, before), (_, after))) in self.body_secs.iter_mut().zip(phases) {
            update_mean(mean, after.saturating_sub(before));
        }
    }

    pub(super) fn visibility_took(&mut self, took: Duration) {
        update_mean(&mut self.visibility_secs, took);
    }

    pub(super) fn gpu_took(&mut self, took: Duration) {
        update_mean(self.gpu_secs.get_or_insert_default(), took);
    }

    pub(super) fn frame_took(&mut self, took: Duration) {
        update_mean(&mut self.frame_secs, took);
    }

    /// Adds the statistics to the text.
    pub(super) fn write(
        &self,
        (level, game): (&Level, &Game),
        view: &ViewOptions,
        frame: &Frame,
        (resolution_scale, is_lowered): (f64, bool),
        text: &mut String,
    ) {
        // Writing to a string cannot fail.
        let _ = writeln!(
            text,
            "rooms drawn {} of {}{}\n\
             triangles   {}\n\
             draw calls  {}\n\
             culling     {}\n\
             visibility  {:.1} us\n\
             tick        {:.0} ns\n\
             frame       {:.1} ms\n\
             resolution  {:.0} %{}",
            frame.rooms_drawn,
            level.rooms.len(),
            if view.frozen().is_some() {
                " (frozen)"
            } else {
                ""
            },
            frame.triangles_drawn,
            frame.draws.len(),
            view.culling_name(),
            self.visibility_secs * 1e6,
            self.tick_secs * 1e9,
            self.frame_secs * 1e3,
            resolution_scale * 100.0,
            if is_lowered {
                " (lowered to hold 20 frames a second)"
            } else {
                ""
            },
        );
        self.write_bodies(game, text);
        if let Some(secs) = self.gpu_secs {
            let _ = writeln!(text, "GPU         {:.1} ms", secs * 1e3);
        }
    }

    /// Adds the number of awake rigid bodies, the number of times that the last resort of a tick held a body back, and
    /// the time of each phase of rigid bodies.
    fn write_bodies(&self, game: &Game, text: &mut String) {
        let bodies = &game.world().bodies;
        if bodies.is_empty() {
            return;
        }
        let _ = writeln!(
            text,
            "bodies      {} awake of {}, {} held back",
            bodies.awake_count(),
            bodies.len(),
            game.bodies_held_back()
        );
        for ((phase, _), secs) in game.body_times().named().into_iter().zip(self.body_secs) {
            let _ = writeln!(text, "  {phase:<12}{:.0} us", secs * 1e6);
        }
    }
}

/// Adds the camera's room, position and direction as flags of commands.
pub(super) fn write_place(level: &Level, camera: &Camera, text: &mut String) {
    let room = &level.room(camera.at.room).name;
    let _ = writeln!(
        text,
        "room        {room}\nfor shot    {}",
        view_flags(level, camera)
    );
}

/// Returns the flags with which `shot` draws the view of this camera.
pub(super) fn view_flags(level: &Level, camera: &Camera) -> String {
    let eye = level.to_author(camera.at.point).0;
    // Adding 0.0 turns negative zeros into positive ones.
    let [yaw, pitch] = camera.angles().map(|angle| angle + 0.0);
    format!(
        "--eye {:.3},{:.3},{:.3} --yaw {yaw:.1} --pitch {pitch:.1}",
        eye.x, eye.y, eye.z
    )
}

/// Returns the flags with which `play` and `sim` start at the player's position.
pub(super) fn start_flags(level: &Level, player: &Player) -> String {
    let feet = player.feet(level).0;
    format!(
        "--at {:.3},{:.3},{:.3} --yaw {:.1}",
        feet.x,
        feet.y,
        feet.z,
        player.yaw + 0.0
    )
}

/// Adds the names of the solids that block the body.
pub(super) fn write_blockers(level: &Level, player: &Player, text: &mut String) {
    let report = &player.actor.report;
    let how = if report.crushed {
        "crushed by"
    } else {
        "blocked by"
    };
    for blocker in &report.blockers {
        let _ = writeln!(text, "{how}  {}", blocker.solid.node(level));
    }
    if report.blockers.is_empty() {
        text.push_str("not blocked\n");
    }
}

fn update_mean(mean: &mut f64, took: Duration) {
    let took = took.as_secs_f64();
    *mean = if *mean == 0.0 {
        took
    } else {
        *mean + (took - *mean) * SMOOTHING
    };
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::author::grid_glb;
    use crate::load::load_bytes;

    #[test]
    fn the_time_of_a_device_without_timestamps_is_left_out() {
        let (level, _) = load_bytes("room", &grid_glb(1, 1)).unwrap();
        let game = Game::new(&level).unwrap();
        let written = |figures: &FrameStats| {
            let mut text = String::new();
            let (view, frame) = (ViewOptions::default(), Frame::default());
            figures.write((&level, &game), &view, &frame, (1.0, false), &mut text);
            text
        };
        let mut figures = FrameStats::default();
        figures.frame_took(Duration::from_millis(7));
        assert!(written(&figures).contains("frame       7.0 ms\n"));
        assert!(!written(&figures).contains("GPU"));
        figures.gpu_took(Duration::from_millis(3));
        assert!(written(&figures).contains("GPU         3.0 ms\n"));
    }
}
