//! Openings through which a player should be able to walk, and their obstacles.

use glam::DVec3;

use super::steps::ProbeBody;
use crate::collision::follow;
use crate::game::{PLAYER, PLAYER_HEIGHT};
use crate::geometry::{Aabb, Aabb32};
use crate::level::{At, LevelData, Link};

/// Distance from an opening at which the floor on each side is searched for, metres.
const BESIDE: f64 = 0.45;
/// Height above an opening's lower edge at which the search for the floors begins, metres.
const ABOVE: f64 = 0.3;
/// Radius of the probing sphere, metres. It is small because openings may be too narrow for the body.
const PROBE: f64 = 0.08;
/// Maximum height difference between a floor and the lower edge of an opening that begins at that floor, metres.
const AT_FLOOR: f64 = 0.1;
/// Minimum height of a doorway, metres; lower openings are vents and hatches.
const MIN_HEIGHT: f64 = 1.15;
/// Minimum width of a doorway, metres; narrower openings are slits.
const MIN_WIDTH: f64 = 0.3;

/// An opening that begins at the floor of one of its rooms, or has the size of a door, or has a door.
#[derive(Clone, Copy, Debug)]
pub(super) struct Doorway {
    /// The middle of the lower edge, level coordinates.
    pub foot: DVec3,
    pub width: f64,
    pub height: f64,
    /// Height of the floor behind the opening above the floor in front, metres.
    pub rise: f64,
    /// Height above the floor in front of the opening's lower edge or the floor behind, whichever is higher, metres.
    pub sill: f64,
    /// Whether a person can stand upright on both sides.
    pub upright: bool,
    pub has_door: bool,
}

impl Doorway {
    /// The doorway of a link, seen from its near room; `None` if the opening is not a doorway.
    pub(super) fn of(walker: &mut ProbeBody, link: &Link) -> Option<Self> {
        let level = walker.collision.level;
        let portal = level.portal(link.portal);
        let polygon = &portal.polygon;
        let normal = polygon.plane.normal;
        if portal.moves() || normal.y.abs() > 0.3 || !portal.far_from_near.is_identity() {
            return None;
        }
        let out = normal.with_y(0.0).normalize_or_zero();
        let across = out.cross(DVec3::Y);
        let (low, high) = (portal.bounds.min.y, portal.bounds.max.y);
        let spread = polygon.vertices.iter().map(|p| across.dot(*p));
        let [left, right] = spread.fold([f64::INFINITY, f64::NEG_INFINITY], |[a, b], x| {
            [a.min(x), b.max(x)]
        });
        if high - low <= MIN_HEIGHT || right - left <= MIN_WIDTH {
            return None;
        }
        let foot = polygon.centre().with_y(low);
        let start = At::new(
            link.near,
            foot + DVec3::Y * ABOVE.min(0.5 * (high - low)) - out * 0.01,
        );
        let mut floor = |side: f64| {
            let to = out * (side * BESIDE);
            let part = walker.cast(start, to, PROBE);
            let (beside, _) = follow(&walker.collision, start, start.point + to * part);
            let landed = walker.drop(beside, PROBE)?;
            let free = (PLAYER_HEIGHT - PROBE)
                * walker.cast(landed, DVec3::Y * (PLAYER_HEIGHT - PROBE), PROBE);
            Some((landed.point.y - PROBE, free + 2.0 * PROBE >= PLAYER_HEIGHT))
        };
        let (before, upright_before) = floor(-1.0)?;
        let (behind, upright_behind) = floor(1.0)?;
        let begins_at = |floor: f64| (low - floor).abs() < AT_FLOOR;
        let has_door = link.panel.is_some();
        let doorway = Self {
            foot,
            width: right - left,
            height: high - low.max(before).max(behind),
            rise: behind - before,
            sill: low.max(behind) - before,
            upright: upright_before && upright_behind,
            has_door,
        };
        let is_door_sized = right - left >= 2.0 * PLAYER.radius && doorway.height >= PLAYER_HEIGHT;
        let is_doorway = has_door || is_door_sized || begins_at(before) || begins_at(behind);
        let is_large = doorway.height > MIN_HEIGHT && doorway.width > MIN_WIDTH;
        (is_doorway && is_large).then_some(doorway)
    }

    /// Whether a player can pass the doorway only by crouching.
    pub(super) fn is_low(&self, walker: &mut ProbeBody, link: &Link) -> bool {
        let is_low = self.height < PLAYER_HEIGHT - 0.02 && self.width >= 2.0 * PLAYER.radius;
        let sill = self.sill.max(self.sill - self.rise);
        is_low
            && self.upright
            && sill <= PLAYER.step_settings.step_height
            // Portals side by side may be parts of one larger opening.
            && !has_neighbour(walker.collision.level, link)
            && !self.passes(walker, link)
    }

    /// Whether the doorway is too narrow for any player.
    pub(super) fn is_narrow(&self, walker: &ProbeBody, link: &Link) -> bool {
        self.width < 2.0 * PLAYER.radius - 0.01 && !has_neighbour(walker.collision.level, link)
    }

    /// The nodes of obstacles in the doorway, at most three.
    pub(super) fn blockers(&self, level: &LevelData, link: &Link) -> Vec<String> {
        let portal = level.portal(link.portal);
        let out = portal.polygon.plane.normal.abs();
        let size = portal.bounds.max - portal.bounds.min;
        let inset = (DVec3::ONE - out) * (size * 0.2).min(DVec3::splat(0.2)) - out * BESIDE;
        let inside = Aabb {
            min: portal.bounds.min + inset,
            max: portal.bounds.max - inset,
        };
        let mut nodes = Vec::new();
        for room in [link.near, link.far] {
            let query = Aabb32::around(&inside);
            level
                .solids
                .touching(&level.room(room).solids, &query, |solid| {
                    let name = level.solids.node_name(solid.surface).to_owned();
                    let is_in = Aabb::around(solid.triangle().corners).overlaps(&inside);
                    if is_in && nodes.len() < 3 && !nodes.contains(&name) {
                        nodes.push(name);
                    }
                });
        }
        nodes
    }

    /// Whether spheres with the body's radius pass the doorway at all heights of the body.
    fn passes(&self, walker: &mut ProbeBody, link: &Link) -> bool {
        let level = walker.collision.level;
        let out = level
            .portal(link.portal)
            .polygon
            .plane
            .normal
            .with_y(0.0)
            .normalize_or_zero();
        let across = out.cross(DVec3::Y);
        let floor = self.foot.y + (self.sill - self.rise).min(0.0).abs().max(0.0);
        let radius = PLAYER.radius * 0.98;
        let heights = [radius + 0.05, 0.5 * PLAYER_HEIGHT, PLAYER_HEIGHT - radius];
        let sides = (-3..=3).map(|k| f64::from(k) * 0.12);
        sides.into_iter().any(|side| {
            heights.iter().all(|height| {
                let at = self.foot.with_y(floor + height) + across * side - out * 0.01;
                let (start, _) = follow(
                    &walker.collision,
                    At::new(link.near, self.foot + DVec3::Y * 0.2 - out * 0.01),
                    at,
                );
                walker.cast(start, out * BESIDE, radius) == 1.0
                    && walker.cast(start, out * -BESIDE, radius) == 1.0
            })
        })
    }
}

/// Whether another portal touches the portal of a link.
fn has_neighbour(level: &LevelData, link: &Link) -> bool {
    let around = level.portal(link.portal).bounds.grown(0.01);
    [link.near, link.far].into_iter().any(|room| {
        let mut has_other = false;
        level.each_portal_near(room, &around, |id| {
            let portal = level.portal(id);
            let is_other = level.link(portal.link).portal != link.portal;
            has_other |= is_other && portal.bounds.overlaps(&around);
        });
        has_other
    })
}
