//! Rigid bodies with a start position at which they cannot stay. Used by `check` alone.

use glam::DVec3;

use super::findings::Finding;
use super::later::LaterReport;
use crate::bodies::overlaps_at_start;
use crate::level::{BodyId, Level};
use crate::problems::{ProblemCode, ProblemPlace, Problems};
use crate::queries::cast_ray;
use crate::world::World;

/// Maximum penetration of a body into solid geometry at the start, metres: bodies are placed on floors by eye. Movers
/// have the same limit while they move.
const PLAY: f64 = 0.03;
/// Maximum number of bodies that are checked for a floor.
const MAX_RAYS: usize = 2_000;
/// Maximum height of a body above its floor, metres.
const DEEP: f64 = 1e4;
/// Reports bodies that overlap solid geometry or other bodies at the start, and bodies that fall out of the level.
/// `problems` are those found so far.
pub fn check_bodies(level: &Level, problems: &mut Problems) {
    if level.bodies.is_empty() {
        return;
    }
    let mut report = LaterReport::of(level, problems);
    let finding = |code: ProblemCode, body: BodyId, at: DVec3, message: String| {
        let place = ProblemPlace::at(level.to_author(at));
        Finding::warning(code, &level.body(body).name, message, place)
    };
    for overlap in overlaps_at_start(level, PLAY) {
        let message = format!(
            "it starts {:.0} cm inside of `{}`, and is pushed out of it at once; move it until they only touch",
            100.0 * overlap.depth,
            overlap.with.node(level),
        );
        let code = ProblemCode::BodyInside;
        report.add(finding(code, overlap.body, overlap.point, message));
    }
    let world = World::of(level);
    let bodies = (0..).map(BodyId).zip(&level.bodies);
    // A body with a joint needs no floor.
    let bodies = bodies.filter(|(id, _)| !level.is_copy(*id) && !level.joints.hold(*id));
    for (id, body) in bodies.take(MAX_RAYS) {
        if cast_ray(level, &world, body.start, DVec3::NEG_Y * DEEP).is_none() {
            let message =
                "nothing is below it: it falls out of the level; put a floor there, or move it";
            let code = ProblemCode::BodyWithoutFloor;
            report.add(finding(code, id, body.start.point, message.to_owned()));
        }
    }
}
