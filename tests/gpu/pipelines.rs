//! Checks that need no driver: wgpu's noop backend validates shaders, bindings and every command, and draws nothing.

use glam::Vec2;
use opendoor::author::sketch::Sketch;
use opendoor::frame::{self, Frame};
use opendoor::gpu::{Gpu, GpuError, Offscreen, Overlay, RenderQuality, Renderer, TextureFormat};
use opendoor::level::{Alpha, At, Image, Level, Material, RoomId, Texture};
use opendoor::lighting::{Lighting, lightmap};
use opendoor::map::Plan;
use opendoor::overlay::{OverlayContents, PlanView};
use opendoor::visibility::{Camera, Culling, Visibility, visible_rooms};
use opendoor::world::World;

use crate::fixture::{black_room, build, gpu, grid, square};

/// A room with a surface for every kind of material that has its own shader.
fn all_surfaces() -> Level {
    let (mut sketch, room) = black_room("surfaces");
    sketch.source.images.push(Image {
        name: "grey".to_owned(),
        width: 2,
        height: 2,
        rgba: [128u8; 16].into(),
    });
    let texture = |bits: u32, bit: u32| (bits >> bit & 1 == 1).then(|| Texture::new(0));
    for bits in 0..32 {
        let plain = Material {
            base_texture: texture(bits, 0),
            metallic_roughness_texture: texture(bits, 1),
            normal_texture: texture(bits, 2),
            occlusion_texture: texture(bits, 3),
            emissive_texture: texture(bits, 4),
            ..Material::default()
        };
        let unlit = bits % 2 == 0;
        for alpha in [Alpha::Opaque, Alpha::Mask(0.5), Alpha::Blend] {
            for double_sided in [false, true] {
                let material = Material {
                    alpha,
                    double_sided,
                    unlit: unlit && double_sided,
                    sky: bits == 31,
                    ..plain.clone()
                };
                add(&mut sketch, room, material);
            }
        }
    }
    sketch.lamp(room, glam::DVec3::new(0.0, 2.0, 1.0), 10.0);
    build(sketch)
}

fn add(sketch: &mut Sketch, room: usize, material: Material) {
    let material = sketch.material(material);
    sketch.mesh(room, material, &square(0.0));
    if let Some(mesh) = sketch.source.meshes.last_mut() {
        mesh.uvs[0] = vec![Vec2::ZERO; mesh.positions.len()];
    }
}

fn camera_of(level: &Level) -> Camera {
    let eye = level.room(RoomId(0)).bounds.centre();
    Camera::new(At::new(RoomId(0), eye), [30.0, -10.0], 70.0, 1.5)
}

/// A frame with every kind of content.
fn frame_of(level: &Level, world: &World, lighting: &Lighting) -> Frame {
    let camera = camera_of(level);
    let (mut visibility, mut frame) = (Visibility::default(), Frame::default());
    visible_rooms(Culling::None, level, world, &camera, &mut visibility);
    let rooms = &visibility.rooms;
    frame::compose(
        level,
        world,
        &camera,
        &visibility.seen_by(&camera),
        &mut frame,
    );
    frame::add_portal_outlines(level, world, &camera, rooms, &mut frame);
    frame::add_view_outline(&camera, &camera, 5.0, &mut frame);
    frame::add_culled(level, &camera, &rooms[..1], &mut frame);
    frame::add_lights(lighting, &camera, rooms, &mut frame);
    frame::tint_rooms(level, &mut frame);
    frame
}

#[test]
fn every_shader_and_command_passes_validation_in_every_format_that_a_window_may_have() {
    let gpu = Gpu::open_noop().unwrap();
    for level in [grid(3), all_surfaces()] {
        let world = World::of(&level);
        let lighting = Lighting::new(&level, &world, lightmap::flat(&level));
        let frame = frame_of(&level, &world, &lighting);
        for format in [
            TextureFormat::Rgba8UnormSrgb,
            TextureFormat::Bgra8UnormSrgb,
            TextureFormat::Rgba16Float,
        ] {
            let quality = RenderQuality::default();
            let mut renderer = Renderer::new(&gpu, format, &level, &lighting, quality).unwrap();
            let mut overlay = Overlay::new(&gpu, format);
            for size in [[64, 32], [1, 1], [300, 7]] {
                let contents = OverlayContents {
                    text: "rooms 9\nevery letter: {}~ and \u{e9}",
                    message: "a message",
                    title: "a title",
                    crosshair: true,
                    plan: Some(PlanView {
                        plan: &Plan::of(&level),
                        level: &level,
                        world: &world,
                        camera: &camera_of(&level),
                        visible: &[],
                    }),
                };
                overlay.set_contents(&gpu, size, 1.5, &contents);
                let picture = Offscreen::with_format(&gpu, size, format).unwrap();
                picture.draw(&gpu, |encoder, target| {
                    renderer.draw(&gpu, encoder, &lighting, &frame, target)?;
                    overlay.draw(&gpu, encoder, target);
                    Ok(())
                });
                picture.read(&gpu).unwrap();
            }
        }
    }
    assert_eq!(gpu.refusals(), 0);
}

#[test]
fn a_mesh_beyond_the_largest_buffer_is_an_error_that_names_its_material() {
    let gpu = Gpu::open_noop().unwrap();
    let level = grid(1);
    let lighting = Lighting::new(&level, &World::of(&level), lightmap::flat(&level));
    let quality = RenderQuality {
        buffer_bytes: 64,
        ..RenderQuality::default()
    };
    let refused = Renderer::new(&gpu, Offscreen::FORMAT, &level, &lighting, quality);
    assert!(matches!(refused, Err(GpuError::TooLarge { .. })));
}

#[test]
fn a_picture_without_pixels_or_beyond_the_device_is_an_error() {
    let gpu = gpu();
    for size in [[0, 10], [10, 0], [1 << 20, 10], [10, u32::MAX]] {
        let refused = Offscreen::new(&gpu, size);
        assert!(
            matches!(refused, Err(GpuError::PictureSize { .. })),
            "{size:?}"
        );
    }
}
