//! Opening and closing links, and finding them by name.

use glam::DVec3;

use super::{Game, GameError, choices};
use crate::geometry::segment_triangle_distance;
use crate::level::{Level, LinkId, portal_stem};

/// Doors keep this gap from the body when they close, metres. Zero would let one close that touches
/// it; more than the gap that a body keeps to walls would keep it open before one who waits at it.
const DOOR_GAP: f64 = 1e-6;

impl Game {
    /// Opens or closes a link.
    ///
    /// # Errors
    /// When it should close on the body.
    pub fn set_link(&mut self, level: &Level, link: LinkId, open: bool) -> Result<(), GameError> {
        if !open && self.touches_opening(level, link) {
            return Err(GameError::BodyInOpening {
                link: level.link(link).name.clone(),
            });
        }
        self.open.set(link, open);
        Ok(())
    }

    /// Whether the body overlaps or touches the polygon or the door panel that closes the link, or
    /// is inside the panel altogether.
    fn touches_opening(&self, level: &Level, id: LinkId) -> bool {
        let link = level.link(id);
        let portal = level.portal(link.portal);
        // The opening and its panel are in the coordinates of the link's first room.
        let [low, high] = [0.0, self.body.segment_length].map(|height| {
            let centre = self.state.centre + DVec3::Y * height;
            if self.state.room == portal.far {
                portal.far_from_near.inverse().point(centre)
            } else {
                centre
            }
        });
        let panel = link.panel.iter();
        let panel = panel.flat_map(|panel| level.solids.of(&panel.solids));
        let panel = panel.map(|solid| solid.triangle());
        let near = self.body.radius + DOOR_GAP;
        let mut closing = portal.polygon.triangles().chain(panel);
        closing.any(|triangle| segment_triangle_distance(&triangle, low, high) < near)
            || level.is_inside_panel(id, low)
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
