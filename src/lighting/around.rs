//! Ambient irradiance on each texel of the lightmap, as a part of that of its room: what is
//! open, and through the portals what the neighbours send instead. In a doorway both rooms send
//! half, so that no line shows where one ends.

use std::f32::consts::TAU;

use glam::Vec3;

use super::Lighting;
use super::lightmap::{Chart, Lightmap};
use crate::geometry::{Aabb, ConvexPolygon, Plane};
use crate::level::{Level, RoomId};

/// A neighbour whose light differs by less than this part is like the own room.
const ALIKE: f32 = 0.01;
/// What of a texel's hemisphere an opening fills is not looked at below this part.
const MIN_PART: f32 = 0.002;
/// Blended texels of surfaces that end at an opening lie this far beyond it, metres,
const THRESHOLD: f64 = 0.3;
/// and this far beside it.
const BESIDE: f64 = 0.02;
/// Portals of one opening lie in one plane, metres.
const IN_PLANE: f64 = 1e-3;
/// Greatest multiple of the room's own light that is kept: a dark room beside a bright one.
const MOST: f32 = 60.0;

/// An opening: all portals to one room in one plane.
struct Opening {
    parts: Vec<Part>,
    to: RoomId,
    /// Out of the room.
    plane: Plane,
    /// What of the room lies beyond the opening is in this box: a reveal, and the texels around a
    /// threshold.
    beyond: Aabb,
    /// What comes in instead of the own room's light, as a multiple of it, less 1: at least -1.
    more: Vec3,
}

/// One portal of an opening.
struct Part {
    corners: Vec<Vec3>,
    centre: Vec3,
    area: f32,
}

/// The texels of a level's lightmap: RGB with a shared exponent, as `Rgb9e5Ufloat`.
#[derive(Clone, Debug, Default)]
pub struct Texels {
    /// Page by page, row by row.
    pub rgb: Vec<u32>,
    /// Counts their changes.
    pub revision: u64,
}

/// Computes the texels of the rooms for which `changed` holds, and all if there are none yet.
pub(super) fn update_irradiance(
    level: &Level,
    lighting: &mut Lighting,
    changed: impl Fn(usize) -> bool,
) {
    let mut texels = std::mem::take(&mut lighting.texels);
    let all = texels.rgb.is_empty();
    if all {
        let open = lighting.lightmap.sky_visibility.iter();
        let open = open.map(|&open| packed(Vec3::splat(f32::from(open) / 255.0)));
        texels.rgb = open.collect();
    }
    let mut any = all;
    let mut alike = std::mem::take(&mut lighting.openings_alike);
    for room in level.room_ids() {
        let index = room.0 as usize;
        if !all && !changed(index) {
            continue;
        }
        let lightmap = &lighting.lightmap;
        let openings = openings(level, lighting, room);
        let was_alike = std::mem::replace(&mut alike[index], openings.is_empty());
        if openings.is_empty() && was_alike {
            continue;
        }
        any = true;
        let charts = lightmap.charts_of[index].clone();
        for chart in &lightmap.charts[charts.start as usize..charts.end as usize] {
            write_chart(lightmap, chart, &openings, &mut texels.rgb);
        }
    }
    lighting.openings_alike = alike;
    texels.revision += u64::from(any);
    lighting.texels = texels;
}

/// The open portals of a room; none if behind all of them there is the same light as in it.
fn openings(level: &Level, lighting: &Lighting, room: RoomId) -> Vec<Opening> {
    let own = lighting.settled[room.0 as usize];
    let mut openings: Vec<Opening> = Vec::new();
    let portals = level.portals_of(room);
    for (id, portal) in portals.filter(|(_, portal)| lighting.world.passes_light(portal.link)) {
        let more = lighting.settled[portal.far.0 as usize] / own - 1.0;
        let polygon = &portal.polygon;
        let part = Part {
            corners: polygon.vertices.iter().map(|p| p.as_vec3()).collect(),
            centre: ConvexPolygon::centre(polygon).as_vec3(),
            area: polygon.area() as f32,
        };
        let reveal = level.back(id).map_or(Aabb::EMPTY, |back| {
            let sprawl = level.sprawl_through(back);
            if sprawl.is_empty() {
                return sprawl;
            }
            sprawl.transformed(&level.portal(back).far_from_near)
        });
        let behind = polygon.vertices.iter();
        let behind = behind.map(|&p| p + polygon.plane.normal * THRESHOLD);
        let threshold = polygon.bounds().union(Aabb::around(behind)).grown(BESIDE);
        let beyond = reveal.union(threshold);
        let is_joined = |opening: &&mut Opening| {
            let plane = &opening.plane;
            let mut corners = polygon.vertices.iter();
            opening.to == portal.far && corners.all(|&p| plane.distance(p).abs() < IN_PLANE)
        };
        if let Some(opening) = openings.iter_mut().find(is_joined) {
            opening.parts.push(part);
            opening.beyond = opening.beyond.union(beyond);
        } else {
            openings.push(Opening {
                parts: vec![part],
                to: portal.far,
                plane: polygon.plane,
                beyond,
                more,
            });
        }
    }
    let is_alike = |opening: &Opening| opening.more.abs().max_element() <= ALIKE;
    if openings.iter().all(is_alike) {
        openings.clear();
    }
    openings
}

fn write_chart(lightmap: &Lightmap, chart: &Chart, openings: &[Opening], rgb: &mut [u32]) {
    let side = lightmap.page_side as usize;
    let first = chart.page as usize * side * side;
    for row in 0..chart.size[1] {
        let start = first + (chart.at[1] + row) as usize * side + chart.at[0] as usize;
        for column in 0..chart.size[0] {
            let at = start + column as usize;
            let place = chart.origin + chart.along_u * column as f32 + chart.along_v * row as f32;
            let light = irradiance(openings, place, chart.normal).min(Vec3::splat(MOST));
            let open = f32::from(lightmap.sky_visibility[at]) / 255.0;
            rgb[at] = packed(light * open);
        }
    }
}

/// Ambient irradiance on a place as a multiple of that of its room: a weighted mean of the light
/// of the room and of those behind its openings.
///
/// The form factors of the openings leave out what stands between. Where openings lie one behind
/// the other, they add up to more than the hemisphere, and are scaled down to it.
fn irradiance(openings: &[Opening], place: Vec3, normal: Vec3) -> Vec3 {
    let (mut more, mut parts) = (Vec3::ZERO, 0.0f32);
    for opening in openings {
        let part = part_beyond(opening, place, normal);
        more += opening.more * part;
        parts += part;
    }
    Vec3::ONE + more / parts.max(1.0)
}

/// The part of the light on a place that comes from beyond an opening, 0..1: of what lies beyond it
/// itself, all but what comes back through it.
fn part_beyond(opening: &Opening, place: Vec3, normal: Vec3) -> f32 {
    let through = || -> f32 {
        let parts = opening.parts.iter();
        let sum: f32 = parts.map(|part| part_of(part, place, normal)).sum();
        // More where portals overlap.
        sum.min(1.0)
    };
    let point = place.as_dvec3();
    if opening.plane.distance(point) <= 0.0 {
        through()
    } else if opening.beyond.contains(point) {
        1.0 - through()
    } else {
        0.0
    }
}

/// The part of the hemisphere over a place that a portal fills, weighted by the cosine: J. H.
/// Lambert's formula for a polygon, of 1760, for what is above the horizon.
fn part_of(portal: &Part, place: Vec3, normal: Vec3) -> f32 {
    let to_centre = portal.centre - place;
    // Seen from so far it cannot fill more.
    let most = portal.area / (0.5 * TAU * to_centre.length_squared().max(1e-6));
    if most < MIN_PART {
        return 0.0;
    }
    let height = |p: Vec3| (p - place).dot(normal);
    // The angle under which an edge is seen, times the height of its plane's normal.
    let edge = |from: Vec3, to: Vec3| {
        let (from, to) = (from - place, to - place);
        let across = from.cross(to);
        let area = across.length();
        if area > 0.0 {
            libm::atan2f(area, from.dot(to)) * across.dot(normal) / area
        } else {
            0.0
        }
    };
    let corners = &portal.corners;
    let (mut sum, mut rises, mut sets) = (0.0, None, None);
    for (&a, &b) in corners.iter().zip(corners.iter().cycle().skip(1)) {
        let (at_a, at_b) = (height(a), height(b));
        if at_a <= 0.0 && at_b <= 0.0 {
            continue;
        }
        let on_horizon = || a.lerp(b, at_a / (at_a - at_b));
        let from = if at_a > 0.0 {
            a
        } else {
            *rises.insert(on_horizon())
        };
        let to = if at_b > 0.0 {
            b
        } else {
            *sets.insert(on_horizon())
        };
        sum += edge(from, to);
    }
    if let (Some(sets), Some(rises)) = (sets, rises) {
        sum += edge(sets, rises);
    }
    (sum / TAU).abs().min(1.0)
}

/// Three numbers with one exponent, each to 1/512 of the greatest: OpenGL's EXT_texture_shared_exponent.
fn packed(rgb: Vec3) -> u32 {
    let greatest = rgb.max_element().clamp(0.0, 65_408.0);
    if greatest < 1e-4 {
        return 0;
    }
    // The power of two that the greatest is below of.
    let exponent = (greatest.to_bits() >> 23) as i32 - 126;
    let exponent = exponent.max(-15);
    let fits = |exponent: i32| (greatest * scale(exponent)).round() < 512.0;
    let exponent = if fits(exponent) {
        exponent
    } else {
        exponent + 1
    };
    let [r, g, b] = (rgb * scale(exponent)).round().to_array().map(|x| x as u32);
    ((exponent + 15) as u32) << 27 | b << 18 | g << 9 | r
}

/// 512 over a power of two.
fn scale(exponent: i32) -> f32 {
    f32::from_bits(((9 - exponent + 127) as u32) << 23)
}

/// The other way round.
#[cfg(test)]
pub(super) fn unpacked(texel: u32) -> Vec3 {
    let scale = f64::powi(2.0, (texel >> 27) as i32 - 24) as f32;
    let [r, g, b] = [0, 9, 18].map(|bit| (texel >> bit & 511) as f32);
    Vec3::new(r, g, b) * scale
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn packed_light_is_off_by_less_than_a_five_hundredth_of_the_greatest() {
        for rgb in [
            [1.0, 0.5, 0.25],
            [0.999, 0.1, 0.0],
            [511.9, 3.0, 60.0],
            [0.01, 0.002, 0.03],
            [1.998, 1.999, 2.0],
        ] {
            let rgb = Vec3::from_array(rgb);
            let off = (unpacked(packed(rgb)) - rgb).abs().max_element();
            assert!(off <= rgb.max_element() / 500.0, "{rgb}");
        }
        assert_eq!(unpacked(packed(Vec3::ONE)), Vec3::ONE);
        assert_eq!(packed(Vec3::ZERO), 0);
    }

    #[test]
    fn a_squares_part_of_the_hemisphere_is_what_its_form_factor_says() {
        // A square of side 2 at distance 1 over the middle: four times the configuration factor of a
        // corner's square of side 1 (Howell, A Catalog of Radiation Configuration Factors, C-11).
        let corner = |x: f32, z: f32| Vec3::new(x, 1.0, z);
        let opening = |corners: Vec<Vec3>| Part {
            centre: corners.iter().sum::<Vec3>() / corners.len() as f32,
            corners,
            area: 4.0,
        };
        let square = opening(vec![
            corner(-1.0, -1.0),
            corner(1.0, -1.0),
            corner(1.0, 1.0),
            corner(-1.0, 1.0),
        ]);
        let root = 2.0f32.sqrt();
        let of_corner = 2.0 / TAU * (1.0 / root) * (1.0 / root).atan();
        let found = part_of(&square, Vec3::ZERO, Vec3::Y);
        assert!((found - 4.0 * of_corner).abs() < 1e-5, "{found}");
        // A wall that reaches high above a floor's edge fills half of what is over the edge.
        let wall = |h: f32| {
            opening(vec![
                Vec3::new(-h, -h, 0.0),
                Vec3::new(h, -h, 0.0),
                Vec3::new(h, h, 0.0),
                Vec3::new(-h, h, 0.0),
            ])
        };
        let found = part_of(&wall(1000.0), Vec3::new(0.0, 0.0, 0.01), Vec3::Y);
        assert!((found - 0.5).abs() < 1e-3, "{found}");
        assert_eq!(
            part_of(&wall(10.0), Vec3::new(0.0, -20.0, 0.1), Vec3::NEG_Y),
            0.0
        );
    }
}
