//! Door leaves: which link each closes, and which side of it faces which room.

use glam::DVec3;

use super::build::{append_draws, append_solids, to_level};
use super::{DoorSource, Leaf, Level, LevelSource, LinkId, MeshSource, Problems, RoomId};
use crate::geometry::{Aabb, Triangle};

/// What is nearer than this to the plane through a leaf's middle, metres, lies on neither side.
const IN_MIDDLE: f64 = 1e-3;

/// Gives each door leaf to the link that it stands in.
pub(super) fn add_doors(level: &mut Level, source: &LevelSource, problems: &mut Problems) {
    let mut doors: Vec<&DoorSource> = source.doors.iter().collect();
    doors.sort_by(|a, b| a.node.cmp(&b.node));
    let mut leaves: Vec<(usize, &DoorSource)> = Vec::new();
    let mut leaf_of: Vec<Option<&str>> = vec![None; level.links.len()];
    for door in doors {
        let Some(link) = link_through(level, door) else {
            let message = "no portal of its room passes through this door leaf; put the leaf into the opening, touching the portal, or give a door that never opens another name";
            problems.error("door-without-portal", &door.node, message);
            continue;
        };
        if let Some(other) = leaf_of[link] {
            let message = format!("the portal already has the leaf `{other}`; join the two");
            problems.error("door-twice", &door.node, message);
            continue;
        }
        leaf_of[link] = Some(&door.node);
        leaves.push((link, door));
    }
    let meshes = leaves.iter().map(|(_, door)| door.meshes.iter().collect());
    let meshes: Vec<Vec<&MeshSource>> = meshes.collect();
    let sets: Vec<&[&MeshSource]> = meshes.iter().map(Vec::as_slice).collect();
    let packed = append_solids(level, &sets);
    for (((link, door), meshes), packed) in leaves.into_iter().zip(sets).zip(packed) {
        let [near, far] = sides_of_leaf(level, link, meshes);
        let (near, near_bounds) = append_draws(level, &near.iter().collect::<Vec<_>>());
        let (far, far_bounds) = append_draws(level, &far.iter().collect::<Vec<_>>());
        let drawn_bounds = near_bounds.union(far_bounds);
        for room in [level.links[link].from, level.links[link].to] {
            let room = &mut level.rooms[room.0 as usize];
            room.bounds = room.bounds.union(drawn_bounds);
        }
        level.links[link].leaf = Some(Leaf {
            name: door.node.clone(),
            index: 0,
            solids: packed.set,
            draws: near.start..far.end,
            far_draws: far.start,
        });
    }
    let mut index = 0;
    for (id, link) in (0..).map(LinkId).zip(&mut level.links) {
        let Some(leaf) = &mut link.leaf else { continue };
        leaf.index = index;
        index += 1;
        for room in [link.from, link.to] {
            level.rooms[room.0 as usize].doors.push(id);
        }
    }
}

/// The meshes of a leaf parted into what lies on the side of the room that its portal leaves and
/// what lies on the other, by the plane through its middle: each side has its own room's light.
/// What lies in that plane belongs to the side that it faces.
fn sides_of_leaf(level: &Level, link: usize, meshes: &[&MeshSource]) -> [Vec<MeshSource>; 2] {
    let corners = meshes.iter().flat_map(|mesh| &mesh.positions).copied();
    let middle = Aabb::around(corners).centre();
    let outwards = level.portal(level.links[link].portal).polygon.plane.normal;
    let is_near = |mesh: &MeshSource, corners: &[u32; 3]| {
        let triangle = Triangle {
            corners: corners.map(|i| mesh.positions[i as usize]),
        };
        let centre = triangle.corners.iter().sum::<DVec3>() / 3.0;
        let height = outwards.dot(centre - middle);
        if height.abs() > IN_MIDDLE {
            height < 0.0
        } else {
            outwards.dot(triangle.cross()) < 0.0
        }
    };
    [true, false].map(|near| {
        let of_side = meshes.iter().map(|mesh| {
            let triangles = mesh.triangles.iter().copied();
            MeshSource {
                triangles: triangles.filter(|t| is_near(mesh, t) == near).collect(),
                ..(*mesh).clone()
            }
        });
        of_side.collect()
    })
}

/// The link whose opening has its middle nearest to that of a door leaf, among those of its room
/// that the leaf touches.
fn link_through(level: &Level, door: &DoorSource) -> Option<usize> {
    let corners = door.meshes.iter().flat_map(|mesh| &mesh.positions);
    let bounds = Aabb::around(corners.map(|&p| to_level(p, level.origin).as_dvec3()));
    let room = door.meshes.first().map(|mesh| RoomId(mesh.room as u32));
    (0..level.links.len())
        .filter_map(|i| {
            let link = &level.links[i];
            let polygon = &level.portal(link.portal).polygon;
            let of_room = room.is_some_and(|room| link.from == room || link.to == room);
            let touches = of_room && bounds.overlaps(&polygon.bounds().grown(0.05));
            let off = (polygon.centre() - bounds.centre()).length();
            touches.then_some((off, i))
        })
        .min_by(|a, b| a.0.total_cmp(&b.0))
        .map(|(_, link)| link)
}
