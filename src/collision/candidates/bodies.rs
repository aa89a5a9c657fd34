//! The rigid bodies near a character, in their poses.

use glam::DVec3;

use super::movers::{CandidateList, Sphere};
use super::{Candidate, Candidates, SurfaceResponse};
use crate::collision::collision_world::CollisionWorld;
use crate::collision::solid::Solid;
use crate::geometry::Rigid;
use crate::level::{BodyId, RoomId};
use crate::shapes::Shape;
use crate::world::Revision;

/// A ball, extruded downwards like the polygons: all points within its radius of a vertical segment.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Ball {
    /// The ends of the segment, lower end first, in home coordinates.
    pub ends: [DVec3; 2],
    /// The radius, metres.
    pub radius: f64,
    pub surface: SurfaceResponse,
    pub solid: Solid,
}

/// The rooms in which a character meets bodies, and the nearby bodies.
#[derive(Debug, Default)]
pub(super) struct NearBodies {
    rooms: Vec<(RoomId, Rigid)>,
    near: Vec<NearBody>,
    /// The revision of the bodies for which `near` was found.
    found_in: Option<Revision>,
}

/// A body in its pose.
#[derive(Clone, Copy, Debug, PartialEq)]
struct NearBody {
    body: BodyId,
    home_from_body: Rigid,
}

impl NearBodies {
    /// Whether the nearby bodies are those of the current world state.
    pub(super) fn are_of(&self, collision: &CollisionWorld) -> bool {
        let bodies = &collision.world.bodies;
        !collision.meets_bodies || bodies.is_empty() || self.found_in == Some(bodies.revision())
    }

    /// Whether no body is near.
    pub(super) fn is_empty(&self) -> bool {
        self.near.is_empty()
    }

    /// Removes all rooms and bodies.
    pub(super) fn clear(&mut self) {
        self.found_in = None;
        self.rooms.clear();
        self.near.clear();
    }

    /// Copies the reached rooms.
    pub(super) fn take_rooms(&mut self, gathered: &Candidates) {
        self.found_in = None;
        self.rooms.clear();
        let reached = gathered.reached_rooms();
        self.rooms
            .extend(reached.map(|(room, image)| (room, image.set_from_home)));
    }

    /// Finds the bodies near a list; returns whether they have moved or differ from the bodies found before.
    pub(super) fn find(&mut self, collision: &CollisionWorld, list: &Sphere) -> bool {
        if self.are_of(collision) {
            return false;
        }
        let CollisionWorld { level, world, .. } = collision;
        self.found_in = Some(world.bodies.revision());
        let (mut count, mut differ) = (0, false);
        for index in 0..self.rooms.len() {
            let (room, room_from_home) = self.rooms[index];
            for (body, room_from_body) in world.bodies_reaching(level, room) {
                let home_from_body = room_from_home.inverse().after(&room_from_body);
                let radius = level.body(body).radius;
                if world.bodies.is_passable(body)
                    || !list.is_within(home_from_body.translation(), radius)
                {
                    continue;
                }
                let near = NearBody {
                    body,
                    home_from_body,
                };
                let is_same = |known: &NearBody| {
                    known.body == body && known.home_from_body.is_about(&near.home_from_body)
                };
                if self.near[..count].iter().any(is_same) {
                    continue;
                }
                if self.near.get(count) != Some(&near) {
                    differ = true;
                    self.near.truncate(count);
                    self.near.push(near);
                }
                count += 1;
            }
        }
        differ |= count < self.near.len();
        self.near.truncate(count);
        differ
    }

    /// Lists the triangles of the nearby bodies, and the balls.
    pub(super) fn list(
        &self,
        collision: &CollisionWorld,
        list: &mut CandidateList,
        balls: &mut Vec<Ball>,
    ) {
        let level = collision.level;
        balls.clear();
        for near in &self.near {
            let body = level.body(near.body);
            let surface = SurfaceResponse {
                friction: body.friction,
                ..SurfaceResponse::SMOOTH
            };
            if let Shape::Sphere { radius } = body.shape {
                let high = near.home_from_body.translation();
                let low = high - DVec3::Y * list.sphere.segment_length;
                balls.push(Ball {
                    ends: [low, high],
                    radius,
                    surface,
                    solid: Solid::Body(near.body),
                });
                continue;
            }
            let body_from_home = near.home_from_body.inverse();
            list.push_solids(collision, &body.solids, &body_from_home, 0, |candidate| {
                Candidate {
                    two_sided: false,
                    surface,
                    ..candidate
                }
            });
        }
    }

    /// The nearby bodies, with the transforms from their coordinates.
    pub(super) fn iter(&self) -> impl Iterator<Item = (BodyId, Rigid)> {
        self.near
            .iter()
            .map(|near| (near.body, near.home_from_body))
    }

    /// The nearby body that a solid is part of, and the transform from its coordinates.
    pub(super) fn of_solid(
        &self,
        collision: &CollisionWorld,
        solid: Solid,
    ) -> Option<(BodyId, Rigid)> {
        let is_part = |body: BodyId| match solid {
            Solid::Body(id) => id == body,
            Solid::Triangle(index) => collision.level.body(body).solids.contains(index),
            Solid::Link(_) => false,
        };
        let mut near = self.near.iter();
        let near = near.find(|near| is_part(near.body))?;
        Some((near.body, near.home_from_body))
    }
}
