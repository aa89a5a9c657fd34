//! `opendoor sim`, `generate` and `bench`, used as in scripts.

use std::path::{Path, PathBuf};
use std::process::{Command, Output};

use serde_json::Value;

use crate::common::WITHOUT_VULKAN;

fn opendoor(args: &[&str]) -> Output {
    let program = env!("CARGO_BIN_EXE_opendoor");
    let mut command = Command::new(program);
    command.args(args).envs(WITHOUT_VULKAN).output().unwrap()
}

fn scratch_file(name: &str) -> PathBuf {
    Path::new(env!("CARGO_TARGET_TMPDIR")).join(name)
}

/// A generated grid in a separate file.
fn grid(name: &str) -> String {
    let path = scratch_file(name).to_str().unwrap().to_owned();
    let output = opendoor(&["generate", "grid", "3", "2", "-o", &path]);
    assert!(output.status.success(), "{output:?}");
    path
}

fn json(output: &Output) -> Value {
    serde_json::from_slice(&output.stdout).unwrap_or_else(|e| panic!("{e}: {output:?}"))
}

fn keys(value: &Value) -> Vec<&str> {
    value
        .as_object()
        .unwrap()
        .keys()
        .map(String::as_str)
        .collect()
}

#[test]
fn the_program_prints_its_name_and_version() {
    let version = opendoor(&["--version"]);
    let expected = format!("opendoor {}\n", env!("CARGO_PKG_VERSION"));
    assert_eq!(String::from_utf8_lossy(&version.stdout), expected);
    let help = opendoor(&["--help"]);
    let help = String::from_utf8_lossy(&help.stdout);
    assert!(help.starts_with("A room-and-portal engine"), "{help}");
}

#[test]
fn a_generated_grid_passes_the_check_without_a_warning() {
    let level = grid("check.glb");
    let checked = json(&opendoor(&["check", &level, "--json"]));
    assert_eq!(checked["ok"], true, "{checked}");
    assert_eq!(checked["rooms"].as_array().unwrap().len(), 6);
    assert_eq!(checked["portals"].as_array().unwrap().len(), 7);
    assert_eq!(checked["lights"], 6);
    assert_eq!(checked["warnings"], Value::Array(Vec::new()));
}

#[test]
fn sim_answers_with_the_keys_that_scripts_rely_on() {
    let level = grid("keys.glb");
    let walk = scratch_file("keys.walk");
    std::fs::write(&walk, "goto 9 2.3 # next room\n").unwrap();
    let trace = scratch_file("keys.csv");
    let [walk, trace] = [&walk, &trace].map(|path| path.to_str().unwrap());
    let output = opendoor(&["sim", &level, "--walk", walk, "--trace", trace, "--json"]);
    assert_eq!(output.status.code(), Some(0), "{output:?}");
    let answer = json(&output);
    let mut expected = [
        "ticks",
        "seconds",
        "start",
        "end",
        "legs",
        "distance",
        "min_y",
        "max_y",
        "rooms_entered",
        "grounded_ticks",
        "max_penetration",
        "min_gap",
        "stuck",
        "why",
        "events",
        "events_omitted",
        "bodies_held_back",
        "ns_per_tick",
        "body_ns_per_tick",
        "state_hash",
    ];
    expected.sort_unstable();
    assert_eq!(keys(&answer), expected);
    assert_eq!(keys(&answer["start"]), ["position", "room"]);
    let leg = &answer["legs"][0];
    assert_eq!(
        keys(leg),
        ["command", "line", "ok", "position", "room", "seconds"]
    );
    assert_eq!(
        (&leg["command"], &leg["ok"]),
        (&"goto 9 2.3".into(), &true.into())
    );
    assert_eq!(answer["end"]["room"], "room_1_0");
    assert_eq!(
        answer["rooms_entered"],
        serde_json::json!(["room_0_0", "room_1_0"])
    );
    assert_eq!(answer["max_penetration"], 0.0);
    assert!(answer["min_gap"].as_f64().unwrap() > 0.0);

    let rows = std::fs::read_to_string(trace).unwrap();
    let mut rows = rows.lines();
    assert_eq!(rows.next(), Some("tick,x,y,z,room,grounded,contacts"));
    assert_eq!(
        rows.clone().count() as u64,
        answer["ticks"].as_u64().unwrap()
    );
    let last: Vec<&str> = rows.next_back().unwrap().split(',').collect();
    assert_eq!(
        last[1].parse::<f64>().unwrap(),
        answer["end"]["position"][0]
    );
    assert_eq!((last[4], last[5]), ("room_1_0", "1"));
}

#[test]
fn a_leg_that_fails_is_exit_status_1_and_a_message_on_stderr() {
    let level = grid("fail.glb");
    let walk = scratch_file("fail.walk");
    std::fs::write(&walk, "goto -40 3\nwait 0.1\n").unwrap();
    let output = opendoor(&["sim", &level, "--walk", walk.to_str().unwrap(), "--json"]);
    assert_eq!(output.status.code(), Some(1));
    let legs = &json(&output)["legs"];
    assert_eq!(
        (&legs[0]["ok"], &legs[1]["ok"]),
        (&false.into(), &true.into())
    );
    assert!(String::from_utf8_lossy(&output.stderr).contains("line 1: `goto -40 3`"));
}

#[test]
fn sim_names_the_blockers() {
    let level = grid("why.glb");
    let walk = scratch_file("why.walk");
    // Towards the outer wall of the first room, from x = 0 to 6.
    std::fs::write(&walk, "face 90\nmove 1 0 4\n").unwrap();
    let walk = walk.to_str().unwrap();
    let answer = json(&opendoor(&["sim", &level, "--walk", walk, "--json"]));
    assert_eq!(answer["stuck"], false);
    let blocker = &answer["why"][0];
    assert_eq!(blocker["room"], answer["end"]["room"], "{answer}");
    assert!(
        blocker["node"]
            .as_str()
            .is_some_and(|node| !node.is_empty())
    );
    // The normal is +x, towards the body.
    let [x, y, z] = [0, 1, 2].map(|i| blocker["normal"][i].as_f64().unwrap());
    assert!(
        (x - 1.0).abs() < 1e-9 && y.abs() < 1e-9 && z.abs() < 1e-9,
        "{blocker}"
    );
    let feet = answer["end"]["position"][0].as_f64().unwrap();
    for corner in blocker["triangles"][0].as_array().unwrap() {
        let gap = feet - 0.35 - corner[0].as_f64().unwrap();
        assert!((gap - 0.0035).abs() < 1e-4, "{gap}");
    }
}

#[test]
fn zero_seconds_report_the_start_point_also_with_negative_coordinates() {
    let level = grid("at.glb");
    for at in [&["--at=3,1,9"][..], &["--at", "3,1,9"]] {
        let args = [&["sim", &level, "--seconds", "0", "--json"], at].concat();
        let answer = json(&opendoor(&args));
        assert_eq!(
            (&answer["ticks"], &answer["start"]["room"]),
            (&0.into(), &"room_0_1".into())
        );
        assert_eq!(answer["start"], answer["end"]);
    }
    let outside = opendoor(&["sim", &level, "--at", "-3,1,9", "--seconds", "0"]);
    assert_eq!(outside.status.code(), Some(1));
    assert!(String::from_utf8_lossy(&outside.stderr).contains("(-3.000, 1.000, 9.000)"));
}

#[test]
fn a_walk_looks_where_yaw_says_at_a_point_and_at_a_spawn() {
    let level = grid("yaw.glb");
    let walk = scratch_file("yaw.walk");
    std::fs::write(&walk, "move 1 0 0.5\n").unwrap();
    let ends = |place: &[&str]| -> [f64; 2] {
        let walk = walk.to_str().unwrap();
        let args = [&["sim", &level, "--walk", walk, "--json"], place].concat();
        let answer = json(&opendoor(&args));
        [0, 2].map(|axis| {
            let at = |end: &str| answer[end]["position"][axis].as_f64().unwrap();
            at("end") - at("start")
        })
    };
    // -X is to the left of -Z.
    for (yaw, [x, z]) in [("0", [0.0, -1.0]), ("90", [-1.0, 0.0]), ("-90", [1.0, 0.0])] {
        for place in [&["--at", "3,0,9"][..], &["--spawn", "player"], &[]] {
            let moved = ends(&[place, &["--yaw", yaw]].concat());
            let along = moved[0] * x + moved[1] * z;
            let aside = moved[0] * z - moved[1] * x;
            assert!(
                along > 1.0 && aside.abs() < 1e-6,
                "{yaw} {place:?} {moved:?}"
            );
        }
    }
}

#[test]
fn wrong_usage_is_exit_status_2() {
    let level = grid("usage.glb");
    for wrong in [
        &["sim", &level, "--at", "1,2"][..],
        &["sim", &level, "--at", "1,2,3", "--spawn", "player"],
        &["sim", &level, "--yaw", "nan"],
        &["sim", &level, "--body", "cube:1"],
        &["sim", &level, "--body", "sphere:nan"],
        &["sim", &level, "--seconds", "-1"],
        &["sim", &level, "--speed", "inf"],
        &["sim", &level, "--wander", "north"],
        &["sim", &level, "--wander", "1", "--walk", "a.walk"],
        &["generate", "grid", "0", "2", "-o", "never.glb"],
        &["sim"],
    ] {
        assert_eq!(opendoor(wrong).status.code(), Some(2), "{wrong:?}");
    }
}

#[test]
fn a_random_walk_reports_like_a_walk_and_is_repeatable() {
    let level = grid("wander.glb");
    let walk = |args: &[&str]| {
        let output = opendoor(&[&["sim", &level, "--json"], args].concat());
        assert_eq!(output.status.code(), Some(0), "{output:?}");
        json(&output)
    };
    let trace = scratch_file("wander.csv");
    let trace = trace.to_str().unwrap();
    let once = walk(&["--wander", "7", "--seconds", "5", "--trace", trace]);
    assert_eq!(once["ticks"], 300);
    assert_eq!(once["legs"], Value::Array(Vec::new()));
    assert!(once["distance"].as_f64().unwrap() > 1.0);
    let rows = std::fs::read_to_string(trace).unwrap();
    assert_eq!(rows.lines().count(), 301);
    let again = walk(&["--wander", "7", "--seconds", "5", "--whole-soup"]);
    assert_eq!(once["state_hash"], again["state_hash"]);
    let other = walk(&["--wander", "8", "--seconds", "5"]);
    assert_ne!(once["state_hash"], other["state_hash"]);
    let small = ["--at", "3,0.1,9", "--body", "sphere:0.1"];
    let small = walk(&[&["--wander", "7"][..], &small].concat());
    assert_eq!(small["ticks"], 3600);
    assert_eq!(small["start"]["room"], "room_0_1");
}

/// Balls roll and crates stand in the level while the player wanders.
#[test]
fn bodies_go_the_same_ways_by_every_method_of_their_broad_phase() {
    let wander = |pairs: &[&str]| {
        let level = "levels/workshop.glb";
        let args = ["sim", level, "--json", "--wander", "3", "--seconds", "4"];
        let output = opendoor(&[&args[..], pairs].concat());
        assert_eq!(output.status.code(), Some(0));
        json(&output)["state_hash"].clone()
    };
    let usual = wander(&[]);
    assert!(usual.is_string());
    for method in ["sweep", "grid", "tree"] {
        assert_eq!(wander(&["--pairs", method]), usual, "{method}");
    }
}

#[test]
fn a_body_that_touches_something_is_exit_status_1_and_a_message_on_stderr() {
    let level = grid("touch.glb");
    // A sphere of 2 m radius does not fit into the rooms, which are 3 m high.
    let output = opendoor(&["sim", &level, "--body", "sphere:2", "--json"]);
    assert_eq!(output.status.code(), Some(1));
    assert!(json(&output)["min_gap"].as_f64().unwrap() < 0.0);
    let said = String::from_utf8_lossy(&output.stderr);
    assert!(said.contains("tick 0, in room_0_0"), "{said}");
    assert!(said.contains("touches something solid"), "{said}");
}

#[test]
fn bad_walk_files_are_refused_with_all_their_lines() {
    let level = grid("bad.glb");
    let walk = scratch_file("bad.walk");
    for (text, said) in [
        ("fly\nwait x\n", ["line 1: `fly`", "line 2: `wait x`"]),
        (
            "open attic\nclose attic\n",
            ["line 1: `open attic`", "line 2: `close attic`"],
        ),
        (
            "spawn attic\nopen attic\nfly\n",
            ["line 2: `open attic`", "line 3: `fly`"],
        ),
    ] {
        std::fs::write(&walk, text).unwrap();
        let output = opendoor(&["sim", &level, "--walk", walk.to_str().unwrap(), "--json"]);
        assert_eq!(output.status.code(), Some(1));
        let stderr = String::from_utf8_lossy(&output.stderr);
        assert!(said.iter().all(|line| stderr.contains(line)), "{stderr}");
        assert!(output.stdout.is_empty());
    }
}

#[test]
fn levels_of_the_program_are_named_without_a_file_and_misspelt_names_have_a_suggestion() {
    let output = opendoor(&["sim", "labyrinth", "--json"]);
    assert!(json(&output)["end"]["room"].is_string());
    for (args, status, said) in [
        (&["chekc"][..], 2, "did you mean `check`?"),
        (&["chekc", "house", "--json"], 2, "did you mean `check`?"),
        (&["hose"], 2, "did you mean `house`?"),
        (
            &["sim", "house", "--seconds", "-1"],
            2,
            "a number from 0 to 86400",
        ),
    ] {
        let output = opendoor(args);
        assert_eq!(output.status.code(), Some(status), "{args:?}");
        let stderr = String::from_utf8_lossy(&output.stderr);
        assert!(stderr.contains(said), "{args:?}: {stderr}");
    }
}

#[test]
fn bench_answers_with_the_keys_that_scripts_rely_on() {
    let level = grid("bench.glb");
    let answer = json(&opendoor(&["bench", &level, "--json"]));
    let expected = [
        "frame",
        "load_ms",
        "portals",
        "resident_bytes",
        "rooms",
        "sim",
        "triangles",
        "visibility",
    ];
    assert_eq!(keys(&answer), expected);
    assert_eq!(
        (&answer["rooms"], &answer["portals"]),
        (&6.into(), &7.into())
    );
    assert!(answer["sim"]["ns_per_tick"].as_f64().unwrap() > 0.0);
    assert_eq!(
        keys(&answer["visibility"]),
        ["sprawls_max", "us_max", "us_median", "visits_max"]
    );
}

#[test]
fn an_output_that_cannot_be_written_is_refused_before_anything_is_read() {
    let nowhere = scratch_file("no such folder/result.png");
    let nowhere = nowhere.to_str().unwrap();
    let commands = [
        &["sim", "no such level.glb", "--trace", nowhere][..],
        &["generate", "grid", "2", "2", "-o", nowhere],
        #[cfg(feature = "gpu")]
        &["shot", "no such level.glb", "-o", nowhere],
    ];
    for command in commands {
        let output = opendoor(command);
        assert_eq!(output.status.code(), Some(1));
        let said = String::from_utf8_lossy(&output.stderr);
        assert!(
            said.contains("result.png: cannot be written"),
            "{command:?}: {said}"
        );
    }
}

#[cfg(feature = "gpu")]
#[test]
fn a_picture_that_is_no_png_is_wrong_usage() {
    let output = opendoor(&["shot", "no such level.glb", "-o", "picture.jpg"]);
    assert_eq!(output.status.code(), Some(2));
}

#[test]
fn a_failed_command_leaves_no_output_and_keeps_the_old_file() {
    let level = grid("kept.glb");
    let folder = scratch_file("kept");
    let _ = std::fs::remove_dir_all(&folder);
    std::fs::create_dir(&folder).unwrap();
    let (old, new) = (folder.join("old.csv"), folder.join("new.csv"));
    std::fs::write(&old, "old").unwrap();
    for trace in [&old, &new] {
        let trace = ["--trace", trace.to_str().unwrap(), "--spawn", "none"];
        let output = opendoor(&[&["sim", &level][..], &trace].concat());
        assert_eq!(output.status.code(), Some(1));
    }
    assert_eq!(std::fs::read_to_string(&old).unwrap(), "old");
    assert_eq!(std::fs::read_dir(&folder).unwrap().count(), 1);
}

#[test]
fn a_walk_file_that_is_too_large_is_refused_with_the_limit() {
    let level = grid("large.glb");
    let walk = scratch_file("large.walk");
    std::fs::write(&walk, "jump\n".repeat(300_000)).unwrap();
    let output = opendoor(&["sim", &level, "--walk", walk.to_str().unwrap()]);
    assert_eq!(output.status.code(), Some(1));
    let said = String::from_utf8_lossy(&output.stderr);
    assert!(said.contains("larger than 1048576 bytes"), "{said}");
}

#[test]
fn of_a_walk_file_full_of_mistakes_the_first_are_listed_and_the_rest_counted() {
    let level = grid("mistakes.glb");
    let walk = scratch_file("mistakes.walk");
    std::fs::write(&walk, "fly\n".repeat(1000)).unwrap();
    let output = opendoor(&["sim", &level, "--walk", walk.to_str().unwrap()]);
    let said = String::from_utf8_lossy(&output.stderr);
    assert!(
        said.contains("line 20: `fly`") && !said.contains("line 21:"),
        "{said}"
    );
    assert!(said.contains("and 980 more lines"), "{said}");
}

/// Regression test: each of the paths below made the program hang, or read until memory was exhausted.
#[cfg(unix)]
#[test]
fn pipes_and_devices_are_not_waited_for() {
    let level = grid("pipes.glb");
    let pipe = scratch_file("pipe");
    let _ = std::fs::remove_file(&pipe);
    assert!(
        Command::new("mkfifo")
            .arg(&pipe)
            .status()
            .unwrap()
            .success()
    );
    let pipe = pipe.to_str().unwrap();
    for (option, path, says) in [
        ("--walk", "/dev/zero", "not a regular file"),
        ("--walk", pipe, "not a regular file"),
        ("--trace", pipe, "cannot be written"),
    ] {
        let output = opendoor(&["sim", &level, option, path]);
        assert_eq!(output.status.code(), Some(1));
        let said = String::from_utf8_lossy(&output.stderr);
        assert!(
            said.contains(path) && said.contains(says),
            "{option} {path}: {said}"
        );
    }
    let checked = opendoor(&["check", pipe]);
    assert!(String::from_utf8_lossy(&checked.stderr).contains("not a regular file"));
    let rows = opendoor(&["sim", &level, "--seconds", "0.1", "--trace", "/dev/stdout"]);
    assert!(
        rows.stdout
            .starts_with(b"tick,x,y,z,room,grounded,contacts\n1,")
    );
    let shown = opendoor(&["sim", &level, "--seconds", "0.1", "--trace", "/dev/null"]);
    assert_eq!(shown.status.code(), Some(0));
}

/// Regression test: a huge file that is no level was first read into memory as a whole.
#[cfg(unix)]
#[test]
fn a_file_of_gigabytes_that_is_no_level_is_refused_by_its_beginning() {
    let path = scratch_file("sparse.glb");
    for head in [&b""[..], b"glTF\x02\0\0\0\xff\xff\xff\xff", b"{"] {
        let mut file = std::fs::File::create(&path).unwrap();
        std::io::Write::write_all(&mut file, head).unwrap();
        file.set_len(u32::MAX.into()).unwrap();
        // The address space is limited to a quarter of the file's size.
        let limited = "ulimit -v 1048576; exec \"$0\" check --json \"$1\"";
        let mut command = Command::new("sh");
        command
            .args(["-c", limited, env!("CARGO_BIN_EXE_opendoor")])
            .arg(&path);
        let report = json(&command.output().unwrap());
        assert_eq!(
            report["errors"][0]["code"], "container",
            "{head:?}: {report}"
        );
    }
    std::fs::remove_file(&path).unwrap();
}
