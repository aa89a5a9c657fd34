//! Which links are open: the one changing fact that collision and visibility share.

use super::{Level, LinkId};

/// The open and closed links of a level. Owned by the game, read by motion and visibility.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct OpenLinks {
    open: Vec<bool>,
}

impl OpenLinks {
    /// As authored: every link is open but those that a door leaf stands in.
    pub fn of(level: &Level) -> Self {
        Self {
            open: level.links.iter().map(|link| link.leaf.is_none()).collect(),
        }
    }

    /// Every link open, doors too.
    pub fn all_open(level: &Level) -> Self {
        Self {
            open: vec![true; level.links.len()],
        }
    }

    /// Whether the link can be passed and seen through.
    pub fn is_open(&self, link: LinkId) -> bool {
        self.open[link.0 as usize]
    }

    /// Opens or closes the link.
    pub fn set(&mut self, link: LinkId, open: bool) {
        self.open[link.0 as usize] = open;
    }

    /// The closed links.
    pub fn closed(&self) -> impl Iterator<Item = LinkId> + '_ {
        (0u32..)
            .zip(&self.open)
            .filter(|(_, open)| !**open)
            .map(|(i, _)| LinkId(i))
    }
}
