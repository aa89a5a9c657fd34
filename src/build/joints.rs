//! Joints: finds their bodies by name, and computes their frames.

use std::collections::BTreeMap;

use glam::DVec3;

use super::rooms_along_x::Finder;
use super::spawns::room_of_point;
use crate::geometry::{Rigid, closest_on_segment};
use crate::level::{At, BodyId, Joint, JointBase, JointKind, Joints, LevelData, RoomId};
use crate::naming::plain_name;
use crate::problems::{ProblemCode, ProblemPlace, Problems};
use crate::shapes::Shape;
use crate::source::{JointSource, LevelSource};

/// The bodies of a level by node name, and by node name without the ending; `None` if the name without ending is
/// ambiguous. Copies made by spawners are not included.
type Names<'a> = BTreeMap<&'a str, Option<BodyId>>;

/// Adds the joints, sorted by name, with their bodies at the authored poses.
pub(super) fn add_joints(level: &mut LevelData, source: &LevelSource, problems: &mut Problems) {
    if source.joints.is_empty() {
        return;
    }
    let mut sources: Vec<&JointSource> = source.joints.iter().collect();
    sources.sort_by(|a, b| a.node.cmp(&b.node));
    let names = names(level);
    let mut finder = Finder::of(level);
    let mut joints = Vec::new();
    for joint in sources {
        match bodies_of(joint, &names) {
            Ok(bodies) => joints.push(joint_of(level, &mut finder, joint, bodies)),
            Err(why) => {
                let place = ProblemPlace::at(joint.position);
                let code = ProblemCode::JointBodies;
                problems.add(false, code, &joint.node, Some(place), || why);
            }
        }
    }
    drop(names);
    level.joints = Joints::new(joints);
}

fn names(level: &LevelData) -> Names<'_> {
    let mut names = Names::new();
    let bodies = (0..).map(BodyId).zip(&level.bodies);
    let bodies = bodies.filter(|(_, body)| body.spawner.is_none());
    for (id, body) in bodies.clone() {
        let known = names.entry(plain_name(&body.name)).or_insert(Some(id));
        if *known != Some(id) {
            *known = None;
        }
    }
    let mut whole = Names::new();
    for (id, body) in bodies {
        let is_new = whole.insert(&body.name, Some(id)).is_none();
        if !is_new {
            whole.insert(&body.name, None);
        }
    }
    names.extend(whole);
    names
}

/// The body of a joint, and the other body, if the joint is not connected to the room.
///
/// # Errors
/// The mistake in the names, with the cure.
fn bodies_of(joint: &JointSource, names: &Names) -> Result<(BodyId, Option<BodyId>), String> {
    let body = |name: &String| match names.get(name.as_str()) {
        Some(Some(body)) => Ok(*body),
        Some(None) => Err(format!(
            "it holds nothing: its body {name} may be several nodes; write the whole name of one"
        )),
        None => Err(format!(
            "it holds nothing: its body {name} is no rigid body; write the name of one, and not that of a spawner"
        )),
    };
    let (body, base) = match joint.bodies.as_slice() {
        [one] => (body(one)?, None),
        [one, other] => (body(one)?, Some(body(other)?)),
        bodies => {
            return Err(format!(
                "it holds nothing: its property bodies has {} names; write the name of one body, which it holds to the room, or of two, with a comma between them",
                bodies.len()
            ));
        }
    };
    if base == Some(body) {
        return Err(format!(
            "it holds nothing: both names of its property bodies mean {}; write another one",
            joint.bodies[0]
        ));
    }
    Ok((body, base))
}

fn joint_of(
    level: &LevelData,
    finder: &mut Finder,
    source: &JointSource,
    (body, base): (BodyId, Option<BodyId>),
) -> Joint {
    let point = level.from_author(source.position);
    let place_of = |id: BodyId| {
        let body = level.body(id);
        Rigid::new(glam::DMat3::from_quat(body.rotation), body.start.point)
    };
    let place = place_of(body);
    let end = match source.kind {
        JointKind::Rope { .. } => nearest_point(&level.body(body).shape, &place, point),
        _ => point,
    };
    let kind = match source.kind {
        // A rope shorter than the authored distance of its ends would be under tension from the start, so it is
        // lengthened.
        JointKind::Rope { length } => JointKind::Rope {
            length: length
                .max(point.distance(end))
                .max(*JointSource::LENGTH.start()),
        },
        kind => kind,
    };
    let from_joint = |point| Rigid::new(source.axes, point);
    let base = match base {
        Some(base) => {
            let base_from_room = place_of(base).inverse();
            JointBase::Body(base, base_from_room.after(&from_joint(point)))
        }
        None => {
            let parent = source.room.map(|room| RoomId(room as u32));
            let found = room_of_point(level, finder, parent, point).ok().flatten();
            // The point may be inside a wall or a ceiling, where chains end, so it may be in no room.
            let room = found.or(parent).unwrap_or(level.body(body).start.room);
            JointBase::Room(At::new(room, point), source.axes)
        }
    };
    Joint {
        name: source.node.clone(),
        kind,
        damping: source.damping,
        body,
        body_from_joint: place.inverse().after(&from_joint(end)),
        base,
    }
}

/// The point of a shape that is nearest to a point, both in room coordinates.
fn nearest_point(shape: &Shape, room_from_shape: &Rigid, point: DVec3) -> DVec3 {
    let there = room_from_shape.point_from(point);
    let nearest = match shape {
        Shape::Sphere { radius } => there.normalize_or(DVec3::Y) * *radius,
        Shape::Capsule {
            half_segment,
            radius,
        } => {
            let of_segment = closest_on_segment(-*half_segment, *half_segment, there);
            let beside = half_segment.normalize_or(DVec3::X).any_orthonormal_vector();
            of_segment + (there - of_segment).normalize_or(beside) * *radius
        }
        _ => {
            let triangles = shape.triangles();
            let points = triangles.iter().map(|t| t.closest_point(there).0);
            let distance = |p: &DVec3| p.distance_squared(there);
            let nearest = points.min_by(|p, q| distance(p).total_cmp(&distance(q)));
            nearest.unwrap_or(DVec3::ZERO)
        }
    };
    room_from_shape.point(nearest)
}
