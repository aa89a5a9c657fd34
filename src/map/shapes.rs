//! The shapes of a plan.

use glam::DVec2;

/// A storey: the rooms on one level as shapes. Coordinates are level coordinates in metres, x to the right and z down.
#[derive(Clone, Debug, Default)]
pub struct Storey {
    /// The floor height of the storey's main room, the one with the largest floor area. In author's coordinates,
    /// metres.
    pub floor: f64,
    /// The floor height in level coordinates, metres.
    pub level_floor: f64,
    /// The indices of the rooms that stand on the storey, sorted.
    pub rooms: Vec<u32>,
    /// The shapes, in drawing order.
    pub shapes: Vec<DrawnShape>,
    /// The problems on this storey.
    pub problems: Vec<PlacedProblem>,
}

/// A shape of the drawing.
#[derive(Clone, Debug)]
pub struct DrawnShape {
    /// The style of the shape.
    pub ink: Ink,
    /// The object that the shape represents.
    pub subject: Subject,
    /// The geometry of the shape.
    pub figure: ShapeGeometry,
    /// The minimum and maximum corner of the bounding box.
    pub bounds: [DVec2; 2],
}

/// The styles of lines and areas.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
#[non_exhaustive]
pub enum Ink {
    /// The floor of a room.
    Floor,
    /// An edge of the floor or of furniture, below the cut.
    Edge,
    /// A room of another storey that extends through this one.
    Void,
    /// A cut surface: a wall, or furniture that is high enough.
    Wall,
    /// An opening.
    Portal,
    /// The path of a door or another mover.
    Way,
    /// A mover where it starts.
    Mover,
    /// A door panel where it starts.
    Door,
    /// A rigid body where it starts.
    Body,
    /// A lamp.
    Lamp,
    /// A spawn.
    Spawn,
    /// The name of a room.
    Name,
}

/// The object that a shape represents, as an index in the level.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Subject {
    /// A room.
    Room(u32),
    /// A link.
    Link(u32),
    /// A mover.
    Mover(u32),
    /// A rigid body.
    Body(u32),
    /// Another object.
    Other,
}

/// The geometry of a shape.
#[derive(Clone, Debug)]
pub enum ShapeGeometry {
    /// Filled triangles.
    Area(Vec<[DVec2; 3]>),
    /// A line through points.
    Line(Vec<DVec2>),
    /// A sign at a point, drawn at a legible size.
    Mark(Mark, DVec2),
    /// The name of a room.
    Name {
        /// The centre of the text.
        at: DVec2,
        /// The text.
        text: String,
        /// The free width and height of the room around the text, metres.
        room: DVec2,
    },
}

/// The kinds of signs.
#[derive(Clone, Debug, PartialEq)]
pub enum Mark {
    /// A circle with a cross.
    Lamp,
    /// An arrow head that points in this direction, with the spawn's name behind it.
    Spawn(DVec2, String),
}

/// A problem with its position on a plan.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct PlacedProblem {
    /// The number of the problem in the list, from 1.
    pub number: usize,
    /// The position in level coordinates, metres.
    pub at: DVec2,
}

impl DrawnShape {
    /// Creates a shape and computes its bounding box.
    pub(super) fn new(ink: Ink, subject: Subject, figure: ShapeGeometry) -> Self {
        let points: Vec<DVec2> = match &figure {
            ShapeGeometry::Area(triangles) => triangles.iter().flatten().copied().collect(),
            ShapeGeometry::Line(points) => points.clone(),
            ShapeGeometry::Mark(_, at) | ShapeGeometry::Name { at, .. } => vec![*at],
        };
        let least = points.iter().copied().reduce(DVec2::min);
        let greatest = points.iter().copied().reduce(DVec2::max);
        Self {
            ink,
            subject,
            figure,
            bounds: [least, greatest].map(Option::unwrap_or_default),
        }
    }

    /// Creates a polyline.
    pub(super) fn line(ink: Ink, subject: Subject, points: Vec<DVec2>) -> Self {
        Self::new(ink, subject, ShapeGeometry::Line(points))
    }
}
