//! A cache of the rooms' scenes. Scenes are built on first use; in large levels only the most recent ones stay in
//! memory.

use std::collections::VecDeque;
use std::sync::{Arc, Mutex, PoisonError};

use super::scene::RoomScene;
use crate::level::RoomId;

/// Maximum number of triangles of all scenes in memory, at a few hundred bytes each. A single scene may exceed it.
const MAX_TRIANGLES: usize = 150_000;

/// The scenes of the rooms of a level.
pub(super) struct Scenes {
    of_room: Vec<Mutex<Option<Arc<RoomScene>>>>,
    made: Mutex<CachedScenes>,
}

/// The scenes in memory.
#[derive(Default)]
struct CachedScenes {
    /// The rooms in the order in which their scenes were built, each with its number of triangles.
    rooms: VecDeque<(RoomId, usize)>,
    triangles: usize,
}

impl Scenes {
    pub(super) fn of(rooms: usize) -> Self {
        Self {
            of_room: (0..rooms).map(|_| Mutex::default()).collect(),
            made: Mutex::default(),
        }
    }

    /// The scene of a room. Building it again gives an equal scene.
    pub(super) fn get(&self, room: RoomId, make: impl FnOnce() -> RoomScene) -> Arc<RoomScene> {
        let mut slot = locked(&self.of_room[room.0 as usize]);
        if let Some(scene) = &*slot {
            return Arc::clone(scene);
        }
        let scene = Arc::new(make());
        *slot = Some(Arc::clone(&scene));
        drop(slot);
        let triangles = scene.triangles.len();
        for old in self.too_many_with(room, triangles) {
            *locked(&self.of_room[old.0 as usize]) = None;
        }
        scene
    }

    /// Adds a room to the cache, and returns the rooms whose scenes to evict.
    fn too_many_with(&self, room: RoomId, triangles: usize) -> Vec<RoomId> {
        let mut made = locked(&self.made);
        made.rooms.push_back((room, triangles));
        made.triangles += triangles;
        let mut old = Vec::new();
        while made.triangles > MAX_TRIANGLES
            && made.rooms.len() > 1
            && let Some((room, triangles)) = made.rooms.pop_front()
        {
            made.triangles -= triangles;
            old.push(room);
        }
        old
    }
}

/// A scene is complete or absent, so a poisoned lock is harmless.
fn locked<T>(mutex: &Mutex<T>) -> std::sync::MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}
