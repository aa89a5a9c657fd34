//! How a shape moves in a part of a tick, and what of it comes together with what it touches.

use glam::DVec3;

use super::moving::Moving;
use crate::geometry::Rigid;
use crate::shapes::{Manifold, Shape};

/// Shapes that turn and come together more slowly than this do not meet, m/s: in a tick they sink in by micrometres,
/// and the next one holds them apart.
const SLOW: f64 = 1e-3;

/// A touching point that comes together is found again by halving the time until it is no deeper than this, metres.
const FOUND: f64 = 1e-4;

/// Halvings at most: of an eighth of a tick they leave ten microseconds.
const MAX_HALVINGS: u32 = 8;

/// How a shape moves over a time, steadily: gravity within the time is in the chord.
pub(super) struct Way {
    from: f64,
    /// m/s and radians per second.
    pub velocity: DVec3,
    turn: DVec3,
    /// Of a sphere around its centre, metres.
    pub radius: f64,
    /// How fast a turn moves any of it, at most, m/s.
    pub turn_speed: f64,
    /// Whether a plane across the closest points has all of it on one side.
    pub is_convex: bool,
    pub start: DVec3,
}

impl Way {
    pub(super) const STILL: Self = Self {
        from: 0.0,
        velocity: DVec3::ZERO,
        turn: DVec3::ZERO,
        radius: 0.0,
        turn_speed: 0.0,
        is_convex: true,
        start: DVec3::ZERO,
    };

    pub(super) fn of(
        shape: &Shape,
        moving: &Moving,
        a_from_b: &Rigid,
        (from, secs): (f64, f64),
    ) -> Self {
        let [start, end] = [from, from + secs].map(|time| moving.centre_at(time));
        let is_ball = matches!(shape, Shape::Sphere { .. });
        let turn = if is_ball { DVec3::ZERO } else { moving.turn };
        let radius = shape.radius_about(DVec3::ZERO);
        Self {
            from,
            velocity: a_from_b.vector((end - start) / secs),
            turn: a_from_b.vector(turn),
            radius,
            turn_speed: turn.length() * radius,
            is_convex: !matches!(shape, Shape::Mesh(_)),
            start: a_from_b.point(start),
        }
    }

    pub(super) fn pose_at(&self, moving: &Moving, a_from_b: &Rigid, secs: f64) -> Rigid {
        let rotation = glam::DMat3::from_quat(moving.rotation_at(self.from + secs));
        let rotation = a_from_b.rotation() * rotation;
        Rigid::new(rotation, self.start + self.velocity * secs)
    }

    /// The angle by which it turns in a time, radians.
    pub(super) fn angle_in(&self, secs: f64) -> f64 {
        self.turn.length() * secs
    }

    fn velocity_of(&self, arm: DVec3) -> DVec3 {
        self.velocity + self.turn.cross(arm)
    }
}

/// How deep the deepest of those points of the manifolds is that come together, metres; `None` where none does.
pub(super) fn approaching_depth(
    manifolds: &[Manifold],
    a: (&Way, DVec3),
    b: (&Way, DVec3),
) -> Option<f64> {
    let points = manifolds.iter().flat_map(|manifold| {
        let points = manifold.points().iter();
        points.map(|point| (manifold.normal, point))
    });
    let approaching = points.filter(|(normal, point)| {
        let of_a = a.0.velocity_of(point.on_a - a.1);
        let of_b = b.0.velocity_of(point.on_b - b.1);
        (of_a - of_b).dot(*normal) < -SLOW
    });
    let depths = approaching.map(|(_, point)| -point.separation);
    depths.max_by(f64::total_cmp)
}

/// When something begins to come together that does so `after` a time, as deep as `depth`, and not `before` it, in
/// seconds; `depth_at` is how deep it is at a time, if it comes together then.
pub(super) fn halve(
    [mut before, mut after]: [f64; 2],
    mut depth: f64,
    mut depth_at: impl FnMut(f64) -> Option<f64>,
) -> f64 {
    for _ in 0..MAX_HALVINGS {
        if depth <= FOUND {
            break;
        }
        let middle = 0.5 * (before + after);
        match depth_at(middle) {
            Some(now) => (after, depth) = (middle, now),
            None => before = middle,
        }
    }
    after
}
