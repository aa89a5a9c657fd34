//! Finds the rooms near a point; made for many points while a level is loaded.

use crate::geometry::Aabb;
use crate::level::locate::{in_front_of_nearest, is_in_or_above, winding_most};
use crate::level::winding::triangles_in;
use crate::level::{LevelData, RoomId};

use glam::DVec3;

/// Maximum number of triangles that are tested to find the rooms of a level's lights, and as many for its spawns; they
/// take some seconds. Any further lights or spawns are put in the rooms of their parent nodes.
const MAX_COMPARED: u64 = 1 << 26;

/// Finds the rooms of many points, with a limit of the work.
pub(super) struct Finder {
    rooms: RoomsAlongX,
    left: u64,
}

/// The error that the limit of the work was reached: there are too many points or triangles.
pub(super) struct TooMany;

impl Finder {
    pub(super) fn of(level: &LevelData) -> Self {
        Self {
            rooms: RoomsAlongX::of(level),
            left: MAX_COMPARED,
        }
    }

    /// The room that contains a point, found as in [`crate::level::locate`], but with the winding numbers from
    /// `winding`.
    ///
    /// # Errors
    /// The limit of the work was reached.
    pub(super) fn room_of(
        &mut self,
        level: &LevelData,
        point: DVec3,
        winding: impl Fn(RoomId) -> f64,
    ) -> Result<Option<RoomId>, TooMany> {
        let rooms = self.rooms.around(level, point);
        self.pay(level, &rooms)?;
        if let Some(room) = winding_most(level, &rooms, &winding) {
            return Ok(Some(room));
        }
        let rooms = self.rooms.where_box(level, point, is_in_or_above);
        self.pay(level, &rooms)?;
        Ok(in_front_of_nearest(level, point, &rooms, winding))
    }

    /// Adds the work of testing these rooms.
    ///
    /// # Errors
    /// The limit of the work was reached.
    pub(super) fn pay(&mut self, level: &LevelData, rooms: &[RoomId]) -> Result<(), TooMany> {
        let cost = rooms.iter().map(|&id| triangles_in(level, id)).sum();
        self.left = self.left.checked_sub(cost).ok_or(TooMany)?;
        Ok(())
    }
}

/// The rooms of a level, sorted along x, so that many points are located without testing each against each room.
pub(super) struct RoomsAlongX {
    /// The start of each room's box along x; sorted.
    starts: Vec<(f64, RoomId)>,
    /// The maximum end of this box and all boxes before it.
    ends: Vec<f64>,
}

impl RoomsAlongX {
    pub(super) fn of(level: &LevelData) -> Self {
        let start = |id: RoomId| (level.room(id).bounds.min.x, id);
        let mut starts: Vec<(f64, RoomId)> = level.room_ids().map(start).collect();
        starts.sort_unstable_by(|a, b| a.0.total_cmp(&b.0));
        let ends = starts.iter().scan(f64::NEG_INFINITY, |end, (_, id)| {
            *end = end.max(level.room(*id).bounds.max.x);
            Some(*end)
        });
        Self {
            ends: ends.collect(),
            starts,
        }
    }

    /// The rooms whose box contains the point, in the level's order.
    pub(super) fn around(&self, level: &LevelData, point: DVec3) -> Vec<RoomId> {
        self.where_box(level, point, Aabb::contains)
    }

    /// The rooms for whose box and the point `fits` is true, in the level's order.
    fn where_box(
        &self,
        level: &LevelData,
        point: DVec3,
        fits: fn(&Aabb, DVec3) -> bool,
    ) -> Vec<RoomId> {
        let started = self.starts.partition_point(|(start, _)| *start <= point.x);
        let started = self.starts[..started].iter().zip(&self.ends).rev();
        let near = started.take_while(|(_, end)| **end >= point.x);
        let ids = near.map(|((_, id), _)| *id);
        let mut ids: Vec<RoomId> = ids
            .filter(|&id| fits(&level.room(id).bounds, point))
            .collect();
        ids.sort_unstable();
        ids
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::author::sketch::{Sketch, cuboid};
    use crate::build::build;
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn rooms_along_x_are_those_whose_box_holds_the_point(
            boxes in prop::collection::vec([-4..4i8, -4..4i8, 1..6i8], 1..20),
            point in prop::array::uniform2(-10..=20i8),
        ) {
            let mut sketch = Sketch::new("boxes");
            for (i, [x, z, side]) in boxes.into_iter().enumerate() {
                let min = [f64::from(x), 0.0, f64::from(z)];
                let max = [min[0] + f64::from(side), 2.0, min[2] + 2.0];
                sketch.box_room(&format!("room{i}"), cuboid(min, max), &[]);
            }
            sketch.spawn(0, sketch.source.meshes[0].positions[0] + 0.1, DVec3::X);
            let level = build(sketch.source).map_err(|problems| problems.to_string()).unwrap().0;
            // About half of the points lie on walls.
            let point = DVec3::new(0.5 * f64::from(point[0]), 1.0, 0.5 * f64::from(point[1]));
            let expected = level.room_ids().filter(|&id| level.room(id).bounds.contains(point));
            let found = RoomsAlongX::of(&level).around(&level, point);
            prop_assert!(expected.eq(found));
        }
    }
}
