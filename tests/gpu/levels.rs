//! Test on our own levels: images with culling equal images without culling from everywhere.

use std::path::Path;

use glam::DVec3;
use opendoor::collision::CollisionWorld;
use opendoor::gpu::{Offscreen, RenderQuality};
use opendoor::level::{self, At, Level, PortalId};
use opendoor::lighting::lightmap;
use opendoor::motion::{self, PathSegment, Workspace, clearance};
use opendoor::visibility::{Camera, Culling, NEAR};
use opendoor::world::World;

use crate::culling::scattered;
use crate::fixture::{Studio, gpu};

const EYES: usize = 40;
/// Ticks between two images.
const TICKS: usize = 7;
const SIZE: [u32; 2] = [64, 40];

/// Minimum distance of a camera from solid surfaces, metres. A camera that is nearer than the corners of its near plane
/// would see through walls.
const FREE: f64 = 3.0 * NEAR;

/// Cameras at random positions: every third in the plane of a portal, or a millimetre off the plane.
pub(crate) fn eyes(level: &Level, count: usize) -> Vec<Camera> {
    let mut next = scattered(2001);
    let world = World::of(level);
    let world = CollisionWorld::new(level, &world);
    let aspect = f64::from(SIZE[0]) / f64::from(SIZE[1]);
    let mut cameras = Vec::new();
    while cameras.len() < count {
        let (room, eye) = if cameras.len() % 3 == 0 {
            let portal = level.portal(PortalId(next(0.0, level.portals.len() as f64) as u32));
            let corners = &portal.polygon.vertices;
            let weights: Vec<f64> = corners.iter().map(|_| next(0.01, 1.0)).collect();
            let sum: f64 = weights.iter().sum();
            let inside: DVec3 = corners
                .iter()
                .zip(&weights)
                .map(|(c, w)| *c * (w / sum))
                .sum();
            let off = [0.0, 1e-3, -1e-3][cameras.len() % 9 / 3];
            (
                Some(portal.near),
                inside + portal.polygon.plane.normal * off,
            )
        } else {
            let bounds = level.rooms[next(0.0, level.rooms.len() as f64) as usize].bounds;
            let part = DVec3::new(next(0.0, 1.0), next(0.0, 1.0), next(0.0, 1.0));
            let eye = bounds.min + (bounds.max - bounds.min) * part;
            (level::locate(level, eye), eye)
        };
        let angles = [next(-180.0, 180.0), next(-60.0, 60.0)];
        if let Some(room) = room
            && clearance(
                &world,
                &PathSegment::still(At::new(room, eye)),
                0.0,
                2.0 * FREE,
            ) > FREE
        {
            cameras.push(Camera::new(At::new(room, eye), angles, 75.0, aspect));
        }
    }
    cameras
}

pub(crate) fn load(name: &str) -> Level {
    let path = Path::new(env!("CARGO_MANIFEST_DIR"))
        .join("levels")
        .join(name);
    let (level, _) = opendoor::load::load(&path).unwrap_or_else(|problems| panic!("{problems}"));
    level
}

fn culled_pictures_equal_whole_ones(name: &str) {
    let level = load(name);
    let gpu = gpu();
    let quality = RenderQuality {
        shadow_texels: 64,
        shadow_bytes: 2048 * 4 * 64 * 64,
        // Anisotropic filtering takes most of a software driver's time, and has no effect on the choice of rooms.
        anisotropy: 1,
        ..RenderQuality::default()
    };
    let lightmap = lightmap::bake(&level, lightmap::LightmapQuality::COARSE, &|_| {});
    let mut studio = Studio::lit(&gpu, &level, SIZE, Offscreen::FORMAT, quality, lightmap);
    let (mut saved, mut workspace) = (0, Workspace::default());
    for (nth, camera) in eyes(&level, EYES).iter().enumerate() {
        // Movers are in other poses each time, and doors are closed, partly open and open.
        if nth == EYES / 4 {
            level.doors().for_each(|door| studio.world.open(door));
        }
        for _ in 0..TICKS {
            let (world, events) = (&mut studio.world, &mut Vec::new());
            motion::move_movers::<motion::Actor>(&level, world, &mut [], &mut workspace, events);
        }
        let whole = studio.draw(camera, Culling::None);
        let culled = studio.draw(camera, Culling::Portals);
        let texels = whole.chunks_exact(4).zip(culled.chunks_exact(4));
        let differing = texels.filter(|(a, b)| a != b).count();
        let room = &level.room(camera.at.room).name;
        assert_eq!(differing, 0, "{name}, in {room}: {camera:?}");
        saved += level.rooms.len() - studio.rooms_drawn();
    }
    let most = EYES * (level.rooms.len() - 1);
    assert!(
        saved * 4 > most,
        "culling saves only {saved} rooms of {most}"
    );
}

#[test]
fn pictures_that_need_more_shadow_maps_than_fit_are_the_same() {
    let level = load("house.glb");
    let gpu = gpu();
    // Memory for shadow views of 32 texels: either all views fit, or only 120 fit, fewer than the house has but enough
    // for each of its rooms.
    let mut studios = [2048, 120].map(|views| {
        let quality = RenderQuality {
            shadow_texels: if views == 120 { 64 } else { 32 },
            shadow_bytes: views * 4 * 32 * 32,
            anisotropy: 1,
            ..RenderQuality::default()
        };
        let lightmap = lightmap::flat(&level);
        Studio::lit(&gpu, &level, SIZE, Offscreen::FORMAT, quality, lightmap)
    });
    assert!(studios[0].viewer.lighting.max_views > 120);
    for camera in eyes(&level, 24) {
        let [at_once, in_batches] = studios.each_mut().map(|studio| {
            [Culling::None, Culling::Portals].map(|culling| studio.draw(&camera, culling))
        });
        let room = &level.room(camera.at.room).name;
        assert!(at_once == in_batches, "in {room}: {camera:?}");
    }
}

#[test]
fn culling_changes_no_picture_of_the_house() {
    culled_pictures_equal_whole_ones("house.glb");
}

#[test]
fn culling_changes_no_picture_of_the_proving_ground() {
    culled_pictures_equal_whole_ones("proving-ground.glb");
}

#[test]
fn culling_changes_no_picture_of_the_labyrinth() {
    culled_pictures_equal_whole_ones("labyrinth.glb");
}

#[test]
fn culling_changes_no_picture_of_the_works_while_everything_moves() {
    culled_pictures_equal_whole_ones("works.glb");
}
