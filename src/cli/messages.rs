//! Messages on stderr.

use std::io::{self, Write};

/// Writes a line of text on stderr. If stderr is closed, the line is dropped.
pub(crate) fn eprint_line(line: &str) {
    let _ = writeln!(io::stderr(), "{line}");
}
