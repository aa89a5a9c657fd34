//! The view between two ticks.

use glam::DVec3;

use super::Game;
use super::posture::height;
use crate::level::{At, Level};
use crate::motion::{self, Body, Piece};
use crate::visibility::Camera;

/// Greatest height of the eye above the feet, metres: that of a body of 1.8 m.
pub const EYE_HEIGHT: f64 = 1.6;

/// How far the eye is below the top of a lower body, metres.
const EYE_BELOW_TOP: f64 = 0.2;

/// Distance, metres, that the eye keeps from everything solid above it and from the top of the
/// body. More than the near plane's corners need, less than the body's radius, so that there is
/// always room for it.
const EYE_RADIUS: f64 = 0.1;

/// What is left after a tick of the way that the eye is behind the body on a step: it catches up
/// with a time constant of 60 ms.
const LAG_LEFT: f64 = 0.75;

/// The height of the eye above the feet: steps lift the body at once, the eye follows, and never
/// leaves the body. All in metres.
#[derive(Clone, Copy, Debug)]
pub(super) struct Eye {
    /// How far it is above its place.
    lag: f64,
    /// Its height after the last tick and the one before.
    heights: [f64; 2],
    /// Its height in the body at rest, and the limits within which it may lag.
    rest: f64,
    lowest: f64,
    highest: f64,
}

impl Eye {
    /// The eye of a body at rest.
    pub(super) fn of(body: &Body) -> Self {
        let below_top = height(body) - EYE_BELOW_TOP;
        let rest = EYE_HEIGHT.min(below_top).max(body.radius);
        Self {
            lag: 0.0,
            heights: [rest; 2],
            rest,
            lowest: body.radius,
            highest: (height(body) - EYE_RADIUS).max(body.radius),
        }
    }

    /// The body is of another height now.
    pub(super) fn change_posture(&mut self, body: &Body) {
        *self = Self {
            lag: self.lag,
            heights: self.heights,
            ..Self::of(body)
        };
    }

    /// Follows the body over a tick in which steps lifted it by `lifted`.
    pub(super) fn follow(&mut self, lifted: f64) {
        self.lag = (self.lag - lifted) * LAG_LEFT;
        let mut eye = self.rest + self.lag;
        if eye < self.lowest {
            eye = self.lowest;
        } else if eye > self.highest {
            eye = self.highest;
        }
        self.heights = [eye, self.heights[0]];
    }
}

impl Game {
    /// The player's view, `alpha` (0..1) of the way from the last tick but one to the last.
    ///
    /// The eye is [`EYE_HEIGHT`] above the feet, in a lower body just below its top, and comes after
    /// them on steps; its room is found by following the line up from the centre of the body
    /// through the portals. `fov_deg` is the vertical field of view, `aspect` width over height.
    pub fn camera(&mut self, level: &Level, alpha: f64, fov_deg: f64, aspect: f64) -> Camera {
        let centre = self.between(level, alpha);
        let [now, before] = self.eye.heights;
        let height = before + (now - before) * alpha - self.actor.body.radius;
        let radius = EYE_RADIUS.min(0.5 * self.actor.body.radius);
        let mut workspace = std::mem::take(&mut self.eye_workspace);
        let collision = self.collision(level);
        let up = DVec3::Y * height;
        let free = motion::cast_sphere(&collision, centre, up, radius, &mut workspace);
        let (eye, eye_from_body) = motion::follow(&collision, centre, centre.point + up * free);
        self.eye_workspace = workspace;
        let mut camera = Camera::new(eye, [self.yaw, self.pitch], fov_deg, aspect);
        camera.axes = eye_from_body.rotation() * camera.axes;
        camera
    }

    /// The centre of the body between two ticks.
    ///
    /// The point is on the straight line between the two, for the path itself is a stair of walks
    /// and falls; its room is found from the path, which knows the portals that were crossed. A
    /// tick that bent space has no such line and is shown as it ended.
    fn between(&self, level: &Level, alpha: f64) -> At {
        let end = self.actor.state.at;
        let path = &self.actor.report.path;
        let length: f64 = path.iter().map(Piece::length).sum();
        let bent = !self.actor.report.target_from_start.is_identity();
        if bent || length == 0.0 || alpha >= 1.0 {
            return end;
        }
        let mut left = alpha.max(0.0) * length;
        for piece in path {
            let length = piece.length();
            if length > 0.0 && left <= length {
                // The piece may have crossed portals before this point, and the line may once more.
                let start = piece.from.point;
                let on_path = start + (piece.to - start) * (left / length);
                let straight = self
                    .previous
                    .at
                    .point
                    .lerp(self.actor.state.at.point, alpha);
                let collision = self.collision(level);
                // No portal bends space here, so the transforms that come along are identities.
                let (on_path, _) = motion::follow(&collision, piece.from, on_path);
                return motion::follow(&collision, on_path, straight).0;
            }
            left -= length;
        }
        end
    }
}
