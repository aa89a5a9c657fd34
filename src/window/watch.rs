//! Who looks on while a player walks.

use crate::game::{Game, Input};
use crate::level::Level;

/// Is shown every tick of a walk with its input, before the tick is done, and may turn the player's view; and
/// at last the end of the walk, without an input.
pub type Watch<'a> = dyn FnMut(&Level, &mut Game, Option<&Input>) + 'a;
