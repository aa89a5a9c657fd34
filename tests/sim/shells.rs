//! Rooms whose walls have thickness: `check` reports the outer shell, and `--fix` flips nothing.

use glam::DVec3;
use opendoor::author::sketch::Sketch;
use opendoor::geometry::Aabb;
use opendoor::gltf::write_glb;
use opendoor::lint::{fix, inspect_source};
use opendoor::problems::Problems;
use opendoor::rng::Rng;

const CODE: &str = "room-inside-out";

/// A hall with an outer shell of this thickness, metres; 0 for no shell.
fn hall(size: DVec3, thickness: f64, furniture: usize, rng: &mut Rng) -> Sketch {
    let mut sketch = Sketch::new("shell");
    let inside = Aabb {
        min: DVec3::ZERO,
        max: size,
    };
    let hall = sketch.box_room("hall", inside, &[]);
    if thickness > 0.0 {
        sketch.furniture(hall, 0, inside.grown(thickness));
    }
    for _ in 0..furniture {
        let low = v(rng, 0.1, 0.6) * size;
        let high = low + v(rng, 0.1, 0.3) * size;
        sketch.furniture(
            hall,
            0,
            Aabb {
                min: low,
                max: high,
            },
        );
    }
    sketch.lamp(hall, size * DVec3::new(0.05, 0.95, 0.05), 100.0);
    sketch.spawn(hall, size * DVec3::new(0.05, 0.01, 0.05), DVec3::X);
    sketch
}

fn v(rng: &mut Rng, min: f64, max: f64) -> DVec3 {
    DVec3::from_array([(); 3].map(|()| rng.between(min, max)))
}

fn turn_over(sketch: &mut Sketch) {
    for triangle in &mut sketch.source.meshes[0].triangles {
        triangle.swap(1, 2);
    }
}

/// The messages of the problems with this code.
fn inside_out(problems: &Problems) -> Vec<&str> {
    let all = problems.errors.iter().chain(&problems.warnings);
    let of_code = all.filter(|p| p.code.as_str() == CODE);
    of_code.map(|p| p.message.as_str()).collect()
}

/// Regression test: such rooms were reported as inside out, and `--fix` also flipped the inner faces.
#[test]
fn an_outer_shell_is_named_and_not_turned() {
    let mut rng = Rng::new(1);
    for trial in 0..20 {
        let size = v(&mut rng, 2.5, 20.0);
        let thickness = rng.between(0.01, 1.5);
        let furniture = rng.below(5);
        let sketch = hall(size, thickness, furniture, &mut rng);
        let problems = inspect_source(sketch.source.clone()).problems;
        let messages = inside_out(&problems);
        assert_eq!(messages.len(), 1, "{trial}: {problems}");
        assert!(
            messages[0].contains("have thickness"),
            "{trial}: {problems}"
        );
        if trial % 10 == 0 {
            let path = format!("{}/shell.glb", env!("CARGO_TARGET_TMPDIR"));
            std::fs::write(&path, write_glb(&sketch.source).unwrap()).unwrap();
            let fixed = fix(path.as_ref()).fixed;
            assert!(fixed.is_empty(), "{trial}: {fixed:?}");
        }
    }
}

/// The message's cure works: without the shell the room is good.
#[test]
fn without_its_shell_the_room_is_good() {
    let sketch = hall(DVec3::new(8.0, 3.0, 8.0), 0.0, 0, &mut Rng::new(1));
    assert_eq!(inspect_source(sketch.source).problems, Problems::default());
}

#[test]
fn a_room_that_looks_outwards_is_still_called_inside_out() {
    let mut rng = Rng::new(2);
    for trial in 0..10 {
        let size = v(&mut rng, 2.5, 20.0);
        let furniture = rng.below(5);
        let mut sketch = hall(size, 0.0, furniture, &mut rng);
        turn_over(&mut sketch);
        let problems = inspect_source(sketch.source).problems;
        let messages = inside_out(&problems);
        assert_eq!(messages.len(), 1, "{trial}: {problems}");
        assert!(messages[0].contains("is inside out"), "{trial}: {problems}");
    }
}

/// A hall with thick walls under the open sky. Neither the hall nor its outer shell has a ceiling.
#[test]
fn thick_walls_under_the_sky_are_not_turned() {
    for thickness in [0.05, 0.2, 1.0] {
        let mut sketch = hall(DVec3::new(8.0, 3.0, 8.0), thickness, 0, &mut Rng::new(3));
        sketch.source.rooms[0].open_to_sky = true;
        for mesh in &mut sketch.source.meshes {
            let top = mesh.positions.iter().map(|p| p.y).fold(f64::MIN, f64::max);
            let positions = mesh.positions.clone();
            let is_top = |t: &[u32; 3]| t.iter().all(|&i| positions[i as usize].y >= top);
            mesh.triangles.retain(|t| !is_top(t));
        }
        let problems = inspect_source(sketch.source).problems;
        let messages = inside_out(&problems);
        assert!(
            !messages.iter().any(|m| m.contains("Normals, Flip")),
            "{problems}"
        );
    }
}

/// Regression test: the faces of boxes inside of other boxes and on the floor were counted. Such rooms were reported as
/// inside out, or as having an outer shell.
#[test]
fn a_heap_of_boxes_on_a_floor_under_the_sky_is_not_inside_out() {
    let mut rng = Rng::new(4);
    for trial in 0..30 {
        let side = rng.between(6.0, 30.0);
        let mut sketch = Sketch::new("heap");
        let floor = Aabb {
            min: DVec3::new(-side, 0.0, -side),
            max: DVec3::new(side, 3.0, side),
        };
        let hall = sketch.box_room("hall", floor, &[]);
        sketch.source.rooms[0].open_to_sky = true;
        for mesh in &mut sketch.source.meshes {
            let positions = mesh.positions.clone();
            let is_floor = |t: &[u32; 3]| t.iter().all(|&i| positions[i as usize].y <= 0.0);
            mesh.triangles.retain(is_floor);
        }
        let depth = rng.between(-0.2, 0.2).max(0.0);
        for _ in 0..20 + rng.below(150) {
            let [half, height] = [rng.between(0.3, 2.0), rng.between(0.3, 3.0)];
            let reach = side - half - 0.1;
            let [x, z] = [(); 2].map(|()| rng.between(-reach, reach));
            let piece = Aabb {
                min: DVec3::new(x - half, -depth, z - half),
                max: DVec3::new(x + half, height, z + half),
            };
            sketch.furniture(hall, 0, piece);
        }
        sketch.lamp(hall, DVec3::Y * 8.0, 100.0);
        sketch.spawn(hall, DVec3::Y * 5.0, DVec3::X);
        let problems = inspect_source(sketch.source).problems;
        assert_eq!(inside_out(&problems), [""; 0], "{trial}");
    }
}
