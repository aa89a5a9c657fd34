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
use crate::lighting::Lighting;
use crate::lighting::lightmap::{self, Kept, Quality};
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
        let (map, texels) = (lighting.lightmap.clone(), lighting.texels.rgb.clone());
        thread::spawn(move || {
            let kept = Kept::of(&level, Quality::default(), map, texels);
            // Nobody listens any more: the window is closed.
            let _ = load_changes(&path, kept, (&changes, &is_old), &to_window);
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
    mut kept: Kept,
    (changes, is_old): (&Receiver<()>, &AtomicBool),
    to_window: &Sender<Reload>,
) -> Option<()> {
    changes.recv().ok()?;
    loop {
        to_window.send(Reload::Began).ok()?;
        while changes.recv_timeout(QUIET).is_ok() {}
        is_old.store(false, Ordering::Relaxed);
        let since = Instant::now();
        let loaded = level::load(path);
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
                let lighting = Lighting::of_draft(&level, &World::of(&level), &draft);
                let missing = draft.missing();
                let level = Arc::new(level);
                let loaded = Loaded {
                    level: Arc::clone(&level),
                    lighting,
                    missing,
                    since,
                    took: [read, since.elapsed() - read],
                };
                to_window.send(Reload::Level(Box::new(loaded))).ok()?;
                let go_on = || !is_old.load(Ordering::Relaxed);
                if let Some((all, lighting)) = draft.finish(&level, &go_on) {
                    kept = all;
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
