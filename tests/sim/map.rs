//! `opendoor map`: printable floor plans.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Output};

use glam::{DQuat, DVec2, DVec3};
use opendoor::author::builder::{BuilderBody, BuilderShape, LevelBuilder, RoomMaterials};
use opendoor::author::grid_glb;
use opendoor::author::sketch::{Sketch, cuboid};
use opendoor::level::{Level, Material};
use opendoor::load::{load, load_bytes};
use opendoor::map::{Ink, Plan, ShapeGeometry, Sheets, Storey, Survey, svg};
use opendoor::problems::Problem;
use serde_json::Value;

use crate::common::WITHOUT_VULKAN;
use crate::readme_examples::root;
use crate::shared::built;

/// Two halls of 10 x 8 m and 3 m high, one above the other, and a shaft of 2 x 2 m beside them through both storeys.
fn tower() -> Level {
    let mut sketch = Sketch::new("tower");
    sketch.box_room("low", cuboid([0., 0., 0.], [10., 3., 8.]), &[]);
    sketch.box_room("high", cuboid([0., 3.5, 0.], [10., 6.5, 8.]), &[]);
    sketch.box_room("shaft", cuboid([11., 0., 0.], [13., 6.5, 2.]), &[]);
    sketch.spawn(0, DVec3::new(5., 0., 4.), DVec3::X);
    sketch.lamp(1, DVec3::new(5., 6., 4.), 10.0);
    built(sketch.source)
}

fn lines_of(storey: &Storey, ink: Ink) -> usize {
    let shapes = storey.shapes.iter();
    shapes.filter(|shape| shape.ink == ink).count()
}

fn names_on(storey: &Storey) -> Vec<&str> {
    let names = storey
        .shapes
        .iter()
        .filter_map(|shape| match &shape.figure {
            ShapeGeometry::Name { text, .. } => Some(text.as_str()),
            _ => None,
        });
    names.collect()
}

#[test]
fn rooms_are_drawn_on_the_storey_that_they_stand_on() {
    let plan = Plan::of(&tower());
    let floors: Vec<f64> = plan.storeys.iter().map(|storey| storey.floor).collect();
    assert_eq!(floors, [0.0, 3.5]);
    assert_eq!(names_on(&plan.storeys[0]), ["low", "shaft"]);
    assert_eq!(names_on(&plan.storeys[1]), ["high"]);
    let of = |ink| [0, 1].map(|nth| lines_of(&plan.storeys[nth], ink));
    // The shaft continues through the upper storey.
    assert_eq!(of(Ink::Void), [0, 1]);
    assert_eq!(of(Ink::Lamp), [0, 1]);
    assert_eq!(of(Ink::Spawn), [1, 0]);
    // The shown storey is that of the body.
    let level = tower();
    let shaft = level.room_named("shaft").unwrap().0;
    let floor_at = |room, feet| plan.storey_at(room, feet).map(|storey| storey.floor);
    assert_eq!(
        floor_at(level.room_named("high").unwrap().0, 3.5),
        Some(3.5)
    );
    assert_eq!(floor_at(shaft, 0.0), Some(0.0));
    assert_eq!(Plan::default().storey_at(0, 0.0).map(|s| s.floor), None);
}

#[test]
fn the_walls_of_a_grid_have_their_built_length_and_its_openings_are_drawn() {
    let (level, _) = load_bytes("grid", &grid_glb(3, 2)).unwrap();
    let plan = Plan::of(&level);
    assert_eq!(plan.storeys.len(), 1);
    let storey = &plan.storeys[0];
    assert_eq!(lines_of(storey, Ink::Portal), level.links.len());
    assert_eq!(names_on(storey).len(), 6);
    for shape in storey
        .shapes
        .iter()
        .filter(|shape| shape.ink == Ink::Portal)
    {
        let ShapeGeometry::Line(points) = &shape.figure else {
            panic!("{shape:?}");
        };
        assert_eq!(points.len(), 2);
    }
}

/// A hall with a crate, rotated by 45 degrees, and a gallery with a ball above the hall.
fn with_bodies() -> Level {
    let mut builder = LevelBuilder::new("hall");
    let wood = builder.material(Material::default());
    let mut room = |name: &str, low: f64| {
        let inside = BuilderShape::cuboid(DVec3::new(0., low, 0.), DVec3::new(10., low + 3., 8.));
        builder
            .room(name, &inside, RoomMaterials::all(wood))
            .unwrap()
    };
    let (low, high) = (room("low", 0.0), room("high", 4.0));
    builder
        .spawn(low, "player", DVec3::new(1., 0., 1.), DVec3::X)
        .unwrap();
    let turn = DQuat::from_rotation_y(std::f64::consts::FRAC_PI_4);
    let crate_ = BuilderBody::cuboid(DVec3::ONE)
        .at(DVec3::new(5., 0.5, 4.))
        .turned(turn);
    builder.body(low, "crate", &crate_, wood).unwrap();
    let ball = BuilderBody::ball(0.5).at(DVec3::new(3., 4.5, 3.));
    builder.body(high, "ball", &ball, wood).unwrap();
    built(builder.source())
}

#[test]
fn bodies_are_outlined_on_the_storey_that_they_start_on() {
    let level = with_bodies();
    let plan = Plan::of(&level);
    let of = |nth: usize| {
        let shapes = plan.storeys[nth].shapes.iter();
        let mut bodies = shapes.filter(|shape| shape.ink == Ink::Body);
        let shape = bodies.next().unwrap();
        assert!(bodies.next().is_none());
        let origin = DVec2::new(level.origin.x, level.origin.z);
        shape.bounds.map(|p| p + origin)
    };
    let half = std::f64::consts::FRAC_1_SQRT_2;
    let [least, greatest] = of(0);
    assert!(
        least.distance(DVec2::new(5. - half, 4. - half)) < 1e-9,
        "{least}"
    );
    assert!(
        greatest.distance(DVec2::new(5. + half, 4. + half)) < 1e-9,
        "{greatest}"
    );
    let [least, greatest] = of(1);
    assert!(least.distance(DVec2::new(2.5, 2.5)) < 1e-9, "{least}");
    assert!(greatest.distance(DVec2::new(3.5, 3.5)) < 1e-9, "{greatest}");
    let text = svg(&plan, &Sheets::default());
    assert!(is_well_formed(&text));
    assert!(text.contains("blue outlines bodies") && text.contains("#6a9fd8"));
    // Bodies of an unusable level are also drawn.
    let mut builder = LevelBuilder::new("hall");
    let wood = builder.material(Material::default());
    let inside = BuilderShape::cuboid(DVec3::ZERO, DVec3::new(10., 3., 8.));
    let hall = builder
        .room("hall", &inside, RoomMaterials::all(wood))
        .unwrap();
    let outside = BuilderBody::cuboid(DVec3::ONE).at(DVec3::new(20., 0.5, 4.));
    builder.body(hall, "crate", &outside, wood).unwrap();
    let plan = Plan::of_survey(&Survey::of_source(&builder.source()), &[]);
    assert_eq!(lines_of(&plan.storeys[0], Ink::Body), 1);
}

/// Whether all tags are closed, in order, and no other text looks like a tag.
fn is_well_formed(text: &str) -> bool {
    let mut open = Vec::new();
    for part in text.split('<').skip(1) {
        let Some((tag, rest)) = part.split_once('>') else {
            return false;
        };
        if rest.contains('>') {
            return false;
        }
        let name = tag
            .split([' ', '/'])
            .find(|word| !word.is_empty())
            .unwrap_or("");
        if tag.starts_with('/') {
            if open.pop() != Some(name) {
                return false;
            }
        } else if !tag.ends_with('/') && !tag.starts_with('?') {
            open.push(name);
        }
    }
    open.is_empty()
}

#[test]
fn sheets_are_a4_at_a_round_scale_with_a_bar_of_the_right_length() {
    let plan = Plan::of(&tower());
    let text = svg(&plan, &Sheets::default());
    assert!(is_well_formed(&text), "{text}");
    // Two sheets of 297 x 210 mm, 13 x 8 m at 1:50.
    assert!(text.contains("width=\"297mm\" height=\"420mm\""), "{text}");
    assert!(text.contains("1:50 on A4"), "{text}");
    assert!(text.contains("tower, storey 2 of 2, floor at 3.50 m"));
    assert!(text.contains(">2 m</text>"), "{text}");
    // Each quarter of the bar of 2 m is 10 mm long.
    assert_eq!(text.matches("width=\"10.00\" height=\"1.4\"").count(), 8);
    let one = svg(
        &plan,
        &Sheets {
            storey: Some(1),
            ..Sheets::default()
        },
    );
    assert!(one.contains("height=\"210mm\"") && !one.contains("storey 2 of 2"));
}

fn opendoor(args: &[&str]) -> Output {
    let program = env!("CARGO_BIN_EXE_opendoor");
    let mut command = Command::new(program);
    command.args(args).envs(WITHOUT_VULKAN).output().unwrap()
}

fn output(name: &str) -> PathBuf {
    Path::new(env!("CARGO_TARGET_TMPDIR")).join(name)
}

#[test]
fn problems_have_numbers_on_the_plan_and_sentences_in_a_list() {
    let out = output("problems.svg");
    let level = root().join("levels/broken/portal_into_itself.glb");
    let [level, path] = [&level, &out].map(|path| path.to_str().unwrap());
    let drawn = opendoor(&["map", level, "-o", path, "--json"]);
    // A bad level is drawn as far as it could be read.
    assert_eq!(drawn.status.code(), Some(1));
    let answer: Value = serde_json::from_slice(&drawn.stdout).unwrap();
    assert_eq!(
        answer["storeys"][0]["problems"],
        serde_json::json!([1]),
        "{answer}"
    );
    assert_eq!(answer["problems"][0]["code"], "portal-into-itself");
    let text = fs::read_to_string(&out).unwrap();
    assert!(is_well_formed(&text));
    assert!(
        text.contains("1. (storey 1)") && text.contains(", problems</text>"),
        "{text}"
    );
    assert_eq!(text.matches("<circle").count(), 1);
}

/// The hole is in the ceiling of a hall, far from the hall's middle.
#[test]
fn a_problem_that_has_a_place_is_drawn_there_and_not_in_the_middle_of_its_node() {
    let hole = cuboid([6.0, 3.0, 4.0], [7.0, 3.0, 5.0]);
    let mut sketch = Sketch::new("hall");
    let hall = sketch.box_room("hall", cuboid([0.0; 3], [8.0, 3.0, 6.0]), &[hole]);
    sketch.lamp(hall, DVec3::new(4.0, 2.5, 3.0), 50.0);
    sketch.spawn(hall, DVec3::new(2.0, 0.1, 3.0), DVec3::X);
    let inspection = opendoor::lint::inspect_source(sketch.source);
    let level = inspection.level.expect("a hole is no error");
    let problems: Vec<Problem> = inspection.problems.warnings.iter().cloned().collect();
    let plan = Plan::of_survey(&Survey::of(&level), &problems);
    let [problem] = plan.storeys[0].problems.as_slice() else {
        panic!("{problems:?}")
    };
    let at = level
        .to_author(DVec3::new(problem.at.x, 0.0, problem.at.y))
        .0;
    assert!(
        (6.0..=7.0).contains(&at.x) && (4.0..=5.0).contains(&at.z),
        "{at}"
    );
}

#[test]
fn hostile_levels_are_drawn_without_a_panic() {
    let folder = root().join("levels/broken");
    for entry in fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        let inspection = opendoor::lint::inspect(&path);
        let survey = match &inspection.level {
            Ok(level) => Survey::of(level),
            Err(source) => Survey::of_source(source),
        };
        let errors: Vec<_> = inspection.problems.errors.iter().cloned().collect();
        let plan = Plan::of_survey(&survey, &errors);
        let sheets = Sheets {
            problems: &errors,
            storey: None,
        };
        let text = svg(&plan, &sheets);
        assert!(is_well_formed(&text), "{}", path.display());
        // Only attribute values are searched, because names and messages may contain any text.
        let tags = text.split('<').filter_map(|part| part.split('>').next());
        let mut numbers = tags.flat_map(|tag| tag.split('"').skip(1).step_by(2));
        let odd = numbers.find(|value| value.contains("NaN") || value.contains("inf"));
        assert_eq!(odd, None, "{}", path.display());
    }
}

#[test]
fn the_house_has_a_cellar_a_ground_floor_and_an_upper_floor() {
    let (level, _) = load(&root().join("levels/house.glb")).unwrap();
    let plan = Plan::of(&level);
    let rooms = |nth: usize| names_on(&plan.storeys[nth]);
    assert_eq!(plan.storeys.len(), 3);
    assert!(rooms(0).contains(&"wine-cellar") && !rooms(0).contains(&"hall"));
    assert!(rooms(1).contains(&"hall") && rooms(1).contains(&"kitchen"));
    assert!(rooms(2).contains(&"study") && rooms(2).contains(&"gallery"));
    // Doors have swing arcs.
    assert!(lines_of(&plan.storeys[1], Ink::Door) >= 6);
    assert!(lines_of(&plan.storeys[1], Ink::Way) >= 12);
}

#[test]
fn a_storey_that_is_not_there_is_refused() {
    let (level, out) = (root().join("levels/house.glb"), output("none.svg"));
    let [level, path] = [&level, &out].map(|path| path.to_str().unwrap());
    let refused = opendoor(&["map", level, "-o", path, "--storey", "9"]);
    assert_eq!(refused.status.code(), Some(1));
    assert!(String::from_utf8_lossy(&refused.stderr).contains("there are 3"));
    assert!(!out.exists());
}
