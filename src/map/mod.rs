//! Floor plans: the storeys of a level as lists of shapes seen from above, in metres, and as SVG sheets. The map
//! in play paints the same shapes.
//!
//! `survey` collects what is drawn of a level, also of a bad one; `storeys` sorts rooms into storeys and `section`
//! cuts them; `movers` draws doors, `outlines` what is seen from above, and `labels` places names; a [`Plan`] is the result, `svg` puts it on paper.

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
pub use shapes::{Figure, Ink, Mark, PlacedProblem, Shape, Storey, Subject};
pub use survey::Survey;
pub use svg::{Sheets, svg};
