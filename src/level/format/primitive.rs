//! The triangles of one material of a mesh, as the file has them.

use glam::Vec2;

/// The triangles of one material of a mesh.
pub(super) struct Primitive {
    /// Corners, metres, all finite.
    pub positions: Vec<[f32; 3]>,
    /// One a corner, finite but not of unit length; or empty.
    pub normals: Vec<[f32; 3]>,
    /// One a corner, finite but not of unit length, `w` being the side of the bitangent; or empty,
    /// as they are where no normal map wants them.
    pub tangents: Vec<[f32; 4]>,
    /// One a corner; or empty, as those are that no texture wants.
    pub uvs: [Vec<Vec2>; 2],
    /// Linear RGBA, one a corner; or empty.
    pub colours: Vec<[f32; 4]>,
    /// Indices into `positions`, all in range.
    pub triangles: Vec<[u32; 3]>,
    /// The number of its vertices in the file, before equal ones are joined. The drawn mesh of a flat one has about as many
    /// again.
    pub given_vertices: usize,
    /// Index of the material in the document; one past the last for the default material.
    pub material: usize,
    /// What is odd about it.
    pub warnings: Vec<String>,
}

impl Primitive {
    /// Only these vertices, in this order; the triangles are for the caller to change.
    pub(super) fn keep_vertices(&mut self, kept: &[u32]) {
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
