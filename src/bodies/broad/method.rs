//! Which methods there are.

use super::finder::PairFinder;
use super::grid::UniformGrid;
use super::sweep::SweepAndPrune;
use super::tree::DynamicTree;

/// A method to find pairs.
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
    /// All of them.
    pub const ALL: [Self; 3] = [Self::Sweep, Self::Grid, Self::Tree];

    /// A finder without boxes.
    pub fn finder(self) -> Box<dyn PairFinder> {
        match self {
            Self::Sweep => Box::<SweepAndPrune>::default(),
            Self::Grid => Box::<UniformGrid>::default(),
            Self::Tree => Box::<DynamicTree>::default(),
        }
    }
}
