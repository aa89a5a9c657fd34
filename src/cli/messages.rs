//! Messages for people.

use std::io::{self, Write};

/// Writes a line for people on stderr. Where that is closed, it is dropped.
pub(crate) fn eprint_line(line: &str) {
    let _ = writeln!(io::stderr(), "{line}");
}
