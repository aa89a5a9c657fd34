//! The rooms of a level for checks, with their scenes.

use std::sync::Arc;

use super::room_meshes::Meshes;
use super::scene::RoomScene;
use super::scenes::Scenes;
use super::shapes;
use crate::level::{LevelData, RoomId};
use crate::source::LevelSource;

/// The rooms of a level with their scenes, which are built on first use.
pub(super) struct CheckedRooms<'a> {
    pub(super) level: &'a LevelData,
    pub(super) source: &'a LevelSource,
    pub(super) meshes: Meshes,
    /// For each room the index of the first equal room.
    pub(super) first_alike: Vec<u32>,
    scenes: Scenes,
}

impl<'a> CheckedRooms<'a> {
    pub(super) fn of(level: &'a LevelData, source: &'a LevelSource) -> Self {
        let meshes = Meshes::of(source);
        Self {
            level,
            source,
            first_alike: shapes::first_alike(level, source, &meshes),
            meshes,
            scenes: Scenes::of(level.rooms.len()),
        }
    }

    pub(super) fn scene(&self, room: RoomId) -> Arc<RoomScene> {
        let make = || RoomScene::of(self.level, self.source, &self.meshes, room);
        self.scenes.get(room, make)
    }
}
