//! The memory of ticks of bodies.

use std::collections::BinaryHeap;

use super::broad::PairMethod;
use super::broad::entries::Meeting;
use super::broad::near::{Gathering, Near};
use super::broad::pairs::Pair;
use super::broad::presence::{Presence, Visitor};
use super::characters::CharacterBodies;
use super::clusters::Clusters;
use super::clusters::members::Members;
use super::contacts::{Contact, Touching};
use super::events::{BodyEvent, EventMemory};
use super::impacts::ahead::Ahead;
use super::impacts::impact::{Impact, Struck};
use super::islands::Islands;
use super::joints::JointWorkspace;
use super::moving::Moving;
use super::solver::{Direct, SolverWorkspace};
use super::times::{Clock, PhaseTimes};
use crate::collision::Candidates;
use crate::level::{BodyId, MoverId};
use crate::shapes::Manifold;
use crate::world::KeptImpulse;

/// What ticks of bodies keep for later ones: nothing in it changes what they do.
#[derive(Debug, Default)]
pub struct BodyWorkspace {
    pub(super) presence: Presence,
    /// Those that take part in the tick, in order, and who of them may meet.
    pub(super) ids: Vec<BodyId>,
    /// The bodies among them that slept when the tick began, and that an awake one touches, in order.
    pub(super) woken: Vec<BodyId>,
    pub(super) meetings: Vec<Meeting>,
    /// Per body of the level, if it takes part, its index in `moving`.
    pub(super) index_of: Vec<u32>,
    /// Per body of the level, the triangles near it.
    pub(super) near: Vec<Near>,
    pub(super) gathered: Candidates,
    pub(super) moving: Vec<Moving>,
    pub(super) pairs: Vec<Pair>,
    /// Per moving body the first of its pairs.
    pub(super) first_pairs: Vec<u32>,
    pub(super) contacts: Vec<Contact>,
    pub(super) solver: SolverWorkspace,
    pub(super) direct: Direct,
    pub(super) impacts: BinaryHeap<Impact>,
    pub(super) manifolds: Vec<Manifold>,
    pub(super) struck: Vec<Struck>,
    /// Those that take part in an impact.
    pub(super) involved: Vec<u32>,
    /// The characters that take part in this tick.
    pub(super) entering: Vec<Moving>,
    pub(super) visitors: Vec<Visitor>,
    /// The characters of the last tick.
    pub(super) characters: CharacterBodies,
    /// Per moving body the mover that carries it.
    pub(super) carriers: Vec<Option<MoverId>>,
    pub(super) islands: Islands,
    pub(super) clusters: Clusters,
    pub(super) joints: JointWorkspace,
    /// The members of clusters that are solved as a whole, and their contacts.
    pub(super) members: Members,
    pub(super) speculative_contacts: Vec<Contact>,
    /// The impulses of contacts that rest, and of those that are speculative, each in their order.
    pub(super) kept: [Vec<KeptImpulse>; 2],
    pub(super) quiet: Vec<bool>,
    /// Memory of shares of the bodies, of each step that is divided.
    pub(super) gatherings: Vec<Gathering>,
    pub(super) touching: Vec<Touching>,
    pub(super) ahead: Vec<Ahead>,
    pub(super) events: EventMemory,
    /// How often a body was held back in all ticks.
    pub(super) held_back: u64,
    /// Measures the phases, if there is one.
    pub(super) clock: Option<Clock>,
    pub(super) times: PhaseTimes,
}

impl BodyWorkspace {
    /// The memory of ticks that find who may meet by a method of the broad phase. All methods find the same.
    pub fn new(method: PairMethod) -> Self {
        Self {
            presence: Presence::new(method),
            ..Self::default()
        }
    }

    /// The ticks of bodies in which a body would have passed a surface or ended deep in it, and was held back: the search for
    /// impacts and the solver had not kept it out.
    pub fn held_back(&self) -> u64 {
        self.held_back
    }

    /// The events of bodies in the last tick.
    pub fn events(&self) -> &[BodyEvent] {
        &self.events.all
    }

    /// Measures the phases of later ticks by a clock.
    pub fn set_clock(&mut self, clock: Clock) {
        self.clock = Some(clock);
    }

    /// The time that ticks have taken since there is a clock, phase by phase.
    pub fn times(&self) -> PhaseTimes {
        self.times
    }
}
