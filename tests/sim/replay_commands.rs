//! `sim --replay`, used as in scripts.

use std::path::Path;
use std::process::{Command, Output};

use opendoor::game::{Game, PLAYER, Start};
use opendoor::level::Level;
use opendoor::load::load;
use opendoor::replay::{Replay, ReplayRing};
use serde_json::{Value, json};

use crate::common::{FORWARD, WITHOUT_VULKAN};

fn opendoor(args: &[&str]) -> Output {
    let mut command = Command::new(env!("CARGO_BIN_EXE_opendoor"));
    command.args(args).envs(WITHOUT_VULKAN).output().unwrap()
}

fn path(name: &str) -> String {
    let path = Path::new(env!("CARGO_TARGET_TMPDIR")).join(name);
    path.to_str().unwrap().to_owned()
}

/// A generated grid, and a replay of a walk in it that starts after the first hundred ticks.
fn recorded(name: &str) -> (String, String, u64, Level) {
    let [file, replay] = ["glb", "replay"].map(|ending| path(&format!("{name}.{ending}")));
    assert!(
        opendoor(&["generate", "grid", "2", "2", "-o", &file])
            .status
            .success()
    );
    let level = load(Path::new(&file)).unwrap().0;
    let mut game = Game::start(&level, &Start::Default, PLAYER).unwrap();
    (0..100).for_each(|_| game.tick(&level, &[]));
    let mut ring = ReplayRing::default();
    for _ in 0..200 {
        game.players[0].look(1.5, 0.1);
        ring.add_tick(&level, &game, &[FORWARD]);
        game.tick(&level, &[FORWARD]);
    }
    let bytes = ring.replay(&level, &game).unwrap().to_bytes();
    std::fs::write(&replay, bytes).unwrap();
    (file, replay, game.state_hash(&level), level)
}

fn answer(output: &Output) -> Value {
    serde_json::from_slice(&output.stdout).unwrap_or_else(|e| panic!("{e}: {output:?}"))
}

#[test]
fn a_replay_without_differences_has_exit_status_0() {
    let (level, replay, hash, _) = recorded("same");
    let trace = path("same.csv");
    let output = opendoor(&[
        "sim", &level, "--replay", &replay, "--trace", &trace, "--json",
    ]);
    assert_eq!(output.status.code(), Some(0), "{output:?}");
    let answer = answer(&output);
    let same = json!({"ticks": 200, "same": true, "divergence": null});
    assert_eq!((&answer["replay"], &answer["ticks"]), (&same, &json!(200)));
    assert_eq!(answer["state_hash"], format!("{hash:016x}"));
    let trace = std::fs::read_to_string(trace).unwrap();
    assert!(
        trace.lines().nth(1).unwrap().starts_with("1,"),
        "counted from the replay's begin"
    );
    let output = opendoor(&["sim", &level, "--replay", &replay]);
    let told = String::from_utf8(output.stdout).unwrap();
    assert!(told.contains("the same as recorded"), "{told}");
}

#[test]
fn a_replay_that_parts_says_where_and_is_exit_status_1() {
    let (level, replay, _, _) = recorded("divergence");
    let mut bytes = std::fs::read(&replay).unwrap();
    // The forward key of tick 150 becomes the right key. After the inputs of 21 bytes each, the file has the views, the
    // hashes, the view at the end and the hash at the end.
    let views = 8 + 200 * 16;
    let inputs_end = bytes.len() - 8 - (8 + 16) - (8 + 4 * 8) - views;
    let input = inputs_end - 50 * 21;
    let [forward, right] = [input..input + 8, input + 8..input + 16];
    assert_eq!(bytes[forward], FORWARD.forward.to_le_bytes());
    assert_eq!(bytes[right], FORWARD.right.to_le_bytes());
    bytes.swap(input + 6, input + 14);
    bytes.swap(input + 7, input + 15);
    assert!(Replay::from_bytes(&bytes).is_ok());
    std::fs::write(&replay, bytes).unwrap();
    let output = opendoor(&["sim", &level, "--replay", &replay, "--json"]);
    assert_eq!(output.status.code(), Some(1), "{output:?}");
    let answer = answer(&output);
    let divergence = &answer["replay"]["divergence"];
    assert_eq!(answer["replay"]["same"], false);
    assert_eq!(
        (&divergence["same_until"], &divergence["tick"]),
        (&json!(120), &json!(180))
    );
    assert_eq!(divergence["seconds"], 3.0);
    assert_ne!(divergence["expected"], divergence["found"]);
    let told = String::from_utf8_lossy(&output.stderr);
    assert!(told.contains("between 2.00 s and 3.00 s"), "{told}");
}

#[test]
fn a_replay_in_another_level_is_refused_with_the_cure() {
    let (level, replay, _, _) = recorded("moved");
    let other = path("other.glb");
    assert!(
        opendoor(&["generate", "grid", "3", "2", "-o", &other])
            .status
            .success()
    );
    let output = opendoor(&["sim", &other, "--replay", &replay]);
    assert_eq!(output.status.code(), Some(1), "{output:?}");
    let told = String::from_utf8_lossy(&output.stderr);
    for part in [&replay, "moved.glb", "other.glb", "--changed-level"] {
        assert!(told.contains(part), "{part}: {told}");
    }
    let output = opendoor(&["sim", &level, "--replay", &other]);
    assert_eq!(output.status.code(), Some(1), "{output:?}");
    assert!(String::from_utf8_lossy(&output.stderr).contains("this is no replay"));
    for wrong in [
        &["--changed-level"][..],
        &["--replay", &replay, "--wander", "1"],
        &["--replay", &replay, "--body", "player"],
    ] {
        let output = opendoor(&[&["sim", &level], wrong].concat());
        assert_eq!(output.status.code(), Some(2), "{wrong:?}");
    }
}
