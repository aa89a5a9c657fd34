//! Rigid bodies of OMI_physics_body: nodes with dynamic motion, and the colliders at these nodes and below them.

use std::collections::BTreeMap;

use glam::DVec3;

use super::bodies::axes_of;
use super::collider_surfaces::surface;
use super::document::Document;
use super::physics::{Collider, NodePhysics};
use super::physics_values::{ColliderShape, MotionType};
use super::scene::{
    BodyCollider, InheritedState, MeshInstance, Owner, Purpose, SceneOutline, TreeWalk,
};
use crate::level::AuthorPoint;
use crate::naming::{Role, parse};
use crate::problems::{ProblemCode, ProblemPlace, Problems};
use crate::source::{BodyShape, BodySource, MeshSource};

/// Maximum number of triangles of all colliders together. It is limited because a few bytes of text make about a
/// hundred triangles.
const MAX_TRIANGLES: usize = 1 << 21;
/// Maximum number of nodes beside a collider that are searched for a mesh.
const MAX_BESIDE: usize = 64;
/// Maximum number of levels above a collider that are searched for a mesh.
const MAX_ABOVE: usize = 2;
/// Maximum difference between the scales of a round collider along its axes, as a fraction, without a warning.
const UNEVEN: f64 = 0.01;

impl TreeWalk<'_> {
    /// The role that the extension gives to a node without a role: a body, if its motion is dynamic.
    pub(crate) fn role_by_physics(&mut self, index: usize, role: Role) -> Role {
        let motion = self.physics(index).and_then(|physics| physics.motion);
        let Some(MotionType::Dynamic { .. }) = motion else {
            return role;
        };
        match role {
            Role::Plain | Role::Body => Role::Body,
            _ => {
                let message = format!(
                    "it is one thing by its name (`{}`), and a body by OMI_physics_body, which is not used; give it another name",
                    role.ending()
                );
                let name = self.document.node_name(index);
                self.problems
                    .warn(ProblemCode::BodyExtension, &name, message);
                role
            }
        }
    }

    /// Applies the extension's properties to a node whose role is known.
    pub(crate) fn place_physics(&mut self, index: usize, name: &str, place: &mut InheritedState) {
        let Some(physics) = self.physics(index) else {
            return;
        };
        let at = AuthorPoint(place.author_from_node.translation);
        let warn = |walk: &mut Self, message: &str| {
            let (code, message) = (ProblemCode::BodyExtension, || message.to_owned());
            let at = Some(ProblemPlace::at(at));
            walk.problems.add(false, code, name, at, message);
        };
        match (physics.motion, place.owner) {
            (Some(MotionType::Dynamic { mass }), Owner::Body(body)) => {
                let known = &mut self.scene.source.bodies[body].mass;
                *known = known.or(mass);
            }
            (Some(MotionType::Static | MotionType::Kinematic), owner) => {
                if matches!(physics.motion, Some(MotionType::Kinematic)) {
                    warn(
                        self,
                        "it is kinematic in OMI_physics_body, which is not used: it stands still; name it `NAME-mover`, with properties or an animation that say how it moves",
                    );
                }
                if matches!(owner, Owner::Body(_)) {
                    place.owner = Owner::Room;
                }
            }
            _ => {}
        }
        if physics.is_trigger && !std::mem::replace(&mut place.in_trigger, true) {
            warn(
                self,
                "it is a trigger in OMI_physics_body, which is not used; make a mesh `NAME-trigger` with a property `target`",
            );
        }
        let Some(collider) = physics.collider else {
            return;
        };
        let Owner::Body(body) = place.owner else {
            if collider.shape.is_some() && !self.has_mesh_beside(index) {
                warn(
                    self,
                    "it is a collider in OMI_physics_body that stands still, and no mesh is beside it: nothing is solid there; give it a mesh (`NAME-colonly` is solid and not drawn)",
                );
            }
            return;
        };
        self.add_collider(index, name, place, (body, collider));
    }

    fn add_collider(
        &mut self,
        index: usize,
        name: &str,
        place: &InheritedState,
        (body, collider): (usize, Collider),
    ) {
        let physics = &self.document.physics;
        let surface = collider.material.map(|at| physics.materials.get(at));
        let shape = collider.shape.map(|at| physics.shapes.get(at));
        if let Some(Some(surface)) = surface {
            let body = &mut self.scene.source.bodies[body];
            body.friction.get_or_insert(surface.friction);
            body.bounce.get_or_insert(surface.bounce);
        }
        for (what, is_missing) in [
            ("shape", matches!(shape, Some(None))),
            ("physicsMaterial", matches!(surface, Some(None))),
        ] {
            if is_missing {
                let message = format!(
                    "its collider has a {what} that the file does not have; export it again"
                );
                self.broken(ProblemCode::BodyExtension, name, message);
            }
        }
        let (Some(Some(Some(shape))), Some(room)) = (shape, place.room) else {
            return;
        };
        if let ColliderShape::Convex { mesh } | ColliderShape::Trimesh { mesh } = *shape {
            self.scene.instances.push(MeshInstance {
                node: index,
                mesh,
                author_from_mesh: place.author_from_node,
                purpose: Purpose::Surface {
                    room,
                    owner: place.owner,
                    drawn: false,
                    solid: true,
                    sky: false,
                },
            });
        }
        self.scene.colliders.push(BodyCollider {
            body,
            room,
            node: index,
            author_from_node: place.author_from_node,
            shape: *shape,
        });
    }

    fn physics(&self, index: usize) -> Option<NodePhysics> {
        self.document.physics.nodes.get(&index).copied()
    }

    /// Whether a node, one of the nodes just above it in its room, or one of the children of these has a mesh.
    fn has_mesh_beside(&self, index: usize) -> bool {
        let nodes = &self.document.root.nodes;
        let has_mesh = |index: usize| nodes.get(index).is_some_and(|node| node.mesh.is_some());
        let is_room =
            |index: &usize| parse(nodes[*index].name.as_deref().unwrap_or("")).0 == Role::Room;
        let above = self.above().take_while(|index| !is_room(index));
        let mut near = std::iter::once(index).chain(above.take(MAX_ABOVE));
        near.any(|index| {
            let children = nodes[index].children.iter().flatten().take(MAX_BESIDE);
            has_mesh(index) || children.map(|child| child.value()).any(has_mesh)
        })
    }
}

/// Gives bodies the surfaces of their colliders, once their own meshes are read. A body with one collider gets that
/// collider's shape; a body with several gets a mesh of all of them. The body's own meshes are then only drawn. Returns
/// whether all colliders were used.
pub(crate) fn finish(
    document: &Document,
    scene: &mut SceneOutline,
    problems: &mut Problems,
) -> bool {
    let mut of_bodies: BTreeMap<usize, Vec<BodyCollider>> = BTreeMap::new();
    for collider in std::mem::take(&mut scene.colliders) {
        of_bodies.entry(collider.body).or_default().push(collider);
    }
    let mut left = MAX_TRIANGLES;
    for (body, colliders) in of_bodies {
        let body = &mut scene.source.bodies[body];
        for mesh in body.meshes.iter_mut().filter(|mesh| mesh.drawn) {
            mesh.solid = false;
        }
        // Friction and bounce are taken from the material of the first mesh, so drawn meshes come first.
        body.meshes.sort_by_key(|mesh| !mesh.drawn);
        body.shape = BodyShape::Mesh;
        if let [collider] = colliders.as_slice() {
            body.axes = axes_of(&collider.author_from_node);
            body.shape = shape_of(&collider.shape);
        }
        for collider in &colliders {
            let name = document.node_name(collider.node);
            warn_of_uneven(collider, &name, problems);
            let Some(triangles) = surface(&collider.shape, body.shape) else {
                continue;
            };
            let Some(rest) = left.checked_sub(triangles.len()) else {
                let message = format!(
                    "with it the level has more than {MAX_TRIANGLES} triangles in colliders; split the level"
                );
                problems.error(ProblemCode::TooLarge, &name, message);
                return false;
            };
            left = rest;
            let corners = triangles.iter().flat_map(|triangle| triangle.corners);
            let corners = corners.map(|p| collider.author_from_node.transform_point3(p));
            let positions: Vec<DVec3> = corners.collect();
            if let Some(far) = positions.iter().find(|p| !super::in_reach(**p)) {
                problems.error(ProblemCode::TooFar, &name, super::too_far(*far));
                return false;
            }
            let default = document.root.materials.len();
            let mesh = solid_mesh(body, collider, positions, (&name, default));
            body.meshes.push(mesh);
        }
    }
    true
}

fn warn_of_uneven(collider: &BodyCollider, name: &str, problems: &mut Problems) {
    let scales = [0, 1, 2].map(|i| collider.author_from_node.matrix3.col(i).length());
    let [least, most] = [f64::min, f64::max].map(|f| scales.into_iter().fold(scales[0], f));
    let is_round = matches!(
        collider.shape,
        ColliderShape::Sphere { .. } | ColliderShape::Capsule { .. }
    );
    if is_round && most - least > UNEVEN * most {
        let message = "its round collider is scaled more along one axis than along another: the ball or the capsule around it is used, or the hull; scale it evenly (Godot: change the radius of the shape)";
        problems.warn(ProblemCode::BodyExtension, name, message);
    }
}

/// The triangles of a collider as a mesh that is solid and not drawn.
fn solid_mesh(
    body: &BodySource,
    collider: &BodyCollider,
    positions: Vec<DVec3>,
    (name, default_material): (&str, usize),
) -> MeshSource {
    let is_mirrored = collider.author_from_node.matrix3.determinant() < 0.0;
    let order = if is_mirrored { [0, 2, 1] } else { [0, 1, 2] };
    let count = positions.len() as u32 / 3;
    MeshSource {
        room: collider.room,
        node: name.into(),
        positions,
        normals: Vec::new(),
        tangents: Vec::new(),
        uvs: [Vec::new(), Vec::new()],
        colours: Vec::new(),
        triangles: (0..count).map(|i| order.map(|k| 3 * i + k)).collect(),
        material: body
            .meshes
            .first()
            .map_or(default_material, |mesh| mesh.material),
        drawn: false,
        solid: true,
    }
}

/// The shape of a body whose only collider has this shape.
fn shape_of(shape: &ColliderShape) -> BodyShape {
    match shape {
        ColliderShape::Sphere { .. } => BodyShape::Sphere,
        ColliderShape::Capsule { radii: [a, b], .. } if a == b => BodyShape::Capsule,
        ColliderShape::Box { .. } => BodyShape::Box,
        ColliderShape::Trimesh { .. } => BodyShape::Mesh,
        ColliderShape::Capsule { .. }
        | ColliderShape::Cylinder { .. }
        | ColliderShape::Convex { .. } => BodyShape::Hull,
    }
}
