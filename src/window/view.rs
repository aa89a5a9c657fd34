//! The view: its debug displays, and its camera, which is the game's or one that flies out of a frozen view.

use glam::DVec3;

use crate::frame::{self, Frame};
use crate::game::{Game, Input, Player, ThirdPerson};
use crate::level::{At, Level, locate};
use crate::lighting::Lighting;
use crate::motion::Workspace;
use crate::visibility::{Camera, Culling, VisibleRoom};
use crate::world::World;

/// The length of the frozen view's outline, metres.
const OUTLINE_LENGTH: f64 = 20.0;
/// The speed of flying, m/s.
const FLY_SPEED: f64 = 5.0;
/// The speed of flying with the run key, m/s.
const FLY_FAST: f64 = 20.0;
/// The field of view of the camera whose axes give the flight directions. Any value works, because the axes do not
/// depend on it.
const FLY_FOV_DEG: f64 = 70.0;

/// The displays that are switched on, the culling mode, and the flying camera.
#[derive(Debug)]
pub(super) struct ViewOptions {
    pub(super) help: HelpShown,
    pub(super) figures: bool,
    pub(super) outlines: bool,
    /// Solids that block the body.
    pub(super) blockers: bool,
    /// Each room in its own colour.
    pub(super) rooms: bool,
    pub(super) lights: bool,
    pub(super) plan: bool,
    culling: Culling,
    flight: Option<Flight>,
}

/// The parameters of a picture.
#[derive(Clone, Copy, Debug)]
pub(super) struct Picture {
    /// The interpolation factor from the last tick but one to the last tick, 0..1.
    pub(super) alpha: f64,
    /// Vertical field of view, degrees.
    pub(super) fov_deg: f64,
    /// Width over height.
    pub(super) aspect: f64,
    /// Whether the player is seen from behind.
    pub(super) third_person: bool,
}

/// The help text that is shown.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum HelpShown {
    None,
    Player,
    Author,
}

/// A camera that flies out of a frozen view or through the level.
#[derive(Debug)]
struct Flight {
    /// The frozen view that the camera flew out of. The rooms visible from it stay the drawn rooms.
    frozen: Option<Camera>,
    at: At,
    /// Whether the camera is in a room; outside all rooms there is no view to cull by.
    is_inside: bool,
    yaw: f64,
    pitch: f64,
}

/// The result of starting or ending a flight.
#[derive(Debug)]
pub(super) enum Flown {
    /// The flight has begun.
    Begun,
    /// The flight out of a frozen view has ended, and so has the frozen view.
    Thawed,
    /// The flight has ended at this point.
    Landed(At),
}

impl Flight {
    fn from(player: &Player, camera: Camera) -> Self {
        Self {
            frozen: None,
            at: camera.at,
            is_inside: true,
            yaw: player.yaw,
            pitch: player.pitch,
        }
    }

    fn camera(&self, fov_deg: f64, aspect: f64) -> Camera {
        Camera::new(self.at, [self.yaw, self.pitch], fov_deg, aspect)
    }
}

impl Default for ViewOptions {
    fn default() -> Self {
        Self {
            help: HelpShown::None,
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

impl ViewOptions {
    /// Returns the camera whose visible rooms are drawn, if the view is frozen.
    pub(super) fn frozen(&self) -> Option<&Camera> {
        self.flight.as_ref()?.frozen.as_ref()
    }

    /// Whether the camera flies, and the game is paused.
    pub(super) fn is_flying(&self) -> bool {
        self.flight.is_some()
    }

    /// Switches to the next help text: player's help, author's help, none.
    pub(super) fn next_help(&mut self) {
        self.help = match self.help {
            HelpShown::None => HelpShown::Player,
            HelpShown::Player => HelpShown::Author,
            HelpShown::Author => HelpShown::None,
        };
    }

    /// Returns the camera that draws, and the third-person view if the player is drawn. The eye's queries use
    /// `workspace`.
    pub(super) fn camera(
        &self,
        level: &Level,
        game: &mut Game,
        (player, workspace): (usize, &mut Workspace),
        picture: &Picture,
    ) -> (Camera, Option<ThirdPerson>) {
        let Picture {
            alpha,
            fov_deg,
            aspect,
            third_person,
        } = *picture;
        let seen = third_person.then(|| game.third_person(level, player, alpha, fov_deg, aspect));
        match (&self.flight, seen) {
            (Some(flight), seen) => {
                let shown = seen.map(|seen| ThirdPerson {
                    shows_figure: true,
                    ..seen
                });
                (flight.camera(fov_deg, aspect), shown)
            }
            (None, Some(seen)) => (seen.camera, Some(seen)),
            (None, None) => {
                let collision = game.collision(level);
                let eye = game.players[player].eye(&collision, alpha, workspace);
                (eye.camera(fov_deg, aspect), None)
            }
        }
    }

    /// Returns the culling mode of the camera.
    pub(super) fn culling(&self) -> Culling {
        match &self.flight {
            Some(flight) if !flight.is_inside => Culling::None,
            _ => self.culling,
        }
    }

    /// Freezes the view of `camera`, or ends a flight.
    pub(super) fn toggle_freeze(&mut self, player: &Player, camera: Camera) {
        self.flight = match self.flight {
            Some(_) => None,
            None => Some(Flight {
                frozen: Some(camera),
                ..Flight::from(player, camera)
            }),
        };
    }

    /// Begins to fly from `camera` through walls, or ends any flight. The end point is returned unless the view was
    /// frozen.
    pub(super) fn toggle_flight(&mut self, player: &mut Player, camera: Camera) -> Flown {
        match self.flight.take() {
            None => {
                self.flight = Some(Flight::from(player, camera));
                Flown::Begun
            }
            Some(Flight {
                frozen: Some(_), ..
            }) => Flown::Thawed,
            Some(flight) => {
                (player.yaw, player.pitch) = (flight.yaw, flight.pitch);
                Flown::Landed(flight.at)
            }
        }
    }

    /// Ends any flight and frozen view, for example because the level was replaced.
    pub(super) fn thaw(&mut self) {
        self.flight = None;
    }

    /// Turns the flying camera or the player's view, degrees.
    pub(super) fn look(&mut self, player: &mut Player, left: f64, up: f64) {
        match &mut self.flight {
            Some(flight) => {
                flight.yaw = (flight.yaw + left) % 360.0;
                flight.pitch = (flight.pitch + up).clamp(-89.0, 89.0);
            }
            None => player.look(left, up),
        }
    }

    /// Moves the flying camera; returns false if no camera flies. While a camera flies, the game is paused.
    pub(super) fn fly(&mut self, level: &Level, input: &Input, seconds: f64) -> bool {
        let Some(flight) = &mut self.flight else {
            return false;
        };
        let camera = flight.camera(FLY_FOV_DEG, 1.0);
        let up = DVec3::Y * (f64::from(u8::from(input.jump)) - f64::from(u8::from(input.crouch)));
        let direction = camera.forward() * input.forward + camera.axes.x_axis * input.right + up;
        let speed = if input.run { FLY_FAST } else { FLY_SPEED };
        if direction != DVec3::ZERO {
            flight.at.point += direction * (speed * seconds);
            if flight.frozen.is_none() {
                let room = locate(level, flight.at.point);
                flight.is_inside = room.is_some();
                flight.at.room = room.unwrap_or(flight.at.room);
            }
        }
        true
    }

    /// Draws the debug displays that are switched on over the frame.
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

    /// Switches to the next culling mode: portals, frustum, none.
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
