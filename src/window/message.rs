//! A line of text that is shown for some seconds.

use std::time::{Duration, Instant};

/// The time for which a message is shown.
const DURATION: Duration = Duration::from_secs(3);

/// The latest message.
#[derive(Debug, Default)]
pub(super) struct Message {
    shown: Option<(Instant, String)>,
}

impl Message {
    /// Shows this text instead of the previous message.
    pub(super) fn show(&mut self, text: String) {
        self.shown = Some((Instant::now(), text));
    }

    /// Returns the text; empty after its time.
    pub(super) fn text(&mut self) -> &str {
        self.shown.take_if(|(since, _)| since.elapsed() >= DURATION);
        self.shown.as_ref().map_or("", |(_, text)| text)
    }
}
