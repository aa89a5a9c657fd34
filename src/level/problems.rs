//! All that is wrong with a level, and what of it explains the rest.

use std::collections::BTreeSet;
use std::fmt;

use super::ProblemCode;
use super::mend::Mend;
use super::problem::{Problem, ProblemPlace, shortened};
use super::problem_list::ProblemList;

/// All that is wrong with a level.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Problems {
    /// The problems that make the level unusable.
    pub errors: ProblemList,
    /// The problems that probably are mistakes.
    pub warnings: ProblemList,
    /// The codes of problems whose cause is reported, each with its node.
    explained: Box<Explained>,
}

/// In a box, as most levels have none of them, and results are small then.
#[derive(Clone, Debug, Default, PartialEq)]
struct Explained(BTreeSet<(ProblemCode, String)>);

impl Problems {
    /// None yet; of those that can be mended all will be kept, and not the listed ones alone.
    pub(in crate::level) fn with_all_mends() -> Self {
        Self {
            errors: ProblemList::with_all_mends(),
            warnings: ProblemList::with_all_mends(),
            ..Self::default()
        }
    }

    /// The problems with a mend that are not listed.
    pub(in crate::level) fn take_unlisted(&mut self) -> Vec<Problem> {
        let lists = [&mut self.errors, &mut self.warnings];
        let unlisted = lists.into_iter().flat_map(ProblemList::take_unlisted);
        unlisted.collect()
    }

    /// Adds an error.
    pub fn error(&mut self, code: ProblemCode, node: &str, message: impl Into<String>) {
        self.errors
            .push(code, node, (None, None), || message.into());
    }

    /// Adds an error whose message takes work: it is only made if the error is listed.
    pub fn error_with(&mut self, code: ProblemCode, node: &str, message: impl FnOnce() -> String) {
        self.errors.push(code, node, (None, None), message);
    }

    /// Notes that problems of this code at this node follow from a problem that is reported.
    pub(in crate::level) fn explain(&mut self, code: ProblemCode, node: &str) {
        self.explained.0.insert((code, node.to_owned()));
    }

    /// Whether problems of this code at this node follow from a problem that is reported.
    pub(crate) fn is_explained(&self, code: ProblemCode, node: &str) -> bool {
        self.explained.0.contains(&(code, node.to_owned()))
    }

    /// Takes away the listed problems that follow from others.
    pub(in crate::level) fn drop(&mut self, follows: impl Fn(&Problem) -> bool) {
        self.errors.drop(&follows);
        self.warnings.drop(&follows);
    }

    /// Takes away all problems of these codes.
    pub(in crate::level) fn drop_codes(&mut self, codes: &[ProblemCode]) {
        self.errors.drop_codes(codes);
        self.warnings.drop_codes(codes);
    }

    /// How many problems have one of these codes.
    pub(in crate::level) fn count(&self, codes: &[ProblemCode]) -> usize {
        self.errors.count(codes) + self.warnings.count(codes)
    }

    /// Adds to the message of the first listed error of a code.
    pub(in crate::level) fn append_to_first(&mut self, code: ProblemCode, more: &str) {
        let mut errors = self.errors.listed.iter_mut();
        if let Some(error) = errors.find(|error| error.code == code) {
            error.message = shortened(format!("{}{more}", error.message));
        }
    }

    /// Makes errors of the listed warnings that an error followed from.
    pub(in crate::level) fn make_errors(&mut self, is_cause: impl Fn(&Problem) -> bool) {
        let causes = self.warnings.iter().filter(|problem| is_cause(problem));
        let causes: Vec<Problem> = causes.cloned().collect();
        self.warnings.drop(|problem| causes.contains(problem));
        for cause in causes {
            let of = (cause.place, cause.mend);
            self.errors
                .push(cause.code, &cause.node, of, || cause.message);
        }
    }

    /// Adds a warning.
    pub fn warn(&mut self, code: ProblemCode, node: &str, message: impl Into<String>) {
        self.warnings
            .push(code, node, (None, None), || message.into());
    }

    /// Adds an error or a warning that is somewhere; its message begins with the place, and is only made if it is
    /// listed.
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

    /// [`Self::add`] of a problem that can be mended for certain.
    pub(in crate::level) fn add_mendable(
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
    use super::super::problem::MAX_TEXT;
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
