//! Whether a body can be put somewhere.

use super::narrow::touch;
use super::workspace::BodyWorkspace;
use crate::level::{BodyId, Level};
use crate::world::{BodyState, World};

/// Whether a body that is put into a state would touch no other one.
pub(crate) fn is_place_free(
    level: &Level,
    world: &World,
    (id, state): (BodyId, &BodyState),
    workspace: &mut BodyWorkspace,
) -> bool {
    let body = level.body(id);
    let pose = state.room_from_body();
    let manifolds = &mut workspace.manifolds;
    let mut others = world.bodies_reaching(level, state.at.room);
    others.all(|(other, here_from_other)| {
        let beside = level.body(other);
        let apart = here_from_other.translation().distance(state.at.point);
        if other == id || apart > body.radius + beside.radius {
            return true;
        }
        let shapes = [(&body.shape, &pose), (&beside.shape, &here_from_other)];
        touch(shapes[0], shapes[1], 0.0, manifolds);
        manifolds.is_empty()
    })
}
