//! The rules of `docs/architecture.md` that can be checked in the sources.

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

/// The code of a file without comments and without its unit tests, which are at its end.
fn code(text: &str) -> String {
    let text = text.split("#[cfg(test)]\nmod tests {").next().unwrap_or("");
    let lines = text
        .lines()
        .filter(|line| !line.trim_start().starts_with("//"));
    lines.collect::<Vec<_>>().join("\n")
}

/// Whether a file contains only unit tests, which may name any module.
fn is_test(path: &Path) -> bool {
    let path = path.strip_prefix(env!("CARGO_MANIFEST_DIR")).unwrap();
    path.iter()
        .any(|name| name.to_string_lossy().contains("tests"))
}

/// Whether `word` occurs in the code as a whole word followed by a path separator.
fn names(code: &str, word: &str) -> bool {
    let path = format!("{word}::");
    code.match_indices(&path).any(|(at, _)| {
        let before = code[..at].chars().next_back();
        !before.is_some_and(|c| c.is_alphanumeric() || c == '_')
    })
}

/// The modules of this crate whose names occur in the code.
fn imports(code: &str) -> Vec<&str> {
    let modules = [
        "files",
        "geometry",
        "shapes",
        "hash",
        "memo",
        "parallel",
        "rng",
        "save",
        "level",
        "problems",
        "naming",
        "source",
        "build",
        "gltf",
        "author",
        "load",
        "lint",
        "figure",
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
fn imports_follow_one_direction() {
    for (module, allowed) in [
        ("src/geometry", &["geometry"][..]),
        ("src/shapes", &["geometry", "shapes"]),
        (
            "src/level",
            &["geometry", "hash", "parallel", "shapes", "level"],
        ),
        ("src/problems", &["geometry", "level", "problems"]),
        ("src/naming", &["naming"]),
        ("src/source", &["geometry", "level", "source"]),
        (
            "src/build",
            &[
                "geometry", "hash", "memo", "parallel", "shapes", "level", "problems", "naming",
                "source", "build",
            ],
        ),
        (
            "src/gltf",
            &[
                "files", "geometry", "hash", "memo", "shapes", "level", "problems", "naming",
                "source", "gltf",
            ],
        ),
        (
            "src/author",
            &[
                "geometry", "rng", "shapes", "level", "naming", "source", "gltf", "author",
            ],
        ),
        (
            "src/load",
            &["level", "problems", "source", "build", "gltf", "load"],
        ),
        (
            "src/figure",
            &["memo", "level", "problems", "gltf", "figure"],
        ),
        (
            "src/lint",
            &[
                "geometry",
                "memo",
                "parallel",
                "level",
                "problems",
                "naming",
                "source",
                "build",
                "gltf",
                "load",
                "world",
                "collision",
                "bodies",
                "motion",
                "queries",
                "game",
                "lint",
            ],
        ),
        (
            "src/map",
            &[
                "problems", "naming", "source", "geometry", "level", "parallel", "map",
            ],
        ),
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
                "naming",
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
                "naming",
                "problems",
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
                "files", "geometry", "hash", "memo", "parallel", "level", "world", "lighting",
            ],
        ),
        (
            "src/frame",
            &[
                "problems",
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
            if is_test(&path) {
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
        ("gltf", &["src/gltf", "src/figure/read"][..]),
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
            // A module of this crate may have the name of a package.
            let code = code(&text);
            let of_ours = ["crate", "opendoor"].map(|root| format!("{root}::{package}::"));
            let code = of_ours
                .iter()
                .fold(code, |code, ours| code.replace(ours, ""));
            let named = names(&code, package);
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
            if is_test(&path) {
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

/// Paths in docs that exist in no checkout: paths of other repositories, and of files that tools write.
const ELSEWHERE: [&str; 2] = [".github/workflows/levels.yml", "fuzz/artifacts"];

/// The paths between backquotes in a text whose first component is a folder of the root or of `src`.
fn paths_named(text: &str) -> Vec<&str> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let is_path = |word: &&str| {
        let is_plain = word
            .chars()
            .all(|c| c.is_ascii_alphanumeric() || "_-./".contains(c));
        let first = word.split('/').next().unwrap();
        // Cargo's target folder is in no checkout, but in most working trees.
        let is_folder = !matches!(first, "" | "." | ".." | "target")
            && (root.join(first).is_dir() || root.join("src").join(first).is_dir());
        is_plain && word.contains('/') && is_folder
    };
    text.split('`').skip(1).step_by(2).filter(is_path).collect()
}

#[test]
fn each_path_that_docs_name_exists() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let docs = fs::read_dir(root.join("docs")).unwrap();
    let docs = docs.map(|entry| entry.unwrap().path());
    let is_read = |path: &PathBuf| {
        path.extension().is_some_and(|e| e == "md") && !path.ends_with("CHANGELOG.md")
    };
    let files = docs.filter(is_read).chain([root.join("README.md")]);
    let mut count = 0;
    for file in files {
        let text = fs::read_to_string(&file).unwrap();
        for path in paths_named(&text) {
            let path = path.trim_end_matches('/');
            let exists = root.join(path).exists() || root.join("src").join(path).exists();
            let is_known = exists || ELSEWHERE.contains(&path);
            assert!(is_known, "{} names {path}", file.display());
            count += 1;
        }
    }
    assert!(count > 100, "{count}");
}
