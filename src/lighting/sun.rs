//! Where parallel light comes in: through surfaces that show the sky, and into open rooms.

use std::collections::BTreeMap;

use glam::DVec3;

use super::spread::sides_of_rays;
use crate::geometry::{ConvexPolygon, Plane, Triangle};
use crate::level::{Level, RoomId};

/// More triangles than this are not looked at as one window.
const MAX_WINDOW_TRIANGLES: usize = 64;

/// The rooms that light of this unit direction comes into from the sky, each with the planes that
/// bound the light: once for each window that is one convex polygon; without planes where the sky
/// is of another shape, or all around.
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
            // Seen from outside, where the light comes from.
            match polygon.and_then(|p| sides_of_rays(&p.vertices, direction)) {
                Some(sides) => windows.push((id, sides)),
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

/// The triangles of a room that show the sky, those that share corners together.
pub(super) fn sky_pieces(level: &Level, room: RoomId) -> Vec<Vec<Triangle>> {
    let draws = level.room(room).draws.clone();
    let draws = &level.draws[draws.start as usize..draws.end as usize];
    let sky = draws.iter().filter(|draw| {
        let material = level.materials.get(draw.material as usize);
        material.is_some_and(|m| m.sky)
    });
    let mut pieces: Vec<Vec<Triangle>> = Vec::new();
    // The piece of each corner; pieces that turn out to be one are emptied into the first.
    let mut piece_of: BTreeMap<[u32; 3], usize> = BTreeMap::new();
    for draw in sky {
        let indices = &level.indices[draw.indices.start as usize..draw.indices.end as usize];
        for corners in indices.as_chunks::<3>().0 {
            let corners = corners.map(|i| level.vertices[i as usize].position);
            let keys = corners.map(|p| p.to_array().map(f32::to_bits));
            let triangle = Triangle {
                corners: corners.map(|p| p.as_dvec3()),
            };
            let mut known: Vec<usize> = keys
                .iter()
                .filter_map(|k| piece_of.get(k))
                .copied()
                .collect();
            known.sort_unstable();
            known.dedup();
            let piece = known.first().copied().unwrap_or_else(|| {
                pieces.push(Vec::new());
                pieces.len() - 1
            });
            for &other in known.iter().skip(1) {
                let moved = std::mem::take(&mut pieces[other]);
                pieces[piece].extend(moved);
                piece_of
                    .values_mut()
                    .filter(|p| **p == other)
                    .for_each(|p| *p = piece);
            }
            pieces[piece].push(triangle);
            for key in keys {
                piece_of.insert(key, piece);
            }
        }
    }
    pieces.retain(|piece| !piece.is_empty());
    pieces
}
