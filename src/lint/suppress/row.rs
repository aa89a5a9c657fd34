//! A row of the table of causes and effects, and the data to which it applies.

use crate::level::LevelData;
use crate::lint::findings::Finding;
use crate::lint::rooms::CheckedRooms;
use crate::problems::ProblemCode;
use crate::source::LevelSource;

/// Findings with some codes (the causes), which hide findings with other codes (the effects).
pub(in crate::lint) struct SuppressionRow {
    pub cause: &'static [ProblemCode],
    pub effect: &'static [ProblemCode],
    /// The relation that a cause and an effect must have.
    pub scope: Scope,
    /// Whether its causes are those that problems report of themselves, instead of the problems.
    pub reported: bool,
    /// A further condition on the effect.
    pub only: Option<EffectCondition>,
    /// Whether each cause hides only one effect, the first that no other row hides. Example: each lost portal leaves
    /// one opening.
    pub hides_one: bool,
}

/// A condition on an effect alone, without its cause.
pub(in crate::lint) type EffectCondition = fn(&Context, &Finding) -> bool;

/// A finding that replaces others which have one cause.
pub(in crate::lint) struct Merged {
    pub finding: Finding,
    /// The indices of the findings that it replaces.
    pub effects: Vec<usize>,
}

/// A function that looks for findings with one cause among these, each given with its index, and returns their
/// replacements.
pub(in crate::lint) type Merge = fn(&Context, &[(usize, &Finding)]) -> Vec<Merged>;

/// The relation between a cause and its effects. Distances are in metres. The place of a finding is its point, unless
/// its edges are mentioned.
#[derive(Clone, Copy, Debug)]
pub(in crate::lint) enum Scope {
    /// Both are in the same level, so always true. Only this scope also hides the entry with the number of unlisted
    /// problems.
    WholeLevel,
    /// The effect concerns the node of the cause.
    SameNode,
    /// The node of the cause is a portal, and the effect concerns that portal or its door panel.
    SamePortal,
    /// All rooms of the effect are rooms of the cause.
    SameRooms,
    /// At least one room of the effect is a room of the cause.
    AnyRoom,
    /// Each room of the effect is a room of a cause; the causes may differ.
    EachRoom,
    /// The first room of the effect is the last room of the cause, the one behind its portal.
    RoomBehind,
    /// The place of the effect and its edges lie in the cause's box, or within this distance of it. The box is that of
    /// the geometry that the cause affects; without geometry, that of its place and edges.
    Within(f64),
    /// The place of the effect lies in the column above and below the box of the cause, or within a distance of it: a body that
    /// falls through a hole may be far below it.
    InColumn(f64),
    /// The place of the effect lies in the box around the cause's geometry or above it, or within a distance of it.
    Above(f64),
    /// The place of the effect lies within a distance of a portal's opening: one that is the cause and leads nowhere.
    AtOpening(f64),
    /// The place of the effect lies within this distance of a portal of one of the cause's rooms.
    AtPortals(f64),
    /// The place of the effect lies in the box of the cause's first room, or within this distance of it.
    InRoom(f64),
    /// The place of the cause lies in the box of the geometry that the effect affects, or within this distance of it.
    Around(f64),
    /// The effect is evidence from which a check inferred the cause.
    Evidence,
}

/// The level of the findings, and its rooms; both are `None` if it could not be built.
pub(in crate::lint) struct Context<'a> {
    pub level: Option<&'a LevelData>,
    pub source: &'a LevelSource,
    pub rooms: Option<&'a CheckedRooms<'a>>,
}
