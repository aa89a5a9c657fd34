//! Rigid bodies, from the custom properties of their nodes.

use std::ops::RangeInclusive;

use glam::{DAffine3, DMat3};

use super::properties::Properties;
use super::ranges::Ranges;
use crate::level::{Material, TICKS_PER_SECOND};
use crate::problems::{ProblemCode, Problems};
use crate::source::{BodyShape, BodySource, Spawning};

/// The names of shapes, in the order in which messages list them.
const SHAPES: [(&str, BodyShape); 5] = [
    ("sphere", BodyShape::Sphere),
    ("capsule", BodyShape::Capsule),
    ("box", BodyShape::Box),
    ("hull", BodyShape::Hull),
    ("mesh", BodyShape::Mesh),
];

/// The properties of bodies.
pub(crate) const NAMES: [&str; 4] = ["shape", "mass", "friction", "bounce"];
/// The properties of spawners; these include the properties of the bodies that they create.
pub(crate) const NAMES_OF_SPAWNERS: [&str; 8] = [
    "shape", "mass", "friction", "bounce", "count", "every", "speed", "endless",
];

/// Default number of bodies of a spawner.
const COUNT: f64 = 10.0;
/// Default time between the bodies of a spawner, seconds.
const EVERY: f64 = 0.5;

/// Reads the properties of a spawner, and warns of wrong ones.
pub(crate) fn spawner(extras: &Properties, name: &str, problems: &mut Problems) -> Spawning {
    let mut ranges = Ranges {
        code: ProblemCode::BodyProperty,
        of: "its property",
        name,
        problems,
    };
    let mut number = |key, range, default| ranges.property(extras, key, range, default);
    let every = number("every", Spawning::EVERY, EVERY);
    Spawning {
        count: number("count", Spawning::COUNT, COUNT).round() as u32,
        every_ticks: (every * TICKS_PER_SECOND).round() as u32,
        speed: number("speed", Spawning::SPEED, 0.0),
        endless: matches!(extras.flag("endless"), Some(Ok(true))),
    }
}

/// Reads the properties of a body without its meshes, and warns of wrong ones. `names` are the properties that the
/// body's node may have.
pub(crate) fn read(
    extras: &Properties,
    author_from_node: &DAffine3,
    (name, names): (&str, &[&str]),
    problems: &mut Problems,
) -> BodySource {
    let shape = shape(extras, name, problems);
    let mass = mass(extras, ProblemCode::BodyProperty, name, problems);
    let mut ranges = Ranges {
        code: ProblemCode::BodyProperty,
        of: "its property",
        name,
        problems,
    };
    ranges.warn_of_typos(extras, names);
    let mut number = |key: &str, range: RangeInclusive<f64>, default: f64| {
        let written = extras.has(key);
        written.then(|| ranges.property(extras, key, range, default))
    };
    BodySource {
        node: name.to_owned(),
        meshes: Vec::new(),
        shape,
        axes: axes_of(author_from_node),
        mass,
        friction: number("friction", BodySource::FRICTION, Material::FRICTION),
        bounce: number("bounce", BodySource::BOUNCE, 0.0),
    }
}

/// The mass, kilograms. `None`, with a warning, if the value is not a valid mass.
pub(crate) fn mass(
    extras: &Properties,
    code: ProblemCode,
    name: &str,
    problems: &mut Problems,
) -> Option<f64> {
    let range = BodySource::MASS;
    let written = match extras.number("mass")? {
        Ok(mass) if range.contains(&mass) => return Some(mass),
        Ok(mass) => mass.to_string(),
        Err(text) => text,
    };
    let message = format!(
        "its mass is {written}, and is not used: it weighs as wood of its volume does. Write kilograms, from {} to {:e}",
        range.start(),
        range.end()
    );
    problems.warn(code, name, message);
    None
}

fn shape(extras: &Properties, name: &str, problems: &mut Problems) -> BodyShape {
    let Some(written) = extras.text("shape") else {
        return BodyShape::Hull;
    };
    let word = written.trim().to_ascii_lowercase();
    if let Some((_, shape)) = SHAPES.iter().find(|(name, _)| *name == word) {
        return *shape;
    }
    let names: Vec<&str> = SHAPES.iter().map(|(name, _)| *name).collect();
    let message = format!(
        "its property shape is {written}, and is not used. Write one of {}",
        names.join(", ")
    );
    problems.warn(ProblemCode::BodyProperty, name, message);
    BodyShape::Hull
}

/// The axes of a node as a rotation: orthonormal and right-handed even if the node is scaled or mirrored.
pub(crate) fn axes_of(author_from_node: &DAffine3) -> DMat3 {
    let [x, y, _] = [0, 1, 2].map(|i| {
        let column = author_from_node.matrix3.col(i);
        column / column.abs().max_element()
    });
    let axes = x.try_normalize().and_then(|x| {
        let y = (y - x * x.dot(y)).try_normalize()?;
        Some(DMat3::from_cols(x, y, x.cross(y)))
    });
    axes.unwrap_or(DMat3::IDENTITY)
}
