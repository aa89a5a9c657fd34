//! Triggers that fire each other in rings, and triggers whose volume extends over several rooms.

use std::collections::BTreeMap;

use glam::DVec3;
use opendoor::author::sketch::{Sketch, cuboid};
use opendoor::build::build;
use opendoor::game::{Game, Input, PLAYER, Start};
use opendoor::level::{AuthorPoint, Level};
use opendoor::problems::ProblemCode;
use opendoor::rng::Rng;
use opendoor::source::{TriggerKindSource, TriggerSource};

use crate::shared::built;
use crate::triggers::hall;

const TICKS: u64 = 150;

/// The behaviour of a trigger in a ring.
#[derive(Clone, Debug)]
struct Rule {
    targets: Vec<usize>,
    delay: u64,
    wait: u64,
    once: bool,
}

fn name(index: usize) -> String {
    format!("t{index:02}-trigger")
}

/// A level whose player stands in the volume of the first trigger; the other triggers are relays.
fn level_of(rules: &[Rule]) -> Level {
    built(hall(|source| {
        let volume = source.triggers[0].kind.clone();
        let triggers = rules.iter().enumerate().map(|(index, rule)| TriggerSource {
            node: name(index),
            kind: if index == 0 {
                volume.clone()
            } else {
                TriggerKindSource::Relay
            },
            targets: rule.targets.iter().map(|target| name(*target)).collect(),
            delay_ticks: rule.delay as u32,
            wait_ticks: rule.wait as u32,
            once: rule.once,
            ..source.triggers[0].clone()
        });
        source.triggers = triggers.collect();
    }))
}

/// The triggers that act in each tick, by the rules of docs/movers.md, computed from times of firing instead of
/// counters.
fn model(rules: &[Rule]) -> Vec<Vec<String>> {
    let mut fired: Vec<Vec<u64>> = vec![Vec::new(); rules.len()];
    let mut acts: BTreeMap<u64, BTreeMap<u64, usize>> = BTreeMap::new();
    let mut sequence = 0;
    let mut fire = |now: u64, id: usize, acts: &mut BTreeMap<u64, BTreeMap<u64, usize>>| {
        let rule = &rules[id];
        let may = fired[id]
            .last()
            .is_none_or(|last| !rule.once && now > *last && now - last >= rule.wait);
        if may {
            fired[id].push(now);
            sequence += 1;
            acts.entry(now + 1 + rule.delay)
                .or_default()
                .insert(sequence, id);
        }
    };
    let mut found = Vec::new();
    for now in 1..=TICKS {
        let due: Vec<usize> = acts
            .remove(&now)
            .unwrap_or_default()
            .into_values()
            .collect();
        for &id in &due {
            for &target in &rules[id].targets {
                fire(now, target, &mut acts);
            }
        }
        if now == 1 {
            fire(now, 0, &mut acts);
        }
        found.push(due.into_iter().map(name).collect());
    }
    found
}

fn game(level: &Level) -> Game {
    let feet = AuthorPoint(DVec3::new(0., 0.0035, 0.));
    Game::start(level, &Start::Feet(feet), PLAYER).unwrap()
}

#[test]
fn triggers_in_cycles_follow_the_rules_and_their_delays_bound_the_queue() {
    let mut rng = Rng::new(33);
    for trial in 0..120 {
        let count = 1 + rng.below(8);
        let rules: Vec<Rule> = (0..count)
            .map(|_| Rule {
                targets: (0..1 + rng.below(3)).map(|_| rng.below(count)).collect(),
                delay: [0, 0, 1, 7, 40][rng.below(5)],
                wait: [0, 0, 1, 2, 25][rng.below(5)],
                once: rng.one_in(6),
            })
            .collect();
        let level = level_of(&rules);
        let mut game = game(&level);
        let empty = game.save(&level).len();
        let most: u64 = rules.iter().map(|rule| rule.delay + 1).sum();
        for (tick, expected) in model(&rules).into_iter().enumerate() {
            game.tick(&level, &[]);
            let acting = game
                .events
                .iter()
                .filter(|event| event.name() == "triggered");
            let acting: Vec<&str> = acting.filter_map(|event| event.node(&level)).collect();
            assert_eq!(acting, expected, "trial {trial}, tick {tick}: {rules:?}");
            let bytes = game.save(&level);
            assert!(bytes.len() <= empty + 64 + 16 * most as usize, "{rules:?}");
            if rng.one_in(10) {
                let hash = game.state_hash(&level);
                game = Game::restore(&level, &bytes).unwrap();
                assert_eq!(game.state_hash(&level), hash);
            }
        }
    }
}

#[test]
fn two_triggers_that_both_target_both_act_once_a_tick_each() {
    let rule = Rule {
        targets: vec![0, 1],
        delay: 0,
        wait: 0,
        once: false,
    };
    let level = level_of(&[rule.clone(), rule]);
    let mut game = game(&level);
    // Doubling in each tick would give 2^16 events.
    for _ in 0..16 {
        game.tick(&level, &[]);
        let acting = game
            .events
            .iter()
            .filter(|event| event.name() == "triggered");
        assert!(acting.count() <= 2);
    }
}

/// Rooms of 4 m in a row along x, and a trigger volume of the first room from x = 2 to 1 m before the end of the row.
fn row(count: usize) -> Level {
    let opening = |k: usize| {
        let x = 4. * k as f64;
        cuboid([x, 0., -0.6], [x, 2.1, 0.6])
    };
    let mut sketch = Sketch::new("row");
    let end = 4. * count as f64;
    let mut rooms = Vec::new();
    for k in 0..count {
        let mut openings = Vec::new();
        if k > 0 {
            openings.push(opening(k));
        }
        if k + 1 < count {
            openings.push(opening(k + 1));
        }
        let x = 4. * k as f64;
        let bounds = cuboid([x, 0., -2.], [x + 4., 3., 2.]);
        rooms.push(sketch.box_room(&format!("r{k}"), bounds, &openings));
    }
    for k in 1..count {
        sketch.portal(rooms[k - 1], &format!("r{k}"), opening(k), DVec3::X);
    }
    sketch.spawn(rooms[0], DVec3::new(0.7, 0.1, 0.), DVec3::X);
    sketch.furniture(rooms[0], 0, cuboid([2., 0., -2.], [end - 1., 3., 2.]));
    let volume = sketch.source.meshes.pop().unwrap();
    let corners = volume.triangles.iter();
    let corners = corners.map(|t| t.map(|i| volume.positions[i as usize]));
    sketch.source.triggers.push(TriggerSource {
        node: "alarm-trigger".to_owned(),
        room: rooms[0],
        kind: TriggerKindSource::Volume(corners.collect()),
        targets: Vec::new(),
        delay_ticks: 0,
        wait_ticks: 0,
        once: false,
        message: String::new(),
    });
    built(sketch.source)
}

#[test]
fn a_volume_over_several_rooms_is_entered_in_each_of_them_and_once_on_the_way_through_all() {
    for count in [1, 2, 3, 6] {
        let level = row(count);
        let end = 4. * count as f64;
        for k in 0..count {
            let x = (4. * k as f64 + 2.5).min(end - 1.5);
            let start = Start::Feet(AuthorPoint(DVec3::new(x, 0.0035, 0.)));
            let mut game = Game::start(&level, &start, PLAYER).unwrap();
            game.tick(&level, &[]);
            let entered = game.events.iter().filter(|event| event.name() == "entered");
            assert_eq!(entered.count(), 1, "room {k} of {count}");
        }
        let start = Start::Feet(AuthorPoint(DVec3::new(0.7, 0.0035, 0.)));
        let mut game = Game::start(&level, &start, PLAYER).unwrap();
        game.players[0].yaw = -90.0;
        let forward = Input {
            forward: 1.0,
            ..Input::default()
        };
        let mut entered = 0;
        for _ in 0..(60 * count + 60) {
            game.tick(&level, &[forward]);
            entered += game
                .events
                .iter()
                .filter(|event| event.name() == "entered")
                .count();
        }
        let x = game.players[0].actor.state.at.point.x + level.origin.x;
        assert!(x > end - 1., "{x}");
        assert_eq!(entered, 1, "through {count} rooms");
    }
}

#[test]
fn a_trigger_volume_with_a_hole_is_named_and_a_closed_one_is_not() {
    // Each face of the box has two triangles. A box that is inside out, and two boxes in one volume, count as closed.
    let change = |change: &dyn Fn(&mut Vec<[DVec3; 3]>)| {
        let source = hall(|source| {
            let TriggerKindSource::Volume(triangles) = &mut source.triggers[0].kind else {
                return;
            };
            change(triangles);
        });
        let (_, problems) = build(source).unwrap();
        let mut warnings = problems.warnings.iter();
        warnings.any(|problem| {
            problem.code == ProblemCode::TriggerVolume && problem.node == "gate-trigger"
        })
    };
    assert!(!change(&|_| {}));
    assert!(!change(&|triangles| triangles
        .iter_mut()
        .for_each(|t| t.reverse())));
    assert!(!change(&|triangles| {
        let shifted: Vec<_> = triangles
            .iter()
            .map(|t| t.map(|p| p + DVec3::X * 0.7))
            .collect();
        triangles.extend(shifted);
    }));
    for removed in 0..12 {
        assert!(change(&|triangles| _ = triangles.remove(removed)));
        assert!(change(&|triangles| triangles[removed].reverse()));
        // Without a whole face, and with only the first triangles.
        let first = removed / 2 * 2;
        assert!(change(&|triangles| drop(triangles.drain(first..first + 2))));
        assert!(change(
            &|triangles| triangles.truncate(removed + 1 - removed / 11)
        ));
    }
}
