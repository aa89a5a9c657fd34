//! Arithmetic of 106 bits: the unevaluated sum of two f64, after T. J. Dekker, "A floating-point technique for
//! extending the available precision", 1971.

use std::ops::{Add, Div, Mul, Neg, Sub};

/// `high + low`, where `high` is the sum rounded to f64.
#[derive(Clone, Copy, Debug, PartialEq, PartialOrd)]
pub(crate) struct Double {
    pub(crate) high: f64,
    low: f64,
}

impl Double {
    /// The exact sum of two f64 of any size.
    fn sum(a: f64, b: f64) -> Self {
        let high = a + b;
        let b_seen = high - a;
        let low = (a - (high - b_seen)) + (b - b_seen);
        Self { high, low }
    }

    /// Splits `a` into two f64 of 26 bits; products of such halves are exact.
    fn halves(a: f64) -> (f64, f64) {
        let shifted = a * 134_217_729.0;
        let high = shifted - (shifted - a);
        (high, a - high)
    }

    /// The exact product of two f64 whose squares neither overflow nor underflow.
    fn product(a: f64, b: f64) -> Self {
        let high = a * b;
        let ((a, a_low), (b, b_low)) = (Self::halves(a), Self::halves(b));
        let low = a * b - high + a * b_low + a_low * b + a_low * b_low;
        Self { high, low }
    }

    pub(crate) fn sqrt(self) -> Self {
        if self.high <= 0.0 {
            return Self::from(0.0);
        }
        // One step of Newton's method doubles the digits.
        let root = self.high.sqrt();
        let rest = self - Self::product(root, root);
        Self::sum(root, rest.high / (2.0 * root))
    }
}

impl From<f64> for Double {
    fn from(high: f64) -> Self {
        Self { high, low: 0.0 }
    }
}

impl Neg for Double {
    type Output = Self;
    fn neg(self) -> Self {
        Self {
            high: -self.high,
            low: -self.low,
        }
    }
}

impl Add for Double {
    type Output = Self;
    fn add(self, other: Self) -> Self {
        let highs = Self::sum(self.high, other.high);
        let lows = Self::sum(self.low, other.low);
        let first = Self::sum(highs.high, highs.low + lows.high);
        Self::sum(first.high, first.low + lows.low)
    }
}

impl Sub for Double {
    type Output = Self;
    fn sub(self, other: Self) -> Self {
        self + -other
    }
}

impl Mul for Double {
    type Output = Self;
    fn mul(self, other: Self) -> Self {
        let highs = Self::product(self.high, other.high);
        let crossed = self.high * other.low + self.low * other.high;
        Self::sum(highs.high, highs.low + crossed)
    }
}

impl Div for Double {
    type Output = Self;
    fn div(self, other: Self) -> Self {
        let first = self.high / other.high;
        let rest = self - other * Self::from(first);
        let second = rest.high / other.high;
        let rest = rest - other * Self::from(second);
        Self::sum(first, second) + Self::from(rest.high / other.high)
    }
}

#[test]
fn doubles_keep_thirty_digits() {
    let [one, two, three, tiny] = [1.0, 2.0, 3.0, 1e-25].map(Double::from);
    assert_eq!((one + tiny) - one, tiny);
    let squared = (one + tiny) * (one + tiny) - one;
    assert!((squared - two * tiny).high.abs() < 1e-31);
    assert!((one / three * three - one).high.abs() < 1e-31);
    assert!((two.sqrt() * two.sqrt() - two).high.abs() < 1e-31);
    assert!(one + tiny > one && one - tiny < one);
}
