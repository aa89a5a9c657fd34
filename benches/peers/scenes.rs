//! The levels of the walks, and their triangles in the peers' form.

use glam::{DVec3, Vec3};
use opendoor::author::sketch::{Sketch, cuboid};
use opendoor::build::build;
use opendoor::geometry::Aabb;
use opendoor::level::{AuthorPoint, Level};
use opendoor::rng::Rng;

use opendoor_benches::rooms;

/// A level and the start of its walk.
pub(crate) struct Scene {
    pub(crate) name: String,
    pub(crate) level: Level,
    /// The start of the walk, metres, in level coordinates; the body falls to the floor below.
    pub(crate) feet: DVec3,
}

/// The indexed triangles of a room, in f32 as the level stores them.
pub(crate) struct Mesh {
    pub(crate) points: Vec<Vec3>,
    pub(crate) triangles: Vec<[u32; 3]>,
}

impl Scene {
    fn of(mut sketch: Sketch, feet: DVec3) -> Self {
        sketch.spawn(0, feet, DVec3::X);
        let name = sketch.source.name.clone();
        let (level, _) = build(sketch.source).expect("the sketch is a good level");
        let feet = level.from_author(AuthorPoint(feet));
        Self { name, level, feet }
    }

    /// The solid triangles, one mesh per room.
    pub(crate) fn meshes(&self) -> impl Iterator<Item = Mesh> {
        self.level.rooms.iter().map(|room| {
            let solids = self.level.solids.of(&room.solids);
            indexed(&solids.map(|solid| solid.corners).collect::<Vec<_>>())
        })
    }
}

/// The triangles with shared corners.
fn indexed(triangles: &[[Vec3; 3]]) -> Mesh {
    let order = |a: &Vec3, b: &Vec3| {
        let [a, b] = [a, b].map(|p| p.to_array());
        a.partial_cmp(&b).expect("coordinates are finite")
    };
    let mut points: Vec<Vec3> = triangles.iter().flatten().copied().collect();
    points.sort_by(order);
    points.dedup();
    let index = |p: Vec3| {
        let found = points.binary_search_by(|q| order(q, &p));
        found.expect("every corner is a point") as u32
    };
    let triangles = triangles.iter().map(|t| t.map(index)).collect();
    Mesh { points, triangles }
}

/// A closed room of 12 x 3 x 12 m.
pub(crate) fn empty_room() -> Scene {
    let mut sketch = Sketch::new("empty room");
    let inside = cuboid([-6.0, 0.0, -6.0], [6.0, 3.0, 6.0]);
    sketch.box_room("room", inside, &[]);
    Scene::of(sketch, DVec3::ZERO)
}

/// A hall of 24 x 4 x 24 m with 200 boxes of 0.3 to 1.2 m scattered over its floor.
pub(crate) fn boxes() -> Scene {
    let mut sketch = Sketch::new("200 boxes");
    let inside = cuboid([-12.0, 0.0, -12.0], [12.0, 4.0, 12.0]);
    let room = sketch.box_room("hall", inside, &[]);
    let mut seed = 0;
    let mut draw = |from: f64, to: f64| {
        seed += 1;
        from + (to - from) * Rng::new(seed).bits() as f64 / 2f64.powi(64)
    };
    let mut placed = 0;
    while placed < 200 {
        let (x, z) = (draw(-12.0, 10.8), draw(-12.0, 10.8));
        let size = [draw(0.3, 1.2), draw(0.3, 1.2), draw(0.3, 1.2)];
        let piece = cuboid([x, 0.0, z], [x + size[0], size[1], z + size[2]]);
        // The walk starts in the middle.
        if !piece.grown(1.0).contains(DVec3::ZERO) {
            sketch.furniture(room, 0, piece);
            placed += 1;
        }
    }
    Scene::of(sketch, DVec3::ZERO)
}

/// A room of 10 x 5 x 10 m with four flights of eight steps, 0.18 m high, 0.3 m deep and 2 m wide, around the free
/// middle.
pub(crate) fn staircases() -> Scene {
    let mut sketch = Sketch::new("staircases");
    let inside = cuboid([-5.0, 0.0, -5.0], [5.0, 5.0, 5.0]);
    let room = sketch.box_room("stairwell", inside, &[]);
    for flight in 0..4 {
        for step in 0..8 {
            let (from, height) = (1.0 + 0.3 * f64::from(step), 0.18 * f64::from(step + 1));
            let (mut low, mut high) = ([from, -1.0], [from + 0.3, 1.0]);
            for _ in 0..flight {
                (low, high) = ([-high[1], low[0]], [-low[1], high[0]]);
            }
            let piece = cuboid([low[0], 0.0, low[1]], [high[0], height, high[1]]);
            sketch.furniture(room, 0, piece);
        }
    }
    Scene::of(sketch, DVec3::ZERO)
}

/// Side of the bumpy floor, metres.
const BUMPY_SIDE: f64 = 21.0;

/// A room whose floor has 224 x 224 squares of 0.094 m, with smooth bumps of up to 6 cm, a metre
/// or two apart.
pub(crate) fn bumpy_floor() -> Scene {
    const SQUARES: u32 = 224;
    let mut sketch = Sketch::new("bumpy floor");
    let half = 0.5 * BUMPY_SIDE;
    let point = |i: u32, j: u32| {
        let at = |k: u32| BUMPY_SIDE * f64::from(k) / f64::from(SQUARES) - half;
        let (x, z) = (at(i), at(j));
        let waves = (4.3 * x + 0.7 * z).sin() + (3.7 * z - 1.1 * x).sin();
        DVec3::new(x, 0.03 * waves, z)
    };
    let room = sketch.room("ground");
    let mut floor = Vec::new();
    for i in 0..SQUARES {
        for j in 0..SQUARES {
            let [a, b] = [point(i, j), point(i, j + 1)];
            let [c, d] = [point(i + 1, j + 1), point(i + 1, j)];
            floor.extend([[a, b, c], [a, c, d]]);
        }
    }
    sketch.mesh(room, 0, &floor);
    sketch.mesh(
        room,
        0,
        &walls(cuboid([-half, -1.0, -half], [half, 4.0, half])),
    );
    Scene::of(sketch, DVec3::Y * 0.06)
}

/// The faces of a box seen from inside, without its floor.
fn walls(inside: Aabb) -> Vec<[DVec3; 3]> {
    let mut sketch = Sketch::new("");
    sketch.box_room("", inside, &[]);
    let corners = sketch.source.meshes[0].positions.chunks_exact(3);
    corners
        .filter(|corners| corners.iter().any(|p| p.y > inside.min.y))
        .map(|corners| [corners[0], corners[1], corners[2]])
        .collect()
}

/// `side` x `side` furnished rooms joined by doorways. The walk starts in the same inner room for any number of rooms.
pub(crate) fn furnished(side: u32) -> Scene {
    let (level, _) = build(rooms::source(side)).expect("the rooms are a good level");
    let feet = level.from_author(AuthorPoint(rooms::middle(2, 2)));
    let name = level.name.clone();
    Scene { name, level, feet }
}
