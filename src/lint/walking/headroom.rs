//! Beams and lintels inside rooms that are lower than a player's height.

use std::collections::BTreeSet;

use glam::DVec3;

use super::flood::{StandingPlace, WalkableArea, directions};
use super::steps::{Landing, ProbeBody, RADIUS, StepResult};
use crate::collision::follow;
use crate::game::{PLAYER, PLAYER_HEIGHT};
use crate::level::{At, RoomId};

/// Maximum number of steps below a beam. Longer low places are crawl passages, which are intended.
const MAX_STEPS: usize = 4;
/// Minimum number of places that a reported beam cuts off.
const MIN_BEHIND: usize = 12;
/// Maximum distance between two points of one beam, metres.
const SAME: f64 = 3.0;

/// A place with too little headroom.
pub(super) struct LowPlace {
    /// The lowest point above the place.
    pub at: At,
    /// Height between the floor and that point, metres.
    pub clearance: f64,
}

/// The obstacles below which players cannot stand upright, and around which no way leads.
pub(super) fn low_places(walker: &mut ProbeBody, flood: &WalkableArea) -> Vec<LowPlace> {
    let upright = flood.upright();
    let mut found: Vec<LowPlace> = Vec::new();
    for (place, _) in upright.iter().enumerate().filter(|(_, is)| **is) {
        let StandingPlace {
            stand,
            is_upright_after,
            ..
        } = flood.places[place];
        let from = stand.at;
        // Nothing is low in a direction in which the body stands upright after one step.
        let steps = directions().zip(is_upright_after);
        for (along, _) in steps.filter(|(_, is_upright)| !is_upright) {
            let Some((low, behind)) = below(walker, from, along) else {
                continue;
            };
            let is_known = |other: &LowPlace| other.at.point.distance(low.at.point) < SAME;
            if !found.iter().any(is_known) && is_cut_off(walker, flood, &upright, behind) {
                found.push(low);
            }
        }
    }
    found
}

/// The lowest obstacle along a direction from a place, and the first position behind it at which a player can stand
/// upright.
fn below(walker: &mut ProbeBody, from: At, along: DVec3) -> Option<(LowPlace, At)> {
    let mut at = from;
    let mut lowest: Option<LowPlace> = None;
    for _ in 0..=MAX_STEPS {
        at = if walker.cast(at, along, RADIUS) < 1.0 {
            // The sphere may be stopped by stairs.
            match walker.landing(at, along, PLAYER.step_settings.step_height) {
                Landing::On(at, _) => at,
                _ => return None,
            }
        } else {
            let (over, _) = follow(&walker.collision, at, at.point + along);
            walker.drop(over, RADIUS)?
        };
        // Lintels above portals are checked with the doorways.
        if at.room != from.room || from.point.y - at.point.y > PLAYER.step_settings.step_height {
            return None;
        }
        let clearance = walker.clearance(at);
        if clearance >= PLAYER_HEIGHT - 0.02 {
            return lowest.map(|low| (low, at));
        }
        if lowest.as_ref().is_none_or(|low| clearance < low.clearance) {
            let top = at.point + DVec3::Y * (clearance - RADIUS);
            lowest = Some(LowPlace {
                at: At::new(at.room, top),
                clearance,
            });
        }
    }
    None
}

/// Whether enough places are behind the beam, and none of them can be reached upright by another way.
fn is_cut_off(walker: &mut ProbeBody, flood: &WalkableArea, upright: &[bool], start: At) -> bool {
    let cell = |at: At| -> (RoomId, [i64; 3]) { (at.room, flood.grid.cell(at.point)) };
    let mut known = BTreeSet::from([cell(start)]);
    let mut places = vec![start];
    let mut next = 0;
    while next < places.len() && places.len() < MIN_BEHIND {
        let at = places[next];
        next += 1;
        if flood.is_at(at, upright) {
            return false;
        }
        for along in directions() {
            let step = walker.step(at, along, PLAYER.step_settings.step_height);
            if let StepResult::To(stand, _) = step
                && stand.upright
                && known.insert(cell(stand.at))
            {
                places.push(stand.at);
            }
        }
    }
    places.len() >= MIN_BEHIND && !places.iter().any(|&at| flood.is_at(at, upright))
}
