//! Meshes compared with brute force over all their triangles, and with the solids that they bound.

use glam::DVec3;
use opendoor::geometry::{Rigid, Triangle};
use opendoor::rng::Rng;
use opendoor::shapes::{
    Hull, Manifold, Mesh, PairCache, Shape, Sweep, closest, closest_to_triangle, contacts,
    surface_contacts, time_of_impact, triangle_time_of_impact,
};

use crate::brute::Polyhedron;
use crate::hulls;
use crate::random::{self, Regime};

/// The surface of a hull as a mesh.
fn surface_of(hull: &Hull) -> Mesh {
    let corner = |i: u32| hull.corners()[i as usize];
    let fan = |loop_: &[u32]| {
        let triangle = |i: usize| Triangle {
            corners: [corner(loop_[0]), corner(loop_[i]), corner(loop_[i + 1])],
        };
        (1..loop_.len() - 1).map(triangle).collect::<Vec<_>>()
    };
    let triangles: Vec<Triangle> = hull.faces().flat_map(|(_, corners)| fan(corners)).collect();
    Mesh::of_triangles(&triangles).unwrap()
}

/// A torus around y: a concave closed mesh.
pub(crate) fn torus(rings: usize, sides: usize, radius: f64, thickness: f64) -> Mesh {
    let corner = |i: usize, j: usize| {
        let around = std::f64::consts::TAU * (i % rings) as f64 / rings as f64;
        let about = std::f64::consts::TAU * (j % sides) as f64 / sides as f64;
        let out = radius + thickness * libm::cos(about);
        DVec3::new(
            out * libm::cos(around),
            thickness * libm::sin(about),
            out * libm::sin(around),
        )
    };
    let mut triangles = Vec::new();
    for i in 0..rings {
        for j in 0..sides {
            let [a, b, c, d] =
                [(i, j), (i, j + 1), (i + 1, j + 1), (i + 1, j)].map(|(i, j)| corner(i, j));
            triangles.push(Triangle { corners: [a, b, c] });
            triangles.push(Triangle { corners: [a, c, d] });
        }
    }
    Mesh::of_triangles(&triangles).unwrap()
}

fn all(a: &Shape, at_a: &Rigid, b: &Shape, at_b: &Rigid, margin: f64) -> Vec<Manifold> {
    let mut out = Vec::new();
    contacts(
        a,
        at_a,
        b,
        at_b,
        margin,
        &mut PairCache::default(),
        &mut out,
    );
    out
}

fn depth(manifolds: &[Manifold]) -> f64 {
    manifolds
        .iter()
        .map(Manifold::separation)
        .fold(f64::INFINITY, f64::min)
}

#[test]
fn a_mesh_is_as_far_from_every_shape_as_brute_force_over_its_triangles() {
    for i in 0..300 {
        let mut rng = Rng::new(i);
        let [of_a, of_b] = [0; 2].map(|_| hulls::hull(&mut rng, Regime::Apart));
        let [at_a, at_b] = random::poses(&mut rng, Regime::Apart);
        let expected =
            Polyhedron::of_hull(&at_a, &of_a).separation(&Polyhedron::of_hull(&at_b, &of_b));
        if expected < 1e-3 {
            continue;
        }
        let [mesh_a, mesh_b] = [&of_a, &of_b].map(|hull| Shape::Mesh(surface_of(hull)));
        let [of_a, of_b] = [of_a, of_b].map(Shape::Hull);
        for (a, b) in [(&mesh_a, &mesh_b), (&mesh_a, &of_b), (&of_a, &mesh_b)] {
            let found = closest(a, &at_a, b, &at_b, 1e9, &mut PairCache::default()).unwrap();
            assert!(
                (found.gap() - expected).abs() < 1e-6,
                "{i}: {found:?}, {expected}"
            );
        }
    }
}

#[test]
fn meshes_of_boxes_rest_on_each_other_as_the_boxes_do() {
    let half_extents = DVec3::splat(0.5);
    let solid = Shape::Box { half_extents };
    let corners = opendoor::geometry::Aabb::around([-half_extents, half_extents]).corners();
    let hull = Hull::of_points(&corners).unwrap();
    let mesh = Shape::Mesh(surface_of(&hull));
    let hull = Shape::Hull(hull);
    for gap in [-0.01, 0.0, 0.004] {
        let above = Rigid::new(glam::DMat3::IDENTITY, DVec3::new(0.2, 1.0 + gap, 0.1));
        for (a, b) in [
            (&mesh, &mesh),
            (&mesh, &solid),
            (&solid, &mesh),
            (&mesh, &hull),
        ] {
            let found = all(a, &above, b, &Rigid::IDENTITY, 0.005);
            assert_eq!(found.len(), 1, "{gap}: {found:?}");
            assert!((found[0].normal - DVec3::Y).length() < 1e-9, "{found:?}");
            assert_eq!(found[0].points().len(), 4, "{gap}: {found:?}");
            assert!((depth(&found) - gap).abs() < 1e-9, "{found:?}");
            let reach = |axis: usize| {
                let along = found[0].points().iter().map(|point| point.on_a[axis]);
                along.clone().fold(f64::NEG_INFINITY, f64::max)
                    - along.fold(f64::INFINITY, f64::min)
            };
            assert!(
                (reach(0) - 0.8).abs() < 1e-9 && (reach(2) - 0.9).abs() < 1e-9,
                "{found:?}"
            );
        }
    }
}

#[test]
fn spheres_touch_a_torus_where_its_formula_says() {
    let (radius, thickness, ball) = (1.0, 0.3, 0.2);
    let mesh = torus(96, 48, radius, thickness);
    let mass = Shape::Mesh(mesh.clone()).mass_properties(1.0);
    let exact = 2.0 * std::f64::consts::PI.powi(2) * radius * thickness * thickness;
    assert!((mass.mass / exact - 1.0).abs() < 0.01, "{mass:?}");
    let (mesh, sphere) = (Shape::Mesh(mesh), Shape::Sphere { radius: ball });
    let mut rng = Rng::new(3);
    for _ in 0..2000 {
        let at = Rigid::new(glam::DMat3::IDENTITY, random::vector(&mut rng, 1.6));
        let centre = at.translation();
        let from_ring = centre.with_y(0.0).length() - radius;
        let exact = from_ring.hypot(centre.y) - thickness - ball;
        if exact < -ball {
            continue;
        }
        let found = all(&sphere, &at, &mesh, &Rigid::IDENTITY, 0.1);
        let sag = 2e-3;
        if exact > 0.1 + sag {
            assert!(found.is_empty());
        } else if exact < 0.1 - sag {
            assert!(
                (depth(&found) - exact).abs() < sag,
                "{centre}: {exact}, {found:?}"
            );
        }
        for manifold in found {
            let outwards = manifold.points()[0].on_b;
            let ring = outwards.with_y(0.0);
            let outwards = outwards - ring * (radius / ring.length());
            assert!(manifold.normal.dot(outwards) > 0.0);
        }
    }
}

#[test]
fn linked_rings_do_not_pass_through_each_other() {
    let ring = Shape::Mesh(torus(48, 24, 1.0, 0.2));
    let quarter = opendoor::shapes::rotation_by(DVec3::X * std::f64::consts::FRAC_PI_2);
    // Each torus passes through the other: the distance of their centre circles is the sum of the tubes' radii plus the
    // gap.
    for gap in [0.01, -0.01, -0.05] {
        let hanging = Rigid::new(quarter, DVec3::X * (0.4 + gap));
        let found = all(&ring, &hanging, &ring, &Rigid::IDENTITY, 0.02);
        assert!(!found.is_empty(), "{gap}");
        // In deep overlaps small triangles report only their own depth.
        let is_right = (depth(&found) - gap).abs() < 0.01 || (gap < -0.04 && depth(&found) < -0.01);
        assert!(is_right, "{gap}: {found:?}");
    }
}

#[test]
fn a_mesh_rests_on_a_floor() {
    let mesh = Shape::Mesh(torus(48, 24, 1.0, 0.2));
    let floor = opendoor::shapes::SurfaceTriangle::one_sided(Triangle {
        corners: [
            DVec3::new(-9.0, 0.0, -9.0),
            DVec3::new(0.0, 0.0, 18.0),
            DVec3::new(9.0, 0.0, -9.0),
        ],
    });
    let at = Rigid::new(glam::DMat3::IDENTITY, DVec3::Y * 0.199);
    let mut found = Vec::new();
    surface_contacts(&mesh, &at, &floor, 0.002, &mut found);
    assert_eq!(found.len(), 1);
    assert_eq!(found[0].points().len(), 4);
    assert!((depth(&found) + 0.001).abs() < 1e-9);
    let mean = found[0]
        .points()
        .iter()
        .map(|point| point.on_b)
        .sum::<DVec3>()
        / 4.0;
    assert!(mean.length() < 0.5, "{found:?}");
}

/// A random shape of any kind, of about unit size.
fn any(rng: &mut Rng) -> Shape {
    match rng.below(4) {
        0 => Shape::Sphere {
            radius: rng.between(0.1, 0.6),
        },
        1 => random::cuboid(rng, Regime::Apart),
        2 => Shape::Hull(hulls::hull(rng, Regime::Apart)),
        _ => Shape::Mesh(torus(12, 6, 0.7, 0.25)),
    }
}

fn any_sweep(rng: &mut Rng, shape: &Shape) -> Sweep {
    let [world_from_shape, _] = random::poses(rng, Regime::Touching);
    let place = random::vector(rng, 3.0);
    Sweep {
        world_from_shape: Rigid::new(world_from_shape.rotation(), place),
        centre: shape.mass_properties(1.0).centre,
        velocity: random::vector(rng, 3.0) - place * 2.0,
        angular_velocity: random::vector(rng, 8.0),
    }
}

#[test]
fn no_pair_of_moving_shapes_passes_a_contact_before_its_time_of_impact() {
    const GAP: f64 = 1e-3;
    let (mut met, mut passed) = (0, 0);
    for i in 0..600 {
        let mut rng = Rng::new(i);
        let (a, b) = (any(&mut rng), any(&mut rng));
        let [sweep_a, sweep_b] = [&a, &b].map(|shape| any_sweep(&mut rng, shape));
        let distance = |time: f64| {
            let [at_a, at_b] = [sweep_a, sweep_b].map(|sweep| sweep.pose_at(time));
            let found = closest(&a, &at_a, &b, &at_b, 1e9, &mut PairCache::default());
            found.unwrap().gap()
        };
        if distance(0.0) < GAP {
            continue;
        }
        let cache = &mut PairCache::default();
        let found = time_of_impact((&a, &sweep_a), (&b, &sweep_b), [0.0, 1.0], GAP, cache);
        let until = found.map_or(1.0, |impact| impact.secs);
        for k in 0..=50 {
            assert!(
                distance(until * f64::from(k) / 50.0) > 0.0,
                "{i}: {found:?}"
            );
        }
        if let Some(impact) = found {
            met += 1;
            assert!((0.0..10.0 * GAP).contains(&impact.gap), "{i}: {found:?}");
        } else {
            passed += 1;
        }
    }
    assert!(met > 100 && passed > 100, "{met} {passed}");
}

#[test]
fn no_moving_shape_passes_a_triangle() {
    const GAP: f64 = 1e-3;
    let mut met = 0;
    for i in 0..400 {
        let mut rng = Rng::new(i);
        let a = any(&mut rng);
        let sweep = any_sweep(&mut rng, &a);
        let triangle = random::triangle(&mut rng, Regime::Apart);
        let distance = |time: f64| {
            let at = sweep.pose_at(time);
            let cache = &mut PairCache::default();
            let found = closest_to_triangle(&a, &at, &triangle, 1e9, cache);
            found.unwrap().gap()
        };
        if distance(0.0) < GAP {
            continue;
        }
        let found = triangle_time_of_impact(&a, &sweep, &triangle, [0.0, 1.0], GAP);
        met += u32::from(found.is_some());
        let until = found.map_or(1.0, |impact| impact.secs);
        for k in 0..=50 {
            assert!(
                distance(until * f64::from(k) / 50.0) > 0.0,
                "{i}: {found:?}"
            );
        }
    }
    assert!(met > 20, "{met}");
}

/// Regression test: centre of mass, moments, tree and contacts depended on the order of the triangles in the file.
#[test]
fn the_order_of_the_triangles_and_of_their_corners_changes_no_bit_of_a_mesh() {
    let mut rng = Rng::new(5);
    for (rings, sides) in [(3, 3), (5, 4), (12, 7), (24, 16)] {
        let offset = DVec3::new(0.31, -1.7, 12.3);
        let mesh = torus(rings, sides, 0.9, 0.23);
        let moved = |triangle: &Triangle| Triangle {
            corners: triangle.corners.map(|corner| corner + offset),
        };
        let mut triangles: Vec<Triangle> = mesh.triangles().map(moved).collect();
        let expected = Mesh::of_triangles(&triangles).unwrap();
        for _ in 0..50 {
            rng.shuffle(&mut triangles);
            for triangle in &mut triangles {
                triangle.corners.rotate_left(rng.below(3));
            }
            let shuffled = Mesh::of_triangles(&triangles).unwrap();
            assert!(shuffled == expected, "{rings} rings of {sides} sides");
        }
    }
}
