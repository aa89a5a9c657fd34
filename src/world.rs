//! All that changes of a level, as one value: which links are open, and where the movers are.
//!
//! Motion, visibility, lighting and drawing are handed the same [`World`], so that a shut door cannot
//! be shut for one of them and open for another.

#[cfg(test)]
mod tests;

use crate::geometry::Rigid;
use crate::level::{Level, Link, LinkId, Mover, MoverId};

/// What changes of a level while the level itself does not.
#[derive(Clone, Debug, PartialEq)]
pub struct World {
    /// Per link.
    open: Vec<bool>,
    /// Per link: whether sight and light pass even where it is closed.
    see_through: Vec<bool>,
    /// Per mover. They stay where they were authored: a door is open or closed.
    poses: Vec<Rigid>,
}

impl World {
    /// The world as authored: every link is open but those that a door panel stands in.
    pub fn of(level: &Level) -> Self {
        let mut see_through = vec![false; level.links.len()];
        for mover in &level.movers {
            see_through[mover.link.0 as usize] = mover.see_through;
        }
        Self {
            open: level
                .links
                .iter()
                .map(|link| link.panel.is_none())
                .collect(),
            see_through,
            poses: vec![Rigid::IDENTITY; level.movers.len()],
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
            let has_moved = |panel| self.pose(panel) != before.pose(panel);
            self.is_open(*id) != before.is_open(*id) || link.panel.is_some_and(has_moved)
        });
        changed.map(|(_, link)| link)
    }

    /// Whether a mover is solid and drawn: a door panel is while its link is closed.
    pub fn is_present(&self, mover: &Mover) -> bool {
        !self.is_open(mover.link)
    }

    /// Where a mover is: takes its own coordinates to those of its room.
    pub fn pose(&self, mover: MoverId) -> &Rigid {
        &self.poses[mover.0 as usize]
    }

    /// Puts a mover into a pose in which its box is still that of its images, whatever is in its way.
    #[cfg(test)]
    pub(crate) fn set_pose(&mut self, mover: MoverId, room_from_mover: Rigid) {
        self.poses[mover.0 as usize] = room_from_mover;
    }
}
