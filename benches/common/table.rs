//! Tables in Markdown.

use std::io::{Write, stdout};

/// Writes a table to stdout, for `docs/benchmarks.md`. The first row is its head; figures are
/// aligned right, the first column left.
pub fn print(title: &str, rows: &[Vec<String>]) {
    let mut text = format!("\n{title}\n\n");
    for (index, row) in rows.iter().enumerate() {
        text += &format!("| {} |\n", row.join(" | "));
        if index == 0 {
            text += &format!("| --- |{}\n", " --: |".repeat(row.len() - 1));
        }
    }
    // Where nobody reads the table there is nobody to tell.
    let _ = stdout().write_all(text.as_bytes());
}

/// The middle one of some measurements.
pub fn median(mut values: Vec<f64>) -> f64 {
    values.sort_by(f64::total_cmp);
    values[values.len() / 2]
}

/// A number of nanoseconds with its thousands apart.
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

/// Whether a goal is reached, in a word.
pub fn reached(is_reached: bool) -> String {
    if is_reached { "yes" } else { "**no**" }.to_owned()
}
