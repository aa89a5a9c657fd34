//! The table of causes and effects, so that one mistake of an author gives one message. A finding with a code of
//! `cause` hides the findings in its scope that have a code of `effect`.

use super::misfits;
use super::suppress::conditions::{
    is_at_rim, is_ceiling, is_doorway, is_in_room, is_of_path, is_outside_all_rooms,
    panel_fills_opening,
};
use super::suppress::{EffectCondition, Merge, Scope, SuppressionRow};
use super::turned;
use crate::problems::ProblemCode as Code;

/// Findings of checks that concern rooms.
const OF_ROOMS: &[Code] = &[
    Code::RoomHole,
    Code::RoomCrack,
    Code::RoomEmpty,
    Code::RoomInsideOut,
    Code::RoomUnreachable,
    Code::RoomsOverlap,
    Code::Scale,
    Code::WallNotCut,
    Code::MeshHole,
    Code::MeshInOtherRoom,
    Code::MeshInsideOut,
    Code::FacesTurned,
    Code::CoplanarFaces,
    Code::DuplicateTriangles,
    Code::NeedleTriangles,
    Code::DoorwayBlocked,
    Code::PaneWithGap,
    Code::PortalGap,
    Code::PortalMissing,
    Code::PortalTooLarge,
    Code::PortalTwice,
    Code::PortalWallNotCut,
    Code::MovedRoomOutside,
];
/// Findings of the openings between two rooms.
const OF_OPENINGS: &[Code] = &[
    Code::PortalGap,
    Code::PortalTooLarge,
    Code::PortalWallNotCut,
    Code::PortalMissing,
    Code::WallNotCut,
    Code::MeshInOtherRoom,
];
/// Portals without a link, so that their openings count as openings without a portal: they lead nowhere, or to a room
/// that is not at the portal.
const UNLINKED: &[Code] = &[
    Code::PortalOutsideRoom,
    Code::PortalWithoutMesh,
    Code::PortalMesh,
    Code::PortalPolygon,
    Code::PortalUnknownRoom,
    Code::PortalIntoItself,
    Code::PortalLeadsNowhere,
    Code::PortalLeadsTo,
    Code::PortalTransform,
    Code::PortalFar,
];
/// Portals that do not fit their openings.
const MISFITS: &[Code] = &[Code::PortalGap, Code::PortalTooLarge];
/// Meshes that are neither drawn nor solid.
const LEFT_OUT: &[Code] = &[Code::MeshOutsideRoom, Code::MeshSkipped];

/// Geometry that players pass through, or fall into, but should stand on.
const TURNED: &[Code] = &[Code::MeshInsideOut, Code::MeshHole, Code::FacesTurned];
/// Openings that a player may fall through.
const HOLES: &[Code] = &[
    Code::PortalFar,
    Code::RoomHole,
    Code::PortalGap,
    Code::PortalMissing,
    Code::WallNotCut,
    Code::SpawnWithoutFloor,
    Code::RoomsOverlap,
    Code::FacesTurned,
    Code::PortalWallNotCut,
];
/// Falls out of the level.
const FALLS: &[Code] = &[Code::SpawnWithoutFloor, Code::FloorMissing];

/// Maximum distance between a portal and its opening, metres.
const BESIDE_PORTAL: f64 = 0.5;
/// Maximum distance between a door panel, or the walls of a missing room, and the opening that they belong to, metres.
const PANEL: f64 = 0.3;
/// Maximum distance between the box of a mesh that was left out and the openings that it would have closed, metres.
const TOUCH: f64 = 0.05;
/// Maximum distance between the box of a room's shell that was left out and the objects of that room, metres.
const BESIDE: f64 = 0.3;
/// Maximum distance between the box of a room and objects in the room that protrude from it, metres.
const ON_WALL: f64 = 0.01;

/// Maximum distance between a hole and the position of a fall through it, metres.
const SAME_HOLE: f64 = 2.5;
/// Maximum distance between a left-out mesh and a place where it may be the intended floor, metres.
const BESIDE_STEP: f64 = 0.5;
/// Maximum distance between an overlap of rooms and a blocked doorway that was probably misplaced together with one of
/// the rooms, metres.
const BESIDE_OVERLAP: f64 = 0.5;
/// Maximum distance of an obstacle in a portal's opening, metres.
const IN_OPENING: f64 = 0.1;

/// A row that hides all effects in the scope of each cause.
const fn row(cause: &'static [Code], effect: &'static [Code], scope: Scope) -> SuppressionRow {
    SuppressionRow {
        cause,
        effect,
        scope,
        reported: false,
        only: None,
        hides_one: false,
    }
}

/// The row, limited to effects that fulfil a condition.
const fn only(row: SuppressionRow, condition: EffectCondition) -> SuppressionRow {
    SuppressionRow {
        only: Some(condition),
        ..row
    }
}

/// The row, limited to recorded causes ([`SuppressionRow::reported`]).
const fn reported(row: SuppressionRow) -> SuppressionRow {
    SuppressionRow {
        reported: true,
        ..row
    }
}

/// The row, limited to one effect for each cause.
const fn one(row: SuppressionRow) -> SuppressionRow {
    SuppressionRow {
        hides_one: true,
        ..row
    }
}

/// Merges of the findings of one room. The second counts only the findings that the first did not merge.
pub(super) const MERGES: &[Merge] = &[turned::merged, misfits::merged];

pub(super) const TABLE: &[SuppressionRow] = &[
    // Mistakes of the export: axes, scale, missing custom properties.
    row(
        &[Code::UpAxis],
        &[
            Code::SpawnOutside,
            Code::SpawnBlocked,
            Code::Light,
            Code::MoverThroughWall,
            Code::BodyOutside,
        ],
        Scope::WholeLevel,
    ),
    row(&[Code::Scale], &[Code::SpawnOutside], Scope::WholeLevel),
    row(&[Code::Scale], &[Code::PortalFar], Scope::AnyRoom),
    // In a room with far too small a scale all corners nearly meet, and tolerances for human scale do not apply.
    row(
        &[Code::Scale],
        &[
            Code::RoomCrack,
            Code::MoverThroughWall,
            Code::DoorWithGap,
            Code::DoorWithHole,
        ],
        Scope::SameRooms,
    ),
    row(
        &[Code::NoCustomProperties],
        &[Code::TriggerTarget],
        Scope::WholeLevel,
    ),
    only(
        row(
            &[Code::NoCustomProperties],
            &[Code::RoomHole],
            Scope::WholeLevel,
        ),
        is_ceiling,
    ),
    // A file with only a part of a level.
    row(
        &[
            Code::NoRooms,
            Code::PortalUnknownRoom,
            Code::PortalOutsideRoom,
        ],
        &[
            Code::MeshOutsideRoom,
            Code::TriggerTarget,
            Code::PortalUnknownRoom,
            Code::PortalOutsideRoom,
            Code::DoorOutsideRoom,
            Code::MoverOutsideRoom,
            Code::BodyOutsideRoom,
            Code::TriggerOutsideRoom,
        ],
        Scope::Evidence,
    ),
    // Nodes that are flattened by their scale.
    row(&[Code::FlatScale], OF_ROOMS, Scope::SameNode),
    row(&[Code::FlatScale], OF_ROOMS, Scope::AnyRoom),
    row(
        &[Code::FlatScale],
        &[Code::Light, Code::SpawnOutside],
        Scope::AnyRoom,
    ),
    row(
        &[Code::FlatScale],
        &[Code::DegenerateTriangles],
        Scope::WholeLevel,
    ),
    // Two rooms with one name become one room with the faces and door panels of both. One of the portals probably
    // should lead to the other room, by its correct name.
    row(&[Code::RoomNameTwice], OF_ROOMS, Scope::AnyRoom),
    row(&[Code::RoomNameTwice], &[Code::DoorTwice], Scope::AnyRoom),
    one(row(
        &[Code::RoomNameTwice],
        &[Code::PortalUnknownRoom],
        Scope::WholeLevel,
    )),
    // Misspelt names and properties.
    row(
        &[Code::NameAlmost],
        &[Code::DoorwayBlocked],
        Scope::SameNode,
    ),
    row(&[Code::NameAlmost], &[Code::PortalTwice], Scope::SameRooms),
    row(&[Code::RoomOpen], &[Code::RoomHole], Scope::SameRooms),
    // If a portal names a missing room, the walls, lamps and trigger targets of that room are in no room.
    row(
        &[Code::PortalUnknownRoom],
        &[Code::MeshOutsideRoom],
        Scope::Around(PANEL),
    ),
    only(
        row(
            &[Code::PortalUnknownRoom],
            &[Code::Light],
            Scope::WholeLevel,
        ),
        is_outside_all_rooms,
    ),
    row(
        &[Code::PortalUnknownRoom],
        &[Code::TriggerTarget],
        Scope::WholeLevel,
    ),
    // Portals without a link leave openings, and door panels in them, that seem to have no portal.
    row(
        UNLINKED,
        &[
            Code::DoorWithoutPortal,
            Code::PortalMissing,
            Code::RoomHole,
            Code::WallNotCut,
        ],
        Scope::AtOpening(BESIDE_PORTAL),
    ),
    row(
        &[Code::PortalFar, Code::PortalAmbiguous],
        OF_OPENINGS,
        Scope::SameNode,
    ),
    // The opening for which a distant portal was meant may be anywhere in the room behind the portal.
    one(row(
        &[Code::PortalFar],
        &[Code::PortalMissing, Code::RoomHole, Code::WallNotCut],
        Scope::RoomBehind,
    )),
    // It is unknown where these portals should be.
    one(row(
        &[Code::PortalOutsideRoom, Code::PortalWithoutMesh],
        &[Code::PortalMissing],
        Scope::WholeLevel,
    )),
    row(
        &[Code::PortalMissing],
        &[Code::DoorWithoutPortal],
        Scope::Within(PANEL),
    ),
    // A mesh that was left out causes the holes that it would have closed, and the problems of objects that it would
    // have contained.
    row(
        LEFT_OUT,
        &[
            Code::RoomHole,
            Code::RoomCrack,
            Code::RoomInsideOut,
            Code::PortalGap,
            Code::PortalMissing,
            Code::WallNotCut,
        ],
        Scope::Within(TOUCH),
    ),
    row(
        LEFT_OUT,
        &[
            Code::RoomEmpty,
            Code::Light,
            Code::SpawnOutside,
            Code::PortalFar,
        ],
        Scope::Within(BESIDE),
    ),
    // A room without walls. If its walls were named as a door, they are reported as a door that is too large.
    row(&[Code::DoorTooLarge], &[Code::RoomEmpty], Scope::AnyRoom),
    row(
        &[Code::RoomEmpty],
        &[
            Code::PortalFar,
            Code::Light,
            Code::BodyOutside,
            Code::SpawnOutside,
        ],
        Scope::AnyRoom,
    ),
    row(
        &[Code::RoomEmpty],
        &[Code::RoomUnreachable],
        Scope::EachRoom,
    ),
    row(
        &[Code::RoomEmpty],
        &[Code::PortalMissing, Code::WallNotCut],
        Scope::AtPortals(BESIDE_PORTAL),
    ),
    // Rooms that are misplaced, face outwards, or cannot be reached.
    row(&[Code::RoomsOverlap], OF_OPENINGS, Scope::SameRooms),
    row(&[Code::RoomInsideOut], OF_OPENINGS, Scope::AnyRoom),
    row(
        &[Code::RoomInsideOut],
        &[Code::PortalBackwards],
        Scope::WholeLevel,
    ),
    row(
        &[Code::RoomInsideOut, Code::FacesTurned],
        &[Code::SpawnOutside, Code::Light],
        Scope::InRoom(ON_WALL),
    ),
    row(
        &[Code::MovedRoomOutside],
        &[Code::MoverThroughWall],
        Scope::AnyRoom,
    ),
    only(
        row(&[Code::RoomUnreachable], &[Code::RoomHole], Scope::AnyRoom),
        is_doorway,
    ),
    // Consequences of portals that do not fit: the opening elsewhere in a rotated wall, degenerate triangles at a
    // deformed rim, and problems of the door panel.
    row(
        &[Code::PortalWallNotCut],
        &[Code::RoomHole, Code::WallNotCut],
        Scope::Evidence,
    ),
    row(MISFITS, &[Code::DegenerateTriangles], Scope::Evidence),
    only(
        row(MISFITS, &[Code::DoorWithGap], Scope::SamePortal),
        panel_fills_opening,
    ),
    only(
        row(MISFITS, &[Code::MoverThroughWall], Scope::SamePortal),
        is_at_rim,
    ),
    only(
        row(
            &[Code::DoorWithGap],
            &[Code::MoverThroughWall],
            Scope::SameNode,
        ),
        is_at_rim,
    ),
    // If a property, an animation or a path is not used, the mover does not move along the intended path.
    only(
        reported(row(
            &[Code::MoverProperty],
            &[Code::MoverProperty, Code::MoverThroughWall],
            Scope::SameNode,
        )),
        is_of_path,
    ),
    // Problems with the same cure.
    row(
        &[Code::DegenerateTriangles],
        &[Code::NeedleTriangles],
        Scope::WholeLevel,
    ),
];

/// The rows for the findings that later checks (walking and bodies) add to reported problems. A cause was always added
/// before its effect, so a code may be its own effect.
pub(super) const LATER: &[SuppressionRow] = &[
    // Falls out of the level through openings, and where the floor is missing for a known reason.
    row(HOLES, FALLS, Scope::InColumn(SAME_HOLE)),
    row(LEFT_OUT, FALLS, Scope::Above(BESIDE_STEP)),
    row(
        &[Code::RoomsOverlap, Code::Scale],
        &[Code::FloorMissing],
        Scope::WholeLevel,
    ),
    row(
        &[Code::RoomInsideOut, Code::FacesTurned],
        &[Code::FloorMissing],
        Scope::Around(0.0),
    ),
    // A doorway may be blocked because of another problem of the doorway, because players fall through geometry there,
    // or because a room is misplaced.
    row(
        &[
            Code::DoorwayTooSmall,
            Code::PortalWallNotCut,
            Code::PortalGap,
        ],
        &[Code::DoorwayBlocked],
        Scope::SameNode,
    ),
    row(
        &[Code::DoorwayBlocked],
        &[Code::DoorwayBlocked],
        Scope::Around(IN_OPENING),
    ),
    row(TURNED, &[Code::DoorwayBlocked], Scope::InColumn(SAME_HOLE)),
    row(
        &[Code::RoomsOverlap],
        &[Code::DoorwayBlocked],
        Scope::InColumn(BESIDE_OVERLAP),
    ),
    // One report for each staircase: not for its further steps, nor below a low beam.
    only(
        row(
            &[Code::SlopeTooSteep, Code::StepTooHigh, Code::HeadroomTooLow],
            &[Code::StepTooHigh],
            Scope::InColumn(SAME_HOLE),
        ),
        is_in_room,
    ),
    only(
        row(TURNED, &[Code::StepTooHigh], Scope::InColumn(SAME_HOLE)),
        is_in_room,
    ),
    // Bodies.
    reported(row(
        &[Code::BodyProperty],
        &[Code::BodyInside],
        Scope::SameNode,
    )),
    row(
        &[
            Code::RoomHole,
            Code::RoomInsideOut,
            Code::MeshInsideOut,
            Code::FacesTurned,
            Code::SpawnWithoutFloor,
        ],
        &[Code::BodyWithoutFloor],
        Scope::WholeLevel,
    ),
];

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use super::*;

    /// In a cycle, findings could hide each other, and none of them would be reported.
    #[test]
    fn no_code_hides_itself_through_others() {
        for code in Code::ALL {
            let (mut reached, mut waiting) = (BTreeSet::new(), vec![*code]);
            while let Some(cause) = waiting.pop() {
                // Rows with the scope `Evidence` are excluded: their effects are not all findings with a code.
                let rows = TABLE
                    .iter()
                    .filter(|row| !row.reported && !matches!(row.scope, Scope::Evidence));
                let rows = rows.filter(|row| row.cause.contains(&cause));
                for effect in rows.flat_map(|row| row.effect) {
                    if reached.insert(*effect) {
                        waiting.push(*effect);
                    }
                }
            }
            assert!(!reached.contains(code), "{code}");
        }
    }

    #[test]
    fn each_code_of_a_row_is_named_once() {
        for row in TABLE.iter().chain(LATER) {
            for codes in [row.cause, row.effect] {
                let different: BTreeSet<&Code> = codes.iter().collect();
                assert_eq!(different.len(), codes.len(), "{codes:?}");
            }
        }
    }
}
