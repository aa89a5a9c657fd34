//! A hash of all inputs of a lightmap.

use glam::DVec3;

use super::bake::RADIUS;
use super::layout::LightmapQuality;
use crate::hash::Fnv128;
use crate::level::{Alpha, Level};

/// The version of the bake; increment it whenever the same level gives a different lightmap.
const VERSION: u8 = 1;

impl Fnv128 {
    /// Hashes a list with its length, so that consecutive lists cannot be confused.
    fn list(self, numbers: &[u32]) -> Self {
        let count = numbers.len() as u64;
        let hash = self.bytes(&count.to_le_bytes());
        numbers
            .iter()
            .fold(hash, |hash, number| hash.bytes(&number.to_le_bytes()))
    }

    fn number(self, number: f64) -> Self {
        self.bytes(&number.to_bits().to_le_bytes())
    }
}

/// The cache key of a level's lightmap.
pub(in crate::lighting) fn key(level: &Level, quality: LightmapQuality) -> u128 {
    let mut hash = Fnv128::EMPTY
        .bytes(&[VERSION])
        .number(quality.texels_per_metre)
        .number(f64::from(RADIUS))
        .list(&[quality.rays])
        .list(&level.indices);
    for vertex in &level.vertices {
        hash = hash.bytes(bytemuck::bytes_of(&vertex.position));
        hash = hash.bytes(bytemuck::bytes_of(&vertex.normal));
    }
    for material in &level.materials {
        let blended = material.alpha == Alpha::Blend;
        let flags = [material.double_sided, material.unlit, material.sky, blended];
        hash = hash.bytes(&flags.map(u8::from));
    }
    for draw in &level.draws {
        hash = hash.list(&[draw.material, draw.indices.start, draw.indices.end]);
    }
    for room in &level.rooms {
        let (portals, draws) = (&room.portals, &room.draws);
        hash = hash.list(&[portals.start, portals.end, draws.start, draws.end]);
    }
    for portal in &level.portals {
        let transform = &portal.far_from_near;
        hash = hash.list(&[portal.far.0, u32::from(transform.is_identity())]);
        let mut corners = portal.polygon.vertices.clone();
        if !transform.is_identity() {
            corners.extend([DVec3::ZERO, DVec3::X, DVec3::Y].map(|p| transform.point(p)));
        }
        hash = corners
            .iter()
            .flat_map(|p| p.to_array())
            .fold(hash, Fnv128::number);
    }
    for sprawl in &level.sprawls {
        hash = hash.list(&[sprawl.room.0, sprawl.through.0]);
        let corners = [sprawl.bounds.min, sprawl.bounds.max];
        hash = corners
            .iter()
            .flat_map(|p| p.to_array())
            .fold(hash, Fnv128::number);
    }
    for mover in &level.movers {
        hash = hash.list(&[mover.room.0, mover.draws.start, mover.draws.end]);
    }
    hash.0
}
