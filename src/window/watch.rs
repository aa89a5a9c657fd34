//! Observation of a walk by a callback.

use crate::game::{Game, Input};
use crate::level::Level;

/// An event of a walk.
#[derive(Clone, Copy, Debug)]
pub enum Watched<'a> {
    /// A tick with this input is about to run; the player's view can still be turned.
    Tick(&'a Input),
    /// The level was changed and reloaded; the level and the game that are passed are the new ones.
    Reloaded,
    /// The player was moved to another position.
    Moved,
    /// The walk has ended; a walk through another level can follow.
    End,
}

/// A callback for the events of a walk.
pub type Watch<'a> = dyn FnMut(&Level, &mut Game, Watched) + 'a;
