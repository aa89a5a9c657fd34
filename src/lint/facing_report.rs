//! Messages about rooms, furniture and single faces with the wrong orientation.

use std::cell::LazyCell;
use std::collections::{BTreeMap, BTreeSet};

use super::facing::{Wrong, WrongFacing};
use super::findings::{Finding, LintReport};
use crate::geometry::{Aabb, BoxTree, Triangle, solid_angle};
use crate::level::RoomId;
use crate::problems::{Mend, ProblemCode};
use crate::source::LevelSource;

/// Minimum solid angle, steradians, under which a mesh is seen from a point that it encloses: half of the full sphere.
const ENCLOSED: f64 = std::f64::consts::TAU;

/// Reports the geometry of a room with the wrong orientation. `places` has for each face of the scene its position in
/// the source; `lamps` is a tree of the positions of the source's lights.
pub(super) fn report(
    room: RoomId,
    (wrong, lamps): (&Wrong, &BoxTree),
    places: impl FnOnce() -> Vec<[u32; 2]>,
    report: &mut LintReport,
) {
    let name = &report.level.room(room).name;
    let places = LazyCell::new(places);
    // If faces are duplicated, it is not certain which ones to flip.
    let turn = |faces: &[u32]| {
        let is_certain = !faces.is_empty() && wrong.doubles.is_empty();
        is_certain.then(|| {
            let turned = faces.iter().map(|&face| places[face as usize]);
            Mend::Turn(turned.collect())
        })
    };
    if let Some((at, looks, faces)) = &wrong.room {
        let message = match looks {
            WrongFacing::Outwards => format!(
                "room `{name}` is inside out: its faces look outwards, and so it is seen and solid from outside only; turn them (Blender: Edit Mode, A, Mesh, Normals, Flip)"
            ),
            WrongFacing::BothWays => format!(
                "the faces of room `{name}` are there twice, one looking inwards and one outwards, and so it has no inside; delete the ones that look outwards"
            ),
            WrongFacing::WithOuterSides => format!(
                "the walls of room `{name}` have thickness: around their inner sides there is an outer shell, and so the room has no inside: a room is drawn and solid from inside only; delete the faces that look outwards, and the rims that join them to the inner sides (Blender: remove the Solidify modifier, which makes them)"
            ),
        };
        let node = &report.source.rooms[room.0 as usize].node;
        report.add(
            Finding::warning(ProblemCode::RoomInsideOut, node, message, report.place(*at))
                .of(room)
                .mended_by(turn(faces)),
        );
    }
    let mut of_nodes: BTreeMap<String, (BTreeSet<u32>, Vec<u32>)> = BTreeMap::new();
    for (mesh, _, faces) in &wrong.furniture {
        let of_node = of_nodes.entry(report.node(*mesh).to_owned()).or_default();
        of_node.0.insert(*mesh);
        of_node.1.extend(faces);
    }
    for (mesh, at, _) in &wrong.furniture {
        let node = report.node(*mesh).to_owned();
        if let Some((meshes, faces)) = of_nodes.remove(&node) {
            let message = format!(
                "it is inside out: an object in a room (`{name}`) is drawn and solid from outside, and its faces look inwards; turn them (Blender: Edit Mode, A, Mesh, Normals, Recalculate Outside)"
            );
            report.add(
                Finding::warning(
                    ProblemCode::MeshInsideOut,
                    &node,
                    message,
                    report.place(*at),
                )
                .of(room)
                .mended_by(turn(&faces).filter(|_| !is_around_lamp(&meshes, lamps, report.source))),
            );
        }
    }
    for sheet in &wrong.sheets {
        let [node, wall] = sheet.meshes.map(|mesh| report.node(mesh).to_owned());
        let message = format!(
            "it faces `{wall}` just before it, so that room `{name}` sees its back alone, which is not drawn; turn it (Blender: Edit Mode, A, Mesh, Normals, Flip)"
        );
        report.add(
            Finding::warning(
                ProblemCode::MeshInsideOut,
                &node,
                message,
                report.place(sheet.at),
            )
            .of(room)
            .mended_by(turn(&sheet.faces)),
        );
    }
    for &([mesh, other], count, at) in &wrong.doubles {
        let (node, other) = (report.node(mesh).to_owned(), report.node(other));
        let (of, cure) = if *node == *other {
            (
                "of its own".to_owned(),
                "merge them (Blender: Edit Mode, A, Mesh, Merge, By Distance)",
            )
        } else {
            (format!("of `{other}`"), "delete one of the two")
        };
        let message = format!(
            "{count} of its triangles lie on equal ones {of} in room `{name}`: they flicker, and are drawn and met twice; {cure}"
        );
        report.add(
            Finding::warning(
                ProblemCode::DuplicateTriangles,
                &node,
                message,
                report.place(at),
            )
            .of(room),
        );
    }
    for (mesh, faces, at) in &wrong.faces {
        let (node, count) = (report.node(*mesh).to_owned(), faces.len());
        let triangles = if count == 1 {
            "a triangle looks"
        } else {
            "triangles look"
        };
        let count = if count == 1 {
            String::new()
        } else {
            format!("{count} ")
        };
        let message = format!(
            "{count}{triangles} out of room `{name}`, against their neighbours: one sees and goes through them; turn them (Blender: Edit Mode, select them, Mesh, Normals, Flip)"
        );
        report.add(
            Finding::warning(ProblemCode::FacesTurned, &node, message, report.place(*at))
                .of(room)
                .mended_by(turn(faces)),
        );
    }
}

/// Whether a lamp is inside these meshes. Then they may be a tent or a tunnel that is meant to be seen from inside, and
/// only lacks its outer side.
fn is_around_lamp(meshes: &BTreeSet<u32>, lamps: &BoxTree, source: &LevelSource) -> bool {
    let meshes = || meshes.iter().map(|&mesh| &source.meshes[mesh as usize]);
    let bounds = Aabb::around(meshes().flat_map(|mesh| mesh.positions.iter().copied()));
    lamps.any_touching(&bounds, |lamp| {
        let at = source.lights[lamp as usize].position.0;
        let angles = meshes().flat_map(|mesh| {
            let corners = |t: &[u32; 3]| t.map(|i| mesh.positions[i as usize]);
            let triangles = mesh.triangles.iter().map(corners);
            triangles.map(|corners| solid_angle(&Triangle { corners }, at))
        });
        angles.sum::<f64>().abs() > ENCLOSED
    })
}
