//! Slopes in front of doorways that are too steep to walk up.

use glam::DVec3;

use super::flood::WalkableArea;
use super::steps::{PROBE, ProbeBody, RADIUS};
use crate::collision::follow;
use crate::game::PLAYER;
use crate::geometry::{Aabb, Aabb32};
use crate::level::{At, RoomId};

/// Cosine of 80 degrees. A face with a steeper slope counts as a wall.
const WALL_COS: f64 = 0.173_648_177_666_930_35;
/// Maximum distance between a doorway and places from which the slope in front of it is searched for, metres.
const NEAR: f64 = 5.0;
/// Maximum number of such places.
const MAX_PLACES: usize = 60;
/// Distance between height samples, metres.
const SPACING: f64 = 0.05;
/// Height above the higher one of the place and the doorway's foot at which the sampling begins, metres.
const ABOVE: f64 = 0.3;

/// A slope.
pub(super) struct Slope {
    /// The node with the slope.
    pub node: String,
    /// The middle of the part that the path crosses.
    pub at: DVec3,
    /// Inclination, degrees.
    pub degrees: f64,
}

/// A point of the floor.
struct Floor {
    at: At,
    node: String,
    /// Cosine of the angle between the floor's normal and the vertical.
    up: f64,
}

/// The slope that is the only obstacle between walkable places of a room and its doorway.
pub(super) fn slope_before(
    walker: &mut ProbeBody,
    flood: &WalkableArea,
    room: RoomId,
    foot: DVec3,
) -> Option<Slope> {
    let places = flood.places.iter().filter(|place| !place.jumped);
    let places = places.map(|place| place.stand.at);
    let distance = |at: &At| at.point.distance(foot);
    let near = places.filter(|at| at.room == room && distance(at) < NEAR);
    let mut near: Vec<At> = near.collect();
    near.sort_by(|a, b| distance(a).total_cmp(&distance(b)));
    let every = near.len().div_ceil(MAX_PLACES).max(1);
    let mut near = near.into_iter().step_by(every);
    near.find_map(|from| slope_between(walker, from, foot))
}

/// The slope on the straight line from a place to a doorway, if it is the only obstacle.
fn slope_between(walker: &mut ProbeBody, from: At, foot: DVec3) -> Option<Slope> {
    let step = PLAYER.step_settings.step_height;
    let up = DVec3::Y * ((foot.y - from.point.y).max(0.0) + ABOVE);
    if walker.cast(from, up, PROBE) < 1.0 {
        return None;
    }
    let (above, _) = follow(&walker.collision, from, from.point + up);
    let along = (foot - from.point).with_y(0.0);
    if walker.cast(above, along, PROBE) < 1.0 {
        return None;
    }
    let samples = (along.length() / SPACING).ceil().max(1.0) as u32;
    let mut steep: Vec<Floor> = Vec::new();
    // The floor height before the slope, and the slope, once one has risen by more than a step.
    let (mut before, mut found) = (from.point.y - RADIUS, None);
    for sample in 0..=samples {
        let part = f64::from(sample) / f64::from(samples);
        let (over, _) = follow(&walker.collision, above, above.point + along * part);
        let landed = walker.drop(over, PROBE)?;
        let floor = floor_at(walker, landed)?;
        if (WALL_COS..PLAYER.step_settings.max_slope_cos).contains(&floor.up) {
            steep.push(floor);
            continue;
        }
        // Where the floor is not steep, height differences up to a step can be walked.
        let rise = floor.at.point.y - before;
        let is_step = rise.abs() <= step;
        match steep.get(steep.len() / 2) {
            _ if is_step => {}
            Some(middle) if rise > 0.0 && found.is_none() => {
                found = Some(Slope {
                    node: middle.node.clone(),
                    at: middle.at.point,
                    degrees: libm::acos(middle.up).to_degrees(),
                });
            }
            _ => return None,
        }
        steep.clear();
        before = floor.at.point.y;
    }
    found
}

/// The floor below a point: where a probing sphere comes to rest, and the slope of the face that supports it.
fn floor_at(walker: &ProbeBody, at: At) -> Option<Floor> {
    let level = walker.collision.level;
    let query = Aabb32::around(&Aabb::around([at.point]).grown(2.0 * PROBE));
    let mut nearest: Option<(f64, Floor)> = None;
    level
        .solids
        .touching(&level.room(at.room).solids, &query, |solid| {
            let triangle = solid.triangle();
            let distance = triangle.distance(at.point);
            let is_nearer = nearest.as_ref().is_none_or(|(known, _)| distance < *known);
            if let Some(normal) = triangle.normal().filter(|_| is_nearer) {
                let node = level.solids.node_name(solid.surface).to_owned();
                let up = normal.y;
                nearest = Some((distance, Floor { at, node, up }));
            }
        });
    nearest.map(|(_, floor)| floor)
}
