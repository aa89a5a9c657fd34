//! Writes measured numbers into docs/scenarios.md.

use std::fs;

/// The number of a scenario and its measured result.
pub(crate) type Figure = (&'static str, String);

/// The index of the cell with our result in a row, split at its bars.
const OURS: usize = 4;

/// Writes each result into the column "ours" of the row of its scenario number.
pub(crate) fn renew(figures: &[Figure]) {
    let path = concat!(env!("CARGO_MANIFEST_DIR"), "/docs/scenarios.md");
    let page = fs::read_to_string(path).expect("docs/scenarios.md");
    let mut lines: Vec<String> = page.lines().map(str::to_owned).collect();
    for (number, figure) in figures {
        let begin = format!("| {number} |");
        let row = lines.iter_mut().find(|line| line.starts_with(&begin));
        let row = row.unwrap_or_else(|| panic!("no row for {number}"));
        let mut cells: Vec<&str> = row.split('|').collect();
        // Zero has no exponent.
        let ours = format!(" {figure} ").replace(" 0e0", " 0");
        cells[OURS] = &ours;
        *row = cells.join("|");
    }
    fs::write(path, lines.join("\n") + "\n").expect("docs/scenarios.md is written");
}
