//! Joints, from the custom properties of their nodes.

use std::ops::RangeInclusive;

use super::bodies::axes_of;
use super::properties::Properties;
use super::ranges::Ranges;
use super::scene::InheritedState;
use crate::level::{AuthorPoint, JointKind};
use crate::problems::{ProblemCode, Problems};
use crate::source::JointSource;

/// The properties of joints.
pub(crate) const NAMES: [&str; 6] = [
    "bodies",
    "joint",
    "lower_angle",
    "upper_angle",
    "length",
    "damping",
];
/// The names of joint kinds, in the order in which messages list them.
const KINDS: [&str; 3] = ["ball", "hinge", "rope"];

/// The joint of a node. Warns of wrong properties.
pub(crate) fn read(
    extras: &Properties,
    node: &str,
    place: &InheritedState,
    problems: &mut Problems,
) -> JointSource {
    let written = extras.text("joint");
    let word = written
        .as_deref()
        .map_or(String::new(), |text| text.trim().to_ascii_lowercase());
    if let Some(written) = written.filter(|_| !KINDS.contains(&word.as_str())) {
        let message = format!(
            "its property joint is {written}, and is not used: it is a ball joint. Write one of {}",
            KINDS.join(", ")
        );
        problems.warn(ProblemCode::JointProperty, node, message);
    }
    let mut ranges = Ranges {
        code: ProblemCode::JointProperty,
        of: "its property",
        name: node,
        problems,
    };
    ranges.warn_of_typos(extras, &NAMES);
    let mut number = |key: &str, range: RangeInclusive<f64>, default: f64| {
        ranges.property(extras, key, range, default)
    };
    let damping = number(
        "damping",
        JointSource::DAMPING,
        JointSource::DEFAULT_DAMPING,
    );
    let kind = match word.as_str() {
        "hinge" => {
            let lower = number("lower_angle", JointSource::ANGLE, -180.0);
            let upper = number("upper_angle", JointSource::ANGLE, 180.0);
            let is_limited = extras.has("lower_angle") || extras.has("upper_angle");
            let limits = [lower.min(0.0), upper.max(0.0)];
            if is_limited && limits != [lower, upper] {
                let message = format!(
                    "its angles are {lower} and {upper} degrees, and the body begins at 0: it turns between {} and {}. Write a lower angle of at most 0 and an upper one of at least 0",
                    limits[0], limits[1]
                );
                ranges
                    .problems
                    .warn(ProblemCode::JointProperty, node, message);
            }
            JointKind::Hinge {
                // Limits of a full turn do not limit the hinge.
                limits: (is_limited && limits != [-180.0, 180.0])
                    .then(|| limits.map(f64::to_radians)),
            }
        }
        "rope" => JointKind::Rope {
            length: number("length", JointSource::LENGTH, *JointSource::LENGTH.start()),
        },
        _ => JointKind::Ball,
    };
    JointSource {
        node: node.to_owned(),
        room: place.room,
        position: AuthorPoint(place.author_from_node.translation),
        axes: axes_of(&place.author_from_node),
        bodies: extras.names("bodies"),
        kind,
        damping,
    }
}
