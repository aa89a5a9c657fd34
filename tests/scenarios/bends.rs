//! Portals that bend space.

use glam::{DMat3, DVec3};
use opendoor::author::sketch::{Sketch, cuboid};
use opendoor::geometry::Rigid;
use opendoor::motion::clearance;
use opendoor::source::LevelSource;

use crate::actor::{Actor, Stage, body, rho};
use crate::shapes::v;

/// The quarter turn that rotates east to south, followed by the translation to `origin`.
pub(crate) fn quarter(origin: DVec3) -> Rigid {
    let turn = DMat3::from_cols(DVec3::Z, DVec3::Y, -DVec3::X);
    Rigid::new(turn, origin)
}

/// A level of the rooms `a` and `b`, authored apart, whose portals lead from `a` into `b` by the transform `b_from_a`.
/// Its polygons are not in one common space, so the checks ignore them.
pub(crate) fn bent(mut source: LevelSource, b_from_a: &Rigid) -> Stage {
    for portal in &mut source.portals {
        portal.far_from_near = *b_from_a;
    }
    Stage::judged_by(&source, |_| false)
}

/// Walks `ticks` more ticks; the wish rotates with the space.
pub(crate) fn walk_on(actor: &mut Actor, wish: &mut DVec3, ticks: usize) {
    // The checks assume straight space.
    actor.is_judged = false;
    for _ in 0..ticks {
        actor.tick(*wish, false);
        *wish = actor.turned().vector(*wish);
        for piece in actor.path() {
            let clearance = clearance(&actor.world(), piece, 0.0, 1.0);
            assert!(clearance > actor.body.radius, "{piece:?}: {clearance}");
        }
    }
}

#[test]
fn body_and_velocity_turn_and_solids_behind_the_portal_are_met() {
    // Two closed rooms far apart; the east door of `a` leads through the north door of `b`.
    let mut sketch = Sketch::new("bent");
    let east = cuboid([5., 0., -1.], [5., 3., 1.]);
    let north = cuboid([99., 0., -5.], [101., 3., -5.]);
    let a = sketch.box_room("a", cuboid([-5., 0., -5.], [5., 3., 5.]), &[east]);
    let b = sketch.box_room("b", cuboid([95., 0., -5.], [105., 3., 5.]), &[north]);
    sketch.furniture(b, 0, cuboid([98., 0., 2.], [102., 2., 3.]));
    sketch.portal(a, "b", east, DVec3::X);
    sketch.spawn(a, v(0., 0.5, 0.), DVec3::X);
    let stage = bent(sketch.source, &quarter(v(100.0, 0.0, -10.0)));
    for radius in [0.05, 0.3, 0.9] {
        for speed in [1.0, 4.0, 60.0] {
            let rho = rho(radius);
            let mut actor = Actor::new(&stage, body(radius, 9.81), "a", v(0.0, rho, 0.05));
            let mut wish = v(speed, 0.0, 0.0);
            walk_on(&mut actor, &mut wish, (60.0 * 15.0 / speed) as usize);
            assert_eq!(actor.room(), "b");
            // The body has the same offset to the right of the door's middle, and is stopped by the box behind the
            // door.
            actor.assert_at(v(99.95, rho, 2.0 - rho), 1e-5);
            assert!((wish - v(0.0, 0.0, speed)).length() < 1e-9);
            // The way back.
            wish = -wish;
            walk_on(&mut actor, &mut wish, (60.0 * 9.0 / speed) as usize + 2);
            assert_eq!(actor.room(), "a", "at {}", actor.centre());
            assert!((wish - v(-speed, 0.0, 0.0)).length() < 1e-9);
        }
    }
}
