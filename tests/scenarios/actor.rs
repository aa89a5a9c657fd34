//! A body on a stage, checked after every tick.

use std::ops::{Deref, DerefMut};

use glam::DVec3;
use opendoor::collision::{BroadPhase, CollisionWorld};
use opendoor::geometry::Rigid;
use opendoor::level::{At, AuthorPoint, Level, LinkId, RoomId};
use opendoor::motion::{
    Blocker, Body, MoveCommand, PathSegment, State, StepSettings, TICK_SECS, Workspace, close_link,
    tick,
};
use opendoor::source::{LevelSource, MeshSource};
use opendoor::world::World;

use crate::oracle::{Corners, Soup};
use crate::shared::built;

/// The gap to surfaces, as a fraction of the radius.
pub(crate) const SKIN: f64 = 0.01;
/// Maximum number of steps that a body climbs in one tick.
const STEPS_A_TICK: f64 = 4.0;
/// Triangles lower than this are omitted from a level, metres (docs/collision.md).
const MIN_HEIGHT: f64 = 1e-6;

/// The radius of a body plus its gap.
pub(crate) fn rho(radius: f64) -> f64 {
    radius * (1.0 + SKIN)
}

/// A body that reaches any wanted velocity at once, with the step settings off: sweep and gravity only.
pub(crate) fn body(radius: f64, gravity: f64) -> Body {
    Body {
        radius,
        segment_length: 0.0,
        gravity,
        jump_height: 1.0,
        acceleration: 1e12,
        step_settings: StepSettings::OFF,
    }
}

/// A built level and its solid triangles.
pub(crate) struct Stage {
    pub(crate) level: Level,
    pub(crate) soup: Soup,
}

impl Stage {
    pub(crate) fn of(source: &LevelSource) -> Self {
        Self::judged_by(source, |_| true)
    }

    /// A stage whose checks use only the polygons of rooms for whose names `counts` is true.
    pub(crate) fn judged_by(source: &LevelSource, counts: impl Fn(&str) -> bool) -> Self {
        let level = built(source.clone());
        let rounded = |p: DVec3| (p - level.origin).as_vec3().as_dvec3();
        let meshes = source.meshes.iter();
        let meshes = meshes.filter(|mesh| counts(&source.rooms[mesh.room].name));
        let triangles = meshes.flat_map(solid_triangles);
        let triangles = triangles.map(|corners| corners.map(rounded));
        let soup = Soup::new(triangles.filter(|t| height(t) >= MIN_HEIGHT));
        Self { level, soup }
    }
}

fn solid_triangles(mesh: &MeshSource) -> impl Iterator<Item = Corners> {
    let corners = |t: &[u32; 3]| t.map(|i| mesh.positions[i as usize]);
    mesh.triangles.iter().filter(|_| mesh.solid).map(corners)
}

/// Height over the longest edge, metres.
fn height([a, b, c]: &Corners) -> f64 {
    let longest = (*b - *a)
        .length()
        .max((*c - *b).length())
        .max((*a - *c).length());
    (*b - *a).cross(*c - *a).length() / longest.max(f64::MIN_POSITIVE)
}

/// A body on a stage.
pub(crate) struct Actor<'a> {
    pub(crate) stage: &'a Stage,
    pub(crate) world: World,
    actor: opendoor::motion::Actor,
    workspace: Workspace,
    /// The bits of the state after every tick.
    pub(crate) track: Vec<[u64; 11]>,
    /// Ticks in which overlaps are allowed, for bodies that were placed inside of geometry.
    pub(crate) forgiven_ticks: usize,
    /// Temporary solids, such as the polygon of a closed portal.
    pub(crate) extra: Soup,
    pub(crate) broad_phase: BroadPhase,
    pub(crate) is_judged: bool,
}

impl Deref for Actor<'_> {
    type Target = opendoor::motion::Actor;

    fn deref(&self) -> &Self::Target {
        &self.actor
    }
}

impl DerefMut for Actor<'_> {
    fn deref_mut(&mut self) -> &mut Self::Target {
        &mut self.actor
    }
}

impl<'a> Actor<'a> {
    /// Places a body with its centre at `centre`, author's coordinates, in the room of this name.
    pub(crate) fn new(stage: &'a Stage, body: Body, room: &str, centre: DVec3) -> Self {
        let at = At::new(
            stage.level.room_named(room).unwrap(),
            stage.level.from_author(AuthorPoint(centre)),
        );
        Self {
            stage,
            world: World::of(&stage.level),
            actor: opendoor::motion::Actor::new(body, State::at_rest(at)),
            workspace: Workspace::default(),
            track: Vec::new(),
            forgiven_ticks: 0,
            extra: Soup::new([]),
            broad_phase: BroadPhase::Portals,
            is_judged: true,
        }
    }

    /// Closes a link even if the body is in it.
    pub(crate) fn close(&mut self, link: LinkId) {
        close_link(&self.stage.level, &mut self.world, link, []).unwrap();
    }

    pub(crate) fn rho(&self) -> f64 {
        rho(self.body.radius)
    }

    /// The body's centre in author's coordinates.
    pub(crate) fn centre(&self) -> DVec3 {
        self.stage.level.to_author(self.state.at.point).0
    }

    pub(crate) fn room(&self) -> &'a str {
        let room: RoomId = self.state.at.room;
        &self.stage.level.room(room).name
    }

    pub(crate) fn world(&self) -> CollisionWorld<'_> {
        CollisionWorld::new(&self.stage.level, &self.world).with_broad_phase(self.broad_phase)
    }

    /// The blockers of the last tick, and whether the body is crushed.
    pub(crate) fn why(&self) -> (&[Blocker], bool) {
        (&self.report.blockers, self.report.crushed)
    }

    /// The pieces of the body's path in the last tick.
    pub(crate) fn path(&self) -> &[PathSegment] {
        &self.report.path
    }

    /// The rotation of the body by portals that bend space, in the last tick.
    pub(crate) fn turned(&self) -> Rigid {
        self.report.target_from_start
    }

    /// The distance from the sphere to the nearest solid geometry, metres.
    pub(crate) fn gap(&self) -> f64 {
        self.distance(self.state.at.point, self.state.at.point) - self.body.radius
    }

    fn distance(&self, from: DVec3, to: DVec3) -> f64 {
        let fixed = self.stage.soup.distance(from, to);
        fixed.min(self.extra.distance(from, to))
    }

    pub(crate) fn tick(&mut self, wish: DVec3, jump: bool) {
        let before = self.state;
        let collision =
            CollisionWorld::new(&self.stage.level, &self.world).with_broad_phase(self.broad_phase);
        let command = MoveCommand { wish, jump };
        tick(&collision, &mut self.actor, &mut self.workspace, &command);
        self.track.push(bits(&self.state));
        if self.is_judged {
            self.judge(&before, wish, jump);
        }
        self.forgiven_ticks = self.forgiven_ticks.saturating_sub(1);
    }

    fn judge(&self, before: &State, wish: DVec3, jump: bool) {
        let now = self.track.len();
        let after = &self.state;
        for vector in [after.at.point, after.walk, after.fall] {
            assert!(vector.is_finite(), "tick {now}: {after:?}");
        }
        let mut at = before.at.point;
        let mut length = 0.0;
        for &PathSegment { from, to } in &self.report.path {
            let from = from.point;
            assert_eq!(from, at, "tick {now}: the path is broken");
            at = to;
            length += (to - from).length();
            if self.forgiven_ticks == 0 {
                let gap = self.distance(from, to) - self.body.radius;
                assert!(
                    gap > 0.0,
                    "tick {now}: gap {gap:.3e} between {from} and {to}, {} pieces",
                    self.report.path.len()
                );
            }
        }
        assert_eq!(after.at.point, at, "tick {now}: the path is broken");
        // Neither pass moves the body farther than wanted, except for pushes that restore a lost gap, each at most as
        // long as the missing part.
        let jump_speed = (2.0 * self.body.gravity * self.body.jump_height).sqrt();
        let fall = if jump && before.grounded {
            DVec3::Y * jump_speed
        } else {
            before.fall
        };
        let fall = fall - DVec3::Y * (self.body.gravity * TICK_SECS * 0.5);
        let wanted = (wish.length() + fall.length()) * TICK_SECS;
        let missing = self.rho() - self.distance(before.at.point, before.at.point);
        let mut allowed = wanted * (1.0 + 1e-6) + 16.0 * missing.max(0.0) + 1e-12;
        // Step settings lift a body up each step and let it down, or snap it down to the ground.
        let step_settings = &self.body.step_settings;
        allowed += 2.0 * STEPS_A_TICK * step_settings.step_height + step_settings.snap;
        if step_settings.max_drop < f64::INFINITY {
            allowed += step_settings
                .max_drop
                .min(self.rho() + wish.length() * TICK_SECS);
        }
        assert!(
            length <= allowed || self.forgiven_ticks > 0,
            "tick {now}: moved {length}, wanted {wanted}"
        );
    }

    pub(crate) fn hold(&mut self, wish: DVec3, ticks: usize) {
        for _ in 0..ticks {
            self.tick(wish, false);
        }
    }

    /// Keeps the wish for another second, in which the body must not move.
    pub(crate) fn assert_still(&mut self, wish: DVec3) {
        let before = self.state.at.point;
        let mut most: f64 = 0.0;
        for _ in 0..60 {
            self.tick(wish, false);
            most = most.max((self.state.at.point - before).length());
        }
        assert!(most < 1e-5, "moves {most:.3e} where it should be still");
    }

    /// Asserts that the gap equals the skin within a tenth.
    pub(crate) fn assert_gap(&self) {
        let (gap, skin) = (self.gap(), SKIN * self.body.radius);
        assert!((gap - skin).abs() < 0.1 * skin, "gap {gap}, skin {skin}");
    }

    /// Asserts that the centre is within `tolerance` metres of `expected`, author's coordinates.
    pub(crate) fn assert_at(&self, expected: DVec3, tolerance: f64) {
        let off = (self.centre() - expected).length();
        assert!(
            off < tolerance,
            "at {} instead of {expected}: {off:.3e} off",
            self.centre()
        );
    }
}

/// All bits of a state.
fn bits(state: &State) -> [u64; 11] {
    let [c, w, f] =
        [state.at.point, state.walk, state.fall].map(|p| p.to_array().map(f64::to_bits));
    let flags = [u64::from(state.at.room.0), u64::from(state.grounded)];
    std::array::from_fn(|i| match i {
        0..3 => c[i],
        3..6 => w[i - 3],
        6..9 => f[i - 6],
        _ => flags[i - 9],
    })
}
