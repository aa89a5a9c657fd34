//! The view between two ticks.

use glam::DVec3;

use super::eye::EYE_RADIUS;
use super::state::Player;
use crate::collision::{CollisionWorld, follow};
use crate::geometry::Rigid;
use crate::level::At;
use crate::motion::{self, Piece};
use crate::visibility::Camera;

impl Player {
    /// The view, [`crate::game::Game::camera`]; and from coordinates of the body's room to those of the eye's.
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

    /// The centre of the body between two ticks.
    ///
    /// The point is on the straight line between the two, for the path itself is a stair of walks
    /// and falls; its room is found from the path, which knows the portals that were crossed. A
    /// tick that bent space has no such line and is shown as it ended.
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
                // The piece may have crossed portals before this point, and the line may once more.
                let start = piece.from.point;
                let on_path = start + (piece.to - start) * (left / length);
                let straight = self
                    .previous
                    .at
                    .point
                    .lerp(self.actor.state.at.point, alpha);
                // No portal bends space here, so the transforms that come along are identities.
                let (on_path, _) = follow(collision, piece.from, on_path);
                return follow(collision, on_path, straight).0;
            }
            left -= length;
        }
        end
    }
}
