//! Parts of the lines of a walk file: comments, numbers, times, bodies.

use crate::game::{CHARACTER, PLAYER};
use crate::motion::Body;

/// The maximum duration of a command, seconds: a day. A longer time is a typing error.
const MAX_SECS: f64 = 86_400.0;

/// The line up to a `#` that is its first character or follows white space.
pub(super) fn without_comment(line: &str) -> &str {
    let begins = |at: usize| {
        let before = line[..at].chars().next_back();
        before.is_none_or(char::is_whitespace)
    };
    let mut hashes = line.match_indices('#').map(|(at, _)| at);
    let comment = hashes.find(|&at| begins(at));
    comment.map_or(line, |at| &line[..at])
}

/// The first word, and the rest without surrounding white space.
pub(super) fn split_word(text: &str) -> (&str, &str) {
    let (word, rest) = text.split_once(char::is_whitespace).unwrap_or((text, ""));
    (word, rest.trim())
}

/// Parses exactly N finite numbers.
pub(super) fn numbers<const N: usize>(text: &str, usage: &str) -> Result<[f64; N], String> {
    let words: Vec<&str> = text.split_whitespace().collect();
    let mut numbers = [0.0; N];
    if words.len() != N {
        return Err(format!("`{usage}`: {N} wanted, {} given", words.len()));
    }
    for (number, word) in numbers.iter_mut().zip(words) {
        *number = word
            .parse()
            .ok()
            .filter(|x: &f64| x.is_finite())
            .ok_or_else(|| format!("`{word}` is not a number; write `{usage}`"))?;
    }
    Ok(numbers)
}

/// Checks that a time is within the limits.
pub(super) fn time(secs: f64) -> Result<f64, String> {
    if (0.0..=MAX_SECS).contains(&secs) {
        Ok(secs)
    } else {
        Err(format!("S is in seconds, from 0 to {MAX_SECS}"))
    }
}

/// Parses a body from `player`, `sphere:R` or `capsule:R,HEIGHT`, metres; step, snap and slope settings are off for spheres and
/// capsules.
///
/// # Errors
/// A description of the mistake in the text, and the cure.
pub fn body(text: &str) -> Result<Body, String> {
    const USAGE: &str = "a body is written sphere:R or capsule:R,HEIGHT, in metres, or player";
    if text == "player" {
        return Ok(PLAYER);
    }
    let (radius, height) = match text.split_once(':') {
        Some(("sphere", radius)) => (radius, None),
        Some(("capsule", sizes)) => {
            let (radius, height) = sizes.split_once(',').ok_or(USAGE)?;
            (radius, Some(height))
        }
        _ => return Err(USAGE.to_owned()),
    };
    let length = |text: &str, [least, most]: [f64; 2], what| {
        let read = text.trim().parse().ok();
        read.filter(|x: &f64| (least..=most).contains(x))
            .ok_or_else(|| format!("{what} is a number from {least} to {most} metres"))
    };
    let radius = length(radius, [0.001, 100.0], "R")?;
    let diameter = 2.0 * radius;
    let height = match height {
        Some(height) => length(height, [diameter, 200.0], "HEIGHT, at least 2 R,")?,
        None => diameter,
    };
    Ok(Body {
        radius,
        segment_length: height - diameter,
        ..CHARACTER
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn bodies_are_spheres_and_capsules_of_a_sane_size() {
        let capsule = |radius, segment_length| {
            Ok(Body {
                radius,
                segment_length,
                ..CHARACTER
            })
        };
        assert_eq!(body("player"), Ok(PLAYER));
        assert_eq!(body("sphere:0.35"), Ok(CHARACTER));
        assert_eq!(body("capsule:0.35,0.7"), Ok(CHARACTER));
        assert_eq!(body("capsule:0.25,1.75"), capsule(0.25, 1.25));
        for wrong in [
            "0.35",
            "sphere:0",
            "sphere:-1",
            "sphere:nan",
            "box:1",
            "sphere:",
            "capsule:0.3",
            "capsule:0.3,0.5",
            "capsule:0.3,inf",
            "capsule:,1",
            "Player",
            "player:1",
        ] {
            assert!(body(wrong).is_err(), "{wrong}");
        }
    }
}
