//! Random soups, random bodies, random wishes: a body never touches a solid.

use glam::DVec3;
use opendoor::author::sketch::{Sketch, cuboid};
use opendoor::level::{AuthorPoint, Material};
use opendoor::source::LevelSource;

use crate::actor::{Actor, Stage, body, rho};
use crate::oracle::Corners;
use crate::rng::Rng;
use crate::rooms::merged;
use crate::runs::{assert_same_track, for_all, play};
use crate::shapes::v;

/// A triangle of a kind that is difficult for solvers.
fn triangle(rng: &mut Rng, at: DVec3, size: f64) -> Corners {
    let corner = |rng: &mut Rng| at + rng.cube() * size;
    let (a, b) = (corner(rng), corner(rng));
    match rng.below(5) {
        // A needle.
        0 => [a, b, b + rng.cube() * (0.002 * size)],
        // Vertical or horizontal.
        1 => [a, b, a.with_y(b.y + size)],
        2 => {
            let c = corner(rng);
            [a, b.with_y(a.y), c.with_y(a.y)]
        }
        // Large.
        3 => [a, b, at + rng.cube() * (4.0 * size)],
        _ => [a, b, corner(rng)],
    }
}

/// A random walk with 100 changes of direction.
pub(crate) fn wander(actor: &mut Actor, rng: &mut Rng, fastest: f64) {
    for _ in 0..30 {
        let speed = 10.0_f64.powf(rng.between(-2.0, fastest.log10()));
        let wish = rng.cube() * speed;
        let wish = if rng.below(2) == 0 {
            wish.with_y(0.0)
        } else {
            wish
        };
        for _ in 0..rng.below(9) {
            let jump = rng.below(10) == 0;
            actor.tick(wish, jump);
        }
    }
}

pub(crate) fn random_radius(rng: &mut Rng) -> f64 {
    10.0_f64.powf(rng.between(0.05_f64.log10(), 2.0_f64.log10()))
}

/// A free position for the body, if one is found.
pub(crate) fn free_place(stage: &Stage, rng: &mut Rng, radius: f64, half: DVec3) -> Option<DVec3> {
    (0..200)
        .map(|_| rng.cube() * (half - DVec3::splat(rho(radius))))
        .find(|&p| {
            let p = stage.level.from_author(AuthorPoint(p));
            stage.soup.distance(p, p) > rho(radius)
        })
}

/// A closed hall of 16 x 16 x 16 m with a soup in it, solid from both sides.
pub(crate) fn hall_of_soup(rng: &mut Rng, radius: f64) -> LevelSource {
    let mut sketch = Sketch::new("soup");
    let hall = sketch.box_room("hall", cuboid([-8.; 3], [8.; 3]), &[]);
    let material = sketch.material(Material {
        double_sided: true,
        ..Material::default()
    });
    let size = rng.between(0.5, 3.0) * radius.max(0.3);
    for _ in 0..10 + rng.below(40) {
        let at = rng.cube() * 7.0;
        let mut t = triangle(rng, at, size);
        t.iter_mut()
            .for_each(|p| *p = p.clamp(DVec3::splat(-8.0), DVec3::splat(8.0)));
        if rng.below(3) == 0 {
            let [a, b, c] = t;
            sketch.mesh(hall, 0, &[[a, b, c], [a, c, b]]);
        } else {
            sketch.mesh(hall, material, &[t]);
        }
    }
    sketch.spawn(hall, DVec3::splat(7.5), DVec3::X);
    sketch.source
}

#[test]
fn d9_in_300_random_soups_nothing_is_ever_touched() {
    for_all(0..300, |&seed: &u64| {
        let mut rng = Rng::new(seed);
        let radius = random_radius(&mut rng).min(1.5);
        let source = hall_of_soup(&mut rng, radius);
        let stage = Stage::of(&source);
        let Some(start) = free_place(&stage, &mut rng, radius, DVec3::splat(8.0)) else {
            return;
        };
        let gravity = if seed % 3 == 0 { 0.0 } else { 9.81 };
        play(&source, body(radius, gravity), ("hall", start), |actor| {
            let mut rng = Rng::new(seed + 1000);
            wander(actor, &mut rng, 1e5);
            assert!(
                actor.centre().abs().max_element() < 8.0,
                "out at {}",
                actor.centre()
            );
        });
    });
}

/// Two rooms with an opening, and a soup. `owner` selects the rooms of each triangle that crosses the opening: bit 0
/// for `a`, bit 1 for `b`.
fn two_rooms_of_soup(rng: &mut Rng, mut owner: impl FnMut() -> usize) -> LevelSource {
    let mut sketch = Sketch::new("soup");
    let opening = cuboid([0., 0.5, -3.], [0., 5., 3.]);
    let a = sketch.box_room("a", cuboid([-8., 0., -6.], [0., 6., 6.]), &[opening]);
    let b = sketch.box_room("b", cuboid([0., 0., -6.], [8., 6., 6.]), &[opening]);
    for _ in 0..25 {
        let at = v(
            rng.between(-7., 7.),
            rng.between(0., 6.),
            rng.between(-6., 6.),
        );
        let mut t = triangle(rng, at, 1.0);
        t.iter_mut()
            .for_each(|p| *p = p.clamp(v(-8., 0., -6.), v(8., 6., 6.)));
        let crosses = t.iter().any(|p| p.x < 0.0) && t.iter().any(|p| p.x > 0.0);
        // A triangle that crosses the wall beside the opening would be in one room only.
        if crosses && t.iter().any(|p| p.z.abs() > 2.9 || p.y < 0.6 || p.y > 4.9) {
            continue;
        }
        let owner = match (crosses, t[0].x + t[1].x + t[2].x < 0.0) {
            (true, _) => owner(),
            (false, true) => 1,
            (false, false) => 2,
        };
        let [p, q, r] = t;
        for (bit, room) in [(1, a), (2, b)] {
            if owner & bit != 0 {
                sketch.mesh(room, 0, &[[p, q, r], [p, r, q]]);
            }
        }
    }
    sketch.portal(a, "b", opening, DVec3::X);
    sketch.spawn(a, v(-7.9, 5.9, 5.9), DVec3::X);
    sketch.source
}

/// The start room and position of a body in two random rooms; `None` if no position is free.
fn start_in_rooms(seed: u64, radius: f64, source: &LevelSource) -> Option<(&'static str, DVec3)> {
    let stage = Stage::of(source);
    let mut rng = Rng::new(seed + 100);
    let start = free_place(&stage, &mut rng, radius, v(8.0, 6.0, 6.0))?;
    let room = if start.x < 0.0 { "a" } else { "b" };
    (start.y >= rho(radius)).then_some((room, start))
}

/// Two random rooms. Triangles that cross their opening belong to `a` (`how` 0), `b` (1), both (2) or random rooms.
fn random_rooms(seed: u64, how: u64) -> LevelSource {
    let mut owners = Rng::new(how);
    two_rooms_of_soup(&mut Rng::new(seed), move || match how {
        0..3 => how as usize + 1,
        _ => 1 + owners.below(3),
    })
}

fn room_radius(seed: u64) -> f64 {
    random_radius(&mut Rng::new(seed + 7)).min(0.9)
}

fn wander_in_rooms(
    seed: u64,
    source: &LevelSource,
    (room, start): (&str, DVec3),
) -> Vec<[u64; 11]> {
    let stage = Stage::of(source);
    let mut actor = Actor::new(&stage, body(room_radius(seed), 9.81), room, start);
    wander(&mut actor, &mut Rng::new(seed + 1000), 1e4);
    actor.track
}

#[test]
fn d9_in_random_rooms_the_walk_is_the_same_whichever_room_owns_the_geometry_that_crosses_the_opening()
 {
    for_all(0..120, |&seed: &u64| {
        let source = random_rooms(seed, 2);
        let Some(start) = start_in_rooms(seed, room_radius(seed), &source) else {
            return;
        };
        play(&source, body(room_radius(seed), 9.81), start, |actor| {
            wander(actor, &mut Rng::new(seed + 1000), 1e4);
        });
        let expected = wander_in_rooms(seed, &source, start);
        for how in [0, 1, 3, 4] {
            let other = wander_in_rooms(seed, &random_rooms(seed, how), start);
            assert_same_track(&expected, &other, &format!("owners {how}"));
        }
    });
}

#[test]
fn d9_the_polygons_of_two_random_rooms_are_met_as_those_of_one() {
    for_all(0..120, |&seed: &u64| {
        let source = random_rooms(seed, 2);
        let Some(start) = start_in_rooms(seed, room_radius(seed), &source) else {
            return;
        };
        let expected = wander_in_rooms(seed, &source, start);
        let one = merged(&source);
        let mut in_one = wander_in_rooms(seed, &one, (&one.rooms[0].name, start.1));
        let rooms = in_one.iter_mut().zip(&expected);
        rooms.for_each(|(one, expected)| one[9] = expected[9]);
        assert_same_track(&expected, &in_one, "in one room");
    });
}
