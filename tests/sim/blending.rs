//! Blended meshes are drawn in pieces, so that the pieces can be sorted.

use glam::DVec3;
use opendoor::author::sketch::{Sketch, cuboid};
use opendoor::level::{Alpha, Draw, Level, Material};

use crate::common::{quad, v};
use crate::shared::built;

/// A room with window panes: two at each position, touching along an edge, in the file order `order`.
fn panes(alpha: Alpha, order: &[usize]) -> Level {
    let mut sketch = Sketch::new("panes");
    let room = sketch.box_room("hall", cuboid([-9.0; 3], [9.0; 3]), &[]);
    sketch.spawn(room, v(0.0, 0.0, 0.0), DVec3::X);
    let glass = sketch.material(Material {
        alpha,
        ..Material::default()
    });
    let places = [v(3.0, 0.0, 1.0), v(-3.0, 0.0, 1.0), v(0.0, 0.0, -4.0)];
    let triangles = places.iter().flat_map(|&at| {
        let up = DVec3::Y;
        let pane = |at: DVec3| quad([at, at + DVec3::X, at + DVec3::X + up, at + up]);
        [pane(at), pane(at + up)].concat()
    });
    let triangles: Vec<[DVec3; 3]> = triangles.collect();
    for &triangle in order {
        sketch.mesh(room, glass, &triangles[triangle..=triangle]);
    }
    built(sketch.source)
}

fn of_glass(level: &Level) -> Vec<&Draw> {
    level
        .draws
        .iter()
        .filter(|draw| draw.material == 1)
        .collect()
}

/// The corners of a draw, in its order.
fn corners(level: &Level, draw: &Draw) -> Vec<[f32; 3]> {
    let indices = &level.indices[draw.indices.start as usize..draw.indices.end as usize];
    let position = |&i: &u32| level.vertices[i as usize].position.to_array();
    indices.iter().map(position).collect()
}

#[test]
fn each_connected_piece_of_a_blended_mesh_is_drawn_by_itself() {
    let order: Vec<usize> = (0..12).collect();
    let level = panes(Alpha::Blend, &order);
    let mut middles: Vec<[f32; 2]> = Vec::new();
    for draw in of_glass(&level) {
        let corners = corners(&level, draw);
        assert_eq!(corners.len(), 12, "two panes of two triangles");
        let least = |axis: usize| corners.iter().map(|p| p[axis]).fold(f32::MAX, f32::min);
        middles.push([least(0), least(2)]);
    }
    assert_eq!(middles, [[-3.0, 1.0], [0.0, -4.0], [3.0, 1.0]]);
    let ranges: Vec<_> = level
        .draws
        .iter()
        .map(|draw| draw.indices.clone())
        .collect();
    let ends = ranges.iter().map(|range| range.end);
    let starts = ranges.iter().map(|range| range.start).skip(1);
    assert!(
        ends.zip(starts).all(|(end, start)| end == start),
        "{ranges:?}"
    );
}

#[test]
fn the_order_of_pieces_and_triangles_is_independent_of_the_file() {
    let in_order: Vec<usize> = (0..12).collect();
    let drawn = |order: &[usize]| {
        let level = panes(Alpha::Blend, order);
        let draws = of_glass(&level);
        draws
            .iter()
            .map(|draw| corners(&level, draw))
            .collect::<Vec<_>>()
    };
    let expected = drawn(&in_order);
    // Steps of 5, 7 and 11 through 12 triangles visit each of them once.
    for step in [5, 7, 11] {
        let shuffled: Vec<usize> = in_order.iter().map(|i| i * step % 12).collect();
        assert_eq!(drawn(&shuffled), expected, "{step}");
    }
}

#[test]
fn opaque_meshes_are_one_draw() {
    let order: Vec<usize> = (0..12).collect();
    for alpha in [Alpha::Opaque, Alpha::Mask(0.5)] {
        let level = panes(alpha, &order);
        let draws = of_glass(&level);
        assert_eq!(draws.len(), 1);
        assert_eq!(draws[0].indices.len(), 36);
    }
}

#[test]
fn triangles_that_share_any_corner_are_one_piece() {
    let pieces = |shared: [usize; 2], apart: f64| {
        let mut sketch = Sketch::new("two");
        let room = sketch.box_room("hall", cuboid([-9.0; 3], [9.0; 3]), &[]);
        sketch.spawn(room, v(0.0, 0.0, 0.0), DVec3::X);
        let glass = sketch.material(Material {
            alpha: Alpha::Blend,
            ..Material::default()
        });
        // Left and right of their common vertex, if they have one.
        let mut triangles = [-1.0, 1.0].map(|side| {
            let at = v(side * apart, 0.0, 0.0);
            [at, at + v(side, 0.0, -1.0), at + v(side, 0.0, 1.0)]
        });
        for (triangle, corner) in triangles.iter_mut().zip(shared) {
            triangle.rotate_right(corner);
        }
        sketch.mesh(room, glass, &triangles);
        of_glass(&built(sketch.source)).len()
    };
    for shared in [0, 1, 2].map(|a| [0, 1, 2].map(|b| [a, b])).concat() {
        assert_eq!(pieces(shared, 0.0), 1, "{shared:?}");
        assert_eq!(pieces(shared, 1e-3), 2, "{shared:?}");
    }
}

#[test]
fn a_long_strip_is_one_piece_in_whatever_order_it_comes() {
    let strip = |order: &mut dyn Iterator<Item = usize>| {
        let mut sketch = Sketch::new("strip");
        let room = sketch.box_room("hall", cuboid([-90.0; 3], [90.0; 3]), &[]);
        sketch.spawn(room, v(0.0, 0.0, 0.0), DVec3::X);
        let glass = sketch.material(Material {
            alpha: Alpha::Blend,
            ..Material::default()
        });
        let triangles: Vec<[DVec3; 3]> = order
            .flat_map(|i| {
                let at = v(i as f64 / 256.0 - 80.0, 0.0, 0.0);
                let next = at + DVec3::X / 256.0;
                quad([at, next, next + DVec3::Y, at + DVec3::Y])
            })
            .collect();
        sketch.mesh(room, glass, &triangles);
        let level = built(sketch.source);
        of_glass(&level).len()
    };
    assert_eq!(strip(&mut (0..20_000)), 1);
    assert_eq!(strip(&mut (0..20_000).rev()), 1);
    assert_eq!(strip(&mut (0..20_000).filter(|i| i % 80 != 0)), 250);
}

/// A cloud of separate leaf cards, in the file order `order`.
fn leaves(order: impl Iterator<Item = usize>) -> Level {
    let mut sketch = Sketch::new("leaves");
    let room = sketch.box_room("hall", cuboid([-90.0; 3], [90.0; 3]), &[]);
    sketch.spawn(room, v(0.0, 0.0, 0.0), DVec3::X);
    let panel = sketch.material(Material {
        alpha: Alpha::Blend,
        ..Material::default()
    });
    let cards: Vec<[DVec3; 3]> = order
        .flat_map(|i| {
            let at = v((i % 40) as f64, (i / 40 % 25) as f64, (i / 1000) as f64);
            let (right, up) = (DVec3::X * 0.5, DVec3::Y * 0.5);
            quad([at, at + right, at + right + up, at + up])
        })
        .collect();
    sketch.mesh(room, panel, &cards);
    built(sketch.source)
}

/// Regression test: twenty thousand leaves were as many draws, each of them sorted in every frame.
#[test]
fn thousands_of_pieces_are_drawn_with_their_neighbours() {
    let level = leaves(0..20_000);
    let draws = of_glass(&level);
    assert!((200..=256).contains(&draws.len()), "{}", draws.len());
    // The cloud of 40 x 25 x 20 m is divided into at most 256 parts: a part of 80 leaves fits into 7 x 7 x 7 m.
    for draw in &draws {
        let size = draw.bounds.max - draw.bounds.min;
        assert!(size.max_element() < 7.0, "{size}");
    }
    let drawn = |level: &Level| -> Vec<Vec<[f32; 3]>> {
        let draws = of_glass(level);
        draws.iter().map(|draw| corners(level, draw)).collect()
    };
    let mut all: Vec<_> = drawn(&level).concat();
    assert_eq!(all.len(), 6 * 20_000);
    all.sort_by(|a, b| a.partial_cmp(b).unwrap());
    all.dedup();
    assert_eq!(all.len(), 4 * 20_000, "every panel is drawn once");
    let shuffled = leaves((0..20_000).map(|i| i * 7919 % 20_000));
    assert_eq!(drawn(&shuffled), drawn(&level));
}
