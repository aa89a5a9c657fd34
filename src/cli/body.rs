//! The body that walks, as the command line says it.

use opendoor::game::{CHARACTER, SPEED_UP_SECS, WALK_SPEED};
use opendoor::motion::{Body, Gait};

use super::number;

/// What the body is, and what its feet do. Without the last four options it is moved by the pure
/// loop of velocity and gravity; play has --step-height 0.4 --snap 0.4 --slope-limit 50.
#[derive(Debug, clap::Args)]
pub(crate) struct BodyArgs {
    /// The body, metres: a sphere, or an upright capsule of a height in all.
    #[arg(
        long,
        value_name = "sphere:R|capsule:R,HEIGHT",
        value_parser = shape,
        default_value = "sphere:0.35"
    )]
    body: Shape,
    /// Walking speed, m/s.
    #[arg(long, value_name = "M/S", value_parser = speed, default_value_t = WALK_SPEED)]
    pub(crate) speed: f64,
    /// Climb steps up to this height, metres.
    #[arg(long, value_name = "M", value_parser = height, default_value_t = 0.0)]
    step_height: f64,
    /// Go down by up to this, metres, to stay on the ground.
    #[arg(long, value_name = "M", value_parser = height, default_value_t = 0.0)]
    snap: f64,
    /// Slopes steeper than this, degrees, are walls to those who walk; without it only friction
    /// limits slopes.
    #[arg(long, value_name = "DEG", value_parser = slope)]
    slope_limit: Option<f64>,
    /// Stop before drops deeper than this, metres, instead of walking off; a jump still leads off
    /// them. Without it every drop is walked off.
    #[arg(long, value_name = "M", value_parser = height)]
    max_drop: Option<f64>,
}

/// A sphere, or an upright capsule.
#[derive(Clone, Copy, Debug, PartialEq)]
struct Shape {
    radius: f64,
    /// 0 for a sphere.
    axis: f64,
}

impl BodyArgs {
    /// The body.
    pub(crate) fn body(&self) -> Body {
        Body {
            radius: self.body.radius,
            axis: self.body.axis,
            acceleration: CHARACTER.acceleration.max(self.speed / SPEED_UP_SECS),
            gait: Gait {
                step_height: self.step_height,
                snap: self.snap,
                walkable_y: self
                    .slope_limit
                    .map_or(0.0, |limit| libm::cos(limit.to_radians())),
                max_drop: self.max_drop.unwrap_or(f64::INFINITY),
            },
            ..CHARACTER
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
    const USAGE: &str = "a body is written sphere:R or capsule:R,HEIGHT, in metres";
    let radius = |text| number(text, 0.001, 100.0, "metres");
    if let Some(text) = text.strip_prefix("sphere:") {
        return radius(text).map(|radius| Shape { radius, axis: 0.0 });
    }
    let capsule = text.strip_prefix("capsule:").ok_or(USAGE)?;
    let (text, height) = capsule.split_once(',').ok_or(USAGE)?;
    let radius = radius(text)?;
    let height = number(height, 2.0 * radius, 200.0, "metres (HEIGHT, at least 2 R)")?;
    let axis = height - 2.0 * radius;
    Ok(Shape { radius, axis })
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
    fn options_that_are_left_out_leave_the_pure_loop() {
        let gait = |words: &[&str]| {
            let words = ["sim"].iter().chain(words);
            Line::parse_from(words).body.body().gait
        };
        assert_eq!(gait(&[]), Gait::PURE);
        let all = gait(&[
            "--step-height=0.4",
            "--snap=0.3",
            "--slope-limit=60",
            "--max-drop=0.5",
        ]);
        assert_eq!((all.step_height, all.snap, all.max_drop), (0.4, 0.3, 0.5));
        assert!((all.walkable_y - 0.5).abs() < 1e-12);
    }

    #[test]
    fn bodies_are_spheres_and_capsules_of_a_sane_size() {
        let sphere = Shape {
            radius: 0.35,
            axis: 0.0,
        };
        assert_eq!(shape("sphere:0.35"), Ok(sphere));
        assert_eq!(shape("capsule:0.35,0.7"), Ok(sphere));
        let capsule = Shape {
            radius: 0.25,
            axis: 1.25,
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
        ] {
            assert!(shape(wrong).is_err(), "{wrong}");
        }
    }
}
