//! Pictures of a level, drawn offscreen.

use std::path::{Path, PathBuf};
use std::time::Duration;

use opendoor::frame::Viewer;
use opendoor::game::ThirdPerson;
use opendoor::gpu::{Gpu, Offscreen, RenderQuality, Renderer};
use opendoor::level::Level;
use opendoor::person::Person;
use opendoor::visibility::{Camera, Culling};
use opendoor::world::World;

use super::Error;
use super::messages::eprint_line;
use super::output::Output;

/// The size of a picture, pixels.
const SIZE: [u32; 2] = [1280, 720];
/// The aspect ratio, width over height.
pub(crate) const ASPECT: f64 = SIZE[0] as f64 / SIZE[1] as f64;

/// The drawing quality of pictures.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, clap::ValueEnum)]
pub(crate) enum PictureQuality {
    /// The light of lamps is baked: fast, with soft shadows and without highlights
    Low,
    /// Lamps cast shadows and have highlights, and smooth surfaces reflect the room
    #[default]
    High,
}

impl PictureQuality {
    /// The settings of the renderer.
    pub(crate) fn of_renderer(self) -> RenderQuality {
        match self {
            Self::Low => RenderQuality::LOW,
            Self::High => RenderQuality::high(),
        }
    }
}

/// A level, and the GPU objects that draw it.
pub(crate) struct Studio<'a> {
    level: &'a Level,
    pub(crate) gpu: Gpu,
    pub(crate) picture: Offscreen,
    pub(crate) renderer: Renderer,
    pub(crate) viewer: Viewer,
    /// The player's figure; loaded when it is first drawn.
    person: Option<Person>,
}

impl<'a> Studio<'a> {
    /// Opens a device, computes the lighting and uploads the level, for pictures of this size. `path` names the level.
    pub(crate) fn open(
        level: &'a Level,
        path: &Path,
        size: [u32; 2],
        quality: PictureQuality,
    ) -> Result<Self, Error> {
        let gpu = Gpu::open()?;
        let picture = Offscreen::new(&gpu, size)?;
        let mut lighting = super::light(level, path, &World::of(level));
        let quality = quality.of_renderer().supported_by(&gpu);
        lighting.set_lamps(quality.lamps);
        let renderer = Renderer::new(&gpu, Offscreen::FORMAT, level, &lighting, quality)?;
        let mut viewer = Viewer::new(lighting);
        viewer.set_reflections(quality.reflects());
        Ok(Self {
            level,
            gpu,
            picture,
            renderer,
            viewer,
            person: None,
        })
    }

    /// Composes the view of `camera`, limited to the rooms that are visible to the camera in `culling`; returns the time taken to
    /// find these rooms.
    pub(crate) fn compose(
        &mut self,
        world: &World,
        camera: &Camera,
        culling: (Culling, &Camera),
    ) -> Duration {
        self.viewer.compose(self.level, world, camera, culling)
    }

    /// Adds the player's figure to the frame that was composed for `camera`.
    pub(crate) fn add_person(
        &mut self,
        world: &World,
        camera: &Camera,
        seen: &ThirdPerson,
    ) -> Result<(), Error> {
        let person = match self.person.take() {
            Some(person) => person,
            None => Person::new()?,
        };
        let (rooms, frame) = (&self.viewer.visibility.rooms, &mut self.viewer.frame);
        let person = self.person.insert(person);
        person.add_to((self.level, world), seen, camera, rooms, frame);
        Ok(())
    }

    /// Draws the frame.
    pub(crate) fn draw(&mut self) {
        let (renderer, viewer) = (&mut self.renderer, &self.viewer);
        self.picture.draw(&self.gpu, |encoder, target| {
            renderer.draw(&self.gpu, encoder, &viewer.lighting, &viewer.frame, target)
        });
    }
}

/// A picture to draw: its camera and output file.
pub(crate) struct PictureView {
    pub(crate) camera: Camera,
    pub(crate) world: World,
    pub(crate) path: PathBuf,
}

/// Draws pictures of a level, which `path` names.
pub(crate) fn draw(level: &Level, path: &Path, views: &[PictureView]) -> Result<(), Error> {
    let outputs = views.iter().map(|view| Output::at(&view.path));
    let outputs: Vec<Output> = outputs.collect::<Result<_, _>>()?;
    let mut studio = Studio::open(level, path, SIZE, PictureQuality::High)?;
    for (view, output) in views.iter().zip(outputs) {
        let culled_by = (Culling::Portals, &view.camera);
        studio.compose(&view.world, &view.camera, culled_by);
        studio.draw();
        output.write(&studio.picture.png(&studio.gpu)?)?;
        let room = &level.room(view.camera.at.room).name;
        eprint_line(&format!(
            "{}: {room}, {} of {} rooms drawn",
            view.path.display(),
            studio.viewer.frame.rooms_drawn,
            level.rooms.len()
        ));
    }
    Ok(())
}

/// Parses the size of a picture.
pub(crate) fn parse_size(text: &str) -> Result<[u32; 2], String> {
    let sides = text.split_once(['x', 'X']);
    let sides = sides.and_then(|(w, h)| Some([w.trim().parse().ok()?, h.trim().parse().ok()?]));
    sides
        .filter(|sides| sides.iter().all(|n| (1..=16384).contains(n)))
        .ok_or_else(|| "write width x height in pixels, 1 to 16384 each, as in 1280x720".to_owned())
}

/// Parses a vertical field of view, degrees.
pub(crate) fn parse_fov(text: &str) -> Result<f64, String> {
    let degrees = super::finite(text)?;
    if (1.0..=170.0).contains(&degrees) {
        Ok(degrees)
    } else {
        Err("a field of view is 1 to 170 degrees".to_owned())
    }
}
