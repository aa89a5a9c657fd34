//! Reloading of a level when its file is saved.
//!
//! A thread waits for changes in the level's folder, loads the level, and copies the unchanged parts of its lightmap. It
//! bakes the other parts after the level was handed over.

use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{Receiver, Sender, channel};
use std::thread;
use std::time::{Duration, Instant};

use notify::{EventKind, RecommendedWatcher, RecursiveMode, Watcher};

use crate::build::BuildCache;
use crate::level::Level;
use crate::lighting::lightmap::{self, LightmapCache, LightmapQuality};
use crate::lighting::{Lighting, PatchCache};
use crate::lint::explain;
use crate::load::load_with_cache;
use crate::problems::Problems;
use crate::world::World;

/// The time without writes after which a file is complete.
const QUIET: Duration = Duration::from_millis(20);
/// The time after a failed read during which another write means that the file was incomplete.
const UNFINISHED: Duration = Duration::from_millis(150);
/// The extensions of files that can belong to a `.gltf`.
const EXTENSIONS: [&str; 5] = ["gltf", "bin", "png", "jpg", "jpeg"];

/// An event of the level's file.
pub(super) enum Reload {
    /// The file has changed, and the level is loading.
    Began,
    /// The new version of the level.
    Level(Box<Loaded>),
    /// The complete lighting of the last version of the level.
    Lighting(Arc<Level>, Box<Lighting>),
    /// The problems that make the new version unusable.
    Bad(Problems),
}

/// A reloaded level.
pub(super) struct Loaded {
    pub(super) level: Arc<Level>,
    /// The lighting of the world as authored, with the texels that were copied.
    pub(super) lighting: Lighting,
    /// The number of rooms and movers whose texels are missing.
    pub(super) missing: usize,
    /// The time at which the file was found to be complete.
    pub(super) since: Instant,
    /// The durations of reading the file and of computing its lighting.
    pub(super) took: [Duration; 2],
}

/// A thread that watches a level's file. Dropping this value ends the thread after its current work.
pub(super) struct Reloader {
    news: Receiver<Reload>,
    _watcher: RecommendedWatcher,
}

impl Reloader {
    /// Begins to watch the file of a loaded level.
    ///
    /// # Errors
    /// Fails if the level's folder cannot be watched.
    pub(super) fn follow(
        path: &Path,
        (level, cache): (Arc<Level>, BuildCache),
        lighting: &Lighting,
    ) -> Result<Self, notify::Error> {
        let path = path.canonicalize()?;
        let folder = path.parent().unwrap_or(Path::new("/")).to_owned();
        let (changed, changes) = channel();
        let is_old = Arc::new(AtomicBool::new(false));
        let became_old = Arc::clone(&is_old);
        let of_level = path.clone();
        let mut watcher =
            notify::recommended_watcher(move |event: notify::Result<notify::Event>| {
                let Ok(event) = event else {
                    return;
                };
                if !matches!(event.kind, EventKind::Access(_)) && concerns(&of_level, &event.paths)
                {
                    became_old.store(true, Ordering::Relaxed);
                    // Sending fails if the window was closed.
                    let _ = changed.send(());
                }
            })?;
        let mode = if is_text(&path) {
            RecursiveMode::Recursive
        } else {
            RecursiveMode::NonRecursive
        };
        watcher.watch(&folder, mode)?;
        let (to_window, news) = channel();
        let (map, texels) = (Arc::clone(&lighting.lightmap), lighting.texels.rgb.clone());
        let patches = lighting.cache().clone();
        thread::spawn(move || {
            let baked = LightmapCache::of(&level, LightmapQuality::default(), map, texels);
            let caches = (cache, baked, patches);
            // The thread ends early if the window was closed.
            let _ = load_changes(&path, caches, (&changes, &is_old), &to_window);
        });
        Ok(Self {
            news,
            _watcher: watcher,
        })
    }

    /// Returns the next event since the last call, if any.
    pub(super) fn news(&self) -> Option<Reload> {
        self.news.try_recv().ok()
    }
}

/// Whether the level is a `.gltf`, which refers to other files.
fn is_text(path: &Path) -> bool {
    path.extension()
        .is_some_and(|e| e.eq_ignore_ascii_case("gltf"))
}

/// Whether one of these changed files belongs to the level.
fn concerns(level: &Path, changed: &[PathBuf]) -> bool {
    let is_part = |path: &PathBuf| {
        let extension = path.extension().unwrap_or_default();
        is_text(level) && EXTENSIONS.iter().any(|e| extension.eq_ignore_ascii_case(e))
    };
    changed.iter().any(|path| path == level || is_part(path))
}

/// Reloads the level after each change. Clears `is_old`, which a change sets. Ends when the receiver of the events is
/// gone, or the watcher has stopped.
fn load_changes(
    path: &Path,
    (mut cache, mut baked, mut patches): (BuildCache, LightmapCache, PatchCache),
    (changes, is_old): (&Receiver<()>, &AtomicBool),
    to_window: &Sender<Reload>,
) -> Option<()> {
    changes.recv().ok()?;
    loop {
        to_window.send(Reload::Began).ok()?;
        while changes.recv_timeout(QUIET).is_ok() {}
        is_old.store(false, Ordering::Relaxed);
        let since = Instant::now();
        let loaded = load_with_cache(path, &mut cache);
        match loaded {
            Err(problems) => {
                if changes.recv_timeout(UNFINISHED).is_ok() {
                    continue;
                }
                to_window.send(Reload::Bad(explain(path, problems))).ok()?;
            }
            Ok((level, _)) => {
                let read = since.elapsed();
                let draft = baked.draft(&level);
                let lighting = Lighting::of_draft(&level, &World::of(&level), &draft, &patches);
                patches.clone_from(lighting.cache());
                let missing = draft.missing();
                let loaded = Loaded {
                    level: Arc::clone(&level),
                    lighting,
                    missing,
                    since,
                    took: [read, since.elapsed() - read],
                };
                to_window.send(Reload::Level(Box::new(loaded))).ok()?;
                let go_on = || !is_old.load(Ordering::Relaxed);
                if let Some(all) = draft.finish(&level, &go_on) {
                    baked = all;
                    let map = Arc::clone(baked.lightmap());
                    let lighting = Lighting::with_cache(&level, &World::of(&level), map, &patches);
                    baked.set_texels(lighting.texels.rgb.clone());
                    let news = Reload::Lighting(Arc::clone(&level), Box::new(lighting));
                    to_window.send(news).ok()?;
                    lightmap::store_in_cache(&level, LightmapQuality::default(), baked.lightmap());
                }
            }
        }
        match changes.try_recv() {
            Ok(()) => {}
            Err(_) => changes.recv().ok()?,
        }
    }
}

#[cfg(test)]
mod tests {
    use std::fs;

    use super::*;
    use crate::author::grid_glb;
    use crate::lighting::lightmap::flat;

    /// A file of this test, deleted on drop.
    struct File(PathBuf);

    impl File {
        fn new(test: &str, bytes: &[u8]) -> Self {
            let folder = std::env::temp_dir();
            let folder = folder.join(format!("opendoor-reload-{test}-{}", std::process::id()));
            fs::create_dir_all(&folder).unwrap();
            let file = Self(folder.join("level.glb"));
            fs::write(&file.0, bytes).unwrap();
            file
        }

        fn follow(&self) -> Reloader {
            let mut cache = BuildCache::default();
            let (level, _) = load_with_cache(&self.0, &mut cache).unwrap();
            let lighting = Lighting::new(&level, &World::of(&level), flat(&level));
            Reloader::follow(&self.0, (level, cache), &lighting).unwrap()
        }
    }

    impl Drop for File {
        fn drop(&mut self) {
            let _ = fs::remove_dir_all(self.0.parent().unwrap());
        }
    }

    /// Returns the next event other than `Began`.
    fn next(reloader: &Reloader) -> Reload {
        loop {
            let news = reloader.news.recv_timeout(Duration::from_secs(60));
            match news.expect("there are news") {
                Reload::Began => {}
                news => return news,
            }
        }
    }

    /// Returns the number of rooms of the next level that loads without errors, skipping other events.
    fn rooms(reloader: &Reloader) -> usize {
        loop {
            if let Reload::Lighting(level, lighting) = next(reloader) {
                assert_eq!(lighting.ambient.len(), level.rooms.len());
                return level.rooms.len();
            }
        }
    }

    #[test]
    fn a_level_that_is_saved_comes_at_once_and_then_with_all_of_its_light() {
        let file = File::new("saved", &grid_glb(2, 1));
        let reloader = file.follow();
        fs::write(&file.0, grid_glb(3, 1)).unwrap();
        let Reload::Level(loaded) = next(&reloader) else {
            panic!("it is good")
        };
        assert_eq!(loaded.level.rooms.len(), 3);
        let Reload::Lighting(level, _) = next(&reloader) else {
            panic!("its light follows")
        };
        assert!(Arc::ptr_eq(&level, &loaded.level));
        // Written under another name first, as some programs do.
        let beside = file.0.with_extension("new");
        fs::write(&beside, grid_glb(4, 1)).unwrap();
        fs::rename(&beside, &file.0).unwrap();
        assert_eq!(rooms(&reloader), 4);
    }

    #[test]
    fn problems_of_a_saved_file_are_reported_and_the_next_valid_version_is_loaded() {
        let good = grid_glb(2, 1);
        let file = File::new("bad", &good);
        let reloader = file.follow();
        for bytes in [&good[..good.len() / 2], b"no level at all", b""] {
            fs::write(&file.0, bytes).unwrap();
            let news = next(&reloader);
            let Reload::Bad(problems) = news else {
                panic!("it is bad")
            };
            assert!(!problems.errors.is_empty());
        }
        fs::remove_file(&file.0).unwrap();
        assert!(matches!(next(&reloader), Reload::Bad(_)));
        fs::write(&file.0, grid_glb(5, 1)).unwrap();
        assert_eq!(rooms(&reloader), 5);
    }

    #[test]
    fn a_file_that_is_written_piece_by_piece_is_waited_for() {
        let file = File::new("pieces", &grid_glb(2, 1));
        let reloader = file.follow();
        let bytes = grid_glb(6, 1);
        let mut to = fs::File::create(&file.0).unwrap();
        for piece in bytes.chunks(bytes.len() / 10) {
            std::io::Write::write_all(&mut to, piece).unwrap();
            thread::sleep(QUIET * 2);
        }
        assert!(matches!(next(&reloader), Reload::Level(_)));
        assert_eq!(rooms(&reloader), 6);
    }

    #[test]
    fn files_beside_a_level_count_as_changes_of_a_text_level_only() {
        let paths = |names: &[&str]| -> Vec<PathBuf> { names.iter().map(PathBuf::from).collect() };
        let binary = Path::new("/a/level.glb");
        assert!(concerns(binary, &paths(&["/a/other.glb", "/a/level.glb"])));
        assert!(!concerns(binary, &paths(&["/a/wood.png", "/a/level.glb1"])));
        let text = Path::new("/a/level.gltf");
        for part in ["/a/level.gltf", "/a/level.bin", "/a/textures/wood.PNG"] {
            assert!(concerns(text, &paths(&[part])), "{part}");
        }
        assert!(!concerns(text, &paths(&["/a/notes.txt"])));
    }
}
