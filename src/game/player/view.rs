//! The eye of a player at a moment between two ticks.

use glam::{DMat3, DVec3};

use super::eye::EYE_RADIUS;
use super::state::Player;
use crate::collision::{CollisionWorld, follow};
use crate::geometry::Rigid;
use crate::level::At;
use crate::motion::{self, PathSegment, Workspace};
use crate::visibility::{Camera, view_axes};

/// The position and the orientation of a player's eye.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Eye {
    /// The position.
    pub at: At,
    /// The axes: columns are right, up and back (the eye looks along -Z), in the room's coordinates.
    pub axes: DMat3,
    /// The transform from coordinates of the body's room to those of the eye's room.
    pub(super) eye_from_body: Rigid,
}

impl Eye {
    /// The unit view direction, in the room's coordinates.
    pub fn forward(&self) -> DVec3 {
        -self.axes.z_axis
    }

    /// The camera in the eye. `fov_deg` is the vertical field of view, `aspect` width over height.
    pub fn camera(&self, fov_deg: f64, aspect: f64) -> Camera {
        Camera::with_axes(self.at, self.axes, fov_deg, aspect)
    }
}

impl Player {
    /// The eye at `alpha` (0..1) between the last two ticks.
    ///
    /// The eye is [`EYE_HEIGHT`](super::EYE_HEIGHT) above the body's lowest point, or just below the top of a lower
    /// body, and follows steps with a delay. Its room is found by following the line up from the body's centre
    /// through the portals. `collision` is that of the player's game
    /// ([`Game::collision`](crate::game::Game::collision)). Reusing the workspace from view to view saves time and
    /// allocations; the eye does not depend on it.
    pub fn eye(&self, collision: &CollisionWorld, alpha: f64, workspace: &mut Workspace) -> Eye {
        let centre = self.between(collision, alpha);
        let [now, before] = self.eye.heights;
        let height = before + (now - before) * alpha - self.actor.body.radius;
        let radius = EYE_RADIUS.min(0.5 * self.actor.body.radius);
        let up = DVec3::Y * height;
        let free = motion::cast_sphere(collision, centre, up, radius, workspace);
        let (at, eye_from_body) = follow(collision, centre, centre.point + up * free);
        Eye {
            at,
            axes: eye_from_body.rotation() * view_axes([self.yaw, self.pitch]),
            eye_from_body,
        }
    }

    /// The centre of the body at a moment between two ticks.
    ///
    /// The point is on the straight line between the two positions, because the path itself alternates between walks
    /// and falls. Its room is found along the path, whose pieces cross the portals. After a tick through a portal
    /// that bends space, there is no straight line, so the final position is used.
    pub(super) fn between(&self, collision: &CollisionWorld, alpha: f64) -> At {
        let end = self.actor.state.at;
        let report = &self.actor.report;
        let path = || report.carried.iter().chain(&report.path);
        let length: f64 = path().map(PathSegment::length).sum();
        let bent = !self.actor.report.target_from_start.is_identity();
        if bent || length == 0.0 || alpha >= 1.0 {
            return end;
        }
        let mut left = alpha.max(0.0) * length;
        for piece in path() {
            let length = piece.length();
            if length > 0.0 && left <= length {
                // The piece may have crossed portals before this point, and the line from this point may cross
                // portals again.
                let start = piece.from.point;
                let on_path = start + (piece.to - start) * (left / length);
                let straight = self
                    .previous
                    .at
                    .point
                    .lerp(self.actor.state.at.point, alpha);
                // No portal bends space here, so the returned transforms are identities.
                let (on_path, _) = follow(collision, piece.from, on_path);
                return follow(collision, on_path, straight).0;
            }
            left -= length;
        }
        end
    }
}
