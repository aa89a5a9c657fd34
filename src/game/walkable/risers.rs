//! Steps in the middle of a staircase that are higher than a player climbs.

use std::collections::BTreeSet;

use glam::DVec3;

use super::flood::Flood;
use super::steps::{PROBE, RADIUS, Stand, Step, Walker};
use crate::collision::follow;
use crate::game::player::PLAYER;
use crate::level::{At, RoomId};

/// What rises less than this from one place to the next, metres, is floor and no step.
const MIN_STEP: f64 = 0.08;
/// A staircase leads to so many places at least that players get to by jumping alone.
const MIN_PLACES: usize = 24;
/// Length of a tread at most, in steps of the flood.
const TREAD: u32 = 2;
/// The heights before and behind a riser are looked at so often.
const SAMPLES: u32 = 30;
/// A riser that much higher than what a player climbs, metres, is too high.
const TOO_HIGH: f64 = 0.01;

/// A step that is too high.
pub(super) struct Riser {
    /// Its upper edge.
    pub at: At,
    /// Metres.
    pub height: f64,
}

/// The risers that players can only jump up to where stairs lead to.
pub(super) fn risers(walker: &mut Walker, flood: &Flood) -> Vec<Riser> {
    let mut found = Vec::new();
    let walked: Vec<bool> = flood.places.iter().map(|place| !place.jumped).collect();
    let room = |place: usize| flood.places[place].stand.at.room;
    let places = (0..walked.len()).filter(|&place| walked[place]);
    let rooms: BTreeSet<RoomId> = places.map(room).collect();
    // Where many places lie behind, and where a room does that players get into by jumping alone.
    let mut leads_on = vec![[false; 2]; walked.len()];
    for part in flood.parts(&walked) {
        let is_large = part.len() >= MIN_PLACES;
        let is_way = is_large && part.iter().any(|&place| !rooms.contains(&room(place)));
        part.into_iter()
            .for_each(|place| leads_on[place] = [is_large, is_way]);
    }
    for &(from, along, to) in &flood.jumps {
        let [low, high] = [from, to].map(|place| flood.places[place]);
        let [leads_on, leads_to_room] = leads_on[to];
        if low.jumped || !leads_on {
            continue;
        }
        // Furniture has no steps on both sides, and leads to no room.
        let above = steps_along(walker, high.stand, along, 1.0);
        let below = steps_along(walker, low.stand, -along, -1.0);
        if above && below || leads_to_room {
            found.extend(highest(walker, low.stand, along));
        }
    }
    found
}

/// Whether a staircase goes on from a place, upwards (1) or downwards (-1).
fn steps_along(walker: &mut Walker, from: Stand, along: DVec3, up: f64) -> bool {
    let mut at = from.at;
    for _ in 0..TREAD {
        let Step::To(stand, rise) = walker.step(at, along, PLAYER.step_settings.step_height) else {
            return false;
        };
        if rise.abs() > MIN_STEP {
            return rise * up > 0.0;
        }
        at = stand.at;
    }
    false
}

/// The highest riser on the way of a jump, if it is too high.
fn highest(walker: &mut Walker, from: Stand, along: DVec3) -> Option<Riser> {
    let up = PLAYER.jump_height;
    let top = from.at.point + DVec3::Y * up;
    let (above, _) = follow(&walker.collision, from.at, top);
    let ahead = along.normalize_or_zero() * (2.0 * along.length() + RADIUS);
    let mut before: Option<At> = None;
    let mut riser: Option<Riser> = None;
    for sample in 0..=SAMPLES {
        let part = f64::from(sample) / f64::from(SAMPLES);
        let (over, _) = follow(&walker.collision, above, above.point + ahead * part);
        let floor = walker.drop(over, PROBE)?;
        let floor = At::new(floor.room, floor.point - DVec3::Y * PROBE);
        if let Some(before) = before {
            let height = floor.point.y - before.point.y;
            if riser.as_ref().is_none_or(|riser| height > riser.height) {
                riser = Some(Riser { at: floor, height });
            }
        }
        before = Some(floor);
    }
    let lowest = PLAYER.step_settings.step_height + TOO_HIGH;
    riser.filter(|riser| (lowest..=up).contains(&riser.height))
}
