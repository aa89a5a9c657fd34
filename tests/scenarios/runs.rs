//! Runs of scenarios: repeated with all data in another order, and for every case of a sweep.

use std::panic::{AssertUnwindSafe, catch_unwind};

use glam::DVec3;
use opendoor::collision::BroadPhase;
use opendoor::motion::Body;
use opendoor::source::LevelSource;

use crate::actor::{Actor, Stage};
use crate::rng::Rng;

/// Plays a scenario and checks every tick, then repeats it with the level's parts in other orders and with candidates
/// from every room. The repetitions must not change any bit.
pub(crate) fn play(
    source: &LevelSource,
    body: Body,
    (room, centre): (&str, DVec3),
    script: impl Fn(&mut Actor),
) {
    let stage = Stage::of(source);
    let mut actor = Actor::new(&stage, body, room, centre);
    script(&mut actor);
    for (seed, broad_phase) in [(1, BroadPhase::Portals), (2, BroadPhase::Exhaustive)] {
        let stage = Stage::of(&shuffled(source, seed));
        let mut twin = Actor::new(&stage, body, room, centre);
        (twin.broad_phase, twin.is_judged) = (broad_phase, false);
        script(&mut twin);
        assert_same_track(
            &actor.track,
            &twin.track,
            &format!("shuffled, {broad_phase:?}"),
        );
    }
}

pub(crate) fn assert_same_track(a: &[[u64; 11]], b: &[[u64; 11]], how: &str) {
    let differs = a.iter().zip(b).position(|(a, b)| a != b);
    let at = |t: &[[u64; 11]], i: usize| t[i].map(f64::from_bits);
    if let Some(tick) = differs {
        panic!(
            "{how}: tick {tick} differs: {:?} {:?}",
            at(a, tick),
            at(b, tick)
        );
    }
    assert_eq!(a.len(), b.len(), "{how}");
}

/// The level with rooms, portals, meshes, triangles and their corners in another order, and some triangles twice.
pub(crate) fn shuffled(source: &LevelSource, seed: u64) -> LevelSource {
    let mut rng = Rng::new(seed);
    let mut source = source.clone();
    let mut order: Vec<usize> = (0..source.rooms.len()).collect();
    rng.shuffle(&mut order);
    source.rooms = order.iter().map(|&old| source.rooms[old].clone()).collect();
    let new = |old: usize| order.iter().position(|&o| o == old).unwrap();
    let mut meshes = Vec::new();
    for mut mesh in std::mem::take(&mut source.meshes) {
        mesh.room = new(mesh.room);
        for corners in &mut mesh.triangles {
            corners.rotate_left(rng.below(3));
        }
        rng.shuffle(&mut mesh.triangles);
        let mut other = mesh.clone();
        let half = mesh.triangles.len() / 2;
        mesh.triangles.truncate(half + half / 2);
        other.triangles.drain(..half);
        meshes.extend([other, mesh]);
    }
    rng.shuffle(&mut meshes);
    source.meshes = meshes;
    for portal in &mut source.portals {
        portal.room = new(portal.room);
        rng.shuffle(&mut portal.triangles);
        portal.triangles.iter_mut().for_each(|t| t.rotate_left(1));
    }
    rng.shuffle(&mut source.portals);
    let door_meshes = source.movers.iter_mut().flat_map(|door| &mut door.meshes);
    door_meshes.for_each(|mesh| mesh.room = new(mesh.room));
    for spawn in &mut source.spawns {
        spawn.room = spawn.room.map(new);
    }
    source
}

/// Runs every case, and lists all failing cases.
pub(crate) fn for_all<C: std::fmt::Debug>(
    cases: impl IntoIterator<Item = C>,
    scenario: impl Fn(&C),
) {
    let (mut failures, mut count) = (Vec::new(), 0);
    for case in cases {
        count += 1;
        if let Err(panic) = catch_unwind(AssertUnwindSafe(|| scenario(&case))) {
            let said = panic.downcast_ref::<String>().cloned();
            let said = said.or_else(|| panic.downcast_ref::<&str>().map(|s| (*s).to_owned()));
            failures.push(format!("{case:?}: {}", said.unwrap_or_default()));
        }
    }
    let some = failures.len().min(12);
    assert!(
        failures.is_empty(),
        "{} of {count} cases fail:\n{}",
        failures.len(),
        failures[..some].join("\n")
    );
}
