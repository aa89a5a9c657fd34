//! Reasons why a game cannot start or a door cannot move.

use crate::level::AuthorPoint;
use crate::motion;

/// A reason why a game cannot start or a door cannot move; each message states the cure.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
#[non_exhaustive]
pub enum GameError {
    /// The level has no spawn, and no start was given.
    #[error(
        "{level}: no spawn: add an empty named `player-spawn` inside a room, or start at a point \
         with --at X,Y,Z"
    )]
    NoSpawn {
        /// The name of the level.
        level: String,
    },
    /// The requested spawn does not exist.
    #[error("no spawn is named `{name}`: {candidates}")]
    UnknownSpawn {
        /// The requested name.
        name: String,
        /// The existing spawns, as part of a sentence.
        candidates: String,
    },
    /// The body does not fit at the starting position.
    #[error(
        "{what} {feet}: no room holds a body there: move it inside a room, clear of walls and \
         furniture"
    )]
    NoRoom {
        /// The spawn or point, as part of a sentence.
        what: String,
        /// The lowest point of the body at that position.
        feet: AuthorPoint,
    },
    /// The requested portal does not exist, or its name is ambiguous.
    #[error("{problem}")]
    UnknownLink {
        /// The problem with the name, and the candidates.
        problem: String,
    },
    /// The bytes to restore are not a saved game.
    #[error("this is no saved game, or a broken one; start a new game")]
    NoSavedGame,
    /// The game to restore was saved in another level, or in another version of the level.
    #[error(
        "the game was not saved in {level} as it is now; start a new game, or load the level it is of"
    )]
    SavedInAnotherLevel {
        /// The level's name.
        level: String,
    },
    /// A body stands where the link would close.
    #[error(transparent)]
    Blocked(#[from] motion::Blocked),
}

/// Formats candidates: "use one of `a`, `b` and 3 more", or that the level has none.
pub(super) fn choices<'a>(kind: &str, names: impl Iterator<Item = &'a str>) -> String {
    const SHOWN: usize = 8;
    let mut names: Vec<&str> = names.collect();
    names.sort_unstable();
    names.dedup();
    if names.is_empty() {
        return format!("the level has no {kind}");
    }
    let listed: Vec<String> = names.iter().take(SHOWN).map(|n| format!("`{n}`")).collect();
    let more = match names.len().saturating_sub(SHOWN) {
        0 => String::new(),
        more => format!(" and {more} more"),
    };
    format!("use one of {}{more}", listed.join(", "))
}
