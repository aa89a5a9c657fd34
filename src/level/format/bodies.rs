//! Rigid bodies: what their custom properties make of them.

use std::ops::RangeInclusive;

use glam::{DAffine3, DMat3};

use super::properties::Properties;
use super::ranges::Ranges;
use crate::level::{BodyShape, BodySource, Material, ProblemCode, Problems};

/// Kilograms: a grain and a ship.
const MASS: RangeInclusive<f64> = 1e-6..=1e9;
/// Coefficients of friction and restitution.
const FRICTION: RangeInclusive<f64> = 0.0..=100.0;
const BOUNCE: RangeInclusive<f64> = 0.0..=1.0;

/// The names of shapes, in the order in which a message lists them.
const SHAPES: [(&str, BodyShape); 4] = [
    ("sphere", BodyShape::Sphere),
    ("box", BodyShape::Box),
    ("hull", BodyShape::Hull),
    ("mesh", BodyShape::Mesh),
];

/// What the properties of a body say of it, still without meshes; wrong ones are warnings.
pub(super) fn read(
    extras: &Properties,
    author_from_node: &DAffine3,
    name: &str,
    problems: &mut Problems,
) -> BodySource {
    let shape = shape(extras, name, problems);
    let mut ranges = Ranges {
        code: ProblemCode::BodyProperty,
        of: "its property",
        name,
        problems,
    };
    let mut number = |key: &str, range: RangeInclusive<f64>, default: f64| {
        let written = extras.has(key);
        written.then(|| ranges.property(extras, key, range, default))
    };
    BodySource {
        node: name.to_owned(),
        meshes: Vec::new(),
        shape,
        axes: axes_of(author_from_node),
        mass: number("mass", MASS, 1.0),
        friction: number("friction", FRICTION, Material::FRICTION),
        bounce: number("bounce", BOUNCE, 0.0),
    }
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

/// The axes of a node, orthonormal and right-handed, however it is scaled or mirrored.
fn axes_of(author_from_node: &DAffine3) -> DMat3 {
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
