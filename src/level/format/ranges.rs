//! Keeps the numbers that an author wrote where they make sense.

use std::ops::RangeInclusive;

use super::properties::Properties;
use crate::level::{ProblemCode, Problems};

/// Factors without a limit of their own stay below this, so that products of them are finite.
pub(super) const ANY: RangeInclusive<f64> = 0.0..=1e6;

/// Keeps the numbers of one thing in their ranges.
pub(super) struct Ranges<'a> {
    /// Code of the warnings.
    pub code: ProblemCode,
    /// What the numbers belong to, as a message says it.
    pub of: &'static str,
    /// Its name.
    pub name: &'a str,
    pub problems: &'a mut Problems,
}

impl Ranges<'_> {
    /// The value; or with a warning the nearest in range, for NaN the default.
    pub(super) fn clamp_or_warn(
        &mut self,
        what: &str,
        value: f64,
        range: RangeInclusive<f64>,
        default: f64,
    ) -> f64 {
        if range.contains(&value) {
            return value;
        }
        if value.is_nan() {
            return self.replace(what, "NaN", range, default);
        }
        let nearest = value.clamp(*range.start(), *range.end());
        self.replace(what, &value.to_string(), range, nearest)
    }

    /// Warns of properties whose names are almost those that are read.
    pub(super) fn warn_of_typos(&mut self, extras: &Properties, names: &[&str]) {
        for (written, meant) in extras.almost(names) {
            let message = format!(
                "its property `{written}` is not read; `{meant}` is, if that is meant: rename it"
            );
            self.problems.warn(self.code, self.name, message);
        }
    }

    /// A custom property; the default where there is none.
    pub(super) fn property(
        &mut self,
        extras: &Properties,
        what: &str,
        range: RangeInclusive<f64>,
        default: f64,
    ) -> f64 {
        match extras.number(what) {
            Some(Ok(value)) => self.clamp_or_warn(what, value, range, default),
            Some(Err(written)) => self.replace(what, &written, range, default),
            None => default,
        }
    }

    /// A custom property of three numbers from 0 on; the default where there is none.
    pub(super) fn colour(
        &mut self,
        extras: &Properties,
        what: &str,
        default: [f32; 3],
    ) -> [f32; 3] {
        let default = default.map(f64::from);
        let colour = match extras.numbers::<3>(what) {
            Some(Ok(colour)) => [0, 1, 2]
                .map(|channel| self.clamp_or_warn(what, colour[channel], ANY, default[channel])),
            Some(Err(written)) => {
                let message = format!(
                    "{} {what} is {written}; {default:?} is used instead. It must be three numbers",
                    self.of
                );
                self.problems.warn(self.code, self.name, message);
                default
            }
            None => default,
        };
        colour.map(|x| x as f32)
    }

    /// `used`, with a warning that what is written cannot be.
    fn replace(&mut self, what: &str, written: &str, range: RangeInclusive<f64>, used: f64) -> f64 {
        let (least, most) = (range.start(), range.end());
        let message = format!(
            "{} {what} is {written}; {used} is used instead. It must be a number from {least} to {most}",
            self.of
        );
        self.problems.warn(self.code, self.name, message);
        used
    }
}
