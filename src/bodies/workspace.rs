//! The workspace of ticks of bodies.

use std::collections::BinaryHeap;

use super::broad::PairMethod;
use super::broad::entries::Meeting;
use super::broad::near::{GatherBuffers, NearbyTriangles};
use super::broad::pairs::Pair;
use super::broad::presence::{Presence, Visitor};
use super::characters::CharacterBodies;
use super::clusters::Clusters;
use super::clusters::members::Members;
use super::contacts::{BodyContact, ContactBuffers};
use super::events::{BodyEvent, EventMemory};
use super::impacts::ahead::Ahead;
use super::impacts::impact::{BodyImpact, Struck};
use super::islands::Islands;
use super::joints::JointWorkspace;
use super::moving::Moving;
use super::solver::{Direct, SolverWorkspace};
use super::times::{Clock, PhaseTimes};
use crate::collision::Candidates;
use crate::level::{BodyId, MoverId};
use crate::shapes::Manifold;
use crate::world::{KeptImpulse, Participant};

/// The buffers and caches that ticks of bodies reuse. They do not affect the results.
#[derive(Debug, Default)]
pub struct BodyWorkspace {
    pub(super) presence: Presence,
    /// The bodies of the level that take part in the tick, sorted.
    pub(super) ids: Vec<BodyId>,
    /// The participants that slept when the tick began and that an awake body touches, sorted.
    pub(super) woken: Vec<Participant>,
    /// The pairs of participants that may meet.
    pub(super) meetings: Vec<Meeting>,
    /// The index in `moving` of each participant that takes part in the tick, by its slot.
    pub(super) index_of: Vec<u32>,
    /// The triangles near each participant, by its slot.
    pub(super) near: Vec<NearbyTriangles>,
    pub(super) gathered: Candidates,
    pub(super) moving: Vec<Moving>,
    /// The indices in `moving` of the kinematic bodies.
    pub(super) kinematic: Vec<u32>,
    pub(super) pairs: Vec<Pair>,
    /// The first pair of each moving body.
    pub(super) first_pairs: Vec<u32>,
    /// The bodies with which one moving body is paired, sorted, each with the index of the pair.
    pub(super) partners: Vec<[u32; 2]>,
    pub(super) contacts: Vec<BodyContact>,
    pub(super) solver: SolverWorkspace,
    pub(super) direct: Direct,
    pub(super) impacts: BinaryHeap<BodyImpact>,
    pub(super) manifolds: Vec<Manifold>,
    pub(super) struck: Vec<Struck>,
    /// The bodies that take part in an impact.
    pub(super) involved: Vec<u32>,
    /// The characters that take part in this tick.
    pub(super) entering: Vec<Moving>,
    pub(super) visitors: Vec<Visitor>,
    /// The characters of the last tick.
    pub(super) characters: CharacterBodies,
    /// The mover that carries each moving body.
    pub(super) carriers: Vec<Option<MoverId>>,
    pub(super) islands: Islands,
    pub(super) clusters: Clusters,
    pub(super) joints: JointWorkspace,
    /// The members of clusters that are solved as a whole, and their contacts.
    pub(super) members: Members,
    pub(super) speculative_contacts: Vec<BodyContact>,
    /// The impulses of resting contacts, and of speculative contacts, each list in the order of its contacts.
    pub(super) kept: [Vec<KeptImpulse>; 2],
    pub(super) quiet: Vec<bool>,
    /// The buffers of the shares of bodies, for each phase that runs in parallel.
    pub(super) gatherings: Vec<GatherBuffers>,
    pub(super) touching: Vec<ContactBuffers>,
    pub(super) ahead: Vec<Ahead>,
    pub(super) events: EventMemory,
    /// The number of times that a body was held back, over all ticks.
    pub(super) held_back: u64,
    /// The clock that measures the phases, if there is one.
    pub(super) clock: Option<Clock>,
    pub(super) times: PhaseTimes,
}

impl BodyWorkspace {
    /// A workspace for ticks that use a method of the broad phase. All methods find the same pairs.
    pub fn new(method: PairMethod) -> Self {
        Self {
            presence: Presence::new(method),
            ..Self::default()
        }
    }

    /// The number of times, over all ticks, that a body was held back: it would have passed a surface or ended deep
    /// in it, although the search for impacts and the solver should prevent that.
    pub fn held_back(&self) -> u64 {
        self.held_back
    }

    /// The events of bodies in the last tick.
    pub fn events(&self) -> &[BodyEvent] {
        &self.events.all
    }

    /// Sets a clock that measures the phases of later ticks.
    pub fn set_clock(&mut self, clock: Clock) {
        self.clock = Some(clock);
    }

    /// The total time of ticks since a clock was set, phase by phase.
    pub fn times(&self) -> PhaseTimes {
        self.times
    }
}
