//! Ray hits in the tree.

use super::super::leaf::{Above, Occluder};
use super::super::tree::{TexelHit, Tree};
use super::hostile::chance;
use super::*;
use crate::geometry::Aabb32;

fn hit(tree: &Tree, start: Vec3, direction: Vec3) -> Option<TexelHit> {
    tree.hit(start, direction, 2.0, &mut tree.stack())
}

/// A large triangle across the x axis; its front faces -x.
fn wall(x: f32, two_sided: bool) -> Occluder {
    let corners = [[x, -9.0, -9.0], [x, 0.0, 9.0], [x, 9.0, -9.0]].map(Vec3::from_array);
    Occluder { corners, two_sided }
}

#[test]
fn the_tree_finds_the_same_hits_as_a_test_of_each_triangle() {
    let mut random = chance();
    let mut point = |size: f64| (v(random(), random(), random()) * size).as_vec3();
    let occluders: Vec<Occluder> = (0..500)
        .map(|i| {
            let at = point(3.0);
            // A few triangles are large.
            let size = if i % 50 == 0 { 3.0 } else { 0.5 };
            Occluder {
                corners: [at, at + point(size), at - point(size)],
                two_sided: i % 3 == 0,
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
        assert_eq!(
            found.map(|hit| hit.distance),
            nearest.map(|hit| hit.distance)
        );
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
            let [a, b, c] = wall(1.0, false).corners;
            [a, c, b]
        },
        two_sided: false,
    };
    let ahead =
        |occluders: &[Occluder]| hit(&Tree::new(occluders.to_vec()), Vec3::ZERO, Vec3::X).unwrap();
    assert!(!ahead(&[wall(1.0, false)]).is_back);
    assert!(ahead(&[back]).is_back);
    assert!(!ahead(&[back, wall(1.0, false)]).is_back);
    assert!(!ahead(&[back, wall(1.0005, false)]).is_back);
    assert!(ahead(&[back, wall(1.1, false)]).is_back);
    assert!(!ahead(&[wall(0.9, false), back]).is_back);
    let from_behind = |two_sided| {
        hit(
            &Tree::new(vec![wall(-1.0, two_sided)]),
            Vec3::ZERO,
            Vec3::NEG_X,
        )
    };
    assert_eq!(from_behind(false).unwrap().distance, 1.0);
    assert!(from_behind(false).unwrap().is_back);
    assert!(!from_behind(true).unwrap().is_back);
}

#[test]
fn rays_hit_nothing_where_nothing_is() {
    assert_eq!(hit(&Tree::new(Vec::new()), Vec3::ZERO, Vec3::X), None);
}
