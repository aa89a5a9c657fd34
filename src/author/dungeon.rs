//! Dungeons: rooms of many sizes on a grid, on storeys of different heights, connected by corridors and stairs.

use glam::{DVec2, DVec3};

use super::builder::{
    BuilderError, BuilderShape, Door, LevelBuilder, MaterialKey, Opening, RoomKey, RoomMaterials,
};
use crate::level::Material;
use crate::rng::Rng;
use crate::source::LevelSource;

/// Distance between the centres of neighbouring rooms, metres. All lengths here are multiples of 1/32 m, so that f32
/// represents all positions in the level exactly.
const PITCH: f64 = 16.0;
/// Height of a storey, metres; it is climbed in 16 steps.
const STOREY: f64 = 2.5;
/// Number of storeys above the lowest one.
const MAX_STOREY: i32 = 3;
/// Number of steps of a flight.
const STEPS: u32 = 16;
/// Depth of a step, metres.
const TREAD: f64 = 0.25;
/// Thickness of the wall between a room and a corridor, metres.
const WALL: f64 = 0.25;
/// Clear width and height of corridors, metres.
const CORRIDOR: [f64; 2] = [2.0, 2.75];
/// Clear width and height of doorways, metres.
const DOORWAY: [f64; 2] = [1.25, 2.25];
/// A connection between neighbours that is not needed to reach all rooms is built with the probability `1 / DETOURS`.
const DETOURS: usize = 4;

/// A room of the grid.
struct Chamber {
    /// Centre in plan view.
    middle: DVec2,
    /// Half its size along x and z.
    half: DVec2,
    /// Height of the floor.
    floor: f64,
    key: RoomKey,
}

/// Generates a level of `rooms` rooms (at least one), and the corridors between them. Equal seeds give equal levels on
/// every machine. Every room has lamps and can be reached from the spawn.
///
/// # Errors
/// None for any number of rooms that fits in memory, because the rooms do not touch.
pub fn dungeon(rooms: u32, seed: u64) -> Result<LevelSource, BuilderError> {
    let mut rng = Rng::new(seed);
    let count = rooms.max(1) as usize;
    let columns = (1..).find(|n| n * n >= count).unwrap_or(1);
    let ways = ways(count, columns, &mut rng);
    let storeys = storeys(count, &ways, &mut rng);
    let mut builder = LevelBuilder::new("dungeon");
    let materials = DungeonMaterials::new(&mut builder);
    let mut chambers: Vec<Chamber> = Vec::with_capacity(count);
    for (index, &storey) in storeys.iter().enumerate() {
        let cell = [index % columns, index / columns].map(|k| k as f64 * PITCH);
        let place = DVec2::from_array(cell);
        let chamber = chamber(
            &mut builder,
            &materials,
            (index, count),
            place,
            storey,
            &mut rng,
        )?;
        chambers.push(chamber);
    }
    let digits = ways.len().to_string().len();
    for (index, way) in ways.iter().enumerate() {
        let is_joined = way.is_needed || (storeys[way.ends[0]] - storeys[way.ends[1]]).abs() <= 1;
        if is_joined {
            let ends = way.ends.map(|end| &chambers[end]);
            corridor(
                &mut builder,
                &materials,
                &format!("{index:0digits$}"),
                ends,
                &mut rng,
            )?;
        }
    }
    Ok(builder.source())
}

/// A connection from a room to its neighbour to the right or below in the grid.
struct DungeonLink {
    ends: [usize; 2],
    /// Whether without it some rooms would be unreachable.
    is_needed: bool,
}

/// Connections in random order: those that are needed to join all rooms, and some more.
fn ways(count: usize, columns: usize, rng: &mut Rng) -> Vec<DungeonLink> {
    let right = (0..count)
        .filter(|i| i % columns + 1 < columns)
        .map(|i| [i, i + 1]);
    let below = (0..count).map(|i| [i, i + columns]);
    let mut pairs: Vec<[usize; 2]> = right.chain(below).filter(|[_, b]| *b < count).collect();
    rng.shuffle(&mut pairs);
    let mut group: Vec<usize> = (0..count).collect();
    let root = |group: &mut [usize], mut i: usize| {
        while group[i] != i {
            group[i] = group[group[i]];
            i = group[i];
        }
        i
    };
    let mut ways = Vec::new();
    for ends in pairs {
        let roots = ends.map(|end| root(&mut group, end));
        let is_needed = roots[0] != roots[1];
        group[roots[0]] = roots[1];
        if is_needed || rng.one_in(DETOURS) {
            ways.push(DungeonLink { ends, is_needed });
        }
    }
    ways
}

/// The storey of each room. Two rooms that a needed connection joins are at most one storey apart.
fn storeys(count: usize, ways: &[DungeonLink], rng: &mut Rng) -> Vec<i32> {
    let mut neighbours: Vec<Vec<usize>> = vec![Vec::new(); count];
    for [a, b] in ways.iter().filter(|way| way.is_needed).map(|way| way.ends) {
        neighbours[a].push(b);
        neighbours[b].push(a);
    }
    let mut storeys: Vec<Option<i32>> = vec![None; count];
    storeys[0] = Some(0);
    let mut open = vec![(0, 0)];
    while let Some((room, storey)) = open.pop() {
        for &next in &neighbours[room] {
            if storeys[next].is_none() {
                let step = [0, 0, 1, -1][rng.below(4)];
                let reached: i32 = (storey + step).clamp(0, MAX_STOREY);
                storeys[next] = Some(reached);
                open.push((next, reached));
            }
        }
    }
    storeys
        .into_iter()
        .map(|storey| storey.unwrap_or(0))
        .collect()
}

/// The materials of a dungeon.
struct DungeonMaterials {
    chamber: RoomMaterials,
    corridor: RoomMaterials,
    stone: MaterialKey,
    wood: MaterialKey,
}

impl DungeonMaterials {
    fn new(builder: &mut LevelBuilder) -> Self {
        let mut material = |name: &str, [r, g, b]: [f32; 3]| {
            builder.material(Material {
                name: name.to_owned(),
                base_colour: [r, g, b, 1.0],
                roughness: 0.9,
                ..Material::default()
            })
        };
        let plaster = material("plaster", [0.72, 0.66, 0.55]);
        let flags = material("flagstones", [0.30, 0.28, 0.26]);
        let stone = material("stone", [0.45, 0.43, 0.40]);
        let wood = material("wood", [0.36, 0.21, 0.11]);
        Self {
            chamber: RoomMaterials {
                floor: flags,
                walls: plaster,
                ceiling: wood,
            },
            corridor: RoomMaterials {
                floor: flags,
                walls: stone,
                ceiling: stone,
            },
            stone,
            wood,
        }
    }
}

/// A random number from `min` to `max` that differs from `min` by a multiple of `step`.
fn multiple(rng: &mut Rng, min: f64, max: f64, step: f64) -> f64 {
    let steps = ((max - min) / step) as usize;
    min + step * rng.below(steps + 1) as f64
}

/// Adds a room of the grid, with its furniture and lamps. The first room also gets the spawn.
fn chamber(
    builder: &mut LevelBuilder,
    materials: &DungeonMaterials,
    (index, count): (usize, usize),
    middle: DVec2,
    storey: i32,
    rng: &mut Rng,
) -> Result<Chamber, BuilderError> {
    let half = DVec2::new(multiple(rng, 2.5, 5.0, 0.25), multiple(rng, 2.5, 5.0, 0.25));
    let floor = f64::from(storey) * STOREY;
    let height = multiple(rng, 3.0, 5.0, 0.5);
    // Cuts the corners off some rooms.
    let cut = if rng.one_in(3) { 1.0 } else { 0.0 };
    let mut outline: Vec<DVec2> = [(1.0, 1.0), (-1.0, 1.0), (-1.0, -1.0), (1.0, -1.0)]
        .into_iter()
        .flat_map(|(x, z): (f64, f64)| {
            let corner = DVec2::new(x * half.x, z * half.y);
            let along = [DVec2::new(0.0, -z * cut), DVec2::new(-x * cut, 0.0)];
            let in_order = if x * z > 0.0 {
                along
            } else {
                [along[1], along[0]]
            };
            in_order.map(|by| middle + corner + by)
        })
        .collect();
    outline.dedup();
    let digits = (count - 1).to_string().len();
    let name = format!("room_{index:0digits$}");
    let shape = BuilderShape::prism(&outline, floor, floor + height);
    let key = builder.room(&name, &shape, materials.chamber)?;
    let at = |x: f64, y: f64, z: f64| DVec3::new(middle.x + x, floor + y, middle.y + z);
    // Adds pillars if there is space for them between the paths to the centre.
    let far = half - DVec2::splat(1.5);
    if far.min_element() >= 2.0 {
        for (x, z) in [(1.0, 1.0), (-1.0, 1.0), (-1.0, -1.0), (1.0, -1.0)] {
            let (x, z) = (x * far.x, z * far.y);
            let pillar =
                BuilderShape::cuboid(at(x - 0.25, 0.0, z - 0.25), at(x + 0.25, height, z + 0.25));
            builder.block(key, &format!("{name}_pillar"), &pillar, materials.stone)?;
        }
    } else if cut == 0.0 {
        let [x, z] = [half.x - 0.625, half.y - 0.625];
        let crate_height = multiple(rng, 0.5, 1.0, 0.125);
        let shape = BuilderShape::cuboid(
            at(x - 0.375, 0.0, z - 0.375),
            at(x + 0.375, crate_height, z + 0.375),
        );
        builder.block(key, &format!("{name}_crate"), &shape, materials.wood)?;
    }
    let candela = (6.0 * half.x * half.y) as f32;
    builder.lamp(key, at(0.0, height - 0.5, 0.0), candela)?;
    if index == 0 {
        builder.spawn(key, "player", at(0.0, 0.0, 0.0), DVec3::X)?;
    }
    Ok(Chamber {
        middle,
        half,
        floor,
        key,
    })
}

/// Joins two neighbours by a corridor. Where their floors differ it has stairs, and some corridors have a door at one
/// end.
fn corridor(
    builder: &mut LevelBuilder,
    materials: &DungeonMaterials,
    number: &str,
    [a, b]: [&Chamber; 2],
    rng: &mut Rng,
) -> Result<(), BuilderError> {
    let is_along_x = b.middle.x > a.middle.x;
    let (forward, side) = if is_along_x {
        (DVec3::X, DVec3::Z)
    } else {
        (DVec3::Z, DVec3::X)
    };
    let along = |plan: DVec2| if is_along_x { plan.x } else { plan.y };
    let offset = multiple(rng, -0.5, 0.5, 0.25);
    let middle = DVec3::new(a.middle.x, 0.0, a.middle.y) + side * offset;
    let start = along(a.half) + WALL;
    let end = PITCH - along(b.half) - WALL;
    let at = |along: f64, y: f64| middle + forward * along + DVec3::Y * y;

    let [width, height] = CORRIDOR;
    let steps = if a.floor == b.floor { 0 } else { STEPS };
    let flight = f64::from(steps) * TREAD;
    let first = 0.5 * (start + end - flight);
    let first = (first * 32.0).floor() / 32.0;
    let up = b.floor - a.floor;
    let mut profile = vec![at(start, a.floor)];
    for step in 0..steps {
        let level = |k: u32| a.floor + up * f64::from(k) / f64::from(STEPS);
        let edge = first + TREAD * f64::from(step);
        profile.extend([at(edge, level(step)), at(edge, level(step + 1))]);
    }
    profile.push(at(end, b.floor));
    profile.push(at(end, b.floor + height));
    if steps > 0 {
        // The ceiling follows the stairs, so that the height above the upper landing is that of the corridor.
        let [from, to] = [first, first + flight].map(|x| if up > 0.0 { x - 1.0 } else { x + 1.0 });
        profile.push(at(to.min(end - 0.25), b.floor + height));
        profile.push(at(from.max(start + 0.25), a.floor + height));
    }
    profile.push(at(start, a.floor + height));
    let profile: Vec<DVec3> = profile.iter().map(|p| *p - side * (0.5 * width)).collect();
    let name = format!("way_{number}");
    let shape = BuilderShape::extrusion(&profile, side * width);
    let key = builder.room(&name, &shape, materials.corridor)?;

    let half_way = 0.5 * (start + end);
    let lamp = at(half_way, 0.5 * (a.floor + b.floor) + height - 0.5);
    builder.lamp(key, lamp, 12.0)?;
    let door = rng.below(6);
    for (end, chamber, x, out) in [
        (0, a, start - 0.5 * WALL, -forward),
        (1, b, end + 0.5 * WALL, forward),
    ] {
        let [width, height] = DOORWAY;
        let mut opening = Opening::doorway(at(x, chamber.floor), out, width, height);
        if door == end {
            let door = Door::new(&format!("{name}_{end}"), materials.wood);
            opening = opening.with_door(door);
        }
        builder.connect(key, chamber.key, &opening)?;
    }
    Ok(())
}
