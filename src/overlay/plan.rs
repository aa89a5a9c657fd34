//! A plan of the rooms, seen from above.

use glam::Vec3;

use crate::level::Level;
use crate::visibility::{Camera, VisibleRoom};
use crate::world::World;

/// Surfaces steeper than this do not count as floor: cosine of their slope.
const FLOOR: f32 = 0.5;

/// The floors of a level, found once.
pub struct Plan {
    /// For each room the corners of its floor's triangles: x and z, in level coordinates.
    pub floors: Vec<Vec<[[f32; 2]; 3]>>,
}

/// A plan with all that changes.
#[derive(Clone, Copy)]
pub struct PlanView<'a> {
    /// The floors.
    pub plan: &'a Plan,
    /// The level that they are of.
    pub level: &'a Level,
    /// Which portals are open.
    pub world: &'a World,
    /// The eye that is drawn in the middle.
    pub camera: &'a Camera,
    /// The rooms that are drawn brightly.
    pub visible: &'a [VisibleRoom],
}

impl Plan {
    /// Finds all floors.
    pub fn of(level: &Level) -> Self {
        let floors = level.rooms.iter().map(|room| {
            let draws = &level.draws[room.draws.start as usize..room.draws.end as usize];
            let indices = draws.iter().flat_map(|draw| draw.indices.clone());
            let corners: Vec<Vec3> = indices
                .map(|i| level.vertices[level.indices[i as usize] as usize].position)
                .collect();
            let triangles = corners.as_chunks::<3>().0.iter();
            let is_floor = |[a, b, c]: &&[Vec3; 3]| {
                let normal = (*b - *a).cross(*c - *a).normalize_or_zero();
                normal.y > FLOOR
            };
            triangles
                .filter(is_floor)
                .map(|corners| corners.map(|p| [p.x, p.z]))
                .collect()
        });
        Self {
            floors: floors.collect(),
        }
    }
}
