//! Sleep of bodies beside each other, and the surfaces that sleeping bodies do not meet.

use opendoor::bodies::{BodyWorkspace, Character, tick_bodies};
use opendoor::build::build;
use opendoor::collision::BroadPhase;
use opendoor::glam::DVec3;
use opendoor::level::{AuthorPoint, BodyId, Cycle, Drive, Track};
use opendoor::rng::Rng;
use opendoor::source::BodyShape;
use opendoor::world::World;

use crate::hall::{GRAVITY, add, add_ball, crate_at, hall};
use crate::movers::{MOVER, Stage, add_mover};

/// Half the size of a box, metres.
const HALF: f64 = 0.2;

/// Ticks until all bodies of a level sleep; `None` if some are awake after 20 seconds.
fn ticks_to_sleep(sketch: opendoor::author::sketch::Sketch) -> Option<u32> {
    let (level, _) = build(sketch.source).expect("it is sound");
    let mut world = World::of(&level);
    let mut workspace = BodyWorkspace::default();
    (0..1200).find(|_| {
        let broad = BroadPhase::Portals;
        tick_bodies(&level, &mut world, &mut [], broad, GRAVITY, &mut workspace);
        world.bodies.awake_count() == 0
    })
}

/// Regression test: towers whose gap was slightly wider than the contact distance woke each other in turn for ever.
#[test]
fn towers_with_gaps_about_the_distance_of_a_contact_fall_asleep() {
    let mut rng = Rng::new(5);
    for case in 0..24 {
        let mut sketch = hall(DVec3::splat(16.0));
        let gap = rng.between(0.009, 0.0125);
        for tower in 0..3 {
            let x = f64::from(tower) * (2.0 * HALF + gap);
            let drop = rng.between(0.0, 0.4);
            for floor in 0..7 {
                let y = HALF + drop + f64::from(floor) * (2.0 * HALF + 0.001);
                let outside = crate_at(DVec3::new(x, y, 0.0), DVec3::splat(HALF));
                let name = format!("box{tower}-{floor}");
                add(&mut sketch, &name, BodyShape::Box, outside, 0.5, 0.0);
            }
        }
        let ticks = ticks_to_sleep(sketch);
        assert!(ticks.is_some(), "{case}: gap {gap}");
    }
}

/// Columns of boxes in the air, which fall into a heap.
#[test]
fn heaps_that_fall_from_a_lattice_fall_asleep() {
    let mut rng = Rng::new(8);
    for case in 0..6 {
        let mut sketch = hall(DVec3::splat(16.0));
        let pitch = rng.between(0.42, 0.6);
        for index in 0..60u32 {
            let [x, y, z] = [index % 4, index / 16, index / 4 % 4].map(f64::from);
            let off = DVec3::from_array([0.0; 3].map(|_| rng.between(-0.05, 0.05)));
            let centre = DVec3::new(x, y, z) * pitch + off + DVec3::Y;
            let name = format!("body{index}");
            let outside = crate_at(centre, DVec3::splat(HALF));
            let shape = [BodyShape::Box, BodyShape::Hull][index as usize % 2];
            add(&mut sketch, &name, shape, outside, 0.5, 0.0);
        }
        let ticks = ticks_to_sleep(sketch);
        assert!(ticks.is_some(), "{case}: pitch {pitch}");
    }
}

/// Regression test: a ball that slept met a mover where it had been when the ball fell asleep. The mover was listed at the
/// ball's side, and its motion in a later tick was enough for an impact there.
#[test]
fn a_sleeping_ball_is_not_hit_by_a_mover_that_has_left_it() {
    let mut sketch = hall(DVec3::new(12.0, 6.0, 6.0));
    add_ball(&mut sketch, "a-sleeper", DVec3::Y * 0.25, 0.25, 0.5, 0.0);
    // The neighbour bounces for ever: a sleeping body takes part in a tick if another one may meet it.
    let beside = DVec3::new(0.0, 0.6, 0.51);
    add_ball(&mut sketch, "b-neighbour", beside, 0.25, 0.0, 1.0);
    let plate = crate_at(DVec3::new(0.28, 0.5, 0.0), DVec3::new(0.01, 0.4, 0.2));
    let drive = Drive {
        ticks: 3,
        cycle: Cycle::Call,
        ..Drive::default()
    };
    let track = Track::Slide(DVec3::X * 3.0);
    add_mover(&mut sketch, plate, track, drive);
    let mut stage = Stage::new(sketch);
    stage.ticks(60);
    let sleeper = *stage.world.bodies.state(BodyId(0));
    assert!(sleeper.is_asleep());
    for _ in 0..2 {
        stage.world.call(MOVER);
        for tick in 0..60 {
            stage.ticks(1);
            let now = *stage.world.bodies.state(BodyId(0));
            assert_eq!(now, sleeper, "{tick}");
        }
        assert!(!stage.world.bodies.state(BodyId(1)).is_asleep());
    }
}

/// Regression test: a character that stood, but slid, took part asleep. It met the surfaces that were listed in the last
/// tick in which it was awake, and a restored game had no such list.
#[test]
fn a_character_that_slides_does_not_enter_a_wall_whatever_was_listed_before() {
    const RADIUS: f64 = 0.35;
    const GAP: f64 = 5e-3;
    let mut sketch = hall(DVec3::new(6.0, 3.0, 6.0));
    add_ball(&mut sketch, "ball", DVec3::Y, 0.25, 0.5, 0.0);
    let (level, _) = build(sketch.source).expect("it is sound");
    let mut world = World::of(&level);
    let ball = *world.bodies.state(BodyId(0));
    let wall = DVec3::new(3.0, 1.0, 0.0);
    let middle = wall - DVec3::X * (RADIUS + GAP);
    let at = |point| ball.at.with_point(level.from_author(AuthorPoint(point)));
    // The ball meets the character after the character has met the wall.
    let mut behind = ball;
    behind.at = at(middle - DVec3::X * (RADIUS + 0.25 + 0.02));
    behind.velocity = DVec3::X * 6.0;
    let mut character = Character::new(at(middle), RADIUS, 0.0);
    let tick = |world: &mut World, character: &Character, workspace: &mut _| {
        let mut character = [character.clone()];
        let broad = BroadPhase::Portals;
        tick_bodies(&level, world, &mut character, broad, GRAVITY, workspace);
        let [character] = character;
        (
            character.moved + character.slip / 60.0,
            character.velocity_change,
            *world.bodies.state(BodyId(0)),
        )
    };
    let mut workspace = BodyWorkspace::default();
    world.bodies.set(BodyId(0), behind);
    character.is_at_rest = false;
    tick(&mut world, &character, &mut workspace);
    world.bodies.set(BodyId(0), behind);
    character.is_at_rest = true;
    character.slip = DVec3::X * 3.0;
    let mut restored = World::of(&level);
    restored.clone_from(&world);
    let went_on = tick(&mut world, &character, &mut workspace);
    let again = tick(&mut restored, &character, &mut BodyWorkspace::default());
    assert_eq!(went_on, again);
    assert!(went_on.0.x < GAP + 1e-4, "{went_on:?}");
    assert!(went_on.1.x < -2.0, "{went_on:?}");
}
