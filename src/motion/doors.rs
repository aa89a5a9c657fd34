//! Closing of links, if no body is in the way.

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

/// The gap that a closing door keeps from a body, in metres. With zero, a door that touches the body could close. If
/// the gap were larger than the one that a body keeps from walls, a body in front of the door would keep it open.
const DOOR_GAP: f64 = 1e-6;

/// The reason why a link cannot close: a body stands in the opening, or in the closed position of the door panel.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
#[non_exhaustive]
#[error("portal `{link}` cannot close: the body stands in it; move away first")]
pub struct Blocked {
    /// Name of the link's node.
    pub link: String,
    /// The obstacle in the opening.
    pub by: InTheWay,
}

/// Closes a link, or starts its moving door panel, unless one of `bodies` is in the way. Pass all bodies of the
/// world: a body that is missing may end up inside the door panel. [`World::open`] opens the link again.
///
/// # Errors
/// When a body overlaps or touches the polygon of the opening or the door panel, from either side, or is
/// inside the panel.
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
    // A moving panel handles bodies in its way itself.
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

/// Whether a body overlaps or touches the link's closed polygon or its door panel, or is completely inside the panel.
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

/// Whether a point is inside a mover for which `counts` is true.
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
