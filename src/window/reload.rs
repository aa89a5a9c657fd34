//! A level that is loaded again when its file is saved.
//!
//! A thread waits for changes in the level's folder, loads the level, keeps what did not change of its
//! lightmap, and bakes the rest after the level was handed over.

use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{Receiver, Sender, channel};
use std::thread;
use std::time::{Duration, Instant};

use notify::{EventKind, RecommendedWatcher, RecursiveMode, Watcher};

use crate::level::{self, Level, Problems};
use crate::lighting::lightmap::{self, Kept, Quality};
use crate::lighting::{KnownPatches, Lighting};
use crate::world::World;

/// A file is whole when nothing was written to it for so long.
const QUIET: Duration = Duration::from_millis(20);
/// A bad file that is written to within this time after it was read was not whole.
const UNFINISHED: Duration = Duration::from_millis(150);
/// Files beside a `.gltf` that belong to it.
const EXTENSIONS: [&str; 5] = ["gltf", "bin", "png", "jpg", "jpeg"];

/// News of the level's file.
pub(super) enum Reload {
    /// It has changed, and is being loaded.
    Began,
    /// The level as it is now.
    Level(Box<Loaded>),
    /// The same with all of its light.
    Lighting(Arc<Level>, Box<Lighting>),
    /// What makes it unusable.
    Bad(Problems),
}

/// A level that was loaded again.
pub(super) struct Loaded {
    pub(super) level: Arc<Level>,
    /// Of the world as authored, with the texels that are known.
    pub(super) lighting: Lighting,
    /// How many rooms and movers lack their texels.
    pub(super) missing: usize,
    /// When its file was seen to be whole.
    pub(super) since: Instant,
    /// How long reading it and finding its light took.
    pub(super) took: [Duration; 2],
}

/// The thread that follows a file. Dropping it ends that, once it has nothing to do.
pub(super) struct Reloader {
    news: Receiver<Reload>,
    _watcher: RecommendedWatcher,
}

impl Reloader {
    /// Follows the file of a level that was loaded before.
    ///
    /// # Errors
    /// When its folder cannot be watched.
    pub(super) fn follow(
        path: &Path,
        level: Arc<Level>,
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
                    // Nobody waits any more: the window is closed.
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
        let known = lighting.known_patches().clone();
        thread::spawn(move || {
            let kept = Kept::of(&level, Quality::default(), map, texels);
            let old = (level, kept, known);
            // Nobody listens any more: the window is closed.
            let _ = load_changes(&path, old, (&changes, &is_old), &to_window);
        });
        Ok(Self {
            news,
            _watcher: watcher,
        })
    }

    /// What happened since it was last asked, one after another.
    pub(super) fn news(&self) -> Option<Reload> {
        self.news.try_recv().ok()
    }
}

/// Whether the level lies in files beside its own.
fn is_text(path: &Path) -> bool {
    path.extension()
        .is_some_and(|e| e.eq_ignore_ascii_case("gltf"))
}

/// Whether a change of these files is one of the level.
fn concerns(level: &Path, changed: &[PathBuf]) -> bool {
    let is_part = |path: &PathBuf| {
        let extension = path.extension().unwrap_or_default();
        is_text(level) && EXTENSIONS.iter().any(|e| extension.eq_ignore_ascii_case(e))
    };
    changed.iter().any(|path| path == level || is_part(path))
}

/// Loads the level after each change, which sets `is_old`; ends when nobody listens, or nothing can change any
/// more.
fn load_changes(
    path: &Path,
    (mut old, mut kept, mut known): (Arc<Level>, Kept, KnownPatches),
    (changes, is_old): (&Receiver<()>, &AtomicBool),
    to_window: &Sender<Reload>,
) -> Option<()> {
    changes.recv().ok()?;
    loop {
        to_window.send(Reload::Began).ok()?;
        while changes.recv_timeout(QUIET).is_ok() {}
        is_old.store(false, Ordering::Relaxed);
        let since = Instant::now();
        let loaded = level::load_again(path, &old);
        match loaded {
            Err(problems) => {
                if changes.recv_timeout(UNFINISHED).is_ok() {
                    continue;
                }
                to_window.send(Reload::Bad(problems)).ok()?;
            }
            Ok((level, _)) => {
                let read = since.elapsed();
                let draft = kept.carry_to(&level);
                let lighting = Lighting::of_draft(&level, &World::of(&level), &draft, &known);
                known = lighting.known_patches().clone();
                let missing = draft.missing();
                let level = Arc::new(level);
                old = Arc::clone(&level);
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
                    kept = all;
                    let map = Arc::clone(kept.lightmap());
                    let lighting = Lighting::again(&level, &World::of(&level), map, &known);
                    kept.set_texels(lighting.texels.rgb.clone());
                    let news = Reload::Lighting(Arc::clone(&level), Box::new(lighting));
                    to_window.send(news).ok()?;
                    lightmap::keep_in_cache(&level, Quality::default(), kept.lightmap());
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
    use crate::level::grid_glb;
    use crate::lighting::lightmap::flat;

    /// A file of this test's own, gone with it.
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
            let (level, _) = level::load(&self.0).unwrap();
            let lighting = Lighting::new(&level, &World::of(&level), flat(&level));
            Reloader::follow(&self.0, Arc::new(level), &lighting).unwrap()
        }
    }

    impl Drop for File {
        fn drop(&mut self) {
            let _ = fs::remove_dir_all(self.0.parent().unwrap());
        }
    }

    /// The next news but that loading began.
    fn next(reloader: &Reloader) -> Reload {
        loop {
            let news = reloader.news.recv_timeout(Duration::from_secs(60));
            match news.expect("there are news") {
                Reload::Began => {}
                news => return news,
            }
        }
    }

    /// How many rooms the next level has that comes whole, whatever comes before.
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
        // Written beside it first, as some programs do.
        let beside = file.0.with_extension("new");
        fs::write(&beside, grid_glb(4, 1)).unwrap();
        fs::rename(&beside, &file.0).unwrap();
        assert_eq!(rooms(&reloader), 4);
    }

    #[test]
    fn what_is_wrong_with_a_save_is_said_and_the_next_good_one_comes() {
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
    fn other_files_are_no_change_of_a_binary_level_and_those_beside_a_text_are() {
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
