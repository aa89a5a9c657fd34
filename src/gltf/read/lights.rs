//! Lights of KHR_lights_punctual.

use std::f32::consts::FRAC_PI_2;

use gltf::json::extensions::scene::khr_lights_punctual::{Light, Type};
use gltf::json::validation::Checked;

use super::properties::Properties;
use super::ranges::Ranges;
use super::scene::TreeWalk;
use crate::level::LightKind;
use crate::problems::{ProblemCode, Problems};
use crate::source::LightSource;

/// The emission of a light, without its position.
#[derive(Debug, PartialEq)]
pub(crate) struct Emission {
    /// Linear RGB, at most 1.
    pub colour: [f32; 3],
    /// Intensity in candela; in lux for a directional light.
    pub intensity: f32,
    /// Range, metres; `None` for an unlimited range.
    pub range: Option<f32>,
    pub kind: LightKind,
}

impl Emission {
    /// Reads a light; the error names the invalid value.
    pub(crate) fn of(light: &Light) -> Result<Self, &'static str> {
        let colour = light.color;
        if !colour.iter().all(|x| x.is_finite() && *x >= 0.0) {
            return Err("colour");
        }
        // A colour above 1 is another way to write a stronger light.
        let brightest = colour.iter().fold(1.0, |most: f32, x| most.max(*x));
        let intensity = light.intensity * brightest;
        if !(intensity.is_finite() && intensity >= 0.0) {
            return Err("intensity");
        }
        Ok(Self {
            colour: colour.map(|x| x / brightest),
            intensity,
            range: light.range.filter(|r| r.is_finite() && *r > 0.0),
            kind: kind(light)?,
        })
    }
}

/// The properties of lights.
pub(crate) const NAMES: [&str; 2] = ["off", "flicker"];

/// Whether a light is lit at the start, and how much it flickers: its custom properties.
pub(crate) fn states(extras: &Properties, node: &str, problems: &mut Problems) -> (bool, f32) {
    let mut ranges = Ranges {
        code: ProblemCode::Light,
        of: "its property",
        name: node,
        problems,
    };
    ranges.warn_of_typos(extras, &NAMES);
    let flicker = ranges.property(extras, "flicker", 0.0..=1.0, 0.0);
    let is_off = match extras.flag("off") {
        Some(Ok(is_off)) => is_off,
        Some(Err(written)) => {
            let message =
                format!("its property `off` is {written}; write true or false; the light is lit");
            problems.warn(ProblemCode::Light, node, message);
            false
        }
        None => false,
    };
    (!is_off, flicker as f32)
}

/// The properties of a lamp's and of a sun's size.
const RADIUS: &str = "radius";
const ANGLE: &str = "angle";

impl TreeWalk<'_> {
    /// The radius of a light of a node; see [`LightSource::radius`]. A property of the node precedes that of its light,
    /// which is shared.
    pub(super) fn radius_of_light(
        &mut self,
        (node, light): (usize, usize),
        name: &str,
        kind: LightKind,
    ) -> f32 {
        let is_sun = kind == LightKind::Directional;
        let key = if is_sun { ANGLE } else { RADIUS };
        let lights: &[Light] = self.document.root.as_ref();
        let of_node = self.document.root.nodes[node].extras.as_deref();
        let of_light = lights.get(light).and_then(|light| light.extras.as_deref());
        let [own, shared] = [of_node, of_light].map(Properties::of);
        let mut ranges = Ranges {
            code: ProblemCode::Light,
            of: "the light's",
            name,
            problems: self.problems,
        };
        ranges.warn_of_typos(&own, &[key]);
        let extras = if own.has(key) { own } else { shared };
        if !extras.has(key) {
            return LightSource::default_radius(kind);
        }
        if is_sun {
            let angle = LightSource::DEFAULT_ANGLE;
            LightSource::radius_of_angle(ranges.property(&extras, key, LightSource::ANGLE, angle))
        } else {
            let radius = f64::from(LightSource::DEFAULT_RADIUS);
            ranges.property(&extras, key, LightSource::RADIUS, radius) as f32
        }
    }
}

fn kind(light: &Light) -> Result<LightKind, &'static str> {
    match light.type_ {
        Checked::Valid(Type::Point) => Ok(LightKind::Point),
        Checked::Valid(Type::Directional) => Ok(LightKind::Directional),
        Checked::Valid(Type::Spot) => {
            let spot = light.spot.as_ref().ok_or("spot")?;
            let (inner, outer) = (spot.inner_cone_angle, spot.outer_cone_angle);
            if inner >= 0.0 && inner <= outer && outer > 0.0 && outer <= FRAC_PI_2 {
                Ok(LightKind::Spot { inner, outer })
            } else {
                Err("cone angle")
            }
        }
        Checked::Invalid => Err("type"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn emission(json: &str) -> Result<Emission, &'static str> {
        Emission::of(&serde_json::from_str(json).unwrap())
    }

    #[test]
    fn a_colour_beyond_one_strengthens_the_light() {
        let light = emission(r#"{"type":"point","color":[4,2,0],"intensity":10}"#).unwrap();
        assert_eq!((light.colour, light.intensity), ([1.0, 0.5, 0.0], 40.0));
    }

    #[test]
    fn an_invalid_value_of_a_light_is_named() {
        let spot = |angles: &str| emission(&format!(r#"{{"type":"spot","spot":{{{angles}}}}}"#));
        assert!(spot("").is_ok());
        assert_eq!(spot(r#""innerConeAngle":1.0"#), Err("cone angle"));
        assert_eq!(spot(r#""outerConeAngle":2.0"#), Err("cone angle"));
        assert_eq!(emission(r#"{"type":"spot"}"#), Err("spot"));
        assert_eq!(emission(r#"{"type":"laser"}"#), Err("type"));
        let negative = emission(r#"{"type":"point","color":[-1,0,0]}"#);
        assert_eq!(negative, Err("colour"));
        let too_strong = emission(r#"{"type":"point","intensity":1e60}"#);
        assert_eq!(too_strong, Err("intensity"));
    }

    #[test]
    fn a_cone_may_have_a_hard_edge() {
        let spot = |inner: f32, outer: f32| {
            emission(&format!(
                r#"{{"type":"spot","spot":{{"innerConeAngle":{inner},"outerConeAngle":{outer}}}}}"#
            ))
        };
        let kind = spot(0.4, 0.4).unwrap().kind;
        assert!(matches!(kind, LightKind::Spot { inner, outer } if inner == outer));
        assert!(spot(0.5, 0.4).is_err() && spot(0.0, 0.0).is_err());
    }

    #[test]
    fn a_range_that_is_none_does_not_limit_the_light() {
        let light = emission(r#"{"type":"point","range":0}"#).unwrap();
        assert_eq!(light.range, None);
    }
}
