//! Open surfaces, such as pictures and rugs, that are turned to the wall or floor on which they lie. If they are
//! one-sided, only their back faces the room.

use std::collections::BTreeMap;

use glam::DVec3;

use super::scene::{RoomScene, TriangleKind};
use crate::level::LevelData;
use crate::source::LevelSource;

/// Maximum distance between the wall and the surface, and minimum free space behind the surface, metres.
const NEAR: f64 = 0.05;
/// Minimum cosine of the angle between the planes of the surface and the wall.
const PARALLEL: f64 = 0.95;
/// Distance between the surface and the start of rays, metres, so that they also hit a wall that coincides with it.
const BESIDE: f64 = 1e-3;
/// Minimum winding number of the rest of the room around a point inside the room.
const IN_AIR: f64 = 0.5;
/// Maximum number of faces of a tested surface.
const MAX_FACES: usize = 200;

/// An open surface that faces a wall.
#[derive(Clone, Debug)]
pub(super) struct TurnedSheet {
    /// The mesh of the surface and that of the wall, as indices in the source.
    pub meshes: [u32; 2],
    /// A point of the surface.
    pub at: DVec3,
    /// The surface's faces in the scene.
    pub faces: Vec<u32>,
}

/// The open surfaces of a room of which all backs are visible and no front is.
pub(super) fn turned_sheets(
    level: &LevelData,
    source: &LevelSource,
    scene: &RoomScene,
) -> Vec<TurnedSheet> {
    let component = scene.components();
    let mut sheets: BTreeMap<u32, Vec<u32>> = BTreeMap::new();
    for (of, face) in component.iter().zip(0..) {
        let faces = sheets.entry(*of).or_default();
        if faces.len() <= MAX_FACES {
            faces.push(face);
        }
    }
    let is_one_sided = |face: &u32| match scene.kinds[*face as usize] {
        TriangleKind::Own(mesh) => {
            let mesh = &source.meshes[mesh as usize];
            mesh.drawn && !level.materials[mesh.material].double_sided
        }
        _ => false,
    };
    let count = |face: u32| match scene.kinds[face as usize] {
        TriangleKind::Own(mesh) => source.meshes[mesh as usize].triangles.len(),
        _ => 0,
    };
    let is_mesh = |faces: &[u32]| {
        faces
            .first()
            .is_some_and(|&face| faces.len() == count(face))
    };
    let may_be = |faces: &Vec<u32>| is_mesh(faces) && faces.iter().all(is_one_sided);
    let found = sheets.into_iter().filter(|(_, faces)| may_be(faces));
    let found = found.filter_map(|(of, faces)| {
        let walls: Option<Vec<u32>> = faces
            .iter()
            .map(|&face| wall_before(scene, component, of, face))
            .collect();
        let [mesh, wall] = [faces[0], walls?[0]].map(|face| match scene.kinds[face as usize] {
            TriangleKind::Own(mesh) => Some(mesh),
            _ => None,
        });
        let meshes = [mesh?, wall?];
        // Surfaces of one node that lie on each other are excluded: leaves of a plant have arbitrary orientation.
        let [node, other] = meshes.map(|mesh| &source.meshes[mesh as usize].node);
        (node != other).then(|| TurnedSheet {
            meshes,
            at: middle(scene, faces[0]),
            faces,
        })
    });
    found.collect()
}

/// The wall face in front of a face, if only the back of the face is visible in the room.
fn wall_before(scene: &RoomScene, component: &[u32], of: u32, face: u32) -> Option<u32> {
    let normal = scene.triangles[face as usize].normal()?;
    let at = middle(scene, face);
    let is_other = |index: u32| component[index as usize] != of;
    let before = scene.first_hit_of(at - normal * BESIDE, at + normal * NEAR, is_other);
    let wall = before.filter(|hit| hit.front)?;
    let faced = scene.triangles[wall.index as usize].normal()?;
    if normal.dot(faced) > -PARALLEL {
        return None;
    }
    let behind = scene.first_hit_of(at - normal * BESIDE, at - normal * NEAR, is_other);
    if behind.is_some() {
        return None;
    }
    let point = at - normal * NEAR;
    let turns = scene.winding_of_component(of, point, true);
    (scene.winding_of_drawn(point) - turns > IN_AIR).then_some(wall.index)
}

fn middle(scene: &RoomScene, face: u32) -> DVec3 {
    scene.triangles[face as usize].corners.iter().sum::<DVec3>() / 3.0
}
