//! Closing links, where no body is in the way.

use glam::DVec3;

use super::blockers::Solid;
use super::body::{Body, State};
use super::collision_world::CollisionWorld;
use super::queries::is_near;
use super::workspace::Workspace;
use crate::geometry::Aabb;
use crate::level::{At, Level, LinkId};
use crate::world::World;

/// Doors keep this gap from a body when they close, metres. Zero would let a door close that touches
/// the body; more than the gap that a body keeps to walls would keep a door open that a body stands
/// in front of.
const DOOR_GAP: f64 = 1e-6;

/// Why a link cannot close: a body stands in the opening, or where the door panel would be.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
#[non_exhaustive]
#[error("portal `{link}` cannot close: the body stands in it; move away first")]
pub struct Blocked {
    /// Name of the link's node.
    pub link: String,
}

/// Closes a link unless one of `bodies` is in its way. Give it all bodies of the world: one that is left
/// out may end up inside the door panel. [`World::open`] opens it again.
///
/// # Errors
/// When a body overlaps or touches the polygon of the opening or the door panel, or is inside that,
/// from whichever room.
pub fn close_link<'a>(
    level: &Level,
    world: &mut World,
    link: LinkId,
    bodies: impl IntoIterator<Item = (&'a Body, &'a State)>,
) -> Result<(), Blocked> {
    if !world.is_open(link) {
        return Ok(());
    }
    world.close(link);
    let closed = CollisionWorld::new(level, world);
    let mut workspace = Workspace::default();
    let mut bodies = bodies.into_iter();
    if bodies.any(|(body, state)| is_in_the_way(&closed, link, body, state, &mut workspace)) {
        world.open(link);
        return Err(Blocked {
            link: level.link(link).name.clone(),
        });
    }
    Ok(())
}

/// Whether a body overlaps or touches what closes a link now, or is inside its door panel altogether.
fn is_in_the_way(
    closed: &CollisionWorld,
    id: LinkId,
    body: &Body,
    state: &State,
    workspace: &mut Workspace,
) -> bool {
    let high = state.at.point + DVec3::Y * body.segment_length;
    let distance = body.radius + DOOR_GAP;
    let around = Aabb::around([state.at.point, high]).grown(distance);
    let panel = closed.level.link(id).panel.as_ref();
    let is_part = |solid: Solid| match solid {
        Solid::Link(link) => link == id,
        Solid::Triangle(index) => panel.is_some_and(|panel| panel.solids.contains(index)),
    };
    let memory = workspace.queries();
    is_near(closed, state.at, high, distance, &around, memory, is_part)
        || is_inside_panel(closed, state.at, |link| link == id)
}

/// Whether a point is inside the panel of a closed link, of those that count.
pub(super) fn is_inside_panel(
    collision: &CollisionWorld,
    at: At,
    counts: impl Fn(LinkId) -> bool,
) -> bool {
    let barriers = collision.level.room(at.room).barriers.iter();
    let mut closed = barriers.filter(|barrier| {
        counts(barrier.link)
            && !collision.is_open(barrier.link)
            && barrier.bounds.contains(at.point)
    });
    closed.any(|barrier| {
        let point = barrier.room_from_link.inverse().point(at.point);
        let panel = collision.level.link(barrier.link).panel.as_ref();
        panel.is_some_and(|panel| {
            let point = collision.world.pose(panel).inverse().point(point);
            collision.level.is_inside_panel(barrier.link, point)
        })
    })
}
