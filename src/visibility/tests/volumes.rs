//! Tests of boxes and spheres against the volume of an aperture.

use glam::{DMat3, DQuat, DVec3};

use crate::geometry::{Aabb, Rigid};
use crate::level::{At, RoomId};
use crate::rng::Rng;
use crate::visibility::{Aperture, Camera, ViewVolume};

/// A camera 10 m above the origin that looks along -Z, 90 degrees wide and high.
fn camera() -> Camera {
    let at = At::new(RoomId(0), DVec3::Y * 10.0);
    Camera::new(at, [0.0, 0.0], 90.0, 1.0)
}

fn cube(centre: DVec3, half: f64) -> Aabb {
    Aabb::around([centre]).grown(half)
}

#[test]
fn objects_beside_and_behind_the_picture_are_outside() {
    let camera = camera();
    let volume = ViewVolume::of(&Aperture::of_camera(&camera), &camera);
    for (offset, is_seen) in [
        (DVec3::new(0.0, 0.0, -5.0), true),
        (DVec3::new(0.0, 0.0, 5.0), false),
        (DVec3::new(0.0, 0.0, 0.9), true),
        (DVec3::new(0.0, 0.0, 1.1), false),
        (DVec3::new(7.1, 0.0, -5.0), false),
        (DVec3::new(6.9, 0.0, -5.0), true),
        (DVec3::new(0.0, -7.1, -5.0), false),
        (DVec3::new(6.0, 6.0, -5.0), true),
    ] {
        let centre = camera.at.point + offset;
        let touches = volume.touches_box(&cube(centre, 1.0), &Rigid::IDENTITY);
        assert_eq!(touches, is_seen, "{offset}");
        assert!(!is_seen || volume.touches_sphere(centre, 3f64.sqrt()));
    }
    let behind = camera.at.point + DVec3::Z * 5.0;
    assert!(!volume.touches_sphere(behind, 4.0) && volume.touches_sphere(behind, 6.0));
    assert!(ViewVolume::UNBOUNDED.touches_box(&cube(behind, 1.0), &Rigid::IDENTITY));
    assert!(!volume.touches_box(&Aabb::EMPTY, &Rigid::IDENTITY));
}

#[test]
fn a_box_with_a_visible_point_touches_the_volume_in_any_coordinates() {
    let mut rng = Rng::new(3);
    let camera = camera();
    let aperture = Aperture::of_camera(&camera);
    let volume = ViewVolume::of(&aperture, &camera);
    let (mut seen, mut dropped) = (0, 0);
    for _ in 0..20_000 {
        let mut vector = |size: f64| DVec3::from_array([(); 3].map(|()| rng.between(-size, size)));
        let axis = vector(1.0).normalize_or(DVec3::Y);
        let rotation = DMat3::from_quat(DQuat::from_axis_angle(axis, vector(3.0).x));
        let mirror = if vector(1.0).x > 0.0 {
            DMat3::from_diagonal(DVec3::new(-1.0, 1.0, 1.0))
        } else {
            DMat3::IDENTITY
        };
        let eye_from_box = Rigid::new(rotation * mirror, vector(20.0));
        let bounds = Aabb::around([vector(5.0), vector(5.0)]);
        let part = vector(0.5) + DVec3::splat(0.5);
        let point = bounds.min + (bounds.max - bounds.min) * part;
        let to_point = eye_from_box.point(point) - camera.at.point;
        let depth = to_point.dot(camera.forward());
        let tangents = [camera.axes.x_axis, camera.axes.y_axis].map(|a| a.dot(to_point) / depth);
        let touches = volume.touches_box(&bounds, &eye_from_box);
        if depth > 0.0 && aperture.contains(tangents) {
            seen += 1;
            assert!(touches, "{bounds:?} {eye_from_box:?}");
        }
        dropped += usize::from(!touches);
    }
    assert!(seen > 500 && dropped > 5_000, "{seen} {dropped}");
}
