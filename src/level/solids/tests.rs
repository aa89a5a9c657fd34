//! Comparison of packed triangles with the plain list of input triangles.

use std::collections::BTreeSet;

use glam::DVec3;
use proptest::prelude::*;

use super::*;
use crate::geometry::RaySlabs;

/// A triangle in the tests: its corners (the least first) and its material.
type Plain = ([[u32; 3]; 3], u32);

fn plain(corners: [Vec3; 3], material: u32) -> Plain {
    let mut bits = corners.map(|p| p.to_array().map(f32::to_bits));
    let by_coordinates = |a: &Vec3, b: &Vec3| a.to_array().partial_cmp(&b.to_array()).unwrap();
    let least = corners
        .iter()
        .enumerate()
        .min_by(|a, b| by_coordinates(a.1, b.1));
    bits.rotate_left(least.unwrap().0);
    (bits, material)
}

fn point() -> impl Strategy<Value = Vec3> + Clone {
    let steps = prop::array::uniform3(-6..=6i8);
    steps.prop_map(|steps| Vec3::from_array(steps.map(|step| f32::from(step) * 0.7)))
}

/// Soups of triangles over the points of a grid: many share corners, some are duplicates, and some are degenerate.
fn soup() -> impl Strategy<Value = Vec<([Vec3; 3], u32)>> {
    let triangle = (prop::array::uniform3(point()), 0..24u32);
    let some = prop_oneof![
        prop::collection::vec(triangle.clone(), 0..30),
        prop::collection::vec(triangle, 600..1500),
    ];
    some.prop_map(|mut triangles| {
        let again = triangles
            .iter()
            .step_by(7)
            .map(|&([a, b, c], m)| ([c, a, b], m));
        let again: Vec<_> = again.collect();
        triangles.extend(again);
        triangles
    })
}

fn soup_of(triangles: &[([Vec3; 3], u32)]) -> Soup {
    let mut soup = Soup::default();
    for &(corners, material) in triangles {
        let surface = TriangleSource { material, node: 0 };
        soup.add(corners.into_iter(), &[[0, 1, 2]], surface, false);
    }
    soup
}

fn pack(solids: &mut Solids, triangles: &[([Vec3; 3], u32)]) -> SolidSet {
    solids.append(&soup_of(triangles)).set
}

fn expected(triangles: &[([Vec3; 3], u32)]) -> BTreeSet<Plain> {
    let has_area = |[a, b, c]: [Vec3; 3]| (b - a).cross(c - a).length() > 1e-3;
    let solid = triangles.iter().filter(|(corners, _)| has_area(*corners));
    solid
        .map(|&(corners, material)| plain(corners, material))
        .collect()
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(64))]

    #[test]
    fn packed_triangles_come_out_once_each_bit_for_bit(
        first in soup(), second in soup(), shift in 0..1000usize,
    ) {
        let mut solids = Solids::default();
        let sets = [&first, &second].map(|soup| pack(&mut solids, soup));
        for (set, soup) in sets.iter().zip([&first, &second]) {
            let found: Vec<SolidTriangle> = solids.of(set).collect();
            let as_packed = |t: &SolidTriangle| plain(t.corners, t.surface.material);
            let all: BTreeSet<Plain> = found.iter().map(as_packed).collect();
            prop_assert_eq!(found.len(), all.len());
            prop_assert_eq!(found.len(), set.len());
            prop_assert_eq!(all, expected(soup));
            for triangle in &found {
                prop_assert!(set.contains(triangle.index));
                prop_assert_eq!(solids.triangle(triangle.index), *triangle);
            }
        }
        prop_assert_eq!(solids.len(), sets[0].len() + sets[1].len());
        // The result does not depend on the order of the input.
        let mut turned = first.clone();
        turned.rotate_left(shift.min(first.len()));
        turned.reverse();
        for (corners, _) in &mut turned {
            corners.rotate_left(shift % 3);
        }
        let mut others = Solids::default();
        let other = pack(&mut others, &turned);
        let bare = |t: SolidTriangle| (t.index, t.corners, t.surface.material, t.edges);
        prop_assert!(others.of(&other).map(bare).eq(solids.of(&sets[0]).map(bare)));
    }

    #[test]
    fn a_box_touches_the_same_triangles_as_in_a_plain_list(
        triangles in soup(), corners in prop::array::uniform2(point()),
    ) {
        let mut solids = Solids::default();
        let set = pack(&mut solids, &triangles);
        let query = Aabb32::around_points(&corners);
        let mut found = Vec::new();
        solids.touching(&set, &query, |triangle| found.push(triangle));
        let touches = |t: &SolidTriangle| Aabb32::around_points(&t.corners).overlaps(&query);
        prop_assert!(solids.of(&set).filter(touches).eq(found));
    }

    #[test]
    fn a_ray_hits_the_same_triangles_as_in_a_plain_list(
        triangles in soup(), ends in prop::array::uniform2(point()), is_on_grid in any::<bool>(),
    ) {
        let mut solids = Solids::default();
        let set = pack(&mut solids, &triangles);
        let aside = if is_on_grid { DVec3::ZERO } else { DVec3::new(0.012, -0.034, 0.057) };
        let [from, to] = ends.map(|end| end.as_dvec3() + aside);
        let (ray, interval) = (to - from, [0.1, 0.9]);
        let hit = |solid: &SolidTriangle| {
            let part = solid.triangle().hit_by_ray(from, ray)?;
            (interval[0]..=interval[1]).contains(&part).then_some((part, solid.index))
        };
        let slabs = RaySlabs::of(from, ray);
        let mut all = BTreeSet::new();
        solids.along(&set, &slabs, interval, |solid| {
            all.insert(solid.index);
            interval[1]
        });
        let mut first: Option<(f64, u32)> = None;
        let mut count = 0;
        solids.along(&set, &slabs, interval, |solid| {
            count += 1;
            let hit = hit(&solid);
            first = first.into_iter().chain(hit).reduce(|a, b| if b < a { b } else { a });
            first.map_or(interval[1], |(part, _)| part)
        });
        let expected = solids.of(&set).filter_map(|solid| hit(&solid));
        let is_known = |&(_, index): &(f64, u32)| all.contains(&index);
        prop_assert!(expected.clone().all(|hit| is_known(&hit)));
        prop_assert_eq!(first, expected.reduce(|a, b| if b < a { b } else { a }));
        prop_assert!(count <= all.len());
    }

    #[test]
    fn setting_the_kind_of_an_edge_changes_nothing_else(
        triangles in soup(), which in any::<prop::sample::Index>(), edge in 0..3usize,
    ) {
        let mut solids = Solids::default();
        let set = pack(&mut solids, &triangles);
        prop_assume!(!set.is_empty());
        let mut expected: Vec<SolidTriangle> = solids.of(&set).collect();
        let changed = which.get_mut(&mut expected);
        for kind in [EdgeKind::Internal, EdgeKind::Boundary, EdgeKind::Convex] {
            changed.edges[edge] = kind;
            solids.set_edge(changed.index, edge, kind);
        }
        prop_assert!(solids.of(&set).eq(expected));
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(16))]

    #[test]
    fn packing_gives_the_same_on_any_number_of_cores(
        soups in prop::collection::vec(soup(), 1..40), cores in 2..6usize,
    ) {
        let sizes: Vec<usize> = soups.iter().map(Vec::len).collect();
        let mut one_by_one = Solids::default();
        let sets: Vec<_> = soups.iter().map(|s| one_by_one.append(&soup_of(s))).collect();
        for cores in [1, cores] {
            // Appended after existing triangles.
            let mut solids = Solids::default();
            let before = pack(&mut solids, &soups[0]);
            let packed = solids.append_all(&sizes, cores, |solids, i| solids.append(&soup_of(&soups[i])));
            prop_assert_eq!(packed.len(), sets.len());
            let mut end = before.len() as u32;
            for (packed, alone) in packed.iter().zip(&sets) {
                prop_assert_eq!((packed.given, packed.without_area), (alone.given, alone.without_area));
                let found = solids.of(&packed.set);
                let moved = one_by_one.of(&alone.set).map(|t| SolidTriangle { index: t.index + before.len() as u32, ..t });
                prop_assert!(found.eq(moved));
                prop_assert_eq!(packed.set.triangles.start, end);
                end = packed.set.triangles.end;
            }
            let mut solids = Solids::default();
            prop_assert_eq!(&solids.append_all(&sizes, cores, |solids, i| solids.append(&soup_of(&soups[i]))), &sets);
            prop_assert_eq!(&solids, &one_by_one);
        }
    }
}
