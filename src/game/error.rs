//! Why a game cannot start or a door cannot move.

use crate::level::AuthorPoint;
use crate::motion;

/// Why a game cannot start or a door cannot move; each says the cure.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
#[non_exhaustive]
pub enum GameError {
    /// The level has no spawn and no start was asked for.
    #[error(
        "{level}: no spawn: add an empty named `player-spawn` inside a room, or start at a point \
         with --at X,Y,Z"
    )]
    NoSpawn {
        /// The level's name.
        level: String,
    },
    /// No spawn has this name.
    #[error("no spawn is named `{name}`: {candidates}")]
    UnknownSpawn {
        /// The name asked for.
        name: String,
        /// The spawns that there are, as part of a sentence.
        candidates: String,
    },
    /// The body cannot stand where it should start.
    #[error(
        "{what} {feet}: no room holds a body there: move it inside a room, clear of walls and \
         furniture"
    )]
    NoRoom {
        /// The spawn or point.
        what: String,
        /// Where the feet would be.
        feet: AuthorPoint,
    },
    /// No single portal has this name.
    #[error("{problem}")]
    UnknownLink {
        /// What is wrong with the name, and the candidates.
        problem: String,
    },
    /// What should be restored is no saved game.
    #[error("this is no saved game, or a broken one; start a new game")]
    NoSavedGame,
    /// What should be restored was saved in another level, or before this one was changed.
    #[error(
        "the game was not saved in {level} as it is now; start a new game, or load the level it is of"
    )]
    SavedInAnotherLevel {
        /// The level's name.
        level: String,
    },
    /// The body stands where the link would close.
    #[error(transparent)]
    Blocked(#[from] motion::Blocked),
}

/// "use one of `a`, `b` and 3 more", or that there is none.
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
