//! `opendoor bake`: the light file beside a level is used instead of computing the light.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Output};

use crate::common::WITHOUT_VULKAN;

/// Runs the program with an own cache folder.
fn opendoor(args: &[&str], cache: &Path) -> Output {
    let mut command = Command::new(env!("CARGO_BIN_EXE_opendoor"));
    command.args(args).envs(WITHOUT_VULKAN);
    // The variables that name the cache folder on each system.
    for name in ["XDG_CACHE_HOME", "LOCALAPPDATA", "HOME"] {
        command.env(name, cache);
    }
    command.output().unwrap()
}

/// An empty folder.
fn folder(name: &str) -> PathBuf {
    let path = Path::new(env!("CARGO_TARGET_TMPDIR")).join(name);
    let _ = fs::remove_dir_all(&path);
    fs::create_dir_all(&path).unwrap();
    path
}

/// The number of files in a folder and in the folders in it.
fn count_files(folder: &Path) -> usize {
    let entries = fs::read_dir(folder)
        .unwrap()
        .map(|entry| entry.unwrap().path());
    let count = |path: PathBuf| if path.is_dir() { count_files(&path) } else { 1 };
    entries.map(count).sum()
}

#[test]
fn a_light_file_beside_a_level_is_used_and_one_of_another_level_is_not() {
    let folder_of_levels = folder("bake");
    let path = |name: &str| folder_of_levels.join(name).to_str().unwrap().to_owned();
    let (level, other) = (path("hall.glb"), path("other.glb"));
    let (light, again) = (path("hall.light"), path("again.light"));
    for (level, size) in [(&level, "2"), (&other, "1")] {
        let made = opendoor(
            &["generate", "grid", size, "1", "-o", level],
            &folder("bake-none"),
        );
        assert!(made.status.success(), "{made:?}");
    }
    let cache = folder("bake-cache");
    let baked = opendoor(&["bake", &level], &cache);
    assert!(baked.status.success(), "{baked:?}");
    assert!(
        String::from_utf8_lossy(&baked.stdout).contains("hall.light: "),
        "{baked:?}"
    );
    assert_eq!(count_files(&cache), 2, "the lightmap and the transport");

    // Light that is computed would be stored in the empty cache.
    let cache = folder("bake-unused");
    let read = opendoor(&["bake", &level, "-o", &again, "--json"], &cache);
    assert!(read.status.success(), "{read:?}");
    assert_eq!(count_files(&cache), 0);
    assert_eq!(fs::read(&light).unwrap(), fs::read(&again).unwrap());
    let answer: serde_json::Value = serde_json::from_slice(&read.stdout).unwrap();
    assert!(answer["nodes"].as_u64().unwrap() > 100, "{answer}");
    assert_eq!(answer["bytes"], fs::metadata(&light).unwrap().len());

    fs::copy(&light, path("other.light")).unwrap();
    let read = opendoor(&["bake", &other, "-o", &again], &cache);
    assert!(read.status.success(), "{read:?}");
    let said = String::from_utf8_lossy(&read.stderr);
    assert!(said.contains("is not that of this level"), "{said}");
    assert_eq!(count_files(&cache), 2);
    assert_ne!(fs::read(&light).unwrap(), fs::read(&again).unwrap());
}
