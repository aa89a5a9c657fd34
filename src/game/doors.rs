//! Opening and closing links, and finding them by name.

use super::error::{GameError, choices};
use super::events::{Event, EventKind};
use super::state::Game;
use crate::level::{Level, LinkId, portal_stem};
use crate::motion::{self, Actor};

impl Game {
    /// Opens or closes a link.
    ///
    /// # Errors
    /// When it should close on the body.
    pub fn set_link(&mut self, level: &Level, link: LinkId, open: bool) -> Result<(), GameError> {
        if open {
            self.world.open(link);
            return Ok(());
        }
        let Actor { body, state, .. } = &self.actor;
        let closed = motion::close_link(level, &mut self.world, link, [(body, state)]);
        if closed.is_err() {
            let (room, feet) = (state.at.room, self.feet(level));
            let kind = EventKind::DoorBlocked { link };
            self.pending_events.push(Event { room, feet, kind });
        }
        Ok(closed?)
    }
}

/// The link with this name: its node's name, or that name without suffixes if no other link
/// shares it.
///
/// # Errors
/// When no link or several have the name, with the candidates.
pub fn link_named(level: &Level, name: &str) -> Result<LinkId, GameError> {
    let all = || (0u32..).map(LinkId).zip(&level.links);
    if let Some((id, _)) = all().find(|(_, link)| link.name == name) {
        return Ok(id);
    }
    let wanted = portal_stem(name);
    let mut same = all().filter(|(_, link)| portal_stem(&link.name) == wanted);
    match (same.next(), same.next()) {
        (Some((id, _)), None) => Ok(id),
        (None, _) => Err(GameError::UnknownLink {
            problem: format!(
                "no portal is named `{name}`: {}",
                choices("portal", level.links.iter().map(|link| link.name.as_str()))
            ),
        }),
        (Some(_), Some(_)) => {
            let names = all().filter(|(_, link)| portal_stem(&link.name) == wanted);
            Err(GameError::UnknownLink {
                problem: format!(
                    "several portals are named `{name}`: {}",
                    choices("portal", names.map(|(_, link)| link.name.as_str()))
                ),
            })
        }
    }
}
