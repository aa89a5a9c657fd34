//! `opendoor check`, run as users run it.

use std::path::Path;
use std::process::{Command, Output, Stdio};

use opendoor::problems::ProblemCode;
use serde_json::Value;

fn check(arguments: &[&str]) -> Output {
    let mut command = Command::new(env!("CARGO_BIN_EXE_opendoor"));
    command.arg("check").args(arguments);
    command
        .current_dir(env!("CARGO_MANIFEST_DIR"))
        .output()
        .unwrap()
}

fn json(output: &Output) -> Value {
    serde_json::from_slice(&output.stdout).unwrap()
}

#[test]
fn a_good_level_is_described_and_the_status_is_0() {
    let output = check(&["--json", "levels/broken/good.glb"]);
    assert_eq!(output.status.code(), Some(0));
    let report = json(&output);
    assert_eq!(report["level"], "levels/broken/good.glb");
    assert_eq!(report["ok"], true);
    assert_eq!(report["rooms"][0]["name"], "a");
    assert_eq!(report["rooms"][0]["portals"], 1);
    assert_eq!(report["portals"][0]["name"], "b-portal");
    assert_eq!(report["portals"][0]["from"], "a");
    assert_eq!(report["portals"][0]["to"], "b");
    assert_eq!(report["portals"][0]["area"], 4.0);
    assert_eq!(report["spawns"][0]["room"], "a");
    assert_eq!(report["spawns"][0]["position"][0], 1.0);
    assert_eq!(report["errors"].as_array().map(Vec::len), Some(0));
}

#[test]
fn a_bad_level_is_status_1_and_wrong_usage_status_2() {
    let output = check(&["levels/broken/portal_empty.glb", "--json"]);
    assert_eq!(output.status.code(), Some(1));
    assert_eq!(json(&output)["ok"], false);
    assert_eq!(json(&output)["errors"][0]["code"], "portal-without-mesh");
    assert_eq!(json(&output)["errors"][0]["node"], "b-portal");
    assert_eq!(check(&["no such file.glb"]).status.code(), Some(1));
    assert_eq!(check(&[]).status.code(), Some(2));
    assert_eq!(check(&["--colour", "red"]).status.code(), Some(2));
    assert_eq!(check(&["--help"]).status.code(), Some(0));
}

/// Regression test: for a level with errors the summary was 0 rooms, 0 portals, 0 triangles.
#[test]
fn a_bad_level_is_described_by_its_readable_contents() {
    let bad = Path::new(env!("CARGO_TARGET_TMPDIR")).join("described.gltf");
    let good = Path::new(env!("CARGO_MANIFEST_DIR")).join("levels/broken/good.gltf");
    let text = std::fs::read_to_string(good).unwrap();
    std::fs::write(&bad, text.replace("b-portal", "nowhere-portal")).unwrap();
    let bad = bad.to_str().unwrap();
    let [good, found] =
        ["levels/broken/good.gltf", bad].map(|level| json(&check(&[level, "--json"])));
    assert_eq!((&good["ok"], &found["ok"]), (&true.into(), &false.into()));
    assert_eq!(keys(&good), keys(&found));
    let names = |report: &Value| -> Vec<String> {
        let rooms = report["rooms"].as_array().unwrap();
        rooms.iter().map(|room| room["name"].to_string()).collect()
    };
    assert_eq!(names(&good), names(&found));
    assert_eq!(
        (&good["triangles"], &good["lights"]),
        (&found["triangles"], &found["lights"])
    );
    let (of_good, portal) = (&good["portals"][0], &found["portals"][0]);
    assert_eq!(
        (&portal["name"], &portal["to"]),
        (&"nowhere-portal".into(), &"nowhere".into())
    );
    assert_eq!(
        (&portal["from"], &portal["area"]),
        (&of_good["from"], &of_good["area"])
    );
    assert_eq!(found["spawns"], good["spawns"]);
    let shown = String::from_utf8(check(&[bad]).stdout).unwrap();
    let counts = format!(
        ": bad: 2 rooms, 1 portals, {} triangles, 0 lights",
        good["triangles"]
    );
    assert!(shown.contains(&counts), "{shown}");
}

fn keys(value: &Value) -> Vec<&String> {
    value.as_object().unwrap().keys().collect()
}

#[test]
fn several_levels_are_all_checked_and_one_bad_one_makes_status_1() {
    let output = check(&[
        "--json",
        "levels/broken/array.gltf",
        "levels/broken/good.glb",
    ]);
    assert_eq!(output.status.code(), Some(1));
    let reports = json(&output);
    assert_eq!(reports["ok"], false);
    assert_eq!(reports["levels"][0]["ok"], false);
    assert_eq!(reports["levels"][1]["ok"], true);
}

#[test]
fn people_read_problems_on_stderr() {
    let output = check(&["levels/broken/portal_empty.glb"]);
    let said = String::from_utf8(output.stderr).unwrap();
    assert!(
        said.contains("error: b-portal: the portal has no mesh"),
        "{said}"
    );
}

#[test]
fn a_reader_that_goes_away_is_no_crash() {
    let mut command = Command::new(env!("CARGO_BIN_EXE_opendoor"));
    command.args(["check", "--json", "levels/broken/good.glb"]);
    command.current_dir(env!("CARGO_MANIFEST_DIR"));
    command.stdout(Stdio::piped()).stderr(Stdio::piped());
    let mut child = command.spawn().unwrap();
    drop(child.stdout.take());
    let output = child.wait_with_output().unwrap();
    assert_eq!(output.status.code(), Some(0));
    assert_eq!(String::from_utf8(output.stderr).unwrap(), "");
}

#[test]
fn each_code_is_listed_once_with_its_problem() {
    let output = check(&["--codes"]);
    assert_eq!(output.status.code(), Some(0));
    let text = String::from_utf8(output.stdout).unwrap();
    let listed = text.lines().map(|line| line.split_once("  ").unwrap());
    let listed: Vec<(&str, &str)> = listed.map(|(code, about)| (code, about.trim())).collect();
    let codes: Vec<&str> = listed.iter().map(|(code, _)| *code).collect();
    let all: Vec<&str> = ProblemCode::ALL.iter().map(|code| code.as_str()).collect();
    assert_eq!(codes, all);
    assert!(listed.iter().all(|(_, about)| about.ends_with('.')));
}
