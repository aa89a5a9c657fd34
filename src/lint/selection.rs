//! Files that contain only a part of a level: some objects were exported, but not the nodes of their rooms.

use crate::problems::{ProblemCode, Problems};

use ProblemCode as Code;

/// Problems of nodes in no room whose names give them a role in a room.
const ROLES: [ProblemCode; 5] = [
    Code::PortalOutsideRoom,
    Code::DoorOutsideRoom,
    Code::MoverOutsideRoom,
    Code::BodyOutsideRoom,
    Code::TriggerOutsideRoom,
];
/// Minimum number of nodes in no room, with a portal among them, that make the file a part of a level.
const MIN_NODES: usize = 4;

/// Merges the problems of nodes in no room into one, if the rooms are missing.
pub(crate) fn fold(problems: &mut Problems) {
    let count = |codes: &[ProblemCode]| problems.count(codes);
    let with_role = count(&ROLES);
    let nodes = with_role + count(&[Code::MeshOutsideRoom]);
    let (no_rooms, unknown) = (count(&[Code::NoRooms]), count(&[Code::PortalUnknownRoom]));
    let has_portals = count(&[Code::PortalOutsideRoom]) > 0;
    let is_part = unknown > 0 && nodes > 1 || has_portals && nodes >= MIN_NODES;
    let cause = match (no_rooms > 0, unknown > 0) {
        (true, _) if nodes > 0 => Code::NoRooms,
        (false, true) if is_part => Code::PortalUnknownRoom,
        (false, false) if is_part => Code::PortalOutsideRoom,
        // Targets may be in rooms that are not in the file.
        (_, true) => return problems.drop_codes(&[Code::TriggerTarget]),
        _ => return,
    };
    if is_part || cause == Code::NoRooms && with_role > 0 {
        let more = format!(
            "; {nodes} nodes stand below no room: if the nodes of their rooms were not exported, export the whole level (Blender: File, Export, glTF 2.0, Include, without Selected Objects, and with all that is hidden shown)"
        );
        problems.append_to_first(cause, &more);
    }
    let first = problems.errors.iter().find(|error| error.code == cause);
    let first = first.map(|error| error.node.clone());
    let follows: Vec<ProblemCode> = [Code::MeshOutsideRoom, Code::TriggerTarget]
        .into_iter()
        .chain(ROLES)
        .filter(|code| *code != cause)
        .collect();
    problems.drop_codes(&follows);
    problems.drop(|p| is_part && p.code == cause && Some(&p.node) != first.as_ref());
}
