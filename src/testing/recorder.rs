//! Records the actions of a player as a walk file.

use std::fmt::Write;

use super::tour::Tour;
use super::walk::{HeldKeys, MAX_WALK_BYTES, parse};
use crate::game::{FIRST_PLAYER, Game, Input, PLAYER, Start, wrapped};
use crate::level::{AuthorPoint, Level};
use crate::motion::TICK_SECS;

/// The angular resolution of the view in a recording, steps per degree: less than a pixel, and short to write.
const STEPS_PER_DEGREE: f64 = 100.0;
/// The space that is reserved for the lines at the end, bytes.
const END_BYTES: usize = 1024;

/// Records the actions of a player tick by tick. The walk file reproduces them bit for bit.
#[derive(Debug, Default)]
pub struct Recorder {
    text: String,
    /// The current yaw and pitch of the recorded walk, degrees.
    view: Option<[f64; 2]>,
    /// The input that is held, and the number of ticks so far.
    held: Option<(Input, u64)>,
    /// Whether the recording exceeds the maximum size of a walk file.
    pub is_full: bool,
    /// Whether something happened that a walk file cannot reproduce.
    is_broken: bool,
}

/// A finished recording.
#[derive(Debug)]
pub struct Recorded {
    /// The walk file.
    pub text: String,
    /// Whether the walk ends in the same state when it is replayed. If the level was changed during the recording, the walk may
    /// end elsewhere in the current level: the walk file then expects nothing of its end.
    pub is_repeatable: bool,
}

impl Recorder {
    /// Starts to record a game that has not moved yet, with the body `PLAYER`, from `start`.
    pub fn new(level: &Level, start: &Start) -> Self {
        let start = match start {
            Start::Default => String::new(),
            Start::Spawn(name) => format!("spawn {name}\n"),
            Start::Feet(AuthorPoint(feet)) => format!("at {} {} {}\n", feet.x, feet.y, feet.z),
        };
        Self {
            text: format!("level {}\nbody player\n{start}", level.name),
            ..Self::default()
        }
    }

    /// Records the input of a tick before the tick runs. The view is rounded to a hundredth of a degree.
    pub fn add_tick(&mut self, game: &mut Game, input: &Input) {
        if self.is_full {
            return;
        }
        self.note_view(game);
        match &mut self.held {
            Some((held, ticks)) if held == input => *ticks += 1,
            _ => {
                self.write_held();
                self.held = Some((*input, 1));
            }
        }
        self.is_full = self.text.len() + END_BYTES > MAX_WALK_BYTES as usize;
    }

    /// Records an event that a walk file cannot reproduce: the level was changed and reloaded, or the player was moved
    /// elsewhere. The recording continues, with `what` as a comment.
    pub fn add_break(&mut self, what: &str) {
        if self.is_full {
            return;
        }
        self.write_held();
        // Writing to a string cannot fail.
        let _ = writeln!(self.text, "# {what}");
        self.is_broken = true;
        self.is_full = self.text.len() + END_BYTES > MAX_WALK_BYTES as usize;
    }

    /// Returns the walk file, which ends with the game's current position; `None` if the recording exceeds the size of a walk
    /// file.
    pub fn finish(mut self, level: &Level, game: &mut Game) -> Option<Recorded> {
        if self.is_full {
            return None;
        }
        self.note_view(game);
        self.write_held();
        let room = &level
            .room(game.players[FIRST_PLAYER].actor.state.at.room)
            .name;
        let feet = game.players[FIRST_PLAYER].feet(level).0;
        let hash = game.state_hash(level);
        let is_repeatable = !self.is_broken || walked_hash(level, &self.text) == Some(hash);
        // Writing to a string cannot fail.
        let _ = if is_repeatable {
            write!(
                self.text,
                "expect room {room}\nexpect near {:.3} {:.3} {:.3} 0.01\nexpect hash {hash:016x}\n",
                feet.x, feet.y, feet.z,
            )
        } else {
            writeln!(
                self.text,
                "# as the level is now, the walk no longer ends where it was recorded"
            )
        };
        Some(Recorded {
            text: self.text,
            is_repeatable,
        })
    }

    /// Rounds the view to a hundredth of a degree, and writes it down if it differs from the recorded view.
    fn note_view(&mut self, game: &mut Game) {
        let report = &game.players[FIRST_PLAYER].actor.report;
        let carried_turn = report.carried_turn.unwrap_or_default();
        let turned = !report.target_from_start.after(&carried_turn).is_identity();
        let player = &mut game.players[FIRST_PLAYER];
        if self.view == Some([player.yaw, player.pitch]) && !turned {
            return;
        }
        let round = |degrees: f64| libm::round(degrees * STEPS_PER_DEGREE) / STEPS_PER_DEGREE;
        let written = [player.yaw, player.pitch].map(round);
        // The same values as the walk file's reader produces.
        [player.yaw, player.pitch] = [wrapped(written[0]), written[1]];
        self.write_held();
        let _ = writeln!(self.text, "face {} {}", written[0], written[1]);
        self.view = Some([player.yaw, player.pitch]);
    }

    fn write_held(&mut self) {
        let Some((input, ticks)) = self.held.take() else {
            return;
        };
        let keys = HeldKeys {
            run: input.run,
            jump: input.jump,
            crouch: input.crouch,
            interact: input.interact,
            grab: input.grab,
        };
        let secs = ticks as f64 * TICK_SECS;
        let Input { forward, right, .. } = input;
        let _ = if (forward, right, keys) == (0.0, 0.0, HeldKeys::default()) {
            write!(self.text, "wait {secs:.4}")
        } else {
            write!(self.text, "move {forward} {right} {secs:.4}")
        };
        for (is_held, word) in [
            (keys.run, " run"),
            (keys.jump, " jump"),
            (keys.crouch, " crouch"),
            (keys.interact, " use"),
            (keys.grab, " grab"),
        ] {
            if is_held {
                self.text.push_str(word);
            }
        }
        self.text.push('\n');
    }
}

/// The hash of the state in which a walk ends; `None` if it cannot be walked in this level.
fn walked_hash(level: &Level, text: &str) -> Option<u64> {
    let walk = parse(text).ok()?;
    let mut game = Game::start(level, &walk.start, walk.body.unwrap_or(PLAYER)).ok()?;
    let mut tour = Tour::new(level, walk).ok()?;
    while let Some(input) = tour.next(level, &mut game) {
        game.tick(level, &[input]);
    }
    Some(game.state_hash(level))
}

#[cfg(test)]
mod tests {
    use glam::DVec3;

    use super::*;
    use crate::author::grid_glb;
    use crate::author::sketch::{Sketch, cuboid};
    use crate::build::build;
    use crate::load::load_bytes;
    use crate::rng::Rng;
    use crate::testing::walk_level;

    /// Plays a game at random for some ticks while it is recorded, and returns the walk file.
    fn recorded(level: &Level, start: &Start, seed: u64) -> String {
        let mut rng = Rng::new(seed);
        let mut game = Game::start(level, start, PLAYER).unwrap();
        let mut recorder = Recorder::new(level, start);
        let mut input = Input::default();
        for _ in 0..600 {
            if rng.one_in(10) {
                input = Input {
                    forward: rng.between(-1.0, 1.0),
                    right: [0.0, 1.0, -1.0][rng.below(3)],
                    run: rng.one_in(2),
                    jump: rng.one_in(3),
                    crouch: rng.one_in(4),
                    interact: rng.one_in(5),
                    grab: rng.one_in(9),
                };
            }
            if rng.one_in(2) {
                // Mouse movement between ticks, also across due south.
                game.players[0].look(rng.between(-40.0, 40.0), rng.between(-9.0, 9.0));
            }
            recorder.add_tick(&mut game, &input);
            game.tick(level, &[input]);
        }
        game.players[0].look(0.123_456, 0.0);
        recorder.finish(level, &mut game).unwrap().text
    }

    #[test]
    fn a_recorded_walk_ends_in_the_same_state() {
        let (level, _) = load_bytes("grid.glb", &grid_glb(2, 2)).unwrap();
        for seed in 0..8 {
            // A third of a metre has no finite binary representation: it must survive the round trip bit for bit.
            let feet = Start::Feet(AuthorPoint([3.0, 1.0 / 3.0, 9.0].into()));
            let spawn = Start::Spawn(level.spawns[0].name.clone());
            for start in [Start::Default, feet, spawn] {
                let walk = parse(&recorded(&level, &start, seed)).unwrap();
                assert_eq!(walk.level.as_deref(), Some("grid.glb"));
                assert_eq!(walk.start, start);
                let walked = walk_level(&level, walk, |_, _, _| ()).unwrap();
                assert_eq!(walked.failures, [], "seed {seed}");
                assert_eq!(walked.ticks, 600);
            }
        }
    }

    #[test]
    fn a_view_due_south_is_written_so_that_it_is_read_back() {
        let (level, _) = load_bytes("grid.glb", &grid_glb(1, 1)).unwrap();
        for yaw in [180.0, -180.0, 179.999, -179.996] {
            let mut game = Game::start(&level, &Start::Default, PLAYER).unwrap();
            game.players[0].yaw = yaw;
            let mut recorder = Recorder::new(&level, &Start::Default);
            recorder.add_tick(&mut game, &Input::default());
            game.tick(&level, &[]);
            let Recorded { text, .. } = recorder.finish(&level, &mut game).unwrap();
            let walked = walk_level(&level, parse(&text).unwrap(), |_, _, _| ()).unwrap();
            assert_eq!(walked.failures, [], "{text}");
        }
    }

    /// A hall with a crate at this distance to the right.
    fn hall(right: f64) -> Level {
        let mut sketch = Sketch::new("hall");
        let room = sketch.box_room("hall", cuboid([-9., 0., -9.], [9., 3., 9.]), &[]);
        sketch.furniture(room, 0, cuboid([right, 0., -4.], [right + 1., 1., -3.]));
        sketch.spawn(room, DVec3::ZERO, DVec3::NEG_Z);
        build(sketch.source).unwrap().0
    }

    /// Records two seconds of walking forward; the level is changed after the first second.
    fn recorded_through(old: &Level, new: &Level) -> Recorded {
        let mut game = Game::start(old, &Start::Default, PLAYER).unwrap();
        let mut recorder = Recorder::new(old, &Start::Default);
        let input = Input {
            forward: 1.0,
            ..Input::default()
        };
        let mut level = old;
        for tick in 0..120 {
            if tick == 60 {
                (game, _) = game.carry_to(old, new).unwrap();
                recorder.add_break("the level was saved and loaded again");
                level = new;
            }
            recorder.add_tick(&mut game, &input);
            game.tick(level, &[input]);
        }
        recorder.finish(level, &mut game).unwrap()
    }

    #[test]
    fn a_recording_goes_on_in_a_level_that_was_changed_elsewhere() {
        let (old, new) = (hall(4.0), hall(5.0));
        let recorded = recorded_through(&old, &new);
        assert!(recorded.is_repeatable);
        assert!(recorded.text.contains("\n# the level was saved"));
        assert!(recorded.text.contains("\nexpect hash"));
        let walked = walk_level(&new, parse(&recorded.text).unwrap(), |_, _, _| ()).unwrap();
        assert_eq!((walked.failures, walked.ticks), (vec![], 120));
    }

    #[test]
    fn a_recording_that_ends_elsewhere_in_the_changed_level_expects_nothing_of_it() {
        // The crate blocks the player in one version of the level and not in the other.
        for (old, new) in [(hall(-0.5), hall(5.0)), (hall(5.0), hall(-0.5))] {
            let recorded = recorded_through(&old, &new);
            let walked = walk_level(&new, parse(&recorded.text).unwrap(), |_, _, _| ()).unwrap();
            assert_eq!(walked.failures, []);
            assert!(!recorded.is_repeatable, "{}", recorded.text);
            assert!(!recorded.text.contains("expect"));
        }
    }
}
