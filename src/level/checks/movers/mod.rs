//! What is wrong with doors and other movers of a level that is built: they sweep through walls, show what
//! they hide, or are never set going. None of it makes a level unusable, and it takes longer than loading it,
//! so that it is looked for only where an author asks.

mod holes;
mod starts;
mod sweeps;

use crate::level::{Level, LevelData, MoverId, ProblemCode, Problems};
use crate::parallel::{cores, parallel_map};

/// Adds a warning for each mover that passes through solid geometry on its way, for each door panel with a
/// hole that one sees the sky through, and for each mover that nothing sets going.
pub fn check_movers(level: &Level, problems: &mut Problems) {
    let started = starts::targets(level);
    let of_each = parallel_map(level.movers.len(), cores(), |index| {
        let id = MoverId(index as u32);
        of_mover(level, id, started.contains(&id))
    });
    for (mover, found) in level.movers.iter().zip(of_each) {
        for (code, message) in found {
            problems.warn(code, &mover.name, message);
        }
    }
}

/// What is wrong with a mover, which a trigger or switch sets going or not.
fn of_mover(level: &LevelData, id: MoverId, is_target: bool) -> Vec<(ProblemCode, String)> {
    let mut found = Vec::new();
    if let Some(message) = sweeps::through_wall(level, id) {
        found.push((ProblemCode::MoverThroughWall, message));
    }
    if let Some(message) = holes::hole(level, id) {
        found.push((ProblemCode::DoorWithHole, message));
    }
    if !is_target && let Some(message) = starts::never_starts(level, id) {
        found.push((ProblemCode::MoverNeverStarts, message));
    }
    found
}
