//! A skinned model as data.

use glam::{Affine3A, Quat, Vec3};

/// A skinned model and its actions.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Figure {
    /// The vertices of the surface in the bind pose.
    pub vertices: Vec<FigureVertex>,
    /// Three indices for each triangle, counter-clockwise seen from outside; all in range.
    pub indices: Vec<u32>,
    /// The bones; a parent comes before its children.
    pub joints: Vec<Bone>,
    /// The actions.
    pub clips: Vec<Clip>,
}

/// A vertex and the joints that move it.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct FigureVertex {
    /// The position, metres.
    pub position: Vec3,
    /// The unit normal.
    pub normal: Vec3,
    /// The colour, linear RGBA; 65535 is 1.
    pub colour: [u16; 4],
    /// The joints that move the vertex, as indices into [`Figure::joints`].
    pub joints: [u16; 4],
    /// The weight of each joint: 0..1, with sum 1.
    pub weights: [f32; 4],
}

/// A bone.
#[derive(Clone, Debug, PartialEq)]
pub struct Bone {
    /// The name of the bone in the file.
    pub name: String,
    /// The parent joint; `None` for a root.
    pub parent: Option<u16>,
    /// The inverse bind matrix: transforms model coordinates to joint coordinates in the bind pose.
    pub joint_from_model: Affine3A,
}

/// The pose of a joint in the coordinates of its parent, or of the model for a root.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct JointPose {
    /// The rotation, a unit quaternion.
    pub rotation: Quat,
    /// The translation, metres.
    pub translation: Vec3,
}

/// An action: poses at equal time steps; the last pose is the end of the loop.
#[derive(Clone, Debug, PartialEq)]
pub struct Clip {
    /// The name of the action in the file.
    pub name: String,
    /// The duration of the action, seconds.
    pub seconds: f32,
    /// The poses of all joints at each time step; at least two time steps.
    pub poses: Vec<JointPose>,
}

impl JointPose {
    /// The identity pose.
    pub const REST: Self = Self {
        rotation: Quat::IDENTITY,
        translation: Vec3::ZERO,
    };

    /// Transforms coordinates of the joint to coordinates of its parent.
    pub(super) fn parent_from_joint(&self) -> Affine3A {
        Affine3A::from_rotation_translation(self.rotation, self.translation)
    }
}

impl Figure {
    /// Finds the action with this name.
    pub fn clip(&self, name: &str) -> Option<&Clip> {
        self.clips.iter().find(|clip| clip.name == name)
    }

    /// Finds the index of the joint with this name.
    pub fn joint(&self, name: &str) -> Option<usize> {
        self.joints.iter().position(|joint| joint.name == name)
    }
}
