//! Floor plans: the storeys of a level as lists of shapes seen from above, in metres, and as SVG sheets. The in-game map paints
//! the same shapes.
//!
//! `survey` collects the geometry to draw from a level, also from an invalid one. `storeys` assigns rooms to storeys, and
//! `section` cuts the rooms. `movers` draws doors and other movers, `outlines` computes outlines seen from above, and `labels`
//! places names. The result is a [`Plan`], which `svg` draws on paper.

mod labels;
mod lettering;
mod movers;
mod outlines;
mod paper;
mod plan;
mod section;
mod shapes;
mod storeys;
mod survey;
mod svg;

#[cfg(feature = "window")]
pub(crate) use outlines::body_outline;
pub use plan::Plan;
pub use shapes::{DrawnShape, Ink, Mark, PlacedProblem, ShapeGeometry, Storey, Subject};
pub use survey::Survey;
pub use svg::{Sheets, svg};
