//! Events of bodies: impacts, touches, sleep.

use std::collections::BTreeSet;

use opendoor::author::sketch::Sketch;
use opendoor::bodies::{BodyEvent, BodyEventKind, BodyWorkspace, tick_bodies};
use opendoor::build::build;
use opendoor::collision::{BroadPhase, Solid};
use opendoor::game::{EventKind, Game};
use opendoor::glam::DVec3;
use opendoor::level::{BodyId, Level};
use opendoor::rng::Rng;
use opendoor::source::BodyShape;
use opendoor::world::World;

use crate::hall::{GRAVITY, add, add_ball, add_heavy, crate_at, hall};

/// A level with a world to simulate.
struct Run {
    level: Level,
    world: World,
    workspace: BodyWorkspace,
    gravity: DVec3,
}

impl Run {
    fn of(sketch: Sketch) -> Self {
        let (level, _) = build(sketch.source).expect("it is sound");
        Self {
            world: World::of(&level),
            level,
            workspace: BodyWorkspace::default(),
            gravity: GRAVITY,
        }
    }

    /// Runs a tick and returns its events.
    fn tick(&mut self) -> Vec<BodyEvent> {
        tick_bodies(
            &self.level,
            &mut self.world,
            &mut [],
            BroadPhase::Portals,
            self.gravity,
            &mut self.workspace,
        );
        self.workspace.events().to_vec()
    }
}

/// The hits among the events, each as the body, the struck solid, speed and impulse.
fn hits(events: &[BodyEvent]) -> Vec<(BodyId, Solid, f64, f64)> {
    let hit = |event: &BodyEvent| match event.kind {
        BodyEventKind::Hit {
            solid,
            speed,
            impulse,
        } => Some((event.body, solid, speed, impulse)),
        _ => None,
    };
    events.iter().filter_map(hit).collect()
}

/// Without gravity and friction the impulse of each hit equals the change of momentum.
#[test]
fn the_impulse_of_a_hit_is_the_change_of_momentum() {
    let mut rng = Rng::new(3);
    let mut counted = 0;
    for case in 0..60 {
        let mut sketch = hall(DVec3::splat(12.0));
        let mass = [0.0; 2].map(|_| rng.between(0.2, 20.0));
        let shape = [BodyShape::Sphere, BodyShape::Box, BodyShape::Hull][case % 3];
        for (index, mass) in mass.into_iter().enumerate() {
            let centre = DVec3::new(index as f64 * 2.0 - 1.0, 5.0, 0.0);
            let outside = crate_at(centre, DVec3::splat(0.3));
            let bounce = rng.between(0.0, 1.0);
            add_heavy(
                &mut sketch,
                &format!("b{index}"),
                shape,
                outside,
                (mass, 0.0, bounce),
            );
        }
        let mut run = Run::of(sketch);
        run.gravity = DVec3::ZERO;
        let mut state = *run.world.bodies.state(BodyId(0));
        state.velocity = DVec3::X * rng.between(1.0, 12.0);
        run.world.bodies.set(BodyId(0), state);
        for _ in 0..100 {
            let before = run.world.bodies.state(BodyId(0)).velocity;
            let found = hits(&run.tick());
            let changed = run.world.bodies.state(BodyId(0)).velocity - before;
            let between = |hit: &&(BodyId, Solid, f64, f64)| hit.1 == Solid::Body(BodyId(1));
            if let [one] = found.iter().filter(between).collect::<Vec<_>>()[..] {
                assert_eq!(one.0, BodyId(0));
                let given = changed.length() * mass[0];
                assert!(
                    (one.3 - given).abs() < 1e-3 * given,
                    "{case}: {one:?}, {given}"
                );
                assert!(
                    (one.2 - before.x).abs() < 1e-3 * before.x,
                    "{case}: {one:?}, {before}"
                );
                counted += 1;
                break;
            }
            assert!(changed.length() < 1e-9, "{case}: changed without a hit");
        }
    }
    assert_eq!(counted, 60);
}

/// A falling box strikes the floor at the speed of its fall, loses its momentum there, touches the floor, and falls
/// asleep.
#[test]
fn a_box_that_falls_hits_touches_and_falls_asleep_once() {
    let mut sketch = hall(DVec3::splat(8.0));
    let outside = crate_at(DVec3::Y * 1.5, DVec3::splat(0.25));
    add_heavy(&mut sketch, "box", BodyShape::Box, outside, (3.0, 0.5, 0.0));
    let mut run = Run::of(sketch);
    let mut all = Vec::new();
    for _ in 0..240 {
        all.extend(run.tick());
    }
    let [(BodyId(0), Solid::Triangle(_), speed, impulse)] = hits(&all)[..] else {
        panic!("{all:?}");
    };
    let fallen = (2.0_f64 * 9.81 * 1.25).sqrt();
    assert!((speed - fallen).abs() < 0.03 * fallen, "{speed}, {fallen}");
    assert!(
        (impulse - 3.0 * fallen).abs() < 0.1 * 3.0 * fallen,
        "{impulse}"
    );
    let count =
        |wanted: fn(&BodyEventKind) -> bool| all.iter().filter(|event| wanted(&event.kind)).count();
    assert_eq!(
        count(|kind| matches!(kind, BodyEventKind::Touched { .. })),
        1,
        "{all:?}"
    );
    assert_eq!(
        count(|kind| matches!(kind, BodyEventKind::Parted { .. })),
        0,
        "{all:?}"
    );
    assert_eq!(count(|kind| *kind == BodyEventKind::Slept), 1);
    assert_eq!(count(|kind| *kind == BodyEventKind::Woke), 0);
    assert!(run.tick().is_empty());
    // The box is thrown upwards: it wakes, and its touch of the floor ends.
    let mut state = *run.world.bodies.state(BodyId(0));
    state.velocity = DVec3::Y * 3.0;
    run.world.bodies.set(BodyId(0), state);
    let kinds: Vec<_> = run.tick().iter().map(|event| event.kind).collect();
    let [BodyEventKind::Parted { solid }, BodyEventKind::Woke] = kinds[..] else {
        panic!("{kinds:?}");
    };
    assert!(matches!(solid, Solid::Triangle(_)), "{kinds:?}");
}

/// Regression test: the touches of sleeping bodies were forgotten, so that those of a removed body never ended.
#[test]
fn the_touches_of_a_removed_body_end_although_it_slept() {
    let mut sketch = hall(DVec3::splat(8.0));
    for (name, x) in [("low", 0.0), ("aside", 3.0)] {
        let outside = crate_at(DVec3::new(x, 0.25, -2.0), DVec3::splat(0.25));
        add(&mut sketch, name, BodyShape::Box, outside, 0.5, 0.0);
    }
    let outside = crate_at(DVec3::new(0.0, 0.75, -2.0), DVec3::splat(0.25));
    add(&mut sketch, "top", BodyShape::Box, outside, 0.5, 0.0);
    let (level, _) = build(sketch.source).expect("it is sound");
    let mut game = Game::new(&level).expect("there is a spawn");
    let mut touching = Vec::new();
    let mut tick = |game: &mut Game| {
        game.tick(&level, &[]);
        for event in &game.events {
            match event.kind {
                EventKind::BodyTouched { body, solid } => touching.push((body, solid)),
                EventKind::BodyParted { body, solid } => {
                    let node = |solid: Solid| solid.node(&level).to_owned();
                    let ended = (body, node(solid));
                    let count = touching.len();
                    touching.retain(|(body, solid)| (*body, node(*solid)) != ended);
                    assert_eq!(touching.len() + 1, count, "{ended:?}");
                }
                _ => {}
            }
        }
        touching.len()
    };
    for _ in 0..120 {
        tick(&mut game);
    }
    assert_eq!(game.world().bodies.awake_count(), 0);
    assert_eq!(tick(&mut game), 3, "two on the floor, and one on another");
    let named = |name: &str| {
        let index = level.bodies.iter().position(|body| body.name == name);
        BodyId(index.expect("there is one") as u32)
    };
    // By then no body is awake.
    game.remove_body(named("aside"));
    assert_eq!(tick(&mut game), 2);
    assert_eq!(game.world().bodies.awake_count(), 0);
    game.remove_body(named("low"));
    assert_eq!(tick(&mut game), 0);
}

/// A game that is saved and restored again and again has the same events as a game that is not.
#[test]
fn a_restored_game_has_the_same_touches() {
    let mut sketch = hall(DVec3::splat(12.0));
    for index in 0..12u32 {
        let [x, y] = [index % 3, index / 3].map(f64::from);
        let centre = DVec3::new(0.43 * x + 0.05 * y, 0.5 + 0.5 * y, -2.0);
        let outside = crate_at(centre, DVec3::splat(0.2));
        let name = format!("body{index}");
        add(&mut sketch, &name, BodyShape::Box, outside, 0.5, 0.1);
    }
    let (level, _) = build(sketch.source).expect("it is sound");
    let start = || Game::new(&level).expect("there is a spawn");
    let (mut game, mut restored) = (start(), start());
    let mut counts = [0; 2];
    for tick in 0..500 {
        if tick % 7 == 0 {
            let bytes = restored.save(&level);
            restored = Game::restore(&level, &bytes).expect("it was saved");
        }
        for game in [&mut game, &mut restored] {
            if tick == 300 {
                assert_eq!(game.world().bodies.awake_count(), 0);
                let at = game.world().bodies.state(BodyId(4)).at.point;
                game.apply_impulse(&level, BodyId(4), DVec3::new(0.5, 3.0, 0.2), at);
            }
            game.tick(&level, &[]);
        }
        assert_eq!(game.events, restored.events, "tick {tick}");
        counts[usize::from(tick >= 300)] += game.events.len();
    }
    assert!(counts.iter().all(|count| *count > 10), "{counts:?}");
}

/// In falling heaps no touch begins twice or ends without a beginning; in the end all bodies sleep.
#[test]
fn touches_and_sleep_of_heaps_alternate() {
    let mut rng = Rng::new(4);
    for case in 0..200 {
        let mut sketch = hall(DVec3::splat(12.0));
        for index in 0..40u32 {
            let [x, y, z] = [index % 3, index / 9, index / 3 % 3].map(f64::from);
            let off = DVec3::from_array([0.0; 3].map(|_| rng.between(-0.1, 0.1)));
            let centre = DVec3::new(x, y, z) * 0.6 + off + DVec3::Y;
            let name = format!("body{index}");
            if index % 3 == 0 {
                add_ball(&mut sketch, &name, centre, 0.2, 0.5, 0.3);
            } else {
                let outside = crate_at(centre, DVec3::splat(0.2));
                add(&mut sketch, &name, BodyShape::Box, outside, 0.5, 0.1);
            }
        }
        let mut run = Run::of(sketch);
        let mut touching: BTreeSet<(BodyId, String)> = BTreeSet::new();
        let mut asleep: BTreeSet<BodyId> = BTreeSet::new();
        let mut struck = 0;
        for tick in 0..900 {
            for BodyEvent { body, kind, .. } in run.tick() {
                let key = |solid: Solid| (body, solid.node(&run.level).to_owned());
                let is_right = match kind {
                    BodyEventKind::Hit { speed, impulse, .. } => {
                        struck += 1;
                        speed >= 0.5 && impulse > 0.0 && impulse.is_finite()
                    }
                    BodyEventKind::Touched { solid } => touching.insert(key(solid)),
                    BodyEventKind::Parted { solid } => touching.remove(&key(solid)),
                    BodyEventKind::Slept => asleep.insert(body),
                    BodyEventKind::Woke => asleep.remove(&body),
                    _ => false,
                };
                assert!(is_right, "{case}, tick {tick}: {body:?} {kind:?}");
            }
            for index in 0..40 {
                let is_asleep = run.world.bodies.state(BodyId(index)).is_asleep();
                assert_eq!(
                    is_asleep,
                    asleep.contains(&BodyId(index)),
                    "tick {tick}: {index}"
                );
            }
        }
        assert!(struck > 80, "{case}: {struck} hits");
        for id in (0..40).map(BodyId) {
            let name = &run.level.body(id).name;
            let rests = touching.iter().any(|(body, on)| *body == id || on == name);
            assert!(rests, "{case}: {name} rests on nothing");
        }
    }
}
