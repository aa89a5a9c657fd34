//! Bodies that an impact deflects or accelerates towards bodies which they would not have met in the tick.

use opendoor::bodies::BodyWorkspace;
use opendoor::build::build;
use opendoor::glam::DVec3;
use opendoor::level::BodyId;
use opendoor::source::BodyShape;
use opendoor::world::World;

use crate::hall::{add_heavy, crate_at, hall};
use crate::momentum::tick_without_gravity;

/// Size of the hall, metres.
const SIZE: DVec3 = DVec3::new(40.0, 40.0, 40.0);

/// Regression test: a cluster was solved without the bodies that its members could reach only after an impact of the
/// same tick. A light mesh that a heavy box struck passed through a crate beside it.
#[test]
fn a_struck_body_does_not_enter_a_body_that_it_reaches_in_the_same_tick() {
    let middle = DVec3::Y * (0.5 * SIZE.y);
    let half = DVec3::splat(0.05);
    for shape in [BodyShape::Mesh, BodyShape::Hull] {
        for gap in 0..10 {
            let gap = 0.07 + 0.003 * f64::from(gap);
            let mut sketch = hall(SIZE);
            let striker = crate_at(middle - DVec3::X * 0.25, DVec3::splat(0.15));
            add_heavy(&mut sketch, "a", BodyShape::Mesh, striker, (1e3, 0.0, 1.0));
            let struck = crate_at(middle + DVec3::X * 0.15, half.with_x(0.2));
            add_heavy(&mut sketch, "b", shape, struck, (1.0, 0.0, 1.0));
            let beside = crate_at(middle + DVec3::X * (0.4 + gap), half);
            add_heavy(&mut sketch, "c", BodyShape::Box, beside, (1.0, 0.0, 0.0));
            let (level, _) = build(sketch.source).expect("it is sound");
            let mut world = World::of(&level);
            let mut state = *world.bodies.state(BodyId(0));
            state.velocity = DVec3::X * 10.0;
            world.bodies.set(BodyId(0), state);
            let mut workspace = BodyWorkspace::default();
            for tick in 0..3 {
                tick_without_gravity(&level, &mut world, &mut workspace);
                let x = |id: u32| world.bodies.state(BodyId(id)).at.point.x;
                // The faces stay parallel, because all centres lie on one line.
                let depth = 0.25 - (x(2) - x(1));
                assert!(
                    depth < 1e-3,
                    "{shape:?}, {gap}, tick {tick}: {depth} m deep"
                );
            }
            let states = world.bodies.iter().map(|(id, state)| {
                let mass = level.body(id).mass.mass;
                state.velocity * mass
            });
            let momentum = states.sum::<DVec3>();
            assert!((momentum - DVec3::X * 1e4).length() < 1e-5, "{momentum}");
        }
    }
}
