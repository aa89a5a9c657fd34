//! The player's figure: its walking animation, and the files that contain it.

use glam::Vec3;
use opendoor::author::grid_glb;
use opendoor::figure::{ACTIONS, Figure, Gait, GaitStep, Pose, skin};
use opendoor::figure::{FigureError, read_figure};
use opendoor::game::{Game, Input, PLAYER, Start};
use opendoor::level::Level;
use opendoor::load::load_bytes;
use opendoor::rng::Rng;
use serde_json::{Value, json};

const FILE: &[u8] = include_bytes!("../../levels/figures/person.glb");
const TICK: f64 = 1.0 / 60.0;
/// Height of the joint in the ball of a standing foot, metres.
const BALL: f32 = 0.028;

fn figure() -> Figure {
    read_figure(FILE).unwrap()
}

/// A step of a body with constant velocity. `moved` is its speed ahead and to the right, m/s.
fn steady(moved: [f64; 2], crouched: f64) -> GaitStep {
    GaitStep {
        seconds: TICK,
        moved: moved.map(|speed| speed * TICK),
        grounded: true,
        crouched,
        ..GaitStep::default()
    }
}

/// The greatest slip of the ball of a standing foot in one step, metres.
fn slip(figure: &Figure, moved: [f64; 2], crouched: f64) -> f32 {
    let (mut gait, mut pose) = (Gait::default(), Pose::default());
    let step = steady(moved, crouched);
    // Until the figure has reached its speed.
    for _ in 0..120 {
        gait.follow(&step);
    }
    let balls = ["toe.L", "toe.R"].map(|name| figure.joint(name).unwrap());
    let mut stood: [Option<Vec3>; 2] = [None; 2];
    let mut worst: f32 = 0.0;
    let mut steps = 0;
    for tick in 0..300 {
        gait.follow(&step);
        pose.set(figure, &gait.between(1.0));
        let gone = Vec3::new(moved[1] as f32, 0.0, -moved[0] as f32) * (tick as f32 * TICK as f32);
        for (ball, stood) in balls.iter().zip(&mut stood) {
            let place = Vec3::from(pose.model_from_joint[*ball].translation) + gone;
            if place.y > BALL + 0.004 {
                *stood = None;
                continue;
            }
            steps += usize::from(stood.is_none());
            let first = *stood.get_or_insert(place);
            worst = worst.max((place - first).with_y(0.0).length());
        }
    }
    assert!(steps >= 4, "{steps} steps at {moved:?}");
    worst
}

#[test]
fn feet_that_stand_do_not_slide() {
    let figure = figure();
    for (moved, crouched) in [
        ([1.6, 0.0], 0.0),
        ([4.0, 0.0], 0.0),
        ([7.0, 0.0], 0.0),
        ([-4.0, 0.0], 0.0),
        ([0.0, 4.0], 0.0),
        ([2.8, -2.8], 0.0),
        ([2.0, 0.0], 1.0),
        ([3.5, 0.0], 1.0),
    ] {
        let slip = slip(&figure, moved, crouched);
        assert!(slip < 0.03, "{slip} m at {moved:?}, {crouched}");
    }
    // Speeds between those of the authored actions.
    for tenths in 16..75 {
        let speed = f64::from(tenths) * 0.1;
        let slip = slip(&figure, [speed, 0.0], 0.0);
        assert!(slip < 0.06, "{slip} m at {speed} m/s");
    }
}

#[test]
fn every_action_exists_and_ends_in_its_first_pose() {
    let figure = figure();
    for action in ACTIONS {
        let clip = figure.clip(action).unwrap();
        let times = clip.poses.chunks_exact(figure.joints.len());
        let (first, last) = (times.clone().next().unwrap(), times.last().unwrap());
        for (first, last) in first.iter().zip(last) {
            let turned = 1.0 - first.rotation.dot(last.rotation).abs();
            assert!(turned < 1e-4, "{action}: {turned}");
            let moved = first.translation.distance(last.translation);
            assert!(moved < 1e-3, "{action}: {moved}");
        }
    }
}

/// The vertices in a pose.
fn vertices(figure: &Figure, pose: &Pose) -> Vec<Vec3> {
    let (mut palette, mut vertices) = (Vec::new(), Vec::new());
    skin(figure, pose, &mut palette, |position, normal| {
        assert!((normal.length() - 1.0).abs() < 1e-3);
        vertices.push(position);
    });
    vertices
}

#[test]
fn a_figure_that_stands_is_as_tall_as_the_body_and_crouched_as_low() {
    let figure = figure();
    for (crouched, height) in [(0.0, 1.8), (1.0, 1.1)] {
        let (mut gait, mut pose) = (Gait::default(), Pose::default());
        for _ in 0..90 {
            gait.follow(&steady([0.0; 2], crouched));
        }
        pose.set(&figure, &gait.between(1.0));
        let vertices = vertices(&figure, &pose);
        let top = vertices.iter().fold(0.0, |top: f32, v| top.max(v.y));
        let bottom = vertices.iter().fold(9.0, |bottom: f32, v| bottom.min(v.y));
        assert!((top - height).abs() < 0.1, "{top} for {height}");
        assert!(bottom.abs() < 0.02, "{bottom}");
    }
}

#[test]
fn the_figure_stays_whole_in_every_motion_of_the_body() {
    let figure = figure();
    let mut rng = Rng::new(11);
    let (mut gait, mut pose) = (Gait::default(), Pose::default());
    let mut step = steady([0.0; 2], 0.0);
    let mut before: Vec<Vec3> = Vec::new();
    let mut farthest = 0.0f32;
    for tick in 0..3000 {
        if tick % 20 == 0 {
            let speed = rng.between(0.0, 7.0);
            let moved = [
                rng.between(-1.0, 1.0) * speed,
                rng.between(-1.0, 1.0) * speed,
            ];
            step = GaitStep {
                grounded: !rng.one_in(3),
                rises: rng.between(-12.0, 4.5),
                ..steady(moved, step.crouched)
            };
        }
        // Crouching takes 0.15 s.
        let crouches = tick / 100 % 2 == 1;
        let way = if crouches { TICK / 0.15 } else { -TICK / 0.15 };
        step.crouched = (step.crouched + way).clamp(0.0, 1.0);
        gait.follow(&step);
        pose.set(&figure, &gait.between(1.0));
        let now = vertices(&figure, &pose);
        for vertex in &now {
            assert!(vertex.is_finite());
            assert!((-0.3..2.2).contains(&vertex.y), "{vertex}");
            assert!(vertex.with_y(0.0).length() < 1.3, "{vertex}");
        }
        for (vertex, before) in now.iter().zip(&before) {
            farthest = farthest.max(vertex.distance(*before));
        }
        before = now;
    }
    // Hands of arms that swing down after a fall reach 20 m/s.
    assert!(farthest < 0.35, "{farthest} m in a tick");
}

#[test]
fn between_two_ticks_the_figure_is_between() {
    let mut gait = Gait::default();
    let mut rng = Rng::new(5);
    for _ in 0..500 {
        let speed = rng.between(-7.0, 7.0);
        gait.follow(&steady([speed, 0.0], 0.0));
        let [before, middle, now] = [0.0, 0.5, 1.0].map(|alpha| gait.between(alpha));
        assert!((before.phase + now.phase - 2.0 * middle.phase).abs() < 1e-12);
        assert!((now.phase - before.phase).abs() < 0.2);
    }
}

fn start(level: &Level) -> Game {
    Game::start(level, &Start::Default, PLAYER).unwrap()
}

#[test]
fn seeing_the_figure_changes_nothing_in_a_game() {
    let (level, _) = load_bytes("grid", &grid_glb(3, 3)).unwrap();
    let (mut seen, mut unseen) = (start(&level), start(&level));
    let mut rng = Rng::new(3);
    let mut input = Input::default();
    let (mut pose, figure) = (Pose::default(), figure());
    for tick in 0..1200 {
        if tick % 20 == 0 {
            input.forward = rng.between(-1.0, 1.0);
            input.right = rng.between(-1.0, 1.0);
            (input.jump, input.crouch, input.run) = (rng.one_in(4), rng.one_in(4), rng.one_in(2));
        }
        let turn = rng.between(-5.0, 5.0);
        seen.players[0].look(turn, 0.0);
        unseen.players[0].look(turn, 0.0);
        unseen.tick(&level, &[input]);
        seen.tick(&level, &[input]);
        let view = seen.third_person(&level, 0, f64::from(tick % 3) * 0.5, 70.0, 1.6);
        pose.set(&figure, &view.stance);
        assert_eq!(seen.state_hash(&level), unseen.state_hash(&level));
        assert_eq!(seen.save(&level), unseen.save(&level));
    }
}

/// The file with changed JSON text.
fn changed(change: impl FnOnce(&mut Value)) -> Vec<u8> {
    let length = u32::from_le_bytes(FILE[12..16].try_into().unwrap()) as usize;
    let mut text: Value = serde_json::from_slice(&FILE[20..20 + length]).unwrap();
    change(&mut text);
    let mut json = text.to_string().into_bytes();
    json.resize(json.len().next_multiple_of(4), b' ');
    let binary = &FILE[20 + length..];
    let size = (20 + json.len() + binary.len()) as u32;
    let length = json.len() as u32;
    let head = [
        &FILE[..8],
        &size.to_le_bytes(),
        &length.to_le_bytes(),
        &FILE[16..20],
    ];
    [&head.concat(), &json, binary].concat()
}

fn error(change: impl FnOnce(&mut Value)) -> String {
    read_figure(&changed(change)).unwrap_err().to_string()
}

fn node<'a>(text: &'a mut Value, name: &str) -> &'a mut Value {
    let nodes = text["nodes"].as_array_mut().unwrap();
    nodes.iter_mut().find(|node| node["name"] == name).unwrap()
}

#[test]
fn a_file_that_is_no_figure_says_why() {
    assert!(read_figure(&changed(|_| {})).is_ok());
    assert!(matches!(
        read_figure(&grid_glb(1, 1)),
        Err(FigureError::NoSkin)
    ));
    let says = error(|text| node(text, "person")["skin"] = json!(7));
    assert!(says.contains("skin"), "{says}");
    let says = error(|text| node(text, "head")["scale"] = json!([2.0, 1.0, 1.0]));
    assert!(says.contains("`head`") && says.contains("scale"), "{says}");
    // Node 0 is the head.
    let says = error(|text| node(text, "head")["children"] = json!([0]));
    assert!(says.contains("`head`"), "{says}");
    let says = error(|text| node(text, "hand.L")["children"] = json!([0]));
    assert!(says.contains("`head` has two parents"), "{says}");
    let says = error(|text| text["skins"][0]["joints"] = json!([0, 0]));
    assert!(says.contains("twice"), "{says}");
    let says = error(|text| text["skins"][0]["joints"] = json!([1]));
    assert!(says.contains("follows joint"), "{says}");
    let says = error(|text| text["skins"][0]["joints"] = json!(vec![0; 300]));
    assert!(says.contains("300 joints"), "{says}");
    let says = error(|text| text["skins"][0]["inverseBindMatrices"] = json!(0));
    assert!(says.contains("MAT4"), "{says}");
    let says = error(|text| {
        let attributes = &mut text["meshes"][0]["primitives"][0]["attributes"];
        attributes.as_object_mut().unwrap().remove("WEIGHTS_0");
    });
    assert!(says.contains("WEIGHTS_0"), "{says}");
    let says = error(|text| text["animations"][0]["channels"][0]["sampler"] = json!(999));
    assert!(says.contains("animation"), "{says}");
}

#[test]
fn damaged_figures_end_in_answers() {
    let mut rng = Rng::new(9);
    let mut pose = Pose::default();
    let mut gait = Gait::default();
    gait.follow(&steady([3.0, 1.0], 0.3));
    let mut read = 0;
    for _ in 0..1500 {
        let bytes = crate::mutations::mutated(FILE, &mut rng);
        if let Ok(figure) = read_figure(&bytes) {
            read += 1;
            pose.set(&figure, &gait.between(0.5));
            skin(&figure, &pose, &mut Vec::new(), |_, _| {});
        }
    }
    assert!(read > 100, "{read}");
}
