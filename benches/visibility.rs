//! Time of the views around one room of a grid, and how it depends on the number of rooms.

use criterion::{Criterion, criterion_group, criterion_main};
use glam::DVec3;
use opendoor::author::grid_glb;
use opendoor::geometry::Aabb;
use opendoor::level::{At, Level, locate};
use opendoor::load::load_bytes;
use opendoor::visibility::{Camera, Visibility, flood};
use opendoor::world::World;

/// Views in all directions from the middle of a room in the middle of the grid.
fn around(level: &Level) -> Vec<Camera> {
    let all = level.rooms.iter().map(|room| room.bounds);
    let centre = all.fold(Aabb::EMPTY, Aabb::union).centre();
    // Four walls meet in the grid's centre: the camera stands in the room beside it.
    let eye = centre + DVec3::new(3.0, 0.0, 3.0);
    let room = locate(level, eye).expect("the eye is inside a room");
    (0..12)
        .map(|i| {
            Camera::new(
                At::new(room, eye),
                [30.0 * f64::from(i), 0.0],
                70.0,
                16.0 / 9.0,
            )
        })
        .collect()
}

fn views(criterion: &mut Criterion) {
    let mut group = criterion.benchmark_group("12 views");
    for side in [4, 128] {
        let glb = grid_glb(side, side);
        let (level, _) = load_bytes("grid", &glb).expect("a generated level is good");
        let (world, cameras) = (World::of(&level), around(&level));
        let mut visibility = Visibility::default();
        group.bench_function(format!("{} rooms", side * side), |bencher| {
            bencher.iter(|| {
                for camera in &cameras {
                    flood(&level, &world, camera, &mut visibility);
                }
                visibility.rooms.len()
            });
        });
    }
    group.finish();
}

criterion_group!(benches, views);
criterion_main!(benches);
