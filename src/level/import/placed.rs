//! Meshes at their places: triangles in the author's coordinates, with the right winding.

use std::ops::ControlFlow;

use glam::{DAffine3, DMat3, DVec3, Vec3};

use super::accessor::Buffers;
use super::document::Document;
use super::materials::Surface;
use super::mesh::{self, Primitive, Unread};
use super::scene::{Instance, Purpose, Scene};
use crate::level::{LevelSource, Material, MeshSource, Problems};

/// Vertices, and triangles, of all instances together. A mesh may be shown any number of times,
/// so that a small file could ask for any amount of memory; with both at the limit they take
/// about a gigabyte.
const MAX_PLACED: usize = 1 << 24;

/// Reads the meshes of all instances into the scene's source. Returns whether all of them could
/// be read.
pub(super) fn read(
    document: &Document,
    buffers: &mut Buffers,
    surfaces: Vec<Surface>,
    scene: &mut Scene,
    problems: &mut Problems,
) -> bool {
    let mut instances = std::mem::take(&mut scene.instances);
    // Instances of one mesh come one after another, so that it is read once and kept no longer.
    instances.sort_by_key(|instance| instance.mesh);
    let mut placing = Placing {
        document,
        source: &mut scene.source,
        problems,
        room_left: MAX_PLACED,
        complete: true,
    };
    for instances in instances.chunk_by(|a, b| a.mesh == b.mesh) {
        if placing.mesh(buffers, &surfaces, instances).is_break() {
            break;
        }
    }
    let complete = placing.complete;
    let materials = surfaces.into_iter().map(|surface| surface.material);
    scene.source.materials = materials.collect();
    // Primitives without a material use the one past the last.
    scene.source.materials.push(Material::default());
    complete
}

struct Placing<'a> {
    document: &'a Document,
    source: &'a mut LevelSource,
    problems: &'a mut Problems,
    /// Of [`MAX_PLACED`].
    room_left: usize,
    complete: bool,
}

impl Placing<'_> {
    /// Adds one mesh for all instances of it; breaks when the level is too large.
    fn mesh(
        &mut self,
        buffers: &mut Buffers,
        surfaces: &[Surface],
        instances: &[Instance],
    ) -> ControlFlow<()> {
        let Some(first) = instances.first() else {
            return ControlFlow::Continue(());
        };
        let (node, index) = (self.document.node_name(first.node), first.mesh);
        let Some(mesh) = self.document.root.meshes.get(index) else {
            self.broken(
                "mesh",
                &node,
                format!("there is no mesh {index}; export it again"),
            );
            return ControlFlow::Continue(());
        };
        let name = match &mesh.name {
            Some(name) => format!("mesh {index} ({name})"),
            None => format!("mesh {index}"),
        };
        let frames: Vec<Frame> = instances.iter().map(Frame::of).collect();
        if mesh.primitives.is_empty() {
            self.skipped(instances, &format!("{name} has no primitives"));
        } else {
            self.warn_of_flat(instances, &frames);
        }
        for (at, primitive) in mesh.primitives.iter().enumerate() {
            match mesh::read(buffers, primitive, surfaces) {
                Ok(primitive) => {
                    for warning in &primitive.warnings {
                        let message = format!("{name}, primitive {at} {warning}");
                        self.problems.warn("mesh-odd", &node, message);
                    }
                    for (instance, frame) in instances.iter().zip(&frames) {
                        self.place(&primitive, instance, frame)?;
                    }
                }
                Err(Unread::Skipped(why)) => {
                    self.skipped(instances, &format!("{name}, primitive {at} {why}"));
                }
                Err(Unread::Broken(why)) => {
                    let message = format!("{name}, primitive {at}: {why}; export it again");
                    self.broken("mesh", &node, message);
                }
                Err(Unread::TooMuch(why)) => {
                    self.broken("too-large", &node, why.to_string());
                    return ControlFlow::Break(());
                }
            }
        }
        ControlFlow::Continue(())
    }

    /// An error that leaves something out of the level.
    fn broken(&mut self, code: &'static str, node: &str, message: String) {
        self.problems.error(code, node, message);
        self.complete = false;
    }

    fn skipped(&mut self, instances: &[Instance], what: &str) {
        for instance in instances {
            let node = self.document.node_name(instance.node);
            if matches!(instance.purpose, Purpose::Portal(_)) {
                let message = format!("{what}; a portal is one polygon of triangles");
                self.problems.error("portal-mesh", &node, message);
            } else {
                let message = format!("{what}: it is neither drawn nor solid");
                self.problems.warn("mesh-skipped", &node, message);
            }
        }
    }

    fn warn_of_flat(&mut self, instances: &[Instance], frames: &[Frame]) {
        for (instance, frame) in instances.iter().zip(frames) {
            if frame.is_flat {
                let message =
                    "its scale, or one above it, flattens it to nothing; set a scale that is not 0";
                let node = self.document.node_name(instance.node);
                self.problems.warn("flat-scale", &node, message);
            }
        }
    }

    /// Adds one primitive as one instance wants it; breaks when the level is too large.
    fn place(
        &mut self,
        primitive: &Primitive,
        instance: &Instance,
        frame: &Frame,
    ) -> ControlFlow<()> {
        let node = self.document.node_name(instance.node);
        let size = primitive.positions.len().max(primitive.triangles.len());
        let Some(left) = self.room_left.checked_sub(size) else {
            let message = format!(
                "with it the level has more than {MAX_PLACED} vertices or triangles; split the level"
            );
            self.broken("too-large", &node, message);
            return ControlFlow::Break(());
        };
        self.room_left = left;
        let positions = frame.positions(primitive);
        if let Some(far) = positions.iter().find(|p| !super::in_reach(**p)) {
            self.broken("too-far", &node, super::too_far(*far));
            return ControlFlow::Continue(());
        }
        let triangles = frame.triangles(primitive);
        match instance.purpose {
            Purpose::Portal(index) => {
                let portal = &mut self.source.portals[index];
                portal.triangles.extend(corners(&positions, &triangles));
            }
            Purpose::Bound(index) => {
                let bound = &mut self.source.bounds[index];
                bound.triangles.extend(corners(&positions, &triangles));
            }
            Purpose::Surface {
                room,
                door,
                drawn,
                solid,
            } => {
                let meshes = match door {
                    Some(door) => &mut self.source.doors[door].meshes,
                    None => &mut self.source.meshes,
                };
                meshes.push(MeshSource {
                    room,
                    node,
                    normals: frame.normals(primitive),
                    tangents: Vec::new(),
                    uvs: [primitive.uvs.clone(), Vec::new()],
                    colours: Vec::new(),
                    positions,
                    triangles,
                    material: primitive.material,
                    drawn,
                    solid,
                });
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

/// How a node's transform acts on positions, windings and normals.
struct Frame {
    author_from_mesh: DAffine3,
    /// Takes normals along: the inverse transpose up to a positive factor, which is the matrix of
    /// cofactors with the sign of the determinant.
    normals: DMat3,
    /// The determinant is negative: front faces have to be turned back to the front.
    mirrored: bool,
    /// The determinant is zero.
    is_flat: bool,
}

impl Frame {
    fn of(instance: &Instance) -> Self {
        let author_from_mesh = instance.author_from_mesh;
        let matrix = author_from_mesh.matrix3;
        // Columns of length 1, so that neither tiny nor huge scales change the sign.
        let unit = |column: DVec3| {
            let largest = column.abs().max_element();
            (column / largest).try_normalize().unwrap_or(DVec3::ZERO)
        };
        let (x, y, z) = (
            unit(matrix.x_axis),
            unit(matrix.y_axis),
            unit(matrix.z_axis),
        );
        let determinant = x.dot(y.cross(z));
        let sign = if determinant < 0.0 { -1.0 } else { 1.0 };
        // Scaling the columns of the matrix by (a, b, c) scales those of its inverse transpose by
        // (1/a, 1/b, 1/c); only their ratio matters.
        let lengths = DVec3::new(
            matrix.x_axis.length(),
            matrix.y_axis.length(),
            matrix.z_axis.length(),
        );
        let least = lengths.min_element();
        let normals = DMat3::from_cols(
            y.cross(z) * (sign * least / lengths.x),
            z.cross(x) * (sign * least / lengths.y),
            x.cross(y) * (sign * least / lengths.z),
        );
        Self {
            author_from_mesh,
            normals,
            mirrored: determinant < 0.0,
            is_flat: determinant.abs() < 1e-9,
        }
    }

    fn positions(&self, primitive: &Primitive) -> Vec<DVec3> {
        let positions = primitive.positions.iter();
        positions
            .map(|p| {
                self.author_from_mesh
                    .transform_point3(Vec3::from_array(*p).as_dvec3())
            })
            .collect()
    }

    fn triangles(&self, primitive: &Primitive) -> Vec<[u32; 3]> {
        let mut triangles = primitive.triangles.clone();
        if self.mirrored {
            for [_, b, c] in &mut triangles {
                std::mem::swap(b, c);
            }
        }
        triangles
    }

    /// Unit normals. Exporters write 0 where a vertex has only degenerate faces: any will do.
    fn normals(&self, primitive: &Primitive) -> Vec<Vec3> {
        if self.is_flat {
            return Vec::new();
        }
        let normals = primitive.normals.iter();
        normals
            .map(|n| {
                let normal = self.normals * Vec3::from_array(*n).as_dvec3();
                normal.try_normalize().unwrap_or(DVec3::Y).as_vec3()
            })
            .collect()
    }
}
