//! Shadows of lamps with a size, compared with the part of the lamp that is seen.

use glam::DVec3;
use opendoor::author::sketch::{Sketch, cuboid};
use opendoor::gpu::Gpu;
use opendoor::level::{Level, LightKind};
use opendoor::source::MoverSource;

use crate::fixture::{build, gpu};
use crate::light::light_of;
use crate::probe::{Shown, matt, studio};

/// The height of the lamp above the floor, metres.
const LAMP: f64 = 3.0;

/// The caster of the shadow.
#[derive(Clone, Copy, PartialEq)]
enum Board {
    None,
    Fixed,
    Mover,
}

/// A hall with a light of this radius above the origin, and a board at a height whose edge is below the light, on the
/// side of positive x.
fn hall(radius: f64, (board, height): (Board, f64), kind: LightKind) -> Level {
    let mut sketch = Sketch::new("hall");
    sketch.source.materials[0] = matt([0.9; 3]);
    let room = sketch.box_room("hall", cuboid([-6.0, 0.0, -6.0], [6.0, 4.0, 6.0]), &[]);
    if board != Board::None {
        let solid = cuboid([0.0, height, -3.0], [3.0, height + 0.002, 3.0]);
        sketch.furniture(room, 0, solid);
    }
    if board == Board::Mover {
        let mesh = sketch.source.meshes.pop().expect("it was added");
        sketch.source.movers.push(MoverSource {
            is_door: false,
            ..MoverSource::vanishing_door("board-mover", vec![mesh])
        });
    }
    sketch.lamp(room, DVec3::new(0.0, LAMP, 0.0), 50.0);
    let light = &mut sketch.source.lights[0];
    (light.radius, light.kind) = (radius as f32, kind);
    build(sketch)
}

/// The light on the floor from -`half` to `half` metres along x: pairs of x and light.
fn floor(gpu: &Gpu, level: &Level, half: f64, lamps: f64) -> Vec<(f64, f64)> {
    let mut studio = studio(gpu, level, 0.0, lamps);
    let shown = Shown::new(&mut studio, [0.0, half, 0.0], [0.0, -90.0]);
    let row = shown.rays().filter(|(ray, _)| ray.z.abs() < 1e-6);
    let row = row.map(|(ray, texel)| (ray.x / -ray.y * half, light_of(texel.x)));
    row.collect()
}

/// The part of the light that arrives beside the board: pairs of x and the part.
fn profile(gpu: &Gpu, radius: f64, board: (Board, f64), half: f64) -> Vec<(f64, f64)> {
    let of = |board| {
        let level = hall(radius, board, LightKind::Point);
        floor(gpu, &level, half, 4.0)
    };
    let (with, without) = (of(board), of((Board::None, 0.0)));
    let parts = with.iter().zip(&without);
    parts
        .map(|((x, with), (_, without))| (*x, with / without))
        .collect()
}

/// The part of a disc of radius 1 on one side of a line at a distance from its centre.
fn part_of_disc(at: f64) -> f64 {
    let at = at.clamp(-1.0, 1.0);
    0.5 + (at * (1.0 - at * at).sqrt() + libm::asin(at)) / std::f64::consts::PI
}

/// The radius of the penumbra on the floor of a board at a height.
fn penumbra(radius: f64, height: f64) -> f64 {
    radius * height / (LAMP - height)
}

#[test]
fn the_penumbra_of_a_lamp_is_the_part_of_its_disc_that_is_seen() {
    let gpu = gpu();
    for (radius, height) in [(0.05, 2.0), (0.1, 1.0), (0.1, 2.0), (0.2, 1.5), (0.3, 1.0)] {
        let width = penumbra(radius, height);
        for board in [Board::Fixed, Board::Mover] {
            let found = profile(&gpu, radius, (board, height), width * 2.0);
            let off = found.iter().map(|&(x, part)| {
                let wanted = part_of_disc(-x / width);
                (part - wanted).abs()
            });
            let mean = off.clone().sum::<f64>() / found.len() as f64;
            let worst = off.fold(0.0, f64::max);
            assert!(
                mean < 0.02 && worst < 0.12,
                "radius {radius}, board at {height} m: {mean}, at most {worst}: {found:?}"
            );
        }
    }
}

#[test]
fn a_penumbra_widens_in_proportion_to_the_distance() {
    let gpu = gpu();
    let width = |height: f64| {
        let found = profile(&gpu, 0.1, (Board::Fixed, height), 0.5);
        let partly = found.iter().filter(|(_, part)| (0.1..0.9).contains(part));
        partly.count() as f64
    };
    let widths = [1.0, 1.5, 2.0].map(width);
    let wanted = [1.0, 1.5, 2.0].map(|height| penumbra(0.1, height));
    for i in 0..2 {
        let (found, wanted) = (widths[i + 1] / widths[i], wanted[i + 1] / wanted[i]);
        assert!(
            (found / wanted - 1.0).abs() < 0.3,
            "{widths:?}: {found}, not {wanted}"
        );
    }
}

#[test]
fn a_lamp_without_size_casts_the_shadow_of_a_point() {
    let gpu = gpu();
    let [point, small] = [0.0, 1e-4].map(|radius| {
        let level = hall(radius, (Board::Fixed, 1.5), LightKind::Point);
        floor(&gpu, &level, 0.2, 4.0)
    });
    let partly = point.iter().filter(|(x, light)| {
        let whole = point[0].1;
        x.abs() > 0.03 && (0.02 * whole..0.98 * whole).contains(light)
    });
    assert_eq!(partly.count(), 0, "{point:?}");
    for ((x, a), (_, b)) in point.iter().zip(&small) {
        assert!((a - b).abs() < 2e-3, "{a}, {b} at {x}");
    }
}

#[test]
fn a_lamp_with_a_size_lights_nothing_behind_a_wall() {
    let gpu = gpu();
    // The board stands upright on the floor, and shades everything behind it.
    let mut sketch = Sketch::new("wall");
    sketch.source.materials[0] = matt([0.9; 3]);
    let room = sketch.box_room("hall", cuboid([-6.0, 0.0, -6.0], [6.0, 4.0, 6.0]), &[]);
    sketch.furniture(room, 0, cuboid([0.0, 0.0, -6.0], [0.02, 4.0, 6.0]));
    sketch.lamp(room, DVec3::new(-1.0, 2.0, 0.0), 50.0);
    for radius in [0.05, 0.3, 0.9] {
        sketch.source.lights[0].radius = radius;
        let level = build(Sketch {
            source: sketch.source.clone(),
        });
        let mut studio = studio(&gpu, &level, 0.0, 4.0);
        for x in [0.5, 1.0, 2.0, 4.0] {
            let shown = Shown::new(&mut studio, [x, 0.3, 0.0], [0.0, -90.0]);
            let brightest = shown.rays().map(|(_, texel)| texel.x).fold(0.0, f64::max);
            assert!(brightest == 0.0, "{brightest} at {x} m, radius {radius}");
        }
    }
}
