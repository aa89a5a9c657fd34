//! Steps of a staircase that are higher than players can step.

use std::collections::BTreeSet;

use glam::DVec3;

use super::flood::WalkableArea;
use super::steps::{PROBE, ProbeBody, RADIUS, Stand};
use crate::collision::follow;
use crate::game::PLAYER;
use crate::level::{At, RoomId};

/// Minimum number of connected places above a staircase that can be reached only by jumping.
const MIN_PLACES: usize = 4;
/// Minimum height difference between samples at a step, metres. Less is an uneven floor.
const MIN_STEP: f64 = 0.08;
/// Maximum height difference between the steps of one staircase, metres.
const EQUAL: f64 = 0.03;
/// Maximum ratio between the heights of a step and an adjacent one. A higher obstacle is a desk or a wall.
const MAX_TIMES: f64 = 3.0;
/// Maximum length of a tread, metres.
const TREAD: f64 = 0.6;
/// Distance between height samples of the floor, metres.
const SPACING: f64 = 0.04;
/// Minimum difference between a reported step and the player's step height, metres.
const TOO_HIGH: f64 = 0.01;

/// A step of a staircase that is too high.
pub(super) struct Riser {
    /// A point of the step's upper edge.
    pub at: At,
    /// Height, metres.
    pub height: f64,
}

/// The steps of stairs that players can climb only by jumping.
pub(super) fn risers(walker: &mut ProbeBody, flood: &WalkableArea) -> Vec<Riser> {
    let mut found = Vec::new();
    let walked: Vec<bool> = flood.places.iter().map(|place| !place.jumped).collect();
    let room = |place: usize| flood.places[place].stand.at.room;
    let places = (0..walked.len()).filter(|&place| walked[place]);
    let rooms: BTreeSet<RoomId> = places.map(room).collect();
    // For each place: whether it belongs to a large group of places that can be reached only by jumping, and whether a
    // room of that group can be reached only by jumping.
    let mut leads_on = vec![[false; 2]; walked.len()];
    for part in flood.parts(&walked) {
        let is_large = part.len() >= MIN_PLACES;
        let is_way = is_large && part.iter().any(|&place| !rooms.contains(&room(place)));
        part.into_iter()
            .for_each(|place| leads_on[place] = [is_large, is_way]);
    }
    for &(from, along, to) in &flood.jumps {
        let low = flood.places[from];
        let [leads_on, leads_to_room] = leads_on[to];
        if low.jumped || !leads_on {
            continue;
        }
        let Some((riser, [below, above])) = highest(walker, low.stand, along) else {
            continue;
        };
        // Furniture is told from stairs: it does not have steps both above and below, nor two equal ones on one side,
        // and leads to no room.
        let is_between = above[0].is_some() && below[0].is_some();
        let is_step_of = |steps| is_flight(steps, riser.height);
        if is_between || is_step_of(above) || is_step_of(below) || leads_to_room {
            found.push(riser);
        }
    }
    found
}

/// Whether two steps have equal heights, and a step of height `height`, metres, may belong to the same flight.
fn is_flight(steps: RiserPair, height: f64) -> bool {
    let [Some(first), Some(second)] = steps else {
        return false;
    };
    (first - second).abs() < EQUAL && height < MAX_TIMES * first
}

/// The heights of the next two steps of a staircase, metres; `None` where there is none.
type RiserPair = [Option<f64>; 2];

/// The highest step along a jump, if it is too high, and the steps below and above it.
fn highest(walker: &mut ProbeBody, from: Stand, along: DVec3) -> Option<(Riser, [RiserPair; 2])> {
    let way = 2.0 * along.length() + RADIUS;
    let ahead = along.normalize_or_zero() * SPACING;
    let mut floors = profile(walker, from.at, -ahead, 2.0 * TREAD);
    floors.reverse();
    let first = floors.len().checked_sub(1)?;
    floors.extend(
        profile(walker, from.at, ahead, way + 2.0 * TREAD)
            .into_iter()
            .skip(1),
    );
    let last = first + (way / SPACING) as usize;
    if floors.len() <= last + 2 {
        return None;
    }
    let riser = (first..last).max_by(|&a, &b| rise(&floors, a).total_cmp(&rise(&floors, b)))?;
    let height = rise(&floors, riser);
    let lowest = PLAYER.step_settings.step_height + TOO_HIGH;
    if !(lowest..=PLAYER.jump_height).contains(&height) {
        return None;
    }
    let below = steps(
        (0..=riser.saturating_sub(2))
            .rev()
            .map(|i| rise(&floors, i)),
    );
    let above = steps((riser + 2..floors.len() - 2).map(|i| rise(&floors, i)));
    let at = floors[riser + 2];
    Some((Riser { at, height }, [below, above]))
}

/// The height difference between a floor sample and the second one after it, metres. Not the next one: if it is on the
/// edge of a step, it is lower than the step.
fn rise(floors: &[At], sample: usize) -> f64 {
    floors[sample + 2].point.y - floors[sample].point.y
}

/// The first two steps in a sequence of height differences between floor samples.
fn steps(rises: impl Iterator<Item = f64>) -> RiserPair {
    let mut rises = rises.peekable();
    let mut steps = [None; 2];
    for step in &mut steps {
        let mut tread = 0.0;
        while let Some(rise) = rises.next() {
            tread += SPACING;
            if rise.abs() < MIN_STEP {
                if tread > TREAD {
                    return steps;
                }
                continue;
            }
            let higher = rises.peek().map_or(rise, |next| next.max(rise));
            if higher < MIN_STEP {
                return steps;
            }
            *step = Some(higher);
            // Skips the other samples of the same step.
            while rises.next_if(|rise| rise.abs() >= MIN_STEP).is_some() {}
            break;
        }
    }
    steps
}

/// Floor samples along a line, at distances of `ahead`, up to the first place without a floor. The first sample is the
/// start.
fn profile(walker: &mut ProbeBody, from: At, ahead: DVec3, length: f64) -> Vec<At> {
    let mut floors: Vec<At> = Vec::new();
    let mut over = from;
    for _ in 0..=(length / SPACING) as usize {
        let top = over.point + DVec3::Y * PLAYER.jump_height;
        let (above, _) = follow(&walker.collision, over, top);
        let Some(floor) = walker.drop(above, PROBE) else {
            break;
        };
        floors.push(At::new(floor.room, floor.point - DVec3::Y * PROBE));
        (over, _) = follow(&walker.collision, floor, floor.point + ahead);
    }
    floors
}
