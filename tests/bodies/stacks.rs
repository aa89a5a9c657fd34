//! Stacked bodies stand: asleep, and also while one of them never falls asleep.

use opendoor::bodies::{BodyWorkspace, tick_bodies};
use opendoor::build::build;
use opendoor::collision::BroadPhase;
use opendoor::glam::DVec3;
use opendoor::level::{BodyId, Level, Stiffness};
use opendoor::source::BodyShape;
use opendoor::world::World;

use crate::hall::{GRAVITY, add, add_heavy, crate_at, hall, simulate};

/// A box with its centre and half size, metres, and its mass, kilograms.
#[derive(Clone, Copy)]
pub(crate) struct Piece {
    centre: DVec3,
    half: DVec3,
    mass: f64,
}

fn piece(centre: [f64; 3], half: [f64; 3], mass: f64) -> Piece {
    let [centre, half] = [centre, half].map(DVec3::from);
    Piece { centre, half, mass }
}

/// A hall with these boxes in it.
pub(crate) fn pile(pieces: &[Piece]) -> Level {
    let mut sketch = hall(DVec3::new(24.0, 12.0, 6.0));
    for (index, piece) in pieces.iter().enumerate() {
        let outside = crate_at(piece.centre, piece.half);
        let surface = (piece.mass, 0.7, 0.0);
        let name = format!("box{index:03}");
        add_heavy(&mut sketch, &name, BodyShape::Box, outside, surface);
    }
    build(sketch.source).expect("it is sound").0
}

/// Rows of boxes of 0.4 m, each row shorter than the row below.
pub(crate) fn pyramid(rows: usize) -> Vec<Piece> {
    let mut pieces = Vec::new();
    for row in 0..rows {
        for column in 0..rows - row {
            let [up, along] = [row, column].map(|number| number as f64);
            let x = 0.42 * along + 0.21 * up - 0.21 * rows as f64;
            pieces.push(piece([x, 0.2 + 0.4 * up, 0.3], [0.2; 3], 1.0));
        }
    }
    pieces
}

/// A stack of cubes, each given by half its height, metres, and its mass, kilograms.
fn tower(boxes: impl IntoIterator<Item = (f64, f64)>) -> Vec<Piece> {
    let mut top = 0.0;
    let mut on_top = |(half, mass)| {
        top += 2.0 * half;
        piece([0.1, top - half, 0.2], [half; 3], mass)
    };
    boxes.into_iter().map(&mut on_top).collect()
}

/// Stacked gates of two posts and a lintel.
fn gates(storeys: u32) -> Vec<Piece> {
    let mut pieces = Vec::new();
    for y in (0..storeys).map(|storey| 0.64 * f64::from(storey)) {
        pieces.extend([-0.5, 0.5].map(|x| piece([x, y + 0.3, 0.0], [0.1, 0.3, 0.1], 3.0)));
        pieces.push(piece([0.0, y + 0.62, 0.0], [0.7, 0.02, 0.15], 5.0));
    }
    pieces
}

/// Layers of three planks, each layer across the layer below.
fn planks(layers: u32) -> Vec<Piece> {
    let mut pieces = Vec::new();
    for layer in 0..layers {
        let y = 0.03 + 0.06 * f64::from(layer);
        pieces.extend([-0.12, 0.0, 0.12].map(|aside| {
            if layer % 2 == 0 {
                piece([aside, y, 0.0], [0.05, 0.03, 0.17], 0.5)
            } else {
                piece([0.0, y, aside], [0.17, 0.03, 0.05], 0.5)
            }
        }));
    }
    pieces
}

/// Bricks that overhang farther and farther, each nearly to its limit.
fn overhang(bricks: u32) -> Vec<Piece> {
    let mut x = 0.0;
    let mut on_top = |index: u32| {
        let brick = piece(
            [x, 0.05 + 0.1 * f64::from(index), 0.0],
            [0.25, 0.05, 0.12],
            1.0,
        );
        x += 0.9 * 0.25 / f64::from(bricks - index);
        brick
    };
    (0..bricks).map(&mut on_top).collect()
}

/// The greatest displacement of any box, metres: from its start, and from its position after three seconds. The first
/// box never falls asleep.
pub(crate) fn restless(pieces: &[Piece], ticks: u32) -> [f64; 2] {
    let level = pile(pieces);
    let mut world = World::of(&level);
    let mut workspace = BodyWorkspace::default();
    let places = |world: &World| -> Vec<DVec3> {
        let states = world.bodies.iter();
        states.map(|(_, state)| state.at.point).collect()
    };
    let mut since = [places(&world), Vec::new()];
    let mut farthest = [0.0_f64; 2];
    for now in 0..ticks {
        if now % 20 == 0 {
            let state = *world.bodies.state(BodyId(0));
            world.bodies.set(BodyId(0), state);
        }
        let phase = BroadPhase::Portals;
        tick_bodies(&level, &mut world, &mut [], phase, GRAVITY, &mut workspace);
        if now == 180 {
            since[1] = places(&world);
        }
        for (farthest, since) in farthest.iter_mut().zip(&since) {
            let ways = since.iter().zip(world.bodies.iter());
            let ways = ways.map(|(from, (_, state))| from.distance(state.at.point));
            *farthest = ways.fold(*farthest, f64::max);
        }
    }
    assert_eq!(world.bodies.awake_count(), pieces.len());
    farthest
}

#[test]
fn ten_boxes_one_of_which_never_sleeps_stand_for_a_minute_within_a_millimetre() {
    let [from_start, since] = restless(&tower([(0.25, 1.0); 10]), 3600);
    assert!(from_start < 1e-3, "{from_start}");
    assert!(since < 1e-6, "{since}");
}

#[test]
fn pyramids_with_a_box_that_never_sleeps_do_not_creep() {
    for rows in [4, 7, 12] {
        let [from_start, since] = restless(&pyramid(rows), 900);
        assert!(from_start < 1e-3, "{rows}: {from_start}");
        assert!(since < 1e-6, "{rows}: {since}");
    }
}

#[test]
fn other_piles_with_a_box_that_never_sleeps_do_not_creep() {
    let heavier = (0..4).map(|index| (0.2, 4.0_f64.powi(index)));
    let piles = [
        ("gates", gates(5), 1e-3),
        ("planks", planks(12), 1e-3),
        ("overhang", overhang(6), 1e-3),
        (
            "smaller",
            tower([0.4, 0.3, 0.2, 0.1].map(|half| (half, 1.0))),
            1e-3,
        ),
        ("heavier", tower(heavier), 5e-3),
    ];
    for (name, pieces, most) in piles {
        let [from_start, since] = restless(&pieces, 900);
        assert!(from_start < most, "{name}: {from_start}");
        assert!(since < 1e-5, "{name}: {since}");
    }
}

#[test]
fn piles_fall_asleep_where_they_were_put() {
    for pieces in [tower([(0.25, 1.0); 10]), pyramid(6)] {
        let level = pile(&pieces);
        let mut world = World::of(&level);
        simulate(&level, &mut world, GRAVITY, 120);
        assert_eq!(world.bodies.awake_count(), 0);
        for (piece, (_, state)) in pieces.iter().zip(world.bodies.iter()) {
            let moved = state.at.point + level.origin - piece.centre;
            assert!(moved.length() < 1e-3, "{moved}");
        }
    }
}

/// Single precision can represent neither a mass of 1e60 kg nor the ratio of these masses.
#[test]
fn boxes_of_any_mass_stand_beside_each_other_and_on_their_equals() {
    let masses = [1e-60, 1e-20, 1e-6, 1.0, 1e6, 1e20, 1e60];
    let towers = (0..).zip(masses).flat_map(|(index, mass)| {
        let x = f64::from(index) - 3.0;
        [0.2, 0.6].map(|y| piece([x, y, 0.0], [0.2; 3], mass))
    });
    for mass in masses {
        let [from_start, since] = restless(&tower([(0.2, mass); 2]), 300);
        assert!(from_start < 1e-3, "{mass:e}: {from_start}");
        assert!(since < 1e-6, "{mass:e}: {since}");
    }
    let level = pile(&towers.collect::<Vec<_>>());
    let mut world = World::of(&level);
    simulate(&level, &mut world, GRAVITY, 300);
    for (id, state) in world.bodies.iter() {
        assert!(state.at.point.is_finite(), "{id:?}");
    }
}

/// A contact that carries `n` times the mass of the upper body yields by `2 n g / (2 pi f)^2`, where `f` is 10 Hz times
/// the number of substeps.
#[test]
fn stacks_give_way_by_the_square_of_the_substeps() {
    let (count, half) = (8, 0.25);
    for substeps in [9, 18, 36] {
        let mut sketch = hall(DVec3::splat(12.0));
        sketch.source.stiffness = Stiffness::new(substeps);
        for index in 0..count {
            let centre = DVec3::Y * (half + 2.0 * half * f64::from(index));
            let outside = crate_at(centre, DVec3::splat(half));
            add(
                &mut sketch,
                &format!("b{index}"),
                BodyShape::Box,
                outside,
                0.7,
                0.0,
            );
        }
        let (level, _) = build(sketch.source).unwrap();
        let mut world = World::of(&level);
        let top = BodyId(count - 1);
        let start = world.bodies.state(top).at.point.y;
        simulate(&level, &mut world, GRAVITY, 120);
        let sunk = start - world.bodies.state(top).at.point.y;
        let omega = std::f64::consts::TAU * 10.0 * f64::from(substeps);
        let loads = f64::from((1..count).sum::<u32>());
        let expected = 2.0 * loads * 9.81 / (omega * omega);
        assert!(
            (0.95..1.05).contains(&(sunk / expected)),
            "{substeps}: {sunk}, {expected}"
        );
    }
}
