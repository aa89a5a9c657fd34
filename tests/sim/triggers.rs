//! Triggers and switches: their activation, their targets and their timing.

use glam::DVec3;
use opendoor::author::sketch::{Sketch, cuboid};
use opendoor::build::build;
use opendoor::game::{EventKind, Game, Input, PLAYER, Start};
use opendoor::level::{AuthorPoint, Drive, Level, MoverId, StartedBy, Track};
use opendoor::problems::ProblemCode;
use opendoor::source::{LevelSource, MoverSource, TriggerKindSource, TriggerSource};

use crate::common::FORWARD;
use crate::shared::built;

/// A hall with a distant lift, a trigger volume around the origin and a switch on a post at z = -3.
pub(crate) fn hall(change: impl FnOnce(&mut LevelSource)) -> LevelSource {
    let mut sketch = Sketch::new("hall");
    let room = sketch.box_room("hall", cuboid([-10., 0., -10.], [10., 6., 10.]), &[]);
    sketch.spawn(room, DVec3::new(0., 0.5, 5.), DVec3::NEG_Z);
    let count = sketch.source.meshes.len();
    for part in [
        cuboid([6., 0., 6.], [8., 0.5, 8.]),
        cuboid([-1., 1., -1.], [1., 2., 1.]),
        cuboid([-0.2, 0., -3.2], [0.2, 1.8, -3.]),
    ] {
        sketch.furniture(room, 0, part);
    }
    let mut parts = sketch.source.meshes.split_off(count);
    let (mut post, volume) = (parts.pop().unwrap(), parts.pop().unwrap());
    post.node = "red-switch".into();
    sketch.source.meshes.push(post);
    sketch.source.movers.push(MoverSource {
        node: "lift-mover".to_owned(),
        meshes: parts,
        is_door: false,
        track: Track::Slide(DVec3::Y * 3.),
        drive: Drive {
            ticks: 60,
            started_by: StartedBy::Trigger,
            ..Drive::default()
        },
        moved_rooms: Vec::new(),
        moves_with: None,
    });
    let corners = volume.triangles.iter();
    let corners = corners.map(|t| t.map(|i| volume.positions[i as usize]));
    let trigger = |node: &str, kind| TriggerSource {
        node: node.to_owned(),
        room: 0,
        kind,
        targets: vec!["lift".to_owned()],
        delay_ticks: 0,
        wait_ticks: 0,
        once: false,
        message: String::new(),
    };
    let volume = TriggerKindSource::Volume(corners.collect());
    let switch = TriggerKindSource::Switch { bump: false };
    sketch.source.triggers = vec![
        trigger("gate-trigger", volume),
        trigger("red-switch", switch),
    ];
    change(&mut sketch.source);
    sketch.source
}

/// A player, and the kinds and nodes of the events of its ticks.
struct Play<'a> {
    level: &'a Level,
    game: Game,
    events: Vec<(u64, &'static str, String)>,
}

impl<'a> Play<'a> {
    fn new(level: &'a Level, z: f64) -> Self {
        let start = Start::Feet(AuthorPoint(DVec3::new(0., 0.0035, z)));
        Self {
            level,
            game: Game::start(level, &start, PLAYER).unwrap(),
            events: Vec::new(),
        }
    }

    fn tick(&mut self, input: &Input) {
        self.game.tick(self.level, &[*input]);
        for event in &self.game.events {
            let node = event.node(self.level).unwrap_or("").to_owned();
            self.events.push((self.game.tick, event.name(), node));
        }
    }

    /// The ticks with an event of this kind and node.
    fn when(&self, kind: &str, node: &str) -> Vec<u64> {
        let events = self.events.iter();
        let of = events.filter(|(_, name, of)| *name == kind && of == node);
        of.map(|event| event.0).collect()
    }

    fn lift(&self) -> u32 {
        self.game.world().mover(MoverId(0)).at
    }
}

#[test]
fn a_player_that_enters_a_volume_starts_its_target_once_per_entry() {
    let level = built(hall(|_| {}));
    let mut play = Play::new(&level, 3.);
    for _ in 0..30 {
        play.tick(&Input::default());
    }
    assert_eq!((play.lift(), play.events.len()), (0, 0));
    for _ in 0..30 {
        play.tick(&FORWARD);
    }
    for _ in 0..60 {
        play.tick(&Input::default());
    }
    let entered = play.when("entered", "gate-trigger");
    assert_eq!(entered.len(), 1);
    assert_eq!(play.when("triggered", "gate-trigger"), [entered[0] + 1]);
    assert_eq!(play.when("mover_arrived", "lift-mover"), [entered[0] + 60]);
    assert_eq!(play.lift(), 60);
}

#[test]
fn a_delay_postpones_a_trigger_and_a_wait_or_once_limits_its_repetition() {
    for (delay_ticks, wait_ticks, once) in [(30, 0, false), (0, 600, false), (0, 0, true)] {
        let level = built(hall(|source| {
            let trigger = &mut source.triggers[0];
            (trigger.delay_ticks, trigger.wait_ticks) = (delay_ticks, wait_ticks);
            trigger.once = once;
        }));
        let mut play = Play::new(&level, 1.6);
        let back = Input {
            forward: -1.0,
            ..Input::default()
        };
        // In, out and in again.
        for input in [&FORWARD, &back, &FORWARD] {
            for _ in 0..25 {
                play.tick(input);
            }
        }
        for _ in 0..delay_ticks {
            play.tick(&Input::default());
        }
        let entered = play.when("entered", "gate-trigger");
        assert_eq!(entered.len(), 2);
        let acts = if delay_ticks > 0 {
            &entered[..]
        } else {
            &entered[..1]
        };
        let acts: Vec<u64> = acts
            .iter()
            .map(|at| at + 1 + u64::from(delay_ticks))
            .collect();
        assert_eq!(play.when("triggered", "gate-trigger"), acts);
    }
}

#[test]
fn a_switch_fires_when_it_is_used_or_bumped_if_it_says_so() {
    let level = built(hall(|_| {}));
    let mut play = Play::new(&level, -1.5);
    let usable = play
        .game
        .usable(&level, 0)
        .map(|usable| usable.describe(&level, play.game.world()));
    assert_eq!(usable.as_deref(), Some("use the red"));
    let interact = Input {
        interact: true,
        ..Input::default()
    };
    play.tick(&interact);
    play.tick(&Input::default());
    assert_eq!(play.when("triggered", "red-switch"), [2]);
    for bump in [false, true] {
        let level = built(hall(|source| {
            source.triggers[1].kind = TriggerKindSource::Switch { bump };
            source.triggers[1].wait_ticks = 1000;
        }));
        let mut play = Play::new(&level, -1.5);
        for _ in 0..60 {
            play.tick(&FORWARD);
        }
        assert_eq!(
            play.when("triggered", "red-switch").len(),
            usize::from(bump)
        );
    }
}

#[test]
fn a_relay_forwards_a_trigger_and_a_cycle_of_relays_ends_in_each_tick() {
    let level = built(hall(|source| {
        let relay = |node: &str, target: &str| TriggerSource {
            node: node.to_owned(),
            kind: TriggerKindSource::Relay,
            targets: vec![target.to_owned()],
            ..source.triggers[0].clone()
        };
        let (a, b) = (relay("a-trigger", "b"), relay("b-trigger", "a"));
        source.triggers[1].targets = vec!["a-trigger".to_owned()];
        source.triggers.extend([a, b]);
    }));
    let mut play = Play::new(&level, -1.5);
    let interact = Input {
        interact: true,
        ..Input::default()
    };
    play.tick(&interact);
    for _ in 0..5 {
        play.tick(&Input::default());
    }
    assert_eq!(play.when("triggered", "a-trigger"), [3, 5]);
    assert_eq!(play.when("triggered", "b-trigger"), [4, 6]);
}

#[test]
fn a_target_that_does_not_exist_or_is_ambiguous_is_named() {
    for (target, is_bad) in [
        ("lift", false),
        ("lift-mover", false),
        ("lft", true),
        ("twin", true),
    ] {
        let source = hall(|source| {
            source.triggers[0].targets = vec![target.to_owned()];
            for node in ["twin-trigger", "twin-switch"] {
                let kind = TriggerKindSource::Relay;
                let node = node.to_owned();
                let triggers = &mut source.triggers;
                let twin = TriggerSource {
                    node,
                    kind,
                    ..triggers[1].clone()
                };
                triggers.push(twin);
            }
        });
        let (_, problems) = build(source).unwrap();
        let named = problems.warnings.iter().any(|problem| {
            problem.code == ProblemCode::TriggerTarget && problem.node == "gate-trigger"
        });
        assert_eq!(named, is_bad, "{target}: {problems:?}");
    }
}

#[test]
fn pending_triggers_are_part_of_the_hash() {
    let level = built(hall(|source| source.triggers[0].delay_ticks = 600));
    let hashes = [3.0, 0.0].map(|z| {
        let mut play = Play::new(&level, z);
        play.tick(&Input::default());
        play.game.players[0].actor.state.at.point = DVec3::ZERO;
        play.game.players[0].actor.state.at.room = level.room_ids().next().unwrap();
        let entered = play.game.events.iter();
        let entered = entered.filter(|event| matches!(event.kind, EventKind::Entered { .. }));
        (entered.count(), play.game.state_hash(&level))
    });
    assert_eq!([hashes[0].0, hashes[1].0], [0, 1]);
    assert_ne!(hashes[0].1, hashes[1].1);
}

#[test]
fn reloading_the_level_during_a_delay_changes_no_trigger() {
    for (delay_ticks, wait_ticks, once) in [(30, 0, false), (5, 40, false), (0, 0, true)] {
        // Two triggers with the same name each keep their own state.
        let make = |also_first: bool| {
            built(hall(|source| {
                let gate = &mut source.triggers[0];
                (gate.delay_ticks, gate.wait_ticks, gate.once) = (delay_ticks, wait_ticks, once);
                source.triggers[1].kind = TriggerKindSource::Switch { bump: true };
                let mut twin = source.triggers[1].clone();
                twin.kind = TriggerKindSource::Relay;
                source.triggers.push(twin.clone());
                if also_first {
                    twin.node = "a-trigger".to_owned();
                    source.triggers.insert(0, twin);
                }
            }))
        };
        let levels = [make(false), make(true)];
        let mut plain = Play::new(&levels[0], 3.);
        let mut again = Play::new(&levels[0], 3.);
        for tick in 0..400 {
            // Through the volume, against the switch, and back.
            let forward = if tick % 200 < 100 { 1.0 } else { -1.0 };
            let input = Input {
                forward,
                ..Input::default()
            };
            plain.tick(&input);
            again.tick(&input);
            let level = if tick % 2 == 0 {
                &levels[1]
            } else {
                &levels[0]
            };
            (again.game, _) = again.game.carry_to(again.level, level).unwrap();
            again.level = level;
            let hashes = [&plain, &again].map(|play| play.game.state_hash(play.level));
            assert_eq!(hashes[0], hashes[1], "{tick}");
        }
        // Hits are not compared: a body that leans against a surface hits it in the first tick of each version.
        again.events.retain(|(_, name, _)| *name != "hit");
        plain.events.retain(|(_, name, _)| *name != "hit");
        assert_eq!(plain.events, again.events);
        let fired = plain.when("triggered", "gate-trigger").len();
        assert_eq!(fired, if once { 1 } else { 4 });
        assert!(!plain.when("triggered", "red-switch").is_empty());
    }
}

#[test]
fn a_waiting_trigger_waits_no_longer_than_the_reloaded_level_says() {
    let level = built(hall(|source| {
        source.triggers[0].delay_ticks = 6000;
        source.triggers[0].wait_ticks = 6000;
    }));
    let mut play = Play::new(&level, 0.);
    play.tick(&Input::default());
    assert_eq!(play.when("entered", "gate-trigger").len(), 1);
    let shorter = built(hall(|source| source.triggers[0].delay_ticks = 20));
    let (mut game, _) = play.game.carry_to(&level, &shorter).unwrap();
    let lift = |game: &Game| game.world().mover(MoverId(0)).at;
    (0..20).for_each(|_| game.tick(&shorter, &[]));
    assert_eq!(lift(&game), 0);
    (0..2).for_each(|_| game.tick(&shorter, &[]));
    assert!(lift(&game) > 0);
    // A removed trigger no longer acts.
    let without = built(hall(|source| drop(source.triggers.remove(0))));
    let (mut game, _) = play.game.carry_to(&level, &without).unwrap();
    (0..60).for_each(|_| game.tick(&without, &[]));
    assert_eq!(lift(&game), 0);
}
