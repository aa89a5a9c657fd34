//! Generates the tangents that normal maps need, if the file has none. Uses MikkTSpace, the algorithm with which the
//! map was most likely baked.

use bevy_mikktspace::{Geometry, Ops, TangentSpace, generate_tangents};
use glam::{DVec3, Vec2, Vec3};

use super::primitive::Primitive;
use crate::level::Texture;

/// Maximum number of triangles of a primitive. They take seconds and 150 MB.
const MAX_TRIANGLES: usize = 1 << 20;
/// Maximum number of triangles at one point, because the package visits them recursively.
const MAX_AROUND: usize = 1 << 10;
/// Maximum sum, over all points, of the squared number of triangles at the point. The package's running time is
/// proportional to this sum. For a million triangles in a regular grid it is 18 million.
const MAX_WORK: usize = 1 << 26;

/// Generates tangents from the texture coordinates of the normal map; if there are no normals, first flat normals.
/// Splits vertices whose corners get different tangents.
pub(crate) fn make(primitive: &mut Primitive, normal_map: &Texture) -> Result<(), String> {
    if primitive.normals.is_empty() {
        make_flat_normals(primitive);
    }
    let uvs = &primitive.uvs[usize::from(normal_map.uv_set)];
    if uvs.is_empty() {
        return Ok(());
    }
    check_size(primitive)?;
    let mut corners = TangentCorners::of(primitive, uvs, normal_map);
    match generate_tangents(&mut corners) {
        Ok(()) => {}
        Err(error) => return Err(format!("gets no tangents for its normal map: {error}")),
    }
    let tangents = corners.tangents;
    split_vertices(primitive, &tangents);
    Ok(())
}

/// Gives each corner a vertex of its own, with the normal of its triangle.
fn make_flat_normals(primitive: &mut Primitive) {
    let kept: Vec<u32> = primitive.triangles.iter().flatten().copied().collect();
    primitive.keep_vertices(&kept);
    let triangles = primitive.positions.as_chunks::<3>().0.iter();
    primitive.normals = triangles
        .flat_map(|corners| {
            let [a, b, c] = corners.map(|p| Vec3::from_array(p).as_dvec3());
            [unit((b - a).cross(c - a)).to_array(); 3]
        })
        .collect();
    let count = primitive.triangles.len() as u32;
    primitive.triangles = (0..count).map(|i| [3 * i, 3 * i + 1, 3 * i + 2]).collect();
}

/// The normalized vector; if its length is zero, an arbitrary unit vector.
fn unit(normal: DVec3) -> Vec3 {
    normal.try_normalize().unwrap_or(DVec3::Y).as_vec3()
}

fn check_size(primitive: &Primitive) -> Result<(), String> {
    let count = primitive.triangles.len();
    if count > MAX_TRIANGLES {
        return Err(format!(
            "has {count} triangles, too many to make tangents for its normal map; export it with tangents, or split it"
        ));
    }
    let corners = primitive.triangles.iter().flatten();
    let mut points: Vec<[u32; 3]> = corners
        .map(|&corner| primitive.positions[corner as usize].map(f32::to_bits))
        .collect();
    points.sort_unstable();
    let around = points.chunk_by(|a, b| a == b).map(<[_]>::len);
    let most = around.clone().max().unwrap_or(0);
    if most > MAX_AROUND || around.map(|n| n * n).sum::<usize>() > MAX_WORK {
        return Err(format!(
            "has up to {most} triangles around one point, too many to make tangents for its normal map; export it with tangents"
        ));
    }
    Ok(())
}

/// The triangles in the form that the package reads.
struct TangentCorners<'a> {
    primitive: &'a Primitive,
    /// Unit normals of the vertices.
    normals: Vec<Vec3>,
    /// Texture coordinates of the vertices, with v up. With this the package's sign of the bitangent is that of glTF.
    uvs: Vec<Vec2>,
    /// The triangles, except those with two corners at one point; for these, the package would search through all
    /// others.
    faces: Vec<u32>,
    /// One tangent for each corner of all triangles.
    tangents: Vec<[f32; 4]>,
}

impl<'a> TangentCorners<'a> {
    fn of(primitive: &'a Primitive, uvs: &[Vec2], normal_map: &Texture) -> Self {
        let normals = primitive.normals.iter();
        let normals: Vec<Vec3> = normals
            .map(|&normal| unit(Vec3::from_array(normal).as_dvec3()))
            .collect();
        let uvs = uvs.iter().map(|&uv| {
            let uv = normal_map.uv_from_vertex * uv + normal_map.uv_offset;
            Vec2::new(uv.x, -uv.y)
        });
        let faces = (0..).zip(&primitive.triangles).filter(|(_, triangle)| {
            let [a, b, c] = triangle.map(|corner| primitive.positions[corner as usize]);
            a != b && b != c && c != a
        });
        let corners = primitive.triangles.iter().flatten();
        let any = |&corner: &u32| {
            let tangent = normals[corner as usize].any_orthonormal_vector();
            tangent.extend(1.0).to_array()
        };
        Self {
            primitive,
            uvs: uvs.collect(),
            faces: faces.map(|(face, _)| face).collect(),
            tangents: corners.map(any).collect(),
            normals,
        }
    }

    fn vertex(&self, face: usize, corner: usize) -> usize {
        self.primitive.triangles[self.faces[face] as usize][corner] as usize
    }
}

/// Math functions with identical results on all platforms.
struct Libm;

impl Ops for Libm {
    fn sqrt(x: f32) -> f32 {
        x.sqrt()
    }

    fn acos(x: f32) -> f32 {
        libm::acosf(x)
    }
}

impl Geometry<Libm> for TangentCorners<'_> {
    fn num_faces(&self) -> usize {
        self.faces.len()
    }

    fn num_vertices_of_face(&self, _face: usize) -> usize {
        3
    }

    fn position(&self, face: usize, corner: usize) -> [f32; 3] {
        self.primitive.positions[self.vertex(face, corner)]
    }

    fn normal(&self, face: usize, corner: usize) -> [f32; 3] {
        self.normals[self.vertex(face, corner)].to_array()
    }

    fn tex_coord(&self, face: usize, corner: usize) -> [f32; 2] {
        self.uvs[self.vertex(face, corner)].to_array()
    }

    fn set_tangent(&mut self, space: Option<TangentSpace>, face: usize, corner: usize) {
        let Some(tangent) = space.map(|space| space.tangent_encoded()) else {
            return;
        };
        // A triangle without area in the texture has no valid tangent.
        let [x, y, z, _] = tangent;
        if Vec3::new(x, y, z).is_normalized() {
            self.tangents[3 * self.faces[face] as usize + corner] = tangent;
        }
    }
}

/// Makes one vertex for each distinct pair of vertex and tangent.
fn split_vertices(primitive: &mut Primitive, tangents: &[[f32; 4]]) {
    let vertices: Vec<u32> = primitive.triangles.iter().flatten().copied().collect();
    let key = |corner: &u32| {
        let corner = *corner as usize;
        (vertices[corner], tangents[corner].map(f32::to_bits))
    };
    let mut corners: Vec<u32> = (0..vertices.len() as u32).collect();
    corners.sort_unstable_by_key(key);
    let (mut kept, mut kept_tangents) = (Vec::new(), Vec::new());
    for same in corners.chunk_by(|a, b| key(a) == key(b)) {
        for &corner in same {
            primitive.triangles[corner as usize / 3][corner as usize % 3] = kept.len() as u32;
        }
        let first = same[0] as usize;
        kept.push(vertices[first]);
        kept_tangents.push(tangents[first]);
    }
    primitive.keep_vertices(&kept);
    primitive.tangents = kept_tangents;
}
