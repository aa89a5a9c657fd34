//! Mesh instances: places triangles in author's coordinates, with the correct winding.

use std::ops::ControlFlow;
use std::sync::Arc;

use glam::DVec3;
use gltf::json;

use super::accessor::AccessorBuffers;
use super::document::Document;
use super::mesh::{self, PrimitiveError};
use super::node_places::{bounds_of, place_of};
use super::primitive::Primitive;
use super::scene::{MeshInstance, Origin, Origins, Owner, Purpose, SceneOutline};
use super::transform::Transform;
use crate::geometry::Aabb;
use crate::level::Material;
use crate::problems::{ProblemCode, ProblemPlace, Problems};
use crate::source::{LevelSource, MeshSource, TriggerKindSource};

/// Maximum number of vertices of all instances together, and likewise of triangles. A mesh may be instanced any number
/// of times, so a small file could request any amount of memory. At both limits, a level takes about a gigabyte.
const MAX_PLACED: usize = 1 << 24;
/// Each instance of a primitive counts as at least this number of vertices, because of the memory of its lists.
const MIN_PLACED: usize = 8;
/// Maximum number of nodes whose bounds are used to locate a primitive that was left out.
const MAX_NODES_OF_PLACE: usize = 100;

/// Reads the meshes of all instances into the scene's source. Returns whether all of them could be read.
pub(crate) fn read(
    document: &Document,
    buffers: &mut AccessorBuffers,
    mut materials: Vec<Material>,
    scene: &mut SceneOutline,
    problems: &mut Problems,
) -> bool {
    let mut instances = std::mem::take(&mut scene.instances);
    let shows_sky =
        |instance: &MeshInstance| matches!(instance.purpose, Purpose::Surface { sky: true, .. });
    let has_sky = instances.iter().any(shows_sky);
    // Sorted by mesh, so that each mesh is read once and freed early.
    instances.sort_by_key(|instance| instance.mesh);
    let mut placing = Placing {
        document,
        source: &mut scene.source,
        origins: &mut scene.origins,
        problems,
        sky_material: materials.len() + 1,
        room_left: MAX_PLACED,
        complete: true,
    };
    for instances in instances.chunk_by(|a, b| a.mesh == b.mesh) {
        if placing.mesh(buffers, &materials, instances).is_break() {
            break;
        }
    }
    let complete = placing.complete;
    // Primitives without a material use the index after the last one.
    materials.push(Material::default());
    if has_sky {
        materials.push(Material {
            name: "sky".to_owned(),
            sky: true,
            ..Material::default()
        });
    }
    scene.source.materials = materials;
    complete
}

struct Placing<'a> {
    document: &'a Document,
    source: &'a mut LevelSource,
    origins: &'a mut Origins,
    problems: &'a mut Problems,
    /// Index of the material that replaces the material of meshes that show the sky.
    sky_material: usize,
    /// Vertices or triangles left of [`MAX_PLACED`].
    room_left: usize,
    complete: bool,
}

impl Placing<'_> {
    /// Adds all instances of one mesh. Breaks if the level is too large.
    fn mesh(
        &mut self,
        buffers: &mut AccessorBuffers,
        materials: &[Material],
        instances: &[MeshInstance],
    ) -> ControlFlow<()> {
        let Some(first) = instances.first() else {
            return ControlFlow::Continue(());
        };
        let (node, index) = (self.document.node_name(first.node), first.mesh);
        let Some(mesh) = self.document.root.meshes.get(index) else {
            self.broken(
                ProblemCode::Mesh,
                &node,
                format!("there is no mesh {index}; export it again"),
            );
            return ControlFlow::Continue(());
        };
        let name = match &mesh.name {
            Some(name) => format!("mesh {index} ({name})"),
            None => format!("mesh {index}"),
        };
        let transforms: Vec<Transform> = instances.iter().map(Transform::of).collect();
        let names = instances.iter().map(|i| self.document.node_name(i.node));
        let names: Vec<Arc<str>> = names.map(Arc::from).collect();
        let is_portal =
            |(i, _): &(&MeshInstance, &Arc<str>)| matches!(i.purpose, Purpose::Portal(_));
        let named = || instances.iter().zip(&names);
        let mut portals: Vec<&str> = named().filter(is_portal).map(|(_, n)| &**n).collect();
        let others: Vec<&str> = named()
            .filter(|i| !is_portal(i))
            .map(|(_, n)| &**n)
            .collect();
        if mesh.primitives.is_empty() {
            let what = format!("{name} has no primitives");
            self.skipped(&mut portals, &others, None, &what);
        } else {
            self.warn_of_flat(instances, &transforms);
        }
        for (at, primitive) in mesh.primitives.iter().enumerate() {
            match mesh::read(buffers, primitive, materials) {
                Ok(primitive) => {
                    for warning in &primitive.warnings {
                        let message = format!("{name}, primitive {at} {warning}");
                        self.problems.warn(ProblemCode::MeshOdd, &node, message);
                    }
                    if primitive.triangles.is_empty() {
                        continue;
                    }
                    for ((instance, transform), node) in
                        instances.iter().zip(&transforms).zip(&names)
                    {
                        self.place((&primitive, at), instance, transform, node)?;
                    }
                }
                Err(PrimitiveError::Skipped(why)) => {
                    let what = format!("{name}, primitive {at} {why}");
                    let place = self.place_in_all(primitive, instances);
                    self.skipped(&mut portals, &others, place, &what);
                }
                Err(PrimitiveError::Broken(why)) => {
                    let message = format!("{name}, primitive {at}: {why}; export it again");
                    self.broken(ProblemCode::Mesh, &node, message);
                }
                Err(PrimitiveError::TooMuch(why)) => {
                    self.broken(ProblemCode::TooLarge, &node, why.to_string());
                    return ControlFlow::Break(());
                }
            }
        }
        ControlFlow::Continue(())
    }

    /// Reports an error because of which something is left out of the level.
    fn broken(&mut self, code: ProblemCode, node: &str, message: String) {
        self.problems.error(code, node, message);
        self.complete = false;
    }

    /// Reports that a part of a mesh was left out: once for each portal that it was part of, and once for all other
    /// nodes, at the first one. Removes the portals from the list, so that each is reported only once.
    fn skipped(
        &mut self,
        portals: &mut Vec<&str>,
        others: &[&str],
        place: Option<ProblemPlace>,
        what: &str,
    ) {
        for portal in portals.drain(..) {
            let message = format!("{what}; a portal is one polygon of triangles");
            self.problems
                .error(ProblemCode::PortalMesh, portal, message);
        }
        let Some((first, rest)) = others.split_first() else {
            return;
        };
        let message = match rest.len() {
            0 => format!("{what}: it is neither drawn nor solid"),
            more => format!("{what}: it is neither drawn nor solid, here and in {more} more nodes"),
        };
        self.problems
            .add(false, ProblemCode::MeshSkipped, first, place, || message);
    }

    /// The bounds of a primitive in all nodes that instance its mesh, up to a limit of nodes.
    fn place_in_all(
        &self,
        primitive: &json::mesh::Primitive,
        instances: &[MeshInstance],
    ) -> Option<ProblemPlace> {
        let bounds = bounds_of(self.document, primitive)?;
        let instances = instances.iter().take(MAX_NODES_OF_PLACE);
        let corners = instances.flat_map(|instance| {
            let corners = bounds.corners().into_iter();
            corners.map(|p| instance.author_from_mesh.transform_point3(p))
        });
        let around = Aabb::around(corners.filter(|&p| super::in_reach(p)));
        (!around.is_empty()).then(|| ProblemPlace::of_mesh(around))
    }

    fn warn_of_flat(&mut self, instances: &[MeshInstance], transforms: &[Transform]) {
        for (instance, transform) in instances.iter().zip(transforms) {
            if transform.is_flat {
                let message =
                    "its scale, or one above it, flattens it to nothing; set a scale that is not 0";
                let node = self.document.node_name(instance.node);
                let at = place_of(self.document, instance.node, &instance.author_from_mesh, 1);
                let code = ProblemCode::FlatScale;
                self.problems
                    .add(false, code, &node, at, || message.to_owned());
            }
        }
    }

    /// Adds one instance of a primitive. Breaks if the level is too large.
    fn place(
        &mut self,
        (primitive, at): (&Primitive, usize),
        instance: &MeshInstance,
        transform: &Transform,
        node: &Arc<str>,
    ) -> ControlFlow<()> {
        let size = primitive.given_vertices.max(primitive.triangles.len());
        let Some(left) = self.room_left.checked_sub(size.max(MIN_PLACED)) else {
            let message = format!(
                "with it the level has more than {MAX_PLACED} vertices or triangles (a part of a mesh counts as at least {MIN_PLACED}); split the level"
            );
            self.broken(ProblemCode::TooLarge, node, message);
            return ControlFlow::Break(());
        };
        self.room_left = left;
        let positions = transform.positions(primitive);
        if let Some(far) = positions.iter().find(|p| !super::in_reach(**p)) {
            self.broken(ProblemCode::TooFar, node, super::too_far(*far));
            return ControlFlow::Continue(());
        }
        let triangles = transform.triangles(primitive);
        let origin = Origin {
            primitive: [instance.mesh, at],
            node: instance.node,
            author_from_mesh: instance.author_from_mesh,
            mirrored: transform.mirrored,
            triangles: triangles.len(),
        };
        match instance.purpose {
            Purpose::Portal(index) => {
                let portal = &mut self.source.portals[index];
                portal.triangles.extend(corners(&positions, &triangles));
                self.origins.portals.push((index, origin));
            }
            Purpose::Bound(index) => {
                let bound = &mut self.source.bounds[index];
                bound.triangles.extend(corners(&positions, &triangles));
            }
            Purpose::Trigger(index) => {
                let volume = corners(&positions, &triangles);
                if let TriggerKindSource::Volume(known) = &mut self.source.triggers[index].kind {
                    known.extend(volume);
                }
            }
            Purpose::Surface {
                room,
                owner,
                drawn,
                solid,
                sky,
            } => {
                let meshes = match owner {
                    Owner::Mover(mover) => &mut self.source.movers[mover].meshes,
                    Owner::Body(body) => &mut self.source.bodies[body].meshes,
                    Owner::Room => {
                        self.origins.meshes.push(origin);
                        &mut self.source.meshes
                    }
                };
                let mut mesh = MeshSource {
                    room,
                    node: node.clone(),
                    positions,
                    normals: Vec::new(),
                    tangents: Vec::new(),
                    uvs: [Vec::new(), Vec::new()],
                    colours: Vec::new(),
                    triangles,
                    material: self.sky_material,
                    drawn,
                    solid,
                };
                if !sky {
                    mesh.normals = transform.normals(primitive);
                    mesh.tangents = transform.tangents(primitive, &mesh.normals);
                    mesh.uvs = primitive.uvs.clone();
                    mesh.colours = primitive.colours.clone();
                    mesh.material = primitive.material;
                }
                // Reserves space for one mesh, because most movers and bodies have only one; `push` would reserve space
                // for four.
                if meshes.is_empty() {
                    meshes.reserve_exact(1);
                }
                meshes.push(mesh);
            }
        }
        ControlFlow::Continue(())
    }
}

fn corners<'a>(
    positions: &'a [DVec3],
    triangles: &'a [[u32; 3]],
) -> impl Iterator<Item = [DVec3; 3]> + 'a {
    triangles
        .iter()
        .map(|triangle| triangle.map(|corner| positions[corner as usize]))
}
