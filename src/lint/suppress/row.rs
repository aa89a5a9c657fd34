//! A row of the table of causes and effects, and the data that it is applied to.

use crate::level::LevelData;
use crate::lint::findings::Finding;
use crate::lint::rooms::CheckedRooms;
use crate::problems::ProblemCode;
use crate::source::LevelSource;

/// Findings of some codes that hide findings of others.
pub(in crate::lint) struct SuppressionRow {
    pub cause: &'static [ProblemCode],
    pub effect: &'static [ProblemCode],
    /// The relation between the two findings.
    pub scope: Scope,
    /// Whether its causes are those that problems report of themselves, instead of the problems.
    pub reported: bool,
    /// A further condition on the effect.
    pub only: Option<EffectCondition>,
    /// Whether a cause hides one effect, the first that no other row hides, instead of all: each lost portal leaves one opening.
    pub hides_one: bool,
}

/// A condition on an effect that is not a relation to its cause.
pub(in crate::lint) type EffectCondition = fn(&Context, &Finding) -> bool;

/// A finding in place of others that have one cause.
pub(in crate::lint) struct Merged {
    pub finding: Finding,
    /// The indices of the findings that it replaces.
    pub effects: Vec<usize>,
}

/// The findings that replace some of these, each with its index, in a level.
pub(in crate::lint) type Merge = fn(&Context, &[(usize, &Finding)]) -> Vec<Merged>;

/// The relation between a cause and its effects. A distance is in metres, and the place of a finding its point.
#[derive(Clone, Copy, Debug)]
pub(in crate::lint) enum Scope {
    /// The whole level. The only scope that also hides the entry that counts unlisted problems.
    WholeLevel,
    /// The effect concerns the node of the cause.
    SameNode,
    /// The node of the cause is a portal; the effect concerns it or its door panel.
    SamePortal,
    /// All rooms of the effect are rooms of the cause.
    SameRooms,
    /// A room of the effect is a room of the cause.
    AnyRoom,
    /// Each room of the effect is a room of some cause.
    EachRoom,
    /// The first room of the effect is the last of the cause: that behind a portal.
    RoomBehind,
    /// The place of the effect, with its edges, lies in the box of the cause, or within a distance of it. The box is that
    /// around the geometry that the problem affects, or around its place and edges.
    Within(f64),
    /// The place of the effect lies in the column above and below the box of the cause, or within a distance of it: a body that
    /// falls through a hole may be far below it.
    InColumn(f64),
    /// The place of the effect lies in the box around the cause's geometry or above it, or within a distance of it.
    Above(f64),
    /// The place of the effect lies within a distance of a portal's opening: one that is the cause and leads nowhere.
    AtOpening(f64),
    /// The place of the effect lies within a distance of a portal of the cause's rooms.
    AtPortals(f64),
    /// The place of the effect lies in the box of the cause's first room, or within a distance of it.
    InRoom(f64),
    /// The place of the cause lies in the box around the effect's geometry, or within a distance of it.
    Around(f64),
    /// The check that found the cause found it in these effects.
    Evidence,
}

/// The level of the findings; absent, with its rooms, if it could not be built.
pub(in crate::lint) struct Context<'a> {
    pub level: Option<&'a LevelData>,
    pub source: &'a LevelSource,
    pub rooms: Option<&'a CheckedRooms<'a>>,
}
