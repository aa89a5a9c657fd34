//! What is wrong with the level of a walk, found beside it when it is first shown.

use std::sync::Arc;
use std::sync::mpsc::{Receiver, channel};
use std::thread;

use super::options::{Check, LevelChoice};
use crate::level::{Problem, Problems};

/// The problems of a level.
pub(super) struct Leaks {
    level: LevelChoice,
    check: Check,
    is_shown: bool,
    found: Option<Problems>,
    /// Tells what is found, once it is.
    checker: Option<Receiver<Problems>>,
}

impl Leaks {
    /// The problems of a level before its first check.
    pub(super) fn of(level: &LevelChoice, check: &Check) -> Self {
        Self {
            level: level.clone(),
            check: Arc::clone(check),
            is_shown: false,
            found: None,
            checker: None,
        }
    }

    /// Shows the problems, or hides them; returns what the player is told.
    pub(super) fn toggle(&mut self) -> &'static str {
        self.is_shown = !self.is_shown;
        if !self.is_shown {
            return "problems hidden";
        }
        self.check();
        "checking the level"
    }

    /// The file is another: what is known of it is old.
    pub(super) fn level_changed(&mut self) {
        (self.found, self.checker) = (None, None);
        if self.is_shown {
            self.check();
        }
    }

    /// Checks the file on a thread of its own, unless that is done or under way.
    fn check(&mut self) {
        if self.found.is_some() || self.checker.is_some() {
            return;
        }
        let (found, checker) = channel();
        let (level, check) = (self.level.clone(), Arc::clone(&self.check));
        thread::spawn(move || {
            // Nobody listens any more: the window is closed, or the file another.
            let _ = found.send(check(&level));
        });
        self.checker = Some(checker);
    }

    /// What the player is told when the check is done.
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

    /// The problems that are to be drawn.
    pub(super) fn shown(&self) -> impl Iterator<Item = &Problem> {
        let found = self.found.iter().filter(|_| self.is_shown);
        found.flat_map(|problems| problems.errors.iter().chain(&problems.warnings))
    }
}
