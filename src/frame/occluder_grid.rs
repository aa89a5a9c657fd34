//! Bodies that darken the ambient light on the surfaces around them: contact shadows.
//!
//! Each room with bodies in or near it has a grid of columns; a column lists the bodies that darken surfaces in it. A
//! body is a sphere, or the box with its mass and its moments of inertia. The list of a room depends on the world alone,
//! never on the view.

use std::cmp::Ordering;
use std::ops::Range;

use glam::{DMat3, DQuat, DVec3, Vec3};

use crate::geometry::{Aabb, Rigid};
use crate::level::{Alpha, BodyId, Level, PortalId, RigidBody, RoomId};
use crate::world::World;

/// The distance from its centre within which a body darkens surfaces, in radii, as in the shader: beyond, it would take
/// less than 2 % of the light.
const REACH: f64 = 3.0;
/// The minimum size of a column, metres.
const MIN_CELL: f64 = 0.5;
/// The maximum number of columns along an axis.
const MAX_CELLS: f64 = 48.0;

/// The distance up to which two places of a body are the same, metres.
const SAME_PLACE: f64 = 1e-6;

/// The bodies that darken the ambient light in the rooms of a frame, reused from frame to frame.
#[derive(Clone, Debug, Default)]
pub struct FrameOccluders {
    /// The grids of all rooms, in the layout of the shader.
    pub records: Vec<[f32; 4]>,
    /// The rooms of the frame, sorted, each with the index of its grid and the range of its bodies.
    rooms: Vec<(RoomId, Option<RoomGrid>)>,
    bodies: Vec<Occluder>,
    /// For each column of a grid the index of its first entry; then the entries, indices of bodies.
    starts: Vec<u32>,
    entries: Vec<u32>,
}

/// The grid of a room.
#[derive(Clone, Debug)]
struct RoomGrid {
    record: u32,
    /// The bodies in the room, in order, a range of [`FrameOccluders::bodies`].
    own: Range<usize>,
}

/// A body as an occluder, in coordinates of the room that it darkens.
#[derive(Clone, Debug)]
struct Occluder {
    body: BodyId,
    centre: DVec3,
    rotation: DQuat,
    /// Half the size of the box; for a sphere, its radius in each direction.
    half_size: DVec3,
    is_sphere: bool,
    /// The distance within which it darkens surfaces, metres.
    reach: f64,
}

/// The grid of an instance and the body that is the instance itself; each is -1 for none.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct OccluderList {
    /// The index of the first record of the grid in [`FrameOccluders::records`].
    pub grid: f32,
    /// The index of the instance's own body in the grid.
    pub own: f32,
}

impl OccluderList {
    /// No grid.
    pub(crate) const NONE: Self = Self {
        grid: -1.0,
        own: -1.0,
    };
}

impl FrameOccluders {
    pub(super) fn clear(&mut self) {
        self.records.clear();
        self.rooms.clear();
        self.bodies.clear();
    }

    /// The list of an instance in a room.
    pub(super) fn list(
        &mut self,
        state: (&Level, &World),
        room: RoomId,
        own: Option<BodyId>,
    ) -> OccluderList {
        let at = self.rooms.binary_search_by_key(&room, |(room, _)| *room);
        let at = at.unwrap_or_else(|at| {
            let grid = self.add_room(state, room);
            self.rooms.insert(at, (room, grid));
            at
        });
        let Some(grid) = &self.rooms[at].1 else {
            return OccluderList::NONE;
        };
        let bodies = &self.bodies[grid.own.clone()];
        let own = own.and_then(|own| bodies.binary_search_by_key(&own, |body| body.body).ok());
        OccluderList {
            grid: grid.record as f32,
            own: own.map_or(-1.0, |own| own as f32),
        }
    }

    /// Adds the grid of a room, if bodies darken surfaces in it.
    fn add_room(&mut self, (level, world): (&Level, &World), room: RoomId) -> Option<RoomGrid> {
        let first = self.bodies.len();
        let bounds = level.room(room).bounds;
        self.gather((level, world), room, &Rigid::IDENTITY, |_| true);
        let own = first..self.bodies.len();
        let portals = level.portals_of(room).filter_map(|(id, _)| level.back(id));
        let entrances = level.room(room).one_way_entrances.iter().copied();
        for id in portals.chain(entrances) {
            self.gather_behind((level, world), id);
        }
        self.remove_repeated(own.end);
        let bodies = first..self.bodies.len();
        if bodies.is_empty() {
            return None;
        }
        let record = self.records.len() as u32;
        self.write_grid(&bounds, bodies);
        Some(RoomGrid { record, own })
    }

    /// Removes bodies from the index `first` on that were gathered several times: their reach passes several portals of
    /// one opening.
    fn remove_repeated(&mut self, first: usize) {
        let gathered = &mut self.bodies[first..];
        gathered.sort_unstable_by(|a, b| {
            let [x, y] = [a, b].map(|body| body.centre.to_array());
            let by_place = || x.partial_cmp(&y).unwrap_or(Ordering::Equal);
            a.body.cmp(&b.body).then_with(by_place)
        });
        let mut kept = first;
        for at in first..self.bodies.len() {
            let is_repeated = kept > first && {
                let [last, this] = [&self.bodies[kept - 1], &self.bodies[at]];
                last.body == this.body && last.centre.abs_diff_eq(this.centre, SAME_PLACE)
            };
            if !is_repeated {
                self.bodies.swap(kept, at);
                kept += 1;
            }
        }
        self.bodies.truncate(kept);
    }

    /// Gathers the bodies whose reach passes an open portal into the room behind it.
    fn gather_behind(&mut self, (level, world): (&Level, &World), id: PortalId) {
        if !world.passes_light(level.portal(id).link) {
            return;
        }
        let portal = world.rooms().portal(level, id);
        let touches = |around: &Aabb| portal.bounds.overlaps(around);
        self.gather((level, world), portal.near, &portal.far_from_near, touches);
    }

    /// Gathers the bodies in a room whose reach fulfils a condition.
    fn gather(
        &mut self,
        (level, world): (&Level, &World),
        room: RoomId,
        here_from_room: &Rigid,
        is_near: impl Fn(&Aabb) -> bool,
    ) {
        for (id, state) in world.bodies.in_room(room) {
            let body = level.body(id);
            let (half_size, axes) = size_of(body);
            let is_sphere = body.sphere_radius().is_some();
            let radius = if is_sphere {
                half_size.x
            } else {
                half_size.length()
            };
            let reach = REACH * radius;
            if !darkens(level, body) || !is_near(&Aabb::around([state.at.point]).grown(reach)) {
                continue;
            }
            let axes = here_from_room.rotation() * DMat3::from_quat(state.rotation) * axes;
            self.bodies.push(Occluder {
                body: id,
                centre: here_from_room.point(state.at.point),
                rotation: DQuat::from_mat3(&axes),
                half_size,
                is_sphere,
                reach,
            });
        }
    }

    /// Writes the grid of a room with these bounds: the header, the columns, the entries and the bodies.
    fn write_grid(&mut self, bounds: &Aabb, bodies: Range<usize>) {
        let Self {
            records,
            bodies: all,
            starts,
            entries,
            ..
        } = self;
        let bodies = &all[bodies];
        let boxes = bodies
            .iter()
            .map(|body| Aabb::around([body.centre]).grown(body.reach));
        let around = boxes.clone().fold(Aabb::EMPTY, Aabb::union);
        let (min, max) = (around.min.max(bounds.min), around.max.min(bounds.max));
        let extent = (max - min).max(DVec3::ZERO);
        let cell = (extent.max_element() / MAX_CELLS).max(MIN_CELL);
        let [nx, nz] = [extent.x, extent.z].map(|extent| (extent / cell).ceil().max(1.0) as usize);
        let columns = |around: &Aabb| {
            let range = |low: f64, high: f64, count: usize| {
                let low = (low / cell).floor().max(0.0) as usize;
                let high = (high / cell).floor().max(-1.0) + 1.0;
                low.min(count)..(high as usize).min(count)
            };
            let x = range(around.min.x - min.x, around.max.x - min.x, nx);
            let z = range(around.min.z - min.z, around.max.z - min.z, nz);
            z.flat_map(move |z| x.clone().map(move |x| z * nx + x))
        };
        // Counting sort: the ends of all columns first; each entry then moves the start of its column down.
        starts.clear();
        starts.resize(nx * nz + 1, 0);
        for around in boxes.clone() {
            columns(&around).for_each(|column| starts[column] += 1);
        }
        let mut sum = 0;
        for start in &mut *starts {
            sum += *start;
            *start = sum;
        }
        entries.clear();
        entries.resize(sum as usize, 0);
        for (body, around) in (0..bodies.len() as u32).rev().zip(boxes.rev()) {
            for column in columns(&around) {
                starts[column] -= 1;
                entries[starts[column] as usize] = body;
            }
        }
        let of_entries = 2 + starts.len().div_ceil(4);
        let of_bodies = of_entries + entries.len().div_ceil(4);
        let corner = min.as_vec3();
        records.push([corner.x, corner.z, (1.0 / cell) as f32, nx as f32]);
        records.push([nz as f32, 2.0, of_entries as f32, of_bodies as f32]);
        for list in [&*starts, &*entries] {
            let fours = list.chunks(4);
            let four =
                |four: &[u32]| std::array::from_fn(|at| four.get(at).map_or(0.0, |n| *n as f32));
            records.extend(fours.map(four));
        }
        for body in bodies {
            let Vec3 { x, y, z } = body.centre.as_vec3();
            records.push([x, y, z, body.reach as f32]);
            records.push(body.rotation.as_quat().to_array());
            let Vec3 { x, y, z } = body.half_size.as_vec3();
            records.push([x, y, z, f32::from(u8::from(body.is_sphere))]);
        }
    }
}

/// Half the size of a body's box, and its axes in the body's coordinates. The box has the mass and the moments of
/// inertia of the body, and is inside its bounding sphere; for a body that is a box it is the body.
fn size_of(body: &RigidBody) -> (DVec3, DMat3) {
    if let Some(radius) = body.sphere_radius() {
        return (DVec3::splat(radius), DMat3::IDENTITY);
    }
    let moments = body.mass.moments / body.mass.mass;
    let sum = moments.element_sum();
    // The moment about an axis is a third of the sum of the squares of the half sizes along the other two.
    let squares = (DVec3::splat(sum) - 2.0 * moments) * 1.5;
    let half_size = squares.map(|square| square.max(0.0).sqrt());
    // The box of a round body would reach out of it, into the floor.
    let outside = (half_size.length() / body.radius).max(1.0);
    (half_size / outside, body.mass.axes)
}

/// Whether a body takes ambient light away: no glass, and nothing that glows.
fn darkens(level: &Level, body: &RigidBody) -> bool {
    let draws = &level.draws[body.draws.start as usize..body.draws.end as usize];
    draws.first().is_some_and(|draw| {
        let material = &level.materials[draw.material as usize];
        material.alpha != Alpha::Blend && material.emissive == [0.0; 3] && !material.unlit
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::author::sketch::{Sketch, cuboid};
    use crate::build::build;
    use crate::rng::Rng;
    use crate::source::{BodyShape, BodySource};

    /// Two rooms with a doorway that is divided into this number of portals, and a crate beside it in the first room.
    fn doorway(portals: u32) -> Level {
        let mut sketch = Sketch::new("doorway");
        let width = 2.0 / f64::from(portals);
        let parts = (0..portals).map(|nth| {
            let z = f64::from(nth) * width - 1.0;
            cuboid([0.0, 0.0, z], [0.0, 2.0, z + width])
        });
        let parts: Vec<Aabb> = parts.collect();
        let a = cuboid([-4.0, 0.0, -4.0], [0.0, 3.0, 4.0]);
        let a = sketch.box_room("a", a, &parts);
        sketch.box_room("b", cuboid([0.0, 0.0, -4.0], [4.0, 3.0, 4.0]), &parts);
        for part in parts {
            sketch.portal(a, "b", part, DVec3::X);
        }
        sketch.furniture(a, 0, cuboid([-0.7, 0.0, -0.3], [-0.1, 0.6, 0.3]));
        sketch.source.bodies.push(BodySource {
            node: "crate-body".to_owned(),
            meshes: sketch.source.meshes.pop().into_iter().collect(),
            shape: BodyShape::Box,
            axes: DMat3::IDENTITY,
            mass: Some(5.0),
            friction: None,
            bounce: None,
        });
        sketch.spawn(a, DVec3::new(-3.0, 0.1, 0.0), DVec3::X);
        build(sketch.source).expect("the sketch is good").0
    }

    #[test]
    fn a_body_counts_once_in_the_room_behind_an_opening_of_several_portals() {
        for portals in [1, 2, 5] {
            let level = doorway(portals);
            let world = World::of(&level);
            for room in level.room_ids() {
                let mut grid = FrameOccluders::default();
                let list = grid.list((&level, &world), room, Some(BodyId(0)));
                assert_eq!(grid.bodies.len(), 1, "{portals} portals");
                let is_own = world.bodies.state(BodyId(0)).at.room == room;
                assert_eq!(
                    (list.grid, list.own),
                    (0.0, if is_own { 0.0 } else { -1.0 })
                );
            }
        }
    }

    /// The bodies that a grid lists at a point, as the shader reads them.
    fn listed(records: &[[f32; 4]], point: Vec3) -> Vec<u32> {
        let [corner, offsets] = [records[0], records[1]];
        let column = [point.x - corner[0], point.z - corner[1]].map(|at| (at * corner[2]).floor());
        let size = [corner[3], offsets[0]];
        if (0..2).any(|axis| column[axis] < 0.0 || column[axis] >= size[axis]) {
            return Vec::new();
        }
        let at = (column[1] * size[0] + column[0]) as usize;
        let number = |first: f32, at: usize| records[first as usize + at / 4][at % 4] as u32;
        let [start, end] = [0, 1].map(|next| number(offsets[1], at + next));
        (start..end)
            .map(|entry| number(offsets[2], entry as usize))
            .collect()
    }

    #[test]
    fn a_grid_lists_all_bodies_whose_reach_contains_a_point_and_few_others() {
        let mut rng = Rng::new(11);
        let (mut inside, mut others) = (0, 0);
        for _ in 0..300 {
            let size = DVec3::from_array([0; 3].map(|_| rng.between(0.5, 60.0)));
            let min = DVec3::from_array([0; 3].map(|_| rng.between(-1000.0, 1000.0)));
            let bounds = Aabb {
                min,
                max: min + size,
            };
            let mut grid = FrameOccluders::default();
            for body in 0..rng.below(60) as u32 + 1 {
                let part = DVec3::from_array([0; 3].map(|_| rng.between(-0.1, 1.1)));
                let half_size = DVec3::splat(rng.between(0.005, 1.5));
                grid.bodies.push(Occluder {
                    body: BodyId(body),
                    centre: min + size * part,
                    rotation: DQuat::IDENTITY,
                    half_size,
                    is_sphere: true,
                    reach: REACH * half_size.x,
                });
            }
            grid.write_grid(&bounds, 0..grid.bodies.len());
            for _ in 0..50 {
                let part = DVec3::from_array([0; 3].map(|_| rng.between(0.0, 1.0)));
                let point = (min + size * part).as_vec3();
                let found = listed(&grid.records, point);
                for (index, body) in (0u32..).zip(&grid.bodies) {
                    let distance = body.centre.distance(point.as_dvec3());
                    // Columns are found in f32.
                    if distance < body.reach - 1e-3 {
                        assert!(found.contains(&index), "{index} of {found:?} at {point}");
                        inside += 1;
                    }
                }
                others += found.len();
            }
        }
        assert!(inside > 2000 && others < 10 * inside, "{inside} {others}");
    }
}
