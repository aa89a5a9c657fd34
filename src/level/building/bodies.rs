//! Rigid bodies: from the source to the graph.

use glam::{DMat3, DQuat, DVec3};

use super::meshes::append_draws;
use super::rooms_along_x::{Finder, TooMany};
use super::spawns::room_of_point;
use crate::geometry::Aabb;
use crate::level::{
    At, AuthorPoint, BodyShape, BodySource, LevelData, LevelSource, Material, MeshSource,
    ProblemCode, ProblemPlace, Problems, RigidBody, RoomId,
};
use crate::shapes::Shape;

/// Bodies smaller than this along an axis, metres, have no volume.
const MIN_SIZE: f64 = 1e-4;

/// Adds all bodies, sorted by name, each in the room that its centre is in.
pub(super) fn add_bodies(level: &mut LevelData, source: &LevelSource, problems: &mut Problems) {
    let mut bodies: Vec<&BodySource> = source.bodies.iter().collect();
    bodies.sort_by(|a, b| a.node.cmp(&b.node));
    let mut finder = Finder::of(level);
    for body in bodies {
        let Some((shape, centre)) = shape_of(body) else {
            let message = "it has no volume, or nothing solid: give it a closed mesh that is no thinner than 0.1 mm";
            problems.error(ProblemCode::BodyDegenerate, &body.node, message);
            continue;
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
                "its centre is inside no room; move it into one, and see that the room is closed and its faces look inwards".to_owned()
            });
            continue;
        };
        let mass = shape.mass_properties(BodySource::DENSITY);
        let material = body.meshes.first().map(|mesh| mesh.material);
        let material = material.and_then(|index| level.materials.get(index));
        let friction = material.map_or(Material::FRICTION, |material| material.friction);
        let bounce = material.map_or(0.0, |material| material.bounce);
        let meshes: Vec<&MeshSource> = body.meshes.iter().collect();
        let (draws, _) = append_draws(level, &meshes);
        level.bodies.push(RigidBody {
            name: body.node.clone(),
            start: At::new(room, point),
            rotation: DQuat::from_mat3(&body.axes),
            mass: body
                .mass
                .map_or(mass, |kilograms| mass.with_mass(kilograms)),
            shape,
            friction: body.friction.unwrap_or(friction),
            bounce: body.bounce.unwrap_or(bounce),
            draws,
        });
    }
}

/// The shape of a body around its centre of mass, and where that is, in author's coordinates.
fn shape_of(body: &BodySource) -> Option<(Shape, DVec3)> {
    let body_from_author: DMat3 = body.axes.transpose();
    let solid = || body.meshes.iter().filter(|mesh| mesh.solid);
    let points = || solid().flat_map(|mesh| mesh.positions.iter().copied());
    let bounds = Aabb::around(points().map(|point| body_from_author * point));
    let half_extents = (bounds.max - bounds.min) * 0.5;
    // Also NaN.
    if !(half_extents.min_element() * 2.0 >= MIN_SIZE && half_extents.is_finite()) {
        return None;
    }
    let centre = body.axes * bounds.centre();
    let shape = match body.shape {
        BodyShape::Sphere => {
            let radii = points().map(|point| point.distance(centre));
            Shape::Sphere {
                radius: radii.fold(0.0, f64::max),
            }
        }
        BodyShape::Box => Shape::Box { half_extents },
    };
    Some((shape, centre))
}
