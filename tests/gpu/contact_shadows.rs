//! Contact shadows of bodies: the ambient light that they take from the surfaces around them, compared with rays.

use glam::{DMat3, DQuat, DVec3};
use opendoor::author::sketch::{Sketch, cuboid};
use opendoor::geometry::Aabb;
use opendoor::level::{BodyId, Level, LinkId};
use opendoor::rng::Rng;
use opendoor::source::{BodyShape, BodySource};
use opendoor::visibility::Culling;

use crate::fixture::{Studio, build, gpu};
use crate::light::ahead;

/// The number of rays of the oracle.
const RAYS: u32 = 4000;

/// A hall without lamps, whose ambient light is uniform, and bodies of these shapes and boxes.
fn hall(bodies: &[(BodyShape, Aabb)]) -> Level {
    let mut sketch = Sketch::new("hall");
    let room = sketch.box_room("hall", cuboid([-6.0, 0.0, -6.0], [6.0, 5.0, 6.0]), &[]);
    add_bodies(&mut sketch, room, bodies);
    build(sketch)
}

fn add_bodies(sketch: &mut Sketch, room: usize, bodies: &[(BodyShape, Aabb)]) {
    for (number, (shape, around)) in bodies.iter().enumerate() {
        sketch.furniture(room, 0, *around);
        sketch.source.bodies.push(BodySource {
            node: format!("thing{number}-body"),
            meshes: sketch.source.meshes.pop().into_iter().collect(),
            shape: *shape,
            axes: DMat3::IDENTITY,
            mass: Some(5.0),
            friction: None,
            bounce: None,
        });
    }
}

/// The part of the hemisphere over a floor, weighted by the cosine, from which no ray hits.
fn free_part(hits: impl Fn(DVec3) -> bool) -> f64 {
    let mut rng = Rng::new(5);
    let mut free = 0;
    for _ in 0..RAYS {
        let (turn, square) = (
            rng.between(0.0, std::f64::consts::TAU),
            rng.between(0.0, 1.0),
        );
        let along = square.sqrt();
        let (sine, cosine) = turn.sin_cos();
        let ray = DVec3::new(along * cosine, (1.0 - square).sqrt(), along * sine);
        free += u32::from(!hits(ray));
    }
    f64::from(free) / f64::from(RAYS)
}

/// Whether a ray hits a box around the origin, after this rotation.
fn hits_box(box_from_room: DMat3, origin: DVec3, half: DVec3, ray: DVec3) -> bool {
    let (at, along) = (box_from_room * origin, box_from_room * ray);
    let (a, b) = ((-half - at) / along, (half - at) / along);
    let (enter, leave) = (a.min(b).max_element(), a.max(b).min_element());
    leave > enter.max(0.0)
}

/// The light on the floor at places, divided by that without bodies.
fn left_at(places: &[DVec3], level: &Level, pose: DQuat) -> Vec<f64> {
    let gpu = gpu();
    let empty = hall(&[]);
    let mut without = Studio::float(&gpu, &empty, [33, 33]);
    let eye = |place: &DVec3| [place.x, place.y + 0.05, place.z];
    let bare: Vec<f64> = places
        .iter()
        .map(|place| ahead(&mut without, eye(place), [0.0, -90.0]))
        .collect();
    let mut with = Studio::float(&gpu, level, [33, 33]);
    for body in 0..level.bodies.len() as u32 {
        let mut state = *with.world.bodies.state(BodyId(body));
        state.rotation = pose * state.rotation;
        with.world.bodies.set(BodyId(body), state);
    }
    let lit = places
        .iter()
        .map(|place| ahead(&mut with, eye(place), [0.0, -90.0]));
    lit.zip(bare).map(|(lit, bare)| lit / bare).collect()
}

#[test]
fn a_box_takes_the_light_that_rays_say_from_the_floor_around_it() {
    let half = DVec3::new(0.4, 0.25, 0.3);
    for (centre, angle) in [(0.25, 0.0), (0.25, 0.7), (0.9, 0.4)] {
        let centre = DVec3::new(0.3, centre, -0.2);
        let around = cuboid((centre - half).to_array(), (centre + half).to_array());
        let level = hall(&[(BodyShape::Box, around)]);
        let pose = DQuat::from_rotation_y(angle);
        let mut rng = Rng::new(3);
        let beside = |place: &DVec3| {
            let local = (pose.inverse() * (*place - centre)).abs();
            local.x > half.x + 0.01 || local.z > half.z + 0.01
        };
        let places = std::iter::repeat_with(|| {
            DVec3::new(rng.between(-1.2, 1.8), 0.0, rng.between(-1.7, 1.3))
        });
        let places: Vec<DVec3> = places.filter(beside).take(40).collect();
        let box_from_room = DMat3::from_quat(pose.inverse());
        let mut darkest = 1.0_f64;
        for (place, left) in places.iter().zip(left_at(&places, &level, pose)) {
            let hits = |ray| hits_box(box_from_room, *place - centre, half, ray);
            let wanted = free_part(hits);
            assert!(
                (left - wanted).abs() < 0.04,
                "{left}, not {wanted} at {place}"
            );
            darkest = darkest.min(left);
        }
        assert!(darkest < 0.85, "{darkest}");
    }
}

#[test]
fn a_ball_takes_the_light_that_rays_say_from_the_floor_around_it() {
    let radius = 0.3;
    let centre = DVec3::new(0.3, radius, -0.2);
    // The sphere of a body contains its mesh.
    let half = DVec3::splat(radius / 3.0_f64.sqrt());
    let around = cuboid((centre - half).to_array(), (centre + half).to_array());
    let level = hall(&[(BodyShape::Sphere, around)]);
    let places: Vec<DVec3> = (0..12)
        .map(|step| centre + DVec3::new(0.33 + 0.09 * f64::from(step), -radius, 0.0))
        .collect();
    for (place, left) in places.iter().zip(left_at(&places, &level, DQuat::IDENTITY)) {
        let path = centre - *place;
        let hits = |ray: DVec3| {
            let along = ray.dot(path);
            along > 0.0 && path.length_squared() - along * along < radius * radius
        };
        let wanted = free_part(hits);
        assert!(
            (left - wanted).abs() < 0.05,
            "{left}, not {wanted} at {place}"
        );
    }
}

/// Two rooms with a doorway, and a crate that stands beside it.
fn two_rooms() -> Level {
    let door = cuboid([0.0, 0.0, -1.0], [0.0, 2.0, 1.0]);
    let mut sketch = Sketch::new("doorway");
    let a = sketch.box_room("a", cuboid([-4.0, 0.0, -4.0], [0.0, 3.0, 4.0]), &[door]);
    sketch.box_room("b", cuboid([0.0, 0.0, -4.0], [4.0, 3.0, 4.0]), &[door]);
    sketch.portal(a, "b", door, DVec3::X);
    let boxes = [
        cuboid([-0.7, 0.0, -0.3], [-0.1, 0.6, 0.3]),
        cuboid([1.2, 0.0, -0.9], [1.6, 0.4, -0.5]),
        cuboid([-3.0, 0.0, 2.0], [-2.5, 0.5, 2.5]),
    ];
    add_bodies(
        &mut sketch,
        a,
        &boxes.map(|around| (BodyShape::Box, around)),
    );
    build(sketch)
}

#[test]
fn contact_shadows_go_on_through_open_portals_and_not_through_shut_ones() {
    let level = two_rooms();
    let gpu = gpu();
    let mut studio = Studio::float(&gpu, &level, [33, 33]);
    let floor = |studio: &mut Studio, x: f64| ahead(studio, [x, 0.3, 0.5], [0.0, -90.0]);
    let (near, far) = (floor(&mut studio, -0.004), floor(&mut studio, 0.004));
    assert!((near / far - 1.0).abs() < 0.01, "{near} {far}");
    let open = floor(&mut studio, 0.1);
    studio.set_link(LinkId(0), false);
    let shut = floor(&mut studio, 0.1);
    assert!(shut > 1.1 * open, "{shut} {open}");
}

#[test]
fn pictures_with_contact_shadows_are_the_same_with_and_without_culling() {
    let level = two_rooms();
    let gpu = gpu();
    let mut studio = Studio::new(&gpu, &level, [96, 64]);
    for (eye, angles) in [
        ([-2.0, 1.5, 0.4], [-90.0, -25.0]),
        ([2.0, 1.0, 0.2], [90.0, -30.0]),
        ([-0.4, 1.2, 1.0], [-120.0, -45.0]),
    ] {
        let camera = studio.camera(eye, angles);
        let culled = studio.draw(&camera, Culling::Portals);
        let whole = studio.draw(&camera, Culling::None);
        assert_eq!(culled, whole, "{eye:?}");
    }
}
