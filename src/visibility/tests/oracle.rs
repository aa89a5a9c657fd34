//! Property tests of the flood on random houses against two slow and simple oracles: rays against all triangles,
//! without portals, and exact clipping along every path of portals.

use crate::level::{At, Level, RoomId};
use crate::world::World;
use std::collections::BTreeSet;

use glam::DVec3;
use proptest::prelude::*;

use super::bent::{bent, rounded};
use super::house::{CELLS, House, house};
use super::*;
use crate::geometry::Triangle;

/// The position and direction of the eye, as fractions that are valid for any house.
#[derive(Clone, Debug)]
struct Viewpoint {
    room: usize,
    part: [f64; 3],
    angles: [f64; 2],
    fov: f64,
    /// If the room of the eye has a portal, the eye may be placed at one: the portal's index and the distance before
    /// it, metres.
    at_portal: Option<(usize, f64)>,
}

fn eye() -> impl Strategy<Value = Viewpoint> {
    let part = || 0.03..0.97f64;
    let off = prop_oneof![Just(0.0), -0.002..0.002f64, -NEAR..NEAR];
    (
        0..CELLS,
        (part(), part(), part()),
        (-180.0..180.0f64, -85.0..85.0f64),
        30.0..110.0f64,
        proptest::option::of((any::<usize>(), off)),
    )
        .prop_map(|(room, part, angles, fov, at_portal)| Viewpoint {
            room,
            part: part.into(),
            angles: angles.into(),
            fov,
            at_portal,
        })
}

impl Viewpoint {
    fn camera(&self, house: &House, level: &Level) -> Camera {
        let room = RoomId(self.room as u32);
        let bounds = house.room(self.room);
        let mut at = bounds.min + (bounds.max - bounds.min) * DVec3::from_array(self.part);
        if let Some((which, off)) = self.at_portal {
            let portals: Vec<_> = level.portals_of(room).collect();
            if !portals.is_empty() {
                let polygon = &portals[which % portals.len()].1.polygon;
                at = polygon.centre() + polygon.plane.normal * off;
            }
        }
        Camera::new(At::new(room, at), self.angles, self.fov, 1.6)
    }
}

fn flooded(level: &Level, camera: &Camera) -> BTreeSet<RoomId> {
    let mut visibility = Visibility::default();
    flood(level, &World::of(level), camera, &mut visibility);
    visibility.rooms.iter().map(|r| r.room).collect()
}

/// The room of the first triangle that a ray hits from its front; `None` if it hits that triangle near an edge, where
/// neighbouring triangles of other rooms begin, and rounding decides.
fn room_hit(level: &Level, eye: DVec3, ray: DVec3) -> Option<RoomId> {
    let mut nearest = (f64::INFINITY, None);
    for room in level.room_ids() {
        for solid in level.solids.of(&level.room(room).solids) {
            if let Some((at, is_inside)) = front_hit(&solid.triangle(), eye, ray)
                && at < nearest.0
            {
                nearest = (at, is_inside.then_some(room));
            }
        }
    }
    nearest.1
}

/// The distance along the ray to the front of the triangle (T. Moeller and B. Trumbore, 1997), and whether the ray
/// stays clear of the edges.
fn front_hit(triangle: &Triangle, eye: DVec3, ray: DVec3) -> Option<(f64, bool)> {
    let [a, b, c] = triangle.corners;
    let (ab, ac, from_a) = (b - a, c - a, eye - a);
    let across = ray.cross(ac);
    let determinant = ab.dot(across);
    if determinant <= 1e-12 {
        return None;
    }
    let u = from_a.dot(across) / determinant;
    let along = from_a.cross(ab);
    let v = ray.dot(along) / determinant;
    let at = ac.dot(along) / determinant;
    // Edges belong to both sides, so that no ray slips between two triangles.
    let inside_by = u.min(v).min(1.0 - u - v);
    (inside_by >= -1e-6 && at > 0.0).then_some((at, inside_by > 1e-6))
}

/// The rooms that exact clipping reaches along any path that passes no portal more than once.
fn exact(level: &Level, camera: &Camera) -> BTreeSet<RoomId> {
    let [tan_x, tan_y] = camera.tan_half();
    let corner = |x: f64, y: f64| camera.axes * DVec3::new(x * tan_x, y * tan_y, -1.0);
    let pyramid = [(-1., -1.), (1., -1.), (1., 1.), (-1., 1.)].map(|(x, y)| corner(x, y));
    let mut reached = BTreeSet::from([camera.at.room]);
    let mut path = Vec::new();
    follow(
        level,
        camera,
        camera.at.room,
        &pyramid,
        &mut path,
        &mut reached,
    );
    reached
}

/// Follows the visible cone into further rooms; `pyramid` are the directions of its edges, counter-clockwise seen from
/// the eye.
fn follow(
    level: &Level,
    camera: &Camera,
    room: RoomId,
    pyramid: &[DVec3],
    path: &mut Vec<crate::level::PortalId>,
    reached: &mut BTreeSet<RoomId>,
) {
    for (id, portal) in level.portals_of(room) {
        if path.contains(&id) || portal.polygon.plane.distance(camera.at.point) >= 0.0 {
            continue;
        }
        let corners = portal.polygon.vertices.iter().rev();
        let mut seen: Vec<DVec3> = corners.map(|v| *v - camera.at.point).collect();
        for i in 0..pyramid.len() {
            let inward = pyramid[(i + 1) % pyramid.len()].cross(pyramid[i]);
            seen = cut(&seen, inward);
        }
        // A sliver thinner than rounding errors has no reliable normal.
        let area: DVec3 = (1..seen.len().max(2) - 1)
            .map(|i| (seen[i] - seen[0]).cross(seen[i + 1] - seen[0]))
            .sum();
        if area.length() < 1e-9 {
            continue;
        }
        reached.insert(portal.far);
        path.push(id);
        follow(level, camera, portal.far, &seen, path, reached);
        path.pop();
    }
}

/// The part of a polygon on the inner side of a plane through the origin.
fn cut(polygon: &[DVec3], inward: DVec3) -> Vec<DVec3> {
    let mut kept = Vec::new();
    for (i, &b) in polygon.iter().enumerate() {
        let a = polygon[(i + polygon.len() - 1) % polygon.len()];
        let (at_a, at_b) = (inward.dot(a), inward.dot(b));
        if (at_a > 0.0) != (at_b > 0.0) {
            kept.push(a + (b - a) * (at_a / (at_a - at_b)));
        }
        if at_b > 0.0 {
            kept.push(b);
        }
    }
    kept
}

proptest! {
    // Few cases, because rays against all triangles are slow; the project's own levels have their tests in
    // `tests/sim/visibility.rs`.
    #![proptest_config(ProptestConfig::with_cases(32))]

    #[test]
    fn no_room_that_a_ray_hits_is_lost_or_clipped(house in house(), eyes in proptest::collection::vec(eye(), 8)) {
        let level = house.build();
        for eye in eyes {
            let camera = eye.camera(&house, &level);
            let mut visibility = Visibility::default();
            flood(&level, &World::of(&level), &camera, &mut visibility);
            let [tan_x, tan_y] = camera.tan_half();
            for i in 0..16 * 12 {
                let (x, y) = (f64::from(i % 16) / 7.51 - 1.0, f64::from(i / 16) / 5.51 - 1.0);
                let tangents = [x * tan_x, y * tan_y];
                let ray = camera.axes * DVec3::new(tangents[0], tangents[1], -1.0);
                if let Some(hit) = room_hit(&level, camera.at.point, ray) {
                    let found = visibility.rooms.iter().find(|seen| seen.room == hit);
                    prop_assert!(found.is_some(), "{hit:?} {camera:?}");
                    let is_in_aperture = found.is_some_and(|seen| seen.aperture.contains(tangents));
                    prop_assert!(is_in_aperture, "{hit:?} outside of {found:?} {camera:?}");
                }
            }
        }
    }
}

proptest! {
    // Each case builds a house, which takes most of the time.
    #![proptest_config(ProptestConfig::with_cases(64))]

    #[test]
    fn no_room_that_exact_clipping_reaches_is_lost(
        house in house(), eyes in proptest::collection::vec(eye(), 16),
    ) {
        let level = house.build();
        for eye in eyes {
            let camera = eye.camera(&house, &level);
            let found = flooded(&level, &camera);
            let exact = exact(&level, &camera);
            prop_assert!(found.is_superset(&exact), "{exact:?} {found:?} {camera:?}");
        }
    }

    #[test]
    fn bent_space_shows_what_straight_space_does(
        house in house(), eyes in proptest::collection::vec(eye(), 4),
    ) {
        let sketch = rounded(house.sketch());
        let level = built(sketch.clone());
        let cameras: Vec<Camera> = eyes.iter().map(|eye| eye.camera(&house, &level)).collect();
        let straight: Vec<_> = cameras.iter().map(|c| flooded(&level, c)).collect();
        let (level, own_from_level) = bent(sketch);
        for (camera, straight) in cameras.iter().zip(straight) {
            let own = &own_from_level[camera.at.room.0 as usize];
            let bent = Camera {
                at: camera.at.with_point(own.point(camera.at.point)),
                axes: own.rotation() * camera.axes,
                ..*camera
            };
            prop_assert_eq!(flooded(&level, &bent), straight, "{:?}", camera);
        }
    }
}

#[test]
fn on_average_few_rooms_are_listed_that_exact_clipping_does_not_reach() {
    use proptest::strategy::ValueTree;
    let mut runner = proptest::test_runner::TestRunner::deterministic();
    let (mut listed, mut needed) = (0, 0);
    for _ in 0..40 {
        // Exact clipping does not handle sprawling geometry.
        let house = house()
            .new_tree(&mut runner)
            .unwrap()
            .current()
            .without_beams();
        let level = house.build();
        for _ in 0..20 {
            let mut eye = eye().new_tree(&mut runner).unwrap().current();
            eye.at_portal = None;
            let camera = eye.camera(&house, &level);
            listed += flooded(&level, &camera).len();
            needed += exact(&level, &camera).len();
        }
    }
    // One aperture around several paths into a room costs 5 % in these houses with many openings.
    assert!(listed * 100 <= needed * 106, "{listed} for {needed}");
}
