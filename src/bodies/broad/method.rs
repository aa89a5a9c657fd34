//! The methods of the broad phase.

use super::finder::PairFinder;
use super::grid::UniformGrid;
use super::sweep::SweepAndPrune;
use super::tree::DynamicTree;

/// A method of the broad phase.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum PairMethod {
    /// [`SweepAndPrune`].
    Sweep,
    /// [`UniformGrid`].
    #[default]
    Grid,
    /// [`DynamicTree`].
    Tree,
}

impl PairMethod {
    /// All methods.
    pub const ALL: [Self; 3] = [Self::Sweep, Self::Grid, Self::Tree];

    /// Creates a finder without boxes.
    pub fn finder(self) -> Box<dyn PairFinder> {
        match self {
            Self::Sweep => Box::<SweepAndPrune>::default(),
            Self::Grid => Box::<UniformGrid>::default(),
            Self::Tree => Box::<DynamicTree>::default(),
        }
    }
}
