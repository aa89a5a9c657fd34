//! The renderer in a program that creates its own device and submits the commands itself.

use opendoor::frame::{self, Frame};
use opendoor::gpu::{Gpu, Offscreen, RenderQuality, RenderTarget, Renderer};
use opendoor::visibility::{Culling, Visibility, visible_rooms};
use opendoor::wgpu;

use crate::fixture::{Studio, gpu, grid};
use crate::levels::{eyes, load};

const SIZE: [u32; 2] = [64, 40];

/// The house has more shadow maps than fit, so each frame is drawn in batches.
#[test]
fn frames_recorded_into_one_encoder_look_like_frames_submitted_one_by_one() {
    let gpu = gpu();
    let level = load("house.glb");
    let quality = RenderQuality {
        shadow_texels: 64,
        shadow_bytes: 120 * 4 * 32 * 32,
        ..RenderQuality::default()
    };
    let format = Offscreen::FORMAT;
    let mut studio = Studio::with(&gpu, &level, SIZE, format, quality);
    let cameras = [0, 5].map(|i| eyes(&level, 6)[i]);
    let one_by_one = cameras.map(|camera| studio.draw(&camera, Culling::None));
    assert!(one_by_one[0] != one_by_one[1]);

    let frames = cameras.map(|camera| {
        let (mut visibility, mut frame) = (Visibility::default(), Frame::default());
        visible_rooms(
            Culling::None,
            &level,
            &studio.world,
            &camera,
            &mut visibility,
        );
        frame::compose(
            &level,
            &studio.world,
            &camera,
            &visibility.seen_by(&camera),
            &mut frame,
        );
        frame
    });
    for (first, second) in [(0, 1), (1, 0)] {
        let mut renderer =
            Renderer::new(&gpu, format, &level, &studio.viewer.lighting, quality).unwrap();
        let other = gpu.device.create_texture(&wgpu::TextureDescriptor {
            label: None,
            size: wgpu::Extent3d {
                width: SIZE[0],
                height: SIZE[1],
                depth_or_array_layers: 1,
            },
            mip_level_count: 1,
            sample_count: 1,
            dimension: wgpu::TextureDimension::D2,
            format,
            usage: wgpu::TextureUsages::RENDER_ATTACHMENT,
            view_formats: &[],
        });
        let other = RenderTarget {
            view: &other.create_view(&Default::default()),
            size: SIZE,
        };
        let lighting = &studio.viewer.lighting;
        let picture = Offscreen::new(&gpu, SIZE).unwrap();
        picture.draw(&gpu, |encoder, target| {
            renderer.draw(&gpu, encoder, lighting, &frames[first], target)?;
            renderer.draw(&gpu, encoder, lighting, &frames[second], other)
        });
        assert!(picture.read(&gpu).unwrap() == one_by_one[first], "{first}");
    }
}

#[test]
fn a_device_of_the_programs_own_draws_the_same_picture() {
    let gpu = gpu();
    let level = grid(2);
    let mut studio = Studio::new(&gpu, &level, SIZE);
    let camera = studio.camera([2.0, 1.5, 2.0], [30.0, -10.0]);
    let expected = studio.draw(&camera, Culling::None);

    let instance = wgpu::Instance::default();
    let adapter = pollster::block_on(instance.request_adapter(&Default::default())).unwrap();
    let descriptor = wgpu::DeviceDescriptor {
        required_limits: wgpu::Limits::downlevel_defaults(),
        ..Default::default()
    };
    let (device, queue) = pollster::block_on(adapter.request_device(&descriptor)).unwrap();
    let own = Gpu::from_device(device, queue);
    assert_eq!(own.adapter(), gpu.adapter());
    let mut studio = Studio::new(&own, &level, SIZE);
    assert!(studio.draw(&camera, Culling::None) == expected);
}
