//! Errors of the level builder.

use std::ops::RangeInclusive;

use glam::DVec3;

use crate::shapes::HullError;

/// An error of the level builder; each message names the node and the cure. Positions are author's coordinates.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
#[non_exhaustive]
pub enum BuilderError {
    /// The name is empty, or is changed by the naming convention.
    #[error(
        "`{name}`: a name is not empty, has no `*`, no ending like `-room` and no number like `.001`; choose another"
    )]
    Name {
        /// The name.
        name: String,
    },
    /// Two rooms, spawns or doors would have the same name.
    #[error("`{node}` is there already; choose another name")]
    NameTwice {
        /// The existing node of this name.
        node: String,
    },
    /// A key belongs to another builder.
    #[error("`{node}` is given the key of a {what} of another builder; use one of this builder")]
    ForeignKey {
        /// The node that the key was used for.
        node: String,
        /// The kind of object that the key stands for.
        what: &'static str,
    },
    /// A coordinate is NaN, infinite or too large.
    #[error("{node}: has a coordinate that is NaN or more than 1e9 m from the origin; correct it")]
    NonFinite {
        /// The node.
        node: String,
    },
    /// A face is degenerate, or its corners do not lie in a plane.
    #[error(
        "{node}: the face at {at} is not flat or has no area; split it into triangles or leave it out"
    )]
    BentFace {
        /// The node.
        node: String,
        /// A corner of the face.
        at: DVec3,
    },
    /// The faces of a shape do not form a closed surface.
    #[error(
        "{node}: its faces leave a hole at the edge from {from} to {to}; add the missing face, and give all faces the same side as their front"
    )]
    OpenShape {
        /// The node.
        node: String,
        /// One end of the edge.
        from: DVec3,
        /// The other end of the edge.
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
        /// The near room of the opening.
        near: String,
        /// The far room of the opening.
        far: String,
    },
    /// No wall contains the whole opening.
    #[error(
        "no face of `{room}` holds the whole opening between `{near}` and `{far}` at {at}; put the opening into a flat part of the wall, clear of its edges and of other openings, at most 4 m from it"
    )]
    NoWall {
        /// The room that has no such wall.
        room: String,
        /// The near room of the opening.
        near: String,
        /// The far room of the opening.
        far: String,
        /// The centre of the opening.
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
    /// The points have no convex hull that is valid for a body.
    #[error("{node}: {error}")]
    Hull {
        /// The body.
        node: String,
        /// The reason.
        error: HullError,
    },
    /// A number of a body is out of its range.
    #[error("{node}: its {what} is {value}; it must be a number from {} to {}", range.start(), range.end())]
    BodyNumber {
        /// The body.
        node: String,
        /// The name of the number.
        what: &'static str,
        /// The value.
        value: f64,
        /// The valid range.
        range: RangeInclusive<f64>,
    },
    /// The opening of a door is not an upright rectangle.
    #[error(
        "{node}: its opening is no upright rectangle of at least 0.3 m each way; use `Opening::doorway`"
    )]
    DoorShape {
        /// The door.
        node: String,
    },
}
