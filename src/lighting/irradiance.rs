//! Ambient irradiance on each texel of the lightmap, as a fraction of the irradiance of its room. It is computed from
//! the texel's sky visibility and, where portals fill part of the hemisphere, from the light of neighbouring rooms. In
//! a doorway both rooms contribute half, so that there is no visible seam between them.

use std::f32::consts::TAU;

use glam::Vec3;

use super::lightmap::{Chart, Lightmap};
use super::radiosity::Radiosity;
use super::rgb9e5::pack;
use super::room_set::RoomSet;
use crate::geometry::{Aabb, ConvexPolygon, Plane};
use crate::level::{Level, RoomId};
use crate::parallel::{cores, parallel_map};
use crate::world::World;

/// Texels are rewritten if the ambient irradiance from which they were computed changes by more than this fraction.
pub(super) const MIN_CHANGE: f32 = 0.005;
/// A neighbour whose light differs by less than this fraction is treated like the room itself.
const ALIKE: f32 = 0.01;
/// Form factors of openings below this value are neglected.
const MIN_FORM_FACTOR: f32 = 0.002;
/// The maximum distance beyond an opening, metres, of texels of surfaces that end at the opening: blending needs texels
/// beyond the surfaces' edges.
const THRESHOLD: f64 = 0.3;
/// The maximum distance beside an opening, metres, of texels of surfaces that end at the opening.
const BESIDE: f64 = 0.02;
/// Portals of one opening lie in one plane to within this tolerance, metres.
const IN_PLANE: f64 = 1e-3;
/// The maximum stored irradiance, as a multiple of the room's own irradiance; it limits a dark room beside a bright
/// one.
const MAX_MULTIPLE: f32 = 60.0;

/// The number of texels for which another thread pays off; a moving door changes fewer.
const WORTH_A_THREAD: usize = 50_000;

/// An opening: all portals to one room in one plane.
struct PortalGroup {
    parts: Vec<OpeningPortal>,
    far: RoomId,
    /// The plane of the opening; its normal points out of the room.
    plane: Plane,
    /// The bounds of the room's parts that lie beyond the opening: a reveal, and the texels around a threshold.
    beyond: Aabb,
    /// The light behind the opening minus the room's own light, as a multiple of the room's own light; at least -1.
    excess: Vec3,
}

/// A portal of an opening.
struct OpeningPortal {
    corners: Vec<Vec3>,
    centre: Vec3,
    area: f32,
}

/// Ambient irradiance on the texels of a level's lightmap.
#[derive(Clone, Debug, Default)]
pub struct Texels {
    /// Irradiance as a fraction of the room's, RGB with a shared exponent (`Rgb9e5Ufloat`); page by page, row by row.
    pub rgb: Vec<u32>,
    /// A counter of changes.
    pub revision: u64,
    /// The ambient irradiance of each room that the texels were computed from.
    pub(super) ambient: Vec<Vec3>,
    /// Whether all neighbours of a room have the same ambient irradiance, for each room.
    is_uniform: Vec<bool>,
}

impl Texels {
    /// The texels for rooms with this ambient irradiance, as if all neighbours had the same.
    pub(super) fn new(lightmap: &Lightmap, ambient: Vec<Vec3>) -> Self {
        let visible = lightmap.sky_visibility.iter();
        let visible = visible.map(|&part| f32::from(part) / 255.0);
        Self {
            rgb: visible.map(|part| pack(Vec3::splat(part))).collect(),
            revision: 0,
            is_uniform: vec![true; ambient.len()],
            ambient,
        }
    }

    /// Existing texels that were computed from approximately this ambient irradiance.
    pub(super) fn of_draft(rgb: Vec<u32>, ambient: Vec<Vec3>) -> Self {
        Self {
            rgb,
            revision: 0,
            is_uniform: vec![false; ambient.len()],
            ambient,
        }
    }

    /// Updates the texels after changes of the ambient irradiance, in `relit` rooms, and of the links, in `relinked`
    /// rooms.
    pub(super) fn update(
        &mut self,
        level: &Level,
        world: &World,
        lightmap: &Lightmap,
        (ambient, radiosity): (&[Vec3], &Radiosity),
        (relit, relinked): (&RoomSet, &RoomSet),
    ) {
        let mut changed = relinked.clone();
        for room in relit.iter() {
            let (was, is) = (&mut self.ambient[room.0 as usize], ambient[room.0 as usize]);
            // Smaller changes are not stored: if they were, without updating the neighbours, they would accumulate
            // unnoticed.
            if (is - *was).abs().max_element() > MIN_CHANGE * is.max_element() {
                *was = is;
                // The texels of a room depend on its neighbours.
                let readers = radiosity.readers(room).iter();
                readers.for_each(|&reader| changed.insert(reader));
            }
        }
        let mut to_write: Vec<(&Chart, usize)> = Vec::new();
        let mut openings_of = Vec::new();
        for room in changed.iter() {
            let index = room.0 as usize;
            let openings = openings(level, world, &self.ambient, room);
            let was_uniform = std::mem::replace(&mut self.is_uniform[index], openings.is_empty());
            if openings.is_empty() && was_uniform {
                continue;
            }
            let charts = &lightmap.charts_of[index];
            let charts = &lightmap.charts[charts.start as usize..charts.end as usize];
            to_write.extend(charts.iter().map(|chart| (chart, openings_of.len())));
            openings_of.push(openings);
        }
        let of_index = |index: usize| {
            let (chart, openings) = to_write[index];
            of_chart(lightmap, chart, &openings_of[openings])
        };
        let count = |chart: &Chart| chart.size[0] as usize * chart.size[1] as usize;
        let all: usize = to_write.iter().map(|(chart, _)| count(chart)).sum();
        let threads = (all / WORTH_A_THREAD).clamp(1, cores());
        let mut write = |(at, texel): (usize, u32)| self.rgb[at] = texel;
        if threads == 1 {
            (0..to_write.len()).flat_map(of_index).for_each(write);
        } else {
            let made = |index| of_index(index).collect::<Vec<_>>();
            let made = parallel_map(to_write.len(), threads, made);
            made.into_iter().flatten().for_each(&mut write);
        }
        self.revision += u64::from(!to_write.is_empty());
    }
}

/// The open portals of a room; none if the light behind all of them is like the room's own.
fn openings(level: &Level, world: &World, ambient: &[Vec3], room: RoomId) -> Vec<PortalGroup> {
    let own = ambient[room.0 as usize];
    let mut openings: Vec<PortalGroup> = Vec::new();
    let portals = level.portals_of(room);
    for (id, portal) in portals.filter(|(_, portal)| world.passes_light(portal.link)) {
        let excess = ambient[portal.far.0 as usize] / own - 1.0;
        let polygon = &portal.polygon;
        let part = OpeningPortal {
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
        let is_joined = |opening: &&mut PortalGroup| {
            let plane = &opening.plane;
            let mut corners = polygon.vertices.iter();
            opening.far == portal.far && corners.all(|&p| plane.distance(p).abs() < IN_PLANE)
        };
        if let Some(opening) = openings.iter_mut().find(is_joined) {
            opening.parts.push(part);
            opening.beyond = opening.beyond.union(beyond);
        } else {
            openings.push(PortalGroup {
                parts: vec![part],
                far: portal.far,
                plane: polygon.plane,
                beyond,
                excess,
            });
        }
    }
    let is_alike = |opening: &PortalGroup| opening.excess.abs().max_element() <= ALIKE;
    if openings.iter().all(is_alike) {
        openings.clear();
    }
    openings
}

/// The texels of a chart with their indices, row by row.
fn of_chart<'a>(
    lightmap: &'a Lightmap,
    chart: &'a Chart,
    openings: &'a [PortalGroup],
) -> impl Iterator<Item = (usize, u32)> + 'a {
    let side = lightmap.page_side as usize;
    let first = chart.page as usize * side * side;
    (0..chart.size[1]).flat_map(move |row| {
        let start = first + (chart.at[1] + row) as usize * side + chart.at[0] as usize;
        (0..chart.size[0]).map(move |column| {
            let at = start + column as usize;
            let place = chart.origin + chart.along_u * column as f32 + chart.along_v * row as f32;
            let light = irradiance(openings, place, chart.normal).min(Vec3::splat(MAX_MULTIPLE));
            let open = f32::from(lightmap.sky_visibility[at]) / 255.0;
            (at, pack(light * open))
        })
    })
}

/// Ambient irradiance on a place, as a multiple of the room's: a weighted mean of the light of the room and of the
/// light behind its openings.
///
/// The form factors of the openings ignore occluders. For openings one behind the other their sum may exceed the
/// hemisphere; it is then scaled down to the hemisphere.
fn irradiance(openings: &[PortalGroup], place: Vec3, normal: Vec3) -> Vec3 {
    let (mut excess, mut parts) = (Vec3::ZERO, 0.0f32);
    for opening in openings {
        let part = part_beyond(opening, place, normal);
        excess += opening.excess * part;
        parts += part;
    }
    Vec3::ONE + excess / parts.max(1.0)
}

/// The fraction of the light on a place that comes from beyond an opening, 0..1. If the place itself lies beyond the
/// opening, only the light that comes back through the opening is excluded.
fn part_beyond(opening: &PortalGroup, place: Vec3, normal: Vec3) -> f32 {
    let through = || -> f32 {
        let parts = opening.parts.iter();
        let sum: f32 = parts.map(|part| form_factor(part, place, normal)).sum();
        // The sum is greater than 1 where portals overlap.
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

/// The form factor of a portal: the cosine-weighted fraction of the hemisphere over a place that the portal fills. J.
/// H. Lambert's formula for a polygon (1760), applied to the part above the horizon.
fn form_factor(portal: &OpeningPortal, place: Vec3, normal: Vec3) -> f32 {
    let to_centre = portal.centre - place;
    // The maximum form factor of this area at this distance.
    let max = portal.area / (0.5 * TAU * to_centre.length_squared().max(1e-6));
    if max < MIN_FORM_FACTOR {
        return 0.0;
    }
    let height = |p: Vec3| (p - place).dot(normal);
    // The contribution of an edge: the angle that it subtends, times the cosine of the angle between the surface normal
    // and the normal of the plane through the place and the edge.
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_form_factor_of_a_square_is_that_of_the_literature() {
        // A square of side 2 at distance 1, centred over the place, has four times the configuration
        // factor of a square of side 1 with a corner over the place (Howell, A Catalog of Radiation
        // Configuration Factors, C-11).
        let corner = |x: f32, z: f32| Vec3::new(x, 1.0, z);
        let opening = |corners: Vec<Vec3>| OpeningPortal {
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
        let found = form_factor(&square, Vec3::ZERO, Vec3::Y);
        assert!((found - 4.0 * of_corner).abs() < 1e-5, "{found}");
        // A wall that reaches high above a floor's edge fills half of the hemisphere over the edge.
        let wall = |h: f32| {
            opening(vec![
                Vec3::new(-h, -h, 0.0),
                Vec3::new(h, -h, 0.0),
                Vec3::new(h, h, 0.0),
                Vec3::new(-h, h, 0.0),
            ])
        };
        let found = form_factor(&wall(1000.0), Vec3::new(0.0, 0.0, 0.01), Vec3::Y);
        assert!((found - 0.5).abs() < 1e-3, "{found}");
        assert_eq!(
            form_factor(&wall(10.0), Vec3::new(0.0, -20.0, 0.1), Vec3::NEG_Y),
            0.0
        );
    }
}
