//! Which links are open: the one changing fact that collision and visibility share.

use super::{Level, LinkId};

/// The open and closed links of a level. Owned by the game, read by motion and visibility.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct OpenLinks {
    open: Vec<bool>,
    /// Whether sight and light pass even where it is shut.
    see_through: Vec<bool>,
}

impl OpenLinks {
    /// As authored: every link is open but those that a door panel stands in.
    pub fn of(level: &Level) -> Self {
        let panels = level.links.iter().map(|link| link.panel.as_ref());
        Self {
            open: panels.clone().map(|panel| panel.is_none()).collect(),
            see_through: panels.map(|l| l.is_some_and(|l| l.see_through)).collect(),
        }
    }

    /// Every link open, doors too.
    pub fn all_open(level: &Level) -> Self {
        Self {
            open: vec![true; level.links.len()],
            ..Self::of(level)
        }
    }

    /// Whether sight and light pass the link.
    pub fn passes_light(&self, link: LinkId) -> bool {
        self.open[link.0 as usize] || self.see_through[link.0 as usize]
    }

    /// Whether bodies can pass the link.
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
