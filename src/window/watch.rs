//! Who looks on while a player walks.

use crate::game::{Game, Input};
use crate::level::Level;

/// What happens on a walk.
#[derive(Clone, Copy, Debug)]
pub enum Watched<'a> {
    /// A tick with this input is about to be done; the player's view may still be turned.
    Tick(&'a Input),
    /// The level was changed and loaded again: it and the game are what they are from now on.
    Reloaded,
    /// The player was put somewhere else.
    Moved,
    /// The walk is over; another level may be walked through after it.
    End,
}

/// Is shown all that happens on a walk.
pub type Watch<'a> = dyn FnMut(&Level, &mut Game, Watched) + 'a;
