//! Sleep of bodies beside each other.

use opendoor::bodies::{BodyWorkspace, tick_bodies};
use opendoor::build::build;
use opendoor::collision::BroadPhase;
use opendoor::glam::DVec3;
use opendoor::rng::Rng;
use opendoor::source::BodyShape;
use opendoor::world::World;

use crate::hall::{GRAVITY, add, crate_at, hall};

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
