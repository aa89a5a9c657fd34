//! The pictures of a film, drawn one after another.

use super::args::Args;
use super::flight::{self, FLIGHT_SECS};
use super::play::Play;
use crate::cli::Error;
use crate::cli::pictures::{PictureQuality, Studio};
use opendoor::frame::{self, Viewer};
use opendoor::game::{FIRST_PLAYER, ThirdPerson};
use opendoor::level::Level;
use opendoor::motion::{TICK_SECS, Workspace};
use opendoor::visibility::{Camera, Culling};
use opendoor::world::World;

/// The length of the frozen view's outline, metres.
const OUTLINE_LENGTH: f64 = 20.0;

/// The drawing of a game at increasing times.
pub(super) struct Pictures<'a> {
    level: &'a Level,
    studio: Studio<'a>,
    play: Play,
    /// The world as it is drawn, interpolated between two ticks.
    drawn: World,
    /// The workspace of the eye's queries.
    workspace: Workspace,
    fov: f64,
    aspect: f64,
    third_person: bool,
    /// The time at which the game stops, seconds.
    freeze_at: f64,
    /// Whether the exposure adapts to the light of the pictures.
    adapts: bool,
    /// The time of the last picture, seconds.
    last_secs: Option<f64>,
}

impl<'a> Pictures<'a> {
    /// Prepares to draw.
    pub(super) fn begin(level: &'a Level, play: Play, args: &Args) -> Result<Self, Error> {
        Ok(Self {
            level,
            studio: Studio::open(level, &args.level, args.size, PictureQuality::High)?,
            play,
            drawn: World::of(level),
            workspace: Workspace::default(),
            fov: args.fov,
            aspect: f64::from(args.size[0]) / f64::from(args.size[1]),
            third_person: args.third_person,
            freeze_at: args.freeze_at.unwrap_or(f64::INFINITY),
            adapts: !args.fixed_exposure,
            last_secs: None,
        })
    }

    /// Returns the texels, RGB row by row from the top, of the picture `secs` seconds after the start.
    pub(super) fn at(&mut self, secs: f64) -> Result<Vec<u8>, Error> {
        let (seen, person) = self.camera(secs.min(self.freeze_at));
        self.studio.viewer.frame.flicker_secs = Some(secs.min(self.freeze_at));
        if secs <= self.freeze_at {
            self.studio
                .compose(&self.drawn, &seen, (Culling::Portals, &seen));
            self.add_person(&seen, &person)?;
        } else {
            let part = (secs - self.freeze_at) / FLIGHT_SECS;
            let flying = flight::camera(&seen, self.fov, part);
            self.studio
                .compose(&self.drawn, &flying, (Culling::Portals, &seen));
            self.add_person(&flying, &person)?;
            let Viewer {
                visibility, frame, ..
            } = &mut self.studio.viewer;
            frame::add_culled(self.level, &flying, &visibility.rooms, frame);
            frame::add_view_outline(&flying, &seen, OUTLINE_LENGTH, frame);
        }
        let elapsed_secs = self.last_secs.replace(secs).map_or(0.0, |last| secs - last);
        let adaptation = self.adapts.then_some(elapsed_secs);
        self.studio.renderer.set_exposure_adaptation(adaptation);
        self.studio.draw();
        let texels = self.studio.picture.read(&self.studio.gpu)?;
        let rgb = texels.chunks_exact(4).flat_map(|texel| &texel[..3]);
        Ok(rgb.copied().collect())
    }

    /// Adds the player's figure, if the film shows it.
    fn add_person(&mut self, camera: &Camera, person: &Option<ThirdPerson>) -> Result<(), Error> {
        match person {
            Some(person) => self.studio.add_person(&self.drawn, camera, person),
            None => Ok(()),
        }
    }

    /// Advances the game to a time. Returns the first-person or third-person camera, interpolated between the two ticks
    /// around that time.
    fn camera(&mut self, secs: f64) -> (Camera, Option<ThirdPerson>) {
        // Rounds a value close to a whole number of ticks to that number.
        let ticks = libm::round(secs / TICK_SECS * 1e6) / 1e6;
        let tick = libm::ceil(ticks);
        self.play.advance(self.level, tick as u64);
        let alpha = 1.0 - (tick - ticks);
        let game = &mut self.play.game;
        self.drawn
            .put_between_ticks(self.level, game.world(), alpha);
        if self.third_person {
            let seen = game.third_person(self.level, FIRST_PLAYER, alpha, self.fov, self.aspect);
            (seen.camera, Some(seen))
        } else {
            let collision = game.collision(self.level);
            let eye = game.players[FIRST_PLAYER].eye(&collision, alpha, &mut self.workspace);
            (eye.camera(self.fov, self.aspect), None)
        }
    }
}
