//! Times at which a polynomial of time falls through zero.

/// The coefficients of a polynomial of degree 4, the constant first.
pub(super) type Quartic = [f64; 5];

/// The maximum number of steps of the search for a root: bisection alone needs about sixty.
const MAX_STEPS: usize = 100;

/// Times in ascending order; at most four, because the derivative has at most three roots.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Times {
    times: [f64; 4],
    count: usize,
}

impl Times {
    fn push(&mut self, time: f64) {
        if self.count < self.times.len() {
            self.times[self.count] = time;
            self.count += 1;
        }
    }

    pub(super) fn iter(&self) -> impl Iterator<Item = f64> + use<> {
        self.times.into_iter().take(self.count)
    }
}

fn value(polynomial: &Quartic, t: f64) -> f64 {
    polynomial.iter().rev().fold(0.0, |sum, c| sum * t + c)
}

fn derivative(polynomial: &Quartic) -> Quartic {
    let [_, b, c, d, e] = *polynomial;
    [b, 2.0 * c, 3.0 * d, 4.0 * e, 0.0]
}

/// The times from 0 to `end` at which the polynomial begins to be both at most 0 and falling: it falls through zero,
/// or starts to fall when already below zero.
///
/// Between two roots of its derivative a polynomial is monotonic, so each interval has one root or none. The roots of the
/// derivatives are found in the same way, starting at degree 1.
pub(super) fn falls(polynomial: &Quartic, end: f64) -> Times {
    // If even all negative terms together cannot bring the value to zero by `end`, it stays positive.
    let [start, slopes @ ..] = *polynomial;
    let (mut least, mut power) = (start, end);
    for slope in slopes {
        least += slope.min(0.0) * power;
        power *= end;
    }
    if least > 0.0 {
        return Times::default();
    }
    let mut derivatives = [*polynomial; 5];
    for degree in 1..5 {
        derivatives[degree] = derivative(&derivatives[degree - 1]);
    }
    let mut turns = Times::default();
    for polynomial in derivatives[1..].iter().rev() {
        turns = roots(polynomial, &turns, end);
    }
    let mut found = Times::default();
    let mut from = 0.0;
    let mut was_falling = false;
    for to in turns.iter().chain([end]) {
        let (at_from, at_to) = (value(polynomial, from), value(polynomial, to));
        // In an empty interval the sign of the derivative decides.
        let is_falling = if to > from {
            at_to < at_from
        } else {
            value(&derivatives[1], from) < 0.0
        };
        if is_falling && at_from <= 0.0 && !was_falling {
            found.push(from);
        } else if is_falling && at_from > 0.0 && at_to <= 0.0 {
            found.push(root(polynomial, from, to));
        }
        was_falling = is_falling;
        from = to;
    }
    found
}

/// The roots from 0 to `end`, given the roots of the derivative.
fn roots(polynomial: &Quartic, turns: &Times, end: f64) -> Times {
    let mut found = Times::default();
    let mut from = 0.0;
    for to in turns.iter().chain([end]) {
        let (at_from, at_to) = (value(polynomial, from), value(polynomial, to));
        if at_from == 0.0 && from > 0.0 {
            found.push(from);
        } else if at_from * at_to < 0.0 {
            found.push(root(polynomial, from, to));
        }
        from = to;
    }
    found
}

/// The single root between `from` and `to`, where the values have opposite signs: Newton's method, with bisection if a step
/// would leave the interval.
fn root(polynomial: &Quartic, mut from: f64, mut to: f64) -> f64 {
    let slope = derivative(polynomial);
    let is_falling = value(polynomial, from) > value(polynomial, to);
    let mut t = 0.5 * (from + to);
    for _ in 0..MAX_STEPS {
        let here = value(polynomial, t);
        if here == 0.0 {
            return t;
        }
        if (here > 0.0) == is_falling {
            from = t;
        } else {
            to = t;
        }
        let newton = t - here / value(&slope, t);
        let next = if newton > from && newton < to {
            newton
        } else {
            0.5 * (from + to)
        };
        if (next - t).abs() <= f64::EPSILON * t.abs() {
            return next;
        }
        t = next;
    }
    t
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::rng::Rng;

    fn falls_of(polynomial: Quartic, end: f64) -> Vec<f64> {
        falls(&polynomial, end).iter().collect()
    }

    #[test]
    fn a_ball_that_is_thrown_up_from_the_floor_comes_down_once() {
        for start in [0.0, -1e-12] {
            let found = falls_of([start, 1.0, -5.0, 0.0, 0.0], 1.0);
            assert_eq!(found.len(), 1);
            assert!((found[0] - 0.2).abs() < 1e-9, "{found:?}");
        }
        assert_eq!(falls_of([0.0, -1.0, 0.0, 0.0, 0.0], 1.0), [0.0]);
        assert!(falls_of([0.0, 1.0, 0.0, 0.0, 0.0], 1.0).is_empty());
        assert!(falls_of([0.0; 5], 1.0).is_empty());
    }

    #[test]
    fn every_fall_through_zero_of_a_product_of_roots_is_found() {
        let mut rng = Rng::new(9);
        for _ in 0..2000 {
            let mut at: [f64; 4] = std::array::from_fn(|_| rng.between(0.0, 2.0));
            at.sort_by(f64::total_cmp);
            if at.windows(2).any(|pair| pair[1] - pair[0] < 0.05) {
                continue;
            }
            let mut polynomial = [1.0, 0.0, 0.0, 0.0, 0.0];
            for root in at {
                let before = polynomial;
                for i in 0..5 {
                    let lower = if i == 0 { 0.0 } else { before[i - 1] };
                    polynomial[i] = lower - root * before[i];
                }
            }
            // Positive before the first root and after the last, the polynomial falls at the first and the third
            // root.
            let found = falls_of(polynomial, 3.0);
            assert_eq!(found.len(), 2, "{at:?} {found:?}");
            assert!((found[0] - at[0]).abs() < 1e-9 && (found[1] - at[2]).abs() < 1e-9);
        }
    }
}
