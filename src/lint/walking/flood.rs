//! The places that a body can reach on foot, found by a flood of the floor in steps of a fixed length.

use std::collections::{BTreeMap, BTreeSet};
use std::f64::consts::FRAC_PI_2;

use glam::DVec3;

use super::steps::{ProbeBody, Stand, StepResult};
use crate::game::PLAYER;
use crate::geometry::Aabb;
use crate::level::{At, LevelData, PortalId, RoomId};

/// Length of a step, metres. With this length, a doorway 0.9 m wide is found at any position.
pub(super) const STEP: f64 = 0.3;
/// Minimum height difference between floors above one another, metres.
const FLOOR: f64 = 0.4;
/// Maximum number of visited places; they take some seconds. Further places are not checked.
const MAX_PLACES: usize = 12_000;
/// A coordinate farther than this from the middle of its cell, in cells, is near the cell's edge.
const NEAR_EDGE: f64 = 0.45;
/// Minimum depth of drops over which jumps are tried too, metres.
const GAP: f64 = 1.0;

/// A place where a body can stand.
#[derive(Clone, Copy, Debug)]
pub(super) struct StandingPlace {
    pub stand: Stand,
    /// Whether the place can be reached only by jumping.
    pub jumped: bool,
    /// For each of the [`directions`], whether the body stands upright after a step from here.
    pub is_upright_after: [bool; 4],
}

/// The result of a flood.
#[derive(Default)]
pub(super) struct WalkableArea {
    pub places: Vec<StandingPlace>,
    /// Steps from one place to another, with the height difference in metres.
    pub edges: Vec<(usize, usize, f64)>,
    /// Jumps up from one place to another, with their direction.
    pub jumps: Vec<(usize, DVec3, usize)>,
    /// Positions without a floor below, each with the place from which a step leads there.
    pub outs: Vec<(usize, At)>,
    /// Whether all places were visited.
    pub is_complete: bool,
    /// The number of start places; they come first in the list.
    starts: usize,
    known: BTreeMap<(RoomId, [i64; 3]), usize>,
    pub grid: VisitedCells,
    /// Pairs of rooms whose portals are all too narrow.
    shut: BTreeSet<[RoomId; 2]>,
}

impl WalkableArea {
    /// Floods the floor from the starts: first by steps alone, then also by jumps.
    pub(super) fn from(
        walker: &mut ProbeBody,
        starts: &[Stand],
        narrow: &BTreeSet<PortalId>,
    ) -> Self {
        let mut flood = Self {
            shut: shut(walker.collision.level, narrow),
            grid: VisitedCells::through(starts),
            ..Self::default()
        };
        for &stand in starts {
            flood.add(stand, false);
        }
        flood.starts = flood.places.len();
        let step_height = PLAYER.step_settings.step_height;
        let mut next = 0;
        let mut blocked: Vec<(usize, DVec3)> = Vec::new();
        let mut first_blocked = 0;
        loop {
            if flood.places.len() > MAX_PLACES {
                return flood;
            }
            if next < flood.places.len() {
                let place = flood.places[next];
                for (direction, along) in directions().enumerate() {
                    let along = flood.grid.next_step(place.stand.at.point, along);
                    match walker.step(place.stand.at, along, step_height) {
                        StepResult::To(stand, rise) => {
                            flood.places[next].is_upright_after[direction] = stand.upright;
                            flood.link(next, stand, rise, place.jumped);
                            if rise < -GAP {
                                blocked.push((next, along));
                            }
                        }
                        StepResult::Out(at) => {
                            flood.outs.push((next, at));
                            blocked.push((next, along));
                        }
                        StepResult::Blocked => blocked.push((next, along)),
                    }
                }
                flood.through_portals(walker, next);
                next += 1;
            } else if first_blocked < blocked.len() {
                let (from, along) = blocked[first_blocked];
                first_blocked += 1;
                let at = flood.places[from].stand.at;
                match walker.step(at, along, PLAYER.jump_height) {
                    StepResult::To(stand, rise) if rise > step_height => {
                        let to = flood.link(from, stand, rise, true);
                        flood.jumps.push((from, along, to));
                    }
                    StepResult::Blocked => {}
                    _ => {
                        if let Some(stand) = walker.jump(at, along) {
                            flood.link(from, stand, 0.0, true);
                        }
                    }
                }
            } else {
                flood.is_complete = true;
                return flood;
            }
        }
    }

    /// Steps in front of nearby portals, in line with their middle, and then through them: narrow portals may lie
    /// between the regular steps.
    fn through_portals(&mut self, walker: &mut ProbeBody, from: usize) {
        let StandingPlace { stand, jumped, .. } = self.places[from];
        let level = walker.collision.level;
        let step_height = PLAYER.step_settings.step_height;
        let mut near = Vec::new();
        let beside = |side: f64| stand.at.point.with_y(side * f64::INFINITY);
        let column = Aabb::around([beside(-1.0), beside(1.0)]).grown(3.0 * STEP);
        level.each_portal_near(stand.at.room, &column, |id| near.push(id));
        near.sort_unstable();
        let mut done = BTreeSet::new();
        for portal in near.into_iter().map(|id| level.portal(id)) {
            let out = portal.polygon.plane.normal.with_y(0.0).normalize_or_zero();
            let to_middle = (portal.polygon.centre() - stand.at.point).with_y(0.0);
            let before = to_middle - out * STEP;
            if portal.moves() || out == DVec3::ZERO || before.length() > 1.5 * STEP {
                continue;
            }
            // Portals above one another need the same steps, so these are taken once.
            let steps = [before.x, before.z, out.x, out.z].map(f64::to_bits);
            if !done.insert(steps) {
                continue;
            }
            if let StepResult::To(middle, rise) = walker.step(stand.at, before, step_height) {
                let first = self.link(from, middle, rise, jumped);
                if let StepResult::To(beyond, rise) =
                    walker.step(middle.at, out * 2.0 * STEP, step_height)
                {
                    self.link(first, beyond, rise, jumped);
                }
            }
        }
    }

    fn add(&mut self, stand: Stand, jumped: bool) -> usize {
        *self
            .known
            .entry((stand.at.room, self.grid.cell(stand.at.point)))
            .or_insert_with(|| {
                self.places.push(StandingPlace {
                    stand,
                    jumped,
                    is_upright_after: [false; 4],
                });
                self.places.len() - 1
            })
    }

    fn link(&mut self, from: usize, stand: Stand, rise: f64, jumped: bool) -> usize {
        if self
            .shut
            .contains(&[self.places[from].stand.at.room, stand.at.room])
        {
            return from;
        }
        let to = self.add(stand, jumped);
        if to != from {
            self.edges.push((from, to, rise));
        }
        to
    }

    /// The connected groups of places from which no way leads back.
    pub(super) fn parts(&self, leads_back: &[bool]) -> Vec<Vec<usize>> {
        let mut beside: Vec<Vec<usize>> = vec![Vec::new(); self.places.len()];
        for &(from, to, _) in self
            .edges
            .iter()
            .filter(|(a, b, _)| !leads_back[*a] && !leads_back[*b])
        {
            beside[from].push(to);
            beside[to].push(from);
        }
        let mut known = leads_back.to_vec();
        let mut parts = Vec::new();
        for place in 0..self.places.len() {
            let (mut part, mut waiting) = (Vec::new(), vec![place]);
            while let Some(place) = waiting.pop() {
                if !std::mem::replace(&mut known[place], true) {
                    part.push(place);
                    waiting.extend(&beside[place]);
                }
            }
            if !part.is_empty() {
                parts.push(part);
            }
        }
        parts
    }

    /// For each place, whether a body reaches it without crouching or jumping.
    pub(super) fn upright(&self) -> Vec<bool> {
        let mut beside: Vec<Vec<usize>> = vec![Vec::new(); self.places.len()];
        for &(from, to, _) in &self.edges {
            beside[from].push(to);
        }
        let is_free = |place: usize| self.places[place].stand.upright && !self.places[place].jumped;
        let mut upright = vec![false; self.places.len()];
        let mut waiting: Vec<usize> = (0..self.starts).collect();
        while let Some(place) = waiting.pop() {
            if is_free(place) && !std::mem::replace(&mut upright[place], true) {
                waiting.extend(&beside[place]);
            }
        }
        upright
    }

    /// Whether a way back exists from a place at a point or in an adjacent cell.
    pub(super) fn leads_back_at(&self, at: At, leads_back: &[bool]) -> bool {
        let [x, y, z] = self.grid.cell(at.point);
        let near = (0..27).map(|i| [x + i / 9 - 1, y + i / 3 % 3 - 1, z + i % 3 - 1]);
        let mut near = near.filter_map(|cell| self.known.get(&(at.room, cell)));
        near.any(|&place| {
            let other = self.places[place].stand.at.point;
            leads_back[place] && (other.y - at.point.y).abs() < 0.2
        })
    }

    /// Whether a place at a point is one for which `counts` is true.
    pub(super) fn is_at(&self, at: At, counts: &[bool]) -> bool {
        let place = self.known.get(&(at.room, self.grid.cell(at.point)));
        place.is_some_and(|&place| counts[place])
    }

    /// For each place, whether a way leads back to one of the first `starts` places. Drops no deeper than a jump's
    /// height can be jumped up again.
    pub(super) fn lead_back(&self, starts: usize) -> Vec<bool> {
        let mut before: Vec<Vec<usize>> = vec![Vec::new(); self.places.len()];
        for &(from, to, rise) in &self.edges {
            before[to].push(from);
            if rise >= -PLAYER.jump_height {
                before[from].push(to);
            }
        }
        let mut leads = vec![false; self.places.len()];
        let mut waiting: Vec<usize> = (0..starts.min(self.places.len())).collect();
        while let Some(place) = waiting.pop() {
            if !std::mem::replace(&mut leads[place], true) {
                waiting.extend(&before[place]);
            }
        }
        leads
    }
}

/// The grid cells of a flood. Of all places of one room in one cell, only the first is visited.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct VisitedCells {
    /// The middle of a cell, at the first start. If steps ended near cell edges, rounding could keep two of them in one
    /// cell, or skip a cell.
    origin: DVec3,
}

impl VisitedCells {
    /// The cells with a middle at the first start.
    fn through(starts: &[Stand]) -> Self {
        let origin = starts.first().map(|start| start.at.point.with_y(0.0));
        Self {
            origin: origin.unwrap_or_default(),
        }
    }

    /// The cell of a point.
    pub(super) fn cell(&self, point: DVec3) -> [i64; 3] {
        let offset = (point - self.origin) / DVec3::new(STEP, FLOOR, STEP);
        offset.to_array().map(|x| x.round() as i64)
    }

    /// A step along one of the [`directions`]. If its start is near a cell edge along that direction, the step ends in
    /// the middle of the next cell.
    fn next_step(&self, from: DVec3, along: DVec3) -> DVec3 {
        let cells = (from - self.origin) / STEP;
        let axis = along.abs() / STEP;
        if ((cells - cells.round()) * axis).abs().max_element() < NEAR_EDGE {
            return along;
        }
        let middle = self.origin + cells.round() * STEP;
        axis * (middle + along - from)
    }
}

/// The pairs of rooms whose portals are all too narrow.
fn shut(level: &LevelData, narrow: &BTreeSet<PortalId>) -> BTreeSet<[RoomId; 2]> {
    let rooms = |id: &PortalId| [level.portal(*id).near, level.portal(*id).far];
    let mut shut: BTreeSet<[RoomId; 2]> = narrow.iter().map(rooms).collect();
    let ids = (0..level.portals.len() as u32).map(PortalId);
    for id in ids.filter(|id| !narrow.contains(id)) {
        shut.remove(&rooms(&id));
    }
    shut
}

/// The directions of steps.
pub(super) fn directions() -> impl Iterator<Item = DVec3> {
    (0..4).map(|quarter| {
        let angle = f64::from(quarter) * FRAC_PI_2;
        DVec3::new(libm::cos(angle).round(), 0.0, libm::sin(angle).round()) * STEP
    })
}
