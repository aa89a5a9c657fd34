//! Ray hits in the tree.

use glam::Vec3;

use super::tree::BvhHit;
use super::*;
use crate::geometry::Aabb32;

/// Pseudorandom numbers, 0..1.
pub(in crate::lighting) fn chance() -> impl FnMut() -> f32 {
    let mut state = 1u32;
    move || {
        state = state.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
        (state >> 8) as f32 / (1 << 24) as f32
    }
}

fn hit(tree: &Tree, start: Vec3, direction: Vec3) -> Option<BvhHit> {
    tree.hit(start, direction, 2.0, &mut tree.stack())
}

/// A large triangle across the x axis; its front faces -x.
fn wall(x: f32, sides: FaceSides) -> Occluder {
    let corners = [[x, -9.0, -9.0], [x, 0.0, 9.0], [x, 9.0, -9.0]].map(Vec3::from_array);
    Occluder {
        corners,
        sides,
        id: 0,
    }
}

#[test]
fn the_tree_finds_the_same_hits_as_a_test_of_each_triangle() {
    let mut random = chance();
    let mut point = |size: f32| Vec3::new(random(), random(), random()) * size;
    let occluders: Vec<Occluder> = (0..500)
        .map(|i| {
            let at = point(3.0);
            // A few triangles are large.
            let size = if i % 50 == 0 { 3.0 } else { 0.5 };
            Occluder {
                corners: [at, at + point(size), at - point(size)],
                sides: if i % 3 == 0 {
                    FaceSides::Fronts
                } else {
                    FaceSides::FrontAndBack
                },
                id: i,
            }
        })
        .collect();
    let tree = Tree::new(occluders.clone());
    let alone: Vec<Tree> = occluders.iter().map(|&o| Tree::new(vec![o])).collect();
    let mut hits = 0;
    for _ in 0..2000 {
        let (start, direction) = (point(3.0), (point(2.0) - Vec3::ONE).normalize_or_zero());
        let found = hit(&tree, start, direction);
        let all = alone.iter().filter_map(|tree| hit(tree, start, direction));
        let nearest = all.min_by(|a, b| a.distance.total_cmp(&b.distance));
        assert_eq!(found, nearest);
        hits += usize::from(found.is_some());
        let within = Aabb32 {
            min: start,
            max: start + point(0.3),
        };
        let above = Above {
            within,
            on: start,
            normal: direction,
        };
        let expected = alone.iter().any(|tree| tree.rises(&above, 0.1));
        assert_eq!(tree.rises(&above, 0.1), expected);
    }
    assert!(hits > 500, "{hits}");
}

#[test]
fn a_wall_is_hit_from_its_front_whatever_lies_right_behind_it() {
    let back = Occluder {
        corners: {
            let [a, b, c] = wall(1.0, FaceSides::FrontAndBack).corners;
            [a, c, b]
        },
        sides: FaceSides::FrontAndBack,
        id: 1,
    };
    let ahead =
        |occluders: &[Occluder]| hit(&Tree::new(occluders.to_vec()), Vec3::ZERO, Vec3::X).unwrap();
    assert!(!ahead(&[wall(1.0, FaceSides::FrontAndBack)]).is_back);
    assert!(ahead(&[back]).is_back);
    assert!(!ahead(&[back, wall(1.0, FaceSides::FrontAndBack)]).is_back);
    assert!(!ahead(&[back, wall(1.0005, FaceSides::FrontAndBack)]).is_back);
    assert!(ahead(&[back, wall(1.1, FaceSides::FrontAndBack)]).is_back);
    assert!(!ahead(&[wall(0.9, FaceSides::FrontAndBack), back]).is_back);
    let from_behind = |sides| hit(&Tree::new(vec![wall(-1.0, sides)]), Vec3::ZERO, Vec3::NEG_X);
    assert_eq!(from_behind(FaceSides::FrontAndBack).unwrap().distance, 1.0);
    assert!(from_behind(FaceSides::FrontAndBack).unwrap().is_back);
    assert!(!from_behind(FaceSides::Fronts).unwrap().is_back);
}

#[test]
fn rays_hit_nothing_where_nothing_is() {
    assert_eq!(hit(&Tree::new(Vec::new()), Vec3::ZERO, Vec3::X), None);
}

#[test]
fn triangles_with_one_box_are_cut_in_the_middle() {
    let mut random = chance();
    let size = Vec3::ONE;
    let mut occluders: Vec<Occluder> = (0..100_000)
        .map(|_| Occluder {
            corners: [Vec3::ZERO, size, Vec3::new(random(), random(), random())],
            sides: FaceSides::FrontAndBack,
            id: 0,
        })
        .collect();
    let (first, second) = split(&mut occluders);
    let least = first.len().min(second.len());
    assert!(least > 49_000, "{least}");
}

#[test]
fn rays_pass_the_back_of_a_front_only_triangle() {
    let tree = Tree::new(vec![
        wall(-1.0, FaceSides::FrontOnly),
        wall(-1.5, FaceSides::Fronts),
    ]);
    let found = hit(&tree, Vec3::ZERO, Vec3::NEG_X).unwrap();
    assert_eq!(found.distance, 1.5);
    let found = hit(&tree, Vec3::NEG_X * 1.2, Vec3::X).unwrap();
    assert!((found.distance - 0.2).abs() < 1e-6 && !found.is_back);
}
