//! Random walks through all levels: with any input no solid is touched, and the walk through the portals equals the
//! walk among all triangles, without portals (brute force). `cargo bench --bench soak` runs longer walks.

use std::collections::BTreeSet;
use std::ops::Range;

use glam::DVec3;
use opendoor::author::grid_glb;
use opendoor::author::sketch::{Sketch, cuboid};
use opendoor::collision::BroadPhase;
use opendoor::game::{CHARACTER, Game, Input, PLAYER, Start};
use opendoor::level::{AuthorPoint, Level, LinkId};
use opendoor::load::load_bytes;
use opendoor::motion::{Body, StepSettings};
use opendoor::testing::{Monitor, RandomPlayer};

use crate::common::{FORWARD, Playtest, STANDING, cases, v};
use crate::door_levels::{Row, doorways, row_of_rooms, row_of_vestibules};
use crate::levels::{ours, ours_in_flat_space};
use crate::shared::built;

const WALK_TICKS: u64 = 500;

/// The starts of a level where a body fits.
fn starts(level: &Level, body: Body) -> Vec<Start> {
    let mut starts = RandomPlayer::starts(level);
    starts.retain(|start| {
        let game = Game::start(level, start, body);
        game.is_ok_and(|game| Monitor::new(level, &game, 0).violation.is_none())
    });
    starts
}

/// Bodies of other sizes: with step settings, crouching, or stopping at ledges.
fn others() -> Vec<Body> {
    let feet = PLAYER.step_settings;
    let heedful = StepSettings {
        max_drop: 0.5,
        ..feet
    };
    let steps_alone = StepSettings {
        step_height: 0.3,
        ..StepSettings::OFF
    };
    [
        (0.35, 0.0, feet),
        (0.1, 0.0, feet),
        (0.15, 0.0, StepSettings::OFF),
        (0.6, 0.0, steps_alone),
        (PLAYER.radius, PLAYER.segment_length, feet),
        (0.3, 1.1, heedful),
        (0.25, 0.7, StepSettings::OFF),
        (0.6, 0.7, feet),
    ]
    .map(|(radius, segment_length, step_settings)| Body {
        radius,
        segment_length,
        step_settings,
        ..CHARACTER
    })
    .to_vec()
}

/// Walks at random from different starts; returns the visited rooms.
fn wander(level: &Level, body: Body, seeds: Range<u64>) -> BTreeSet<String> {
    let starts = starts(level, body);
    let mut seen = BTreeSet::new();
    let walks = seeds.end - seeds.start;
    for (walk, seed) in (0..).zip(seeds) {
        if starts.is_empty() {
            break;
        }
        let start = &starts[walk * starts.len() / walks as usize];
        let monitor = walk_twice(level, body, start, seed, WALK_TICKS);
        seen.extend(
            monitor
                .rooms
                .iter()
                .map(|&room| level.room(room).name.clone()),
        );
    }
    seen
}

/// Runs a random walk with each of the two broad phases, and compares the two.
pub(crate) fn walk_twice(
    level: &Level,
    body: Body,
    start: &Start,
    seed: u64,
    ticks: u64,
) -> Monitor {
    walk_twice_at(1.0, level, body, start, seed, ticks)
}

/// Runs [`walk_twice`] at `speed` times the speed.
pub(crate) fn walk_twice_at(
    speed: f64,
    level: &Level,
    body: Body,
    start: &Start,
    seed: u64,
    ticks: u64,
) -> Monitor {
    let [mut game, mut on_soup] =
        [BroadPhase::Portals, BroadPhase::Exhaustive].map(|broad_phase| {
            let mut game = Game::start(level, start, body).unwrap();
            game.broad_phase = broad_phase;
            game.players[0].walk_speed *= speed;
            game.players[0].run_speed *= speed;
            (game, RandomPlayer::new(seed))
        });
    let mut monitor = Monitor::new(level, &game.0, 0);
    for tick in 0..ticks {
        for (game, wander) in [&mut game, &mut on_soup] {
            let input = wander.next(level, game, 0);
            game.tick(level, &[input]);
        }
        monitor.add_tick(level, &game.0);
        let which = || format!("{}, --wander {seed}, {start:?}, {body:?}", level.name);
        if let Some(violation) = &monitor.violation {
            panic!("{}: {violation}", which());
        }
        assert_eq!(
            game.0.players[0].actor.state,
            on_soup.0.players[0].actor.state,
            "tick {tick}, {}",
            which()
        );
    }
    monitor
}

#[test]
#[cfg_attr(
    debug_assertions,
    ignore = "a minute unless optimised; .ci/test runs it"
)]
fn random_walks_through_our_levels_touch_nothing_and_need_no_more_than_the_portals_show() {
    let levels: Vec<&Level> = ours_in_flat_space().collect();
    for level in &levels {
        let seen = wander(level, CHARACTER, 0..130_u64.div_ceil(levels.len() as u64));
        // This many walks of eight seconds each reach most rooms.
        assert!(seen.len() >= level.rooms.len().min(40) * 2 / 3, "{seen:?}");
    }
}

#[test]
fn random_walks_through_furnished_rooms_touch_nothing() {
    for (n, m) in [(1, 1), (2, 3), (5, 4)] {
        let (level, _) = load_bytes("grid", &grid_glb(n, m)).unwrap();
        let seen = wander(&level, CHARACTER, 0..24);
        assert!(seen.len() as u32 >= n * m * 2 / 3, "{n} x {m}: {seen:?}");
    }
}

#[test]
fn bodies_of_any_size_with_step_settings_or_without_crouching_or_not_touch_nothing() {
    let grid = load_bytes("grid", &grid_glb(2, 3)).unwrap().0;
    for level in ours_in_flat_space().chain([&grid]) {
        let mut walked = 0;
        for (i, body) in (0..).zip(others()) {
            walked += usize::from(!wander(level, body, 3 * i..3 * i + cases(1, 3)).is_empty());
        }
        assert!(walked > 4, "{walked} bodies fit into {}", level.name);
    }
}

/// Regression test: rigid bodies pushed a body that touched a wall into the wall, by up to 28 mm.
#[test]
fn rigid_bodies_push_no_character_into_walls_and_corners() {
    let level = ours().iter().find(|level| level.name == "workshop.glb");
    let level = level.unwrap();
    for (spawn, seed, body) in [
        ("alley-spawn", 6, CHARACTER),
        ("player-spawn", 44, CHARACTER),
        ("alley-spawn", 40, PLAYER),
        ("alley-spawn", 43, PLAYER),
        ("player-spawn", 50, PLAYER),
    ] {
        let start = Start::Spawn(spawn.to_owned());
        walk_twice(level, body, &start, seed, 600);
    }
}

/// Levels full of doors. Walks in our own levels had never touched a panel, because these levels had no door.
#[test]
fn random_walks_among_doors_of_every_thickness_touch_nothing() {
    for source in [
        row_of_rooms(Row::Level, &doorways()),
        row_of_rooms(Row::Upright, &doorways()),
        row_of_vestibules(Row::Level, &[0.001, 0.04, 0.2, 0.4, 0.45, 0.6, 1.0]),
    ] {
        let level = built(source);
        let capsule = Body {
            segment_length: 1.1,
            ..PLAYER
        };
        for (i, body) in (0..).zip([CHARACTER, capsule, others()[1], others()[6]]) {
            let seen = wander(&level, body, 12 * i..12 * i + 12);
            assert!(seen.len() > 5, "{seen:?}");
        }
    }
}

/// Floors far below are candidates only in the broad phase `Exhaustive`, and must not count as ground there.
#[test]
fn floors_far_below_are_no_ground_to_a_body_that_stops_at_ledges() {
    let heedful = Body {
        radius: 0.3,
        segment_length: 1.1,
        step_settings: StepSettings {
            max_drop: 0.5,
            ..PLAYER.step_settings
        },
        ..CHARACTER
    };
    let grid = |n, m| load_bytes("grid", &grid_glb(n, m)).unwrap().0;
    let (small, large) = (grid(2, 3), grid(6, 6));
    let labyrinth = ours().iter().find(|level| level.rooms.len() > 100);
    for (level, feet, seed, ticks) in [
        (
            labyrinth.unwrap(),
            v(-39., 6.099998474121094, 12.),
            296,
            907,
        ),
        (
            &small,
            v(2.2499999403953552, 1.100000023841858, 12.375),
            251,
            1107,
        ),
        (&large, v(31.125, 1.100000023841858, 22.5), 476, 499),
    ] {
        walk_twice(level, heedful, &Start::Feet(AuthorPoint(feet)), seed, ticks);
    }
}

#[test]
fn a_random_walk_crouches_where_the_body_can() {
    let (level, _) = load_bytes("grid", &grid_glb(2, 2)).unwrap();
    let capsule = Body {
        segment_length: 1.1,
        ..CHARACTER
    };
    for (body, can) in [(CHARACTER, false), (capsule, true)] {
        let mut game = Game::start(&level, &Start::Default, body).unwrap();
        let mut wander = RandomPlayer::new(1);
        let mut crouched = 0;
        for _ in 0..3000 {
            let input = wander.next(&level, &mut game, 0);
            game.tick(&level, &[input]);
            crouched += u32::from(game.players[0].crouched);
        }
        assert!(
            if can {
                (300..2000).contains(&crouched)
            } else {
                crouched == 0
            },
            "{crouched}"
        );
    }
}

#[test]
fn a_random_walk_does_all_that_a_player_can_do() {
    let (level, _) = load_bytes("grid", &grid_glb(2, 2)).unwrap();
    let mut game = Game::new(&level).unwrap();
    let mut wander = RandomPlayer::new(1);
    let mut done = BTreeSet::new();
    let mut yaw = game.players[0].yaw;
    for _ in 0..6000 {
        let input = wander.next(&level, &mut game, 0);
        let moves = input.forward != 0.0 || input.right != 0.0;
        for (what, is_so) in [
            ("stands", !moves),
            ("walks", moves && !input.run),
            ("runs", moves && input.run),
            ("goes back", input.forward < 0.0),
            ("strafes", input.right != 0.0),
            ("jumps", input.jump),
            (
                "turns slowly",
                (0.1..3.0).contains(&(game.players[0].yaw - yaw).abs()),
            ),
            ("turns about", (game.players[0].yaw - yaw).abs() > 90.0),
            ("closes a door", game.world().closed().count() > 0),
        ] {
            if is_so {
                done.insert(what);
            }
        }
        yaw = game.players[0].yaw;
        game.tick(&level, &[input]);
    }
    assert_eq!(done.len(), 9, "{done:?}");
}

#[test]
fn a_seed_walks_the_same_way_again_and_another_does_not() {
    let (level, _) = load_bytes("grid", &grid_glb(2, 2)).unwrap();
    let walked = |seed| {
        let mut game = Game::new(&level).unwrap();
        let mut wander = RandomPlayer::new(seed);
        for _ in 0..300 {
            let input = wander.next(&level, &mut game, 0);
            game.tick(&level, &[input]);
        }
        game.state_hash(&level)
    };
    assert_eq!(walked(3), walked(3));
    assert_ne!(walked(3), walked(4));
}

/// Regression test: a body near an open door cached the polygons around it. With the broad phase `Exhaustive` it did
/// not react to the closing door, and walked into it.
#[test]
fn a_door_shut_beside_the_body_stops_it_through_the_portals_and_on_the_whole_soup() {
    let (level, _) = load_bytes("grid", &grid_glb(2, 1)).unwrap();
    let door = level.portal(level.links[0].portal);
    // So near that the opening is among the cached polygons, and stays there during the approach.
    let before_door = door.polygon.centre() - door.polygon.plane.normal * 0.6;
    let [through_portals, on_whole_soup] =
        [BroadPhase::Portals, BroadPhase::Exhaustive].map(|broad_phase| {
            let mut playtest = Playtest::at(&level, before_door.with_y(STANDING));
            playtest.game.broad_phase = broad_phase;
            playtest.game.players[0].yaw = if door.polygon.plane.normal.x > 0.0 {
                -90.0
            } else {
                90.0
            };
            playtest.stand(0.5);
            playtest.game.set_link(&level, door.link, false).unwrap();
            playtest.hold(&FORWARD, 1.0);
            assert_eq!(playtest.game.players[0].actor.state.at.room, door.near);
            playtest.game.state_hash(&level)
        });
    assert_eq!(through_portals, on_whole_soup);
}

/// Regression test: when a body hit two floors at the same time, above the seam between two rooms, the first tested
/// floor counted. The two results differ in their last bits, so the result depended on the order of rooms.
#[test]
fn a_fall_onto_the_seam_of_two_rooms_ends_in_the_same_bits_on_the_whole_soup() {
    for level in ours() {
        for start in starts(level, CHARACTER) {
            let [through_portals, on_whole_soup] = [BroadPhase::Portals, BroadPhase::Exhaustive]
                .map(|broad_phase| {
                    let mut game = Game::start(level, &start, CHARACTER).unwrap();
                    game.broad_phase = broad_phase;
                    for _ in 0..60 {
                        game.tick(level, &[]);
                    }
                    game.players[0].actor.state
                });
            assert_eq!(through_portals, on_whole_soup, "{}, {start:?}", level.name);
        }
    }
}

/// Regression test: a door closed on a body whose distance was exactly its radius, and touched it.
#[test]
fn a_door_does_not_close_where_it_would_just_touch_the_body() {
    let (level, _) = load_bytes("grid", &grid_glb(2, 1)).unwrap();
    let door = level.portal(level.links[0].portal);
    let body = Body {
        radius: 0.25,
        ..CHARACTER
    };
    let mut game = Game::start(&level, &Start::Default, body).unwrap();
    for (gap, closes) in [(0.0, false), (1e-3, true)] {
        let before_door = door.polygon.centre() - door.polygon.plane.normal * (0.25 + gap);
        game.players[0].actor.state.at.point = before_door;
        let closed = game.set_link(&level, door.link, false);
        assert_eq!(closed.is_ok(), closes, "{gap}");
    }
    assert!(Monitor::new(&level, &game, 0).min_gap > 0.0);
}

/// Regression test: because of a last bit, a body placed in the middle of a slanted opening belonged to the room that
/// it had just left. It could not leave that room any more, and fell through the floor of the next room.
#[test]
fn a_body_put_into_an_opening_can_leave_it_to_the_other_side() {
    let mut walks = 0;
    for level in ours() {
        for start in starts(level, CHARACTER) {
            let game = Game::start(level, &start, CHARACTER).unwrap();
            let (room, centre) = (
                game.players[0].actor.state.at.room,
                game.players[0].actor.state.at.point,
            );
            for (_, portal) in level.portals_of(room) {
                let normal = portal.polygon.plane.normal;
                let beyond = portal.polygon.plane.distance(centre);
                if beyond.abs() > 1e-6 || !portal.polygon.covers(centre, 0.0) {
                    continue;
                }
                // A body crosses a portal one nanometre beyond its plane.
                assert!(beyond <= 1e-9, "{}, {start:?}: {beyond:e} m", level.name);
                let mut game = Game::start(level, &start, CHARACTER).unwrap();
                for link in game.world().closed().collect::<Vec<_>>() {
                    game.set_link(level, link, true).unwrap();
                }
                game.players[0].yaw = f64::atan2(-normal.x, -normal.z).to_degrees();
                for _ in 0..3 {
                    game.tick(level, &[FORWARD]);
                }
                let left = game.players[0].actor.state.at.point.distance(centre) > 0.01;
                assert!(
                    !left || game.players[0].actor.state.at.room == portal.far,
                    "{start:?}"
                );
                walks += u32::from(left);
            }
        }
    }
    assert!(walks > 20, "{walks}");
}

/// Regression test: the jambs of an opening belonged to the room behind it. With a closed door they were not found, and
/// a body between them slid into their edge.
#[test]
fn the_jambs_of_a_shut_door_are_solid_whichever_room_owns_them() {
    let opening = |x: f64| cuboid([x, 0.0, 1.0], [x, 2.2, 2.2]);
    let mut sketch = Sketch::new("two rooms");
    let a = sketch.box_room("a", cuboid([0.0; 3], [4.0, 3.0, 4.0]), &[opening(4.0)]);
    let b_inside = cuboid([4.2, 0.0, 0.0], [8.2, 3.0, 4.0]);
    sketch.box_room("b", b_inside, &[opening(4.2)]);
    let reveal = cuboid([4.0, 0.0, 1.0], [4.2, 2.2, 2.2]);
    let reveal = sketch.box_room("reveal", reveal, &[opening(4.0), opening(4.2)]);
    sketch.source.meshes[reveal].room = a;
    sketch.source.rooms.truncate(2);
    sketch.portal(a, "b", opening(4.1), DVec3::X);
    sketch.spawn(a, v(1.0, 0.5, 2.0), DVec3::X);
    let level = built(sketch.source);
    let ends = [BroadPhase::Portals, BroadPhase::Exhaustive].map(|broad_phase| {
        let mut playtest = Playtest::at(&level, v(4.46, STANDING, 1.6));
        playtest.game.broad_phase = broad_phase;
        assert_eq!(playtest.room(), "b");
        playtest.game.set_link(&level, LinkId(0), false).unwrap();
        let along_the_door = Input {
            right: 0.02,
            ..FORWARD
        };
        playtest.hold(&along_the_door, 0.15);
        playtest.game.players[0].actor.state
    });
    assert_eq!(ends[0], ends[1]);
}
