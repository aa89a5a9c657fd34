//! Finds equal movers: equal doors in equal openings with equal walls around them.

use glam::DVec3;

use super::super::alike::ShapeHash;
use super::sweeps;
use crate::geometry::{Aabb, Triangle};
use crate::level::{LevelData, MoverId, Track};

/// Tolerance of equal coordinates, metres. It is much smaller than the depth to which panels are let into walls.
const STEP: f64 = 1.0 / 8192.0;
/// The tolerance of track parameters is `STEP` divided by this, because a small rotation moves points far from the
/// hinge a lot.
const FINER: f64 = 1024.0;

/// A hash of everything that decides the problems of a mover, except its position in the level and its triggers. `None`
/// for rare kinds of movers, which never count as equal.
pub(super) fn key(level: &LevelData, id: MoverId) -> Option<u64> {
    let mover = level.mover(id);
    if !mover.moved_rooms.is_empty() {
        return None;
    }
    let solids = || level.solids.of(&mover.solids).map(|solid| solid.triangle());
    let bounds = Aabb::around(solids().flat_map(|triangle| triangle.corners));
    if bounds.is_empty() {
        return None;
    }
    let from = bounds.min;
    // The order of packed triangles depends on the rest of their room, so the hash does not depend on the order.
    let of_triangle = |triangle: Triangle| {
        let corners = triangle.corners.map(|p| p - from);
        ShapeHash::with_step(STEP).points(corners).finish()
    };
    let own = solids().map(of_triangle).fold(0, u64::wrapping_add);
    let mut around = 0;
    sweeps::each_wall_around(level, id, |_, wall| {
        around = u64::wrapping_add(around, of_triangle(wall));
    });
    let mut hash = ShapeHash::with_step(STEP).words([own, around]);
    hash = match mover.track {
        Track::Vanish => hash.words([0]),
        Track::Turn { pivot, axis, angle } => {
            let turn = [axis, DVec3::splat(angle)].map(|numbers| numbers * FINER);
            hash.words([1]).points([pivot - from]).points(turn)
        }
        Track::Slide(by) => hash.words([2]).points([by * FINER]),
        Track::Keys(_) => return None,
    };
    let drive = &mover.drive;
    let starts = [drive.cycle as u64, drive.started_by as u64];
    hash = hash.words(starts).words([u64::from(drive.locked)]);
    if let Some(link) = mover.link {
        let polygon = &level.portal(level.link(link).portal).polygon;
        let corners = polygon.vertices.iter().map(|&p| p - from);
        hash = hash.words([3]).points(corners);
        hash = hash.points([polygon.plane.normal]);
        hash = hash.words([u64::from(mover.see_through)]);
        for draw in &level.draws[mover.draws.start as usize..mover.draws.end as usize] {
            let two_sided = level.materials[draw.material as usize].double_sided;
            hash = hash.words([u64::from(two_sided)]);
            let indices = draw.indices.start as usize..draw.indices.end as usize;
            let corners = level.indices[indices].iter();
            let corners = corners.map(|&i| level.vertices[i as usize].position.as_dvec3());
            hash = hash.points(corners.map(|p| p - from));
        }
    }
    Some(hash.finish())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::author::sketch::{Sketch, cuboid};
    use crate::build::build;
    use crate::level::Drive;
    use crate::source::MoverSource;

    /// The keys of two plates, 4 m apart in a hall, that rise by `rises`. The hall also contains `boxes`.
    fn keys(rises: [f64; 2], boxes: &[Aabb]) -> [u64; 2] {
        let mut sketch = Sketch::new("plates");
        let hall = sketch.box_room("hall", cuboid([0., 0., 0.], [10., 5., 4.]), &[]);
        for &part in boxes {
            sketch.furniture(hall, 0, part);
        }
        for (index, rise) in rises.into_iter().enumerate() {
            let x = 2.0 + 4.0 * index as f64;
            sketch.furniture(hall, 0, cuboid([x, 1., 1.25], [x + 1., 1.125, 2.]));
            let meshes = sketch.source.meshes.pop().into_iter().collect();
            sketch.source.movers.push(MoverSource {
                node: format!("plate-{index}"),
                meshes,
                is_door: false,
                track: Track::Slide(DVec3::Y * rise),
                drive: Drive::default(),
                moved_rooms: Vec::new(),
                moves_with: None,
            });
        }
        sketch.spawn(hall, DVec3::new(1., 0.5, 1.), DVec3::X);
        let (level, _) = build(sketch.source).unwrap();
        [0, 1].map(|id| key(&level, MoverId(id)).unwrap())
    }

    #[test]
    fn movers_are_alike_wherever_they_are_unless_their_track_or_a_wall_on_it_differs() {
        let [a, b] = keys([1.5, 1.5], &[]);
        assert_eq!(a, b);
        let [a, b] = keys([1.5, 1.501], &[]);
        assert_ne!(a, b);
        let shelf = |x: f64| cuboid([x + 0.25, 2., 1.5], [x + 0.75, 2.125, 1.75]);
        let [a, b] = keys([1.5, 1.5], &[shelf(6.)]);
        assert_ne!(a, b);
        let [a, b] = keys([1.5, 1.5], &[shelf(2.), shelf(6.01)]);
        assert_ne!(a, b);
        let [a, b] = keys([1.5, 1.5], &[shelf(2.), shelf(6.)]);
        assert_eq!(a, b);
    }
}
