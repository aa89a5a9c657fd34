//! The problems of a level. Problems that follow from others can be suppressed.

mod code;
mod list;
mod mend;
mod problem;

pub use code::ProblemCode;
pub use list::ProblemList;
pub(crate) use list::Taken;
pub(crate) use mend::Mend;
pub(crate) use problem::shortened;
pub use problem::{Problem, ProblemPlace};

use std::collections::BTreeSet;
use std::fmt;

/// The problems of a level.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Problems {
    /// The problems that make the level unusable.
    pub errors: ProblemList,
    /// The problems that are probably mistakes.
    pub warnings: ProblemList,
    /// The code and node of problems that are reported, and that are the cause of others at their node.
    causes: Box<ReportedCauses>,
}

/// The contents of `explained`; boxed to keep [`Problems`] small, because most levels have none.
#[derive(Clone, Debug, Default, PartialEq)]
struct ReportedCauses(BTreeSet<(ProblemCode, String)>);

impl Problems {
    /// An empty value that stores all problems with a fix, even those that are not listed.
    pub(crate) fn with_all_mends() -> Self {
        Self {
            errors: ProblemList::with_all_mends(),
            warnings: ProblemList::with_all_mends(),
            ..Self::default()
        }
    }

    /// Takes the problems with a fix that are not listed.
    pub(crate) fn take_unlisted(&mut self) -> Vec<Problem> {
        let lists = [&mut self.errors, &mut self.warnings];
        let unlisted = lists.into_iter().flat_map(ProblemList::take_unlisted);
        unlisted.collect()
    }

    /// Adds an error.
    pub fn error(&mut self, code: ProblemCode, node: &str, message: impl Into<String>) {
        self.errors
            .push(code, node, (None, None), || message.into());
    }

    /// Adds an error whose message is expensive; it is created only if the error is listed.
    pub fn error_with(&mut self, code: ProblemCode, node: &str, message: impl FnOnce() -> String) {
        self.errors.push(code, node, (None, None), message);
    }

    /// Records that a reported problem of this code is the cause of others at its node, which not every problem of the code is.
    pub(crate) fn add_cause(&mut self, code: ProblemCode, node: &str) {
        self.causes.0.insert((code, node.to_owned()));
    }

    /// The recorded causes, in the order of their codes.
    pub(crate) fn causes(&self) -> impl Iterator<Item = (ProblemCode, &str)> {
        let causes = self.causes.0.iter();
        causes.map(|(code, node)| (*code, node.as_str()))
    }

    /// Takes all entries out of both lists: first the errors, with `true`, then the warnings, with `false`.
    pub(crate) fn take(&mut self) -> impl Iterator<Item = (bool, Taken)> + use<> {
        let errors = self.errors.take().into_iter().map(|entry| (true, entry));
        let warnings = self.warnings.take().into_iter();
        errors.chain(warnings.map(|entry| (false, entry)))
    }

    /// Puts back an entry that was taken out, as an error or a warning.
    pub(crate) fn put_back(&mut self, is_error: bool, entry: Taken) {
        match is_error {
            true => self.errors.put_back(entry),
            false => self.warnings.put_back(entry),
        }
    }

    /// Number of problems of a code, including those that are not listed.
    pub(crate) fn count(&self, code: ProblemCode) -> usize {
        self.errors.count(code) + self.warnings.count(code)
    }

    /// Adds a warning.
    pub fn warn(&mut self, code: ProblemCode, node: &str, message: impl Into<String>) {
        self.warnings
            .push(code, node, (None, None), || message.into());
    }

    /// Adds an error or a warning. If it is listed, its message is created, and begins with the place.
    pub(crate) fn add(
        &mut self,
        is_error: bool,
        code: ProblemCode,
        node: &str,
        place: Option<ProblemPlace>,
        message: impl FnOnce() -> String,
    ) {
        self.add_mendable(is_error, code, node, (place, None), message);
    }

    /// Adds a problem as [`Self::add`] does, with a fix.
    pub(crate) fn add_mendable(
        &mut self,
        is_error: bool,
        code: ProblemCode,
        node: &str,
        (place, mend): (Option<ProblemPlace>, Option<Mend>),
        message: impl FnOnce() -> String,
    ) {
        let list = if is_error {
            &mut self.errors
        } else {
            &mut self.warnings
        };
        let at = place.as_ref().map(ToString::to_string);
        list.push(code, node, (place, mend), || match at {
            Some(at) => format!("{at}: {}", message()),
            None => message(),
        });
    }
}

impl fmt::Display for Problems {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let lines = self.errors.iter().map(|p| format!("error: {p}"));
        let lines = lines.chain(self.warnings.iter().map(|p| format!("warning: {p}")));
        f.write_str(&lines.collect::<Vec<_>>().join("\n"))
    }
}

impl std::error::Error for Problems {}

#[cfg(test)]
mod tests {
    use super::problem::MAX_TEXT;
    use super::*;

    #[test]
    fn long_texts_keep_their_beginning_and_their_end() {
        let mut problems = Problems::default();
        let message = format!("it is wrong: {}; the cure", "\u{e9}".repeat(100_000));
        problems.warn(ProblemCode::Mesh, &"x".repeat(100_000), message);
        let Problem { node, message, .. } = &problems.warnings[0];
        assert!(node.len() <= MAX_TEXT && message.len() <= MAX_TEXT);
        assert!(message.starts_with("it is wrong: \u{e9}") && message.ends_with("; the cure"));
    }
}
