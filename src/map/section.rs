//! Horizontal cuts of rooms seen from above: walls, floors and the objects on them.

use std::collections::BTreeMap;

use glam::{DVec2, DVec3};

use super::outlines::flat;
use super::storeys::{FLOOR, Section};
use crate::geometry::{Plane, Triangle};

/// The maximum distance of points that are merged, metres.
const WELD: f64 = 1e-3;
/// The offset of the cut from round heights, metres: at a round height, surfaces would lie in the cut.
const ASIDE: f64 = 3.7e-4;
/// The maximum distance of a corner from the straight line past it at which the corner is omitted, metres.
const STRAIGHT: f64 = 2e-3;
/// The maximum number of edges that are drawn of a room; finer rooms are drawn without edges.
const MAX_EDGES: usize = 4000;

/// The drawing of a room.
#[derive(Debug, Default)]
pub(super) struct RoomDrawing {
    /// Polylines along the cut.
    pub(super) walls: Vec<Vec<DVec2>>,
    /// Upward surfaces below the cut.
    pub(super) floor: Vec<[DVec2; 3]>,
    /// The boundary edges of the floor.
    pub(super) edges: Vec<Vec<DVec2>>,
}

/// Cuts a room, and collects its lines and areas.
pub(super) fn cut_room(triangles: &[Triangle], section: &Section) -> RoomDrawing {
    let floor = floor_below(triangles, section);
    let edges = edges_below(triangles, section);
    RoomDrawing {
        walls: cut_at(triangles, section.cut),
        floor,
        edges: if edges.len() <= MAX_EDGES {
            chained(&edges)
        } else {
            Vec::new()
        },
    }
}

/// Returns the polylines along which triangles intersect a horizontal plane.
pub(super) fn cut_at(triangles: &[Triangle], height: f64) -> Vec<Vec<DVec2>> {
    let height = height + ASIDE;
    let mut segments = Vec::new();
    for Triangle { corners } in triangles {
        let mut ends = Vec::with_capacity(2);
        for (a, b) in corners.iter().zip(corners.iter().cycle().skip(1)) {
            if (a.y > height) != (b.y > height) {
                // Interpolates from the lower end, so that two triangles compute the same point on their shared edge.
                let (low, high) = if a.y < b.y { (a, b) } else { (b, a) };
                let part = (height - low.y) / (high.y - low.y);
                ends.push(flat(low.lerp(*high, part)));
            }
        }
        if let [a, b] = ends[..] {
            segments.push([a, b]);
        }
    }
    chained(&segments)
}

/// Returns the parts of upward surfaces between two heights.
fn floor_below(triangles: &[Triangle], section: &Section) -> Vec<[DVec2; 3]> {
    let planes = [
        Plane::through(DVec3::Y * section.cut, DVec3::Y),
        Plane::through(DVec3::Y * section.from.max(-1e9), DVec3::NEG_Y),
    ];
    let mut floor = Vec::new();
    for triangle in triangles.iter().filter(|t| faces_up(t)) {
        for part in fan(&triangle.part_behind(&planes[0])) {
            for part in fan(&part.part_behind(&planes[1])) {
                floor.push(part.corners.map(flat));
            }
        }
    }
    floor
}

/// Returns the edges that belong to only one upward triangle.
fn edges_below(triangles: &[Triangle], section: &Section) -> Vec<[DVec2; 2]> {
    let mut edges: BTreeMap<[[i64; 3]; 2], (usize, [DVec2; 2])> = BTreeMap::new();
    let is_shown = |p: &DVec3| (section.from..=section.cut).contains(&p.y);
    for triangle in triangles.iter().filter(|t| faces_up(t)) {
        let corners = &triangle.corners;
        for (a, b) in corners.iter().zip(corners.iter().cycle().skip(1)) {
            if is_shown(a) && is_shown(b) {
                let mut key = [welded(*a), welded(*b)];
                key.sort_unstable();
                let edge = edges.entry(key).or_insert((0, [flat(*a), flat(*b)]));
                edge.0 += 1;
            }
        }
    }
    let alone = edges.into_values().filter(|(count, _)| *count == 1);
    alone.map(|(_, edge)| edge).collect()
}

fn faces_up(triangle: &Triangle) -> bool {
    let cross = triangle.cross();
    cross.y > FLOOR * cross.length()
}

fn fan(polygon: &[DVec3]) -> Vec<Triangle> {
    let Some((first, rest)) = polygon.split_first() else {
        return Vec::new();
    };
    let triangles = rest.windows(2).map(|pair| Triangle {
        corners: [*first, pair[0], pair[1]],
    });
    triangles.collect()
}

fn welded(p: DVec3) -> [i64; 3] {
    [p.x, p.y, p.z].map(|x| (x / WELD).round() as i64)
}

/// Joins segments end to end into polylines that are as long as possible, without corners on straight parts.
fn chained(segments: &[[DVec2; 2]]) -> Vec<Vec<DVec2>> {
    let key = |p: DVec2| [p.x, p.y].map(|x| (x / WELD).round() as i64);
    let mut ends: BTreeMap<[i64; 2], Vec<usize>> = BTreeMap::new();
    let long = |s: &&(usize, &[DVec2; 2])| key(s.1[0]) != key(s.1[1]);
    for (index, segment) in segments.iter().enumerate().filter(|s| long(&s)) {
        for end in segment {
            ends.entry(key(*end)).or_default().push(index);
        }
    }
    let mut used = vec![false; segments.len()];
    // Takes an unused segment at a point, and returns its other end.
    let next = |at: DVec2, used: &mut Vec<bool>| {
        let index = ends.get(&key(at))?.iter().find(|index| !used[**index])?;
        used[*index] = true;
        let [a, b] = segments[*index];
        Some(if key(a) == key(at) { b } else { a })
    };
    let mut lines = Vec::new();
    for (index, segment) in segments.iter().enumerate() {
        if used[index] || key(segment[0]) == key(segment[1]) {
            continue;
        }
        used[index] = true;
        let mut line = segment.to_vec();
        while let Some(at) = next(line[line.len() - 1], &mut used) {
            line.push(at);
        }
        line.reverse();
        while let Some(at) = next(line[line.len() - 1], &mut used) {
            line.push(at);
        }
        lines.push(straightened(&line));
    }
    lines
}

/// A polyline without the points on its straight parts.
fn straightened(line: &[DVec2]) -> Vec<DVec2> {
    let mut kept: Vec<DVec2> = Vec::with_capacity(line.len());
    for (index, &p) in line.iter().enumerate() {
        if let (Some(&before), Some(&after)) = (kept.last(), line.get(index + 1)) {
            let along = (after - before).normalize_or_zero();
            let off = along.perp_dot(p - before).abs();
            if off < STRAIGHT && along.dot(p - before) >= 0.0 && along.dot(after - p) >= 0.0 {
                continue;
            }
        }
        kept.push(p);
    }
    kept
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::author::sketch::{Sketch, cuboid};

    /// A room of 4 x 6 m, 3 m high, with a block of 1 m in its middle.
    fn room() -> Vec<Triangle> {
        let mut sketch = Sketch::new("room");
        let room = sketch.box_room("room", cuboid([0.0; 3], [4.0, 3.0, 6.0]), &[]);
        sketch.furniture(room, 0, cuboid([1.0, 0.0, 1.0], [2.0, 1.0, 2.0]));
        let meshes = sketch.source.meshes.iter();
        let triangles = meshes.flat_map(|mesh| {
            let corner = |i: u32| mesh.positions[i as usize];
            mesh.triangles.iter().map(move |t| t.map(corner))
        });
        triangles.map(|corners| Triangle { corners }).collect()
    }

    fn section(cut: f64) -> Section {
        Section {
            room: 0,
            floor: 0.0,
            from: f64::NEG_INFINITY,
            cut,
        }
    }

    fn length(lines: &[Vec<DVec2>]) -> f64 {
        let pairs = lines.iter().flat_map(|line| line.windows(2));
        pairs.map(|pair| pair[0].distance(pair[1])).sum()
    }

    #[test]
    fn cut_lines_are_closed_and_have_no_corners_on_straight_walls() {
        let high = cut_room(&room(), &section(1.2));
        assert_eq!(high.walls.len(), 1);
        assert!((length(&high.walls) - 20.0).abs() < 1e-9);
        assert!(high.walls[0].len() <= 6, "{:?}", high.walls);
        let low = cut_room(&room(), &section(0.5));
        assert!((length(&low.walls) - 24.0).abs() < 1e-9);
        // The edges of the floor, and the top edges of the block where they are below the cut.
        assert!((length(&high.edges) - 24.0).abs() < 1e-9);
        assert!((length(&low.edges) - 20.0).abs() < 1e-9);
    }

    #[test]
    fn floors_are_as_large_as_the_upward_surfaces_below_the_cut() {
        let area = |cut: &RoomDrawing| -> f64 {
            let areas = cut.floor.iter();
            areas
                .map(|[a, b, c]| 0.5 * (*b - *a).perp_dot(*c - *a).abs())
                .sum()
        };
        assert!((area(&cut_room(&room(), &section(0.5))) - 24.0).abs() < 1e-9);
        assert!((area(&cut_room(&room(), &section(1.2))) - 25.0).abs() < 1e-9);
    }
}
