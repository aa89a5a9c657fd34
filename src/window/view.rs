//! What the player looks at and how: the game's camera, or one that flies out of a frozen view.

use glam::DVec3;

use crate::frame::{self, FOV_DEG, Frame};
use crate::game::{Game, Input, Player};
use crate::level::Level;
use crate::lighting::Lighting;
use crate::visibility::{Camera, Culling, VisibleRoom};
use crate::world::World;

/// Length of the frozen view's outline, metres.
const OUTLINE_LENGTH: f64 = 20.0;
/// Speeds of flying, m/s.
const FLY_SPEED: f64 = 5.0;
const FLY_FAST: f64 = 20.0;

/// What is shown.
#[derive(Debug)]
pub(super) struct View {
    pub(super) help: bool,
    pub(super) figures: bool,
    pub(super) outlines: bool,
    /// Solids that block the body.
    pub(super) blockers: bool,
    /// Each room in its colour.
    pub(super) rooms: bool,
    pub(super) lights: bool,
    pub(super) plan: bool,
    pub(super) culling: Culling,
    flight: Option<Flight>,
}

/// A frozen view, and the eye that flies out of it; both in the coordinates of the frozen room.
#[derive(Debug)]
struct Flight {
    frozen: Camera,
    eye: DVec3,
    yaw: f64,
    pitch: f64,
}

impl Default for View {
    fn default() -> Self {
        Self {
            help: false,
            figures: false,
            outlines: false,
            blockers: false,
            rooms: false,
            lights: false,
            plan: false,
            culling: Culling::Portals,
            flight: None,
        }
    }
}

impl View {
    /// The camera whose visible rooms are drawn, if the view is frozen.
    pub(super) fn frozen(&self) -> Option<&Camera> {
        self.flight.as_ref().map(|flight| &flight.frozen)
    }

    /// The camera that draws.
    pub(super) fn camera(&self, level: &Level, game: &mut Game, alpha: f64, aspect: f64) -> Camera {
        match &self.flight {
            Some(at) => Camera::new(
                at.frozen.at.with_point(at.eye),
                [at.yaw, at.pitch],
                FOV_DEG,
                aspect,
            ),
            None => game.camera(level, alpha, FOV_DEG, aspect),
        }
    }

    /// Freezes the view of `camera`, or thaws it.
    pub(super) fn toggle_freeze(&mut self, player: &Player, camera: Camera) {
        self.flight = match self.flight {
            Some(_) => None,
            None => Some(Flight {
                frozen: camera,
                eye: camera.at.point,
                yaw: player.yaw,
                pitch: player.pitch,
            }),
        };
    }

    /// The frozen view is that of a level that is gone.
    pub(super) fn thaw(&mut self) {
        self.flight = None;
    }

    /// Turns what the mouse turns, degrees.
    pub(super) fn look(&mut self, player: &mut Player, left: f64, up: f64) {
        match &mut self.flight {
            Some(flight) => {
                flight.yaw = (flight.yaw + left) % 360.0;
                flight.pitch = (flight.pitch + up).clamp(-89.0, 89.0);
            }
            None => player.look(left, up),
        }
    }

    /// Moves the flying eye; returns whether there is one, so that the game stands still.
    pub(super) fn fly(&mut self, input: &Input, seconds: f64) -> bool {
        let Some(flight) = &mut self.flight else {
            return false;
        };
        let angles = [flight.yaw, flight.pitch];
        let camera = Camera::new(
            flight.frozen.at.with_point(flight.eye),
            angles,
            FOV_DEG,
            1.0,
        );
        let up = if input.jump { DVec3::Y } else { DVec3::ZERO };
        let direction = camera.forward() * input.forward + camera.axes.x_axis * input.right + up;
        let speed = if input.run { FLY_FAST } else { FLY_SPEED };
        flight.eye += direction * (speed * seconds);
        true
    }

    /// Draws what is switched on over the frame.
    pub(super) fn draw_debug(
        &self,
        level: &Level,
        (player, world): (&Player, &World),
        lighting: &Lighting,
        camera: &Camera,
        rooms: &[VisibleRoom],
        frame: &mut Frame,
    ) {
        if self.outlines {
            frame::add_portal_outlines(level, world, camera, rooms, frame);
        }
        if self.blockers {
            let solids = player.actor.report.blockers.iter().map(|b| b.solid);
            let triangles = solids.flat_map(|solid| {
                let room = solid.room(level);
                let triangles = solid.triangles(level, world).into_iter();
                triangles.map(move |triangle| (room, triangle))
            });
            frame::add_triangle_outlines(triangles, camera, rooms, frame);
        }
        if self.rooms {
            frame::tint_rooms(level, frame);
        }
        if self.lights {
            frame::add_lights(lighting, camera, rooms, frame);
        }
        if let Some(frozen) = self.frozen() {
            frame::add_culled(level, camera, rooms, frame);
            frame::add_view_outline(camera, frozen, OUTLINE_LENGTH, frame);
        }
    }

    /// Portals, frustum, none, and again.
    pub(super) fn next_culling(&mut self) {
        self.culling = match self.culling {
            Culling::Portals => Culling::Frustum,
            Culling::Frustum => Culling::None,
            Culling::None => Culling::Portals,
        };
    }

    pub(super) fn culling_name(&self) -> &'static str {
        match self.culling {
            Culling::Portals => "portals",
            Culling::Frustum => "frustum",
            Culling::None => "none",
        }
    }
}
