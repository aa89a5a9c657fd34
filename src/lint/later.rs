//! Findings of checks that run on request, after the others: those that follow from reported problems are left out.

use super::findings::{Finding, known, put_back};
use super::suppress::is_hidden;
use super::table::{LATER, TABLE};
use crate::level::{Level, LevelData};
use crate::problems::{ProblemCode, Problems};

/// The problems of a checked level, to which a later check adds its findings.
pub(super) struct LaterReport<'a> {
    pub level: &'a LevelData,
    problems: &'a mut Problems,
    /// The problems as findings, and the added findings.
    known: Vec<Finding>,
}

impl<'a> LaterReport<'a> {
    pub(super) fn of(level: &'a Level, problems: &'a mut Problems) -> Self {
        Self {
            level,
            known: known(problems),
            problems,
        }
    }

    /// Whether a finding follows from a known one.
    pub(super) fn is_hidden(&self, finding: &Finding) -> bool {
        is_hidden(self.level, &[TABLE, LATER], &self.known, finding)
    }

    /// Adds a finding, unless it follows from a known one.
    pub(super) fn add(&mut self, finding: Finding) {
        if !self.is_hidden(&finding) {
            self.known.push(finding.clone());
            put_back(vec![finding], self.problems);
        }
    }

    /// The known findings of some codes.
    pub(super) fn of_codes(&self, codes: &[ProblemCode]) -> impl Iterator<Item = &Finding> {
        let known = self.known.iter();
        known.filter(|finding| !finding.is_reported && codes.contains(&finding.code))
    }
}

/// Adds findings to the problems of a level, except those that follow from these problems.
pub(super) fn add_found(level: &Level, problems: &mut Problems, findings: Vec<Finding>) {
    let mut report = LaterReport::of(level, problems);
    for finding in findings {
        report.add(finding);
    }
}
