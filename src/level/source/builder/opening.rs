//! Openings from room to room, and the doors in them.

use glam::DVec3;

use super::MaterialKey;
use crate::geometry::Rigid;
use crate::level::Drive;

/// A hole through the walls between two rooms, with a portal in the middle of them.
#[derive(Clone, Debug)]
pub struct Opening {
    pub(super) corners: Vec<DVec3>,
    pub(super) far_from_near: Rigid,
    pub(super) two_way: bool,
    pub(super) door: Option<Door>,
}

impl Opening {
    /// An upright rectangle: a doorway, or a window. `foot` is the middle of its lower edge and `out` the horizontal
    /// direction in which it is passed, out of the near room.
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

    /// Any flat convex polygon, in either order: a hatch in a floor, a round window.
    pub fn polygon(corners: &[DVec3]) -> Self {
        Self {
            corners: corners.to_vec(),
            far_from_near: Rigid::IDENTITY,
            two_way: true,
            door: None,
        }
    }

    /// Leads through space that is bent: `far_from_near` takes coordinates of the near room to those of the far
    /// one, in which the opening is cut too. Such levels cannot be written as files.
    #[must_use]
    pub fn bent(mut self, far_from_near: Rigid) -> Self {
        self.far_from_near = far_from_near;
        self
    }

    /// Lets nobody back.
    #[must_use]
    pub fn one_way(mut self) -> Self {
        self.two_way = false;
        self
    }

    /// Hangs a door in it.
    #[must_use]
    pub fn with_door(mut self, door: Door) -> Self {
        self.door = Some(door);
        self
    }
}

/// A hinged panel that opens by a quarter turn into the far room. It stands behind a step of 12 mm in the reveal,
/// so that nothing is seen past it.
#[derive(Clone, Debug)]
pub struct Door {
    /// Its name, without the ending.
    pub name: String,
    /// What it is made of.
    pub material: MaterialKey,
    /// Whether the hinge is on the right, seen from the near room.
    pub hinge_right: bool,
    /// When and how fast it goes.
    pub drive: Drive,
}

impl Door {
    /// A door with its hinge on the left, that opens in 0.8 s when it is used.
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
