//! Pacing of ticks and picture size from frame times: a fixed timestep, and dynamic resolution.

use std::time::Duration;

use crate::motion::TICK_SECS;

/// The maximum frame time that is caught up with ticks, seconds; the rest of a longer frame is dropped.
const MAX_FRAME_SECS: f64 = 0.25;

/// A fixed timestep: accumulates the time for which no ticks were run yet.
#[derive(Debug, Default)]
pub(super) struct TickClock {
    /// The accumulated time, seconds; less than a tick between frames.
    behind_secs: f64,
}

impl TickClock {
    /// Adds the time since the last frame, seconds.
    pub(super) fn add_frame(&mut self, passed_secs: f64) {
        self.behind_secs += passed_secs.min(MAX_FRAME_SECS);
    }

    /// Subtracts one tick from the accumulated time; returns false if less than a tick is left.
    pub(super) fn take_tick(&mut self) -> bool {
        let is_due = self.behind_secs >= TICK_SECS;
        if is_due {
            self.behind_secs -= TICK_SECS;
        }
        is_due
    }

    /// Returns the fraction of a tick, 0..1, by which the picture is after the last tick.
    pub(super) fn alpha(&self) -> f64 {
        (self.behind_secs / TICK_SECS).min(1.0)
    }
}

/// The longest acceptable frame time, seconds: 20 frames per second.
const MAX_DRAW_SECS: f64 = 0.05;
/// The fraction of [`MAX_DRAW_SECS`] that a frame of a new size is expected to take at most. Without this margin the
/// size would oscillate.
const MARGIN: f64 = 0.8;
/// The coarsest resolution: pixels drawn along a side per displayed pixel.
const MIN_SCALE: f64 = 0.25;
/// The factor from one resolution to the next finer one.
const RAISE: f64 = 1.2;
/// The number of frames whose median time decides: a single slow frame, as after loading, has no effect.
const FRAMES: usize = 5;

/// Dynamic resolution: lowers the size of the picture until a frame takes at most [`MAX_DRAW_SECS`], and raises it
/// again when there is time.
#[derive(Debug)]
pub(super) struct DynamicResolution {
    scale: f64,
    /// The times of the frames since the last decision, seconds.
    secs: [f64; FRAMES],
    count: usize,
}

impl Default for DynamicResolution {
    fn default() -> Self {
        Self {
            scale: 1.0,
            secs: [0.0; FRAMES],
            count: 0,
        }
    }
}

impl DynamicResolution {
    /// Returns the number of pixels drawn along a side per displayed pixel, [`MIN_SCALE`]..1.
    pub(super) fn scale(&self) -> f64 {
        self.scale
    }

    /// Records the duration of a frame, without the wait for the next frame.
    pub(super) fn frame_took(&mut self, took: Duration) {
        self.secs[self.count] = took.as_secs_f64();
        self.count = (self.count + 1) % FRAMES;
        if self.count == 0 {
            self.secs.sort_unstable_by(f64::total_cmp);
            self.decide(self.secs[FRAMES / 2]);
        }
    }

    /// Chooses the next size. The time of a frame is assumed to be proportional to its pixels. Part of the time does
    /// not depend on the pixels: then a lowered size is lowered again, and a raised size takes less time than expected,
    /// so that the size converges.
    fn decide(&mut self, median_secs: f64) {
        let expected_secs = |factor: f64| median_secs * factor * factor;
        if median_secs > MAX_DRAW_SECS {
            let factor = (MARGIN * MAX_DRAW_SECS / median_secs).sqrt();
            self.scale = (self.scale * factor).max(MIN_SCALE);
        } else if expected_secs(RAISE) < MARGIN * MAX_DRAW_SECS {
            self.scale = (self.scale * RAISE).min(1.0);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::rng::Rng;

    #[test]
    fn from_four_frames_a_second_on_no_tick_is_lost() {
        for fps in [4.0, 4.5, 7.0, 12.0, 19.0, 30.0, 59.9, 60.0, 144.0, 1000.0] {
            let mut clock = TickClock::default();
            let frames = (10.0 * fps) as usize;
            let mut ticks = 0;
            for _ in 0..frames {
                clock.add_frame(1.0 / fps);
                while clock.take_tick() {
                    ticks += 1;
                }
                assert!((0.0..=1.0).contains(&clock.alpha()));
            }
            let wanted = frames as f64 / fps / TICK_SECS;
            assert!(
                (f64::from(ticks) - wanted).abs() <= 1.0,
                "{fps}: {ticks} of {wanted}"
            );
        }
    }

    #[test]
    fn after_a_long_pause_the_game_does_not_race() {
        let mut clock = TickClock::default();
        clock.add_frame(3600.0);
        let mut ticks = 0;
        while clock.take_tick() {
            ticks += 1;
        }
        assert_eq!(ticks, 15);
    }

    /// Draws frames on a machine that takes `fixed` seconds per frame, and `by_pixels` seconds more at full size.
    fn draw(resolution: &mut DynamicResolution, fixed: f64, by_pixels: f64, frames: usize) -> f64 {
        let mut secs = 0.0;
        for _ in 0..frames {
            secs = fixed + by_pixels * resolution.scale() * resolution.scale();
            resolution.frame_took(Duration::from_secs_f64(secs));
        }
        secs
    }

    #[test]
    fn twenty_frames_a_second_are_held_wherever_a_coarser_picture_can_hold_them_and_the_size_rests()
    {
        let mut rng = Rng::new(1);
        for _ in 0..2000 {
            let mut resolution = DynamicResolution::default();
            let fixed = rng.between(0.0, 0.06);
            let by_pixels = rng.between(0.0, 2.0);
            let secs = draw(&mut resolution, fixed, by_pixels, 300);
            let at_best = fixed + by_pixels * MIN_SCALE * MIN_SCALE;
            assert!(
                secs <= MAX_DRAW_SECS.max(at_best) + 1e-9,
                "{fixed} {by_pixels}: {secs}"
            );
            let scale = resolution.scale();
            draw(&mut resolution, fixed, by_pixels, 300);
            assert_eq!(scale, resolution.scale(), "{fixed} {by_pixels}");
            // A fast machine returns to full resolution.
            draw(&mut resolution, 0.001, 0.01, 200);
            assert_eq!(resolution.scale(), 1.0);
        }
    }

    #[test]
    fn one_slow_frame_changes_nothing() {
        let mut resolution = DynamicResolution::default();
        for frame in 0..100 {
            let secs = if frame % 5 == 0 { 2.0 } else { 0.02 };
            resolution.frame_took(Duration::from_secs_f64(secs));
        }
        assert_eq!(resolution.scale(), 1.0);
    }
}
