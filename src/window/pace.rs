//! Ticks and picture size from the time that frames take: a fixed timestep, and dynamic resolution.

use std::time::Duration;

use crate::motion::TICK_SECS;

/// Time of one frame that is caught up with at most, seconds. A frame of a quarter of a second still gets all its ticks;
/// after a longer pause the game goes on instead of racing.
const MAX_FRAME_SECS: f64 = 0.25;

/// A fixed timestep: the time of the game that has no ticks yet.
#[derive(Debug, Default)]
pub(super) struct TickClock {
    /// Seconds; less than a tick between frames.
    behind_secs: f64,
}

impl TickClock {
    /// Adds the time since the last frame, seconds.
    pub(super) fn add_frame(&mut self, passed_secs: f64) {
        self.behind_secs += passed_secs.min(MAX_FRAME_SECS);
    }

    /// Takes the time of one tick; false where less is left.
    pub(super) fn take_tick(&mut self) -> bool {
        let is_due = self.behind_secs >= TICK_SECS;
        if is_due {
            self.behind_secs -= TICK_SECS;
        }
        is_due
    }

    /// The part of a tick, 0..1, by which the picture is after the last one.
    pub(super) fn alpha(&self) -> f64 {
        (self.behind_secs / TICK_SECS).min(1.0)
    }
}

/// The longest frame that is accepted, seconds: 20 frames a second.
const MAX_DRAW_SECS: f64 = 0.05;
/// The part of it that a picture of a new size may be expected to take: more would change the size to and fro.
const MARGIN: f64 = 0.8;
/// The coarsest picture: pixels drawn along a side for each that is shown.
const MIN_SCALE: f64 = 0.25;
/// The next finer picture, as a factor.
const RAISE: f64 = 1.2;
/// Frames whose median decides: one slow frame, as after loading, changes nothing.
const FRAMES: usize = 5;

/// Dynamic resolution: lowers the size of the picture until a frame takes at most [`MAX_DRAW_SECS`], and raises it again
/// where there is time.
#[derive(Debug)]
pub(super) struct DynamicResolution {
    scale: f64,
    /// Times of the frames since the last decision, seconds.
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
    /// Pixels drawn along a side for each that is shown, [`MIN_SCALE`]..1.
    pub(super) fn scale(&self) -> f64 {
        self.scale
    }

    /// Notes how long a frame took, without the wait for the next.
    pub(super) fn frame_took(&mut self, took: Duration) {
        self.secs[self.count] = took.as_secs_f64();
        self.count = (self.count + 1) % FRAMES;
        if self.count == 0 {
            self.secs.sort_unstable_by(f64::total_cmp);
            self.decide(self.secs[FRAMES / 2]);
        }
    }

    /// The time of a frame is taken as proportional to its pixels. Part of it is not: then a lower size is
    /// lowered again, and a higher one takes less than expected, so that the size comes to rest.
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

    /// Frames of a machine that takes `fixed` seconds, and `by_pixels` more at full size.
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
            // A fast machine has the whole picture, again too.
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
