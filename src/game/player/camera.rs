//! The view at a moment between two ticks.

use glam::DVec3;

use super::eye::EYE_RADIUS;
use super::state::Player;
use crate::collision::{CollisionWorld, follow};
use crate::geometry::Rigid;
use crate::level::At;
use crate::motion::{self, Piece};
use crate::visibility::Camera;

impl Player {
    /// The view of [`crate::game::Game::camera`], and the transform from coordinates of the body's room to those of the eye's
    /// room.
    pub(in crate::game) fn view(
        &mut self,
        collision: &CollisionWorld,
        alpha: f64,
        fov_deg: f64,
        aspect: f64,
    ) -> (Camera, Rigid) {
        let centre = self.between(collision, alpha);
        let [now, before] = self.eye.heights;
        let height = before + (now - before) * alpha - self.actor.body.radius;
        let radius = EYE_RADIUS.min(0.5 * self.actor.body.radius);
        let up = DVec3::Y * height;
        let free = motion::cast_sphere(collision, centre, up, radius, &mut self.workspace);
        let (eye, eye_from_body) = follow(collision, centre, centre.point + up * free);
        let mut camera = Camera::new(eye, [self.yaw, self.pitch], fov_deg, aspect);
        camera.axes = eye_from_body.rotation() * camera.axes;
        (camera, eye_from_body)
    }

    /// The centre of the body at a moment between two ticks.
    ///
    /// The point is on the straight line between the two positions, because the path itself alternates between walks and falls.
    /// Its room is found along the path, whose pieces cross the portals. After a tick through a portal that bends space there
    /// is no such line, so the final position is used.
    pub(super) fn between(&self, collision: &CollisionWorld, alpha: f64) -> At {
        let end = self.actor.state.at;
        let report = &self.actor.report;
        let path = || report.carried.iter().chain(&report.path);
        let length: f64 = path().map(Piece::length).sum();
        let bent = !self.actor.report.target_from_start.is_identity();
        if bent || length == 0.0 || alpha >= 1.0 {
            return end;
        }
        let mut left = alpha.max(0.0) * length;
        for piece in path() {
            let length = piece.length();
            if length > 0.0 && left <= length {
                // The piece may have crossed portals before this point, and the line from it may cross portals again.
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
