//! The answer of `sim`, as JSON and as text.

use std::collections::BTreeMap;

use serde::Serialize;

use super::events::EventAnswer;
use super::place::{ReportedPosition, name};
use crate::cli::messages::eprint_line;
use crate::cli::{Error, print};
use opendoor::geometry::Triangle;
use opendoor::level::Level;
use opendoor::motion::{Blocker, TICK_SECS};
use opendoor::replay::{Divergence, Playback};
use opendoor::testing::Leg;
use opendoor::world::World;

/// The answer of `--json`. The field names must not change.
#[derive(Debug, Serialize)]
pub(super) struct SimAnswer<'a> {
    pub(super) ticks: u64,
    pub(super) seconds: f64,
    pub(super) start: ReportedPosition<'a>,
    pub(super) end: ReportedPosition<'a>,
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
    /// The solids that block the body at the end.
    pub(super) why: Vec<BlockerAnswer<'a>>,
    /// The events of the walk: the first thousand of each kind.
    pub(super) events: Vec<EventAnswer<'a>>,
    /// The number of further events.
    pub(super) events_omitted: u64,
    /// The number of ticks of rigid bodies in which a body was held back to keep it from passing a surface or from
    /// ending deep in it.
    pub(super) bodies_held_back: u64,
    pub(super) ns_per_tick: f64,
    /// The time per tick of each phase of rigid bodies, by the name of the phase; `ns_per_tick` includes all phases.
    pub(super) body_ns_per_tick: BTreeMap<&'static str, f64>,
    pub(super) state_hash: String,
    /// Only with `--replay`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) replay: Option<ReplayAnswer>,
}

/// The comparison of a replay with its recording, up to the last tick that was played.
#[derive(Debug, Serialize)]
pub(super) struct ReplayAnswer {
    /// The number of ticks of the replay.
    ticks: usize,
    same: bool,
    divergence: Option<DivergenceAnswer>,
}

/// The point where a replay diverged from its recording.
#[derive(Debug, Serialize)]
struct DivergenceAnswer {
    /// The last tick of the replay before which the states were found to be equal.
    same_until: usize,
    /// The tick before which the states differ.
    tick: usize,
    seconds: f64,
    expected: String,
    found: String,
}

#[derive(Debug, Serialize)]
pub(super) struct BlockerAnswer<'a> {
    node: &'a str,
    room: &'a str,
    /// The contact normal, from the blocker to the body.
    normal: [f64; 3],
    /// The blocker's polygon as triangles, author's coordinates.
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

/// Prints the answer as text.
pub(super) fn print_summary(answer: &SimAnswer) -> Result<(), Error> {
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
