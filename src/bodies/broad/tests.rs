//! Tests of all methods against brute force.

use glam::{DMat3, DVec3};
use proptest::prelude::*;

use super::{DynamicTree, PairFinder, PairMethod, RoomBox};
use crate::author::sketch::Sketch;
use crate::bodies::{BodyWorkspace, tick_bodies};
use crate::build::build;
use crate::collision::BroadPhase;
use crate::geometry::Aabb;
use crate::level::{BodyId, RoomId};
use crate::source::{BodyShape, BodySource};
use crate::world::World;

/// A step of a test.
#[derive(Clone, Debug)]
enum TreeStep {
    Put(u32, RoomBox),
    Remove(u32),
    Find,
    Overlapping(RoomBox),
}

fn brute(boxes: &[Option<RoomBox>]) -> Vec<[u32; 2]> {
    let keys = 0..boxes.len() as u32;
    let pairs = keys.flat_map(|a| (0..a).map(move |b| [b, a]));
    let overlap = |[a, b]: &[u32; 2]| {
        let [a, b] = [a, b].map(|key| boxes[*key as usize]);
        a.zip(b).is_some_and(|(a, b)| a.overlaps(&b))
    };
    let mut pairs: Vec<[u32; 2]> = pairs.filter(overlap).collect();
    pairs.sort_unstable();
    pairs
}

fn found(finder: &mut dyn PairFinder) -> Vec<[u32; 2]> {
    let mut pairs = Vec::new();
    finder.find_pairs(&mut pairs);
    pairs.sort_unstable();
    pairs
}

/// Coordinates that coincide often: near, equal, zero of both signs, far, and infinite.
fn coordinate() -> impl Strategy<Value = f64> {
    prop_oneof![
        6 => -4.0..4.0f64,
        3 => (-3..3i32).prop_map(f64::from),
        1 => prop::sample::select(vec![0.0, -0.0, 1e-300, 1e9, -1e9, 1e300, -1e300, f64::MAX, f64::INFINITY]),
    ]
}

fn extent() -> impl Strategy<Value = f64> {
    prop_oneof![
        6 => 0.1..1.0f64,
        2 => Just(0.0),
        1 => prop::sample::select(vec![1e-300, 30.0, 1e12, 1e300]),
    ]
}

fn place() -> impl Strategy<Value = RoomBox> {
    let corner = [coordinate(), coordinate(), coordinate()];
    let size = [extent(), extent(), extent()];
    (0..3u32, corner, size).prop_map(|(room, corner, size)| {
        let min = DVec3::from_array(corner);
        RoomBox {
            room: RoomId(room),
            bounds: Aabb {
                min,
                max: min + DVec3::from_array(size),
            },
        }
    })
}

fn steps() -> impl Strategy<Value = Vec<TreeStep>> {
    let step = prop_oneof![
        8 => (0..40u32, place()).prop_map(|(key, place)| TreeStep::Put(key, place)),
        2 => (0..40u32).prop_map(TreeStep::Remove),
        1 => Just(TreeStep::Find),
        2 => place().prop_map(TreeStep::Overlapping),
    ];
    prop::collection::vec(step, 0..300)
}

fn check(steps: &[TreeStep]) -> Result<(), TestCaseError> {
    let mut finders = PairMethod::ALL.map(PairMethod::finder);
    let mut boxes = vec![None; 64];
    for step in steps.iter().chain([&TreeStep::Find, &TreeStep::Find]) {
        match step {
            TreeStep::Put(key, place) => {
                boxes[*key as usize] = Some(*place);
                finders
                    .iter_mut()
                    .for_each(|finder| finder.put(*key, place));
            }
            TreeStep::Remove(key) => {
                boxes[*key as usize] = None;
                finders.iter_mut().for_each(|finder| finder.remove(*key));
            }
            TreeStep::Overlapping(place) => {
                let overlaps = |key: &u32| {
                    let other: Option<RoomBox> = boxes[*key as usize];
                    other.is_some_and(|other| other.overlaps(place))
                };
                let expected: Vec<u32> = (0..boxes.len() as u32).filter(overlaps).collect();
                for (finder, method) in finders.iter_mut().zip(PairMethod::ALL) {
                    let mut keys = Vec::new();
                    finder.find_overlapping(place, &mut keys);
                    keys.sort_unstable();
                    keys.dedup();
                    prop_assert_eq!(&keys, &expected, "{:?}", method);
                }
            }
            TreeStep::Find => {
                let expected = brute(&boxes);
                for (finder, method) in finders.iter_mut().zip(PairMethod::ALL) {
                    prop_assert_eq!(&found(&mut **finder), &expected, "{:?}", method);
                }
            }
        }
    }
    Ok(())
}

proptest! {
    #[test]
    fn every_method_finds_what_brute_force_finds_whatever_was_put_and_removed(steps in steps()) {
        check(&steps)?;
    }

    #[test]
    fn every_method_follows_what_drifts(
        places in prop::collection::vec(place(), 1..60),
        moves in prop::collection::vec((0..60usize, [-0.2..0.2f64, -0.2..0.2, -0.2..0.2]), 0..200),
    ) {
        let mut places = places;
        let mut steps: Vec<TreeStep> = Vec::new();
        for (key, place) in (0..).zip(&places) {
            steps.push(TreeStep::Put(key, *place));
        }
        for (index, (of, by)) in moves.into_iter().enumerate() {
            let of = of % places.len();
            let bounds = &mut places[of].bounds;
            let by = DVec3::from_array(by);
            (bounds.min, bounds.max) = (bounds.min + by, bounds.max + by);
            steps.push(TreeStep::Put(of as u32, places[of]));
            if index % 5 == 0 {
                steps.push(TreeStep::Find);
            }
        }
        check(&steps)?;
    }
}

#[test]
fn all_in_one_point_meet_and_the_tree_stays_low() {
    let place = RoomBox {
        room: RoomId(1),
        bounds: Aabb::around([DVec3::splat(3.0)]),
    };
    for method in PairMethod::ALL {
        let mut finder = method.finder();
        (0..300).for_each(|key| finder.put(key, &place));
        assert_eq!(found(&mut *finder).len(), 300 * 299 / 2, "{method:?}");
        (0..299).for_each(|key| finder.remove(key));
        assert_eq!(found(&mut *finder), [[0; 2]; 0], "{method:?}");
    }
}

#[test]
fn a_long_row_put_in_order_makes_no_deep_tree() {
    let mut tree = DynamicTree::default();
    for key in 0..5000u32 {
        let point = DVec3::X * f64::from(key);
        let bounds = Aabb::around([point]).grown(0.1);
        tree.put(
            key,
            &RoomBox {
                room: RoomId(0),
                bounds,
            },
        );
    }
    let everywhere = Aabb::around([DVec3::splat(-1e9), DVec3::splat(1e9)]);
    let mut count = 0;
    let place = RoomBox {
        room: RoomId(0),
        bounds: everywhere,
    };
    tree.overlapping(&place, |_| count += 1);
    assert_eq!(count, 5000);
}

/// A layer of boxes sleeps, with `rows` boxes in each row, and one ball rolls beside it. Returns the number of bodies
/// that take part in a tick.
fn taking_part_beside_layer(rows: u32) -> usize {
    let mut sketch = Sketch::new("layer");
    let inside = Aabb {
        min: DVec3::splat(-1.0),
        max: DVec3::new(30.0, 3.0, 30.0),
    };
    let room = sketch.box_room("hall", inside, &[]);
    sketch.spawn(room, DVec3::splat(2.0), DVec3::NEG_Z);
    let mut add = |shape: BodyShape, outside: Aabb| {
        sketch.furniture(room, 0, outside);
        let meshes = sketch.source.meshes.pop();
        sketch.source.bodies.push(BodySource {
            node: format!("body{}", sketch.source.bodies.len()),
            meshes: meshes.into_iter().collect(),
            shape,
            axes: DMat3::IDENTITY,
            mass: Some(1.0),
            friction: None,
            bounce: None,
        });
    };
    let cube = |x: f64, z: f64| Aabb::around([DVec3::new(x, -0.8, z)]).grown(0.2);
    // The ball is 14 mm from the first row.
    add(BodyShape::Sphere, cube(-0.56, 0.0));
    for index in 0..rows * rows {
        let [x, z] = [index % rows, index / rows].map(|at| f64::from(at) * 0.405);
        add(BodyShape::Box, cube(x, z));
    }
    let (level, _) = build(sketch.source).expect("a sketched level is good");
    let mut world = World::of(&level);
    let mut workspace = BodyWorkspace::default();
    let gravity = DVec3::NEG_Y * 9.81;
    let mut tick = |world: &mut World| {
        let broad_phase = BroadPhase::Portals;
        tick_bodies(&level, world, &mut [], broad_phase, gravity, &mut workspace);
        workspace.moving.len()
    };
    while world.bodies.awake_count() > 0 {
        tick(&mut world);
    }
    let mut ball = *world.bodies.state(BodyId(0));
    ball.velocity = DVec3::Z;
    world.bodies.set(BodyId(0), ball);
    tick(&mut world)
}

/// Regression test: when an awake body came near one body of a sleeping heap, all bodies of the heap took part in the
/// tick.
#[test]
fn of_a_sleeping_heap_only_neighbours_of_an_awake_body_take_part() {
    let counts = [4, 8, 16].map(taking_part_beside_layer);
    assert_eq!(counts, [counts[0]; 3]);
    assert!((2..8).contains(&counts[0]), "{counts:?}");
}
