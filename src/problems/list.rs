//! Lists of problems that stay short for any number of problems.

use std::ops::Deref;
use std::slice;

use serde::ser::{Serialize, Serializer};

use super::ProblemCode;
use super::mend::Mend;
use super::problem::{Problem, ProblemPlace, shortened};

/// Maximum number of problems of one code that are listed, each with its node; the rest are counted. A small file can
/// have millions of problems, and a longer list is not useful.
const MAX_LISTED: usize = 20;
/// Maximum number of unlisted problems with a fix that are stored.
const MAX_UNLISTED: usize = 100_000;

/// Problems in the order in which they were found. Of each code the first 20 are listed. If there are more, one further
/// entry without a node gives their number ("and 8,999,980 more").
#[derive(Clone, Debug, Default, PartialEq)]
pub struct ProblemList {
    pub(super) listed: Vec<Problem>,
    /// For each code in the list the number of its problems.
    counts: Vec<Count>,
    /// The problems with a fix that are not listed; `None` if they are not to be stored.
    unlisted: Option<Box<Unlisted>>,
}

/// Problems with a fix that are not listed.
#[derive(Clone, Debug, Default, PartialEq)]
struct Unlisted(Vec<Problem>);

/// The number of problems of a code.
#[derive(Clone, Debug, PartialEq, Eq)]
struct Count {
    code: ProblemCode,
    listed: usize,
    unlisted: usize,
    /// Index in the list of the entry that gives the number of unlisted problems.
    rest: Option<usize>,
}

impl Count {
    fn found(&self) -> usize {
        self.listed + self.unlisted
    }
}

/// An entry that was taken out of a list: a problem; if it stands for the unlisted problems of its code, with their
/// number.
pub(crate) type Taken = (Problem, Option<usize>);

impl ProblemList {
    /// An empty list that stores all problems with a fix, even those that are not listed.
    pub(super) fn with_all_mends() -> Self {
        Self {
            unlisted: Some(Box::default()),
            ..Self::default()
        }
    }

    /// Takes the problems with a fix that are not listed.
    pub(super) fn take_unlisted(&mut self) -> Vec<Problem> {
        self.unlisted.take().unwrap_or_default().0
    }

    /// Number of problems found, including those that are not listed.
    pub fn total(&self) -> usize {
        self.counts.iter().map(Count::found).sum()
    }

    /// For each code the number of problems found, including those that are not listed.
    pub(crate) fn counts(&self) -> impl Iterator<Item = (ProblemCode, usize)> {
        self.counts.iter().map(|count| (count.code, count.found()))
    }

    /// Takes all entries out of the list.
    pub(super) fn take(&mut self) -> Vec<Taken> {
        let counts = std::mem::take(&mut self.counts);
        let entry = |(index, problem)| {
            let mut rests = counts.iter().filter(|count| count.rest == Some(index));
            (problem, rests.next().map(|count| count.unlisted))
        };
        let listed = std::mem::take(&mut self.listed);
        listed.into_iter().enumerate().map(entry).collect()
    }

    /// Puts an entry back that was taken out of a list.
    pub(super) fn put_back(&mut self, (problem, unlisted): Taken) {
        if let Some(unlisted) = unlisted {
            let index = self.count_of(problem.code);
            self.add_unlisted(index, unlisted);
            return;
        }
        let Problem {
            code,
            node,
            message,
            place,
            mend,
        } = problem;
        self.push(code, &node, (place, mend), || message);
    }

    /// The index of a code in `counts`; the code is added if necessary.
    fn count_of(&mut self, code: ProblemCode) -> usize {
        let known = self.counts.iter().position(|count| count.code == code);
        known.unwrap_or_else(|| {
            self.counts.push(Count {
                code,
                listed: 0,
                unlisted: 0,
                rest: None,
            });
            self.counts.len() - 1
        })
    }

    /// Adds to the number of problems that are not listed.
    fn add_unlisted(&mut self, index: usize, more: usize) {
        let count = &mut self.counts[index];
        count.unlisted += more;
        let message = format!("and {} more", grouped(count.unlisted));
        match count.rest {
            Some(rest) => self.listed[rest].message = message,
            None => {
                count.rest = Some(self.listed.len());
                self.listed.push(Problem {
                    code: count.code,
                    node: String::new(),
                    message,
                    place: None,
                    mend: None,
                });
            }
        }
    }

    /// Number of problems of a code, including those that are not listed.
    pub(super) fn count(&self, code: ProblemCode) -> usize {
        let count = self.counts.iter().find(|count| count.code == code);
        count.map_or(0, Count::found)
    }

    /// Adds a problem. Its message is created only if the problem is listed.
    pub(super) fn push(
        &mut self,
        code: ProblemCode,
        node: &str,
        (place, mend): (Option<ProblemPlace>, Option<Mend>),
        message: impl FnOnce() -> String,
    ) {
        let index = self.count_of(code);
        let count = &mut self.counts[index];
        let problem = |mend| Problem {
            code,
            node: shortened(node.to_owned()),
            message: shortened(message()),
            place,
            mend,
        };
        if count.listed < MAX_LISTED && count.rest.is_none() {
            count.listed += 1;
            self.listed.push(problem(mend));
            return;
        }
        if let Some(unlisted) = &mut self.unlisted
            && mend.is_some()
            && unlisted.0.len() < MAX_UNLISTED
        {
            unlisted.0.push(problem(mend));
        }
        self.add_unlisted(index, 1);
    }
}

impl Deref for ProblemList {
    type Target = [Problem];

    fn deref(&self) -> &[Problem] {
        &self.listed
    }
}

impl<'a> IntoIterator for &'a ProblemList {
    type Item = &'a Problem;
    type IntoIter = slice::Iter<'a, Problem>;

    fn into_iter(self) -> Self::IntoIter {
        self.listed.iter()
    }
}

impl<const N: usize> PartialEq<[Problem; N]> for ProblemList {
    fn eq(&self, other: &[Problem; N]) -> bool {
        self.listed == other
    }
}

impl Serialize for ProblemList {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        self.listed.serialize(serializer)
    }
}

/// A number with a comma between groups of three digits.
fn grouped(number: usize) -> String {
    let digits = number.to_string();
    let mut text = String::with_capacity(digits.len() * 4 / 3);
    for (at, digit) in digits.chars().enumerate() {
        if at > 0 && (digits.len() - at).is_multiple_of(3) {
            text.push(',');
        }
        text.push(digit);
    }
    text
}

#[cfg(test)]
mod tests {
    use super::super::Problems;
    use super::*;

    #[test]
    fn of_a_code_the_first_are_listed_and_the_rest_counted() {
        let (mut problems, mut made) = (Problems::default(), 0);
        for i in 0..1_234_587 {
            problems.error_with(ProblemCode::Mesh, "node", || {
                made += 1;
                i.to_string()
            });
        }
        problems.error(ProblemCode::Scene, "other", "alone");
        problems.warn(ProblemCode::Mesh, "node", "a warning of the same code");
        let said: Vec<String> = problems.errors.iter().map(Problem::to_string).collect();
        assert_eq!(said.len(), MAX_LISTED + 2);
        assert_eq!(said[0], "node: 0 [mesh]");
        assert_eq!(said[MAX_LISTED], "and 1,234,567 more [mesh]");
        assert_eq!(said[MAX_LISTED + 1], "other: alone [scene]");
        assert_eq!((problems.errors.total(), made), (1_234_588, MAX_LISTED));
        assert_eq!(problems.warnings.total(), 1);
    }

    #[test]
    fn digits_are_grouped_by_three() {
        let said = [7, 999, 1000, 123_456, 8_999_980].map(grouped);
        assert_eq!(said, ["7", "999", "1,000", "123,456", "8,999,980"]);
    }
}
