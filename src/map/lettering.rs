//! Text on SVG sheets.

use std::fmt::Write;

use glam::DVec2;

/// The average width of a letter relative to its height, in common sans-serif fonts.
pub(super) const LETTER: f64 = 0.56;
/// The width of the white outline that hides the lines below a name, relative to the letter height.
const HALO: f64 = 0.25;
/// The SVG attribute of black text.
pub(super) const BLACK: &str = "fill=\"#000\"";
/// The SVG attribute of red text.
pub(super) const RED: &str = "fill=\"#d00\"";

/// Writes text of a given size. `anchor` is the part of the text at the point `at`; `more` has its other attributes.
pub(super) fn write_text(
    at: DVec2,
    text: &str,
    size: f64,
    anchor: &str,
    more: &str,
    page: &mut String,
) {
    let _ = writeln!(
        page,
        "<text x=\"{:.2}\" y=\"{:.2}\" font-size=\"{size:.2}\" text-anchor=\"{anchor}\" {more}>{}</text>",
        at.x,
        at.y,
        escaped(text)
    );
}

/// Writes text over a drawing. Draws a white outline as separate text first, because some viewers do not support `paint-order`.
pub(super) fn write_over(at: DVec2, text: &str, size: f64, anchor: &str, page: &mut String) {
    let halo = size * HALO;
    let white = format!("fill=\"#fff\" stroke=\"#fff\" stroke-width=\"{halo:.2}\"");
    write_text(at, text, size, anchor, &white, page);
    write_text(at, text, size, anchor, BLACK, page);
}

/// Wraps text into lines of at most `letters` letters; breaks between words, and within words that are longer than a line.
pub(super) fn wrapped(text: &str, letters: usize) -> Vec<String> {
    let letters = letters.max(8);
    let mut lines = vec![String::new()];
    let mut count = 0;
    for word in text.split_whitespace() {
        let length = word.chars().count();
        if count > 0 && count + 1 + length > letters {
            lines.push(String::new());
            count = 0;
        }
        for (nth, letter) in word.chars().enumerate() {
            if nth == 0 && count > 0 {
                if let Some(line) = lines.last_mut() {
                    line.push(' ');
                }
                count += 1;
            } else if count >= letters {
                lines.push(String::new());
                count = 0;
            }
            if let Some(line) = lines.last_mut() {
                line.push(letter);
            }
            count += 1;
        }
    }
    lines
}

/// Escapes text for XML.
pub(super) fn escaped(text: &str) -> String {
    let mut escaped = String::with_capacity(text.len());
    for c in text.chars() {
        match c {
            '&' => escaped.push_str("&amp;"),
            '<' => escaped.push_str("&lt;"),
            '>' => escaped.push_str("&gt;"),
            c if c.is_control() || matches!(c, '\u{fffe}' | '\u{ffff}') => escaped.push(' '),
            c => escaped.push(c),
        }
    }
    escaped
}
