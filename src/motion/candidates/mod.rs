//! Which polygons can a motion meet: those of the rooms that its box reaches through portals.
//!
//! They are gathered in a box larger than one tick needs, and kept. A later tick inside that box
//! only finds out which of the rooms its own, smaller box reaches, and which of the polygons are
//! near: it sees the same polygons as if it had gathered anew. A polygon once measured is not
//! looked at again before the body has moved as far as it was away.

mod gather;
mod nearby;
mod stretch;

use std::ops::Range;

use glam::DVec3;
use nearby::Boxes;
use stretch::push_stretched;

use super::{Scope, Solid, World};
use crate::geometry::{Aabb, Rigid, Triangle};
use crate::level::{EdgeKind, Material, PortalId, RoomId, SolidTriangle};

/// Distances are taken as this part smaller than measured, for their rounding.
const ROUNDING: f64 = 1e-9;

/// Candidates are gathered this many times the reach of the tick that needs them beyond it.
const MARGIN: f64 = 1.0;

/// A solid triangle in the home coordinates: those of the room that was gathered from.
#[derive(Clone, Copy, Debug)]
pub(super) struct Candidate {
    pub triangle: Triangle,
    /// Unit normal of the front.
    pub normal: DVec3,
    /// Whether it is solid from behind too.
    pub two_sided: bool,
    pub edges: [EdgeKind; 3],
    pub surface: Surface,
    /// What it is a part of.
    pub solid: Solid,
}

/// How a surface acts on a body; see [`Material`].
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Surface {
    pub friction: f64,
    pub drag: f64,
    pub bounce: f64,
}

impl Surface {
    /// That of a wall which is none of the level's: it only stops.
    pub(super) const SMOOTH: Self = Self {
        friction: 0.0,
        drag: 0.0,
        bounce: 0.0,
    };

    fn of(material: &Material) -> Self {
        Self {
            friction: material.friction,
            drag: material.drag,
            bounce: material.bounce,
        }
    }
}

/// What was gathered, and which of it counts now.
#[derive(Debug, Default)]
pub(super) struct Candidates {
    /// The box that was gathered in, home coordinates, and whence; `None` before the first time.
    gathered: Option<(Aabb, Scope)>,
    /// Length of the body's axis, metres, by which polygons are stretched downwards.
    axis: f64,
    places: Vec<Place>,
    ways: Vec<Way>,
    polygons: Vec<Polygon>,
    boxes: Boxes,
    /// Those that were looked at closely.
    opened: Vec<Candidate>,
    /// For each of them, what `moved` must be at least before the centre can be on it.
    met_at: Vec<f64>,
    /// How far the point that is looked from has moved since gathering, metres, and where it is.
    moved: f64,
    centre: DVec3,
    /// Indices of those that count now, into `opened`.
    near: Vec<u32>,
    /// For each room its first place, valid only where that is of this room: a sparse set (P.
    /// Briggs and L. Torczon, 1993), which no tick has to clear.
    first_place: Vec<u32>,
    /// Places to go on from.
    work: Vec<u32>,
    generation: u64,
}

/// A set of triangles at the place where it is met: a room, or what closes a link.
#[derive(Clone, Copy, Debug)]
struct Place {
    /// `None` for what closes a link.
    room: Option<RoomId>,
    /// The coordinates of the set.
    set_from_home: Rigid,
    /// Its first way out, and one past the last.
    ways: [u32; 2],
    /// Another place of the same room.
    next: Option<u32>,
    /// Whether the box of the present tick reaches it.
    reached: bool,
}

/// A portal between two places, or from one to what closes it.
#[derive(Clone, Copy, Debug)]
struct Way {
    portal: PortalId,
    to: u32,
    open: bool,
}

/// A gathered polygon.
#[derive(Clone, Copy, Debug)]
struct Polygon {
    place: u32,
    state: Opened,
}

#[derive(Clone, Copy, Debug)]
enum Opened {
    No(SolidTriangle),
    /// From and to where it is in [`Candidates::opened`]: nowhere if it has no area, in several
    /// pieces if it was stretched.
    Yes(u32, u32),
}

impl Candidates {
    /// Finds every solid triangle that comes within `reach` of `centre`, in coordinates of `room`,
    /// when stretched downwards by `axis` metres.
    ///
    /// Starting at `room`, a portal is passed where the sphere's box touches its reach, box
    /// against box; in each room reached, the sphere is tested against the box of each polygon,
    /// then against the polygon.
    pub(super) fn find(
        &mut self,
        world: &World,
        room: RoomId,
        centre: DVec3,
        reach: f64,
        axis: f64,
    ) {
        let query = Aabb::around([centre, centre + DVec3::Y * axis]).grown(reach);
        let start = self.place_of(room, &Rigid::IDENTITY);
        let is_kept = self.gathered.is_some_and(|(gathered, scope)| {
            scope == world.scope
                && axis == self.axis
                && gathered.contains(query.min)
                && gathered.contains(query.max)
                && start.is_some()
        });
        if !is_kept || !self.links_are_as_they_were(world) {
            self.gather(world, room, &query.grown(MARGIN * reach), axis);
            self.centre = centre;
        }
        self.moved += centre.distance(self.centre);
        self.centre = centre;
        self.reach(world, room, &query);
        let Self {
            places,
            polygons,
            boxes,
            opened,
            met_at,
            axis,
            generation,
            near,
            moved,
            ..
        } = self;
        near.clear();
        *generation += 1;
        boxes.within(centre, reach, |index| {
            let polygon = &mut polygons[index];
            let place = &places[polygon.place as usize];
            if !place.reached {
                return;
            }
            let axis = *axis;
            for index in open(world, place, polygon, axis, opened) {
                if index as usize >= met_at.len() {
                    let distance = opened[index as usize].triangle.distance(centre);
                    met_at.push(*moved + distance * (1.0 - ROUNDING));
                }
                if met_at[index as usize] - *moved <= reach {
                    near.push(index);
                }
            }
        });
    }

    /// Finds every solid triangle whose box, stretched downwards by `axis` metres, touches
    /// `query`, a box in coordinates of `room` that is stretched upwards by it.
    pub(super) fn find_in(&mut self, world: &World, room: RoomId, query: &Aabb, axis: f64) {
        self.gather(world, room, query, axis);
        self.near.clear();
        self.generation += 1;
        for polygon in &mut self.polygons {
            let place = &self.places[polygon.place as usize];
            self.near
                .extend(open(world, place, polygon, axis, &mut self.opened));
        }
        self.met_at.clear();
        self.met_at.resize(self.opened.len(), f64::NEG_INFINITY);
    }

    /// Changes with what is found.
    pub(super) fn generation(&self) -> u64 {
        self.generation
    }

    /// What was found last.
    pub(super) fn found(&self) -> impl Iterator<Item = &Candidate> {
        self.near.iter().map(|&i| &self.opened[i as usize])
    }

    /// What of it may come within `distance` metres of a point near the centre that it was found
    /// for.
    pub(super) fn found_within(
        &self,
        point: DVec3,
        distance: f64,
    ) -> impl Iterator<Item = &Candidate> {
        let moved = self.moved + point.distance(self.centre);
        let near = self.near.iter().map(|&i| i as usize);
        let near = near.filter(move |&i| self.met_at[i] - moved <= distance);
        near.map(|i| &self.opened[i])
    }

    /// Calls `look` with each candidate that may come within `distance` metres of such a point; it
    /// answers how far away it is at least, so that the next look can be spared.
    pub(super) fn look_within(
        &mut self,
        point: DVec3,
        distance: f64,
        mut look: impl FnMut(&Candidate) -> f64,
    ) {
        self.moved += point.distance(self.centre);
        self.centre = point;
        for &index in &self.near {
            let met_at = &mut self.met_at[index as usize];
            if *met_at - self.moved <= distance {
                let least = look(&self.opened[index as usize]);
                *met_at = met_at.max(self.moved + least * (1.0 - ROUNDING));
            }
        }
    }

    /// Marks the places that `query`, a box in coordinates of `room`, reaches.
    fn reach(&mut self, world: &World, room: RoomId, query: &Aabb) {
        let everywhere = world.scope == Scope::WholeSoup;
        self.work.clear();
        for (index, place) in (0u32..).zip(&mut self.places) {
            place.reached = everywhere && place.room.is_some();
            if place.reached {
                self.work.push(index);
            }
        }
        if let Some(start) = self.place_of(room, &Rigid::IDENTITY)
            && !everywhere
        {
            self.places[start as usize].reached = true;
            self.work.push(start);
        }
        while let Some(index) = self.work.pop() {
            let Place {
                ways,
                set_from_home,
                ..
            } = self.places[index as usize];
            if ways[0] == ways[1] {
                continue;
            }
            let query = query.transformed(&set_from_home);
            for way in &self.ways[ways[0] as usize..ways[1] as usize] {
                let portal = world.level.portal(way.portal);
                let to = &mut self.places[way.to as usize];
                // Who stands before a closed opening meets what closes it from this side.
                if to.room.is_none() && portal.to == room && portal.from != room {
                    continue;
                }
                if !to.reached && portal.reach.overlaps(&query) {
                    to.reached = true;
                    self.work.push(way.to);
                }
            }
        }
    }

    fn links_are_as_they_were(&self, world: &World) -> bool {
        let mut ways = self.ways.iter();
        ways.all(|way| world.open.is_open(world.level.portal(way.portal).link) == way.open)
    }
}

/// The indices of a polygon's pieces among those looked at closely.
fn open(
    world: &World,
    place: &Place,
    polygon: &mut Polygon,
    axis: f64,
    opened: &mut Vec<Candidate>,
) -> Range<u32> {
    let solid = match polygon.state {
        Opened::Yes(first, end) => return first..end,
        Opened::No(solid) => solid,
    };
    let home_from_set = place.set_from_home.inverse();
    let corners = solid.triangle().corners;
    let triangle = Triangle {
        corners: corners.map(|p| home_from_set.point(p)),
    };
    let first = opened.len() as u32;
    if let Some(normal) = triangle.normal() {
        let material = &world.level.materials[solid.surface.material as usize];
        let candidate = Candidate {
            triangle,
            // A mirror turns the winding; the front stays where the room says it is.
            normal: if home_from_set.is_mirror() {
                -normal
            } else {
                normal
            },
            two_sided: material.double_sided,
            edges: solid.edges,
            surface: Surface::of(material),
            solid: Solid::Triangle(solid.index),
        };
        push_stretched(&candidate, axis, opened);
    }
    let end = opened.len() as u32;
    polygon.state = Opened::Yes(first, end);
    first..end
}
