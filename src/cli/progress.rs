//! A sign of life for people who wait.

use std::sync::atomic::{AtomicU32, Ordering};
use std::sync::mpsc::{self, RecvTimeoutError};
use std::thread;
use std::time::{Duration, Instant};

use super::eprint_line;

/// What takes less than this is not reported.
const PATIENCE: Duration = Duration::from_secs(1);

/// Does `work`; as long as it takes, stderr says every now and then what is being done.
pub(crate) fn with_status<T>(what: &str, work: impl FnOnce() -> T) -> T {
    with_progress(what, |_| work())
}

/// The same for work that tells how much of it is done, 0..1.
pub(crate) fn with_progress<T>(what: &str, work: impl FnOnce(&(dyn Fn(f32) + Sync)) -> T) -> T {
    let (done, waiting) = mpsc::channel::<()>();
    let percent = AtomicU32::new(0);
    thread::scope(|scope| {
        let told = &percent;
        scope.spawn(move || {
            let start = Instant::now();
            let mut patience = PATIENCE;
            while waiting.recv_timeout(patience) == Err(RecvTimeoutError::Timeout) {
                let part = match told.load(Ordering::Relaxed) {
                    0 => String::new(),
                    percent => format!(", {percent} %"),
                };
                eprint_line(&format!("{what}, {} s{part}", start.elapsed().as_secs()));
                patience *= 2;
            }
        });
        let result = work(&|part| percent.store((part * 100.0) as u32, Ordering::Relaxed));
        // The teller wakes up at once; were this forgotten, it would go on for ever.
        drop(done);
        result
    })
}
