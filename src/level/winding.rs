//! Winding numbers of room surfaces around points.

use super::{Alpha, LevelData, Material, RoomId, Sprawl};
use crate::geometry::{Triangle, solid_angle};

use glam::DVec3;

/// A winding number this close to an integer counts as that integer, and the surface as free of holes. Rounding
/// errors are smaller; a hole of one square metre causes a larger difference up to thirty metres away.
const WHOLE_WINDING: f64 = 1e-4;

/// The winding number of the room's surface, closed by its portals, around `point`: 1 inside, 0 outside, a value in
/// between near holes of the surface. This is the generalized winding number of Jacobson, Kavan and Sorkine-Hornung,
/// "Robust Inside-Outside Segmentation using Generalized Winding Numbers", 2013, section 3, with the sign for
/// surfaces that face inwards. It is computed for the solid and for the drawn surface; the larger number is returned,
/// except around points outside a closed solid shell: leaves and flames are drawn surfaces with holes, and they open
/// no room.
pub(crate) fn winding_number(level: &LevelData, id: RoomId, point: DVec3) -> f64 {
    winding_of(level, id, point, |_| true)
}

/// The winding number of the closed room around a lamp. A lamp may be inside the bulb or shade that it shines
/// through; so this is the larger of the numbers with and without such surfaces.
pub(crate) fn winding_around_lamp(level: &LevelData, id: RoomId, point: DVec3) -> f64 {
    let all = winding_in_air(level, id, point);
    if all > 0.5 {
        return all;
    }
    let keeps_light_in = |material: &Material| {
        material.sky || material.alpha == Alpha::Opaque && material.emissive == [0.0; 3]
    };
    all.max(winding_of(level, id, point, keeps_light_in))
}

/// The [`winding_number`] of the triangles for whose material `counts` is true.
fn winding_of(
    level: &LevelData,
    id: RoomId,
    point: DVec3,
    counts: impl Fn(&Material) -> bool,
) -> f64 {
    let counts = |material: u32| counts(&level.materials[material as usize]);
    let room = level.room(id);
    // The front of a portal faces out of the room.
    let portals = level
        .portals_of(id)
        .flat_map(|(_, portal)| portal.polygon.triangles());
    let portals = SurfaceAround::of(portals, point);
    let turns = |surface: &SurfaceAround| {
        (surface.solid_angle - portals.solid_angle) / (4.0 * std::f64::consts::PI)
    };
    let solids = level
        .solids
        .of(&room.solids)
        .filter(|solid| counts(solid.surface.material))
        .map(|solid| solid.triangle());
    let solids = SurfaceAround::of(solids, point);
    let solid = turns(&solids);
    if solid > 0.5 {
        return solid;
    }
    let drawn = turns(&SurfaceAround::of(
        drawn_triangles(level, id, counts),
        point,
    ));
    // The volume in front of closed furniture without walls is negative.
    let is_closed_shell = !is_open(solid) && solids.volume > portals.volume;
    if is_closed_shell && drawn <= 0.5 {
        return solid;
    }
    solid.max(drawn)
}

/// A surface around a point. Both sums are positive for triangles whose fronts face the point.
#[derive(Default)]
struct SurfaceAround {
    /// The sum of the solid angles of the triangles, steradians.
    solid_angle: f64,
    /// The sum of the volumes of the pyramids between the triangles and the point, cubic metres. For a closed surface it
    /// is the volume in front of it, whatever the point.
    volume: f64,
}

impl SurfaceAround {
    fn of(triangles: impl Iterator<Item = Triangle>, point: DVec3) -> Self {
        triangles.fold(Self::default(), |sum, triangle| {
            let [a, b, c] = triangle.corners.map(|corner| corner - point);
            Self {
                solid_angle: sum.solid_angle + solid_angle(&triangle, point),
                volume: sum.volume - a.dot(b.cross(c)) / 6.0,
            }
        })
    }
}

/// Whether a winding number is not an integer, so that the surface has holes as seen from the point.
pub(super) fn is_open(winding: f64) -> bool {
    (winding - winding.round()).abs() > WHOLE_WINDING
}

/// The drawn triangles of a room for whose material `counts` is true.
pub(crate) fn drawn_triangles(
    level: &LevelData,
    id: RoomId,
    counts: impl Fn(u32) -> bool,
) -> impl Iterator<Item = Triangle> {
    let draws = &level.room(id).draws;
    let draws = &level.draws[draws.start as usize..draws.end as usize];
    let draws = draws.iter().filter(move |draw| counts(draw.material));
    let indices = draws.flat_map(|draw| {
        let range = draw.indices.start as usize..draw.indices.end as usize;
        level.indices[range].as_chunks::<3>().0
    });
    indices.map(|triangle| Triangle {
        corners: triangle.map(|i| level.vertices[i as usize].position.as_dvec3()),
    })
}

/// The winding number of the closed room around a point. Sprawling geometry counts for the room that it lies in. So
/// inside a reveal, the room on that side of the portal has the winding number 1, whichever room the reveal belongs
/// to.
pub(crate) fn winding_in_air(level: &LevelData, room: RoomId, point: DVec3) -> f64 {
    let own = winding_number(level, room, point);
    let into = level.sprawls_into(room).iter();
    let more: f64 = into
        .map(|sprawl| winding_of_sprawl(level, sprawl, point))
        .sum();
    let out = level.sprawls_out_of(room);
    let less: f64 = out
        .map(|sprawl| winding_of_sprawl(level, sprawl, sprawl.into_from_room.point(point)))
        .sum();
    own + more - less
}

/// The winding number of a sprawl around a point, in coordinates of the room that it sprawls into.
fn winding_of_sprawl(level: &LevelData, sprawl: &Sprawl, point: DVec3) -> f64 {
    let parts = &level.sprawling_parts[sprawl.parts.start as usize..sprawl.parts.end as usize];
    let angles = parts.iter().map(|part| solid_angle(part, point));
    angles.sum::<f64>() / (4.0 * std::f64::consts::PI)
}

/// The number of triangles that a query of a room's winding number tests.
pub(crate) fn triangles_in(level: &LevelData, id: RoomId) -> u64 {
    let room = level.room(id);
    let draws = &level.draws[room.draws.start as usize..room.draws.end as usize];
    let drawn = draws.iter().map(|draw| draw.indices.len() / 3);
    (room.solids.len() + drawn.sum::<usize>()) as u64
}
