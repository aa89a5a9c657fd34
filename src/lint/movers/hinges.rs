//! Door panels that turn about a point far from the panel, because the origin of their node is misplaced.

use glam::DVec3;

use crate::geometry::Aabb;
use crate::level::{LevelData, MoverId, Track};

/// Maximum distance of a hinge from its panel, metres.
const FAR: f64 = 0.5;

/// The hinge of a panel that is too far from it, with the cure.
pub(super) fn misplaced(level: &LevelData, id: MoverId) -> Option<(DVec3, String)> {
    let mover = level.mover(id);
    mover.link?;
    let Track::Turn { pivot, axis, .. } = mover.track else {
        return None;
    };
    let solids = level.solids.of(&mover.solids);
    let corners = solids.flat_map(|solid| solid.triangle().corners);
    let panel = Aabb::around(corners);
    if panel.is_empty() {
        return None;
    }
    // A hinge may be anywhere along its axis.
    let along = axis.dot(panel.centre() - pivot);
    let hinge = pivot + axis * along;
    let distance = hinge.distance(hinge.clamp(panel.min, panel.max));
    (distance > FAR).then(|| {
        let message = format!(
            "it turns about a place {distance:.2} m beside its panel: its node's origin is to be at its hinge (Blender: the 3D cursor onto the hinge, then Object, Set Origin, Origin to 3D Cursor)"
        );
        (hinge, message)
    })
}
