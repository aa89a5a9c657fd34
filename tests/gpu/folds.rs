//! Pictures of levels whose portals bend space, pixel by pixel against rays through the level.

use glam::{DMat3, DVec3};
use opendoor::author::sketch::{Sketch, cuboid};
use opendoor::geometry::{Aabb, Rigid};
use opendoor::level::{At, Level};
use opendoor::queries::cast_ray;
use opendoor::rng::Rng;
use opendoor::source::{BodyShape, BodySource, PortalTarget};
use opendoor::visibility::{Camera, Culling};
use opendoor::world::World;

use crate::fixture::{Studio, gpu, unlit};
use crate::shared::built;

const SIZE: [u32; 2] = [96, 72];
/// The distance of surfaces up to which pixels are compared, metres: the number of pictured images of a room is limited.
const REACH: f64 = 40.0;

/// Colours that differ by at least 0.1 in a component, in linear light.
fn colour(index: usize) -> [f32; 4] {
    const LEVELS: [f32; 4] = [0.0, 0.1, 0.4, 1.0];
    let part = |shift: usize| LEVELS[index >> shift & 3];
    [part(0), part(2), part(4), 1.0]
}

/// A room's box, and the boxes of its furniture.
struct RoomBoxes {
    inside: Aabb,
    furniture: Vec<Aabb>,
}

/// A doorway of 1.2 x 2 m in the middle of a wall: the opening, the room, and the outward normal.
type Doorway = (Aabb, usize, DVec3);

fn doorways(room: usize, inside: &Aabb) -> Vec<Doorway> {
    let middle = (inside.min + inside.max) * 0.5;
    let directions = [DVec3::X, DVec3::NEG_X, DVec3::Z, DVec3::NEG_Z];
    let doorway = |out: DVec3| {
        let side = if out.dot(DVec3::ONE) > 0.0 {
            inside.max
        } else {
            inside.min
        };
        let at = DVec3::select(out.cmpne(DVec3::ZERO), side, middle);
        let half = DVec3::new(0.6, 0.0, 0.6) * (DVec3::ONE - out.abs());
        let [low, high] = [at - half, at + half];
        let opening = cuboid([low.x, 0.0, low.z], [high.x, 2.0, high.z]);
        (opening, room, out)
    };
    directions.map(doorway).into()
}

/// Twice two neighbouring furnished rooms, at random places, so that they overlap, each with a doorway in each wall. A plain
/// doorway joins the neighbours; each of the others leads to a random other one, upright or upside down. Bodies stand in
/// some of them. Each wall, box and body has its own colour.
fn random_level(rng: &mut Rng) -> (Level, Vec<RoomBoxes>) {
    let mut sketch = Sketch::new("folded");
    let mut rooms = Vec::new();
    let mut ways = Vec::new();
    for room in 0..4 {
        let mut low = DVec3::new(rng.between(-6.0, 2.0), 0.0, rng.between(-6.0, 2.0));
        let size = [4.0, 2.5, 4.0].map(|least| least * rng.between(1.0, 2.0));
        let mut high = low + DVec3::from_array(size);
        // Every other room is the neighbour of the one before.
        let is_neighbour = room % 2 == 1;
        if is_neighbour {
            let RoomBoxes { inside, .. } = &rooms[room - 1];
            low = DVec3::new(inside.max.x, 0.0, inside.min.z);
            high = DVec3::new(low.x + size[0], inside.max.y, inside.max.z);
        }
        let inside = Aabb::around([low, high]);
        let own = doorways(room, &inside);
        let openings: Vec<Aabb> = own.iter().map(|(opening, ..)| *opening).collect();
        sketch.box_room(&format!("room{room}"), inside, &openings);
        let walls = sketch.source.meshes.pop().expect("the room has walls");
        for axis in DVec3::AXES.into_iter().flat_map(|axis| [axis, -axis]) {
            let index = sketch.source.materials.len();
            sketch.material(unlit(colour(index)));
            let mut wall = walls.clone();
            wall.material = index;
            wall.triangles.retain(|corners| {
                let [a, b, c] = corners.map(|corner| walls.positions[corner as usize]);
                (b - a).cross(c - a).dot(axis) > 1e-9
            });
            sketch.source.meshes.push(wall);
        }
        let furniture: Vec<Aabb> = (0..2)
            .map(|_| {
                let place = |low: f64, high: f64, rng: &mut Rng| rng.between(low + 0.9, high - 0.9);
                let x = place(low.x, high.x, rng);
                let z = place(low.z, high.z, rng);
                let half = rng.between(0.1, 0.4);
                let top = rng.between(0.3, 2.4);
                cuboid([x - half, 0.0, z - half], [x + half, top, z + half])
            })
            .collect();
        for shape in &furniture {
            let index = sketch.material(unlit(colour(sketch.source.materials.len())));
            sketch.furniture(room, index, *shape);
        }
        rooms.push(RoomBoxes { inside, furniture });
        ways.extend(own);
        if is_neighbour {
            // The two openings between the neighbours are equal.
            let is_between = |(_, of, out): &Doorway| {
                (*of, *out) == (room - 1, DVec3::X) || (*of, *out) == (room, DVec3::NEG_X)
            };
            let between = ways
                .iter()
                .position(is_between)
                .expect("both rooms have a doorway there");
            let (opening, from, out) = ways[between];
            sketch.portal(from, &format!("room{room}"), opening, out);
            ways.retain(|way| !is_between(way));
        }
    }
    rng.shuffle(&mut ways);
    // Bodies stand in some of the doorways.
    for (i, (opening, room, out)) in ways.iter().step_by(3).enumerate() {
        let foot =
            DVec3::new(opening.centre().x, 0.0, opening.centre().z) - *out * rng.between(0.05, 0.2);
        let half = DVec3::new(rng.between(0.1, 0.3), 0.0, rng.between(0.1, 0.3));
        let index = sketch.material(unlit(colour(sketch.source.materials.len())));
        sketch.furniture(
            *room,
            index,
            Aabb::around([foot - half, foot + half + DVec3::Y]),
        );
        sketch.source.bodies.push(BodySource {
            node: format!("crate{i}-body"),
            meshes: sketch.source.meshes.pop().into_iter().collect(),
            shape: BodyShape::Box,
            axes: DMat3::IDENTITY,
            mass: None,
            friction: None,
            bounce: None,
        });
    }
    for (i, (opening, room, out)) in ways.iter().enumerate() {
        sketch.portal(*room, "", *opening, *out);
        let portal = sketch.source.portals.last_mut().expect("it was added");
        portal.node = format!("way{i}-portal");
        let pair = i / 2;
        portal.leads_to = Some(PortalTarget {
            node: format!("way{}", i ^ 1),
            roll_deg: Some(if pair % 4 == 3 { 180.0 } else { 0.0 }),
        });
    }
    // In a corner, where no furniture stands.
    let corner = rooms[0].inside.min + DVec3::new(0.45, 1.0, 0.45);
    sketch.spawn(0, corner, DVec3::X);
    (built(sketch.source), rooms)
}

/// A random eye in a room, outside of its furniture.
fn random_eye(rng: &mut Rng, rooms: &[RoomBoxes]) -> (usize, DVec3) {
    loop {
        let room = rng.below(rooms.len());
        let RoomBoxes { inside, furniture } = &rooms[room];
        let [low, high] = [inside.min + 0.05, inside.max - 0.05];
        let mut eye = DVec3::new(
            rng.between(low.x, high.x),
            rng.between(low.y, high.y),
            rng.between(low.z, high.z),
        );
        // In a doorway, as when one passes it.
        if rng.one_in(3) {
            let before = [0.1, 1e-2, 1e-3, 1e-4, 1e-6][rng.below(5)];
            eye = DVec3::new(
                if rng.one_in(2) {
                    inside.min.x + before
                } else {
                    inside.max.x - before
                },
                rng.between(1.1, 1.9),
                (low.z + high.z) * 0.5 + rng.between(-0.5, 0.5),
            );
        }
        // Above the bodies in the doorways, or far from them.
        let is_apart = eye.y > 1.05 || inside.grown(-0.5).contains(eye);
        let mut shapes = furniture.iter();
        if is_apart && shapes.all(|shape| !shape.grown(0.1).contains(eye)) {
            return (room, eye);
        }
    }
}

/// The surface that a ray hits.
#[derive(Clone, Copy, Debug)]
struct Seen {
    colour: [f32; 4],
    /// Metres.
    distance: f64,
    /// The transform from the eye's room to the room of the hit.
    end_from_start: Rigid,
}

/// The surface that a ray through a point of the picture hits; the point is in pixels.
fn seen(level: &Level, world: &World, camera: &Camera, [x, y]: [f64; 2]) -> Option<Seen> {
    let [tan_x, tan_y] = camera.tan_half();
    let right = (2.0 * x / f64::from(SIZE[0]) - 1.0) * tan_x;
    let up = (1.0 - 2.0 * y / f64::from(SIZE[1])) * tan_y;
    let ray = camera.axes * DVec3::new(right, up, -1.0).normalize_or_zero();
    let hit = cast_ray(level, world, camera.at, ray * 200.0)?;
    Some(Seen {
        colour: hit.solid.material(level)?.base_colour,
        distance: hit.distance,
        end_from_start: hit.end_from_start,
    })
}

/// Points on both sides of each of the four samples of a pixel, in pixels from its corner.
fn around_samples() -> [[f64; 2]; 8] {
    let samples = [
        [-0.125, -0.375],
        [0.375, -0.125],
        [-0.375, 0.125],
        [0.125, 0.375],
    ];
    std::array::from_fn(|i| {
        let sides = [0.02, -0.02];
        samples[i / 2].map(|part: f64| 0.5 + part + sides[i % 2] * part.signum())
    })
}

/// The component of a picture for a component of linear light.
fn encoded(linear: f32) -> u8 {
    let linear = f64::from(linear);
    let encoded = if linear <= 0.003_130_8 {
        12.92 * linear
    } else {
        1.055 * linear.powf(1.0 / 2.4) - 0.055
    };
    (encoded * 255.0).round() as u8
}

#[test]
fn every_pixel_of_overlapping_folded_rooms_shows_what_a_ray_hits() {
    let gpu = gpu();
    let mut rng = Rng::new(1);
    let (mut compared, mut edges, mut through) = (0, 0, 0);
    for world_index in 0..6 {
        let (level, rooms) = random_level(&mut rng);
        let mut studio = Studio::new(&gpu, &level, SIZE);
        for view in 0..8 {
            let (room, eye) = random_eye(&mut rng, &rooms);
            let name = format!("room{room}");
            let room = level.room_named(&name).unwrap();
            let angles = [rng.between(-180.0, 180.0), rng.between(-40.0, 40.0)];
            let aspect = f64::from(SIZE[0]) / f64::from(SIZE[1]);
            let camera = Camera::new(At::new(room, eye - level.origin), angles, 90.0, aspect);
            let picture = studio.draw(&camera, Culling::Portals);
            for (x, y) in (0..SIZE[0]).flat_map(|x| (0..SIZE[1]).map(move |y| (x, y))) {
                let hits = around_samples().map(|place| {
                    let at = [0, 1].map(|i| f64::from([x, y][i]) + place[i]);
                    seen(&level, &studio.world, &camera, at)
                });
                let Some(first) = hits[0] else {
                    continue;
                };
                // At the threshold of a portal, floors of two images meet. Their edges have no common corners, so rounding may
                // leave a gap between them, as between two triangles with such edges in any level.
                let is_like_first = |hit: &Option<Seen>| {
                    hit.is_some_and(|hit| {
                        hit.colour == first.colour
                            && hit.distance < REACH
                            && hit.end_from_start.is_about(&first.end_from_start)
                    })
                };
                if !hits.iter().all(is_like_first) {
                    edges += 1;
                    continue;
                }
                compared += 1;
                through += usize::from(!first.end_from_start.is_identity());
                let texel = studio.texel(&picture, x, y);
                let is_equal = (0..3).all(|i| texel[i].abs_diff(encoded(first.colour[i])) <= 2);
                assert!(
                    is_equal,
                    "world {world_index}, view {view}, pixel {x} {y}: {texel:?}, {first:?}, {camera:?}"
                );
            }
        }
    }
    assert!(
        compared > 200_000 && edges < compared / 4,
        "{compared} {edges}"
    );
    assert!(through > compared / 10, "{through}");
}
