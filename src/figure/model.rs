//! A skinned model as data.

use glam::{Affine3A, Quat, Vec3};

/// A skinned model and its actions.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Figure {
    /// Where its surface is when no joint is turned.
    pub vertices: Vec<FigureVertex>,
    /// Three for each triangle, counter-clockwise seen from outside; all in range.
    pub indices: Vec<u32>,
    /// Its bones; a parent comes before its children.
    pub joints: Vec<Joint>,
    /// What it can do.
    pub clips: Vec<Clip>,
}

/// A vertex and the joints that move it.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct FigureVertex {
    /// Metres.
    pub position: Vec3,
    /// Unit length.
    pub normal: Vec3,
    /// Linear RGBA, 65535 being 1.
    pub colour: [u16; 4],
    /// Indices into [`Figure::joints`].
    pub joints: [u16; 4],
    /// How much each moves it: 0..1, 1 in all.
    pub weights: [f32; 4],
}

/// A bone.
#[derive(Clone, Debug, PartialEq)]
pub struct Joint {
    /// Its name in the file.
    pub name: String,
    /// The joint that it hangs on; none of a root.
    pub parent: Option<u16>,
    /// Takes the model's coordinates to those of the joint, as it was when the skin was fitted.
    pub joint_from_model: Affine3A,
}

/// Where a joint is in the coordinates of its parent, or of the model.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct JointPose {
    /// Unit length.
    pub rotation: Quat,
    /// Metres.
    pub translation: Vec3,
}

/// An action: poses at equal times, the last being the end of the loop.
#[derive(Clone, Debug, PartialEq)]
pub struct Clip {
    /// Its name in the file.
    pub name: String,
    /// How long it takes.
    pub seconds: f32,
    /// For each time the poses of all joints; two times at least.
    pub poses: Vec<JointPose>,
}

impl JointPose {
    /// Nothing moved.
    pub const REST: Self = Self {
        rotation: Quat::IDENTITY,
        translation: Vec3::ZERO,
    };

    /// Takes coordinates of the joint to those of its parent.
    pub(super) fn parent_from_joint(&self) -> Affine3A {
        Affine3A::from_rotation_translation(self.rotation, self.translation)
    }
}

impl Figure {
    /// The action with this name.
    pub fn clip(&self, name: &str) -> Option<&Clip> {
        self.clips.iter().find(|clip| clip.name == name)
    }

    /// The joint with this name, an index.
    pub fn joint(&self, name: &str) -> Option<usize> {
        self.joints.iter().position(|joint| joint.name == name)
    }
}
