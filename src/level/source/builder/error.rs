//! Why something cannot be built.

use std::ops::RangeInclusive;

use glam::DVec3;

use crate::shapes::HullError;

/// Why something cannot be built; each names the node and says the cure. Places are author's coordinates.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
#[non_exhaustive]
pub enum BuilderError {
    /// The naming convention would read the name as another.
    #[error(
        "`{name}`: a name is not empty, has no `*`, no ending like `-room` and no number like `.001`; choose another"
    )]
    Name {
        /// The name.
        name: String,
    },
    /// Two rooms, spawns or doors would have one name.
    #[error("`{node}` is there already; choose another name")]
    NameTwice {
        /// The node that has it.
        node: String,
    },
    /// A key was made by another builder.
    #[error("`{node}` is given the key of a {what} of another builder; use one of this builder")]
    ForeignKey {
        /// What it was given to.
        node: String,
        /// What it is the key of.
        what: &'static str,
    },
    /// A coordinate is NaN, infinite or out of all measure.
    #[error("{node}: has a coordinate that is NaN or more than 1e9 m from the origin; correct it")]
    NonFinite {
        /// The node.
        node: String,
    },
    /// A face has no area, or its corners lie in no plane.
    #[error(
        "{node}: the face at {at} is not flat or has no area; split it into triangles or leave it out"
    )]
    BentFace {
        /// The node.
        node: String,
        /// A corner of the face.
        at: DVec3,
    },
    /// The faces of a shape do not close.
    #[error(
        "{node}: its faces leave a hole at the edge from {from} to {to}; add the missing face, and give all faces the same side as their front"
    )]
    OpenShape {
        /// The node.
        node: String,
        /// One end of the edge.
        from: DVec3,
        /// The other.
        to: DVec3,
    },
    /// A shape encloses nothing.
    #[error("{node}: encloses no space; give it a width, a length and a height above 0")]
    NoVolume {
        /// The node.
        node: String,
    },
    /// An opening is not flat or not convex.
    #[error(
        "the opening between `{near}` and `{far}` is not a flat convex polygon; split it into several"
    )]
    OpeningShape {
        /// The room that it leads out of.
        near: String,
        /// The room that it leads into.
        far: String,
    },
    /// No wall holds an opening.
    #[error(
        "no face of `{room}` holds the whole opening between `{near}` and `{far}` at {at}; put the opening into a flat part of the wall, clear of its edges and of other openings, at most 4 m from it"
    )]
    NoWall {
        /// The room without a wall there.
        room: String,
        /// The room that it leads out of.
        near: String,
        /// The room that it leads into.
        far: String,
        /// The middle of the opening.
        at: DVec3,
    },
    /// A room would lead into itself.
    #[error(
        "the opening of `{room}` leads into the same room; make two rooms of it, or lead into another"
    )]
    IntoItself {
        /// The room.
        room: String,
    },
    /// Points have no hull that is a body.
    #[error("{node}: {error}")]
    Hull {
        /// The body.
        node: String,
        /// Why not.
        error: HullError,
    },
    /// A number of a body is out of its range.
    #[error("{node}: its {what} is {value}; it must be a number from {} to {}", range.start(), range.end())]
    BodyNumber {
        /// The body.
        node: String,
        /// Which number.
        what: &'static str,
        /// What it is.
        value: f64,
        /// What it may be.
        range: RangeInclusive<f64>,
    },
    /// A door panel needs an upright rectangle.
    #[error(
        "{node}: its opening is no upright rectangle of at least 0.3 m each way; use `Opening::doorway`"
    )]
    DoorShape {
        /// The door.
        node: String,
    },
}
