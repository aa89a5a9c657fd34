//! Rigid bodies with a start position at which they cannot stay. Used by `check` alone.

use glam::DVec3;

use crate::bodies::overlaps_at_start;
use crate::level::{BodyId, Level};
use crate::problems::{Problem, ProblemCode, ProblemPlace, Problems};
use crate::queries::cast_ray;
use crate::world::World;

/// Maximum penetration of a body into solid geometry at the start, metres: bodies are placed on floors by eye. Movers
/// have the same limit while they move.
const PLAY: f64 = 0.03;
/// Maximum number of bodies that are checked for a floor.
const MAX_RAYS: usize = 2_000;
/// Maximum height of a body above its floor, metres.
const DEEP: f64 = 1e4;
/// Problems of holes through which bodies may fall.
const HOLES: [ProblemCode; 5] = [
    ProblemCode::RoomHole,
    ProblemCode::RoomInsideOut,
    ProblemCode::MeshInsideOut,
    ProblemCode::FacesTurned,
    ProblemCode::SpawnWithoutFloor,
];

/// Reports bodies that overlap solid geometry or other bodies at the start, and bodies that fall out of the level.
/// `problems` are those found so far.
pub fn check_bodies(level: &Level, problems: &mut Problems) {
    if level.bodies.is_empty() {
        return;
    }
    for overlap in overlaps_at_start(level, PLAY) {
        if problems.is_explained(ProblemCode::BodyInside, &level.body(overlap.body).name) {
            continue;
        }
        let message = format!(
            "it starts {:.0} cm inside of `{}`, and is pushed out of it at once; move it until they only touch",
            100.0 * overlap.depth,
            overlap.with.node(level),
        );
        let at = (overlap.body, overlap.point);
        warn(level, problems, ProblemCode::BodyInside, at, message);
    }
    let is_hole = |problem: &Problem| HOLES.contains(&problem.code);
    if problems.errors.iter().any(is_hole) || problems.warnings.iter().any(is_hole) {
        return;
    }
    let world = World::of(level);
    let bodies = (0..).map(BodyId).zip(&level.bodies);
    // A body with a joint needs no floor.
    let bodies = bodies.filter(|(id, _)| !level.is_copy(*id) && !level.joints.hold(*id));
    for (id, body) in bodies.take(MAX_RAYS) {
        if cast_ray(level, &world, body.start, DVec3::NEG_Y * DEEP).is_none() {
            let message =
                "nothing is below it: it falls out of the level; put a floor there, or move it";
            let at = (id, body.start.point);
            let code = ProblemCode::BodyWithoutFloor;
            warn(level, problems, code, at, message.to_owned());
        }
    }
}

fn warn(
    level: &Level,
    problems: &mut Problems,
    code: ProblemCode,
    (body, at): (BodyId, DVec3),
    message: String,
) {
    let place = ProblemPlace::at(level.to_author(at));
    let name = &level.body(body).name;
    problems.add(false, code, name, Some(place), || message);
}
