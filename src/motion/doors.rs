//! Closing links, where no body is in the way.

use glam::DVec3;

use super::body::{Body, State};
use crate::geometry::segment_triangle_distance;
use crate::level::{Level, LinkId};
use crate::world::World;

/// Doors keep this gap from a body when they close, metres. Zero would let a door close that touches
/// the body; more than the gap that a body keeps to walls would keep a door open that a body stands
/// in front of.
const DOOR_GAP: f64 = 1e-6;

/// Why a link cannot close: a body stands in the opening, or where the door panel would be.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
#[error("portal `{link}` cannot close: the body stands in it; move away first")]
pub struct Blocked {
    /// Name of the link's node.
    pub link: String,
}

/// Closes a link unless one of `bodies` is in its way. Give it all bodies of the world: one that is left
/// out may end up inside the door panel. [`World::open`] opens it again.
///
/// # Errors
/// When a body overlaps or touches the polygon of the opening or the door panel, or is inside that.
pub fn close_link<'a>(
    level: &Level,
    world: &mut World,
    link: LinkId,
    bodies: impl IntoIterator<Item = (&'a Body, &'a State)>,
) -> Result<(), Blocked> {
    let mut bodies = bodies.into_iter();
    if bodies.any(|(body, state)| is_in_the_way(level, world, link, body, state)) {
        return Err(Blocked {
            link: level.link(link).name.clone(),
        });
    }
    world.close(link);
    Ok(())
}

/// Whether a body overlaps or touches the polygon or the door panel that closes the link, or is inside
/// the panel altogether.
fn is_in_the_way(level: &Level, world: &World, id: LinkId, body: &Body, state: &State) -> bool {
    let link = level.link(id);
    let portal = level.portal(link.portal);
    // The opening and its panel are in the coordinates of the link's first room.
    let [low, high] = [0.0, body.segment_length].map(|height| {
        let centre = state.at.point + DVec3::Y * height;
        if state.at.room == portal.far {
            portal.far_from_near.inverse().point(centre)
        } else {
            centre
        }
    });
    let is_near = |triangle, low, high| {
        segment_triangle_distance(&triangle, low, high) < body.radius + DOOR_GAP
    };
    let mut opening = portal.polygon.triangles();
    opening.any(|triangle| is_near(triangle, low, high))
        || link.panel.as_ref().is_some_and(|panel| {
            let panel_from_now = world.pose(panel).inverse();
            let [low, high] = [low, high].map(|point| panel_from_now.point(point));
            let mut solids = level.solids.of(&panel.solids);
            solids.any(|solid| is_near(solid.triangle(), low, high))
                || level.is_inside_panel(id, low)
        })
}
