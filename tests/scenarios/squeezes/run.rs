//! Bodies in a hall, tick by tick, with checks after each tick.

use glam::DVec3;
use opendoor::collision::CollisionWorld;
use opendoor::level::{At, LinkId, MoverId};
use opendoor::motion::{self, Actor, MoveCommand, MoverEvent, State, Workspace};
use opendoor::world::World;

use super::drawn::{body, vector};
use super::hall::Hall;
use crate::oracle::{Corners, Soup};
use crate::rng::Rng;

/// A run through a hall: the world and the bodies.
pub(super) struct Squeeze<'a> {
    hall: &'a Hall,
    world: World,
    pub(super) actors: Vec<Actor>,
    workspace: Workspace,
    events: Vec<MoverEvent>,
    /// Number of blocked movers.
    pub(super) blocked: usize,
    /// Number of body ticks that ride a mover.
    pub(super) ridden: usize,
    /// For each mover of the level, the index of the hall's mover and its triangles.
    movers: Vec<(usize, Vec<Corners>)>,
}

/// The position of a body in its hall, and in the coordinates of each mover.
struct Before {
    centre: DVec3,
    on_movers: Vec<DVec3>,
}

impl<'a> Squeeze<'a> {
    pub(super) fn new(hall: &'a Hall, rng: &mut Rng) -> Self {
        let level = &hall.level;
        let movers = level.movers.iter().map(|mover| {
            let index = hall.movers.iter().position(|m| m.name == mover.name);
            let triangles = level.solids.of(&mover.solids);
            (
                index.unwrap(),
                triangles.map(|s| s.triangle().corners).collect(),
            )
        });
        let mut squeeze = Self {
            hall,
            world: World::of(level),
            actors: Vec::new(),
            workspace: Workspace::default(),
            events: Vec::new(),
            blocked: 0,
            ridden: 0,
            movers: movers.collect(),
        };
        for _ in 0..=rng.below(3) {
            let body = body(rng);
            let soup = squeeze.soup();
            for _ in 0..100 {
                let point = vector(rng, hall.air.min, hall.air.max);
                let room = opendoor::level::locate(level, point);
                let Some(room) = room else { continue };
                let actor = Actor::new(body, State::at_rest(At::new(room, point)));
                if squeeze.fault(&soup, &actor).is_none() {
                    squeeze.actors.push(actor);
                    break;
                }
            }
        }
        squeeze
    }

    /// All solid triangles in their current poses.
    fn soup(&self) -> Soup {
        let level = &self.hall.level;
        let posed = self
            .movers
            .iter()
            .enumerate()
            .flat_map(|(i, (_, triangles))| {
                let pose = self.world.pose(MoverId(i as u32));
                triangles.iter().map(move |t| t.map(|p| pose.point(p)))
            });
        let closed = self.world.closed().flat_map(|link| {
            let portal = level.portal(level.link(link).portal);
            portal.polygon.triangles().map(|t| t.corners)
        });
        Soup::new(self.hall.fixed.iter().copied().chain(posed).chain(closed))
    }

    /// The error in the position of a body, if any.
    fn fault(&self, soup: &Soup, actor: &Actor) -> Option<String> {
        let low = actor.state.at.point;
        let high = low + DVec3::Y * actor.body.segment_length;
        let gap = soup.distance(low, high) - actor.body.radius;
        if gap.is_nan() || gap <= 0.0 {
            return Some(format!("gap {gap:e} of {}", actor.body.radius));
        }
        if !self.hall.air.contains(low) || !self.hall.air.contains(high) {
            return Some("out of the level".to_owned());
        }
        if self.hall.full.iter().any(|pillar| pillar.contains(low)) {
            return Some("in a pillar".to_owned());
        }
        for (i, (index, _)) in self.movers.iter().enumerate() {
            let point = self.world.pose(MoverId(i as u32)).inverse().point(low);
            let parts = &self.hall.movers[*index];
            if parts.boxes.iter().any(|part| part.contains(point)) {
                return Some(format!("in {}", parts.name));
            }
        }
        None
    }

    fn before(&self, actor: &Actor) -> Before {
        let centre = actor.state.at.point;
        let on = (0..self.movers.len())
            .map(|i| self.world.pose(MoverId(i as u32)).inverse().point(centre));
        Before {
            centre,
            on_movers: on.collect(),
        }
    }

    /// The error in the path of a body since `before`, if any.
    fn passed(&self, before: &Before, actor: &Actor, moved: &[f64]) -> Option<String> {
        let now = self.before(actor);
        let pieces = actor.report.carried.iter().chain(&actor.report.path);
        let (mut way, mut end) = (0.0, before.centre);
        for piece in pieces {
            let crosses = |t: &&Corners| crosses(piece.from.point, piece.to, t);
            if piece.from.point.distance(end) > 1e-9 {
                return Some("its path has a hole".to_owned());
            }
            if self.hall.fixed.iter().any(|t| crosses(&t)) {
                return Some("through a wall".to_owned());
            }
            (way, end) = (way + piece.length(), piece.to);
        }
        if end.distance(now.centre) > 1e-9 {
            return Some(format!(
                "its path ends elsewhere, {:e}",
                end.distance(now.centre)
            ));
        }
        for (i, (index, triangles)) in self.movers.iter().enumerate() {
            let [from, to] = [before.on_movers[i], now.on_movers[i]];
            let parts = &self.hall.movers[*index];
            // A path around an edge is at least half a circle of the body's radius.
            let is_short = way + moved[i] < 3.0 * actor.body.radius;
            if (parts.seals || is_short) && triangles.iter().any(|t| crosses(from, to, t)) {
                return Some(format!("through {}", parts.name));
            }
        }
        None
    }

    /// Runs a tick; returns the first error after it, with the body.
    pub(super) fn tick(&mut self, commands: &[MoveCommand]) -> Option<String> {
        let level = &self.hall.level;
        let before: Vec<Before> = self.actors.iter().map(|a| self.before(a)).collect();
        let poses: Vec<_> = (0..self.movers.len() as u32)
            .map(|i| *self.world.pose(MoverId(i)))
            .collect();
        self.blocked += self
            .events
            .iter()
            .filter(|e| matches!(e, MoverEvent::Blocked(..)))
            .count();
        self.ridden += self
            .actors
            .iter()
            .filter(|a| a.state.rides.is_some())
            .count();
        self.events.clear();
        let (actors, workspace) = (&mut self.actors, &mut self.workspace);
        motion::move_movers(level, &mut self.world, actors, workspace, &mut self.events);
        let moved: Vec<f64> = poses
            .iter()
            .zip(&self.movers)
            .enumerate()
            .map(|(i, (from, (_, triangles)))| {
                let to = self.world.pose(MoverId(i as u32));
                let corners = triangles.iter().flatten();
                let far = corners.map(|&p| from.point(p).distance(to.point(p)));
                // The factor covers arcs, and bodies farther from the axis than any corner.
                4.0 * far.fold(0.0, f64::max)
            })
            .collect();
        let soup = self.soup();
        for (i, actor) in self.actors.iter().enumerate() {
            if let Some(fault) = self.fault(&soup, actor) {
                return Some(format!("body {i} after the movers: {fault}"));
            }
        }
        let collision = CollisionWorld::new(level, &self.world);
        for (actor, command) in self.actors.iter_mut().zip(commands) {
            motion::tick(&collision, actor, &mut self.workspace, command);
        }
        for (i, actor) in self.actors.iter().enumerate() {
            let fault = self.fault(&soup, actor);
            if let Some(fault) = fault.or_else(|| self.passed(&before[i], actor, &moved)) {
                return Some(format!("body {i}: {fault}"));
            }
        }
        None
    }

    /// Calls a random mover from time to time, and opens or closes the door.
    pub(super) fn call(&mut self, rng: &mut Rng) {
        if rng.below(25) == 0 {
            self.world
                .call(MoverId(rng.below(self.movers.len()) as u32));
        }
        if rng.below(25) == 0 && !self.hall.level.links.is_empty() {
            let (level, link) = (&self.hall.level, LinkId(0));
            if rng.below(2) == 0 {
                self.world.open(link);
            } else {
                let bodies = self.actors.iter().map(|a| (&a.body, &a.state));
                let _ = motion::close_link(level, &mut self.world, link, bodies);
            }
        }
    }
}

/// Whether a segment intersects a triangle.
fn crosses(from: DVec3, to: DVec3, [a, b, c]: &Corners) -> bool {
    let normal = (b - a).cross(c - a);
    let [low, high] = [from, to].map(|p| (p - a).dot(normal));
    if low * high >= 0.0 {
        return false;
    }
    let at = from + (to - from) * (low / (low - high));
    [(a, b), (b, c), (c, a)]
        .iter()
        .all(|(p, q)| (*q - *p).cross(at - *p).dot(normal) > 0.0)
}
