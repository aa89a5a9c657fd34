//! Loading a level on its own thread.

use std::panic;
use std::sync::Arc;
use std::sync::atomic::{AtomicU32, Ordering};
use std::thread::{self, JoinHandle};
use std::time::{Duration, Instant};

use super::options::LoadedGame;

/// The time before progress is shown: faster loading shows none.
const PROGRESS_DELAY: Duration = Duration::from_millis(200);

/// The thread's result.
type LoadResult<E> = Result<LoadedGame, E>;

/// A loading thread. Dropping this value does not stop the thread.
pub(super) struct Loading<E> {
    /// `None` after the thread has ended.
    thread: Option<JoinHandle<LoadResult<E>>>,
    /// The progress, 0..1, as the bits of an `f32`.
    part: Arc<AtomicU32>,
    since: Instant,
}

impl<E: Send + 'static> Loading<E> {
    /// Starts the thread; `make` reports its progress, 0..1.
    pub(super) fn begin(
        make: impl FnOnce(&(dyn Fn(f32) + Sync)) -> LoadResult<E> + Send + 'static,
    ) -> Self {
        let part = Arc::new(AtomicU32::new(0));
        let reported = Arc::clone(&part);
        let report = move |part: f32| reported.store(part.to_bits(), Ordering::Relaxed);
        Self {
            thread: Some(thread::spawn(move || make(&report))),
            part,
            since: Instant::now(),
        }
    }
}

impl<E> Loading<E> {
    /// Returns the result once, after the thread has ended.
    pub(super) fn take_made(&mut self) -> Option<LoadResult<E>> {
        let thread = self.thread.take_if(|thread| thread.is_finished())?;
        match thread.join() {
            Ok(made) => Some(made),
            Err(payload) => panic::resume_unwind(payload),
        }
    }

    /// Returns the progress, 0..1, if loading takes longer than [`PROGRESS_DELAY`].
    pub(super) fn part(&self, now: Instant) -> Option<f32> {
        let part = f32::from_bits(self.part.load(Ordering::Relaxed));
        (now.duration_since(self.since) >= PROGRESS_DELAY).then_some(part)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::sync::mpsc;

    #[test]
    fn slow_loading_shows_progress_and_returns_its_result_or_error_once() {
        let (go_on, wait) = mpsc::channel();
        let (report, reported) = mpsc::channel();
        let mut loading = Loading::begin(move |progress| {
            progress(0.5);
            report.send(()).unwrap();
            wait.recv().unwrap();
            Err("no such level")
        });
        reported.recv().unwrap();
        assert_eq!(loading.part(loading.since + PROGRESS_DELAY / 2), None);
        assert_eq!(loading.part(loading.since + PROGRESS_DELAY), Some(0.5));
        assert!(loading.take_made().is_none());
        go_on.send(()).unwrap();
        let made = loop {
            if let Some(made) = loading.take_made() {
                break made;
            }
            thread::yield_now();
        };
        assert_eq!(made.err(), Some("no such level"));
        assert!(loading.take_made().is_none());
    }

    #[test]
    #[should_panic(expected = "out of order")]
    fn a_panic_while_loading_is_passed_on() {
        let mut loading = Loading::<()>::begin(|_| panic!("out of order"));
        while loading.take_made().is_none() {
            thread::yield_now();
        }
    }
}
