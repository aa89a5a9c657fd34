//! Lightmaps from files, intact and damaged.

use std::fs;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::{Duration, SystemTime};

use super::super::key::key;
use super::*;
use crate::files::TemporaryFolder;
use crate::lighting::stored::{LightFiles, tidy};
use crate::source::LevelSource;

fn files(folder: &Path) -> Vec<PathBuf> {
    let entries = fs::read_dir(folder).unwrap();
    entries.map(|entry| entry.unwrap().path()).collect()
}

/// Loads or bakes; returns the lightmap, and whether it was baked.
fn load(level: &Level, folder: &Path) -> (Lightmap, bool) {
    let steps = AtomicUsize::new(0);
    let count = |_| {
        steps.fetch_add(1, Ordering::Relaxed);
    };
    let files = LightFiles::in_folder(Some(folder.to_owned()));
    let map = load_or_bake(level, LightmapQuality::COARSE, &files, &count);
    (map, steps.into_inner() > 0)
}

#[test]
fn a_level_is_baked_once() {
    let level = built(furnished());
    let folder = TemporaryFolder::new("lightmaps-once", false);
    let (first, baked) = load(&level, &folder.0);
    assert!(baked);
    let (second, baked) = load(&level, &folder.0);
    assert!(!baked && first == second);
    assert_eq!(files(&folder.0).len(), 1, "nothing unfinished is left");
}

#[test]
fn a_damaged_file_is_baked_again_and_replaced() {
    let level = built(furnished());
    let folder = TemporaryFolder::new("lightmaps-damaged", false);
    let (right, _) = load(&level, &folder.0);
    let [file] = &files(&folder.0)[..] else {
        panic!("one file");
    };
    let whole = fs::read(file).unwrap();
    let flipped = |at: usize| {
        let mut bytes = whole.clone();
        bytes[at] ^= 1;
        bytes
    };
    let longer = [&whole[..], &[0]].concat();
    let damaged = [
        Vec::new(),
        whole[..7].to_vec(),
        whole[..whole.len() - 1].to_vec(),
        longer,
        // The offsets are in the magic, the key, the checksum and the sky visibility.
        flipped(0),
        flipped(8),
        flipped(39),
        flipped(40),
        flipped(whole.len() - 1),
        vec![0xff; whole.len()],
    ];
    for bytes in damaged {
        fs::write(file, &bytes).unwrap();
        let (map, baked) = load(&level, &folder.0);
        assert!(
            baked && map == right,
            "{} bytes of {}",
            bytes.len(),
            whole.len()
        );
        assert_eq!(fs::read(file).unwrap(), whole);
    }
}

/// Regression test: reading a pipe blocked until data was written to it.
#[cfg(unix)]
#[test]
fn a_pipe_is_no_lightmap_and_is_replaced() {
    let level = built(furnished());
    let folder = TemporaryFolder::new("lightmaps-pipe", false);
    let (right, _) = load(&level, &folder.0);
    let [file] = &files(&folder.0)[..] else {
        panic!("one file");
    };
    let whole = fs::read(file).unwrap();
    fs::remove_file(file).unwrap();
    let made = std::process::Command::new("mkfifo").arg(file).status();
    assert!(made.unwrap().success());
    assert_eq!(load(&level, &folder.0), (right, true));
    assert_eq!(fs::read(file).unwrap(), whole);
}

#[test]
fn a_lightmap_that_cannot_be_written_is_baked_all_the_same() {
    let level = built(furnished());
    let folder = TemporaryFolder::new("lightmaps-unwritable", false);
    let (right, _) = load(&level, &folder.0);
    let [file] = &files(&folder.0)[..] else {
        panic!("one file");
    };
    // First a folder in place of the file, then a file in place of the folder.
    fs::remove_file(file).unwrap();
    fs::create_dir(file).unwrap();
    assert_eq!(load(&level, &folder.0), (right.clone(), true));
    fs::remove_dir(file).unwrap();
    fs::write(file, "").unwrap();
    assert_eq!(load(&level, file), (right, true));
    assert_eq!(files(&folder.0).len(), 1, "nothing unfinished is left");
}

#[test]
fn the_key_covers_everything_that_the_light_depends_on() {
    let level = built(furnished());
    let own = key(&level, LightmapQuality::COARSE);
    assert_eq!(own, key(&built(furnished()), LightmapQuality::COARSE));
    assert_ne!(own, key(&level, LightmapQuality::default()));
    let changed = |change: fn(&mut LevelSource)| {
        let mut sketch = furnished();
        change(&mut sketch.source);
        key(&built(sketch), LightmapQuality::COARSE)
    };
    let changes: [fn(&mut LevelSource); 9] = [
        |source| source.meshes[0].positions[3].x += 1e-3,
        |source| source.meshes[0].normals = vec![Vec3::Y; source.meshes[0].positions.len()],
        |source| source.meshes[0].triangles[0].rotate_left(1),
        |source| source.meshes[0].triangles.truncate(11),
        |source| source.materials[0].double_sided = true,
        |source| source.materials[0].unlit = true,
        |source| source.materials[0].sky = true,
        |source| source.materials[0].alpha = crate::level::Alpha::Blend,
        |source| source.meshes[1].drawn = false,
    ];
    for (index, change) in changes.into_iter().enumerate() {
        assert_ne!(own, changed(change), "change {index}");
    }
    let repainted = changed(|source| source.materials[0].roughness = 0.1);
    assert_eq!(own, repainted, "paint does not matter");
}

#[test]
fn old_files_make_room_for_new_ones() {
    let folder = TemporaryFolder::new("lightmaps-old", false);
    fs::create_dir_all(&folder.0).unwrap();
    let a_minute_ago = SystemTime::now() - Duration::from_secs(60);
    for i in 0..40 {
        let file = fs::File::create(folder.0.join(format!("{i}.lightmap"))).unwrap();
        file.set_modified(a_minute_ago).unwrap();
    }
    fs::write(folder.0.join("of somebody else"), "").unwrap();
    let level = built(furnished());
    load(&level, &folder.0);
    assert_eq!(files(&folder.0).len(), 32 + 1);
    let (_, baked) = load(&level, &folder.0);
    assert!(!baked, "the newest stays");
}

/// Regression test: unfinished files were never removed.
#[test]
fn unfinished_files_of_killed_runs_are_removed_after_an_hour() {
    let folder = TemporaryFolder::new("lightmaps-unfinished", false);
    fs::create_dir_all(&folder.0).unwrap();
    let now = SystemTime::now();
    let hours = |name: &str, hours: f64| {
        let file = fs::File::create(folder.0.join(name)).unwrap();
        let age = Duration::from_secs_f64(hours * 3600.0);
        file.set_modified(now - age).unwrap();
    };
    hours("00.12.unfinished", 1.1);
    hours("00.34.unfinished", 0.9);
    hours("notes.txt", 1.1);
    load(&built(furnished()), &folder.0);
    let files = files(&folder.0);
    let mut left: Vec<_> = files.iter().filter_map(|p| p.file_name()).collect();
    left.retain(|name| !name.to_string_lossy().ends_with(".lightmap"));
    left.sort();
    assert_eq!(left, ["00.34.unfinished", "notes.txt"]);
}

/// Regression test: if another run removed a file at the same time, a run reported that its own file was not stored.
#[test]
fn files_that_other_runs_removed_meanwhile_are_no_problem() {
    let folder = TemporaryFolder::new("lightmaps-vanished", false);
    fs::create_dir_all(&folder.0).unwrap();
    std::thread::scope(|scope| {
        for run in 0..4 {
            let folder = &folder.0;
            scope.spawn(move || {
                for i in 0..200 {
                    let path = folder.join(format!("{run}-{i}.lightmap"));
                    fs::write(path, "old").unwrap();
                    tidy(folder).unwrap();
                }
            });
        }
    });
    assert!((1..=32).contains(&files(&folder.0).len()));
}
