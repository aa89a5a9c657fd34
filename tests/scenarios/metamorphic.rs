//! Changes of a level that do not change the walk: mirrors, turns, moves, scales, cuts.

use glam::DVec3;
use opendoor::source::LevelSource;

use crate::actor::{Actor, Stage, body, rho};
use crate::oracle::Corners;
use crate::runs::{assert_same_track, for_all, play};
use crate::shapes::{block, both_sides, facing, ground, heading, moved, quad, stage, v};

/// A yard with steps, a ramp, a roof, a niche and a slanted wall; all coordinates are exact in f32.
pub(crate) fn yard() -> Vec<Corners> {
    let mut soup = ground(16.0);
    soup.extend(block([2.0, 0.0, -1.0], [3.0, 0.125, 4.0]));
    soup.extend(block([3.0, 0.0, -1.0], [4.0, 2.0, 4.0]));
    soup.extend(block([-3.0, 0.0, 2.0], [1.0, 3.0, 2.5]));
    soup.extend(block([-3.0, 0.75, -4.0], [1.0, 1.0, -1.5]));
    let eye = v(0.0, 90.0, 0.0);
    let foot = [v(-8.0, 0.0, -3.0), v(-8.0, 0.0, 3.0)];
    let heel = [v(-4.0, 0.0, -3.0), v(-4.0, 0.0, 3.0)];
    let top = heel.map(|p| p + DVec3::Y * 2.0);
    soup.extend(facing(quad(foot[0], foot[1], top[1], top[0]), eye));
    soup.extend(facing(
        quad(heel[0], heel[1], top[1], top[0]),
        v(9.0, 0.0, 0.0),
    ));
    for i in [0, 1] {
        let side = vec![[foot[i], heel[i], top[i]]];
        soup.extend(facing(side, foot[i] * 9.0));
    }
    let slant = quad(
        v(-2.0, 0.0, -8.0),
        v(4.0, 0.0, -5.0),
        v(4.0, 4.0, -5.0),
        v(-2.0, 4.0, -8.0),
    );
    soup.extend(both_sides(&slant));
    for (a, b) in [
        (v(-14., 0., -9.), v(6., 0., -9.)),
        (v(6., 0., 6.), v(-14., 0., 6.)),
        (v(6., 0., -9.), v(6., 0., 6.)),
        (v(-14., 0., 6.), v(-14., 0., -9.)),
    ] {
        soup.extend(crate::shapes::wall(a, b, 8.0, v(-1.0, 1.0, 0.0)));
    }
    soup
}

/// The input of each tick of a walk of ten seconds that touches most of the yard.
pub(crate) fn inputs() -> Vec<(DVec3, bool)> {
    let way = |i: i32| heading(f64::from(i / 75) * 137.0 + 10.0) * 4.0;
    (0..600).map(|i| (way(i), i % 60 == 30)).collect()
}

pub(crate) const RADIUS: f64 = 0.25;

pub(crate) fn start() -> DVec3 {
    v(0.25, rho(RADIUS) + 0.5, 0.125)
}

pub(crate) fn walk<'a>(
    stage: &'a Stage,
    scale: f64,
    start: DVec3,
    inputs: &[(DVec3, bool)],
) -> (Actor<'a>, Vec<DVec3>) {
    let mut body = body(RADIUS * scale, 9.81 * scale);
    body.jump_height = scale;
    let mut actor = Actor::new(stage, body, "stage", start);
    let centres = inputs
        .iter()
        .map(|&(wish, jump)| {
            actor.tick(wish, jump);
            actor.centre()
        })
        .collect();
    (actor, centres)
}

/// Compares the walk through the yard with the walk through the yard that `change` produces, with inputs rotated by
/// `turn`. The function `at` maps the first walk's points to the expected points of the second.
fn compare(
    change: impl Fn(Vec<Corners>) -> LevelSource,
    turn: impl Fn(DVec3) -> DVec3,
    at: impl Fn(DVec3) -> DVec3,
    tolerance: f64,
) {
    let (off, tick) = farthest_off(change, turn, at);
    assert!(off <= tolerance, "tick {tick}: {off:.3e} off");
}

/// The greatest distance between the two walks of [`compare`], metres, and its tick.
pub(crate) fn farthest_off(
    change: impl Fn(Vec<Corners>) -> LevelSource,
    turn: impl Fn(DVec3) -> DVec3,
    at: impl Fn(DVec3) -> DVec3,
) -> (f64, usize) {
    let (plain, changed) = (Stage::of(&stage(&yard())), Stage::of(&change(yard())));
    let (_, expected) = walk(&plain, 1.0, start(), &inputs());
    let turned: Vec<(DVec3, bool)> = inputs().iter().map(|&(w, j)| (turn(w), j)).collect();
    let (_, found) = walk(&changed, 1.0, at(start()), &turned);
    let offs = expected
        .iter()
        .zip(&found)
        .map(|(e, f)| (at(*e) - *f).length());
    let offs = offs.enumerate().map(|(tick, off)| (off, tick));
    offs.fold(
        (0.0, 0),
        |worst, off| if off.0 <= worst.0 { worst } else { off },
    )
}

#[test]
fn d1_d8_the_same_inputs_give_the_same_bits_in_any_order_of_the_polygons() {
    play(
        &stage(&yard()),
        body(RADIUS, 9.81),
        ("stage", start()),
        |actor| {
            for (wish, jump) in inputs() {
                actor.tick(wish, jump);
            }
        },
    );
    let stage = Stage::of(&stage(&yard()));
    let tracks = [0, 1].map(|_| walk(&stage, 1.0, start(), &inputs()).0.track);
    assert_same_track(&tracks[0], &tracks[1], "replayed");
}

#[test]
fn d2_a_mirrored_yard_mirrors_the_walk() {
    for_all(
        [v(-1.0, 1.0, 1.0), v(1.0, 1.0, -1.0), v(-1.0, 1.0, -1.0)],
        |&sign: &DVec3| {
            let mirror = |p: DVec3| p * sign;
            let odd = sign.x * sign.z < 0.0;
            let change = |soup: Vec<Corners>| {
                let flip = |t: Corners| {
                    let [a, b, c] = t.map(mirror);
                    if odd { [a, c, b] } else { [a, b, c] }
                };
                stage(&soup.into_iter().map(flip).collect::<Vec<_>>())
            };
            compare(change, mirror, mirror, 1e-9);
        },
    );
}

#[test]
fn d3_a_yard_turned_by_right_angles_turns_the_walk() {
    for_all([1, 2, 3], |&quarters: &i32| {
        let turn = |p: DVec3| (0..quarters).fold(p, |p, _| v(p.z, p.y, -p.x));
        let change =
            |soup: Vec<Corners>| stage(&soup.iter().map(|t| t.map(turn)).collect::<Vec<_>>());
        compare(change, turn, turn, 1e-9);
    });
}

#[test]
fn d4_a_yard_moved_by_powers_of_two_moves_the_walk() {
    let mut cases = Vec::new();
    for power in [0, 4, 6, 8, 13, 20] {
        for way in [v(1.0, 0.0, 0.0), v(-1.0, 0.5, 1.0), v(0.0, -1.0, 0.0)] {
            cases.push(way * 2.0_f64.powi(power));
        }
    }
    for_all(cases, |&by: &DVec3| {
        let change = |soup: Vec<Corners>| {
            let mut source = stage(&moved(&soup, by));
            let lobby = source.meshes.iter_mut().filter(|m| m.room == 1);
            lobby.for_each(|m| m.positions.iter_mut().for_each(|p| *p += by));
            source.spawns.iter_mut().for_each(|s| s.position.0 += by);
            source
        };
        // Tolerance: the resolution of an f64 in the author's coordinates.
        compare(change, |w| w, |p| p + by, 1e-9 + by.length() * 4e-16);
    });
}

#[test]
fn d5_a_yard_of_another_size_scales_the_walk_bit_for_bit() {
    let (plain, inputs) = (Stage::of(&stage(&yard())), inputs());
    let (_, expected) = walk(&plain, 1.0, start(), &inputs);
    for_all([2.0, 0.5, 8.0, 0.125], |&scale: &f64| {
        let soup: Vec<Corners> = yard().iter().map(|t| t.map(|p| p * scale)).collect();
        let scaled = Stage::of(&stage(&soup));
        let inputs: Vec<(DVec3, bool)> = inputs.iter().map(|&(w, j)| (w * scale, j)).collect();
        let (_, found) = walk(&scaled, scale, start() * scale, &inputs);
        for (i, (e, f)) in expected.iter().zip(&found).enumerate() {
            assert_eq!(*e * scale, *f, "tick {i}");
        }
    });
}

#[test]
fn d6_triangles_cut_in_pieces_are_the_same_floor() {
    // All cuts are exact in f32.
    let in_three = |[a, b, c]: Corners| {
        let m = (a + b) * 0.25 + c * 0.5;
        vec![[a, b, m], [b, c, m], [c, a, m]]
    };
    let in_four = |[a, b, c]: Corners| {
        let [ab, bc, ca] = [(a + b) * 0.5, (b + c) * 0.5, (c + a) * 0.5];
        vec![[a, ab, ca], [ab, b, bc], [ca, bc, c], [ab, bc, ca]]
    };
    let cut = |soup: Vec<Corners>, how: &dyn Fn(Corners) -> Vec<Corners>| {
        soup.into_iter().flat_map(how).collect::<Vec<_>>()
    };
    compare(|soup| stage(&cut(soup, &in_three)), |w| w, |p| p, 1e-6);
    compare(|soup| stage(&cut(soup, &in_four)), |w| w, |p| p, 1e-6);
    compare(
        |soup| stage(&cut(cut(soup, &in_three), &in_four)),
        |w| w,
        |p| p,
        1e-6,
    );
}

#[test]
fn d7_two_half_steps_end_where_one_whole_step_ends() {
    let stage = Stage::of(&stage(&yard()));
    for_all(0..72, |&turn: &i32| {
        for speed in [4.0, 100.0, 3000.0] {
            let wish = (heading(5.0 * f64::from(turn)) - DVec3::Y * 0.2) * speed;
            let end = |steps: usize| {
                let mut actor = Actor::new(&stage, body(RADIUS, 0.0), "stage", start());
                actor.hold(wish / steps as f64, steps);
                actor.centre()
            };
            // A straight motion: free, or sliding along the same wall.
            let free = start() + wish / 60.0;
            let (one, two) = (end(1), end(2));
            if (one - free).length() < 1e-9 {
                assert!((one - two).length() < 1e-9, "{speed}: {one} {two}");
            }
        }
    });
}
