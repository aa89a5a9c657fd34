//! Finds links by name.

use super::error::{GameError, choices};
use crate::level::{Level, LinkId};
use crate::naming::portal_stem;

/// Finds a link by name. The name is that of one of the link's nodes; its suffixes may be omitted if no other link shares
/// the rest.
///
/// # Errors
/// When no link or several links have the name; the message lists the candidates.
pub fn link_named(level: &Level, name: &str) -> Result<LinkId, GameError> {
    let links = || (0u32..).map(LinkId).zip(&level.links);
    let all = || links().flat_map(|(id, link)| link.names().map(move |name| (id, name)));
    if let Some((id, _)) = all().find(|(_, of)| *of == name) {
        return Ok(id);
    }
    let wanted = portal_stem(name);
    let mut same = all().filter(|(_, of)| portal_stem(of) == wanted);
    match same.next() {
        Some((id, _)) if same.all(|(other, _)| other == id) => Ok(id),
        None => Err(GameError::UnknownLink {
            problem: format!(
                "no portal is named `{name}`: {}",
                choices("portal", all().map(|(_, of)| of))
            ),
        }),
        Some(_) => {
            let names = all().filter(|(_, of)| portal_stem(of) == wanted);
            Err(GameError::UnknownLink {
                problem: format!(
                    "several portals are named `{name}`: {}",
                    choices("portal", names.map(|(_, of)| of))
                ),
            })
        }
    }
}
