//! Polygons for the scenarios, author's coordinates.

use glam::DVec3;
pub(crate) use glam::dvec3 as v;
use opendoor::author::sketch::{Sketch, cuboid};
use opendoor::level::Material;
use opendoor::source::LevelSource;

use crate::oracle::Corners;

/// The horizontal direction at `degrees` from +x towards +z.
pub(crate) fn heading(degrees: f64) -> DVec3 {
    let (sin, cos) = degrees.to_radians().sin_cos();
    v(cos, 0.0, sin)
}

/// The two triangles of a quad, seen from the side where its corners are counter-clockwise.
pub(crate) fn quad(a: DVec3, b: DVec3, c: DVec3, d: DVec3) -> Vec<Corners> {
    vec![[a, b, c], [a, c, d]]
}

/// The triangles wound so that each has its front towards `eye`.
pub(crate) fn facing(mut triangles: Vec<Corners>, eye: DVec3) -> Vec<Corners> {
    for t in &mut triangles {
        if (t[1] - t[0]).cross(t[2] - t[0]).dot(eye - t[0]) < 0.0 {
            t.swap(1, 2);
        }
    }
    triangles
}

/// A floor at height `y` between two corners in x and z.
pub(crate) fn floor(y: f64, x: [f64; 2], z: [f64; 2]) -> Vec<Corners> {
    let [a, b] = [v(x[0], y, z[0]), v(x[0], y, z[1])];
    let [c, d] = [v(x[1], y, z[1]), v(x[1], y, z[0])];
    quad(a, b, c, d)
}

/// A square floor at y = 0 around the origin.
pub(crate) fn ground(half: f64) -> Vec<Corners> {
    floor(0.0, [-half, half], [-half, half])
}

/// A wall that stands on y = 0 from `a` to `b`, its front towards `eye`.
pub(crate) fn wall(a: DVec3, b: DVec3, height: f64, eye: DVec3) -> Vec<Corners> {
    let up = DVec3::Y * height;
    facing(quad(a, b, b + up, a + up), eye)
}

/// A closed box, seen from outside.
pub(crate) fn block(min: [f64; 3], max: [f64; 3]) -> Vec<Corners> {
    let mut sketch = Sketch::new("");
    let room = sketch.room("");
    sketch.furniture(room, 0, cuboid(min, max));
    let positions = &sketch.source.meshes[0].positions;
    positions
        .chunks_exact(3)
        .map(|c| [c[0], c[1], c[2]])
        .collect()
}

/// The triangles with both windings, solid from both sides.
pub(crate) fn both_sides(triangles: &[Corners]) -> Vec<Corners> {
    let back = triangles.iter().map(|&[a, b, c]| [a, c, b]);
    triangles.iter().copied().chain(back).collect()
}

pub(crate) fn moved(triangles: &[Corners], by: DVec3) -> Vec<Corners> {
    triangles.iter().map(|t| t.map(|p| p + by)).collect()
}

/// One room, `stage`, of these polygons alone, with this surface. The spawn that every level needs is in a separate
/// closed room, far away.
pub(crate) fn stage_of(triangles: &[Corners], material: Material) -> LevelSource {
    let mut sketch = Sketch::new("stage");
    let stage = sketch.room("stage");
    let material = sketch.material(material);
    sketch.mesh(stage, material, triangles);
    add_lobby(&mut sketch, v(0.0, -90.0, 0.0));
    sketch.source
}

/// A stage like [`stage_of`], with the default material.
pub(crate) fn stage(triangles: &[Corners]) -> LevelSource {
    stage_of(triangles, Material::default())
}

/// Adds a closed room for the spawn, at an empty position.
pub(crate) fn add_lobby(sketch: &mut Sketch, at: DVec3) {
    let (min, max) = (at - DVec3::ONE, at + DVec3::ONE);
    let lobby = sketch.box_room("lobby", cuboid(min.to_array(), max.to_array()), &[]);
    sketch.spawn(lobby, at, DVec3::X);
}
