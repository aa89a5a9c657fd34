//! The track of a mover, from an animation of its node.

use std::collections::BTreeSet;

use glam::{DAffine3, DQuat, DVec3};
use gltf::json::animation::{Animation, Channel, Interpolation, Property};
use gltf::json::validation::Checked;

use super::accessor::{AccessorBuffers, AccessorError};
use super::document::Document;
use crate::level::{Track, TrackKey, slerp};

/// Maximum number of keys of one channel.
const MAX_KEYS: usize = 4096;

/// Number of straight pieces by which one segment of a cubic spline is approximated.
const SPLINE_PIECES: usize = 8;

/// The reason why an animation is not used.
#[derive(Debug, thiserror::Error)]
pub(crate) enum AnimationError {
    #[error(transparent)]
    Accessor(#[from] AccessorError),
    #[error("channel {0} is broken")]
    Channel(usize),
    #[error("it has more than {MAX_KEYS} keys")]
    TooMany,
    #[error("its keys are not in the order of time, or are not finite")]
    Times,
}

/// The nodes that animations move, scale or deform.
pub(crate) fn animated_nodes(document: &Document) -> BTreeSet<usize> {
    let animations = document.root.animations.iter();
    let channels = animations.flat_map(|animation| &animation.channels);
    channels.map(|c| c.target.node.value()).collect()
}

/// One warning for each part of the animations of a mover's node that is not used.
pub(crate) fn unused_parts(document: &Document, node: usize) -> Vec<String> {
    let animations = &document.root.animations;
    let has = |path: Property| {
        let mut channels = animations.iter().flat_map(|animation| &animation.channels);
        channels.any(|c| c.target.node.value() == node && c.target.path == Checked::Valid(path))
    };
    let mut unused = Vec::new();
    if has(Property::Scale) {
        unused.push("the scale in its animation is not used: movers only move and turn; delete its scale keys".to_owned());
    }
    if has(Property::MorphTargetWeights) {
        unused.push("the shape keys in its animation are not used: movers only move and turn; delete their keys".to_owned());
    }
    let mut moving = (0..)
        .zip(animations)
        .filter(|(_, a)| a.channels.iter().any(|c| moves_node(c, node)))
        .map(|(index, a)| {
            a.name
                .clone()
                .unwrap_or_else(|| format!("animation {index}"))
        });
    if let Some(first) = moving.next() {
        unused.extend(moving.map(|other| {
            format!("its animation {other} is not used, for a mover has one, and {first} comes first; delete one of them")
        }));
    }
    unused
}

/// Whether an animation moves a node.
pub(crate) fn moves(document: &Document, node: usize) -> bool {
    let animations = document.root.animations.iter();
    animations
        .flat_map(|animation| &animation.channels)
        .any(|c| moves_node(c, node))
}

fn moves_node(channel: &Channel, node: usize) -> bool {
    let path = &channel.target.path;
    channel.target.node.value() == node
        && matches!(
            path,
            Checked::Valid(Property::Translation | Property::Rotation)
        )
}

/// The track that the first animation of a node defines, in author's coordinates, and its duration, seconds. `None` if
/// no animation moves the node.
pub(crate) fn track(
    document: &Document,
    buffers: &mut AccessorBuffers,
    node: usize,
    author_from_parent: &DAffine3,
) -> Result<Option<(Track, f64)>, AnimationError> {
    let animations = document.root.animations.iter();
    let of_node = |channel: &&Channel| channel.target.node.value() == node;
    let mut moving = animations.filter(|a| a.channels.iter().any(|c| moves_node(c, node)));
    let Some(animation) = moving.next() else {
        return Ok(None);
    };
    let (mut translations, mut rotations) = (Vec::new(), Vec::new());
    for channel in animation.channels.iter().filter(of_node) {
        match channel.target.path {
            Checked::Valid(Property::Translation) => {
                translations = read::<3, _>(animation, channel, buffers, vector)?;
            }
            Checked::Valid(Property::Rotation) => {
                rotations = read::<4, _>(animation, channel, buffers, quaternion)?;
            }
            _ => {}
        }
    }
    let (_, rest_rotation, rest) = document.transforms[node].to_scale_rotation_translation();
    let (_, turn, _) = author_from_parent.to_scale_rotation_translation();
    let mut seconds: Vec<f64> = translations.iter().map(|key| key.0).collect();
    seconds.extend(rotations.iter().map(|key| key.0));
    seconds.sort_by(f64::total_cmp);
    // The track begins at its first key, not at time 0: modelling tools write all animations on one timeline.
    let start = seconds.first().copied().unwrap_or(0.0);
    let span = seconds.last().copied().unwrap_or(0.0) - start;
    if span <= 0.0 {
        return Err(AnimationError::Times);
    }
    let pivot = author_from_parent.transform_point3(rest);
    let key = |at: f64, side: JumpSide| {
        let lerp = |a: DVec3, b: DVec3, share: f64| a.lerp(b, share);
        let translation = sample(&translations, at, side, lerp).unwrap_or(rest);
        let rotation = sample(&rotations, at, side, slerp).unwrap_or(rest_rotation);
        let rotation = turn * rotation * rest_rotation.inverse() * turn.inverse();
        TrackKey {
            part: (at - start) / span,
            pivot,
            offset: author_from_parent.transform_vector3(translation - rest),
            rotation: rotation.normalize(),
        }
    };
    let mut keys = vec![key(start, JumpSide::After)];
    for at in seconds {
        keys.extend([key(at, JumpSide::Before), key(at, JumpSide::After)]);
    }
    keys.dedup();
    Ok(Some((Track::Keys(keys), span)))
}

/// The side from which the value at a jump is taken: before the jump or after it.
#[derive(Clone, Copy, PartialEq)]
pub(crate) enum JumpSide {
    Before,
    After,
}

/// Keys of a channel as seconds and value, to be interpolated linearly.
pub(crate) type ChannelKeys<T> = Vec<(f64, T)>;

/// The value at a time. Before the first key and after the last, it is the value of that key.
pub(crate) fn sample<T: Copy>(
    keys: &ChannelKeys<T>,
    at: f64,
    side: JumpSide,
    between: impl Fn(T, T, f64) -> T,
) -> Option<T> {
    let next = match side {
        JumpSide::Before => keys.partition_point(|key| key.0 < at),
        JumpSide::After => keys.partition_point(|key| key.0 <= at),
    };
    let last = keys.last()?;
    let to = keys.get(next).unwrap_or(last);
    let from = next.checked_sub(1).map_or(to, |before| &keys[before]);
    let span = to.0 - from.0;
    if span <= 0.0 {
        return Some(if side == JumpSide::Before {
            to.1
        } else {
            from.1
        });
    }
    Some(between(from.1, to.1, (at - from.0) / span))
}

/// The keys of a channel, converted to keys for linear interpolation.
pub(crate) fn read<const N: usize, T: Copy>(
    animation: &Animation,
    channel: &Channel,
    buffers: &mut AccessorBuffers,
    value: impl Fn([f64; N]) -> T,
) -> Result<ChannelKeys<T>, AnimationError> {
    let index = channel.sampler.value();
    let sampler = animation.samplers.get(index);
    let sampler = sampler.ok_or(AnimationError::Channel(index))?;
    let times = buffers.vectors::<1>(sampler.input.value())?;
    let values = buffers.vectors::<N>(sampler.output.value())?;
    let Checked::Valid(interpolation) = sampler.interpolation else {
        return Err(AnimationError::Channel(index));
    };
    let each = if interpolation == Interpolation::CubicSpline {
        3
    } else {
        1
    };
    if times.is_empty() || values.len() != each * times.len() {
        return Err(AnimationError::Channel(index));
    }
    if times.len() > MAX_KEYS {
        return Err(AnimationError::TooMany);
    }
    let times: Vec<f64> = times.iter().map(|[at]| f64::from(*at)).collect();
    let is_ordered = times.windows(2).all(|pair| pair[0] < pair[1]);
    let is_finite = values.iter().flatten().all(|x| x.is_finite());
    if !is_ordered || !is_finite || times[0] < 0.0 || !times[times.len() - 1].is_finite() {
        return Err(AnimationError::Times);
    }
    let numbers = |i: usize| values[i].map(f64::from);
    let mut keys: ChannelKeys<T> = Vec::new();
    for (i, &at) in times.iter().enumerate() {
        let here = value(numbers(each * i + each / 2));
        if i > 0 && interpolation == Interpolation::Step {
            keys.push((at, keys[keys.len() - 1].1));
        }
        keys.push((at, here));
        let Some(&next) = times.get(i + 1) else { break };
        if interpolation == Interpolation::CubicSpline {
            let span = next - at;
            let [a, out, into, b] = [3 * i + 1, 3 * i + 2, 3 * i + 3, 3 * i + 4].map(numbers);
            for piece in 1..SPLINE_PIECES {
                let t = piece as f64 / SPLINE_PIECES as f64;
                // The cubic Hermite spline of glTF 2.0, appendix C.
                let (t2, t3) = (t * t, t * t * t);
                let number = |k: usize| {
                    (2.0 * t3 - 3.0 * t2 + 1.0) * a[k]
                        + span * (t3 - 2.0 * t2 + t) * out[k]
                        + (3.0 * t2 - 2.0 * t3) * b[k]
                        + span * (t3 - t2) * into[k]
                };
                keys.push((at + span * t, value(std::array::from_fn(number))));
            }
        }
    }
    Ok(keys)
}

pub(crate) fn vector([x, y, z]: [f64; 3]) -> DVec3 {
    DVec3::new(x, y, z)
}

pub(crate) fn quaternion([x, y, z, w]: [f64; 4]) -> DQuat {
    let quaternion = DQuat::from_xyzw(x, y, z, w);
    let length = quaternion.length();
    if length > 1e-6 {
        quaternion / length
    } else {
        DQuat::IDENTITY
    }
}
