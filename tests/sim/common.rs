//! A playtest of a level: a game, and the monitor that checks every tick.

use glam::DVec3;
pub(crate) use glam::dvec3 as v;
use opendoor::author::sketch::{Sketch, cuboid};
use opendoor::game::{CHARACTER, Eye, Game, Input, Start};
use opendoor::level::{Level, Material};
use opendoor::motion::{Body, Workspace};
use opendoor::rng::Rng;
use opendoor::testing::Monitor;

use crate::shared::built;

/// Height of the centre of a body that stands on y = 0: its radius and its gap.
pub(crate) const STANDING: f64 = 0.35 * 1.01;

/// Environment variables for child processes that hide all Vulkan drivers. A software driver would take most of the
/// time, for images that no test examines.
pub(crate) const WITHOUT_VULKAN: [(&str, &str); 2] = [
    ("VK_DRIVER_FILES", "/dev/null"),
    ("VK_ICD_FILENAMES", "/dev/null"),
];

/// Maximum number of triangles with which all lights, or all spawns, of a level are compared.
pub(crate) const MAX_COMPARED: usize = 1 << 26;

/// The number of random cases: `few` in unoptimised builds, `many` in optimised ones. `.ci/test` runs both.
pub(crate) fn cases(few: u64, many: u64) -> u64 {
    if cfg!(debug_assertions) { few } else { many }
}

pub(crate) const FORWARD: Input = Input {
    forward: 1.0,
    right: 0.0,
    run: false,
    jump: false,
    crouch: false,
    interact: false,
    grab: false,
};

/// Changes the input of a random player from time to time.
pub(crate) fn press_at_random(rng: &mut Rng, input: &mut Input) {
    if rng.one_in(20) {
        *input = Input {
            forward: rng.between(-0.5, 1.0),
            right: rng.between(-0.5, 0.5),
            run: rng.one_in(3),
            jump: rng.one_in(10),
            crouch: rng.one_in(10),
            ..Input::default()
        };
    }
    input.interact = rng.one_in(40);
}

/// A hall of 120 x 60 x 120 m with its floor at y = 0, and with the triangles `solids`.
pub(crate) fn hall_with(solids: &[[DVec3; 3]], material: Material) -> Level {
    let mut sketch = Sketch::new("hall");
    let hall = sketch.box_room("hall", cuboid([-60., 0., -60.], [60., 60., 60.]), &[]);
    let material = sketch.material(material);
    sketch.mesh(hall, material, solids);
    sketch.spawn(hall, v(0., 1., 30.), DVec3::X);
    built(sketch.source)
}

/// The two triangles of a quad, seen from the side where its corners are counter-clockwise.
pub(crate) fn quad([a, b, c, d]: [DVec3; 4]) -> [[DVec3; 3]; 2] {
    [[a, b, c], [a, c, d]]
}

/// A wall through `at`, 8 m high, `half` metres to both sides, facing `normal`.
pub(crate) fn wall(at: DVec3, normal: DVec3, half: f64) -> [[DVec3; 3]; 2] {
    let side = DVec3::Y.cross(normal) * half;
    let up = DVec3::Y * 8.0;
    quad([at - side, at + side, at + side + up, at - side + up])
}

/// A game and its monitor: every tick is checked against the polygons.
pub(crate) struct Playtest<'a> {
    pub(crate) level: &'a Level,
    pub(crate) game: Game,
    pub(crate) monitor: Monitor,
}

impl<'a> Playtest<'a> {
    /// Starts with the centre of the body at `centre`.
    pub(crate) fn at(level: &'a Level, centre: DVec3) -> Self {
        let feet = level.to_author(centre - DVec3::Y * CHARACTER.radius);
        Self::start(level, &Start::Feet(feet))
    }

    /// Starts with the body of the tests, a sphere of 0.35 m.
    pub(crate) fn start(level: &'a Level, start: &Start) -> Self {
        Self::with_body(level, start, CHARACTER)
    }

    pub(crate) fn with_body(level: &'a Level, start: &Start, body: Body) -> Self {
        let game = Game::start(level, start, body).unwrap();
        let monitor = Monitor::new(level, &game, 0);
        Self {
            level,
            game,
            monitor,
        }
    }

    pub(crate) fn centre(&self) -> DVec3 {
        self.game.players[0].actor.state.at.point
    }

    pub(crate) fn room(&self) -> &'a str {
        &self
            .level
            .room(self.game.players[0].actor.state.at.room)
            .name
    }

    pub(crate) fn tick(&mut self, input: &Input) {
        self.game.tick(self.level, &[*input]);
        self.monitor.add_tick(self.level, &self.game);
        assert!(self.centre().is_finite());
        assert!(
            self.monitor.min_gap > 0.0,
            "touches something in {} at {}",
            self.room(),
            self.centre()
        );
    }

    /// Runs ticks with the same input for some seconds.
    pub(crate) fn hold(&mut self, input: &Input, secs: f64) {
        for _ in 0..(secs * 60.0).round() as usize {
            self.tick(input);
        }
    }

    pub(crate) fn stand(&mut self, secs: f64) {
        self.hold(&Input::default(), secs);
    }
}

/// The eye of the first player at a moment between the last two ticks.
pub(crate) fn eye_of(game: &Game, level: &Level, alpha: f64) -> Eye {
    game.players[0].eye(&game.collision(level), alpha, &mut Workspace::default())
}
