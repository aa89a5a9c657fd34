//! The track of a mover: its pose at each fraction of its path.

use glam::{DMat3, DQuat, DVec3};

use crate::geometry::{Aabb, Rigid};

/// Maximum rotation, in radians, between two poses at which the box swept by a turn is sampled.
const SWEEP_STEP: f64 = std::f64::consts::PI / 90.0;

/// Maximum translation between two such poses, in metres.
const SWEEP_LENGTH: f64 = 0.25;

/// The path of a mover, in coordinates of its room. Lengths are in metres. At the start, every mover has its authored
/// pose.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub enum Track {
    /// No motion: at the end of the track the mover is absent.
    Vanish,
    /// Rotation about a line.
    Turn {
        /// A point of the line.
        pivot: DVec3,
        /// The unit direction of the line.
        axis: DVec3,
        /// Angle, radians; positive is counter-clockwise as seen from the end of the axis.
        angle: f64,
    },
    /// Translation along a straight line.
    Slide(DVec3),
    /// Interpolation between key poses.
    Keys(Vec<TrackKey>),
}

/// A key pose on a track.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct TrackKey {
    /// Fraction of the path, 0..1.
    pub part: f64,
    /// The pivot of the mover's rotation, as authored.
    pub pivot: DVec3,
    /// Displacement of the pivot.
    pub offset: DVec3,
    /// Rotation of the mover.
    pub rotation: DQuat,
}

impl Track {
    /// The pose at a fraction of the path, 0..1. The same fraction gives the same bits on every machine.
    pub fn pose(&self, part: f64) -> Rigid {
        if part == 0.0 {
            return Rigid::IDENTITY;
        }
        match self {
            Self::Vanish => Rigid::IDENTITY,
            Self::Turn { pivot, axis, angle } => about(*pivot, turn(*axis, angle * part)),
            Self::Slide(by) => Rigid::new(DMat3::IDENTITY, *by * part),
            Self::Keys(keys) => {
                let next = keys.partition_point(|key| key.part <= part);
                let Some(from) = next.checked_sub(1).and_then(|i| keys.get(i)) else {
                    return Rigid::IDENTITY;
                };
                let to = keys.get(next).unwrap_or(from);
                let span = to.part - from.part;
                let share = if span > 0.0 {
                    (part - from.part) / span
                } else {
                    0.0
                };
                let rotation = DMat3::from_quat(slerp(from.rotation, to.rotation, share));
                let offset = from.offset.lerp(to.offset, share);
                let turned = about(from.pivot, rotation);
                Rigid::new(rotation, turned.translation() + offset)
            }
        }
    }

    /// The track in other coordinates; the transform must not be a mirror.
    pub fn transformed(&self, other_from_this: &Rigid) -> Self {
        let vector = |v: DVec3| other_from_this.vector(v);
        let point = |p: DVec3| other_from_this.point(p);
        match self {
            Self::Vanish => Self::Vanish,
            Self::Turn { pivot, axis, angle } => Self::Turn {
                pivot: point(*pivot),
                axis: vector(*axis),
                angle: *angle,
            },
            Self::Slide(by) => Self::Slide(vector(*by)),
            Self::Keys(keys) => {
                let turn = DQuat::from_mat3(&other_from_this.rotation());
                let keys = keys.iter().map(|key| TrackKey {
                    part: key.part,
                    pivot: point(key.pivot),
                    offset: vector(key.offset),
                    rotation: turn * key.rotation * turn.inverse(),
                });
                Self::Keys(keys.collect())
            }
        }
    }

    /// An upper bound of the distance, metres, that a point of a box moves on a fraction of the path, 0..1. Infinite
    /// for [`Track::Keys`]: its bound is not known without following the path.
    pub(crate) fn longest_step(&self, bounds: &Aabb, part: f64) -> f64 {
        match self {
            Self::Vanish => 0.0,
            Self::Slide(by) => by.length() * part,
            Self::Turn { pivot, angle, .. } => {
                let farthest = (*pivot - bounds.min).abs().max((bounds.max - *pivot).abs());
                farthest.length() * angle.abs() * part
            }
            Self::Keys(_) => f64::INFINITY,
        }
    }

    /// The box that a box sweeps along the whole path.
    pub fn sweep(&self, bounds: &Aabb) -> Aabb {
        self.swept(bounds, |pose| bounds.transformed(pose))
    }

    /// The box that a stationary box sweeps in the coordinates of an object that moves along the track.
    pub fn sweep_back(&self, bounds: &Aabb) -> Aabb {
        self.swept(bounds, |pose| bounds.transformed(&pose.inverse()))
    }

    /// The union of the boxes in all poses.
    fn swept(&self, bounds: &Aabb, in_pose: impl Fn(&Rigid) -> Aabb) -> Aabb {
        if bounds.is_empty() {
            return *bounds;
        }
        let radius = |pivot: DVec3| {
            let corners = bounds.corners().map(|p| p.distance(pivot));
            corners.into_iter().fold(0.0, f64::max)
        };
        match self {
            Self::Vanish => *bounds,
            Self::Slide(by) => {
                let end = Rigid::new(DMat3::IDENTITY, *by);
                bounds.union(in_pose(&end))
            }
            Self::Turn { pivot, angle, .. } => {
                self.sampled(in_pose, [0.0, 1.0], [angle.abs(), 0.0], radius(*pivot))
            }
            Self::Keys(keys) => {
                let between = |pair: &[TrackKey]| {
                    let dot = pair[0].rotation.dot(pair[1].rotation);
                    let angle = 2.0 * libm::acos(dot.abs().min(1.0));
                    let length = pair[0].offset.distance(pair[1].offset);
                    let away = |key: &TrackKey| radius(key.pivot) + key.offset.length();
                    let radius = away(&pair[0]).max(away(&pair[1]));
                    let parts = [pair[0].part, pair[1].part];
                    self.sampled(&in_pose, parts, [angle, length], radius)
                };
                let ends = keys.iter().map(|key| in_pose(&self.pose(key.part)));
                let ends = ends.fold(*bounds, Aabb::union);
                keys.windows(2).map(between).fold(ends, Aabb::union)
            }
        }
    }

    /// The union of the boxes at steps between two fractions of the path, over which the rotation is `angle` and the
    /// translation `length`. The boxes are grown to cover the motion between two steps: a point within `radius`
    /// metres of the axis exceeds the chord of its arc by the sagitta, and in rotating coordinates a straight motion
    /// becomes an arc.
    fn sampled(
        &self,
        in_pose: impl Fn(&Rigid) -> Aabb,
        [from, to]: [f64; 2],
        [angle, length]: [f64; 2],
        radius: f64,
    ) -> Aabb {
        let turns = if angle > 0.0 {
            (angle / SWEEP_STEP).max(length / SWEEP_LENGTH)
        } else {
            0.0
        };
        let steps = turns.ceil().clamp(1.0, 100_000.0) as u32;
        let part = |step: u32| from + (to - from) * (f64::from(step) / f64::from(steps));
        let boxes = (0..=steps).map(|step| in_pose(&self.pose(part(step))));
        let [angle, length] = [angle, length].map(|all| all / f64::from(steps));
        let beyond = radius * (1.0 - libm::cos(0.5 * angle)) + 0.25 * angle * length;
        boxes.fold(Aabb::EMPTY, Aabb::union).grown(beyond)
    }
}

/// A rotation about a point other than the origin.
fn about(pivot: DVec3, rotation: DMat3) -> Rigid {
    Rigid::new(rotation, pivot - rotation * pivot)
}

/// The rotation about a unit axis by an angle, radians (O. Rodrigues, 1840).
fn turn(axis: DVec3, angle: f64) -> DMat3 {
    let (sin, cos) = libm::sincos(angle);
    let column =
        |unit: DVec3| unit * cos + axis.cross(unit) * sin + axis * (axis.dot(unit) * (1.0 - cos));
    DMat3::from_cols(column(DVec3::X), column(DVec3::Y), column(DVec3::Z))
}

/// Interpolation between two unit quaternions at constant speed along the shorter path (K. Shoemake, "Animating
/// rotation with quaternion curves", 1985).
pub(crate) fn slerp(from: DQuat, to: DQuat, share: f64) -> DQuat {
    let dot = from.dot(to);
    let (to, dot) = if dot < 0.0 { (-to, -dot) } else { (to, dot) };
    if dot > 1.0 - 1e-12 {
        return from.lerp(to, share);
    }
    let angle = libm::acos(dot);
    let weight = |part: f64| libm::sin(part * angle) / libm::sin(angle);
    from * weight(1.0 - share) + to * weight(share)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::rng::Rng;

    fn boxed() -> Aabb {
        Aabb {
            min: DVec3::new(-0.5, 0.0, 1.0),
            max: DVec3::new(0.5, 2.0, 1.25),
        }
    }

    fn tracks() -> Vec<Track> {
        let key = |part, offset, turned| TrackKey {
            part,
            pivot: DVec3::new(0.0, 1.0, 1.0),
            offset,
            rotation: DQuat::from_mat3(&turn(DVec3::Y, turned)),
        };
        vec![
            Track::Vanish,
            Track::Turn {
                pivot: DVec3::new(-0.5, 0.0, 1.0),
                axis: DVec3::Y,
                angle: -1.9,
            },
            Track::Turn {
                pivot: DVec3::new(0.5, 0.3, 1.0),
                axis: DVec3::new(0.6, 0.0, 0.8),
                angle: 13.0,
            },
            Track::Slide(DVec3::new(0.0, 3.0, -1.0)),
            Track::Keys(vec![
                key(0.0, DVec3::ZERO, 0.0),
                key(0.25, DVec3::X * 3.0, 0.0),
                key(0.75, DVec3::new(3.0, 1.0, 0.0), 2.5),
                key(1.0, DVec3::Z, 0.5),
            ]),
        ]
    }

    #[test]
    fn a_track_starts_where_the_mover_was_authored_and_every_pose_is_rigid() {
        for track in tracks() {
            assert!(track.pose(0.0).is_identity(), "{track:?}");
            for step in 0..=1000 {
                let rotation = track.pose(f64::from(step) / 1000.0).rotation();
                let off = rotation * rotation.transpose() - DMat3::IDENTITY;
                assert!(off.abs_diff_eq(DMat3::ZERO, 1e-14), "{track:?} {step}");
            }
        }
    }

    #[test]
    fn a_hinged_panel_turns_counter_clockwise_about_its_pivot() {
        let track = Track::Turn {
            pivot: DVec3::X,
            axis: DVec3::Y,
            angle: std::f64::consts::FRAC_PI_2,
        };
        let end = track.pose(1.0);
        assert_eq!(end.point(DVec3::X), DVec3::X);
        assert!(
            end.point(DVec3::X * 2.0)
                .abs_diff_eq(DVec3::new(1.0, 0.0, -1.0), 1e-15)
        );
    }

    #[test]
    fn a_track_in_other_coordinates_passes_the_same_places() {
        let other_from_this = about(DVec3::new(3.0, 1.0, 0.0), turn(DVec3::Z, 0.7));
        let p = DVec3::new(0.3, 1.2, 1.1);
        for track in tracks() {
            let other = track.transformed(&other_from_this);
            for part in [0.1, 0.4, 0.8, 1.0] {
                let there = other_from_this.point(track.pose(part).point(p));
                let moved = other.pose(part).point(other_from_this.point(p));
                assert!(there.abs_diff_eq(moved, 1e-12), "{track:?} {part}");
            }
        }
    }

    #[test]
    fn keys_are_met_and_between_two_of_them_the_speed_is_constant() {
        let Some(track @ Track::Keys(_)) = tracks().pop() else {
            panic!("the last has keys");
        };
        let pivot = DVec3::new(0.0, 1.0, 1.0);
        for (part, moved) in [
            (0.125, DVec3::X * 1.5),
            (0.25, DVec3::X * 3.0),
            (0.5, DVec3::new(3.0, 0.5, 0.0)),
            (1.0, DVec3::Z),
        ] {
            let at = track.pose(part).point(pivot);
            assert!(at.abs_diff_eq(pivot + moved, 1e-14), "{part}: {at}");
        }
    }

    #[test]
    fn the_sweep_back_contains_every_corner_as_seen_from_the_mover() {
        let mut rng = Rng::new(13);
        for track in tracks() {
            let sweep = track.sweep_back(&boxed());
            let mut tight = Aabb::EMPTY;
            for _ in 0..20_000 {
                let pose = track.pose(rng.between(0.0, 1.0)).inverse();
                let corners = boxed().corners().map(|p| pose.point(p));
                tight = tight.union(Aabb::around(corners));
            }
            assert_eq!(sweep.union(tight), sweep, "{track:?}");
            let slack = (sweep.min - tight.min)
                .abs()
                .max((sweep.max - tight.max).abs());
            assert!(slack.max_element() < 0.05, "{track:?} {slack}");
        }
    }

    #[test]
    fn the_sweep_contains_every_corner_along_the_track_and_is_not_much_larger() {
        let mut rng = Rng::new(12);
        for track in tracks() {
            let sweep = track.sweep(&boxed());
            let mut tight = Aabb::EMPTY;
            for _ in 0..20_000 {
                let pose = track.pose(rng.between(0.0, 1.0));
                let corners = boxed().corners().map(|p| pose.point(p));
                tight = tight.union(Aabb::around(corners));
            }
            assert_eq!(sweep.union(tight), sweep, "{track:?}");
            let slack = (sweep.min - tight.min)
                .abs()
                .max((sweep.max - tight.max).abs());
            assert!(slack.max_element() < 0.05, "{track:?} {slack}");
        }
    }
}
