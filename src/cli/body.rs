//! The body that walks, as the command line describes it.

use opendoor::game::{CHARACTER, PLAYER, SPEED_UP_SECS, WALK_SPEED};
use opendoor::motion::{Body, StepSettings};

use super::number;

/// The body and its ground behaviour. A sphere or capsule without step, snap and slope options:
/// sweep and gravity only. `player` is the body of play: capsule:0.35,1.8 with --step-height 0.4
/// --snap 0.4 --slope-limit 50, each of which can be given with another value.
#[derive(Debug, clap::Args)]
pub(crate) struct BodyArgs {
    /// The body, metres: a sphere, an upright capsule with its total height, or the player.
    #[arg(
        long,
        value_name = "sphere:R|capsule:R,HEIGHT|player",
        value_parser = shape,
        default_value = "sphere:0.35"
    )]
    body: Shape,
    /// Walking speed, m/s.
    #[arg(long, value_name = "M/S", value_parser = speed, default_value_t = WALK_SPEED)]
    pub(crate) speed: f64,
    /// Climb steps up to this height, metres [default: 0; player: 0.4].
    #[arg(long, value_name = "M", value_parser = height)]
    step_height: Option<f64>,
    /// Go down by up to this, metres, to stay on the ground [default: 0; player: 0.4].
    #[arg(long, value_name = "M", value_parser = height)]
    snap: Option<f64>,
    /// Slopes steeper than this, degrees, are walls to a body that walks [default: only friction
    /// limits slopes; player: 50].
    #[arg(long, value_name = "DEG", value_parser = slope)]
    slope_limit: Option<f64>,
    /// Stop before drops deeper than this, metres, instead of walking off; a jump still leads off
    /// them. Without it every drop is walked off.
    #[arg(long, value_name = "M", value_parser = height)]
    max_drop: Option<f64>,
}

/// The kinds of bodies.
#[derive(Clone, Copy, Debug, PartialEq)]
enum Shape {
    /// A sphere, or an upright capsule; lengths in metres.
    Capsule {
        radius: f64,
        /// 0 for a sphere.
        segment_length: f64,
    },
    /// The body of play.
    Player,
}

impl BodyArgs {
    /// The body.
    pub(crate) fn body(&self) -> Body {
        let plain = match self.body {
            Shape::Capsule {
                radius,
                segment_length,
            } => Body {
                radius,
                segment_length,
                ..CHARACTER
            },
            Shape::Player => PLAYER,
        };
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

fn shape(text: &str) -> Result<Shape, String> {
    const USAGE: &str = "a body is written sphere:R or capsule:R,HEIGHT, in metres, or player";
    if text == "player" {
        return Ok(Shape::Player);
    }
    let radius = |text| number(text, 0.001, 100.0, "metres");
    if let Some(text) = text.strip_prefix("sphere:") {
        return radius(text).map(|radius| Shape::Capsule {
            radius,
            segment_length: 0.0,
        });
    }
    let capsule = text.strip_prefix("capsule:").ok_or(USAGE)?;
    let (text, height) = capsule.split_once(',').ok_or(USAGE)?;
    let radius = radius(text)?;
    let height = number(height, 2.0 * radius, 200.0, "metres (HEIGHT, at least 2 R)")?;
    let segment_length = height - 2.0 * radius;
    Ok(Shape::Capsule {
        radius,
        segment_length,
    })
}

#[cfg(test)]
mod tests {
    use clap::Parser;

    use super::*;

    #[derive(clap::Parser)]
    struct Line {
        #[command(flatten)]
        body: BodyArgs,
    }

    #[test]
    fn the_player_is_the_body_of_play_and_options_override_its_feet() {
        let body = |words: &[&str]| {
            let words = ["sim"].iter().chain(words);
            Line::parse_from(words).body.body()
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
            Line::parse_from(words).body.body().step_settings
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

    #[test]
    fn bodies_are_spheres_and_capsules_of_a_sane_size() {
        let sphere = Shape::Capsule {
            radius: 0.35,
            segment_length: 0.0,
        };
        assert_eq!(shape("sphere:0.35"), Ok(sphere));
        assert_eq!(shape("capsule:0.35,0.7"), Ok(sphere));
        let capsule = Shape::Capsule {
            radius: 0.25,
            segment_length: 1.25,
        };
        assert_eq!(shape("capsule:0.25,1.75"), Ok(capsule));
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
            assert!(shape(wrong).is_err(), "{wrong}");
        }
    }
}
