//! Progress on stderr while a command works.

use std::sync::atomic::{AtomicU32, Ordering};
use std::sync::mpsc::{self, RecvTimeoutError};
use std::thread;
use std::time::{Duration, Instant};

use super::messages::eprint_line;

/// Work that takes less than this is not reported.
const PROGRESS_DELAY: Duration = Duration::from_secs(1);

/// Does `work`; while it takes long, `what` is reported on stderr every now and then.
pub(crate) fn with_status<T>(what: &str, work: impl FnOnce() -> T) -> T {
    with_progress(what, |_| work())
}

/// The same for work that reports how much of it is done, 0..1.
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
        // Wakes the other thread at once; it would report for ever otherwise.
        drop(done);
        result
    })
}
