//! A sign of life for people who wait.

use std::sync::mpsc::{self, RecvTimeoutError};
use std::thread;
use std::time::{Duration, Instant};

use super::say;

/// Nobody is told of what takes less than this.
const PATIENCE: Duration = Duration::from_secs(1);

/// Does `work`; as long as it takes, stderr says every now and then what is being done.
pub(crate) fn while_saying<T>(what: &str, work: impl FnOnce() -> T) -> T {
    let (done, waiting) = mpsc::channel::<()>();
    thread::scope(|scope| {
        scope.spawn(move || {
            let start = Instant::now();
            let mut patience = PATIENCE;
            while waiting.recv_timeout(patience) == Err(RecvTimeoutError::Timeout) {
                say(&format!("{what}, {} s", start.elapsed().as_secs()));
                patience *= 2;
            }
        });
        let result = work();
        // The teller wakes up at once; were this forgotten, it would go on for ever.
        drop(done);
        result
    })
}
