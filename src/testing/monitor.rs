//! Monitors a player of a game from outside: checks the body against the polygons and ignores the solver's own report.

use crate::game::{EventKind, Game, GameEvent};
use crate::level::{AuthorPoint, Level, RoomId};
use crate::motion::{self, Actor, Body, PathSegment};

/// The search distance for gaps, measured from the body, metres.
const GAP_REACH: f64 = 1.0;

/// The maximum number of events stored for each kind, so that a body that repeatedly falls out of its room cannot fill the
/// memory.
const MAX_EVENTS: usize = 1000;

/// The record of a player's body since its start.
#[derive(Clone, Debug, PartialEq)]
pub struct Monitor {
    /// The length of the body's path, metres.
    pub distance: f64,
    /// The lowest height of the feet, author's coordinates, metres.
    pub min_y: f64,
    /// The highest height of the feet, author's coordinates, metres.
    pub max_y: f64,
    /// The visited rooms, in the order of first entry.
    pub rooms: Vec<RoomId>,
    /// The number of ticks that ended on the ground.
    pub grounded_ticks: u64,
    /// The minimum distance from the sphere to any solid along the whole path, metres; negative inside a solid. A gap of more
    /// than a metre counts as one metre.
    pub min_gap: f64,
    /// The first violation, if any.
    pub violation: Option<Violation>,
    /// The first events of each kind in the game, each with its tick, counted from 1.
    pub events: Vec<(u64, GameEvent)>,
    /// The number of further events that are not stored.
    pub events_omitted: u64,
    /// The game's tick at the start; all other ticks are counted from it.
    first_tick: u64,
    /// The index of the player.
    player: usize,
}

/// A forbidden state of a body, with its time and position.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
#[error("tick {tick}, in {room} at {feet}: {fault}")]
pub struct Violation {
    /// The tick of the violation, counted from 1; 0 is the start.
    pub tick: u64,
    /// The name of the body's room after the tick, or of the room that the body left.
    pub room: String,
    /// The position of the feet.
    pub feet: AuthorPoint,
    /// The kind of violation.
    pub fault: ViolationKind,
}

/// The kinds of violation: states that must never happen to a body.
#[derive(Clone, Copy, Debug, PartialEq, thiserror::Error)]
pub enum ViolationKind {
    /// The body touched a solid or penetrated it.
    #[error("the body touches something solid, its gap is {gap} m")]
    Touched {
        /// The gap, metres; zero or negative.
        gap: f64,
    },
    /// The body's position or velocity is not finite.
    #[error("its position or velocity is not finite")]
    NonFinite,
    /// The body left its room, but not through a portal, and was put back.
    #[error("the body left all rooms, through a hole in this one's surface")]
    LeftRooms,
}

impl Monitor {
    /// Starts to monitor a player of a game in its current state. `player` is an index into [`Game::players`].
    pub fn new(level: &Level, game: &Game, player: usize) -> Self {
        let feet = game.players[player].feet(level);
        let mut monitor = Self {
            distance: 0.0,
            min_y: feet.0.y,
            max_y: feet.0.y,
            rooms: Vec::new(),
            grounded_ticks: 0,
            min_gap: GAP_REACH,
            violation: None,
            events: Vec::new(),
            events_omitted: 0,
            first_tick: game.tick,
            player,
        };
        monitor.piece(
            level,
            game,
            &PathSegment::still(game.players[player].actor.state.at),
        );
        monitor.check(level, game);
        monitor
    }

    /// Records the last tick.
    pub fn add_tick(&mut self, level: &Level, game: &Game) {
        let feet = game.players[self.player].feet(level);
        self.min_y = self.min_y.min(feet.0.y);
        self.max_y = self.max_y.max(feet.0.y);
        let Actor { state, report, .. } = &game.players[self.player].actor;
        self.grounded_ticks += u64::from(state.grounded);
        for piece in &report.path {
            self.piece(level, game, piece);
        }
        self.piece(level, game, &PathSegment::still(state.at));
        for &event in &game.events {
            let same = self.events.iter().filter(|(_, e)| e.name() == event.name());
            if same.count() < MAX_EVENTS {
                self.events.push((game.tick - self.first_tick, event));
            } else {
                self.events_omitted += 1;
            }
        }
        self.check(level, game);
    }

    /// The maximum penetration of the sphere into a solid so far, metres.
    pub fn max_penetration(&self) -> f64 {
        (-self.min_gap).max(0.0)
    }

    fn piece(&mut self, level: &Level, game: &Game, piece: &PathSegment) {
        let Body {
            radius,
            segment_length,
            ..
        } = game.players[self.player].actor.body;
        // Only a gap smaller than the minimum so far counts, so the search is limited to that distance.
        let reach = radius + self.min_gap;
        let clearance = motion::clearance(&game.collision(level), piece, segment_length, reach);
        self.min_gap = self.min_gap.min(clearance - radius);
        self.distance += piece.length();
        let room = piece.from.room;
        if self.rooms.last() != Some(&room) && !self.rooms.contains(&room) {
            self.rooms.push(room);
        }
    }

    fn check(&mut self, level: &Level, game: &Game) {
        if self.violation.is_some() {
            return;
        }
        let state = &game.players[self.player].actor.state;
        let (mut room, mut feet) = (state.at.room, game.players[self.player].feet(level));
        let numbers = [state.at.point, state.walk, state.fall];
        let mut events = game.events.iter();
        let left = events.find(|event| {
            event.player == Some(self.player) && matches!(event.kind, EventKind::LeftRooms { .. })
        });
        let fault = if !numbers.iter().all(|v| v.is_finite()) {
            // Comparisons with NaN are false, so non-finite values need their own check.
            ViolationKind::NonFinite
        } else if self.min_gap <= 0.0 {
            ViolationKind::Touched { gap: self.min_gap }
        } else if let Some(left) = left {
            (room, feet) = (left.room, left.feet);
            ViolationKind::LeftRooms
        } else {
            return;
        };
        self.violation = Some(Violation {
            tick: game.tick - self.first_tick,
            room: level.room(room).name.clone(),
            feet,
            fault,
        });
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::author::sketch::{Sketch, cuboid};
    use crate::build::build;
    use crate::level::Level;
    use glam::DVec3;

    /// A box room of 4 m, and a game in which the body stands in its middle.
    fn room_and_game() -> (Level, Game) {
        let mut sketch = Sketch::new("box");
        let room = sketch.box_room("cell", cuboid([-2.0, 0.0, -2.0], [2.0, 4.0, 2.0]), &[]);
        sketch.spawn(room, DVec3::Y, DVec3::X);
        let (level, _) = build(sketch.source).unwrap();
        let game = Game::new(&level).unwrap();
        (level, game)
    }

    /// The violation that the monitor reports when the body is placed with its centre at `centre`.
    fn breach_at(centre: DVec3) -> Option<ViolationKind> {
        let (level, mut game) = room_and_game();
        let mut monitor = Monitor::new(&level, &game, 0);
        assert_eq!(monitor.violation, None);
        game.tick = 7;
        game.players[0].actor.state.at.point = centre;
        monitor.add_tick(&level, &game);
        let violation = monitor.violation?;
        assert_eq!((violation.tick, violation.room.as_str()), (7, "cell"));
        Some(violation.fault)
    }

    #[test]
    fn a_body_is_found_out_where_it_touches_a_wall_or_is_nowhere() {
        let radius = crate::game::CHARACTER.radius;
        let from_wall = |gap: f64| DVec3::new(2.0 - radius - gap, 2.0, 0.0);
        assert_eq!(breach_at(from_wall(1e-9)), None);
        let touched = breach_at(from_wall(-1e-3));
        let Some(ViolationKind::Touched { gap }) = touched else {
            panic!("{touched:?}");
        };
        assert!((gap + 1e-3).abs() < 1e-12, "{gap}");
        assert_eq!(
            breach_at(DVec3::new(0.0, f64::NAN, 0.0)),
            Some(ViolationKind::NonFinite)
        );
        assert_eq!(
            breach_at(DVec3::splat(f64::INFINITY)),
            Some(ViolationKind::NonFinite)
        );
    }

    #[test]
    fn the_first_breach_is_the_one_that_is_kept() {
        let (level, mut game) = room_and_game();
        let mut monitor = Monitor::new(&level, &game, 0);
        for (tick, y) in [(1, 0.0), (2, -50.0)] {
            game.tick = tick;
            game.players[0].actor.state.at.point = DVec3::Y * y;
            monitor.add_tick(&level, &game);
        }
        let violation = monitor.violation.unwrap();
        assert_eq!(violation.tick, 1);
        assert!(
            matches!(violation.fault, ViolationKind::Touched { .. }),
            "{violation}"
        );
    }
}
