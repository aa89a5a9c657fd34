//! Comparison of the methods of the broad phase, on boxes without physics.

use std::hint::black_box;
use std::time::Instant;

use glam::DVec3;
use opendoor::bodies::broad::{PairMethod, RoomBox};
use opendoor::geometry::Aabb;
use opendoor::level::RoomId;
use opendoor::rng::Rng;
use opendoor_benches::table::{self, median};

use crate::scenes::{RADIUS, ROOM, direction};

const ROOMS: u32 = 16_384;

/// Distance that a ball moves in a tick at 4 m/s, metres.
const STEP: f64 = 4.0 / 60.0;
/// Half size of the box around a ball and its motion in a tick, metres.
const HALF: f64 = RADIUS + STEP + 0.01;

#[derive(Clone, Copy, Debug)]
enum Motion {
    Resting,
    Drifting,
    Teleporting,
}

/// Boxes in rooms.
struct Crowd {
    rng: Rng,
    /// Size of the inside of each room, whose corner is the origin, metres.
    size: DVec3,
    rooms: u32,
    centres: Vec<(u32, DVec3)>,
    steps: Vec<DVec3>,
}

impl Crowd {
    fn new(count: u32, rooms: u32) -> Self {
        // 84 boxes in one hall have as much floor area as in a furnished room.
        let side = ROOM.x * (f64::from(count) / 84.0).max(1.0).sqrt();
        let size = if rooms == 1 {
            DVec3::new(side, ROOM.y, side)
        } else {
            ROOM
        };
        let mut crowd = Self {
            rng: Rng::new(u64::from(count)),
            size,
            rooms,
            centres: Vec::new(),
            steps: Vec::new(),
        };
        for _ in 0..count {
            let place = crowd.place();
            crowd.centres.push(place);
            let step = direction(&mut crowd.rng) * STEP;
            crowd.steps.push(step);
        }
        crowd
    }

    fn place(&mut self) -> (u32, DVec3) {
        let part = DVec3::from_array(std::array::from_fn(|_| self.rng.between(0.0, 1.0)));
        let room = self.rng.between(0.0, f64::from(self.rooms)) as u32;
        (room.min(self.rooms - 1), part * self.size)
    }

    fn advance(&mut self, motion: Motion) {
        for index in 0..self.centres.len() {
            match motion {
                Motion::Resting => {}
                Motion::Teleporting => self.centres[index] = self.place(),
                Motion::Drifting => {
                    let ((_, at), step) = (&mut self.centres[index], &mut self.steps[index]);
                    *at += *step;
                    for axis in 0..3 {
                        if at[axis] < 0.0 || at[axis] > self.size[axis] {
                            step[axis] = -step[axis];
                        }
                    }
                }
            }
        }
    }

    fn places(&self) -> impl Iterator<Item = (u32, RoomBox)> {
        (0..).zip(&self.centres).map(|(key, &(room, centre))| {
            let bounds = Aabb::around([centre]).grown(HALF);
            let room = RoomId(room);
            (key, RoomBox { room, bounds })
        })
    }
}

/// Prints a table of nanoseconds per box and tick.
pub(crate) fn print() {
    let head = ["boxes", "sweep", "grid", "tree", "pairs a box"];
    let mut lines = vec![head.map(String::from).to_vec()];
    for motion in [Motion::Resting, Motion::Drifting, Motion::Teleporting] {
        for (rooms, layout) in [(1, "in one hall"), (ROOMS, "in 16,384 rooms")] {
            for count in [10, 100, 1000, 10_000, 100_000] {
                lines.push(line(motion, rooms, layout, count));
            }
        }
    }
    table::print("Pairs, ns a box and tick:", &lines);
}

fn line(motion: Motion, rooms: u32, layout: &str, count: u32) -> Vec<String> {
    let ticks = (300_000 / count).clamp(5, 1000);
    let mut found = 0;
    let times = PairMethod::ALL.map(|method| {
        let mut crowd = Crowd::new(count, rooms);
        let (mut finder, mut pairs) = (method.finder(), Vec::new());
        let mut tick = |crowd: &mut Crowd| {
            crowd.advance(motion);
            let start = Instant::now();
            for (key, place) in crowd.places() {
                finder.put(key, &place);
            }
            pairs.clear();
            finder.find_pairs(&mut pairs);
            black_box(&pairs);
            start.elapsed().as_nanos() as f64 / f64::from(count)
        };
        tick(&mut crowd);
        let time = median((0..ticks).map(|_| tick(&mut crowd)).collect());
        found = pairs.len();
        time
    });
    let name = format!("{count} {}, {layout}", format!("{motion:?}").to_lowercase());
    let times = times.map(|time| format!("{time:.0}"));
    let pairs = format!("{:.1}", found as f64 / f64::from(count));
    [vec![name], times.to_vec(), vec![pairs]].concat()
}
