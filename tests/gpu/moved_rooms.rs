//! Images of moving rooms.

use glam::DVec3;
use opendoor::geometry::Rigid;
use opendoor::level::{At, Level, Material, MoverId, Track};
use opendoor::motion::{self, Workspace};
use opendoor::visibility::{Camera, Culling};

use crate::fixture::{Studio, gpu};
use crate::lift::{RISE, drive, lift, still_lift};
use crate::shared::built;

const CABIN: MoverId = MoverId(0);
const SIZE: [u32; 2] = [160, 120];

/// Paints the rooms. The cabin's window faces the shaft, and its doorway a hall or the shaft's wall.
fn coloured(source: opendoor::source::LevelSource) -> Level {
    let mut source = source;
    for (room, colour) in [
        [0.6, 0.3, 0.2, 1.0],
        [0.2, 0.5, 0.3, 1.0],
        [0.25, 0.3, 0.7, 1.0],
        [0.7, 0.7, 0.6, 1.0],
    ]
    .into_iter()
    .enumerate()
    {
        source.materials.push(Material {
            base_colour: colour,
            ..Material::default()
        });
        let material = source.materials.len() - 1;
        let movers = source.movers.iter_mut().flat_map(|mover| &mut mover.meshes);
        let meshes = source.meshes.iter_mut().chain(movers);
        meshes
            .filter(|mesh| mesh.room == room)
            .for_each(|mesh| mesh.material = material);
    }
    built(source)
}

/// Moves the cabin to the end of its track.
fn arrive(level: &Level, studio: &mut Studio) {
    studio.world.call(CABIN);
    let world = &mut studio.world;
    motion::move_movers::<motion::Actor>(
        level,
        world,
        &mut [],
        &mut Workspace::default(),
        &mut Vec::new(),
    );
}

/// Cameras, each with a room and a position in the level as authored.
fn eyes() -> Vec<(&'static str, DVec3, [f64; 2])> {
    vec![
        ("cabin", DVec3::new(0.3, 1.5, -0.2), [180.0, 0.0]),
        ("cabin", DVec3::new(0.3, 1.5, 0.7), [5.0, -10.0]),
        ("cabin", DVec3::new(-0.5, 1.2, 0.5), [-150.0, -30.0]),
        ("shaft", DVec3::new(0.2, 8.5, -1.1), [180.0, -80.0]),
        ("shaft", DVec3::new(0.3, 0.5, -1.2), [180.0, 60.0]),
        ("low", DVec3::new(0.5, 1.4, 3.0), [10.0, 10.0]),
        ("high", DVec3::new(-0.4, RISE + 1.5, 3.0), [-8.0, -15.0]),
    ]
}

#[test]
fn a_moved_cabin_is_drawn_and_lit_as_if_authored_in_its_pose() {
    let gpu = gpu();
    let ways = [
        Track::Slide(DVec3::Y * 2.25),
        Track::Slide(DVec3::Y * RISE),
        Track::Turn {
            pivot: DVec3::new(0.0, 0.0, 0.1),
            axis: DVec3::Y,
            angle: 0.03,
        },
    ];
    for track in ways {
        let pose = track.pose(1.0);
        let level = coloured(lift((track.clone(), drive(1))));
        let still = coloured(still_lift(&pose));
        let mut moved = Studio::new(&gpu, &level, SIZE);
        let mut authored = Studio::new(&gpu, &still, SIZE);
        arrive(&level, &mut moved);
        for (room, eye, angles) in eyes() {
            let room = level.room_named(room).unwrap();
            let is_cabin = level.room(room).name == "cabin";
            let place = if is_cabin { pose } else { Rigid::IDENTITY };
            let aspect = f64::from(SIZE[0]) / f64::from(SIZE[1]);
            let camera = Camera::new(At::new(room, eye - level.origin), angles, 90.0, aspect);
            let at = At::new(room, place.point(camera.at.point));
            let mut other = Camera::new(at, angles, 90.0, aspect);
            other.axes = place.rotation() * other.axes;
            let culled = moved.draw(&camera, Culling::Portals);
            assert!(
                culled == moved.draw(&camera, Culling::None),
                "{track:?} {eye}"
            );
            let expected = authored.draw(&other, Culling::Portals);
            let texels = culled.iter().zip(&expected);
            let differing = texels.filter(|(a, b)| a.abs_diff(**b) > 16).count();
            // Edges are rounded differently. In the still level the shell belongs to the shaft's surfaces, which
            // changes the shaft's ambient light slightly.
            let part = differing as f64 / culled.len() as f64;
            assert!(part < 0.01, "{track:?} {eye}: {part}");
        }
    }
}
