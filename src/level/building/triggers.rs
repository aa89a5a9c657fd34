//! Triggers and switches: which targets their names mean.

use std::collections::BTreeMap;

use crate::geometry::{Aabb, Triangle};
use crate::level::{
    LevelData, LevelSource, LinkId, MoverId, ProblemCode, Problems, RoomId, Target, Track, Trigger,
    TriggerId, TriggerKind, TriggerKindSource, TriggerSource, plain_name,
};

/// Adds the triggers in the order of their names.
pub(super) fn add_triggers(level: &mut LevelData, source: &LevelSource, problems: &mut Problems) {
    let mut sources: Vec<&TriggerSource> = source.triggers.iter().collect();
    sources.sort_by(|a, b| a.node.cmp(&b.node));
    let targets = targets(level, &sources);
    for source in sources {
        let mut found = Vec::new();
        let is_switch = matches!(source.kind, TriggerKindSource::Switch { .. });
        if is_switch && source.targets.is_empty() && source.message.is_empty() {
            let message = "it has no target and no message: pressed, it does nothing; name in its property `target` what it acts on";
            problems.warn(ProblemCode::TriggerTarget, &source.node, message);
        }
        for name in &source.targets {
            match targets.get(name.as_str()) {
                Some(Some(target)) => found.push(*target),
                known => {
                    let message = if known.is_some() {
                        format!(
                            "its target {name} may be several nodes; write the whole name of one"
                        )
                    } else {
                        format!(
                            "its target {name} is no door, mover, portal, trigger or switch; write the name of one"
                        )
                    };
                    problems.warn(ProblemCode::TriggerTarget, &source.node, message);
                }
            }
        }
        let kind = match &source.kind {
            TriggerKindSource::Volume(triangles) => {
                let to_level = |corners: &[glam::DVec3; 3]| Triangle {
                    corners: corners.map(|p| p - level.origin),
                };
                let triangles: Vec<Triangle> = triangles.iter().map(to_level).collect();
                let bounds = Aabb::around(triangles.iter().flat_map(|t| t.corners));
                TriggerKind::Volume { triangles, bounds }
            }
            TriggerKindSource::Switch { bump } => TriggerKind::Switch { bump: *bump },
            TriggerKindSource::Relay => TriggerKind::Relay,
        };
        level.triggers.push(Trigger {
            name: source.node.clone(),
            room: RoomId(source.room as u32),
            kind,
            targets: found,
            delay_ticks: source.delay_ticks,
            wait_ticks: source.wait_ticks,
            once: source.once,
            message: source.message.clone(),
        });
    }
    for id in (0..level.triggers.len() as u32).map(TriggerId) {
        let room = level.triggers[id.0 as usize].room;
        level.rooms[room.0 as usize].triggers.push(id);
    }
}

/// What can be acted on, by its node's name and by that name without its ending; `None` where that means
/// several.
fn targets(level: &LevelData, triggers: &[&TriggerSource]) -> BTreeMap<String, Option<Target>> {
    let moves = |id: MoverId| level.mover(id).track != Track::Vanish;
    let links = (0..).map(LinkId).zip(&level.links).map(|(id, link)| {
        let panel = link.panel.filter(|panel| moves(*panel));
        let target = panel.map_or(Target::Link(id), Target::Mover);
        (link.name.as_str(), target)
    });
    let movers = (0..).map(MoverId).zip(&level.movers).map(|(id, mover)| {
        let target = match mover.link {
            Some(link) if !moves(id) => Target::Link(link),
            _ => Target::Mover(id),
        };
        (mover.name.as_str(), target)
    });
    let triggers = (0..).map(TriggerId).zip(triggers);
    let triggers = triggers.map(|(id, source)| (source.node.as_str(), Target::Trigger(id)));
    let all: Vec<(&str, Target)> = movers.chain(triggers).chain(links).collect();
    let mut named: BTreeMap<String, Option<Target>> = BTreeMap::new();
    for &(name, target) in &all {
        named.insert(name.to_owned(), Some(target));
    }
    let mut stems: BTreeMap<String, Option<Target>> = BTreeMap::new();
    for &(name, target) in &all {
        let known = stems
            .entry(plain_name(name).to_owned())
            .or_insert(Some(target));
        if *known != Some(target) {
            *known = None;
        }
    }
    for (name, target) in stems {
        named.entry(name).or_insert(target);
    }
    named
}
