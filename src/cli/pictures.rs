//! Pictures of what players saw on the way.

use std::path::PathBuf;

use opendoor::frame::{self, Frame};
use opendoor::gpu::{Gpu, Offscreen, Quality, Renderer};
use opendoor::level::Level;
use opendoor::visibility::{Camera, Visibility, flood};
use opendoor::world::World;

use super::Error;
use super::messages::eprint_line;
use super::output::Output;

/// Size of a picture.
const SIZE: [u32; 2] = [1280, 720];
/// Width over height.
pub(crate) const ASPECT: f64 = SIZE[0] as f64 / SIZE[1] as f64;

/// What one picture shows, and where it is written.
pub(crate) struct View {
    pub(crate) camera: Camera,
    pub(crate) world: World,
    pub(crate) path: PathBuf,
}

/// Draws pictures of a level.
pub(crate) fn draw(level: &Level, views: &[View]) -> Result<(), Error> {
    let outputs = views.iter().map(|view| Output::at(&view.path));
    let outputs: Vec<Output> = outputs.collect::<Result<_, _>>()?;
    let gpu = Gpu::open()?;
    let picture = Offscreen::new(&gpu, SIZE)?;
    let mut lighting = super::light(level, &World::of(level));
    let quality = Quality::default();
    let mut renderer = Renderer::new(&gpu, Offscreen::FORMAT, level, &lighting, quality)?;
    let mut visibility = Visibility::default();
    let mut frame = Frame::default();
    for (view, output) in views.iter().zip(outputs) {
        lighting.update(level, &view.world);
        flood(level, &view.world, &view.camera, &mut visibility);
        let rooms = &visibility.rooms;
        frame::compose(level, &view.world, &view.camera, rooms, &mut frame);
        picture.draw(&gpu, |encoder, target| {
            renderer.draw(&gpu, encoder, &lighting, &frame, target)
        });
        output.write(&picture.png(&gpu)?)?;
        let room = &level.room(view.camera.at.room).name;
        eprint_line(&format!(
            "{}: {room}, {} of {} rooms drawn",
            view.path.display(),
            frame.rooms_drawn,
            level.rooms.len()
        ));
    }
    Ok(())
}
