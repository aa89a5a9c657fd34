//! What the player looks at and how: the game's camera, or one that flies out of a frozen view.

use glam::DVec3;

use crate::frame::{self, Frame};
use crate::game::{Game, Input, Player, ThirdPerson};
use crate::level::{At, Level, locate};
use crate::lighting::Lighting;
use crate::visibility::{Camera, Culling, VisibleRoom};
use crate::world::World;

/// Length of the frozen view's outline, metres.
const OUTLINE_LENGTH: f64 = 20.0;
/// Speeds of flying, m/s.
const FLY_SPEED: f64 = 5.0;
const FLY_FAST: f64 = 20.0;
/// Any field of view: an eye flies where it looks.
const FLY_FOV_DEG: f64 = 70.0;

/// What is shown.
#[derive(Debug)]
pub(super) struct View {
    pub(super) help: HelpShown,
    pub(super) figures: bool,
    pub(super) outlines: bool,
    /// Solids that block the body.
    pub(super) blockers: bool,
    /// Each room in its colour.
    pub(super) rooms: bool,
    pub(super) lights: bool,
    pub(super) plan: bool,
    culling: Culling,
    flight: Option<Flight>,
}

/// Of what a picture is made.
#[derive(Clone, Copy, Debug)]
pub(super) struct Picture {
    /// How much of the way from the last tick but one to the last is done, 0..1.
    pub(super) alpha: f64,
    /// Vertical field of view, degrees.
    pub(super) fov_deg: f64,
    /// Width over height.
    pub(super) aspect: f64,
    /// Whether the player is seen from behind.
    pub(super) third_person: bool,
}

/// Which help is shown.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum HelpShown {
    None,
    Player,
    Author,
}

/// An eye that flies, out of a frozen view or through the level.
#[derive(Debug)]
struct Flight {
    /// The view that it flew out of, whose visible rooms stay those that are drawn.
    frozen: Option<Camera>,
    at: At,
    /// Whether it is in a room; outside all of them there is no view to cull by.
    is_inside: bool,
    yaw: f64,
    pitch: f64,
}

/// What became of a flight.
#[derive(Debug)]
pub(super) enum Flown {
    /// It has begun.
    Begun,
    /// It was one out of a frozen view, which is left.
    Thawed,
    /// The eye has come here.
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

impl Default for View {
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

impl View {
    /// The camera whose visible rooms are drawn, if the view is frozen.
    pub(super) fn frozen(&self) -> Option<&Camera> {
        self.flight.as_ref()?.frozen.as_ref()
    }

    /// Whether the eye flies, and the game stands still.
    pub(super) fn is_flying(&self) -> bool {
        self.flight.is_some()
    }

    /// Player's help, author's help, none, and again.
    pub(super) fn next_help(&mut self) {
        self.help = match self.help {
            HelpShown::None => HelpShown::Player,
            HelpShown::Player => HelpShown::Author,
            HelpShown::Author => HelpShown::None,
        };
    }

    /// The camera that draws, and the player if it is drawn.
    pub(super) fn camera(
        &self,
        level: &Level,
        game: &mut Game,
        picture: &Picture,
    ) -> (Camera, Option<ThirdPerson>) {
        let Picture {
            alpha,
            fov_deg,
            aspect,
            third_person,
        } = *picture;
        let seen = third_person.then(|| game.third_person(level, alpha, fov_deg, aspect));
        match (&self.flight, seen) {
            (Some(flight), seen) => {
                let shown = seen.map(|seen| ThirdPerson {
                    shows_figure: true,
                    ..seen
                });
                (flight.camera(fov_deg, aspect), shown)
            }
            (None, Some(seen)) => (seen.camera, Some(seen)),
            (None, None) => (game.camera(level, alpha, fov_deg, aspect), None),
        }
    }

    /// How the rooms are chosen that a camera draws.
    pub(super) fn culling(&self) -> Culling {
        match &self.flight {
            Some(flight) if !flight.is_inside => Culling::None,
            _ => self.culling,
        }
    }

    /// Freezes the view of `camera`, or thaws it.
    pub(super) fn toggle_freeze(&mut self, player: &Player, camera: Camera) {
        self.flight = match self.flight {
            Some(_) => None,
            None => Some(Flight {
                frozen: Some(camera),
                ..Flight::from(player, camera)
            }),
        };
    }

    /// Begins to fly from `camera` through walls, or ends any flight; then returns where it ended, unless it was one
    /// out of a frozen view.
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
