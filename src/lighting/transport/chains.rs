//! Sequences of links that rays pass.

use std::collections::BTreeMap;

use crate::level::{LinkId, RoomId};

/// The number of a chain: 0 for rays that pass no link.
pub(in crate::lighting) type ChainId = u32;

/// The last link of a chain.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(in crate::lighting) struct Chain {
    /// The chain before this link.
    pub parent: ChainId,
    pub link: LinkId,
    /// The room in which the ray meets the link.
    pub before: RoomId,
}

/// All sequences of links that rays of a level pass. Each chain comes after its parent.
#[derive(Debug, Default)]
pub(in crate::lighting) struct Chains {
    /// The chains from number 1.
    chains: Vec<Chain>,
    numbers: BTreeMap<Chain, ChainId>,
}

impl Chains {
    /// Returns the number of a sequence of links, each with the room in which the ray meets it.
    pub(super) fn intern(&mut self, passed: &[(LinkId, RoomId)]) -> ChainId {
        let Self { chains, numbers } = self;
        passed.iter().fold(0, |parent, &(link, before)| {
            let chain = Chain {
                parent,
                link,
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

    /// The links of a chain, the last one first.
    pub(super) fn links(&self, chain: ChainId) -> impl Iterator<Item = Chain> + '_ {
        let get = |chain: ChainId| self.chains.get((chain as usize).wrapping_sub(1)).copied();
        std::iter::successors(get(chain), move |chain| get(chain.parent))
    }

    /// Writes for each chain the room in which its rays meet their first shut link; `None` if all links are open.
    pub(super) fn find_ends(
        &self,
        is_open: impl Fn(LinkId) -> bool,
        ends: &mut Vec<Option<RoomId>>,
    ) {
        ends.clear();
        ends.push(None);
        for chain in &self.chains {
            let end = ends[chain.parent as usize];
            let here = || (!is_open(chain.link)).then_some(chain.before);
            ends.push(end.or_else(here));
        }
    }
}
