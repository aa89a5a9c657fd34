//! The rules of `docs/architecture.md` that can be read off the sources.

use std::fs;
use std::path::{Path, PathBuf};

fn sources(folder: &str) -> Vec<(PathBuf, String)> {
    let mut found = Vec::new();
    let mut folders = vec![Path::new(env!("CARGO_MANIFEST_DIR")).join(folder)];
    while let Some(folder) = folders.pop() {
        for entry in fs::read_dir(folder).unwrap() {
            let path = entry.unwrap().path();
            if path.is_dir() {
                folders.push(path);
            } else if path.extension().is_some_and(|e| e == "rs") {
                let text = fs::read_to_string(&path).unwrap();
                found.push((path, text));
            }
        }
    }
    assert!(!found.is_empty());
    found
}

/// The code of a file: without comments, and without its unit tests, which stand at its end.
fn code(text: &str) -> String {
    let text = text.split("#[cfg(test)]\nmod tests {").next().unwrap_or("");
    let lines = text
        .lines()
        .filter(|line| !line.trim_start().starts_with("//"));
    lines.collect::<Vec<_>>().join("\n")
}

/// Whether `word` stands in the code as a whole word followed by a path separator.
fn names(code: &str, word: &str) -> bool {
    let path = format!("{word}::");
    code.match_indices(&path).any(|(at, _)| {
        let before = code[..at].chars().next_back();
        !before.is_some_and(|c| c.is_alphanumeric() || c == '_')
    })
}

/// The modules of this crate that the code names.
fn imports(code: &str) -> Vec<&str> {
    let modules = [
        "files",
        "figure",
        "geometry",
        "shapes",
        "hash",
        "parallel",
        "rng",
        "save",
        "level",
        "map",
        "world",
        "collision",
        "bodies",
        "motion",
        "visibility",
        "queries",
        "game",
        "replay",
        "testing",
        "lighting",
        "frame",
        "person",
        "settings",
        "menu",
        "overlay",
        "gpu",
        "window",
        "cli",
    ];
    let named = |m: &&str| {
        names(code, &format!("crate::{m}"))
            || code.contains(&format!("use crate::{m};"))
            || names(code, &format!("opendoor::{m}"))
    };
    modules.into_iter().filter(named).collect()
}

#[test]
fn imports_point_one_way() {
    for (module, allowed) in [
        ("src/geometry", &["geometry"][..]),
        ("src/figure", &["figure"]),
        ("src/shapes", &["geometry", "shapes"]),
        (
            "src/level",
            &[
                "files", "figure", "geometry", "hash", "parallel", "shapes", "rng", "level",
            ],
        ),
        ("src/map", &["geometry", "level", "parallel", "map"]),
        ("src/world", &["geometry", "level", "save", "world"]),
        (
            "src/collision",
            &["geometry", "shapes", "level", "save", "world", "collision"],
        ),
        (
            "src/bodies",
            &[
                "geometry",
                "shapes",
                "level",
                "save",
                "world",
                "collision",
                "queries",
                "bodies",
            ],
        ),
        (
            "src/motion",
            &[
                "geometry",
                "level",
                "save",
                "world",
                "collision",
                "bodies",
                "motion",
            ],
        ),
        (
            "src/visibility",
            &["geometry", "level", "world", "visibility"],
        ),
        (
            "src/queries",
            &[
                "geometry",
                "shapes",
                "level",
                "world",
                "collision",
                "queries",
            ],
        ),
        (
            "src/game",
            &[
                "figure",
                "geometry",
                "hash",
                "level",
                "world",
                "collision",
                "bodies",
                "motion",
                "visibility",
                "queries",
                "save",
                "game",
            ],
        ),
        (
            "src/replay",
            &["files", "level", "motion", "game", "save", "replay"],
        ),
        (
            "src/testing",
            &[
                "files",
                "geometry",
                "parallel",
                "rng",
                "level",
                "collision",
                "motion",
                "visibility",
                "game",
                "testing",
            ],
        ),
        (
            "src/lighting",
            &[
                "files", "geometry", "hash", "parallel", "level", "world", "lighting",
            ],
        ),
        (
            "src/frame",
            &[
                "figure",
                "geometry",
                "hash",
                "level",
                "world",
                "visibility",
                "lighting",
                "frame",
            ],
        ),
        ("src/settings", &["files", "settings"]),
        ("src/menu", &["settings", "menu"]),
        (
            "src/overlay",
            &["level", "map", "world", "visibility", "frame", "overlay"],
        ),
        (
            "src/gpu",
            &[
                "geometry", "files", "level", "lighting", "frame", "overlay", "gpu",
            ],
        ),
    ] {
        for (path, text) in sources(module) {
            if path
                .file_name()
                .is_some_and(|name| name.to_string_lossy().contains("tests"))
            {
                continue;
            }
            for import in imports(&code(&text)) {
                let ok = allowed.contains(&import);
                assert!(ok, "{} must not name `{import}`", path.display());
            }
        }
    }
}

#[test]
fn each_package_is_named_in_one_place() {
    for (package, places) in [
        ("gltf", &["src/level/format"][..]),
        ("wgpu", &["src/gpu"]),
        ("egui_wgpu", &["src/gpu"]),
        ("egui_winit", &["src/window"]),
        (
            "egui",
            &["src/gpu", "src/menu", "src/overlay", "src/window"],
        ),
        ("winit", &["src/window", "src/settings/keys.rs"]),
        ("x11_dl", &["src/window/libraries.rs"]),
        ("xkbcommon_dl", &["src/window/libraries.rs"]),
        ("toml_edit", &["src/settings/file.rs"]),
        ("gilrs", &["src/window/pad.rs"]),
    ] {
        for (path, text) in sources("src") {
            let path_text = path.to_string_lossy();
            let inside = places.iter().any(|place| path_text.contains(place));
            let named = names(&code(&text), package);
            assert!(
                inside || !named,
                "{} must not name {package}",
                path.display()
            );
        }
    }
}

#[test]
fn the_simulation_reads_no_clock_no_platform_maths_and_no_hash_map() {
    let banned = [
        "Instant::now",
        ".elapsed(",
        "SystemTime",
        "HashMap",
        "HashSet",
        ".sin(",
        ".cos(",
        ".tan(",
        ".atan2(",
        ".sin_cos(",
        ".acos(",
        ".asin(",
        ".exp(",
        ".ln(",
        ".powf(",
        ".powi(",
        "mul_add",
        "thread::",
    ];
    for folder in [
        "src/geometry",
        "src/shapes",
        "src/world",
        "src/collision",
        "src/bodies",
        "src/motion",
        "src/visibility",
        "src/game",
        "src/replay",
    ] {
        for (path, text) in sources(folder) {
            if path
                .file_name()
                .is_some_and(|name| name.to_string_lossy().contains("tests"))
            {
                continue;
            }
            for word in banned {
                let found = code(&text).contains(word);
                assert!(!found, "{} must not use {word}", path.display());
            }
        }
    }
}

#[test]
fn nothing_unfinished_is_left() {
    for (path, text) in sources("src") {
        for word in [
            "todo!",
            "unimplemented!",
            "dbg!",
            "FIXME",
            "XXX",
            "allow(dead_code",
        ] {
            assert!(!text.contains(word), "{} holds {word}", path.display());
        }
    }
}
