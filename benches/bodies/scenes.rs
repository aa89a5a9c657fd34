//! Levels full of bodies.

use glam::{DMat3, DVec3};
use opendoor::author::sketch::Sketch;
use opendoor::build::build;
use opendoor::geometry::Aabb;
use opendoor::level::{BodyId, Level, Material, Stiffness};
use opendoor::rng::Rng;
use opendoor::source::{BodyShape, BodySource};
use opendoor::world::World;

/// Radius of a ball, metres.
pub(crate) const RADIUS: f64 = 0.1;

/// Size of the inside of a furnished room, metres.
pub(crate) const ROOM: DVec3 = DVec3::new(6.0, 3.0, 6.0);
/// Distance from one room to the next, metres.
const PITCH: f64 = 8.0;

/// Boxes that stand in a furnished room. With the six sides of the room they make 84 triangles.
pub(crate) const FURNITURE: [[[f64; 3]; 2]; 6] = [
    [[0.4, 0.0, 0.4], [1.4, 0.7, 1.0]],
    [[4.6, 0.0, 0.3], [5.6, 1.8, 0.8]],
    [[2.5, 0.0, 2.4], [3.7, 0.75, 3.2]],
    [[0.3, 0.0, 4.8], [0.9, 2.0, 5.7]],
    [[4.4, 0.0, 4.6], [5.5, 0.45, 5.5]],
    [[2.6, 2.2, 4.7], [3.4, 2.6, 5.6]],
];

/// A level, and the start positions of its balls in author's coordinates.
pub(crate) struct Scene {
    pub(crate) sketch: Sketch,
    pub(crate) centres: Vec<DVec3>,
    /// The corner of each room.
    pub(crate) corners: Vec<DVec3>,
}

/// The corner of room `index` of `count` rooms.
fn corner(index: u32, count: u32) -> DVec3 {
    let side = f64::from(count).sqrt().ceil() as u32;
    DVec3::new(f64::from(index % side), 0.0, f64::from(index / side)) * PITCH
}

/// Closed furnished rooms of 84 triangles, with `balls` balls in each, in a lattice between the furniture.
pub(crate) fn furnished(rooms: u32, balls: u32) -> Scene {
    let mut scene = Scene {
        sketch: Sketch::new("furnished rooms"),
        centres: Vec::new(),
        corners: Vec::new(),
    };
    for index in 0..rooms {
        let corner = corner(index, rooms);
        let inside = Aabb {
            min: corner,
            max: corner + ROOM,
        };
        let room = scene
            .sketch
            .box_room(&format!("room{index:05}"), inside, &[]);
        for outside in FURNITURE {
            let [min, max] = outside.map(|point| corner + DVec3::from_array(point));
            scene.sketch.furniture(room, 0, Aabb { min, max });
        }
        scene.corners.push(corner);
        let is_free = |point: &DVec3| {
            FURNITURE.iter().all(|outside| {
                let [min, max] = outside.map(DVec3::from_array);
                let margin = RADIUS + 0.05;
                !Aabb { min, max }.grown(margin).contains(*point)
            })
        };
        let steps = |size: f64| {
            (1..)
                .map(|i| 0.45 * f64::from(i))
                .take_while(move |x| *x < size - 0.2)
        };
        let places = steps(ROOM.y).flat_map(|y| steps(ROOM.x).map(move |x| (x, y)));
        let places = places.flat_map(|(x, y)| steps(ROOM.z).map(move |z| DVec3::new(x, y, z)));
        // Spread over the room: every fifth of the free positions, then the ones between.
        let places: Vec<DVec3> = places.filter(is_free).collect();
        let spread = (0..5).flat_map(|first| places.iter().skip(first).step_by(5));
        scene
            .centres
            .extend(spread.take(balls as usize).map(|place| corner + *place));
    }
    scene
}

/// One hall with `balls` balls at rest on its floor, side by side.
pub(crate) fn hall(balls: u32) -> Scene {
    let side = f64::from(balls).sqrt().ceil() as u32;
    let pitch = 4.0 * RADIUS;
    let size = f64::from(side) * pitch + 1.0;
    let mut scene = Scene {
        sketch: Sketch::new("hall"),
        centres: Vec::new(),
        corners: vec![DVec3::ZERO],
    };
    let inside = Aabb {
        min: DVec3::ZERO,
        max: DVec3::new(size, 10.0, size),
    };
    scene.sketch.box_room("hall", inside, &[]);
    scene.centres.extend((0..balls).map(|index| {
        let place = DVec3::new(f64::from(index % side), 0.0, f64::from(index / side));
        place * pitch + DVec3::new(0.5, RADIUS, 0.5)
    }));
    scene
}

/// Half the edge of a box of a pyramid, metres.
pub(crate) const HALF: f64 = 0.2;
/// Distance from one box of a pyramid to the next in its row, metres.
const BOX_PITCH: f64 = 0.42;

/// The positions of the boxes of a pyramid: rows along x, each row shorter than the row below.
pub(crate) fn pyramid(rows: u32) -> impl Iterator<Item = DVec3> {
    (0..rows).flat_map(move |row| {
        (0..rows - row).map(move |column| {
            let [up, along] = [row, column].map(f64::from);
            let x = BOX_PITCH * (along + 0.5 * up - 0.5 * f64::from(rows));
            DVec3::new(x, HALF * (1.0 + 2.0 * up), 0.0)
        })
    })
}

/// A hall with a pyramid of boxes of 1 kg on its floor.
pub(crate) fn pyramid_level(rows: u32, stiffness: Stiffness) -> Level {
    let mut sketch = Sketch::new("pyramid");
    sketch.source.stiffness = stiffness;
    let half = f64::from(rows) * BOX_PITCH;
    let inside = Aabb {
        min: DVec3::new(-half, 0.0, -3.0),
        max: DVec3::new(half, half + 2.0, 3.0),
    };
    let hall = sketch.box_room("hall", inside, &[]);
    sketch.spawn(hall, DVec3::new(0.0, 0.0, 2.0), DVec3::NEG_Z);
    sketch.source.materials[0] = Material {
        friction: PYRAMID_FRICTION,
        ..Material::default()
    };
    for (index, centre) in pyramid(rows).enumerate() {
        let outside = Aabb::around([centre]).grown(HALF);
        let name = format!("box{index:06}");
        let surface = (PYRAMID_FRICTION, 0.0);
        add_body(&mut sketch, hall, (name, outside), BodyShape::Box, surface);
    }
    let (level, _) = build(sketch.source).expect("a sketched level is good");
    level
}

/// Shapes that fall into a heap.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Kind {
    Boxes,
    Hulls,
    /// Boxes, hulls and balls in turn.
    Mixed,
}

impl Kind {
    pub(crate) const ALL: [Self; 3] = [Self::Boxes, Self::Hulls, Self::Mixed];

    /// The shape of body `index` of a heap.
    pub(crate) fn shape(self, index: usize) -> BodyShape {
        let mixed = [BodyShape::Box, BodyShape::Hull, BodyShape::Sphere];
        match self {
            Self::Boxes => BodyShape::Box,
            Self::Hulls => BodyShape::Hull,
            Self::Mixed => mixed[index % mixed.len()],
        }
    }
}

/// Distance between neighbouring bodies of the falling lattice, metres.
const HEAP_PITCH: f64 = 0.55;

/// Friction and restitution of a heap and of its floor.
pub(crate) const HEAP_SURFACE: (f64, f64) = (0.5, 0.0);

/// Returns the start positions of the bodies of a heap, in a slightly irregular cubic lattice above the floor, and half
/// the size of their hall, metres.
pub(crate) fn heap(count: u32) -> (Vec<DVec3>, f64) {
    let side = f64::from(count).cbrt().round() as u32;
    let mut rng = Rng::new(11);
    let centres = (0..count).map(|index| {
        let [x, y, z] = [index % side, index / (side * side), index / side % side];
        let place = DVec3::new(f64::from(x), f64::from(y), f64::from(z)) * HEAP_PITCH;
        let middle = 0.5 * HEAP_PITCH * f64::from(side - 1);
        let off = DVec3::from_array(std::array::from_fn(|_| rng.between(-0.05, 0.05)));
        place + off + DVec3::new(-middle, 1.0, -middle)
    });
    (centres.collect(), 1.5 * HEAP_PITCH * f64::from(side))
}

/// A hall in which bodies of 1 kg fall into a heap.
pub(crate) fn heap_level(kind: Kind, count: u32, stiffness: Stiffness) -> Level {
    let mut sketch = Sketch::new("heap");
    sketch.source.stiffness = stiffness;
    let (centres, half) = heap(count);
    let inside = Aabb {
        min: DVec3::new(-half, 0.0, -half),
        max: DVec3::new(half, 4.0 * half, half),
    };
    let hall = sketch.box_room("hall", inside, &[]);
    sketch.spawn(hall, DVec3::new(0.9 * half, 0.0, 0.9 * half), DVec3::NEG_Z);
    sketch.source.materials[0] = Material {
        friction: HEAP_SURFACE.0,
        ..Material::default()
    };
    for (index, centre) in centres.into_iter().enumerate() {
        let name = format!("body{index:06}");
        let shape = kind.shape(index);
        // A sphere is fitted around the corners of its mesh, here those of a box.
        let half = match shape {
            BodyShape::Sphere => HALF / 3.0_f64.sqrt(),
            _ => HALF,
        };
        let outside = Aabb::around([centre]).grown(half);
        add_body(&mut sketch, hall, (name, outside), shape, HEAP_SURFACE);
    }
    let (level, _) = build(sketch.source).expect("a sketched level is good");
    level
}

/// Friction of boxes and floor.
pub(crate) const PYRAMID_FRICTION: f64 = 0.7;

/// Adds a body of 1 kg with this bounding box, friction and restitution.
fn add_body(
    sketch: &mut Sketch,
    room: usize,
    (node, outside): (String, Aabb),
    shape: BodyShape,
    (friction, bounce): (f64, f64),
) {
    sketch.furniture(room, 0, outside);
    let mut meshes: Vec<_> = sketch.source.meshes.pop().into_iter().collect();
    meshes.iter_mut().for_each(|mesh| mesh.drawn = false);
    sketch.source.bodies.push(BodySource {
        node,
        meshes,
        shape,
        axes: DMat3::IDENTITY,
        mass: Some(1.0),
        friction: Some(friction),
        bounce: Some(bounce),
    });
}

/// Builds the level of a scene; its balls have this restitution and no friction.
pub(crate) fn level(scene: Scene, bounce: f64) -> Level {
    let Scene {
        mut sketch,
        centres,
        corners,
    } = scene;
    let spawn = corners[0] + DVec3::new(2.0, 0.0, 2.0);
    sketch.spawn(0, spawn, DVec3::NEG_Z);
    sketch.source.materials[0] = Material {
        friction: 0.0,
        ..Material::default()
    };
    let per_room = centres.len() / corners.len();
    let half = DVec3::splat(RADIUS / 3.0_f64.sqrt());
    for (index, centre) in centres.iter().enumerate() {
        let outside = Aabb {
            min: *centre - half,
            max: *centre + half,
        };
        let name = format!("ball{index:06}");
        let place = (name, outside);
        add_body(
            &mut sketch,
            index / per_room,
            place,
            BodyShape::Sphere,
            (0.0, bounce),
        );
    }
    let (level, _) = build(sketch.source).expect("a sketched level is good");
    assert_eq!(level.bodies.len(), centres.len());
    level
}

/// Gives every ball this speed in a random direction.
pub(crate) fn throw_all(world: &mut World, speed: f64) {
    let mut rng = Rng::new(7);
    for index in 0..world.bodies.len() as u32 {
        let id = BodyId(index);
        let mut state = *world.bodies.state(id);
        state.velocity = direction(&mut rng) * speed;
        world.bodies.set(id, state);
    }
}

/// A uniformly distributed random direction.
pub(crate) fn direction(rng: &mut Rng) -> DVec3 {
    loop {
        let vector = DVec3::from_array(std::array::from_fn(|_| rng.between(-1.0, 1.0)));
        let length = vector.length();
        if length > 0.1 && length < 1.0 {
            return vector / length;
        }
    }
}

/// A hash of the bits of all bodies' poses and velocities.
pub(crate) fn hash(world: &World) -> u64 {
    let states = world.bodies.iter().flat_map(|(_, state)| {
        let numbers = [state.at.point, state.velocity, state.spin].map(|v| v.to_array());
        numbers.into_iter().flatten()
    });
    states.fold(0xcbf2_9ce4_8422_2325, |hash, number| {
        (hash ^ number.to_bits()).wrapping_mul(0x0000_0100_0000_01b3)
    })
}
