//! Rigid bodies that start where they cannot stay. For `check` alone.

use glam::DVec3;

use crate::bodies::overlaps_at_start;
use crate::level::{BodyId, Level, Problem, ProblemCode, ProblemPlace, Problems};
use crate::queries::cast_ray;
use crate::world::World;

/// Bodies may be so far in what is solid, metres, as movers may on their way: what was let down onto a floor by eye.
const PLAY: f64 = 0.03;
/// Bodies that are looked below, at most.
const MAX_RAYS: usize = 2_000;
/// What is below a body is at most so far away, metres.
const DEEP: f64 = 1e4;
/// What bodies may fall through.
const HOLES: [ProblemCode; 5] = [
    ProblemCode::RoomHole,
    ProblemCode::RoomInsideOut,
    ProblemCode::MeshInsideOut,
    ProblemCode::FacesTurned,
    ProblemCode::SpawnWithoutFloor,
];

/// Adds the bodies that start inside of something solid or of another body, and those that fall out of the level:
/// `problems` are those known so far.
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
    // A body on a joint needs no floor.
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
