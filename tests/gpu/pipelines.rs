//! What can be checked without any driver: wgpu's noop backend validates shaders, bindings and
//! every command, and draws nothing.

use opendoor::frame::{self, Frame};
use opendoor::gpu::{Gpu, GpuError, Offscreen, Renderer, TextureFormat};
use opendoor::level::{Level, OpenLinks, RoomId};
use opendoor::visibility::{Camera, Culling, Visibility, visible_rooms};

use crate::fixture::{gpu, grid};

fn frame_of(level: &Level) -> Frame {
    let open = OpenLinks::of(level);
    let eye = level.room(RoomId(0)).bounds.centre();
    let camera = Camera::new(RoomId(0), eye, [30.0, -10.0], 70.0, 1.5);
    let (mut visibility, mut frame) = (Visibility::default(), Frame::default());
    visible_rooms(Culling::None, level, &open, &camera, &mut visibility);
    frame::compose(level, &open, &camera, &visibility.rooms, &mut frame);
    frame::add_portal_outlines(level, &open, &camera, &visibility.rooms, &mut frame);
    frame::add_view_outline(&camera, &camera, 5.0, &mut frame);
    frame.text.push_str("rooms 9\nevery letter: {}~ and \u{e9}");
    frame
}

#[test]
fn every_shader_and_command_passes_validation_in_every_format_that_a_window_may_have() {
    let gpu = Gpu::open_noop().unwrap();
    let level = grid(3);
    let frame = frame_of(&level);
    for format in [
        TextureFormat::Rgba8UnormSrgb,
        TextureFormat::Bgra8UnormSrgb,
        TextureFormat::Rgba16Float,
    ] {
        let mut renderer = Renderer::new(&gpu, format, &level).unwrap();
        for size in [[64, 32], [1, 1], [300, 7]] {
            let picture = Offscreen::with_format(&gpu, size, format).unwrap();
            picture.draw(&gpu, &mut renderer, &frame);
            picture.read(&gpu).unwrap();
        }
    }
    assert_eq!(gpu.refusals(), 0);
}

#[test]
fn a_mesh_beyond_the_largest_buffer_is_an_error_that_names_its_material() {
    let gpu = Gpu::open_noop().unwrap();
    let level = grid(1);
    let refused = Renderer::with_buffers_of(&gpu, Offscreen::FORMAT, &level, 64);
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
