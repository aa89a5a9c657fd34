//! The triangles of one material of a mesh, as stored in the file.

use glam::Vec2;

/// The triangles of one material of a mesh.
pub(crate) struct Primitive {
    /// Vertex positions, metres, all finite.
    pub positions: Vec<[f32; 3]>,
    /// One per vertex, finite but not necessarily of unit length; or empty.
    pub normals: Vec<[f32; 3]>,
    /// One per vertex, finite but not necessarily of unit length; `w` is the sign of the bitangent. Empty if no normal
    /// map needs them.
    pub tangents: Vec<[f32; 4]>,
    /// One per vertex; empty if no texture needs them.
    pub uvs: [Vec<Vec2>; 2],
    /// Linear RGBA, one per vertex; or empty.
    pub colours: Vec<[f32; 4]>,
    /// Indices into `positions`, all in range.
    pub triangles: Vec<[u32; 3]>,
    /// Number of vertices in the file, before equal ones are joined. The drawn mesh of a flat-shaded primitive has
    /// about this number again.
    pub given_vertices: usize,
    /// Index of the material in the document; for the default material, the index after the last one.
    pub material: usize,
    /// Warnings about the primitive.
    pub warnings: Vec<String>,
}

impl Primitive {
    /// Keeps only the vertices `kept`, in this order. The caller updates the triangles.
    pub(crate) fn keep_vertices(&mut self, kept: &[u32]) {
        fn pick<T: Copy>(values: &mut Vec<T>, kept: &[u32]) {
            if !values.is_empty() {
                *values = kept.iter().map(|&old| values[old as usize]).collect();
            }
        }
        pick(&mut self.positions, kept);
        pick(&mut self.normals, kept);
        pick(&mut self.tangents, kept);
        for uvs in &mut self.uvs {
            pick(uvs, kept);
        }
        pick(&mut self.colours, kept);
    }
}
