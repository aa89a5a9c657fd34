//! The height of the eye above the feet.

use super::bodies::height;
use crate::motion::Body;
use crate::save::saved;

/// Greatest height of the eye above the feet, metres: that of a body of 1.8 m.
pub const EYE_HEIGHT: f64 = 1.6;

/// How far the eye is below the top of a lower body, metres.
const EYE_BELOW_TOP: f64 = 0.2;

/// Distance, metres, that the eye keeps from everything solid above it and from the top of the
/// body. More than the near plane's corners need, less than the body's radius, so that there is
/// always room for it.
pub(super) const EYE_RADIUS: f64 = 0.1;

/// What is left after a tick of the way that the eye is behind the body on a step: it catches up
/// with a time constant of 60 ms.
const LAG_LEFT: f64 = 0.75;

/// The height of the eye above the feet: steps lift the body at once, the eye follows, and never
/// leaves the body. All in metres.
#[derive(Clone, Copy, Debug)]
pub(super) struct Eye {
    /// How far it is above its place.
    lag: f64,
    /// Its height after the last tick and the one before.
    pub(super) heights: [f64; 2],
    /// Its height in the body at rest, and the limits within which it may lag.
    rest: f64,
    lowest: f64,
    highest: f64,
}

saved!(Eye {
    lag,
    heights,
    rest,
    lowest,
    highest
});

impl Eye {
    /// The eye of a body at rest.
    pub(super) fn of(body: &Body) -> Self {
        let below_top = height(body) - EYE_BELOW_TOP;
        let rest = EYE_HEIGHT.min(below_top).max(body.radius);
        Self {
            lag: 0.0,
            heights: [rest; 2],
            rest,
            lowest: body.radius,
            highest: (height(body) - EYE_RADIUS).max(body.radius),
        }
    }

    /// Whether it is in or near a body that is so tall at most when it stands: it may be behind on a step.
    pub(super) fn is_within(&self, body: &Body, standing_segment_length: f64) -> bool {
        let height = standing_segment_length + 2.0 * body.radius;
        let heights = self.heights.into_iter();
        let mut heights = heights.chain([self.rest, self.lowest, self.highest]);
        heights.all(|eye| (0.0..=height).contains(&eye))
    }

    /// The body is of another height now.
    pub(super) fn change_posture(&mut self, body: &Body) {
        *self = Self {
            lag: self.lag,
            heights: self.heights,
            ..Self::of(body)
        };
    }

    /// How far it is above its place, metres.
    pub(super) fn lag(&self) -> f64 {
        self.heights[0] - self.rest
    }

    /// Follows the body over a tick in which steps lifted it by `lifted`.
    pub(super) fn follow(&mut self, lifted: f64) {
        self.lag = (self.lag - lifted) * LAG_LEFT;
        let mut eye = self.rest + self.lag;
        if eye < self.lowest {
            eye = self.lowest;
        } else if eye > self.highest {
            eye = self.highest;
        }
        self.heights = [eye, self.heights[0]];
    }
}
