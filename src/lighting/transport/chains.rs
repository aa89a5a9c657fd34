//! Sequences of gates that light passes.

use std::collections::BTreeMap;

use crate::level::{Level, LightId, LinkId, RoomId};
use crate::world::World;

/// A condition for light: a link that is open, or a light that is lit.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(in crate::lighting) struct Gate(pub u32);

impl Gate {
    pub(in crate::lighting) fn of_link(link: LinkId) -> Self {
        Self(link.0)
    }

    /// The gate of a light: the gates of lights come after those of links.
    pub(in crate::lighting) fn of_light(level: &Level, light: LightId) -> Self {
        Self(level.links.len() as u32 + light.0)
    }

    /// The number of gates of a level.
    pub(in crate::lighting) fn count(level: &Level) -> usize {
        level.links.len() + level.lights.len()
    }

    /// Whether light passes each gate.
    pub(in crate::lighting) fn states(level: &Level, world: &World) -> Vec<bool> {
        let links = (0..level.links.len() as u32).map(|link| world.passes_light(LinkId(link)));
        let lights = (0..level.lights.len() as u32).map(|light| world.is_lit(LightId(light)));
        links.chain(lights).collect()
    }
}

/// The number of a chain: 0 for light that passes no gate.
pub(in crate::lighting) type ChainId = u32;

/// The last gate of a chain.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(in crate::lighting) struct Chain {
    /// The chain before this gate.
    pub parent: ChainId,
    pub gate: Gate,
    /// The room in which the ray meets the gate; for a light, the room that it lights.
    pub before: RoomId,
}

/// All sequences of gates that the light of a level passes. Each chain comes after its parent.
#[derive(Debug, Default)]
pub(in crate::lighting) struct Chains {
    /// The chains from number 1.
    chains: Vec<Chain>,
    numbers: BTreeMap<Chain, ChainId>,
}

impl Chains {
    /// Returns the number of a sequence of gates, each with the room in which the ray meets it.
    pub(super) fn intern(&mut self, passed: &[(Gate, RoomId)]) -> ChainId {
        let Self { chains, numbers } = self;
        passed.iter().fold(0, |parent, &(gate, before)| {
            let chain = Chain {
                parent,
                gate,
                before,
            };
            *numbers.entry(chain).or_insert_with(|| {
                chains.push(chain);
                chains.len() as ChainId
            })
        })
    }

    /// The chains from number 1.
    pub(super) fn all(&self) -> &[Chain] {
        &self.chains
    }

    /// Adds the next chain.
    pub(super) fn push(&mut self, chain: Chain) {
        self.chains.push(chain);
        self.numbers.insert(chain, self.chains.len() as ChainId);
    }

    /// The gates of a chain, the last one first.
    pub(super) fn gates(&self, chain: ChainId) -> impl Iterator<Item = Chain> + '_ {
        let get = |chain: ChainId| self.chains.get((chain as usize).wrapping_sub(1)).copied();
        std::iter::successors(get(chain), move |chain| get(chain.parent))
    }

    /// Writes for each chain the room in which its rays meet their first shut gate; `None` if all gates are open.
    pub(super) fn find_ends(&self, is_open: impl Fn(Gate) -> bool, ends: &mut Vec<Option<RoomId>>) {
        ends.clear();
        ends.push(None);
        for chain in &self.chains {
            let end = ends[chain.parent as usize];
            let here = || (!is_open(chain.gate)).then_some(chain.before);
            ends.push(end.or_else(here));
        }
    }
}
