//! The skinned surface of a figure.

use glam::Vec3;
use gltf::json;
use gltf::json::mesh::Semantic;
use gltf::json::validation::Checked;

use super::error::{MAX_REACH, in_reach};
use crate::figure::{Figure, FigureVertex};
use crate::gltf::read::accessor::AccessorBuffers;
use crate::gltf::read::mesh;
use crate::gltf::read::mesh::PrimitiveError;
use crate::level::Material;

/// A surface that is built from primitives.
pub(super) struct FigureSurface<'a> {
    pub(super) figure: &'a mut Figure,
    /// The index in the figure of each joint of the file.
    pub(super) joints_from_file: &'a [u16],
    pub(super) materials: &'a [Material],
}

impl FigureSurface<'_> {
    /// Adds a primitive, or returns its problem.
    pub(super) fn add(
        &mut self,
        buffers: &mut AccessorBuffers,
        source: &json::mesh::Primitive,
    ) -> Result<(), String> {
        let primitive = mesh::read(buffers, source, self.materials).map_err(in_words)?;
        let count = Some(primitive.positions.len());
        let mut attribute = |what: &str, semantic: Semantic| {
            let accessor = source.attributes.get(&Checked::Valid(semantic));
            let accessor =
                accessor.ok_or_else(|| format!("lacks {what}; give all vertices weights"))?;
            mesh::attribute_values::<4>(buffers, what, accessor.value(), count).map_err(in_words)
        };
        let joints = attribute("JOINTS_0", Semantic::Joints(0))?;
        let weights = attribute("WEIGHTS_0", Semantic::Weights(0))?;
        if primitive.normals.is_empty() {
            return Err("lacks NORMAL; export it with normals".to_owned());
        }
        let material = self.materials.get(primitive.material);
        let base_colour = material.map_or([1.0; 4], |material| material.base_colour);
        let first = self.figure.vertices.len() as u32;
        for (at, position) in primitive.positions.iter().enumerate() {
            let position = Vec3::from_array(*position);
            if !in_reach(position) {
                return Err(format!(
                    "vertex {at} is farther than {MAX_REACH} m away; move it back"
                ));
            }
            let total: f32 = weights[at].iter().sum();
            if !(total > 0.0
                && total.is_finite()
                && weights[at].iter().all(|&weight| weight >= 0.0))
            {
                return Err(format!(
                    "the weights of vertex {at} are not positive; normalise them"
                ));
            }
            let colour = primitive.colours.get(at).copied().unwrap_or([1.0; 4]);
            let colour = std::array::from_fn(|i| (colour[i] * base_colour[i]).clamp(0.0, 1.0));
            let mut ours = [0; 4];
            for (to, from) in ours.iter_mut().zip(joints[at]) {
                let joint = self.joints_from_file.get(from as usize).copied();
                *to = joint.ok_or_else(|| {
                    format!("vertex {at} follows joint {from}, which does not exist")
                })?;
            }
            self.figure.vertices.push(FigureVertex {
                position,
                normal: Vec3::from_array(primitive.normals[at]).normalize_or(Vec3::Y),
                colour: colour.map(|part: f32| (part * 65535.0) as u16),
                joints: ours,
                weights: weights[at].map(|weight| weight / total),
            });
        }
        let corners = primitive.triangles.iter().flatten();
        self.figure
            .indices
            .extend(corners.map(|corner| first + corner));
        Ok(())
    }
}

fn in_words(error: PrimitiveError) -> String {
    match error {
        PrimitiveError::Skipped(why) | PrimitiveError::Broken(why) => why,
        PrimitiveError::TooMuch(error) => error.to_string(),
    }
}
