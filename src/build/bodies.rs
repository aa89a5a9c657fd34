//! Rigid bodies: conversion from the source to the graph.

use std::collections::BTreeMap;
use std::ops::Range;

use glam::{DMat3, DQuat, DVec3};

use super::meshes::append_draws;
use super::rooms_along_x::{Finder, TooMany};
use super::spawns::room_of_point;
use crate::geometry::{Aabb, Rigid, Triangle};
use crate::level::solids::Soup;
use crate::level::{
    At, AuthorPoint, BodyId, LevelData, Material, RigidBody, RoomId, SolidSet, Spawner, SpawnerId,
};
use crate::parallel::{cores, parallel_map};
use crate::problems::{ProblemCode, ProblemPlace, Problems};
use crate::shapes::{Hull, HullError, Mesh, MeshError, Shape};
use crate::source::{BodyShape, BodySource, LevelSource, MeshSource, Spawning};

/// A body that is smaller than this along any axis has no volume; metres.
const MIN_SIZE: f64 = 1e-4;
/// Maximum number of triangles of all copies of a spawner together.
const MAX_COPIED: usize = 1_000_000;
/// Maximum ratio between the length and the width of a mesh that becomes a ball without a warning.
const MAX_SQUASH: f64 = 1.2;

/// Adds all bodies, with the copies of each spawner, sorted by name. Each is in the room that contains its centre.
pub(super) fn add_bodies(level: &mut LevelData, source: &LevelSource, problems: &mut Problems) {
    let mut bodies: Vec<&BodySource> = source.bodies.iter().collect();
    bodies.sort_by(|a, b| a.node.cmp(&b.node));
    let mut finder = Finder::of(level);
    let shapes = parallel_map(bodies.len(), cores(), |body| shape_of(bodies[body]));
    let spawnings = source.spawners.iter();
    let spawnings: BTreeMap<&str, Spawning> = spawnings
        .map(|spawner| (spawner.node.as_str(), spawner.spawning))
        .collect();
    for (body, shape) in bodies.into_iter().zip(shapes) {
        let spawning = spawnings.get(body.node.as_str()).copied();
        let first = BodyId(level.bodies.len() as u32);
        let (shape, centre) = match shape {
            Ok(found) => found,
            Err(why) => {
                let corner = body.meshes.iter().find_map(|mesh| mesh.positions.first());
                let place = corner.map(|corner| ProblemPlace::at(AuthorPoint(*corner)));
                let code = ProblemCode::BodyDegenerate;
                problems.add(true, code, &body.node, place, || why);
                continue;
            }
        };
        let point = level.from_author(AuthorPoint(centre));
        let parent = body.meshes.first().map(|mesh| RoomId(mesh.room as u32));
        let found = match room_of_point(level, &mut finder, parent, point) {
            Ok(found) => found,
            Err(TooMany) => parent,
        };
        let Some(room) = found else {
            let place = ProblemPlace::at(AuthorPoint(centre));
            problems.add(true, ProblemCode::BodyOutside, &body.node, Some(place), || {
                "its centre is inside no room; move it into one, out of walls and furniture, and see that the room is closed and its faces look inwards".to_owned()
            });
            continue;
        };
        if let Some(message) = misfit(body, &shape) {
            let place = ProblemPlace::at(AuthorPoint(centre));
            let code = ProblemCode::BodyProperty;
            problems.add(false, code, &body.node, Some(place), || message);
            // The ball or capsule extends beyond its mesh.
            problems.add_cause(code, &body.node);
        }
        let mass = shape.mass_properties(BodySource::DENSITY);
        let material = body.meshes.first().map(|mesh| mesh.material);
        let material = material.and_then(|index| level.materials.get(index));
        let friction = material.map_or(Material::FRICTION, |material| material.friction);
        let bounce = material.map_or(0.0, |material| material.bounce);
        let meshes: Vec<&MeshSource> = body.meshes.iter().collect();
        let triangles = shape.triangles();
        let (draws, _) = append_draws(level, &meshes);
        let radius = shape.radius_about(DVec3::ZERO);
        let drawn_radius = radius_of_draws(level, &draws, point).max(radius);
        let spawner = spawning.map(|_| SpawnerId(level.spawners.len() as u32));
        let count = copies(body, spawning, triangles.len(), problems);
        for copy in 1..=count {
            let solids = append_surface(level, body, &triangles);
            let name = match spawner {
                Some(_) => format!("{}*{copy:04}", body.node),
                None => body.node.clone(),
            };
            level.bodies.push(RigidBody {
                name,
                spawner,
                start: At::new(room, point),
                rotation: DQuat::from_mat3(&body.axes),
                mass: body
                    .mass
                    .map_or(mass, |kilograms| mass.with_mass(kilograms)),
                radius,
                drawn_radius,
                shape: shape.clone(),
                friction: body.friction.unwrap_or(friction),
                bounce: body.bounce.unwrap_or(bounce),
                solids,
                draws: draws.clone(),
            });
        }
        level.spawners.extend(spawning.map(|spawner| Spawner {
            name: body.node.clone(),
            bodies: (first.0..first.0 + count).map(BodyId).collect(),
            every_ticks: spawner.every_ticks,
            velocity: -body.axes.z_axis * spawner.speed,
            endless: spawner.endless,
            begins_at_once: true,
        }));
    }
    let bodies = (0..).map(BodyId).zip(&level.bodies);
    let with_solids = bodies.filter(|(_, body)| !body.solids.is_empty());
    let mut first: Vec<(u32, BodyId)> = with_solids
        .map(|(id, body)| (body.solids.triangles().start, id))
        .collect();
    first.sort_unstable();
    level.solids_of_bodies = first;
}

/// The bounding radius of some draws around a point of the level, metres.
fn radius_of_draws(level: &LevelData, draws: &Range<u32>, centre: DVec3) -> f64 {
    let draws = &level.draws[draws.start as usize..draws.end as usize];
    let indices = draws.iter().flat_map(|draw| draw.indices.clone());
    let vertices = indices.map(|i| &level.vertices[level.indices[i as usize] as usize]);
    let distances = vertices.map(|vertex| vertex.position.as_dvec3().distance(centre));
    distances.fold(0.0, f64::max)
}

/// The number of copies of a source body; each copy has this many triangles.
fn copies(
    body: &BodySource,
    spawning: Option<Spawning>,
    triangles: usize,
    problems: &mut Problems,
) -> u32 {
    let Some(spawner) = spawning else {
        return 1;
    };
    let most = (MAX_COPIED / triangles.max(1)).max(1) as u32;
    if spawner.count > most {
        let message = format!(
            "its property count is {}: so many copies of {triangles} triangles would need too much memory, and there are {most}; write a smaller count, or give it a simpler mesh",
            spawner.count
        );
        problems.warn(ProblemCode::BodyProperty, &body.node, message);
    }
    spawner.count.min(most)
}

/// The reason why the round shape of a body does not fit the body's mesh, with the cure.
fn misfit(body: &BodySource, shape: &Shape) -> Option<String> {
    let corners = body.meshes.iter().flat_map(|mesh| &mesh.positions);
    let bounds = Aabb::around(corners.map(|p| body.axes.transpose() * *p));
    let size = bounds.max - bounds.min;
    if body.shape == BodyShape::Sphere {
        let [least, most] = [size.min_element(), size.max_element()];
        return (most > MAX_SQUASH * least).then(|| {
            format!(
                "its shape is sphere, but its mesh is {least:.2} m thick one way and {most:.2} m another: it rolls as a ball that one does not see; write shape capsule or hull, or scale it the same every way"
            )
        });
    }
    if body.shape != BodyShape::Capsule {
        return None;
    }
    let around = shape.aabb(&Rigid::IDENTITY);
    let of_shape = around.max - around.min;
    of_shape.cmpgt(size * MAX_SQUASH).any().then(|| {
        let [x, y, z] = size.to_array();
        let [length, width] = [of_shape.max_element(), of_shape.min_element()];
        format!(
            "its shape is capsule, but its mesh, {x:.2} x {y:.2} x {z:.2} m, does not fill the capsule around it, which is {length:.2} m long and {width:.2} m thick; give it round ends and the same width every way, or write shape hull"
        )
    })
}

/// Packs the triangles of the surface of a shape. There are none for a ball, and for a body without meshes.
fn append_surface(level: &mut LevelData, body: &BodySource, triangles: &[Triangle]) -> SolidSet {
    let Some(mesh) = body.meshes.first() else {
        return SolidSet::default();
    };
    let surface = level.solids.surface(mesh.material as u32, &body.node);
    let points = triangles.iter().flat_map(|triangle| triangle.corners);
    let corners = (0..triangles.len() as u32).map(|i| [0, 1, 2].map(|k| 3 * i + k));
    let corners: Vec<_> = corners.collect();
    let mut soup = Soup::default();
    soup.add(points.map(|p| p.as_vec3()), &corners, surface, false);
    level.solids.append(&soup).set
}

/// A capsule around points whose bounding box is centred at the origin. It lies along the longest axis of the box, has
/// the smallest possible radius, and with that radius the smallest length. If the length is 0, it is a ball.
fn capsule_around(points: impl Iterator<Item = DVec3> + Clone, half_extents: DVec3) -> Shape {
    let axis = DVec3::AXES[half_extents.max_position()];
    let places = points.map(|point| {
        let along = point.dot(axis);
        (along.abs(), point.distance(axis * along))
    });
    let radius = places
        .clone()
        .fold(0.0, |radius: f64, place| radius.max(place.1));
    let half = places.fold(0.0, |half: f64, (along, beside)| {
        half.max(along - (radius * radius - beside * beside).max(0.0).sqrt())
    });
    if half < 0.5 * MIN_SIZE {
        return Shape::Sphere {
            radius: radius + half,
        };
    }
    Shape::Capsule {
        half_segment: axis * half,
        radius,
    }
}

/// The shape of a body around its centre of mass, and the position of the centre of mass in author's coordinates.
///
/// # Errors
/// The reason why the body has no shape, with the cure.
fn shape_of(body: &BodySource) -> Result<(Shape, DVec3), String> {
    let body_from_author: DMat3 = body.axes.transpose();
    let solid = || body.meshes.iter().filter(|mesh| mesh.solid);
    let points = || solid().flat_map(|mesh| mesh.positions.iter().copied());
    let bounds = Aabb::around(points().map(|point| body_from_author * point));
    let half_extents = (bounds.max - bounds.min) * 0.5;
    // The comparison is also false for NaN.
    if !(half_extents.min_element() * 2.0 >= MIN_SIZE && half_extents.is_finite()) {
        return Err("it has no volume, or nothing solid: give it a closed mesh that is no thinner than 0.1 mm".to_owned());
    }
    let middle = body.axes * bounds.centre();
    let around = |centre: DVec3| points().map(move |point| point - centre);
    let hull_error = |error: HullError| error.to_string();
    let mesh_error = |error: MeshError| error.to_string();
    Ok(match body.shape {
        BodyShape::Sphere => {
            let radii = points().map(|point| point.distance(middle));
            let radius = radii.fold(0.0, f64::max);
            (Shape::Sphere { radius }, middle)
        }
        BodyShape::Capsule => {
            let local = around(middle).map(|p| body_from_author * p);
            (capsule_around(local, half_extents), middle)
        }
        BodyShape::Box => (Shape::Box { half_extents }, middle),
        BodyShape::Hull => {
            let corners = |centre| around(centre).map(|p| body_from_author * p);
            let hull = Hull::of_points(&corners(middle).collect::<Vec<_>>()).map_err(hull_error)?;
            let centre = middle + body.axes * hull.centre();
            let hull = Hull::of_points(&corners(centre).collect::<Vec<_>>()).map_err(hull_error)?;
            (Shape::Hull(hull), centre)
        }
        BodyShape::Mesh => {
            let triangles = |centre: DVec3| -> Vec<Triangle> {
                let corners = |mesh: &MeshSource, triangle: [u32; 3]| Triangle {
                    corners: triangle
                        .map(|i| body_from_author * (mesh.positions[i as usize] - centre)),
                };
                let of_mesh = solid().flat_map(|mesh| {
                    mesh.triangles
                        .iter()
                        .map(move |triangle| corners(mesh, *triangle))
                });
                of_mesh.collect()
            };
            let mesh = Mesh::of_triangles(&triangles(middle)).map_err(mesh_error)?;
            let centre = middle + body.axes * mesh.centre();
            let mesh = Mesh::of_triangles(&triangles(centre)).map_err(mesh_error)?;
            (Shape::Mesh(mesh), centre)
        }
    })
}
