//! A random hall.

use glam::DVec3;
use opendoor::author::sketch::{Sketch, cuboid};
use opendoor::geometry::Aabb;
use opendoor::level::{Drive, Level, Track};
use opendoor::source::MoverSource;

use super::drawn::{drive, size, track, vector};
use crate::oracle::Corners;
use crate::rng::Rng;
use crate::shared::built;

/// A hall, or two halls with a door between them, with fixed and moving solids.
pub(super) struct Hall {
    pub(super) level: Level,
    /// The inside of the hall, author's coordinates.
    pub(super) air: Aabb,
    pub(super) fixed: Vec<Corners>,
    /// Solid boxes: pillars, steps, low ceilings.
    pub(super) full: Vec<Aabb>,
    pub(super) movers: Vec<Parts>,
}

/// A mover: its name, its boxes, and whether it closes the whole cross-section of the hall.
pub(super) struct Parts {
    pub(super) name: String,
    pub(super) boxes: Vec<Aabb>,
    pub(super) seals: bool,
}

impl Hall {
    pub(super) fn new(rng: &mut Rng) -> Self {
        let high = vector(rng, DVec3::new(1.6, 1.9, 1.6), DVec3::new(6.0, 4.0, 6.0));
        let mut air = Aabb {
            min: DVec3::new(0.0, 0.0, 0.0),
            max: high,
        };
        let mut sketch = Sketch::new("squeeze");
        let inside = air;
        let mut movers = Vec::new();
        let is_double = rng.below(3) == 0;
        if is_double {
            // The opening may be wider than its door.
            let middle = 0.5 * high.z;
            let wide = 0.7;
            let wall = high.x;
            let opening = cuboid([wall, 0.0, middle - wide], [wall, 1.8, middle + wide]);
            let a = sketch.box_room("a", inside, &[opening]);
            air.max.x += 4.0;
            let other = Aabb {
                min: DVec3::new(wall, 0.0, 0.0),
                max: air.max,
            };
            sketch.box_room("b", other, &[opening]);
            sketch.portal(a, "b", opening, DVec3::X);
            let narrow = if rng.below(3) == 0 { 0.5 } else { 0.0 };
            let thick = 0.5 * [0.001, 0.04, 0.3][rng.below(3)];
            let panel = cuboid(
                [wall - thick, 0.0, middle - wide],
                [wall + thick, 1.8 - narrow, middle + wide - narrow],
            );
            let track = if rng.below(3) == 0 {
                Track::Slide([DVec3::Y * 1.7, DVec3::Z * 1.3][rng.below(2)])
            } else {
                Track::Turn {
                    pivot: DVec3::new(wall, 0.0, middle - wide),
                    axis: DVec3::Y,
                    angle: rng.between(-1.9, 1.9),
                }
            };
            let drive = Drive {
                first_tick: 0,
                ..drive(rng, 2.0)
            };
            add(&mut sketch, &mut movers, vec![panel], track, drive, true);
        } else {
            sketch.box_room("a", inside, &[]);
        }
        sketch.spawn(0, DVec3::new(0.15, 1.0, 0.15), DVec3::X);
        let mut full = Vec::new();
        for _ in 0..rng.below(4) {
            let low = vector(rng, DVec3::new(0.3, 0.0, 0.3), high);
            let pillar = match rng.below(3) {
                0 => [low.with_y(0.0), (low + DVec3::splat(0.5)).with_y(high.y)],
                1 => [low.with_y(0.0), (low + DVec3::splat(1.5)).with_y(0.25)],
                _ => [low.with_y(1.2), (low + DVec3::splat(3.0)).with_y(high.y)],
            };
            let pillar = Aabb {
                min: pillar[0],
                max: pillar[1].min(high),
            };
            if (pillar.max - pillar.min).min_element() > 0.05 {
                sketch.furniture(0, 0, pillar);
                full.push(pillar);
            }
        }
        let fixed = corners(&sketch.source.meshes);
        let count = 1 + rng.below(6);
        while movers.len() < count {
            let seals = !is_double && rng.below(6) == 0;
            let (boxes, track, length) = if seals {
                let [at, thick] = [rng.between(0.0, high.x), [0.001, 0.2][rng.below(2)]];
                let wall = cuboid([at, -0.3, -0.3], [at + thick, high.y + 0.3, high.z + 0.3]);
                let by = rng.between(-high.x, high.x);
                (vec![wall], Track::Slide(DVec3::X * by), by.abs())
            } else {
                let middle = vector(rng, DVec3::ZERO, high);
                let boxes = (0..=rng.below(3)).map(|_| {
                    let (middle, half) = (middle + rng.cube() * 0.5, size(rng) * 0.5);
                    Aabb {
                        min: middle - half,
                        max: middle + half,
                    }
                });
                let boxes: Vec<Aabb> = boxes.collect();
                let (track, length) = track(rng, middle);
                (boxes, track, length)
            };
            let swept = boxes.iter().fold(Aabb::EMPTY, |all, b| all.union(*b));
            // Bodies behind the wall do not collide with a mover that protrudes through it.
            if is_double && track.sweep(&swept).max.x > high.x - 0.05 {
                if rng.below(20) == 0 {
                    break;
                }
                continue;
            }
            let drive = drive(rng, length);
            add(&mut sketch, &mut movers, boxes, track, drive, false);
            movers.last_mut().unwrap().seals = seals;
        }
        let level = built(sketch.source);
        assert_eq!(level.origin, DVec3::ZERO);
        Self {
            fixed,
            level,
            air,
            full,
            movers,
        }
    }
}

fn add(
    sketch: &mut Sketch,
    movers: &mut Vec<Parts>,
    boxes: Vec<Aabb>,
    track: Track,
    drive: Drive,
    is_door: bool,
) {
    let before = sketch.source.meshes.len();
    for part in &boxes {
        sketch.furniture(0, 0, *part);
    }
    let name = format!(
        "m{}-{}",
        movers.len(),
        if is_door { "door" } else { "mover" }
    );
    let meshes = sketch.source.meshes.split_off(before);
    sketch.source.movers.push(MoverSource {
        node: name.clone(),
        meshes,
        is_door,
        track,
        drive,
        moved_rooms: Vec::new(),
        moves_with: None,
    });
    movers.push(Parts {
        name,
        boxes,
        seals: false,
    });
}

/// The triangles of meshes, rounded as in the level.
fn corners(meshes: &[opendoor::source::MeshSource]) -> Vec<Corners> {
    let triangles = meshes
        .iter()
        .flat_map(|mesh| mesh.positions.chunks_exact(3));
    let rounded = |p: DVec3| p.as_vec3().as_dvec3();
    triangles.map(|c| [c[0], c[1], c[2]].map(rounded)).collect()
}
