//! Tables in Markdown.

use std::io::{Write, stdout};

/// Writes a table to stdout, for `docs/benchmarks.md`. The first row is the table's head. Numbers are aligned right,
/// the first column left.
pub fn print(title: &str, rows: &[Vec<String>]) {
    let mut text = format!("\n{title}\n\n");
    for (index, row) in rows.iter().enumerate() {
        text += &format!("| {} |\n", row.join(" | "));
        if index == 0 {
            text += &format!("| --- |{}\n", " --: |".repeat(row.len() - 1));
        }
    }
    // A closed stdout is ignored: the reader has left.
    let _ = stdout().write_all(text.as_bytes());
}

/// The median of some measurements.
pub fn median(mut values: Vec<f64>) -> f64 {
    values.sort_by(f64::total_cmp);
    values[values.len() / 2]
}

/// A number of nanoseconds with separators between thousands.
pub fn nanoseconds(value: f64) -> String {
    let digits = format!("{value:.0}");
    let mut text = String::new();
    for (index, digit) in digits.chars().enumerate() {
        if index > 0 && (digits.len() - index).is_multiple_of(3) {
            text.push(',');
        }
        text.push(digit);
    }
    text
}

/// Returns "yes", or "no" in bold, for a goal.
pub fn reached(is_reached: bool) -> String {
    if is_reached { "yes" } else { "**no**" }.to_owned()
}
