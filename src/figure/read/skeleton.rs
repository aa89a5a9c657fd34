//! Joints and actions of a figure.

use glam::{Affine3A, DAffine3, DQuat, DVec3, Mat4};
use gltf::json;
use gltf::json::accessor::Type;
use gltf::json::animation::Property;
use gltf::json::validation::Checked;

use super::error::{FigureError, MAX_REACH, at_most, in_reach};
use crate::figure::{Bone, Clip, JointPose};
use crate::gltf::read::accessor::AccessorBuffers;
use crate::gltf::read::animations;
use crate::gltf::read::animations::{AnimationError, ChannelKeys, JumpSide};
use crate::gltf::read::document::Document;
use crate::level::slerp;

/// The maximum number of joints; the project's own person has 19.
const MAX_JOINTS: usize = 256;
/// The maximum number of nodes; the project's own person has 21.
const MAX_NODES: usize = 4096;
/// The maximum number of poses of an action; an action with more keys is sampled at fewer times.
const MAX_TIMES: usize = 128;
/// The maximum deviation of a joint's scale from 1; joints beyond it are refused, because a pose only rotates and translates.
const MAX_STRETCH: f64 = 1e-3;

/// The joints of a skin, parents before children.
pub(super) struct Skeleton {
    pub(super) joints: Vec<Bone>,
    /// The node of each joint, with its rest rotation and translation.
    nodes: Vec<(usize, DQuat, DVec3)>,
    /// The transform of the nodes between each joint and its parent joint (or the model's origin). No action moves
    /// these nodes.
    stems: Vec<(DQuat, DVec3)>,
    /// The index in `joints` of each joint of the file.
    pub(super) from_file: Vec<u16>,
}

impl Skeleton {
    pub(super) fn new(
        document: &Document,
        buffers: &mut AccessorBuffers,
        skin: &json::Skin,
    ) -> Result<Self, FigureError> {
        at_most("joints", skin.joints.len(), MAX_JOINTS)?;
        at_most("nodes", document.root.nodes.len(), MAX_NODES)?;
        let nodes: Vec<usize> = skin.joints.iter().map(|joint| joint.value()).collect();
        let bad = |node: usize, problem| FigureError::Joint {
            name: document.node_name(node),
            problem,
        };
        let count = document.root.nodes.len();
        let mut parents = vec![None; count];
        for (parent, node) in document.root.nodes.iter().enumerate() {
            for child in node.children.iter().flatten() {
                match parents.get_mut(child.value()) {
                    Some(of) if of.is_none() => *of = Some(parent),
                    Some(_) => return Err(bad(child.value(), "has two parents; export it again")),
                    None => {
                        return Err(bad(
                            parent,
                            "has a child that does not exist; export it again",
                        ));
                    }
                }
            }
        }
        let ancestors = |node: usize| {
            let line = std::iter::successors(parents[node], |&node| parents[node]);
            // A node that is its own ancestor yields more ancestors than there are nodes.
            line.take(count + 1)
        };
        let mut order: Vec<(usize, usize)> = Vec::new();
        for (index, &node) in nodes.iter().enumerate() {
            if node >= count || nodes[..index].contains(&node) {
                return Err(bad(
                    node,
                    "does not exist, or is there twice; export it again",
                ));
            }
            let depth = ancestors(node).count();
            if depth > count {
                return Err(bad(node, "is its own ancestor; export it again"));
            }
            order.push((depth, index));
        }
        order.sort_unstable();
        let mut from_file = vec![0; nodes.len()];
        for (at, &(_, index)) in order.iter().enumerate() {
            from_file[index] = at as u16;
        }
        let binds = match skin.inverse_bind_matrices {
            Some(accessor) => buffers.floats::<16>(accessor.value(), Type::Mat4),
            None => Ok(vec![Mat4::IDENTITY.to_cols_array(); nodes.len()]),
        };
        let binds =
            binds.map_err(|error| FigureError::File(format!("inverse bind matrices: {error}")))?;
        let mut skeleton = Self {
            joints: Vec::new(),
            nodes: Vec::new(),
            stems: Vec::new(),
            from_file,
        };
        for &(_, index) in &order {
            let node = nodes[index];
            let bind = binds.get(index).map(Mat4::from_cols_array);
            let bind = bind.filter(|bind| bind.is_finite());
            let bind = bind
                .ok_or_else(|| bad(node, "has no finite inverse bind matrix; export it again"))?;
            let parent = ancestors(node).find_map(|at| nodes.iter().position(|&other| other == at));
            let between = ancestors(node).take_while(|at| !nodes.contains(at));
            let stem = between.fold(DAffine3::IDENTITY, |below, at| {
                document.transforms[at] * below
            });
            let (rotation, translation) =
                rigid(&document.transforms[node]).ok_or_else(|| bad(node, STRETCHED))?;
            skeleton
                .stems
                .push(rigid(&stem).ok_or_else(|| bad(node, STRETCHED))?);
            skeleton.nodes.push((node, rotation, translation));
            skeleton.joints.push(Bone {
                name: document.node_name(node),
                parent: parent.map(|index| skeleton.from_file[index]),
                joint_from_model: Affine3A::from_mat4(bind),
            });
        }
        Ok(skeleton)
    }

    /// Samples an action as poses at equal time steps.
    pub(super) fn clip(
        &self,
        buffers: &mut AccessorBuffers,
        animation: &json::Animation,
        name: &str,
    ) -> Result<Clip, ClipError> {
        let mut turns: Vec<ChannelKeys<DQuat>> = vec![Vec::new(); self.nodes.len()];
        let mut moves: Vec<ChannelKeys<DVec3>> = vec![Vec::new(); self.nodes.len()];
        for channel in &animation.channels {
            let node = channel.target.node.value();
            let Some(joint) = self.nodes.iter().position(|&(of, ..)| of == node) else {
                continue;
            };
            match channel.target.path {
                Checked::Valid(Property::Rotation) => {
                    turns[joint] = animations::read::<4, _>(
                        animation,
                        channel,
                        buffers,
                        animations::quaternion,
                    )?;
                }
                Checked::Valid(Property::Translation) => {
                    moves[joint] =
                        animations::read::<3, _>(animation, channel, buffers, animations::vector)?;
                }
                Checked::Valid(Property::Scale) => {
                    let scales =
                        animations::read::<3, _>(animation, channel, buffers, animations::vector)?;
                    if !scales.iter().all(|(_, scale)| is_one(*scale)) {
                        return Err(ClipError::Scale(self.joints[joint].name.clone()));
                    }
                }
                _ => {}
            }
        }
        let counts = turns.iter().map(Vec::len).chain(moves.iter().map(Vec::len));
        let times = counts.max().unwrap_or(0).clamp(2, MAX_TIMES);
        let ends = turns.iter().filter_map(|keys| keys.last()).map(|key| key.0);
        let ends = ends.chain(moves.iter().filter_map(|keys| keys.last()).map(|key| key.0));
        let end = ends.fold(0.0, f64::max);
        let mut poses = Vec::with_capacity(times * self.nodes.len());
        for time in 0..times {
            let at = end * time as f64 / (times - 1) as f64;
            for (joint, &(_, rest_rotation, rest_translation)) in self.nodes.iter().enumerate() {
                let rotation = animations::sample(&turns[joint], at, JumpSide::After, slerp);
                let translation =
                    animations::sample(&moves[joint], at, JumpSide::After, DVec3::lerp);
                let (stem_rotation, stem_translation) = self.stems[joint];
                let rotation = stem_rotation * rotation.unwrap_or(rest_rotation);
                let translation =
                    stem_translation + stem_rotation * translation.unwrap_or(rest_translation);
                let translation = translation.as_vec3();
                if !in_reach(translation) {
                    return Err(ClipError::TooFar(self.joints[joint].name.clone()));
                }
                poses.push(JointPose {
                    rotation: rotation.normalize().as_quat(),
                    translation,
                });
            }
        }
        Ok(Clip {
            name: name.to_owned(),
            seconds: end as f32,
            poses,
        })
    }
}

const STRETCHED: &str =
    "or something that it hangs on is scaled; apply the scale of the armature (Ctrl+A)";

#[derive(Debug, thiserror::Error)]
pub(super) enum ClipError {
    #[error(transparent)]
    Animation(#[from] AnimationError),
    #[error(
        "scales joint `{0}`; a figure's joints only turn and move: take the scale out of the action"
    )]
    Scale(String),
    #[error("moves joint `{0}` farther than {MAX_REACH} m; move it back")]
    TooFar(String),
}

/// Splits a transform into rotation and translation; `None` if it has another part, such as a scale.
fn rigid(transform: &DAffine3) -> Option<(DQuat, DVec3)> {
    let (scale, rotation, translation) = transform.to_scale_rotation_translation();
    (is_one(scale) && rotation.is_finite() && translation.is_finite())
        .then(|| (rotation.normalize(), translation))
}

fn is_one(scale: DVec3) -> bool {
    (scale - 1.0).abs().max_element() <= MAX_STRETCH
}
