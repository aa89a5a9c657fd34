//! Random walks among ledges.

use glam::DVec3;

use crate::actor::{Actor, Stage, rho};
use crate::ledges::{TOP, careful, careful_walker, platforms, table};
use crate::oracle::Corners;
use crate::rng::Rng;
use crate::runs::for_all;
use crate::shapes::{facing, heading, quad, stage, v};
use crate::steps::flight;

/// Scenes with ledges of all kinds, and start positions on them.
fn places() -> Vec<(Vec<Corners>, DVec3)> {
    let tiles: Vec<[f64; 4]> = (0..36)
        .map(|i| [f64::from(i % 6) * 0.7, f64::from(i / 6) * 0.7])
        .map(|[x, z]| [x - 2.1, z - 2.1, x - 1.5, z - 1.5])
        .collect();
    let round: Vec<DVec3> = (0..17)
        .map(|i| heading(360.0 / 17.0 * f64::from(i)) * 2.0 + DVec3::Y * TOP)
        .collect();
    let mut ramp = platforms(&[[-4., -1., -1., 1.], [2., -1., 4., 1.]]);
    // A ramp without sides: 30 degrees down, then up again.
    for (x, x2) in [(-1.0, 0.5), (2.0, 0.5)] {
        let [a, b] = [-1.0, 1.0].map(|z| v(x, TOP, z));
        let [c, d] = [-1.0, 1.0].map(|z| v(x2, TOP - 1.5 * 0.577, z));
        ramp.extend(facing(quad(a, b, d, c), v(0.5, 60.0, 0.0)));
    }
    vec![
        (
            platforms(&[[-3., -3., 2., 0.], [-3., 0., 0., 3.]]),
            v(-1., TOP, -1.),
        ),
        (
            platforms(&[[-3., -0.05, 3., 0.05], [-0.1, -3., 0.1, 3.]]),
            v(0., TOP, 0.),
        ),
        // Platforms around a pit.
        (
            platforms(&[
                [-3., -3., -1., 3.],
                [1., -3., 3., 3.],
                [-1., -3., 1., -1.],
                [-1., 1., 1., 3.],
            ]),
            v(-2., TOP, 0.),
        ),
        (platforms(&tiles), v(-0.4, TOP, -0.4)),
        (table(&round), v(0., TOP, 0.)),
        (ramp, v(-2., TOP, 0.)),
        (flight(8, 0.3, 0.35), v(0., 2.4, 6.)),
    ]
}

#[test]
fn a_walking_body_never_ends_a_tick_where_it_would_fall() {
    const MAX_DROP: f64 = 0.4;
    let bodies = [0.1, 0.35, 0.6]
        .map(|radius| [careful(radius, MAX_DROP), careful_walker(radius, MAX_DROP)]);
    let places = places();
    for_all(
        (0..places.len())
            .flat_map(|place| bodies.as_flattened().iter().map(move |body| (place, *body))),
        |&(place, body)| {
            let (soup, start) = &places[place];
            let level = Stage::of(&stage(soup));
            let mut actor = Actor::new(&level, body, "stage", *start + DVec3::Y * rho(body.radius));
            let mut rng = Rng::new(place as u64);
            let mut wish = DVec3::ZERO;
            for tick in 0..2500 {
                if rng.below(12) == 0 {
                    let speed = [0.0, 0.5, 4.0, 4.0, 20.0][rng.below(5)];
                    wish = heading(rng.between(0.0, 360.0)) * speed;
                }
                let before = actor.centre();
                actor.tick(if tick < 3 { DVec3::ZERO } else { wish }, false);
                assert!(
                    actor.state.grounded,
                    "tick {tick}: in the air at {}",
                    actor.centre()
                );
                if tick % 5 == 0 {
                    // From here, a twin of the body that stops walking must not fall deeper than allowed.
                    let mut twin = Actor::new(&level, body, "stage", DVec3::ZERO);
                    (twin.state, twin.state.walk, twin.is_judged) =
                        (actor.state, DVec3::ZERO, false);
                    twin.hold(DVec3::ZERO, 60);
                    let fall = actor.centre().y - twin.centre().y;
                    // In a notch the body sinks by at most its radius.
                    assert!(
                        fall < MAX_DROP + body.radius,
                        "tick {tick}: from {before} to {} by {wish}, falls {fall}",
                        actor.centre()
                    );
                }
            }
        },
    );
}
