//! Transforms a mesh by its node.

use glam::{DAffine3, DMat3, DVec3, Vec3, Vec4};

use super::primitive::Primitive;
use super::scene::MeshInstance;

/// The effect of a node's transform on positions, windings and normals.
pub(crate) struct Transform {
    author_from_mesh: DAffine3,
    /// The transform of normals: up to a positive factor the inverse transpose. It is computed as the cofactor matrix
    /// times the sign of the determinant.
    normals: DMat3,
    /// The transform of tangents: up to a positive factor the matrix of the transform.
    tangents: DMat3,
    /// Whether the determinant is negative, so that the winding has to be flipped.
    pub mirrored: bool,
    /// Whether the determinant is zero.
    pub is_flat: bool,
}

impl Transform {
    pub(crate) fn of(instance: &MeshInstance) -> Self {
        let author_from_mesh = instance.author_from_mesh;
        let matrix = author_from_mesh.matrix3;
        // Columns are normalized, so that the sign of the determinant is correct for tiny and for huge scales.
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
        // If the columns of a matrix are scaled by (a, b, c), those of its inverse transpose are scaled by (1/a, 1/b,
        // 1/c). Only the ratio of these matters.
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
        let largest = matrix.to_cols_array().into_iter().map(f64::abs);
        let largest = largest.fold(f64::MIN_POSITIVE, f64::max);
        Self {
            author_from_mesh,
            normals,
            tangents: matrix * (1.0 / largest),
            mirrored: determinant < 0.0,
            is_flat: determinant.abs() < 1e-9,
        }
    }

    pub(crate) fn positions(&self, primitive: &Primitive) -> Vec<DVec3> {
        let positions = primitive.positions.iter();
        positions
            .map(|p| {
                self.author_from_mesh
                    .transform_point3(Vec3::from_array(*p).as_dvec3())
            })
            .collect()
    }

    pub(crate) fn triangles(&self, primitive: &Primitive) -> Vec<[u32; 3]> {
        let mut triangles = primitive.triangles.clone();
        if self.mirrored {
            for [_, b, c] in &mut triangles {
                std::mem::swap(b, c);
            }
        }
        triangles
    }

    /// Unit normals. Where a vertex has only degenerate faces, exporters write 0, and an arbitrary unit vector is used.
    pub(crate) fn normals(&self, primitive: &Primitive) -> Vec<Vec3> {
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

    /// Unit tangents that belong to `normals`, the result of [`Self::normals`]. Where the file's tangent has no length,
    /// it is arbitrary. Mirroring flips the sign of the bitangent.
    pub(crate) fn tangents(&self, primitive: &Primitive, normals: &[Vec3]) -> Vec<Vec4> {
        let tangents = primitive.tangents.iter().zip(normals);
        tangents
            .map(|(&[x, y, z, w], normal)| {
                let tangent = self.tangents * DVec3::new(x.into(), y.into(), z.into());
                let tangent = tangent.try_normalize().map(DVec3::as_vec3);
                let tangent = tangent.unwrap_or_else(|| normal.any_orthonormal_vector());
                let flipped = (w < 0.0) != self.mirrored;
                tangent.extend(if flipped { -1.0 } else { 1.0 })
            })
            .collect()
    }
}
