//! What a plan consists of.

use glam::DVec2;

/// Rooms that stand on one level, as shapes; metres, x to the right and z down, in level coordinates.
#[derive(Clone, Debug, Default)]
pub struct Storey {
    /// Height of its floor, author's coordinates, metres: that of most of its area.
    pub floor: f64,
    /// The same in level coordinates.
    pub level_floor: f64,
    /// Indices of the rooms that stand on it, sorted.
    pub rooms: Vec<u32>,
    /// What is drawn, in this order.
    pub shapes: Vec<Shape>,
    /// Where problems are.
    pub problems: Vec<PlacedProblem>,
}

/// One thing that is drawn.
#[derive(Clone, Debug)]
pub struct Shape {
    /// How it is drawn.
    pub ink: Ink,
    /// What it is of.
    pub subject: Subject,
    /// What is drawn.
    pub figure: Figure,
    /// The least and greatest corner of the box around it.
    pub bounds: [DVec2; 2],
}

/// The kinds of lines and areas.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
#[non_exhaustive]
pub enum Ink {
    /// The floor of a room.
    Floor,
    /// An edge of the floor or of furniture, below the cut.
    Edge,
    /// A room of another storey that goes up through this one.
    Void,
    /// What is cut: walls, and furniture that is high enough.
    Wall,
    /// An opening.
    Portal,
    /// Where a door or another mover goes.
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

/// What a shape is of: indices in the level.
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
    /// Something else.
    Other,
}

/// What is drawn.
#[derive(Clone, Debug)]
pub enum Figure {
    /// Triangles that are filled.
    Area(Vec<[DVec2; 3]>),
    /// A line through points.
    Line(Vec<DVec2>),
    /// A sign at a point, as large as can be read.
    Mark(Mark, DVec2),
    /// The name of a room.
    Name {
        /// Its middle.
        at: DVec2,
        /// What is written.
        text: String,
        /// How much room there is around it, from side to side and from top to bottom, metres.
        room: DVec2,
    },
}

/// The signs.
#[derive(Clone, Debug, PartialEq)]
pub enum Mark {
    /// A circle with a cross.
    Lamp,
    /// An arrow head that points this way, with its name behind it.
    Spawn(DVec2, String),
}

/// A problem on a plan.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct PlacedProblem {
    /// Its number in the list, from 1.
    pub number: usize,
    /// Where it is.
    pub at: DVec2,
}

impl Shape {
    /// A shape with the box around it.
    pub(super) fn new(ink: Ink, subject: Subject, figure: Figure) -> Self {
        let points: Vec<DVec2> = match &figure {
            Figure::Area(triangles) => triangles.iter().flatten().copied().collect(),
            Figure::Line(points) => points.clone(),
            Figure::Mark(_, at) | Figure::Name { at, .. } => vec![*at],
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

    /// A line through points.
    pub(super) fn line(ink: Ink, subject: Subject, points: Vec<DVec2>) -> Self {
        Self::new(ink, subject, Figure::Line(points))
    }
}
