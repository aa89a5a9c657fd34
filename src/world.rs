//! All that changes of a level, as one value: which links are open, and where the movers are.
//!
//! Motion, visibility, lighting and drawing are handed the same [`World`], so that a shut door cannot
//! be shut for one of them and open for another.

use crate::geometry::Rigid;
use crate::level::{DoorPanel, Level, Link, LinkId};

/// What changes of a level while the level itself does not.
#[derive(Clone, Debug, PartialEq)]
pub struct World {
    /// Per link.
    open: Vec<bool>,
    /// Per link: whether sight and light pass even where it is closed.
    see_through: Vec<bool>,
    /// Per door panel. They stay where they were authored: a door is open or closed.
    poses: Vec<Rigid>,
}

impl World {
    /// The world as authored: every link is open but those that a door panel stands in.
    pub fn of(level: &Level) -> Self {
        let panels = level.links.iter().map(|link| link.panel.as_ref());
        Self {
            open: panels.clone().map(|panel| panel.is_none()).collect(),
            see_through: panels
                .map(|panel| panel.is_some_and(|panel| panel.see_through))
                .collect(),
            poses: vec![Rigid::IDENTITY; level.doors().count()],
        }
    }

    /// The same with every link open, doors too.
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

    /// Opens a link. [`crate::motion::close_link`] closes it, where no body is in its way.
    pub fn open(&mut self, link: LinkId) {
        self.open[link.0 as usize] = true;
    }

    /// Closes a link, whatever is in its way.
    pub(crate) fn close(&mut self, link: LinkId) {
        self.open[link.0 as usize] = false;
    }

    /// The closed links.
    pub fn closed(&self) -> impl Iterator<Item = LinkId> + '_ {
        (0u32..)
            .zip(&self.open)
            .filter(|(_, open)| !**open)
            .map(|(i, _)| LinkId(i))
    }

    /// The links that are open or closed, or have their door panel, otherwise than in `before`.
    pub fn changed_links<'a>(
        &'a self,
        before: &'a Self,
        level: &'a Level,
    ) -> impl Iterator<Item = &'a Link> {
        let links = (0u32..).map(LinkId).zip(&level.links);
        let changed = links.filter(|(id, link)| {
            let panel = link.panel.as_ref();
            self.is_open(*id) != before.is_open(*id)
                || panel.is_some_and(|panel| self.pose(panel) != before.pose(panel))
        });
        changed.map(|(_, link)| link)
    }

    /// Where a door panel is: takes coordinates of its link, as authored, to where it is now.
    pub fn pose(&self, panel: &DoorPanel) -> &Rigid {
        &self.poses[panel.index as usize]
    }
}
