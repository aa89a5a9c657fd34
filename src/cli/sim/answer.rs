//! The answer of `sim`, for scripts and for people.

use std::collections::BTreeMap;

use serde::Serialize;

use super::events::EventAnswer;
use super::place::{Place, name};
use crate::cli::messages::eprint_line;
use crate::cli::{Error, print};
use opendoor::geometry::Triangle;
use opendoor::level::Level;
use opendoor::motion::{Blocker, TICK_SECS};
use opendoor::replay::{Divergence, Playback};
use opendoor::testing::Leg;
use opendoor::world::World;

/// The answer of `--json`; the names of its fields stay as they are.
#[derive(Debug, Serialize)]
pub(super) struct Answer<'a> {
    pub(super) ticks: u64,
    pub(super) seconds: f64,
    pub(super) start: Place<'a>,
    pub(super) end: Place<'a>,
    pub(super) legs: Vec<LegAnswer<'a>>,
    pub(super) distance: f64,
    pub(super) min_y: f64,
    pub(super) max_y: f64,
    pub(super) rooms_entered: Vec<&'a str>,
    pub(super) grounded_ticks: u64,
    pub(super) max_penetration: f64,
    pub(super) min_gap: f64,
    /// Whether the body is crushed at the end, with no way out.
    pub(super) stuck: bool,
    /// What stands in its way at the end.
    pub(super) why: Vec<BlockerAnswer<'a>>,
    /// What happened on the way: the first thousand events of each kind.
    pub(super) events: Vec<EventAnswer<'a>>,
    /// How many more there were.
    pub(super) events_omitted: u64,
    /// The ticks of rigid bodies in which a body was held back, for it would have passed a surface or ended deep in it.
    pub(super) bodies_held_back: u64,
    pub(super) ns_per_tick: f64,
    /// The part of it that each phase of ticks of rigid bodies takes, by the name of the phase.
    pub(super) body_ns_per_tick: BTreeMap<&'static str, f64>,
    pub(super) state_hash: String,
    /// Of `--replay` alone.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) replay: Option<ReplayAnswer>,
}

/// Whether a replay went as it was recorded, as far as it was played.
#[derive(Debug, Serialize)]
pub(super) struct ReplayAnswer {
    /// That it has.
    ticks: usize,
    same: bool,
    divergence: Option<DivergenceAnswer>,
}

/// Where it did not.
#[derive(Debug, Serialize)]
struct DivergenceAnswer {
    /// The tick of the replay before which the states were last found to be the same.
    same_until: usize,
    /// The tick before which they differ.
    tick: usize,
    seconds: f64,
    expected: String,
    found: String,
}

#[derive(Debug, Serialize)]
pub(super) struct BlockerAnswer<'a> {
    node: &'a str,
    room: &'a str,
    /// From it to the body.
    normal: [f64; 3],
    /// Its polygon, author's coordinates.
    triangles: Vec<[[f64; 3]; 3]>,
}

#[derive(Debug, Serialize)]
pub(super) struct LegAnswer<'a> {
    line: usize,
    command: &'a str,
    ok: bool,
    seconds: f64,
    room: &'a str,
    position: [f64; 3],
}

pub(super) fn blocker_answer<'a>(
    level: &'a Level,
    world: &World,
    blocker: &Blocker,
) -> BlockerAnswer<'a> {
    let triangles = blocker.solid.triangles(level, world).into_iter();
    let author = |triangle: Triangle| triangle.corners.map(|p| level.to_author(p).0.to_array());
    BlockerAnswer {
        node: blocker.solid.node(level),
        room: name(level, blocker.solid.room(level)),
        normal: blocker.normal.to_array(),
        triangles: triangles.map(author).collect(),
    }
}

pub(super) fn leg_answer<'a>(level: &'a Level, leg: &'a Leg) -> LegAnswer<'a> {
    LegAnswer {
        line: leg.line,
        command: &leg.command,
        ok: leg.ok,
        seconds: leg.seconds,
        room: name(level, leg.room),
        position: leg.feet.0.to_array(),
    }
}

pub(super) fn replay_answer(playback: &Playback) -> ReplayAnswer {
    let divergence = |divergence: Divergence| DivergenceAnswer {
        same_until: divergence.same_until,
        tick: divergence.tick,
        seconds: divergence.tick as f64 * TICK_SECS,
        expected: format!("{:016x}", divergence.expected),
        found: format!("{:016x}", divergence.found),
    };
    ReplayAnswer {
        ticks: playback.replay().ticks(),
        same: playback.divergence().is_none(),
        divergence: playback.divergence().map(divergence),
    }
}

/// Prints the answer for people.
pub(super) fn print_summary(answer: &Answer) -> Result<(), Error> {
    for blocker in &answer.why {
        let [x, y, z] = blocker.normal;
        eprint_line(&format!(
            "{} `{}` of room {}, from the direction ({x:.3}, {y:.3}, {z:.3})",
            if answer.stuck {
                "crushed by"
            } else {
                "blocked by"
            },
            blocker.node,
            blocker.room,
        ));
    }
    let ok = answer.legs.iter().filter(|leg| leg.ok).count();
    let same = match &answer.replay {
        Some(replay) if replay.same => ", the same as recorded",
        _ => "",
    };
    let [x, y, z] = answer.end.position;
    print(&format!(
        "{:.2} s, {:.2} m through {} rooms, {ok} of {} legs done; ends in {} at \
         ({x:.3}, {y:.3}, {z:.3})\n\
         least gap {:.6} m, deepest penetration {:.6} m, {:.0} ns a tick, state {}{same}\n",
        answer.seconds,
        answer.distance,
        answer.rooms_entered.len(),
        answer.legs.len(),
        answer.end.room,
        answer.min_gap,
        answer.max_penetration,
        answer.ns_per_tick,
        answer.state_hash,
    ))
}
