//! A surface in a dark hall, and the light in the texels of its image.

use glam::{DVec2, DVec3, Vec2, Vec3, Vec4};
use opendoor::author::sketch::{Sketch, cuboid};
use opendoor::gpu::Gpu;
use opendoor::level::{Image, Level, Material};
use opendoor::source::MeshSource;
use opendoor::visibility::{Camera, Culling};

use crate::fixture::{Studio, square};
use crate::light::half;

/// Width and height of an image, texels.
pub(crate) const SIDE: u32 = 33;

/// A surface with a uniform (Lambertian) reflection: under light 1 it shows its base colour.
pub(crate) fn matt(base: [f32; 3]) -> Material {
    let [r, g, b] = base;
    Material {
        base_colour: [r, g, b, 1.0],
        specular: 0.0,
        ..Material::default()
    }
}

/// A room from -20 to 20 m around the origin with black walls.
pub(crate) fn dark_hall() -> (Sketch, usize) {
    let mut sketch = Sketch::new("hall");
    sketch.source.materials[0] = matt([0.0; 3]);
    let room = sketch.box_room("hall", cuboid([-20.0; 3], [20.0; 3]), &[]);
    (sketch, room)
}

/// Adds [`square`], covered by a whole texture, upright.
pub(crate) fn add_square(
    sketch: &mut Sketch,
    room: usize,
    material: usize,
    z: f64,
) -> &mut MeshSource {
    sketch.mesh(room, material, &square(z));
    let mesh = sketch.source.meshes.last_mut();
    let mesh = mesh.expect("the square is there");
    let uv = |p: &DVec3| uv_at(p.truncate()).as_vec2();
    mesh.uvs = std::array::from_fn(|_| mesh.positions.iter().map(uv).collect::<Vec<Vec2>>());
    mesh.tangents = vec![Vec4::new(1.0, 0.0, 0.0, 1.0); mesh.positions.len()];
    mesh
}

/// The texture coordinates of a position on [`add_square`]'s square.
pub(crate) fn uv_at(place: DVec2) -> DVec2 {
    DVec2::new(1.0 + place.x, 1.0 - place.y) * 0.5
}

/// Adds a texture's image and returns its index.
pub(crate) fn add_image(sketch: &mut Sketch, width: u32, texels: &[[u8; 4]]) -> u32 {
    sketch.source.images.push(Image {
        name: "texels".to_owned(),
        width,
        height: texels.len() as u32 / width,
        rgba: texels.as_flattened().into(),
    });
    sketch.source.images.len() as u32 - 1
}

/// A studio with images of half floats. The ambient irradiance is `ambient` from all directions, and a white matt
/// surface that faces a lamp at 1 m shows `lamps`.
pub(crate) fn studio<'a>(gpu: &'a Gpu, level: &'a Level, ambient: f64, lamps: f64) -> Studio<'a> {
    let mut studio = Studio::float(gpu, level, [SIDE, SIDE]);
    set_light(&mut studio, ambient, lamps);
    studio
}

/// Sets the light of [`studio`].
pub(crate) fn set_light(studio: &mut Studio, ambient: f64, lamps: f64) {
    let lighting = &mut studio.viewer.lighting;
    lighting.hemisphere = Vec3::ZERO;
    lighting.ambient.fill(Vec3::splat(ambient as f32));
    lighting.exposure = 1.0;
    for light in &mut lighting.lists.lights {
        light.colour = Vec3::splat(lamps as f32);
        light.inverse_range_squared = 0.0;
    }
    lighting.lists.revision += 1;
}

/// The texels of an image, with its camera.
pub(crate) struct Shown {
    camera: Camera,
    texels: Vec<DVec3>,
}

impl Shown {
    /// Draws the image of a camera at `eye`.
    pub(crate) fn new(studio: &mut Studio, eye: [f64; 3], angles: [f64; 2]) -> Self {
        let camera = studio.camera(eye, angles);
        Self::with(studio, camera)
    }

    /// Draws the image of a camera.
    pub(crate) fn with(studio: &mut Studio, camera: Camera) -> Self {
        let pixels = studio.draw(&camera, Culling::Portals);
        let texels = pixels.as_chunks::<8>().0.iter().map(|texel| {
            let channel = |c: usize| half(u16::from_le_bytes([texel[2 * c], texel[2 * c + 1]]));
            DVec3::new(channel(0), channel(1), channel(2))
        });
        Self {
            camera,
            texels: texels.collect(),
        }
    }

    pub(crate) fn middle(&self) -> DVec3 {
        self.texels[(SIDE / 2 * SIDE + SIDE / 2) as usize]
    }

    /// Every texel with the direction of its ray, whose component along the camera's axis is 1.
    pub(crate) fn rays(&self) -> impl Iterator<Item = (DVec3, DVec3)> {
        let at = |i: u32| (f64::from(i) + 0.5) / f64::from(SIDE) * 2.0 - 1.0;
        let corners = (0..SIDE).flat_map(move |row| (0..SIDE).map(move |column| (column, row)));
        corners
            .zip(&self.texels)
            .map(move |((column, row), &texel)| {
                let ray = self.camera.axes * DVec3::new(at(column), -at(row), -1.0);
                (ray, texel)
            })
    }
}

/// The middle texel of an image from (0, 0, 2), which shows the origin.
pub(crate) fn in_the_middle(studio: &mut Studio) -> DVec3 {
    Shown::new(studio, [0.0, 0.0, 2.0], [0.0, 0.0]).middle()
}

/// Decodes an sRGB code to a linear value (IEC 61966-2-1).
pub(crate) fn linear(code: u8) -> f64 {
    let value = f64::from(code) / 255.0;
    if value <= 0.04045 {
        value / 12.92
    } else {
        ((value + 0.055) / 1.055).powf(2.4)
    }
}

/// The Khronos PBR neutral curve, in f64, from its specification.
pub(crate) fn toned(light: DVec3) -> DVec3 {
    let least = light.min_element();
    let offset = if least < 0.08 {
        least - 6.25 * least * least
    } else {
        0.04
    };
    let colour = light - offset;
    let peak = colour.max_element();
    if peak < 0.76 {
        return colour;
    }
    let new_peak = 1.0 - 0.24f64.powi(2) / (peak + 0.24 - 0.76);
    let kept = 1.0 / (0.15 * (peak - new_peak) + 1.0);
    DVec3::splat(new_peak).lerp(colour * (new_peak / peak), kept)
}

/// Asserts that the colours differ by at most `tolerance` in each channel.
#[track_caller]
pub(crate) fn assert_near(found: DVec3, expected: DVec3, tolerance: f64, what: &str) {
    let off = (found - expected).abs().max_element();
    assert!(off <= tolerance, "{what}: {found} for {expected}");
}
