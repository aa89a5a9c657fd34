//! What can be wrong with a level: each problem names the node and the cure.

use std::fmt;

/// One thing that is wrong, where, and what to do about it.
#[derive(Clone, Debug, PartialEq, Eq, serde::Serialize)]
pub struct Problem {
    /// Short stable name of the kind of problem, such as `portal-unknown-room`.
    pub code: &'static str,
    /// The node, mesh, accessor, image or file it is about; empty for the file as a whole.
    pub node: String,
    /// What is wrong, where, and the cure, in one or two sentences.
    pub message: String,
}

impl fmt::Display for Problem {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if self.node.is_empty() {
            write!(f, "{} [{}]", self.message, self.code)
        } else {
            write!(f, "{}: {} [{}]", self.node, self.message, self.code)
        }
    }
}

/// All that is wrong with a level.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Problems {
    /// What makes it unusable.
    pub errors: Vec<Problem>,
    /// What is probably not as meant.
    pub warnings: Vec<Problem>,
}

impl Problems {
    /// Adds an error.
    pub fn error(&mut self, code: &'static str, node: &str, message: impl Into<String>) {
        self.errors.push(Problem {
            code,
            node: node.to_owned(),
            message: message.into(),
        });
    }

    /// Adds a warning.
    pub fn warn(&mut self, code: &'static str, node: &str, message: impl Into<String>) {
        self.warnings.push(Problem {
            code,
            node: node.to_owned(),
            message: message.into(),
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
