//! A line that is shown for some seconds.

use std::time::{Duration, Instant};

/// How long it stays.
const DURATION: Duration = Duration::from_secs(3);

/// The latest message.
#[derive(Debug, Default)]
pub(super) struct Message {
    shown: Option<(Instant, String)>,
}

impl Message {
    /// Shows this instead of the last.
    pub(super) fn show(&mut self, text: String) {
        self.shown = Some((Instant::now(), text));
    }

    /// The text, or nothing after its time.
    pub(super) fn text(&mut self) -> &str {
        self.shown.take_if(|(since, _)| since.elapsed() >= DURATION);
        self.shown.as_ref().map_or("", |(_, text)| text)
    }
}
