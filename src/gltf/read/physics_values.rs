//! The parts of OMI_physics_body and OMI_physics_shape, each read separately: motions, materials and shapes.

use std::collections::BTreeMap;
use std::ops::RangeInclusive;

use glam::DVec3;
use serde::Deserialize;
use serde_json::value::RawValue;

use super::bodies::mass;
use super::properties::Properties;
use super::ranges::Ranges;
use crate::problems::{ProblemCode, Problems};
use crate::source::BodySource;

/// Maximum length of the text of an extension, bytes. When parsed, it takes many times as much memory.
const MAX_TEXT: usize = 1 << 24;
/// Valid sizes of shapes, metres.
const SIZE: RangeInclusive<f64> = 1e-4..=1e4;
/// Valid radii of tapered shapes, metres. An end with radius 0 is a point.
const RADIUS: RangeInclusive<f64> = 0.0..=1e4;
/// Default mass of a body, kilograms.
const USUAL_MASS: f64 = 1.0;
/// Index that stands for no collider or no shape.
const NONE: f64 = -1.0;

/// Properties of a motion that are not used, and their default values.
const UNUSED: [(&str, f64); 5] = [
    ("linearVelocity", 0.0),
    ("angularVelocity", 0.0),
    ("centerOfMass", 0.0),
    ("inertiaDiagonal", 0.0),
    ("gravityFactor", 1.0),
];

/// The motion type of a node.
#[derive(Clone, Copy)]
pub(crate) enum MotionType {
    /// Not moved.
    Static,
    /// Moved by scripts and animations.
    Kinematic,
    /// Moved by physics.
    Dynamic {
        /// Mass, kilograms; `None` if the file's value is not a valid mass.
        mass: Option<f64>,
    },
}

/// Coefficients of friction and restitution.
#[derive(Clone, Copy)]
pub(crate) struct SurfacePhysics {
    pub friction: f64,
    pub bounce: f64,
}

/// A shape at the origin of its node. Lengths are in metres.
#[derive(Clone, Copy, PartialEq)]
pub(crate) enum ColliderShape {
    Sphere {
        radius: f64,
    },
    /// Aligned with the axes.
    Box {
        size: DVec3,
    },
    /// Along y. `height` is the distance between the centres of the round ends; `radii` are those of the bottom and the
    /// top end.
    Capsule {
        height: f64,
        radii: [f64; 2],
    },
    /// Along y.
    Cylinder {
        height: f64,
        radii: [f64; 2],
    },
    /// The convex hull of the mesh with this index in the document.
    Convex {
        mesh: usize,
    },
    /// The triangles of the mesh with this index in the document.
    Trimesh {
        mesh: usize,
    },
}

/// The parsed text of an extension; the default, with a warning, if the text is invalid.
pub(crate) fn parse<'a, T: Default + Deserialize<'a>>(
    raw: Option<&'a RawValue>,
    name: &str,
    problems: &mut Problems,
) -> T {
    let Some(text) = raw.map(RawValue::get) else {
        return T::default();
    };
    let parsed = if text.len() > MAX_TEXT {
        Err(format!("it has more than {MAX_TEXT} bytes"))
    } else {
        serde_json::from_str(text).map_err(|error| error.to_string())
    };
    parsed.unwrap_or_else(|error| {
        let message = format!("its physics extension is not used: {error}; export it again");
        problems.warn(ProblemCode::BodyExtension, name, message);
        T::default()
    })
}

fn ranges<'a>(name: &'a str, problems: &'a mut Problems) -> Ranges<'a> {
    Ranges {
        code: ProblemCode::BodyExtension,
        of: "its",
        name,
        problems,
    }
}

/// An index; `None` if absent.
pub(crate) fn index_of(
    part: &Properties,
    key: &str,
    name: &str,
    problems: &mut Problems,
) -> Option<usize> {
    match part.number(key)? {
        Ok(NONE) => None,
        Ok(index) if index >= 0.0 && index.fract() == 0.0 && index <= f64::from(u32::MAX) => {
            Some(index as usize)
        }
        written => {
            let written = written.map_or_else(|text| text, |number| number.to_string());
            let message = format!("its {key} is {written}, which is no index; export it again");
            problems.warn(ProblemCode::BodyExtension, name, message);
            None
        }
    }
}

/// The motion of a node; `None`, with a warning, if it is unusable.
pub(crate) fn motion(raw: &RawValue, name: &str, problems: &mut Problems) -> Option<MotionType> {
    let motion = Properties::of(Some(raw));
    let kind = motion.text("type").unwrap_or_default();
    match kind.as_str() {
        "static" => Some(MotionType::Static),
        "kinematic" => Some(MotionType::Kinematic),
        "dynamic" => {
            for (key, default) in UNUSED {
                let says_nothing = match (motion.numbers::<3>(key), motion.number(key)) {
                    (Some(Ok(vector)), _) => vector == [default; 3],
                    (_, Some(Ok(number))) => number == default,
                    _ => false,
                };
                if motion.has(key) && !says_nothing {
                    let message = format!(
                        "its {key} is not used: bodies start at rest, and their mass is spread evenly over their shape; leave it out"
                    );
                    problems.warn(ProblemCode::BodyExtension, name, message);
                }
            }
            let mass = if motion.has("mass") {
                mass(&motion, ProblemCode::BodyExtension, name, problems)
            } else {
                Some(USUAL_MASS)
            };
            Some(MotionType::Dynamic { mass })
        }
        _ => {
            let message = format!(
                "its motion has the type `{kind}`, and is not used. Write one of static, kinematic, dynamic"
            );
            problems.warn(ProblemCode::BodyExtension, name, message);
            None
        }
    }
}

/// A material; warns of wrong values.
pub(crate) fn material(raw: &RawValue, index: usize, problems: &mut Problems) -> SurfacePhysics {
    let material = Properties::of(Some(raw));
    let name = format!("physics material {index}");
    let mut ranges = ranges(&name, problems);
    SurfacePhysics {
        friction: ranges.property(&material, "dynamicFriction", BodySource::FRICTION, 0.6),
        bounce: ranges.property(&material, "restitution", BodySource::BOUNCE, 0.0),
    }
}

/// A shape; `None`, with a warning, if it is unusable.
pub(crate) fn shape(
    raw: &RawValue,
    index: usize,
    problems: &mut Problems,
) -> Option<ColliderShape> {
    let name = &format!("physics shape {index}");
    let kind = Properties::of(Some(raw)).text("type").unwrap_or_default();
    let parts: BTreeMap<String, &RawValue> = parse(Some(raw), name, problems);
    if ["size", "radius", "height", "mesh"]
        .iter()
        .any(|key| parts.contains_key(*key))
    {
        let message = "it is of a version of OMI_physics_shape before 2023, and is not used; export it with Godot 4.3 or later";
        problems.warn(ProblemCode::BodyExtension, name, message);
        return None;
    }
    let part = Properties::of(parts.get(&kind).copied());
    let mut round = |height: f64| {
        let mut ranges = ranges(name, problems);
        let radii =
            ["radiusBottom", "radiusTop"].map(|key| ranges.property(&part, key, RADIUS, 0.5));
        (ranges.property(&part, "height", RADIUS, height), radii)
    };
    let mesh = |problems: &mut Problems| {
        let mesh = index_of(&part, "mesh", name, problems);
        if mesh.is_none() {
            let message = "it names no mesh, and is not used; export it again";
            problems.warn(ProblemCode::BodyExtension, name, message);
        }
        mesh
    };
    Some(match kind.as_str() {
        "sphere" => ColliderShape::Sphere {
            radius: ranges(name, problems).property(&part, "radius", SIZE, 0.5),
        },
        "box" => {
            let size = match part.numbers::<3>("size") {
                None => [1.0; 3],
                Some(Ok(size)) => {
                    size.map(|size| ranges(name, problems).clamp_or_warn("size", size, SIZE, 1.0))
                }
                Some(Err(written)) => {
                    let message = format!(
                        "its size is {written}; a cube of 1 m is used instead. It must be three numbers"
                    );
                    problems.warn(ProblemCode::BodyExtension, name, message);
                    [1.0; 3]
                }
            };
            ColliderShape::Box {
                size: DVec3::from_array(size),
            }
        }
        "capsule" => {
            let (height, radii) = round(1.0);
            ColliderShape::Capsule { height, radii }
        }
        "cylinder" => {
            let (height, radii) = round(2.0);
            ColliderShape::Cylinder { height, radii }
        }
        "convex" => ColliderShape::Convex {
            mesh: mesh(problems)?,
        },
        "trimesh" => ColliderShape::Trimesh {
            mesh: mesh(problems)?,
        },
        _ => {
            let message = format!(
                "its type is `{kind}`, and it is not used. Write one of sphere, box, capsule, cylinder, convex, trimesh"
            );
            problems.warn(ProblemCode::BodyExtension, name, message);
            return None;
        }
    })
}
