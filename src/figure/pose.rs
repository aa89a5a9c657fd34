//! Computes joint poses from a stance.

use glam::{Affine3A, Quat, Vec3};

use super::clips::{ACTIONS, walks};
use super::gait::Stance;
use super::model::{Clip, Figure, JointPose};

/// The joints that turn the upper body back from the heading of the legs to the view direction, each with its fraction of the
/// turn.
const TURNS_BACK: [(&str, f32); 4] = [("spine", 0.3), ("chest", 0.3), ("neck", 0.2), ("head", 0.2)];

/// The joints of the feet, each with its height above the ground while the foot stands, metres.
const FEET: [(&str, f32); 4] = [
    ("toe.L", 0.028),
    ("toe.R", 0.028),
    ("foot.L", 0.085),
    ("foot.R", 0.085),
];

/// The joint poses of a figure. A pose is reused from frame to frame, so that frames do not allocate after the first one.
#[derive(Clone, Debug, Default)]
pub struct Pose {
    /// The pose of each joint in the coordinates of its parent.
    local: Vec<JointPose>,
    /// The transform of each joint from joint coordinates to model coordinates.
    pub model_from_joint: Vec<Affine3A>,
}

impl Pose {
    /// Computes the joint poses of a stance. Actions that the figure lacks are skipped.
    pub fn set(&mut self, figure: &Figure, stance: &Stance) {
        let weights = stance.weights();
        self.local.clear();
        self.local.resize(figure.joints.len(), NOTHING);
        let mut total = 0.0;
        for (action, &weight) in weights.iter().enumerate() {
            if weight > 0.0
                && let Some(clip) = figure.clip(ACTIONS[action])
            {
                let part = part_of(action, clip, stance);
                total += weight as f32;
                self.add(figure, clip, part, weight as f32);
            }
        }
        for joint in &mut self.local {
            let length = joint.rotation.length();
            joint.rotation = if length > 1e-6 {
                joint.rotation * length.recip()
            } else {
                Quat::IDENTITY
            };
            joint.translation /= if total > 0.0 { total } else { 1.0 };
        }
        self.place_joints(figure);
        self.turn_legs(figure, stance.heading as f32);
        self.stand(figure, stance.airborne as f32);
    }

    /// Adds a clip with a weight, sampled at `part` (0..1) of its duration.
    fn add(&mut self, figure: &Figure, clip: &Clip, part: f64, weight: f32) {
        let joints = figure.joints.len();
        let times = clip.poses.len() / joints.max(1);
        if times < 2 {
            return;
        }
        let at = part * (times - 1) as f64;
        let first = (at as usize).min(times - 2);
        let share = (at - first as f64) as f32;
        let [from, to] = [first, first + 1].map(|time| &clip.poses[time * joints..][..joints]);
        // Flips each quaternion to the hemisphere of one fixed pose. Opposite quaternions of one rotation would cancel each
        // other in the sum. With the sum so far as the reference, the chosen sign could change as weights change.
        let sides = &figure.clips[0].poses;
        let locals = self.local.iter_mut().zip(sides);
        for ((joint, side), (from, to)) in locals.zip(from.iter().zip(to)) {
            let near = |a: Quat, b: Quat| if a.dot(b) < 0.0 { -b } else { b };
            let rotation = from.rotation * (1.0 - share) + near(from.rotation, to.rotation) * share;
            joint.rotation += near(side.rotation, rotation) * weight;
            joint.translation += from.translation.lerp(to.translation, share) * weight;
        }
    }

    /// Computes the transform of each joint, from the roots to the leaves.
    fn place_joints(&mut self, figure: &Figure) {
        self.model_from_joint.clear();
        for (joint, local) in figure.joints.iter().zip(&self.local) {
            let parent = joint
                .parent
                .map(|parent| self.model_from_joint[usize::from(parent)]);
            let parent = parent.unwrap_or(Affine3A::IDENTITY);
            self.model_from_joint
                .push(parent * local.parent_from_joint());
        }
    }

    /// Turns the whole figure to the left, and its upper body back.
    fn turn_legs(&mut self, figure: &Figure, heading: f32) {
        if heading == 0.0 {
            return;
        }
        let turned = Affine3A::from_quat(about_y(heading));
        for joint in &mut self.model_from_joint {
            *joint = turned * *joint;
        }
        for (name, part) in TURNS_BACK {
            let Some(first) = figure.joint(name) else {
                continue;
            };
            let pivot = Vec3::from(self.model_from_joint[first].translation);
            let back = Affine3A::from_translation(pivot)
                * Affine3A::from_quat(about_y(-heading * part))
                * Affine3A::from_translation(-pivot);
            for joint in first..figure.joints.len() {
                if hangs_on(figure, joint, first) {
                    self.model_from_joint[joint] = back * self.model_from_joint[joint];
                }
            }
        }
    }

    /// Lifts the figure so that no foot is below the ground, which can happen in a blend of two actions.
    fn stand(&mut self, figure: &Figure, airborne: f32) {
        let depth = |&(name, height): &(&str, f32)| {
            let joint = figure.joint(name)?;
            Some(height - self.model_from_joint[joint].translation.y)
        };
        let deepest = FEET.iter().filter_map(depth).fold(0.0, f32::max);
        let up = glam::Vec3A::Y * (deepest * (1.0 - airborne));
        for joint in &mut self.model_from_joint {
            joint.translation += up;
        }
    }
}

const NOTHING: JointPose = JointPose {
    rotation: Quat::from_xyzw(0.0, 0.0, 0.0, 0.0),
    translation: Vec3::ZERO,
};

/// The completed fraction of an action: from the phase for walks, from the time for other actions.
fn part_of(action: usize, clip: &Clip, stance: &Stance) -> f64 {
    if walks(action) {
        fraction(stance.phase)
    } else if clip.seconds > 0.0 {
        fraction(stance.seconds / f64::from(clip.seconds))
    } else {
        0.0
    }
}

fn fraction(x: f64) -> f64 {
    x - x.floor()
}

fn about_y(radians: f32) -> Quat {
    let (sin, cos) = libm::sincosf(0.5 * radians);
    Quat::from_xyzw(0.0, sin, 0.0, cos)
}

/// Whether a joint is another joint or one of its descendants.
fn hangs_on(figure: &Figure, joint: usize, on: usize) -> bool {
    let mut at = Some(joint);
    while let Some(joint) = at {
        if joint == on {
            return true;
        }
        at = figure.joints[joint].parent.map(usize::from);
    }
    false
}
