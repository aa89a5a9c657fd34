//! No visible geometry is culled: rays against all triangles of every level, without portals (brute force), are the
//! oracle.

use std::path::Path;

use glam::{DVec2, DVec3};
use opendoor::geometry::{Aabb, Triangle};
use opendoor::level::{Alpha, At, Level, LinkId, PortalId, RoomId, locate};
use opendoor::load::load;
use opendoor::motion::{self, Workspace};
use opendoor::rng::Rng;
use opendoor::visibility::{Camera, NEAR, Visibility, VisibleRoom, flood};
use opendoor::world::World;

const EYES: usize = 200;
const RAYS: usize = 150;

fn point_in(bounds: &Aabb, rng: &mut Rng) -> DVec3 {
    let part = DVec3::from_array([(); 3].map(|()| rng.between(0.0, 1.0)));
    bounds.min + (bounds.max - bounds.min) * part
}

/// Every other eye is in the plane of a portal, or as near to the plane as the near plane's distance, on either side;
/// the others are at random positions in rooms.
fn eye(level: &Level, rng: &mut Rng, in_a_portal: bool) -> (RoomId, DVec3) {
    if in_a_portal {
        let portal = level.portal(PortalId(rng.below(level.portals.len()) as u32));
        let vertices = &portal.polygon.vertices;
        let corner = vertices[rng.below(vertices.len())];
        let inside = portal
            .polygon
            .centre()
            .lerp(corner, 0.9 * rng.between(0.0, 1.0));
        let off = [0.0, NEAR, -NEAR, 1e-4][rng.below(4)];
        return (portal.near, inside + portal.polygon.plane.normal * off);
    }
    loop {
        let room = &level.rooms[rng.below(level.rooms.len())];
        let point = point_in(&room.bounds, rng);
        if let Some(room) = locate(level, point) {
            return (room, point);
        }
    }
}

/// A drawn triangle that occludes the geometry behind it.
struct Drawn {
    triangle: Triangle,
    double_sided: bool,
}

/// The drawn triangles of each room, in the order of [`rooms`](opendoor::level::LevelData::rooms).
fn drawn(level: &Level) -> Vec<Vec<Drawn>> {
    let of_room = |room: RoomId| {
        let range = level.room(room).draws.clone();
        let draws = &level.draws[range.start as usize..range.end as usize];
        let mut all = Vec::new();
        for draw in draws {
            let material = &level.materials[draw.material as usize];
            if material.alpha != Alpha::Opaque {
                continue;
            }
            let indices = &level.indices[draw.indices.start as usize..draw.indices.end as usize];
            all.extend(indices.chunks_exact(3).map(|corner| Drawn {
                triangle: Triangle {
                    corners:
                        [0, 1, 2].map(|i| level.vertices[corner[i] as usize].position.as_dvec3()),
                },
                double_sided: material.double_sided,
            }));
        }
        all
    };
    level.room_ids().map(of_room).collect()
}

/// The room of the first triangle that the ray hits.
fn room_hit(level: &Level, soup: &[Vec<Drawn>], eye: DVec3, ray: DVec3) -> Option<RoomId> {
    let mut nearest = (f64::INFINITY, None);
    for (room, triangles) in level.room_ids().zip(soup) {
        if !meets(&level.room(room).bounds, eye, ray) {
            continue;
        }
        for drawn in triangles {
            if let Some(at) = distance(drawn, eye, ray)
                && at < nearest.0
            {
                nearest = (at, Some(room));
            }
        }
    }
    nearest.1
}

/// Whether the ray may intersect the box.
fn meets(bounds: &Aabb, eye: DVec3, ray: DVec3) -> bool {
    let bounds = bounds.grown(1e-3);
    let (a, b) = ((bounds.min - eye) / ray, (bounds.max - eye) / ray);
    a.min(b).max_element().max(0.0) <= a.max(b).min_element()
}

/// The distance to the triangle in units of the ray's length, if the ray hits a drawn side (T. Moeller and B. Trumbore,
/// 1997). Edges belong to both of their triangles, so that no ray slips between the two.
fn distance(drawn: &Drawn, eye: DVec3, ray: DVec3) -> Option<f64> {
    let [a, b, c] = drawn.triangle.corners;
    let (ab, ac, from_a) = (b - a, c - a, eye - a);
    let across = ray.cross(ac);
    let determinant = ab.dot(across);
    if determinant.abs() <= 1e-12 || (determinant < 0.0 && !drawn.double_sided) {
        return None;
    }
    let along = from_a.cross(ab);
    let (u, v) = (
        from_a.dot(across) / determinant,
        ray.dot(along) / determinant,
    );
    let at = ac.dot(along) / determinant;
    (u >= -1e-6 && v >= -1e-6 && u + v <= 1.0 + 1e-6 && at > 0.0).then_some(at)
}

fn loses_no_room(name: &str) {
    let path = Path::new(env!("CARGO_MANIFEST_DIR"))
        .join("levels")
        .join(name);
    let (level, _) = load(&path).unwrap();
    let mut world = World::of(&level);
    for link in 0..level.links.len() {
        world.open(LinkId(link as u32));
    }
    // A swinging door lets sight through from its first tick on.
    let (workspace, events) = (&mut Workspace::default(), &mut Vec::new());
    motion::move_movers::<motion::Actor>(&level, &mut world, &mut [], workspace, events);
    let soup = drawn(&level);
    let mut rng = Rng::new(1);
    let mut visibility = Visibility::default();
    for i in 0..EYES {
        let (room, point) = eye(&level, &mut rng, i % 2 == 0);
        let angles = [
            360.0 * rng.between(0.0, 1.0),
            140.0 * rng.between(0.0, 1.0) - 70.0,
        ];
        let camera = Camera::new(At::new(room, point), angles, 70.0, 16.0 / 9.0);
        flood(&level, &world, &camera, &mut visibility);
        let tan_half = DVec2::from_array(camera.tan_half());
        for _ in 0..RAYS {
            let at =
                tan_half * (2.0 * DVec2::new(rng.between(0.0, 1.0), rng.between(0.0, 1.0)) - 1.0);
            let ray = camera.axes * at.extend(-1.0);
            let shows = |seen: &VisibleRoom| seen.aperture.contains(at.to_array());
            let Some(hit) = room_hit(&level, &soup, point, ray) else {
                continue;
            };
            assert!(
                visibility
                    .rooms
                    .iter()
                    .any(|seen| seen.room == hit && shows(seen)),
                "{name}: eye {i} at {} in {} looking {ray} sees {}, which is not listed there",
                level.to_author(point),
                level.room(room).name,
                level.room(hit).name,
            );
        }
    }
}

#[test]
fn from_no_eye_in_the_house_a_visible_room_is_lost() {
    loses_no_room("house.glb");
}

#[test]
fn from_no_eye_in_the_proving_ground_a_visible_room_is_lost() {
    loses_no_room("proving-ground.glb");
}

#[test]
fn from_no_eye_in_the_labyrinth_a_visible_room_is_lost() {
    loses_no_room("labyrinth.glb");
}
