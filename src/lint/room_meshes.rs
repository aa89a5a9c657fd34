//! The meshes and faces of each room of a source.

use glam::DVec3;

use crate::geometry::Triangle;
use crate::level::{LevelData, RoomId};
use crate::source::LevelSource;

/// The meshes of each room, as indices into the source.
pub(super) struct Meshes(Vec<Vec<u32>>);

impl Meshes {
    pub(super) fn of(source: &LevelSource) -> Self {
        let mut meshes = vec![Vec::new(); source.rooms.len()];
        for (index, mesh) in (0..).zip(&source.meshes) {
            if mesh.drawn || mesh.solid {
                meshes[mesh.room].push(index);
            }
        }
        Self(meshes)
    }

    /// The meshes of a room.
    pub(super) fn of_room(&self, room: RoomId) -> &[u32] {
        &self.0[room.0 as usize]
    }

    /// The non-degenerate faces of a room in level coordinates, each with its mesh.
    pub(super) fn faces<'a>(
        &'a self,
        level: &'a LevelData,
        source: &'a LevelSource,
        room: RoomId,
    ) -> impl Iterator<Item = (Triangle, u32)> + 'a {
        self.of_room(room).iter().flat_map(move |&index| {
            let faces = faces_of(level, source, index);
            faces.map(move |(triangle, _)| (triangle, index))
        })
    }

    /// For each of the room's faces, in the order of [`Self::faces`], its position in the source: the index of the
    /// mesh, and the index of the triangle in the mesh.
    pub(super) fn places(
        &self,
        level: &LevelData,
        source: &LevelSource,
        room: RoomId,
    ) -> Vec<[u32; 2]> {
        let meshes = self.of_room(room).iter();
        let places = meshes.flat_map(|&mesh| {
            let faces = faces_of(level, source, mesh);
            faces.map(move |(_, face)| [mesh, face])
        });
        places.collect()
    }
}

/// The non-degenerate faces of a mesh of the source, each with its triangle index in the mesh.
fn faces_of<'a>(
    level: &'a LevelData,
    source: &'a LevelSource,
    mesh: u32,
) -> impl Iterator<Item = (Triangle, u32)> + 'a {
    let mesh = &source.meshes[mesh as usize];
    let point = |p: DVec3| (p - level.origin).as_vec3().as_dvec3();
    let triangle = move |t: &[u32; 3]| Triangle {
        corners: t.map(|i| point(mesh.positions[i as usize])),
    };
    let faces = mesh.triangles.iter().map(triangle).zip(0..);
    faces.filter(|(triangle, _)| triangle.normal().is_some())
}
