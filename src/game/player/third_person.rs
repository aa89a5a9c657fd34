//! The third-person view of the player, and its figure.

use glam::DVec3;

use super::bodies::{crouched_part, height};
use super::eye::EYE_RADIUS;
use super::input;
use super::state::Player;
use super::view::Eye;
use crate::collision::{CollisionWorld, follow};
use crate::figure::{GaitStep, Stance};
use crate::geometry::{Rigid, closest_on_segment};
use crate::level::RoomId;
use crate::motion::{self, Actor, PathSegment, TICK_SECS, Workspace};
use crate::visibility::{Camera, view_axes};

/// The offset of the camera upwards from the eye, along the view's axis, metres. It puts the figure below the centre
/// of the picture.
const UP: f64 = 0.35;
/// The offset of the camera backwards from the eye, metres.
const BACK: f64 = 3.0;

/// The radius of the camera's sphere, as a fraction of that of the eye's sphere, which may touch the ceiling.
const RADIUS_PART: f64 = 0.9;

/// The figure is hidden while the camera is within this distance of the body's surface, metres, because arms extend
/// beyond the body.
const HIDES: f64 = 0.2;

/// The third-person view of a player, and its figure.
#[derive(Clone, Copy, Debug)]
pub struct ThirdPerson {
    /// The camera behind the player; at the eye if there is no room.
    pub camera: Camera,
    /// The room of the body, whose lights illuminate the figure.
    pub room: RoomId,
    /// The transform from the figure's coordinates to those of its room.
    pub room_from_figure: Rigid,
    /// The state of the figure's motion.
    pub stance: Stance,
    /// Whether the camera is far enough from the body to show the figure.
    pub shows_figure: bool,
}

impl Player {
    /// The third-person view at `alpha` between the last two ticks.
    pub(in crate::game) fn third_person(
        &mut self,
        collision: &CollisionWorld,
        alpha: f64,
        [fov_deg, aspect]: [f64; 2],
        workspace: &mut Workspace,
    ) -> ThirdPerson {
        let Eye {
            at: eye,
            axes,
            eye_from_body,
        } = self.eye(collision, alpha, workspace);
        let rod = axes * DVec3::new(0.0, UP, BACK);
        let radius = EYE_RADIUS.min(0.5 * self.actor.body.radius) * RADIUS_PART;
        let free = motion::cast_sphere(collision, eye, rod, radius, workspace);
        let part = self.boom.limit(free, alpha);
        let end = eye.point + rod * part;
        let (at, at_from_eye) = follow(collision, eye, end);
        let axes = at_from_eye.rotation() * axes;
        let camera = Camera::with_axes(at, axes, fov_deg, aspect);

        let centre = self.between(collision, alpha);
        let stance = self.gait.between(alpha);
        let body = &self.actor.body;
        let top = centre.point + DVec3::Y * (height(body) - 2.0 * body.radius);
        let end = eye_from_body.inverse().point(end);
        let nearest = closest_on_segment(end, centre.point, top);
        let feet = centre.point + DVec3::Y * (stance.lift - body.radius);
        let turned = view_axes([self.yaw, 0.0]);
        ThirdPerson {
            camera,
            room: centre.room,
            room_from_figure: Rigid::new(turned, feet),
            stance,
            shows_figure: end.distance(nearest) > body.radius + HIDES,
        }
    }

    /// Lets the figure and the camera follow a tick of the body. The body is not affected.
    pub(super) fn follow_picture(&mut self) {
        self.boom.tick();
        let Actor {
            state,
            report,
            body,
            ..
        } = &self.actor;
        // If the tick passed a portal that bends space, the displacement is undefined: the figure continues with the
        // walking velocity.
        let went = |piece: &PathSegment| piece.to - piece.from.point;
        let bent = !report.target_from_start.is_identity();
        let moved = if bent {
            state.walk * TICK_SECS
        } else {
            report.path.iter().map(went).sum()
        };
        let ahead = input::forward(self.yaw);
        let right = DVec3::new(-ahead.z, 0.0, ahead.x);
        self.gait.follow(&GaitStep {
            seconds: TICK_SECS,
            moved: [moved.dot(ahead), moved.dot(right)],
            grounded: state.grounded,
            rises: state.walk.y + state.fall.y,
            crouched: crouched_part(body, self.standing_segment_length),
            lift: if self.smooth_steps {
                self.eye.lag()
            } else {
                0.0
            },
        });
    }
}
