//! Triggers and switches, from the custom properties of their nodes.

use super::properties::Properties;
use super::ranges::Ranges;
use crate::level::TICKS_PER_SECOND;
use crate::problems::{ProblemCode, Problems};
use crate::source::{TriggerKindSource, TriggerSource};

/// Range of a trigger's waiting time, seconds.
const SECONDS: std::ops::RangeInclusive<f64> = 0.0..=3600.0;
/// Maximum length of a message, bytes.
const MAX_MESSAGE: usize = 500;

/// The properties of triggers and switches.
pub(crate) const NAMES: [&str; 6] = ["target", "delay", "wait", "once", "bump", "message"];

/// The trigger of a node in a room, without its volume yet.
pub(crate) fn read(
    extras: &Properties,
    kind: TriggerKindSource,
    (node, room): (&str, usize),
    problems: &mut Problems,
) -> TriggerSource {
    let mut ranges = Ranges {
        code: ProblemCode::TriggerProperty,
        of: "its property",
        name: node,
        problems,
    };
    ranges.warn_of_typos(extras, &NAMES);
    if extras.is_object("target") {
        let message = format!(
            "its property target is an object, not text: the name that it was exported with, `{}`, is used; write the name as text (Blender: the type of the property is String)",
            extras.text("target").unwrap_or_default()
        );
        ranges
            .problems
            .warn(ProblemCode::TriggerProperty, node, message);
    }
    let mut ticks = |key: &str| {
        let seconds = ranges.property(extras, key, SECONDS, 0.0);
        (seconds * TICKS_PER_SECOND).round() as u32
    };
    let (delay_ticks, wait_ticks) = (ticks("delay"), ticks("wait"));
    let mut message = extras.text("message").unwrap_or_default();
    let end = (0..=message.len().min(MAX_MESSAGE))
        .rev()
        .find(|&i| message.is_char_boundary(i));
    message.truncate(end.unwrap_or(0));
    TriggerSource {
        node: node.to_owned(),
        room,
        kind,
        targets: extras.names("target"),
        delay_ticks,
        wait_ticks,
        once: matches!(extras.flag("once"), Some(Ok(true))),
        message,
    }
}
