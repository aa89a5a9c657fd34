//! Checks of doors and other movers of a built level: movers that sweep through walls, doors through which the hidden
//! room is visible, and movers that never start. None of these problems makes a level unusable. The checks take longer
//! than loading, so they run only on request.

mod alike;
mod hinges;
mod holes;
mod starts;
mod sweeps;

use glam::DVec3;

use super::alike::{first_of_equal, look_at_alike};
use crate::level::{Level, LevelData, MoverId};
use crate::parallel::{cores, parallel_map};
use crate::problems::{ProblemCode, ProblemPlace, Problems};

/// Adds a warning for each mover that passes through solid geometry, for each door panel with a hole through which the
/// sky is visible, and for each mover that nothing starts.
pub fn check_movers(level: &Level, problems: &mut Problems) {
    let started = starts::targets(level);
    let known_of = |index: usize| {
        let name = &level.movers[index].name;
        let has_doubtful_path = problems.is_explained(ProblemCode::MoverThroughWall, name);
        (started.contains(&MoverId(index as u32)), has_doubtful_path)
    };
    let keys = parallel_map(level.movers.len(), cores(), |index| {
        let key = alike::key(level, MoverId(index as u32))?;
        Some((key, known_of(index)))
    });
    let look = |index: usize| {
        let found = of_mover(level, MoverId(index as u32), known_of(index));
        Some(found).filter(|found| !found.is_empty())
    };
    let found = look_at_alike(&first_of_equal(keys), look);
    for (index, found) in found {
        let mover = &level.movers[index];
        for MoverFinding { code, at, message } in found {
            let place = at.map(|at| ProblemPlace::at(level.to_author(at)));
            problems.add(false, code, &mover.name, place, || message);
        }
    }
}

/// A problem of a mover.
struct MoverFinding {
    code: ProblemCode,
    /// The position, level coordinates.
    at: Option<DVec3>,
    message: String,
}

/// The problems of a mover. The flags say whether a trigger or switch starts it, and whether a reported problem
/// concerns its path, so that the path may not be the intended one.
fn of_mover(
    level: &LevelData,
    id: MoverId,
    (is_target, has_doubtful_path): (bool, bool),
) -> Vec<MoverFinding> {
    let mut found = Vec::new();
    let mut add = |code, at, message| found.push(MoverFinding { code, at, message });
    if let Some(message) = starts::is_no_panel(level, id) {
        add(ProblemCode::DoorTooLarge, None, message);
        return found;
    }
    if let Some((at, message)) = hinges::misplaced(level, id) {
        add(ProblemCode::DoorHinge, Some(at), message);
    } else if has_doubtful_path {
        // Collisions on a wrong path are consequences.
    } else if let Some(message) = starts::slides_out(level, id) {
        add(ProblemCode::MoverProperty, None, message);
    } else if let Some((at, message)) = sweeps::through_wall(level, id) {
        add(ProblemCode::MoverThroughWall, Some(at), message);
    }
    if let Some((at, message)) = holes::hole(level, id) {
        add(ProblemCode::DoorWithHole, Some(at), message);
    }
    let never = || starts::never_starts(level, id).filter(|_| !is_target);
    if let Some(message) = starts::never_opens(level, id).or_else(never) {
        add(ProblemCode::MoverNeverStarts, None, message);
    }
    found
}
