//! The problems of the current level, found on another thread when they are first shown.

use std::sync::Arc;
use std::sync::mpsc::{Receiver, channel};
use std::thread;

use super::options::{CheckFunction, LevelChoice};
use crate::problems::{Problem, Problems};

/// The problems of a level, and whether they are shown.
pub(super) struct Leaks {
    level: LevelChoice,
    check: CheckFunction,
    is_shown: bool,
    found: Option<Problems>,
    /// The receiver of the problems while a check runs.
    checker: Option<Receiver<Problems>>,
}

impl Leaks {
    /// Creates the state before the first check of a level.
    pub(super) fn of(level: &LevelChoice, check: &CheckFunction) -> Self {
        Self {
            level: level.clone(),
            check: Arc::clone(check),
            is_shown: false,
            found: None,
            checker: None,
        }
    }

    /// Shows or hides the problems; returns the message for the player.
    pub(super) fn toggle(&mut self) -> &'static str {
        self.is_shown = !self.is_shown;
        if !self.is_shown {
            return "problems hidden";
        }
        self.check();
        "checking the level"
    }

    /// Discards the problems because the file has changed, and checks it again if problems are shown.
    pub(super) fn level_changed(&mut self) {
        (self.found, self.checker) = (None, None);
        if self.is_shown {
            self.check();
        }
    }

    /// Checks the file on its own thread, unless a check is done or running.
    fn check(&mut self) {
        if self.found.is_some() || self.checker.is_some() {
            return;
        }
        let (found, checker) = channel();
        let (level, check) = (self.level.clone(), Arc::clone(&self.check));
        thread::spawn(move || {
            // Sending fails if the window was closed or the file has changed.
            let _ = found.send(check(&level));
        });
        self.checker = Some(checker);
    }

    /// Returns the message for the player when a check has just ended.
    pub(super) fn news(&mut self) -> Option<String> {
        let problems = self.checker.as_ref()?.try_recv().ok()?;
        self.checker = None;
        let count = problems.errors.total() + problems.warnings.total();
        self.found = Some(problems);
        Some(match count {
            0 => "no problems".to_owned(),
            1 => "1 problem; `opendoor check` names it".to_owned(),
            _ => format!("{count} problems; `opendoor check` lists them"),
        })
    }

    /// Returns the problems to draw.
    pub(super) fn shown(&self) -> impl Iterator<Item = &Problem> {
        let found = self.found.iter().filter(|_| self.is_shown);
        found.flat_map(|problems| problems.errors.iter().chain(&problems.warnings))
    }
}
