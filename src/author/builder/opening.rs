//! Openings from room to room, and the doors in them.

use glam::DVec3;

use super::MaterialKey;
use crate::geometry::Rigid;
use crate::level::Drive;

/// A hole through the walls between two rooms, with a portal midway between the walls.
#[derive(Clone, Debug)]
pub struct Opening {
    pub(super) corners: Vec<DVec3>,
    pub(super) far_from_near: Rigid,
    pub(super) two_way: bool,
    pub(super) door: Option<Door>,
}

impl Opening {
    /// An upright rectangle for a doorway or a window. `foot` is the midpoint of the lower edge, and `out` is the
    /// horizontal direction of passage out of the near room.
    pub fn doorway(foot: DVec3, out: DVec3, width: f64, height: f64) -> Self {
        let right = DVec3::new(out.x, 0.0, out.z).cross(DVec3::Y);
        let length = right.length();
        let half = if length > 0.0 {
            right / length * (0.5 * width)
        } else {
            DVec3::ZERO
        };
        let up = DVec3::Y * height;
        Self::polygon(&[foot - half, foot + half, foot + half + up, foot - half + up])
    }

    /// An opening with the shape of a flat convex polygon, such as a hatch in a floor or a round window. The corners
    /// may be in either order.
    pub fn polygon(corners: &[DVec3]) -> Self {
        Self {
            corners: corners.to_vec(),
            far_from_near: Rigid::IDENTITY,
            two_way: true,
            door: None,
        }
    }

    /// Makes the opening bend space. `far_from_near` transforms coordinates of the near room to those of the far room;
    /// the opening is cut into both rooms.
    #[must_use]
    pub fn bent(mut self, far_from_near: Rigid) -> Self {
        self.far_from_near = far_from_near;
        self
    }

    /// Makes the opening one-way: it cannot be passed from the far room.
    #[must_use]
    pub fn one_way(mut self) -> Self {
        self.two_way = false;
        self
    }

    /// Adds a door to the opening.
    #[must_use]
    pub fn with_door(mut self, door: Door) -> Self {
        self.door = Some(door);
        self
    }
}

/// A hinged panel that opens by a quarter turn into the far room. It closes against a step of 12 mm in the reveal, so
/// that no gap is visible.
#[derive(Clone, Debug)]
pub struct Door {
    /// The name, without the ending.
    pub name: String,
    /// The material of the panel.
    pub material: MaterialKey,
    /// Whether the hinge is on the right, seen from the near room.
    pub hinge_right: bool,
    /// Timing and behaviour of the panel.
    pub drive: Drive,
}

impl Door {
    /// A door that opens in 0.8 s when it is used, with its hinge on the left.
    pub fn new(name: &str, material: MaterialKey) -> Self {
        Self {
            name: name.to_owned(),
            material,
            hinge_right: false,
            drive: Drive {
                ticks: 48,
                ..Drive::default()
            },
        }
    }
}
