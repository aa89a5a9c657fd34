//! Doors that open automatically when a player approaches.

use glam::DVec3;
use opendoor::author::sketch::{Sketch, cuboid};
use opendoor::game::{Game, Input, PLAYER, Start};
use opendoor::level::{AuthorPoint, Cycle, Drive, Level, LinkId, StartedBy, Track};
use opendoor::source::{LevelSource, MoverSource};

use crate::lift::{self, RISE};
use crate::shared::built;

/// Adds a panel that slides sideways, opens when a player is near, and closes again after half a second.
fn sliding(sketch: &mut LevelSource, room: usize, panel: ([f64; 3], [f64; 3]), locked: bool) {
    let mut drawn = Sketch::new("panel");
    let other = drawn.room("panel");
    drawn.furniture(other, 0, cuboid(panel.0, panel.1));
    let mut meshes = drawn.source.meshes;
    meshes.iter_mut().for_each(|mesh| mesh.room = room);
    let mut door = MoverSource::vanishing_door("glass-door".to_owned(), meshes);
    door.track = Track::Slide(DVec3::X);
    door.drive = Drive {
        ticks: 12,
        cycle: Cycle::Return,
        wait_ticks: 30,
        started_by: StartedBy::Approach,
        locked,
        ..Drive::default()
    };
    sketch.movers.push(door);
}

/// Two rooms with a door at z = 0.
pub(crate) fn rooms(locked: bool) -> LevelSource {
    let opening = cuboid([-0.5, 0.0, 0.0], [0.5, 2.0, 0.0]);
    let mut sketch = Sketch::new("rooms");
    let a = sketch.box_room("a", cuboid([-4.0, 0.0, -8.0], [4.0, 3.0, 0.0]), &[opening]);
    sketch.box_room("b", cuboid([-4.0, 0.0, 0.0], [4.0, 3.0, 8.0]), &[opening]);
    sketch.portal(a, "b", opening, DVec3::Z);
    sketch.spawn(a, DVec3::new(0.0, 0.1, -6.0), DVec3::Z);
    sliding(
        &mut sketch.source,
        a,
        ([-0.5, 0.0, -0.0625], [0.5, 2.0, -0.03125]),
        locked,
    );
    sketch.source
}

/// Whether the link is open after a player stood at `feet` for `ticks` ticks.
fn stays(level: &Level, feet: [f64; 3], ticks: usize) -> bool {
    let start = Start::Feet(AuthorPoint(DVec3::from_array(feet)));
    let mut game = Game::start(level, &start, PLAYER).unwrap();
    for _ in 0..ticks {
        game.tick(level, &[]);
    }
    game.world().opens(LinkId(0))
}

#[test]
fn a_door_opens_for_a_player_within_two_metres_on_either_side_and_for_nobody_else() {
    let level = built(rooms(false));
    for (z, opens) in [
        (-2.1, false),
        (-1.9, true),
        (-0.5, true),
        (0.6, true),
        (1.9, true),
        (2.1, false),
    ] {
        assert_eq!(stays(&level, [0.0, 0.0, z], 6), opens, "{z}");
    }
    // Beside the opening, not in front of it.
    assert!(!stays(&level, [3.5, 0.0, -0.5], 6));
    // In front of the opening but above it, as on a gallery.
    assert!(!stays(&level, [0.0, 1.15, -0.5], 1));
    let locked = built(rooms(true));
    assert!(!stays(&locked, [0.0, 0.0, -0.5], 6));
}

#[test]
fn a_door_that_opened_by_itself_lets_its_player_through_and_shuts_behind_it() {
    let level = built(rooms(false));
    let start = Start::Feet(AuthorPoint(DVec3::new(0.0, 0.0, -4.0)));
    let mut game = Game::start(&level, &start, PLAYER).unwrap();
    let (ahead, mut came) = (
        Input {
            forward: 1.0,
            ..Input::default()
        },
        false,
    );
    game.players[0].yaw = 180.0;
    for _ in 0..600 {
        game.tick(&level, &[ahead]);
        came |= game.players[0].actor.state.at.point.z > 2.5;
    }
    assert!(came, "{:?}", game.players[0].actor.state.at);
    assert!(!game.world().is_open(LinkId(0)));
}

/// The door of a cabin also opens into the cabin's shaft, but only at the cabin's current position. A player in the
/// cabin starts at a position in the cabin as authored.
#[test]
fn the_door_of_a_cabin_opens_for_a_player_near_its_current_position() {
    for (first_tick, feet, opens) in [
        (0, [0.0, 0.0, 0.5], true),
        (60, [0.0, 0.0, 0.5], true),
        (60, [0.0, -1.0, 0.5], false),
    ] {
        let drive = Drive {
            first_tick,
            ..lift::drive(60)
        };
        let mut source = lift::lift((Track::Slide(DVec3::Y * RISE), drive));
        let cabin = source.movers[0].moved_rooms[0];
        let panel = ([-0.5, 0.0, 1.15625], [0.5, 2.125, 1.171875]);
        sliding(&mut source, cabin, panel, false);
        let level = built(source);
        let start = Start::Feet(AuthorPoint(DVec3::from_array(feet)));
        let mut game = Game::start(&level, &start, PLAYER).unwrap();
        game.tick(&level, &[]);
        let room = &level.room(game.players[0].actor.state.at.room).name;
        assert_eq!(room == "cabin", opens, "{room}");
        let mut doors = level.movers.iter().filter_map(|mover| mover.link);
        assert_eq!(game.world().opens(doors.next().unwrap()), opens, "{feet:?}");
    }
}
