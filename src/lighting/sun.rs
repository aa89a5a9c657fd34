//! Entrances of parallel light: surfaces that show the sky, and open rooms.

use std::ops::Range;

use glam::DVec3;

use super::clip_planes::{RaySource, planes_through};
use crate::geometry::{ConvexPolygon, Plane, Triangle, connected_components};
use crate::level::{Level, RoomId};

/// The maximum number of triangles of a connected component that is treated as one window.
const MAX_WINDOW_TRIANGLES: usize = 64;

/// The rooms that parallel light of this unit direction enters from the sky, each with the clip planes of the light. A
/// room is listed once for each window if all its windows are convex polygons; otherwise, or if it is open to the sky,
/// it is listed once, without planes.
pub(super) fn entrances(level: &Level, direction: DVec3) -> Vec<(RoomId, Vec<Plane>)> {
    let mut found = Vec::new();
    for id in level.room_ids() {
        let room = level.room(id);
        if room.open_to_sky {
            found.push((id, Vec::new()));
            continue;
        }
        let pieces = sky_pieces(level, id);
        let mut windows = Vec::new();
        let mut is_shapeless = false;
        for piece in &pieces {
            if piece.iter().all(|t| t.cross().dot(direction) <= 0.0) {
                continue;
            }
            let polygon = match piece.len() {
                0..=MAX_WINDOW_TRIANGLES => ConvexPolygon::from_triangles(piece).ok(),
                _ => None,
            };
            // The window is seen from outside, from the side of the light.
            let rays = RaySource::Direction(direction);
            match polygon.and_then(|p| planes_through(&p.vertices, rays)) {
                Some(clip_planes) => windows.push((id, clip_planes)),
                None => is_shapeless = true,
            }
        }
        if is_shapeless {
            found.push((id, Vec::new()));
        } else {
            found.extend(windows);
        }
    }
    found
}

/// The triangles of a room that show the sky, by connected component.
fn sky_pieces(level: &Level, room: RoomId) -> Vec<Vec<Triangle>> {
    let draws = level.room(room).draws.clone();
    let draws = &level.draws[draws.start as usize..draws.end as usize];
    let sky = draws.iter().filter(|draw| {
        let material = level.materials.get(draw.material as usize);
        material.is_some_and(|m| m.sky)
    });
    let corners = sky.flat_map(|draw| draw.indices.clone());
    let mut indices: Vec<u32> = corners.map(|i| level.indices[i as usize]).collect();
    let pieces = connected_components(&level.vertices, &mut indices);
    let position = |i: u32| level.vertices[i as usize].position.as_dvec3();
    let triangles = |piece: Range<u32>| {
        let piece = &indices[piece.start as usize..piece.end as usize];
        let corners = piece.as_chunks::<3>().0.iter();
        let corners = corners.map(|corners| corners.map(position));
        corners.map(|corners| Triangle { corners }).collect()
    };
    pieces.into_iter().map(triangles).collect()
}
