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
use super::findings::Finding;
use super::later::add_found;
use crate::level::{Level, LevelData, MoverId};
use crate::parallel::{cores, parallel_map};
use crate::problems::{ProblemCode, ProblemPlace, Problems};

/// Adds a warning for each mover that passes through solid geometry, for each door panel with a hole through which the
/// sky is visible, and for each mover that nothing starts.
pub fn check_movers(level: &Level, problems: &mut Problems) {
    add_found(level, problems, findings(level));
}

/// The findings of all movers.
pub(super) fn findings(level: &Level) -> Vec<Finding> {
    let started = starts::targets(level);
    let is_target = |index: usize| started.contains(&MoverId(index as u32));
    let keys = parallel_map(level.movers.len(), cores(), |index| {
        let key = alike::key(level, MoverId(index as u32))?;
        Some((key, is_target(index)))
    });
    let look = |index: usize| {
        let found = of_mover(level, MoverId(index as u32), is_target(index));
        Some(found).filter(|found| !found.is_empty())
    };
    let found = look_at_alike(&first_of_equal(keys), look);
    let all = found.into_iter().flat_map(|(index, found)| {
        let name = &level.movers[index].name;
        found.into_iter().map(move |found| {
            let MoverFinding {
                code,
                at,
                message,
                of_path,
            } = found;
            let place = at.map(|at| ProblemPlace::at(level.to_author(at)));
            Finding {
                of_path,
                ..Finding::warning(code, name, message, place)
            }
        })
    });
    all.collect()
}

/// A problem of a mover.
struct MoverFinding {
    code: ProblemCode,
    /// The position, level coordinates.
    at: Option<DVec3>,
    message: String,
    of_path: bool,
}

/// The problems of a mover; `is_target` says whether a trigger or switch starts it.
fn of_mover(level: &LevelData, id: MoverId, is_target: bool) -> Vec<MoverFinding> {
    let of = |code, at, message| MoverFinding {
        code,
        at,
        message,
        of_path: false,
    };
    let mut found = Vec::new();
    if let Some(message) = starts::is_no_panel(level, id) {
        found.push(of(ProblemCode::DoorTooLarge, None, message));
        return found;
    }
    if let Some((at, message)) = hinges::misplaced(level, id) {
        found.push(of(ProblemCode::DoorHinge, Some(at), message));
    } else {
        let slides_out = starts::slides_out(level, id);
        let slides_out = slides_out.map(|message| of(ProblemCode::MoverProperty, None, message));
        let of_path = slides_out.or_else(|| {
            let (at, message) = sweeps::through_wall(level, id)?;
            Some(of(ProblemCode::MoverThroughWall, Some(at), message))
        });
        found.extend(of_path.map(|finding| MoverFinding {
            of_path: true,
            ..finding
        }));
    }
    if let Some((at, message)) = holes::hole(level, id) {
        found.push(of(ProblemCode::DoorWithHole, Some(at), message));
    }
    let never = || starts::never_starts(level, id).filter(|_| !is_target);
    if let Some(message) = starts::never_opens(level, id).or_else(never) {
        found.push(of(ProblemCode::MoverNeverStarts, None, message));
    }
    found
}
