//! What happened on the way, checked from outside: against the polygons, never by what the solver reports.

use crate::game::{Event, EventKind, Game};
use crate::level::{AuthorPoint, Level, RoomId};
use crate::motion::{self, Actor, Body, Piece};

/// Gaps are looked for up to this far from the body, metres.
const GAP_REACH: f64 = 1.0;

/// Events of one kind kept at most: a body that falls out of its room again and again must not fill the
/// memory.
const MAX_EVENTS: usize = 1000;

/// What a body did since its start.
#[derive(Clone, Debug, PartialEq)]
pub struct Monitor {
    /// Length of its path, metres.
    pub distance: f64,
    /// Lowest place of the feet, author's coordinates, metres.
    pub min_y: f64,
    /// Highest place of the feet, author's coordinates, metres.
    pub max_y: f64,
    /// The rooms it was in, in the order in which it first entered them.
    pub rooms: Vec<RoomId>,
    /// Ticks that ended on the ground.
    pub grounded_ticks: u64,
    /// Least distance from the sphere to anything solid along the whole path, metres; negative
    /// inside. A gap of more than a metre counts as one metre.
    pub min_gap: f64,
    /// The first thing that must never happen, if it did.
    pub violation: Option<Violation>,
    /// The first events of each kind, each with its tick, from 1.
    pub events: Vec<(u64, Event)>,
    /// How many more there were.
    pub events_omitted: u64,
    /// The game's tick at the start; all others are counted from it.
    first_tick: u64,
}

/// Something that must never happen, and where it did.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
#[error("tick {tick}, in {room} at {feet}: {fault}")]
pub struct Violation {
    /// The tick in which it happened, from 1; 0 is the start.
    pub tick: u64,
    /// The name of the body's room: after the tick, or that it left.
    pub room: String,
    /// The feet there.
    pub feet: AuthorPoint,
    /// What happened.
    pub fault: ViolationKind,
}

/// What must never happen to a body.
#[derive(Clone, Copy, Debug, PartialEq, thiserror::Error)]
pub enum ViolationKind {
    /// The body touched something solid or was inside it.
    #[error("the body touches something solid, its gap is {gap} m")]
    Touched {
        /// The gap, metres: not positive.
        gap: f64,
    },
    /// Its position or velocity is not finite.
    #[error("its position or velocity is not finite")]
    NonFinite,
    /// It left its room through no portal, and was put back.
    #[error("the body left all rooms, through a hole in this one's surface")]
    LeftRooms,
}

impl Monitor {
    /// The record of a game from now on.
    pub fn new(level: &Level, game: &Game) -> Self {
        let feet = game.player.feet(level);
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
        };
        monitor.piece(level, game, &Piece::still(game.player.actor.state.at));
        monitor.check(level, game);
        monitor
    }

    /// Adds what the last tick did.
    pub fn add_tick(&mut self, level: &Level, game: &Game) {
        let feet = game.player.feet(level);
        self.min_y = self.min_y.min(feet.0.y);
        self.max_y = self.max_y.max(feet.0.y);
        let Actor { state, report, .. } = &game.player.actor;
        self.grounded_ticks += u64::from(state.grounded);
        for piece in &report.path {
            self.piece(level, game, piece);
        }
        self.piece(level, game, &Piece::still(state.at));
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

    /// How deep the sphere was ever inside something solid, metres.
    pub fn max_penetration(&self) -> f64 {
        (-self.min_gap).max(0.0)
    }

    fn piece(&mut self, level: &Level, game: &Game, piece: &Piece) {
        let Body {
            radius,
            segment_length,
            ..
        } = game.player.actor.body;
        // Only a smaller gap than before counts, so none is looked for farther away.
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
        let state = &game.player.actor.state;
        let (mut room, mut feet) = (state.at.room, game.player.feet(level));
        let numbers = [state.at.point, state.walk, state.fall];
        let mut events = game.events.iter();
        let left = events.find(|event| matches!(event.kind, EventKind::LeftRooms { .. }));
        let fault = if !numbers.iter().all(|v| v.is_finite()) {
            // No distance to NaN is small: it must be looked for.
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
    use crate::level::sketch::{Sketch, cuboid};
    use crate::level::{Level, build};
    use glam::DVec3;

    /// A box of 4 m, and a game in which the body stands in its middle.
    fn room_and_game() -> (Level, Game) {
        let mut sketch = Sketch::new("box");
        let room = sketch.box_room("cell", cuboid([-2.0, 0.0, -2.0], [2.0, 4.0, 2.0]), &[]);
        sketch.spawn(room, DVec3::Y, DVec3::X);
        let (level, _) = build(sketch.source).unwrap();
        let game = Game::new(&level).unwrap();
        (level, game)
    }

    /// The violation that is found when the body turns up with its centre at `centre`.
    fn breach_at(centre: DVec3) -> Option<ViolationKind> {
        let (level, mut game) = room_and_game();
        let mut monitor = Monitor::new(&level, &game);
        assert_eq!(monitor.violation, None);
        game.tick = 7;
        game.player.actor.state.at.point = centre;
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
        let mut monitor = Monitor::new(&level, &game);
        for (tick, y) in [(1, 0.0), (2, -50.0)] {
            game.tick = tick;
            game.player.actor.state.at.point = DVec3::Y * y;
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
