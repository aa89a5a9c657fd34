//! Finds whether a body stands on another one, directly or through others.

use crate::bodies::contacts::narrow::touch;
use crate::bodies::tuning::CONTACT_DISTANCE;
use crate::geometry::Rigid;
use crate::level::{BodyId, Level};
use crate::shapes::Manifold;
use crate::world::World;

/// The minimum vertical component of a contact normal with which a body supports another one. It is small because
/// even the side of a wedge supports a body.
const SUPPORTS: f64 = 0.05;

/// The workspace of [`supports`].
#[derive(Debug, Default)]
pub(crate) struct SupportWorkspace {
    /// The lowest body and the bodies that stand on it, in the order in which they are found.
    found: Vec<BodyId>,
    manifolds: Vec<Manifold>,
}

/// Whether a body, asleep or awake, supports another one in their current contacts, directly or through others.
pub(crate) fn supports(
    level: &Level,
    world: &World,
    lower: BodyId,
    upper: BodyId,
    workspace: &mut SupportWorkspace,
) -> bool {
    let SupportWorkspace { found, manifolds } = workspace;
    found.clear();
    found.push(lower);
    let mut next = 0;
    while let Some(&below) = found.get(next) {
        if below == upper {
            return true;
        }
        list_loads(level, world, below, found, manifolds);
        next += 1;
    }
    false
}

/// Adds to `found` the bodies that stand on a body, unless they are in the list already.
fn list_loads(
    level: &Level,
    world: &World,
    below: BodyId,
    found: &mut Vec<BodyId>,
    manifolds: &mut Vec<Manifold>,
) {
    let (body, state) = (level.body(below), world.bodies.state(below));
    let pose = state.room_from_body();
    let portals = world.rooms().portals_of(level, state.at.room);
    let behind = portals.map(|(_, portal)| (portal.far, portal.far_from_near.inverse()));
    let rooms = std::iter::once((state.at.room, Rigid::IDENTITY)).chain(behind);
    for (room, here_from_there) in rooms {
        for (id, other) in world.bodies.in_room(room) {
            let here_from_other = here_from_there.after(&other.room_from_body());
            let reach = body.radius + level.body(id).radius + CONTACT_DISTANCE;
            let distance = here_from_other.translation().distance(state.at.point);
            if distance > reach || found.contains(&id) {
                continue;
            }
            let above = (&level.body(id).shape, &here_from_other);
            touch(above, (&body.shape, &pose), CONTACT_DISTANCE, manifolds);
            if manifolds.iter().any(|touch| touch.normal.y >= SUPPORTS) {
                found.push(id);
            }
        }
    }
}
