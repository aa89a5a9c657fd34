//! The scenes of rooms, made when they are first asked for; of large levels only those made last are in memory.

use std::collections::VecDeque;
use std::sync::{Arc, Mutex, PoisonError};

use super::scene::Scene;
use crate::level::RoomId;

/// The triangles of scenes in memory, at most, as long as there are others: a few hundred bytes each.
const MAX_TRIANGLES: usize = 150_000;

/// The scenes of the rooms of a level.
pub(super) struct Scenes {
    of_room: Vec<Mutex<Option<Arc<Scene>>>>,
    made: Mutex<Made>,
}

/// The scenes in memory.
#[derive(Default)]
struct Made {
    /// The first made first, each with the number of its triangles.
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

    /// The scene of a room, which is always the same.
    pub(super) fn get(&self, room: RoomId, make: impl FnOnce() -> Scene) -> Arc<Scene> {
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

    /// Adds a room to those in memory; returns those that are to go.
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

/// A scene is whole, or it is not there.
fn locked<T>(mutex: &Mutex<T>) -> std::sync::MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}
