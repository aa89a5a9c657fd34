//! Files that contain only a part of a level: some objects were exported without the nodes of their rooms.

use super::findings::Finding;
use crate::problems::ProblemCode;

use ProblemCode as Code;

/// Problems of nodes that have a role in a room by their names, but are in no room.
const ROLES: [ProblemCode; 5] = [
    Code::PortalOutsideRoom,
    Code::DoorOutsideRoom,
    Code::MoverOutsideRoom,
    Code::BodyOutsideRoom,
    Code::TriggerOutsideRoom,
];
/// A file with at least this many nodes in no room, one of them a portal, is taken to be a part of a level.
const MIN_NODES: usize = 4;

/// If the file is a part of a level, reports the missing rooms as the cause of the nodes in no room.
pub(super) fn report(findings: &mut [Finding]) {
    let count = |codes: &[ProblemCode]| {
        let of_codes = findings.iter().filter(|f| codes.contains(&f.code));
        of_codes
            .map(|finding| finding.unlisted.unwrap_or(1))
            .sum::<usize>()
    };
    let with_role = count(&ROLES);
    let nodes = with_role + count(&[Code::MeshOutsideRoom]);
    let (no_rooms, unknown) = (count(&[Code::NoRooms]), count(&[Code::PortalUnknownRoom]));
    let has_portals = count(&[Code::PortalOutsideRoom]) > 0;
    let is_part = unknown > 0 && nodes > 1 || has_portals && nodes >= MIN_NODES;
    let code = match (no_rooms > 0, unknown > 0) {
        (true, _) if nodes > 0 => Code::NoRooms,
        (false, true) if is_part => Code::PortalUnknownRoom,
        (false, false) if is_part => Code::PortalOutsideRoom,
        _ => return,
    };
    let Some(cause) = findings.iter().position(|finding| finding.code == code) else {
        return;
    };
    let follows = |(index, finding): &(usize, &Finding)| {
        let is_outside = finding.code == Code::MeshOutsideRoom || ROLES.contains(&finding.code);
        let is_same = finding.code == code && is_part;
        let is_target = finding.code == Code::TriggerTarget;
        *index != cause && (is_outside && finding.code != code || is_same || is_target)
    };
    let evidence = findings.iter().enumerate().filter(follows);
    let evidence = evidence.map(|(index, _)| index).collect();
    let cause = &mut findings[cause];
    cause.evidence = evidence;
    if is_part || code == Code::NoRooms && with_role > 0 {
        cause.append(&format!(
            "; {nodes} nodes stand below no room: if the nodes of their rooms were not exported, export the whole level (Blender: File, Export, glTF 2.0, Include, without Selected Objects, and with all that is hidden shown)"
        ));
    }
}
