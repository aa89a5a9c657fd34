//! The command line arguments of the body.

use opendoor::game::{CHARACTER, SPEED_UP_SECS, WALK_SPEED};
use opendoor::motion::{Body, StepSettings};
use opendoor::testing;

use super::number;

/// The body and its ground behaviour. A sphere or capsule without step, snap and slope options:
/// sweep and gravity only. `player` is the body of play: capsule:0.35,1.8 with --step-height 0.4
/// --snap 0.4 --slope-limit 50, each of which can be given with another value.
#[derive(Debug, clap::Args)]
pub(crate) struct BodyArgs {
    /// The body, metres: a sphere, an upright capsule with its total height, or the player [default: that of
    /// the walk file, or sphere:0.35].
    #[arg(long, value_name = "sphere:R|capsule:R,HEIGHT|player", value_parser = testing::body)]
    body: Option<Body>,
    /// Walking speed, m/s.
    #[arg(long, value_name = "M/S", value_parser = speed, allow_negative_numbers = true, default_value_t = WALK_SPEED)]
    pub(crate) speed: f64,
    /// Climb steps up to this height, metres [default: 0; player: 0.4].
    #[arg(long, value_name = "M", value_parser = height, allow_negative_numbers = true)]
    step_height: Option<f64>,
    /// Go down by up to this, metres, to stay on the ground [default: 0; player: 0.4].
    #[arg(long, value_name = "M", value_parser = height, allow_negative_numbers = true)]
    snap: Option<f64>,
    /// Slopes steeper than this, degrees, are walls to a body that walks [default: only friction
    /// limits slopes; player: 50].
    #[arg(long, value_name = "DEG", value_parser = slope, allow_negative_numbers = true)]
    slope_limit: Option<f64>,
    /// Stop before drops deeper than this, metres, instead of walking off; a jump still leads off
    /// them. Without it every drop is walked off.
    #[arg(long, value_name = "M", value_parser = height, allow_negative_numbers = true)]
    max_drop: Option<f64>,
}

impl BodyArgs {
    /// Returns the body; `of_walk` is the body of the walk file, if the file names one.
    pub(crate) fn body(&self, of_walk: Option<Body>) -> Body {
        let plain = self.body.or(of_walk).unwrap_or(CHARACTER);
        let step_settings = plain.step_settings;
        let slope_limit = self.slope_limit.map(f64::to_radians);
        Body {
            acceleration: plain.acceleration.max(self.speed / SPEED_UP_SECS),
            step_settings: StepSettings {
                step_height: self.step_height.unwrap_or(step_settings.step_height),
                snap: self.snap.unwrap_or(step_settings.snap),
                max_slope_cos: slope_limit.map_or(step_settings.max_slope_cos, libm::cos),
                max_drop: self.max_drop.unwrap_or(step_settings.max_drop),
            },
            ..plain
        }
    }
}

fn speed(text: &str) -> Result<f64, String> {
    number(text, 0.0, 1000.0, "m/s")
}

fn height(text: &str) -> Result<f64, String> {
    number(text, 0.0, 100.0, "metres")
}

fn slope(text: &str) -> Result<f64, String> {
    number(text, 0.0, 89.0, "degrees")
}

#[cfg(test)]
mod tests {
    use clap::Parser;

    use super::*;
    use opendoor::game::PLAYER;

    #[derive(clap::Parser)]
    struct BodyCli {
        #[command(flatten)]
        body: BodyArgs,
    }

    #[test]
    fn the_player_is_the_body_of_play_and_options_override_its_step_settings() {
        let body = |words: &[&str]| {
            let words = ["sim"].iter().chain(words);
            BodyCli::parse_from(words).body.body(None)
        };
        assert_eq!(body(&["--body=player"]), PLAYER);
        let spelled_out = body(&[
            "--body=capsule:0.35,1.8",
            "--step-height=0.4",
            "--snap=0.4",
            "--slope-limit=50",
        ]);
        assert_eq!(spelled_out, PLAYER);
        let other = body(&["--body=player", "--step-height=0.2", "--max-drop=1"]);
        let step_settings = StepSettings {
            step_height: 0.2,
            max_drop: 1.0,
            ..PLAYER.step_settings
        };
        assert_eq!(
            other,
            Body {
                step_settings,
                ..PLAYER
            }
        );
    }

    #[test]
    fn options_that_are_left_out_leave_the_pure_loop() {
        let step_settings = |words: &[&str]| {
            let words = ["sim"].iter().chain(words);
            BodyCli::parse_from(words).body.body(None).step_settings
        };
        assert_eq!(step_settings(&[]), StepSettings::OFF);
        let all = step_settings(&[
            "--step-height=0.4",
            "--snap=0.3",
            "--slope-limit=60",
            "--max-drop=0.5",
        ]);
        assert_eq!((all.step_height, all.snap, all.max_drop), (0.4, 0.3, 0.5));
        assert!((all.max_slope_cos - 0.5).abs() < 1e-12);
    }
}
