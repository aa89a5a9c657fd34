//! Progress messages on stderr while a command works.

use std::sync::atomic::{AtomicU32, Ordering};
use std::sync::mpsc::{self, RecvTimeoutError};
use std::thread;
use std::time::{Duration, Instant};

use super::messages::eprint_line;

/// The time before the first progress message: faster work is not reported.
const PROGRESS_DELAY: Duration = Duration::from_secs(1);

/// Runs `work`; while it takes long, `what` is printed on stderr at intervals.
pub(crate) fn with_status<T>(what: &str, work: impl FnOnce() -> T) -> T {
    with_progress(what, |_| work())
}

/// Runs `work`, which reports the completed part, 0..1. If it takes long, `what` and the percentage are printed on
/// stderr at growing intervals.
pub(crate) fn with_progress<T>(what: &str, work: impl FnOnce(&(dyn Fn(f32) + Sync)) -> T) -> T {
    let (done, waiting) = mpsc::channel::<()>();
    let percent = AtomicU32::new(0);
    thread::scope(|scope| {
        let reported = &percent;
        scope.spawn(move || {
            let start = Instant::now();
            let mut delay = PROGRESS_DELAY;
            while waiting.recv_timeout(delay) == Err(RecvTimeoutError::Timeout) {
                let part = match reported.load(Ordering::Relaxed) {
                    0 => String::new(),
                    percent => format!(", {percent} %"),
                };
                eprint_line(&format!("{what}, {} s{part}", start.elapsed().as_secs()));
                delay *= 2;
            }
        });
        let result = work(&|part| percent.store((part * 100.0) as u32, Ordering::Relaxed));
        // Ends the reporting thread, which otherwise reports forever.
        drop(done);
        result
    })
}
