//! Finds links by name.

use super::error::{GameError, choices};
use crate::level::{Level, LinkId};
use crate::naming::portal_stem;

/// Finds a link by name. The name is that of the link's node; its suffixes may be omitted if no other link shares the
/// rest.
///
/// # Errors
/// When no link or several links have the name; the message lists the candidates.
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
