//! Walk files as tests: their `expect` lines, and `opendoor test`.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Output};

use glam::DVec3;
use opendoor::author::grid_glb;
use opendoor::author::sketch::{Sketch, cuboid};
use opendoor::game::{Game, Input, PLAYER, Start};
use opendoor::level::{AuthorPoint, Level, Material};
use opendoor::load::load;
use opendoor::testing::{Recorder, Tour, parse, run_tests, walk_level};
use serde_json::Value;

use crate::common::{Playtest, WITHOUT_VULKAN, hall_with, v, wall};
use crate::readme_examples::root;
use crate::shared::built;

/// The failing lines of a walk from the spawn of a hall, 30 m south of its middle.
fn failed_lines(level: &Level, text: &str) -> Vec<usize> {
    let walked = walk_level(level, parse(text).unwrap(), |_, _, _| ()).unwrap();
    walked.failures.iter().map(|(line, _)| *line).collect()
}

const NONE: [usize; 0] = [];

/// A hall with a wall at z = 20, facing the spawn.
fn hall() -> Level {
    hall_with(&wall(v(0., 0., 20.), DVec3::Z, 20.0), Material::default())
}

#[test]
fn places_and_heights_are_those_of_the_feet() {
    let text = "expect at 0 30 within 0.01\nexpect at 0 30.5 within 0.4\nexpect near 0 0 30 0.01\n\
                expect below 0.01\nexpect above 0.01\nexpect room hall\nexpect not room hall\n\
                wait 0.1\njump\nwait 0.3\nexpect above 0.5\nexpect below 0.5";
    assert_eq!(failed_lines(&hall(), text), [2, 5, 7, 12]);
}

#[test]
fn the_speed_is_that_of_the_last_tick() {
    // Straight ahead, then along the wall at 45 degrees: 4 cos 45 = 2.83 m/s.
    let text = "face 0\nmove 1 0 1\nexpect speed above 3.99\nexpect speed below 4.01\nface 45\nmove 1 0 4\n\
                expect speed above 2.82\nexpect speed below 2.84\nexpect not stuck\nwait 1\n\
                expect speed below 0.001";
    assert_eq!(failed_lines(&hall(), text), NONE);
}

#[test]
fn a_body_that_runs_against_a_wall_is_blocked_by_it_and_stuck() {
    let level = hall();
    let node = level.solids.node_names().iter();
    let node = node.clone().next_back().unwrap();
    let text = format!(
        "expect not blocked\nexpect not stuck\nface 0\nmove 1 0 5\nexpect blocked\nexpect blocked by {node}\n\
         expect stuck\nwait 0.1\nexpect not stuck\nexpect not blocked"
    );
    assert_eq!(failed_lines(&level, &text), NONE);
    let text = "face 0\nmove 1 0 5\nexpect not stuck\nexpect not blocked";
    let walked = walk_level(&level, parse(text).unwrap(), |_, _, _| ()).unwrap();
    let said: Vec<&str> = walked
        .failures
        .iter()
        .map(|(_, said)| said.as_str())
        .collect();
    assert!(
        said.iter()
            .all(|said| said.contains("room hall at (0.000, ")),
        "{said:?}"
    );
    let blocked = format!("the body is blocked by `{node}`");
    assert!(said.iter().all(|said| said.ends_with(&blocked)), "{said:?}");
}

#[test]
fn events_are_those_since_the_expectations_before() {
    let text = "wait 0.1\njump\nwait 1\nexpect event jumped\nexpect event landed\nexpect not event hit\nwait 0.1\n\
                expect not event jumped\nexpect event landed";
    assert_eq!(failed_lines(&hall(), text), [9]);
}

#[test]
fn expectations_with_a_time_limit_wait() {
    let text = "wait 0.1\njump\nexpect within 1 event landed\nexpect within 0.5 not room hall\nexpect within 1 below 0.01";
    let walked = walk_level(&hall(), parse(text).unwrap(), |_, _, _| ()).unwrap();
    let lines: Vec<usize> = walked.failures.iter().map(|(line, _)| *line).collect();
    assert_eq!(lines, [4]);
    let seconds: Vec<f64> = walked.legs.iter().map(|leg| leg.seconds).collect();
    // A jump of 1 m takes 0.9 s.
    assert!((0.8..1.0).contains(&seconds[2]), "{seconds:?}");
    assert!(
        (seconds[3] - 0.5).abs() < 1e-9 && seconds[4] == 0.0,
        "{seconds:?}"
    );
}

#[test]
fn goto_within_a_time_fails_when_the_time_is_over() {
    // 8 m at 4 m/s take 2 s, longer than the 1.5 s of the second line.
    let text = "goto 8 30 within 2.2\ngoto 0 30 within 1.5\ngoto 0 30";
    assert_eq!(failed_lines(&hall(), text), [2]);
}

#[test]
fn the_hash_is_that_of_sim_and_one_bit_is_enough() {
    let level = hall();
    let mut playtest = Playtest::start(&level, &Start::Default);
    playtest.stand(0.5);
    let hash = playtest.game.state_hash(&level);
    let text = format!(
        "body sphere:0.35\nwait 0.5\nexpect hash {hash:016x}\nexpect hash {:016x}",
        hash ^ 1
    );
    assert_eq!(failed_lines(&level, &text), [4]);
}

/// Two rooms, 4 m high, with a doorway of 2 x 3 m between them, and a spawn in the western room that faces the doorway.
fn two_rooms() -> Level {
    let mut sketch = Sketch::new("two");
    let [west, east] = [-5.0, 5.0].map(|x| cuboid([x - 5.0, 0.0, -5.0], [x + 5.0, 4.0, 5.0]));
    let opening = cuboid([0.0, 0.0, -1.0], [0.0, 3.0, 1.0]);
    let rooms = [("west", west), ("east", east)];
    let rooms = rooms.map(|(name, shape)| sketch.box_room(name, shape, &[opening]));
    sketch.portal(rooms[0], "east", opening, DVec3::X);
    sketch.spawn(rooms[0], v(-8., 0., 0.), DVec3::X);
    built(sketch.source)
}

#[test]
fn sight_goes_through_doorways_that_are_in_view() {
    let text = "expect-seen east\nexpect-seen west\nface 90\nexpect-hidden east\nexpect-seen east\nface -90\n\
                close east-portal\nexpect-hidden east\nopen east-portal\nexpect-seen east";
    assert_eq!(failed_lines(&two_rooms(), text), [5]);
}

#[test]
fn names_that_the_level_does_not_have_are_all_reported_before_the_first_step() {
    let text = "expect room attic\nexpect-hidden cellar\nexpect not blocked by ghost\nexpect event crossed ghost\n\
                wait_until mover_arrived ghost\nexpect room hall";
    let errors = Tour::new(&hall(), parse(text).unwrap()).unwrap_err();
    let lines: Vec<usize> = errors.iter().map(|error| error.line).collect();
    assert_eq!(lines, [1, 2, 3, 4, 5]);
    assert!(
        errors[0].problem.contains("the rooms are `hall`"),
        "{}",
        errors[0]
    );
}

#[test]
fn a_walk_starts_where_it_says_and_fails_where_there_is_no_room() {
    let level = hall();
    assert_eq!(
        failed_lines(&level, "at 3 0 4\nexpect at 3 4 within 0.01"),
        NONE
    );
    for wrong in ["spawn attic", "at 0 -50 0"] {
        let walked = walk_level(&level, parse(wrong).unwrap(), |_, _, _| ());
        assert!(walked.is_err(), "{wrong}");
    }
}

/// Truncated, duplicated and changed lines of a walk that uses the whole language.
#[test]
fn hostile_walk_files_are_refused_or_walked_but_never_panic() {
    let whole = "level hall.glb\nbody capsule:0.3,1.7\nspawn player\ngoto 1 2 within 3\nwait 0.1\nface 10 -20\n\
                 move 1 -1 0.1 run jump crouch use\njump\ncrouch\nstand\nuse\nwait_until landed\n\
                 expect within 0.1 not near 1 2 3 0.1\nexpect at 1 2 within 3\nexpect above -1e300\n\
                 expect speed below 1e300\nexpect event hit\nexpect blocked\nexpect hash 0123456789abcdef\n\
                 expect-seen hall\nexpect-hidden hall # end\n";
    let level = hall();
    let (mut rng, mut walked) = (opendoor::rng::Rng::new(16), 0);
    let bits = [
        "",
        " ",
        "\u{0}",
        "-",
        "1e999",
        "\u{fe0f}",
        "within",
        "not",
        "#",
        "\u{2028}",
        "NaN",
        "9999999999",
    ];
    for _ in 0..3000 {
        let mut text: Vec<char> = whole.chars().collect();
        for _ in 0..1 + rng.below(6) {
            let at = rng.below(text.len().max(1));
            let bit = bits[rng.below(bits.len())].chars();
            match rng.below(3) {
                0 => text.splice(at..at, bit).for_each(drop),
                1 => text
                    .splice(at..(at + 9).min(text.len()), bit)
                    .for_each(drop),
                _ => text.truncate(at.max(1)),
            }
        }
        let text: String = text.into_iter().collect();
        let Ok(walk) = parse(&text) else {
            continue;
        };
        let Ok(mut game) = Game::start(&level, &walk.start, walk.body.unwrap_or(PLAYER)) else {
            continue;
        };
        let Ok(mut tour) = Tour::new(&level, walk) else {
            continue;
        };
        // Only 60 ticks: a mutated walk may last a day.
        for _ in 0..60 {
            let Some(input) = tour.next(&level, &mut game) else {
                break;
            };
            game.tick(&level, &[input]);
        }
        walked += 1;
    }
    assert!(walked > 100, "{walked}");
}

fn opendoor(folder: &Path, args: &[&str]) -> Output {
    let program = env!("CARGO_BIN_EXE_opendoor");
    let mut command = Command::new(program);
    let command = command.current_dir(folder).args(args).envs(WITHOUT_VULKAN);
    command.output().unwrap()
}

/// A folder with a level of two rooms and these walk files.
fn folder(name: &str, walks: &[(&str, &str)]) -> PathBuf {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join(format!("walk-tests-{name}"));
    let _ = fs::remove_dir_all(&folder);
    fs::create_dir_all(&folder).unwrap();
    fs::write(folder.join("grid.glb"), grid_glb(2, 1)).unwrap();
    for (walk, text) in walks {
        fs::write(folder.join(walk), text).unwrap();
    }
    folder
}

const GOOD: &str = "goto 9 2.3 # next room\nexpect room room_1_0\n";
const BAD: &str = "wait 0.1\n\nexpect room room_1_0\n";

#[test]
fn good_walks_are_exit_status_0_and_bad_ones_1_with_file_and_line() {
    let walks = [
        ("grid.walk", GOOD),
        ("grid-bad.walk", BAD),
        ("other.walk", GOOD),
        ("grid-typo.walk", "fly\n"),
    ];
    let folder = folder("status", &walks);
    let good = opendoor(&folder, &["test", "grid.walk"]);
    assert_eq!(good.status.code(), Some(0), "{good:?}");
    let all = opendoor(
        &folder,
        &["test", "--junit", "junit.xml", "--traces", "traces"],
    );
    assert_eq!(all.status.code(), Some(1), "{all:?}");
    let table = String::from_utf8(all.stdout).unwrap();
    for line in [
        "grid-bad.walk:3: `expect room room_1_0`: the body is in room room_0_0; the feet are in room room_0_0 at (",
        "grid-typo.walk:1: `fly`: `fly` is not a command",
        "other.walk: no level is beside it",
        "1 of 4 walks passed",
    ] {
        assert!(table.contains(line), "{table}");
    }
    let junit = fs::read_to_string(folder.join("junit.xml")).unwrap();
    assert!(junit.contains("tests=\"4\" failures=\"3\""), "{junit}");
    let traces: Vec<_> = fs::read_dir(folder.join("traces")).unwrap().collect();
    assert_eq!(traces.len(), 1);
    let trace = fs::read_to_string(folder.join("traces/grid-bad.csv")).unwrap();
    // A header row and one row for each of the 6 ticks in 0.1 s.
    assert_eq!(trace.lines().count(), 7, "{trace}");
    // For a single level only its own walks.
    let answer = opendoor(&folder, &["test", "grid.glb", "--json"]);
    let answer: Value = serde_json::from_slice(&answer.stdout).unwrap();
    assert_eq!(
        (&answer["passed"], &answer["failed"]),
        (&1.into(), &2.into())
    );
    let tap = opendoor(&folder, &["test", "grid.walk", "--tap"]).stdout;
    assert_eq!(tap, b"TAP version 14\n1..1\nok 1 - grid.walk\n");
}

#[test]
fn a_folder_without_walks_and_a_level_that_cannot_be_used_fail() {
    let folder = folder("none", &[]);
    let none = opendoor(&folder, &["test"]);
    assert_eq!(none.status.code(), Some(1));
    let said = String::from_utf8_lossy(&none.stderr).into_owned();
    assert!(
        said.contains("write ./LEVEL.walk beside the level"),
        "{said}"
    );
    fs::write(folder.join("grid.glb"), b"glTF").unwrap();
    fs::write(folder.join("grid.walk"), GOOD).unwrap();
    let bad = opendoor(&folder, &["test", "grid.walk"]);
    assert_eq!(bad.status.code(), Some(1));
    assert!(
        String::from_utf8_lossy(&bad.stdout).contains("opendoor check"),
        "{bad:?}"
    );
}

#[test]
fn sim_uses_the_start_and_the_body_of_the_walk_unless_options_override_them() {
    let text = "body player\nat 9 0 3\nwait 0.1\n";
    let folder = folder("sim", &[("grid.walk", text)]);
    let start = |more: &[&str]| {
        let args = [&["sim", "grid.glb", "--walk", "grid.walk", "--json"], more].concat();
        let answer: Value = serde_json::from_slice(&opendoor(&folder, &args).stdout).unwrap();
        (
            answer["start"]["position"][0].clone(),
            answer["state_hash"].clone(),
        )
    };
    let (x, of_walk) = start(&[]);
    assert_eq!((x, &of_walk), (9.0.into(), &start(&["--body", "player"]).1));
    let (x, elsewhere) = start(&["--at", "2,0,3", "--body", "sphere:0.2"]);
    assert_eq!(x, 2.0);
    assert_ne!(elsewhere, of_walk);
}

#[test]
fn the_walks_that_the_docs_show_are_those_beside_our_levels() {
    let page = fs::read_to_string(root().join("docs/testing.md")).unwrap();
    for walk in ["stairs", "slide"] {
        let path = root().join(format!("levels/proving-ground-{walk}.walk"));
        let text = fs::read_to_string(path).unwrap();
        let shown: Vec<String> = text.lines().map(|line| format!("    {line}")).collect();
        assert!(page.contains(&shown.join("\n")), "{walk}");
    }
}

#[test]
fn all_walks_of_our_levels_pass() {
    let results = run_tests(&[root().join("levels")], load).unwrap();
    for result in &results {
        assert!(
            result.passed(),
            "{}: {:?}",
            result.walk.display(),
            result.problems()
        );
    }
    assert!(results.len() >= 6);
}

/// A turntable also rotates the view of its rider, by angles that the recorder rounds to the digits of the walk file.
#[test]
fn a_ride_on_a_turntable_is_recorded_to_the_bit() {
    let (level, _) = load(&root().join("levels/works.glb")).unwrap();
    let start = Start::Feet(AuthorPoint(v(0.6, 0.4, 2.6)));
    let mut game = Game::start(&level, &start, PLAYER).unwrap();
    let mut recorder = Recorder::new(&level, &start);
    let first = game.players[0].yaw;
    for tick in 0..300 {
        let input = Input {
            forward: f64::from(u8::from(tick % 97 > 90)),
            ..Input::default()
        };
        if tick % 50 == 20 {
            game.players[0].look(3.21, 0.5);
        }
        recorder.add_tick(&mut game, &input);
        game.tick(&level, &[input]);
    }
    let looked = 6.0 * 3.21;
    assert!(
        (game.players[0].yaw - first - looked).abs() > 10.0,
        "it turns"
    );
    let text = recorder.finish(&level, &mut game).unwrap().text;
    assert_eq!(failed_lines(&level, &text), NONE);
}
