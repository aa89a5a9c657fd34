//! The cached state of a pair changes no bit of any answer.

use glam::DVec3;
use opendoor::geometry::Rigid;
use opendoor::rng::Rng;
use opendoor::shapes::{
    Closest, Manifold, PairCache, Shape, closest, closest_to_triangle, contacts,
};

use crate::hulls;
use crate::meshes::torus;
use crate::random::{self, PLAIN, Regime, for_pairs};

fn shape(rng: &mut Rng, regime: Regime) -> Shape {
    match rng.below(9) {
        0 | 1 => Shape::Sphere {
            radius: random::length(rng, regime),
        },
        8 => Shape::Capsule {
            half_segment: DVec3::AXES[rng.below(3)] * random::length(rng, regime),
            radius: random::length(rng, regime),
        },
        2..5 => random::cuboid(rng, regime),
        5 | 6 => Shape::Hull(hulls::hull(rng, regime)),
        _ => Shape::Mesh(torus(6, 4, 0.7 * regime.scale(), 0.25 * regime.scale())),
    }
}

/// All answers about a pair, and the resulting cache.
fn answers(
    [a, b]: [(&Shape, &Rigid); 2],
    margin: f64,
    mut cache: PairCache,
) -> ((Vec<Manifold>, Option<Closest>), PairCache) {
    let mut manifolds = Vec::new();
    let mut for_closest = cache;
    contacts(a.0, a.1, b.0, b.1, margin, &mut cache, &mut manifolds);
    let contact = closest(a.0, a.1, b.0, b.1, margin, &mut for_closest);
    ((manifolds, contact), for_closest)
}

#[test]
fn no_cache_changes_an_answer() {
    let (mut of_another, mut apart, mut known) = (PairCache::default(), 0, 0);
    for_pairs(PLAIN / 4, |rng, regime, i| {
        let [a, b] = [0; 2].map(|_| shape(rng, regime));
        let [at_a, at_b] = random::poses(rng, regime);
        let pair = [(&a, &at_a), (&b, &at_b)];
        let (empty, scale) = (PairCache::default(), regime.scale());
        let found = closest(
            &a,
            &at_a,
            &b,
            &at_b,
            f64::INFINITY,
            &mut PairCache::default(),
        );
        let gap = found.map_or(0.0, |closest| closest.gap());
        // A margin about as large as the gap is the hardest case.
        let nearly =
            gap * (1.0 + rng.between(-1.0, 1.0) * [0.0, 1e-15, 1e-9, 1e-6, 1e-3][rng.below(5)]);
        for margin in [0.0, 0.01 * scale, nearly, 10.0 * scale] {
            let (expected, left) = answers(pair, margin, empty);
            let random = random::vector(rng, 1.0).normalize_or(DVec3::X);
            let best = match found {
                Some(Closest::Apart(contact)) => contact.normal,
                _ => DVec3::Y,
            };
            for cache in [
                PairCache::along(random),
                PairCache::along(best),
                PairCache::along(-best),
                of_another,
                left,
            ] {
                let (again, _) = answers(pair, margin, cache);
                assert_eq!(again, expected, "{i} {regime:?} {margin} {cache:?}");
            }
            apart += u32::from(expected.1.is_none());
            known += u32::from(left.is_known());
            of_another = left;
        }
    });
    assert!(apart > 2000 && known > 2000, "{apart} {known}");
}

#[test]
fn no_cache_changes_the_distance_of_a_triangle() {
    for_pairs(PLAIN / 4, |rng, regime, i| {
        let shape = shape(rng, regime);
        let triangle = random::triangle(rng, regime);
        let [at, _] = random::poses(rng, regime);
        let at = Rigid::new(at.rotation(), at.translation() * 0.2);
        let ask = |reach: f64, mut cache: PairCache| {
            closest_to_triangle(&shape, &at, &triangle, reach, &mut cache)
        };
        let gap = ask(f64::INFINITY, PairCache::default()).map_or(0.0, |found| found.gap());
        for reach in [0.01 * regime.scale(), gap] {
            let expected = ask(reach, PairCache::default());
            let normal = triangle.normal().unwrap_or_default();
            for direction in [
                normal,
                -normal,
                random::vector(rng, 1.0).normalize_or(DVec3::X),
            ] {
                let again = ask(reach, PairCache::along(direction));
                assert_eq!(again, expected, "{i} {regime:?} {reach} {direction}");
            }
        }
    });
}
