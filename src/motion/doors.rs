//! Closing links, where no body is in the way.

use glam::DVec3;

use super::blockers::InTheWay;
use super::body::{Body, State};
use super::queries::is_near;
use super::workspace::Workspace;
use crate::bodies::blocks_link;
use crate::collision::CollisionWorld;
use crate::collision::Solid;
use crate::geometry::Aabb;
use crate::level::{At, Level, LinkId, MoverId};
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
    /// What stands in it.
    pub by: InTheWay,
}

/// Closes a link unless one of `bodies` is in its way, or sets its door panel going. Give it all bodies of the world: one that is left
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
    // A panel that moves waits by itself for who is in its way.
    if world.has_moving_panel(link) {
        return Ok(());
    }
    let closed = CollisionWorld::new(level, world);
    let mut workspace = Workspace::default();
    let mut bodies = bodies.into_iter();
    let in_the_way =
        bodies.position(|(body, state)| is_in_the_way(&closed, link, body, state, &mut workspace));
    let mut body = || blocks_link(level, world, link, &mut workspace.blocking);
    let by = in_the_way.map(InTheWay::Actor);
    let Some(by) = by.or_else(|| body().map(InTheWay::Body)) else {
        return Ok(());
    };
    world.open(link);
    Err(Blocked {
        link: level.link(link).name.clone(),
        by,
    })
}

/// Whether a body overlaps or touches what closes a link now, or is inside its door panel altogether.
pub(super) fn is_in_the_way(
    closed: &CollisionWorld,
    id: LinkId,
    body: &Body,
    state: &State,
    workspace: &mut Workspace,
) -> bool {
    let high = state.at.point + DVec3::Y * body.segment_length;
    let distance = body.radius + DOOR_GAP;
    let around = Aabb::around([state.at.point, high]).grown(distance);
    let level = closed.level;
    let panel = level.link(id).panel;
    let is_part = |solid: Solid| match solid {
        Solid::Link(link) => link == id,
        Solid::Body(_) => false,
        Solid::Triangle(index) => {
            panel.is_some_and(|panel| level.mover(panel).solids.contains(index))
        }
    };
    let memory = workspace.queries();
    is_near(closed, state.at, high, distance, &around, memory, is_part)
        || is_inside_mover(closed, state.at, |mover| Some(mover) == panel)
}

/// Whether a point is inside a mover, of those that count.
pub(super) fn is_inside_mover(
    collision: &CollisionWorld,
    at: At,
    counts: impl Fn(MoverId) -> bool,
) -> bool {
    let movers = collision.level.room(at.room).movers.iter();
    let mut movers = movers.filter(|image| counts(image.mover) && image.bounds.contains(at.point));
    movers.any(|image| {
        collision.pose_if_present(image.mover).is_some_and(|_| {
            let CollisionWorld { level, world, .. } = collision;
            let mover_from_here = world.here_from_mover(level, at.room, image).inverse();
            let mover = collision.level.mover(image.mover);
            let point = mover_from_here.point(at.point);
            collision.level.is_inside_mover(mover, point)
        })
    })
}
