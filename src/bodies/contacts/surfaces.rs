//! The surfaces that a body meets in a tick, and their motion: conveyors, parts of movers, which move before the bodies
//! do, and kinematic bodies.

use glam::{DMat3, DVec3};

use crate::bodies::broad::near::NearbyTriangles;
use crate::bodies::moving::Moving;
use crate::collision::{Candidate, CollisionWorld};
use crate::geometry::{Rigid, Triangle};
use crate::level::{EdgeKind, TICKS_PER_SECOND};
use crate::shapes::SurfaceTriangle;

/// A triangle at the beginning of the tick, and its motion in the tick.
#[derive(Clone, Copy, Debug)]
pub(in crate::bodies) struct MovingSurface {
    pub start: SurfaceTriangle,
    pub motion: SurfaceMotion,
}

/// The motion of a surface in a tick: of a part of a mover, or of a kinematic body.
#[derive(Clone, Copy, Debug)]
pub(in crate::bodies) struct SurfaceMotion {
    /// Maps the position of a surface point at the beginning of the tick to its position at the end. `None` for a
    /// surface that does not move.
    end_from_start: Option<Rigid>,
    /// The velocity of the conveyor belt on the surface, m/s.
    belt: DVec3,
}

impl MovingSurface {
    /// The surface of a candidate, in coordinates of the body's room.
    pub(in crate::bodies) fn of(
        collision: &CollisionWorld,
        near: &NearbyTriangles,
        candidate: &Candidate,
    ) -> Self {
        let start = surface_of(candidate);
        let Some((mover, home_from_room)) = near.mover_of(collision, candidate.solid) else {
            return Self {
                start,
                motion: SurfaceMotion::STILL,
            };
        };
        let moved = collision.world.now_from_before(mover);
        let belt = collision.level.mover(mover).drive.surface_velocity;
        let belt = home_from_room.vector(belt);
        if moved.is_identity() {
            let motion = SurfaceMotion {
                belt,
                ..SurfaceMotion::STILL
            };
            return Self { start, motion };
        }
        let end_from_start = home_from_room
            .after(&moved)
            .after(&home_from_room.inverse());
        let triangle = start.triangle.transformed(&end_from_start.inverse());
        Self {
            start: SurfaceTriangle { triangle, ..start },
            motion: SurfaceMotion {
                end_from_start: Some(end_from_start),
                belt,
            },
        }
    }
}

impl SurfaceMotion {
    const STILL: Self = Self {
        end_from_start: None,
        belt: DVec3::ZERO,
    };

    /// The motion of a kinematic body. `here_from_room` is the transform from coordinates of its room.
    pub(in crate::bodies) fn of_kinematic(moving: &Moving, here_from_room: &Rigid) -> Self {
        if moving.stays() {
            return Self::STILL;
        }
        let pose = |time| {
            let rotation = DMat3::from_quat(moving.rotation_at(time));
            Rigid::new(rotation, moving.centre_at(time))
        };
        let moved = pose(TICKS_PER_SECOND.recip()).after(&pose(0.0).inverse());
        Self {
            end_from_start: Some(
                here_from_room
                    .after(&moved)
                    .after(&here_from_room.inverse()),
            ),
            belt: DVec3::ZERO,
        }
    }

    /// The transform from positions of points at the beginning of the tick to those at the end. `None` for a surface
    /// that does not move.
    pub(in crate::bodies) fn end_from_start(&self) -> Option<&Rigid> {
        self.end_from_start.as_ref()
    }

    /// Whether the surface does not move in the tick.
    pub(in crate::bodies) fn is_still(&self) -> bool {
        self.end_from_start.is_none()
    }

    /// The average velocity of a point of the surface over the tick, m/s.
    pub(in crate::bodies) fn course_at(&self, point: DVec3) -> DVec3 {
        self.end_from_start.map_or(DVec3::ZERO, |end_from_start| {
            (end_from_start.point(point) - point) * TICKS_PER_SECOND
        })
    }

    /// The velocity of the surface's conveyor belt, m/s. Its component along a contact normal has no effect on
    /// bodies.
    pub(in crate::bodies) fn belt(&self) -> DVec3 {
        self.belt
    }
}

/// Returns a copy of a triangle, translated by `shift`.
pub(in crate::bodies) fn shifted(surface: &SurfaceTriangle, shift: DVec3) -> SurfaceTriangle {
    if shift == DVec3::ZERO {
        return *surface;
    }
    let corners = surface.triangle.corners.map(|corner| corner + shift);
    SurfaceTriangle {
        triangle: Triangle { corners },
        ..*surface
    }
}

/// The collision triangle of a candidate at its current position.
pub(in crate::bodies) fn surface_of(candidate: &Candidate) -> SurfaceTriangle {
    SurfaceTriangle {
        triangle: candidate.triangle,
        is_two_sided: candidate.two_sided,
        internal_edges: candidate.edges.map(|kind| kind == EdgeKind::Internal),
        ridges: candidate.edges.map(|kind| kind == EdgeKind::Convex),
    }
}
