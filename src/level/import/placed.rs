//! Meshes at their places: triangles in the author's coordinates, with the right winding.

use glam::{DAffine3, DMat3, DVec3, Vec3};

use super::accessor::Buffers;
use super::document::Document;
use super::materials::Surface;
use super::mesh::{self, Mesh, Primitive};
use super::scene::{Instance, Purpose, Scene};
use crate::level::{Material, MeshSource, Problems};

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
    let mut room_left = MAX_PLACED;
    let mut complete = true;
    for group in instances.chunk_by(|a, b| a.mesh == b.mesh) {
        let Some(first) = group.first() else { continue };
        let mesh = mesh::read(&document.root, buffers, first.mesh, &surfaces);
        report(&mesh, &document.node_name(first.node), problems);
        complete &= mesh.errors.is_empty();
        for instance in group {
            let name = document.node_name(instance.node);
            complete &= place(&mesh, instance, &name, &mut room_left, scene, problems);
        }
    }
    let materials = surfaces.into_iter().map(|surface| surface.material);
    scene.source.materials = materials.collect();
    // Primitives without a material use the one past the last.
    scene.source.materials.push(Material::default());
    complete
}

fn report(mesh: &Mesh, node: &str, problems: &mut Problems) {
    for error in &mesh.errors {
        problems.error("mesh", node, format!("{error}; export it again"));
    }
    for warning in &mesh.warnings {
        problems.warn("mesh-odd", node, warning);
    }
}

/// Adds the mesh as the instance wants it. Returns whether it could be.
fn place(
    mesh: &Mesh,
    instance: &Instance,
    name: &str,
    room_left: &mut usize,
    scene: &mut Scene,
    problems: &mut Problems,
) -> bool {
    let is_portal = matches!(instance.purpose, Purpose::Portal(_));
    for skipped in &mesh.skipped {
        if is_portal {
            let message = format!("{skipped}; a portal is one polygon of triangles");
            problems.error("portal-mesh", name, message);
        } else {
            let message = format!("{skipped}: it is neither drawn nor solid");
            problems.warn("mesh-skipped", name, message);
        }
    }
    let frame = Frame::of(&instance.author_from_mesh);
    if frame.is_flat && !mesh.primitives.is_empty() {
        let message =
            "its scale, or one above it, flattens it to nothing; set a scale that is not 0";
        problems.warn("flat-scale", name, message);
    }
    for primitive in &mesh.primitives {
        let size = primitive.positions.len().max(primitive.triangles.len());
        let Some(left) = room_left.checked_sub(size) else {
            let message = format!(
                "with it the level has more than {MAX_PLACED} vertices or triangles; split the level"
            );
            problems.error("too-large", name, message);
            return false;
        };
        *room_left = left;
        let positions = frame.positions(primitive);
        if let Some(far) = positions.iter().find(|p| !super::in_reach(**p)) {
            problems.error("too-far", name, super::too_far(*far));
            return false;
        }
        let triangles = frame.triangles(primitive);
        match instance.purpose {
            Purpose::Portal(index) => {
                let portal = &mut scene.source.portals[index];
                portal.triangles.extend(corners(&positions, &triangles));
            }
            Purpose::Bound(index) => {
                let bound = &mut scene.source.bounds[index];
                bound.triangles.extend(corners(&positions, &triangles));
            }
            Purpose::Surface {
                room,
                door,
                drawn,
                solid,
            } => {
                let meshes = match door {
                    Some(door) => &mut scene.source.doors[door].meshes,
                    None => &mut scene.source.meshes,
                };
                meshes.push(MeshSource {
                    room,
                    node: name.to_owned(),
                    normals: frame.normals(primitive),
                    uvs: primitive.uvs.clone(),
                    positions,
                    triangles,
                    material: primitive.material,
                    drawn,
                    solid,
                });
            }
        }
    }
    true
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
    fn of(author_from_mesh: &DAffine3) -> Self {
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
            author_from_mesh: *author_from_mesh,
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
