//! The height of the eye above the body's lowest point.

use super::bodies::height;
use crate::motion::Body;
use crate::save::saved;

/// The maximum height of the eye above the body's lowest point, metres: that of a body of 1.8 m.
pub const EYE_HEIGHT: f64 = 1.6;

/// For a lower body, the distance of the eye below the body's top, metres.
const EYE_BELOW_TOP: f64 = 0.2;

/// The minimum distance, in metres, from the eye to the solids above it and to the top of the body. It is more than
/// the corners of the near plane need. It is less than the body's radius, so that there is always room for the eye.
pub(super) const EYE_RADIUS: f64 = 0.1;

/// The eye lags behind on steps; this fraction of the lag remains after a tick (a time constant of 60 ms).
const LAG_LEFT: f64 = 0.75;

/// The height of the eye above the body's lowest point. Steps lift the body at once; the eye follows with a delay,
/// but never leaves the body. All values are in metres.
#[derive(Clone, Copy, Debug)]
pub(super) struct EyeHeight {
    /// The unclamped height of the eye above its rest position; negative below it.
    lag: f64,
    /// The eye's height after the last tick and after the previous one.
    pub(super) heights: [f64; 2],
    /// The eye's height when it does not lag.
    rest: f64,
    /// The minimum height of the lagging eye.
    lowest: f64,
    /// The maximum height of the lagging eye.
    highest: f64,
}

saved!(EyeHeight {
    lag,
    heights,
    rest,
    lowest,
    highest
});

impl EyeHeight {
    /// Creates the eye of a body at rest.
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

    /// Whether all heights of the eye are within the standing height of a body. Because the eye lags behind on steps,
    /// it may be outside the body while the body is lower.
    pub(super) fn is_within(&self, body: &Body, standing_segment_length: f64) -> bool {
        let height = standing_segment_length + 2.0 * body.radius;
        let heights = self.heights.into_iter();
        let mut heights = heights.chain([self.rest, self.lowest, self.highest]);
        heights.all(|eye| (0.0..=height).contains(&eye))
    }

    /// Adapts to a new height of the body.
    pub(super) fn change_posture(&mut self, body: &Body) {
        *self = Self {
            lag: self.lag,
            heights: self.heights,
            ..Self::of(body)
        };
    }

    /// The height of the eye above its rest position, metres.
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
