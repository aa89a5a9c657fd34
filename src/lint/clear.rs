//! Blended materials that are likely a mistake: transparent walls, and invisible surfaces.

use std::collections::BTreeMap;

use super::findings::{Finding, LintReport};
use crate::geometry::Aabb;
use crate::level::{Alpha, Material, RoomId};
use crate::problems::ProblemCode;
use crate::source::MeshSource;

/// Minimum alpha, 0..1, of a visible surface.
const INVISIBLE: f32 = 1.0 / 255.0;
/// A mesh that is at least this fraction of its room along each axis, 0..1, is the room's walls.
const WALLS: f64 = 0.9;

/// Reports each such material once, with the first mesh that has it.
pub(super) fn report(report: &mut LintReport) {
    let (level, source) = (report.level, report.source);
    let of_movers = source.movers.iter().flat_map(|mover| &mover.meshes);
    let of_bodies = source.bodies.iter().flat_map(|body| &body.meshes);
    let meshes = source.meshes.iter().chain(of_movers).chain(of_bodies);
    let mut found: BTreeMap<usize, String> = BTreeMap::new();
    for mesh in meshes.filter(|mesh| mesh.drawn && !mesh.triangles.is_empty()) {
        let material = &level.materials[mesh.material];
        let message = if is_invisible(material) {
            format!(
                "its alpha is 0, so that `{}` is not seen, and is solid; set its alpha to more, or, if that is meant, give the object the ending `-colonly`",
                mesh.node
            )
        } else if material.alpha == Alpha::Blend && is_walls(report, mesh) {
            format!(
                "it blends, and is that of walls (`{}`): the space outside of all rooms is visible through them; make it opaque (Blender: Principled BSDF, Alpha 1, and nothing joined to it; before 4.2 also Settings, Blend Mode, Opaque)",
                mesh.node
            )
        } else {
            continue;
        };
        found.entry(mesh.material).or_insert(message);
    }
    for (material, message) in found {
        let name = &level.materials[material].name;
        let code = ProblemCode::MaterialBlend;
        report.add(Finding::warning(code, name, message, None));
    }
}

fn is_invisible(material: &Material) -> bool {
    let blends = material.alpha != Alpha::Opaque;
    let glows = material.emissive != [0.0; 3] || material.sky;
    blends && !glows && material.base_colour[3] < INVISIBLE
}

/// Whether a mesh is the walls of its room.
fn is_walls(report: &LintReport, mesh: &MeshSource) -> bool {
    let room = report.level.room(RoomId(mesh.room as u32));
    let own = Aabb::around(mesh.positions.iter().map(|&p| p - report.level.origin));
    let part = (own.max - own.min) / (room.bounds.max - room.bounds.min);
    !room.open_to_sky && mesh.solid && part.min_element() > WALLS
}
