//! Effects of surfaces on a body: friction, bounce, drag.

use glam::DVec3;
use opendoor::level::Material;

use crate::actor::{Actor, Stage, body, rho};
use crate::falls::slope;
use crate::runs::{for_all, play};
use crate::shapes::{block, ground, stage_of, v, wall};

#[test]
fn slopes_of_any_friction_hold_a_body_or_let_it_slip_according_to_coulomb() {
    let mut cases = Vec::new();
    for radius in [0.05, 0.3, 2.0] {
        for (degrees, friction) in [
            (10.0, 0.7),
            (30.0, 0.7),
            (40.0, 0.7),
            (20.0, 0.3),
            (50.0, 1.2),
            (10.0, 0.0),
        ] {
            cases.push((radius, degrees, friction));
        }
    }
    for_all(cases, |&(radius, degrees, friction): &(f64, f64, f64)| {
        let material = Material {
            friction,
            ..Material::default()
        };
        let (sin, cos) = degrees.to_radians().sin_cos();
        let on = v(-sin, cos, 0.0) * (rho(radius) + 1e-9);
        let source = stage_of(&slope(degrees), material);
        play(&source, body(radius, 9.81), ("stage", on), |actor| {
            let pull = sin - friction * cos;
            if pull > 0.0 {
                actor.hold(DVec3::ZERO, 60);
                let expected = 0.5 * 9.81 * pull;
                let moved = (actor.centre() - on).length();
                assert!(
                    (moved - expected).abs() < 0.02 * expected,
                    "{moved} {expected}"
                );
            } else {
                actor.hold(DVec3::ZERO, 3600);
                let moved = (actor.centre() - on).length();
                assert!(moved < 1e-6, "crept {moved}");
                assert!(actor.state.grounded);
            }
        });
    });
}

#[test]
fn bodies_bounce_off_a_bouncing_floor_and_come_to_rest() {
    for radius in [0.05, 0.3, 2.0] {
        let rubber = Material {
            bounce: 0.5,
            ..Material::default()
        };
        let trampoline = Stage::of(&stage_of(&block([-5., 0., -5.], [5., 1., 5.]), rubber));
        let rest = 1.0 + rho(radius);
        let start = v(0.0, rest + 4.0, 0.0);
        let mut actor = Actor::new(&trampoline, body(radius, 9.81), "stage", start);
        // The checks do not support bounces.
        actor.is_judged = false;
        let (mut highest, mut has_bounced) = (0.0_f64, false);
        for _ in 0..600 {
            actor.tick(DVec3::ZERO, false);
            assert!(actor.gap() > 0.0);
            has_bounced |= actor.state.fall.y > 0.0;
            if has_bounced {
                highest = highest.max(actor.centre().y - rest);
            }
        }
        // Half of the speed gives a quarter of the height.
        assert!((highest - 1.0).abs() < 0.1, "{highest}");
        assert!((actor.centre().y - rest).abs() < 1e-5);
    }
}

#[test]
fn drag_reduces_a_slide_by_its_fraction() {
    for radius in [0.05, 0.3, 2.0] {
        let mut soup = ground(60.0);
        let [a, b] = [-40.0, 40.0].map(|x| v(x, 0.0, 0.0));
        soup.extend(wall(a, b, 8.0, v(0.0, 0.0, 9.0)));
        let rough = Material {
            drag: 0.5,
            ..Material::default()
        };
        let start = v(-15.0, rho(radius), rho(radius) + 1e-9);
        let source = stage_of(&soup, rough);
        play(&source, body(radius, 9.81), ("stage", start), |actor| {
            actor.hold(v(2.0, 0.0, -2.0), 60);
            actor.assert_at(start + DVec3::X, 1e-6);
        });
    }
}
