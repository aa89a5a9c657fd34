//! Steps of a staircase that are higher than a player climbs.

use std::collections::BTreeSet;

use glam::DVec3;

use super::flood::Flood;
use super::steps::{PROBE, RADIUS, Stand, Walker};
use crate::collision::follow;
use crate::game::player::PLAYER;
use crate::level::{At, RoomId};

/// A staircase leads to so many places at least that players get to by jumping alone.
const MIN_PLACES: usize = 4;
/// A smaller rise from one sample to the next, metres, is floor and no step.
const MIN_STEP: f64 = 0.08;
/// Steps of a staircase differ in height by less, metres.
const EQUAL: f64 = 0.03;
/// A rise that is so many times as high as a step beside it is a desk or a wall.
const MAX_TIMES: f64 = 3.0;
/// A tread is no longer, metres.
const TREAD: f64 = 0.6;
/// The height of the floor is looked at in such distances, metres.
const SPACING: f64 = 0.04;
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
        let low = flood.places[from];
        let [leads_on, leads_to_room] = leads_on[to];
        if low.jumped || !leads_on {
            continue;
        }
        let Some((riser, [below, above])) = highest(walker, low.stand, along) else {
            continue;
        };
        // Furniture has no steps on both sides, no two equal ones on one side, and leads to no room.
        let is_between = above[0].is_some() && below[0].is_some();
        let is_step_of = |steps| is_flight(steps, riser.height);
        if is_between || is_step_of(above) || is_step_of(below) || leads_to_room {
            found.push(riser);
        }
    }
    found
}

/// Whether two steps are as high as each other, and a step of this height, metres, may be meant as one of them.
fn is_flight(steps: Steps, height: f64) -> bool {
    let [Some(first), Some(second)] = steps else {
        return false;
    };
    (first - second).abs() < EQUAL && height < MAX_TIMES * first
}

/// Heights, metres, of the next two steps of a staircase.
type Steps = [Option<f64>; 2];

/// The highest riser on the way of a jump, if it is too high, and the steps below and above it.
fn highest(walker: &mut Walker, from: Stand, along: DVec3) -> Option<(Riser, [Steps; 2])> {
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

/// How much higher, metres, the floor is two samples ahead: a sample on the edge of a step is not as high as the step.
fn rise(floors: &[At], sample: usize) -> f64 {
    floors[sample + 2].point.y - floors[sample].point.y
}

/// The first two steps among the rises of the floor.
fn steps(rises: impl Iterator<Item = f64>) -> Steps {
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
            // The rest of this step.
            while rises.next_if(|rise| rise.abs() >= MIN_STEP).is_some() {}
            break;
        }
    }
    steps
}

/// The floor from a place on along a line, as far as there is one, in samples `ahead` of one another; the first is that of
/// the place.
fn profile(walker: &mut Walker, from: At, ahead: DVec3, length: f64) -> Vec<At> {
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
