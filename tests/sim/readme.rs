//! The examples of README.md run as printed. Examples with images and windows are in `tests/gpu`.

use std::fs;
use std::process::Command;

use opendoor::testing::parse;
use serde_json::Value;

use crate::common::WITHOUT_VULKAN;
use crate::readme_examples::{Example, clone, examples, root, run, text};

fn cargo_toml() -> String {
    fs::read_to_string(root().join("Cargo.toml")).unwrap()
}

/// The values that a key has in Cargo.toml.
fn values<'a>(toml: &'a str, key: &str) -> Vec<&'a str> {
    let lines = toml.lines().filter_map(|line| line.split_once(" = "));
    let of_key = lines.filter(|(name, _)| *name == key);
    of_key.map(|(_, value)| value.trim_matches('"')).collect()
}

#[test]
fn the_readme_names_the_toolchain_that_cargo_needs() {
    let toml = cargo_toml();
    let needed = values(&toml, "rust-version");
    assert_eq!(needed.len(), 1);
    let sentence = format!("Rust {} or later", needed[0]);
    assert!(text().contains(&sentence), "{sentence}");
}

#[test]
fn the_readme_has_examples_of_every_kind() {
    let examples = examples();
    let count = |is: fn(&Example) -> bool| examples.iter().filter(|e| is(e)).count();
    assert!(count(|e| matches!(e, Example::Script(_))) >= 2);
    assert!(count(|e| matches!(e, Example::Cargo(_))) >= 4);
    assert!(count(|e| matches!(e, Example::Headless(_))) >= 6);
    assert!(count(|e| matches!(e, Example::Picture(_))) >= 2);
    assert!(count(|e| matches!(e, Example::Window(_))) >= 2);
    // `clone` writes only one walk file, so there may be only one walk example.
    assert_eq!(count(|e| matches!(e, Example::Walk(_))), 1);
    assert!(text().contains("`stairs.walk`"));
}

#[test]
fn the_walk_that_the_readme_shows_is_a_walk() {
    for example in examples() {
        if let Example::Walk(walk) = example {
            let steps = parse(&walk)
                .unwrap_or_else(|errors| panic!("{errors:?}"))
                .steps;
            assert_eq!(steps.len(), walk.lines().count());
        }
    }
}

/// The walk example fails if it names a portal that does not exist, or does not arrive.
#[test]
fn the_commands_of_the_readme_that_need_no_graphics_run_as_printed() {
    let folder = clone("readme");
    for example in examples() {
        let Example::Headless(words) = example else {
            continue;
        };
        let printed = run(&folder, &words, &WITHOUT_VULKAN);
        if words.iter().any(|word| word == "--json") {
            let answer: Value = serde_json::from_str(&printed).unwrap();
            assert!(answer.is_object(), "{words:?}");
        }
    }
}

/// Running these commands would rebuild everything, or take hours. The likely mistake is a name that does not exist, so
/// only the names are checked.
#[test]
fn the_commands_of_cargo_in_the_readme_name_existing_targets() {
    let benches = fs::read_to_string(root().join("benches/Cargo.toml")).unwrap();
    let benches = values(&benches, "name");
    for example in examples() {
        let Example::Cargo(words) = example else {
            continue;
        };
        let (ours, theirs) = match words.iter().position(|word| word == "--") {
            Some(at) => (&words[..at], &words[at + 1..]),
            None => (&words[..], &[][..]),
        };
        let help = Command::new(env!("CARGO"))
            .args(["help", &ours[0]])
            .output();
        let help = String::from_utf8(help.unwrap().stdout).unwrap();
        let mut bench = None;
        let mut rest = ours[1..].iter();
        while let Some(word) = rest.next() {
            assert!(help.contains(word.as_str()), "{words:?}: {word}");
            match word.as_str() {
                "--bench" => bench = rest.next(),
                "--example" => assert!(root().join("examples").join(rest.next().unwrap()).exists()),
                "-p" => assert!(benches.contains(&rest.next().unwrap().as_str())),
                "--path" => assert!(
                    root()
                        .join(rest.next().unwrap())
                        .join("Cargo.toml")
                        .exists()
                ),
                _ => {}
            }
        }
        let Some(bench) = bench else {
            assert!(theirs.is_empty(), "{words:?}");
            continue;
        };
        assert!(benches.contains(&bench.as_str()), "{words:?}");
        let source = root().join("benches").join(bench).with_extension("rs");
        let source = fs::read_to_string(source).unwrap();
        for option in theirs.iter().filter_map(|word| word.strip_prefix("--")) {
            assert!(source.contains(&format!("    {option}: ")), "{words:?}");
        }
    }
}

#[cfg(unix)]
#[test]
fn the_scripts_that_the_readme_names_can_be_run() {
    use std::os::unix::fs::PermissionsExt;

    for example in examples() {
        let Example::Script(script) = example else {
            continue;
        };
        let path = root().join(&script);
        let mode = fs::metadata(&path).unwrap_or_else(|e| panic!("{script}: {e}"));
        assert_eq!(mode.permissions().mode() & 0o111, 0o111, "{script}");
        // Parsed, not run: one of the scripts runs this test.
        let parsed = Command::new("bash").arg("-n").arg(&path).output().unwrap();
        assert!(parsed.status.success(), "{script}: {parsed:?}");
    }
}
