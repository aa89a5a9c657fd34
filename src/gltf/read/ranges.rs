//! Clamps numbers that authors write to valid ranges.

use std::ops::RangeInclusive;

use super::properties::Properties;
use crate::problems::{ProblemCode, Problems};

/// Range of factors that have no other limit; it keeps products of them finite.
pub(crate) const ANY: RangeInclusive<f64> = 0.0..=1e6;

/// Clamps the numbers of one object to their ranges.
pub(crate) struct Ranges<'a> {
    /// Code of the warnings.
    pub code: ProblemCode,
    /// The kind of object that the numbers belong to, as used in messages.
    pub of: &'static str,
    /// The name of the object.
    pub name: &'a str,
    pub problems: &'a mut Problems,
}

impl Ranges<'_> {
    /// The value, clamped to the range, with a warning if it was outside; for NaN the default.
    pub(crate) fn clamp_or_warn(
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

    /// Warns of properties whose names almost equal known names.
    pub(crate) fn warn_of_typos(&mut self, extras: &Properties, names: &[&str]) {
        for (written, meant) in extras.almost(names) {
            let message = format!(
                "its property `{written}` is not read; `{meant}` is, if that is meant: rename it"
            );
            self.problems.warn(self.code, self.name, message);
        }
    }

    /// A custom property, clamped to its range; the default if absent.
    pub(crate) fn property(
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

    /// A custom property of three non-negative numbers; the default if absent.
    pub(crate) fn colour(
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

    /// Returns `used`, after a warning that the value in the file is invalid.
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
