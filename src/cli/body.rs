//! The body that walks, as the command line says it.

use opendoor::game::{CHARACTER, SPEED_UP_SECS, WALK_SPEED};
use opendoor::motion::{Body, Gait};

use super::number;

/// What the body is, and what its feet do. Without the last three options it is moved by the pure
/// loop of velocity and gravity; play has --step-height 0.4 --snap 0.4 --slope-limit 50.
#[derive(Debug, clap::Args)]
pub(crate) struct BodyArgs {
    /// The body: a sphere of radius R metres.
    #[arg(long, value_name = "sphere:R", value_parser = sphere, default_value = "sphere:0.35")]
    body: f64,
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
}

impl BodyArgs {
    /// The body.
    pub(crate) fn body(&self) -> Body {
        Body {
            radius: self.body,
            acceleration: CHARACTER.acceleration.max(self.speed / SPEED_UP_SECS),
            gait: Gait {
                step_height: self.step_height,
                snap: self.snap,
                walkable_y: self
                    .slope_limit
                    .map_or(0.0, |limit| libm::cos(limit.to_radians())),
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

fn sphere(text: &str) -> Result<f64, String> {
    let radius = text.strip_prefix("sphere:");
    let radius = radius.ok_or("a body is written sphere:R, with R in metres")?;
    number(radius, 0.001, 100.0, "metres")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn bodies_are_spheres_of_a_sane_size() {
        assert_eq!(sphere("sphere:0.35"), Ok(0.35));
        for wrong in [
            "0.35",
            "sphere:0",
            "sphere:-1",
            "sphere:nan",
            "box:1",
            "sphere:",
        ] {
            assert!(sphere(wrong).is_err(), "{wrong}");
        }
    }
}
