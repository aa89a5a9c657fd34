//! Triggers and switches: finds their targets by name.

use std::collections::BTreeMap;

use glam::DVec3;

use crate::geometry::{Aabb, Triangle, solid_angle};
use crate::level::{
    BodyId, LevelData, LightId, LinkId, MoverId, RoomId, SpawnerId, Track, Trigger, TriggerId,
    TriggerKind, TriggerTarget,
};
use crate::naming::plain_name;
use crate::problems::{ProblemCode, Problems};
use crate::source::{LevelSource, TriggerKindSource, TriggerSource};

/// Maximum fraction of the sphere of view that holes of a closed surface may fill when seen from inside. Cracks due to
/// rounded corners fill less.
const MAX_GAP: f64 = 1e-4;

/// Adds the triggers, sorted by name.
pub(super) fn add_triggers(level: &mut LevelData, source: &LevelSource, problems: &mut Problems) {
    let mut sources: Vec<&TriggerSource> = source.triggers.iter().collect();
    sources.sort_by(|a, b| a.node.cmp(&b.node));
    let targets = targets(level, &sources);
    for source in sources {
        let mut found = Vec::new();
        let is_switch = matches!(source.kind, TriggerKindSource::Switch { .. });
        if is_switch && source.targets.is_empty() && source.message.is_empty() {
            let message = "it has no target and no message, and so does nothing; name its target in its property `target`";
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
                            "its target {name} is no door, mover, portal, trigger, switch, spawner, body or light; write the name of one"
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
                if !is_closed(&triangles, &bounds) {
                    let message = "its volume is not closed, or faces of it look different ways: it may detect players late or not at all; close its holes and let all faces look outwards (Blender, in edit mode: select all, Mesh > Clean Up > Fill Holes, Mesh > Normals > Recalculate Outside)";
                    problems.warn(ProblemCode::TriggerVolume, &source.node, message);
                }
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
    let acted_on = level.triggers.iter().flat_map(|trigger| &trigger.targets);
    for target in acted_on {
        match *target {
            TriggerTarget::Spawner(SpawnerId(index)) => {
                level.spawners[index as usize].begins_at_once = false;
            }
            TriggerTarget::Light(LightId(index)) => {
                level.lights[index as usize].is_switched = true;
            }
            _ => {}
        }
    }
    for id in (0..level.triggers.len() as u32).map(TriggerId) {
        let room = level.triggers[id.0 as usize].room;
        level.rooms[room.0 as usize].triggers.push(id);
    }
}

/// Whether a surface is closed and consistently oriented, so that its winding number around any point is an integer.
/// The test points have no symmetry: in the plane of a hole, or midway between two holes, the number may also be an
/// integer.
fn is_closed(triangles: &[Triangle], bounds: &Aabb) -> bool {
    const PARTS: [[f64; 3]; 4] = [
        [0.413, 0.377, 0.541],
        [0.217, 0.729, 0.331],
        [0.683, 0.191, 0.823],
        [0.871, 0.613, 0.137],
    ];
    PARTS.into_iter().all(|part| {
        let point = bounds.min + (bounds.max - bounds.min) * DVec3::from_array(part);
        let angle: f64 = triangles.iter().map(|t| solid_angle(t, point)).sum();
        let winds = angle / (2.0 * std::f64::consts::TAU);
        (winds - winds.round()).abs() <= MAX_GAP
    })
}

/// The possible targets, by node name and by node name without the ending; `None` if the name without ending is
/// ambiguous.
fn targets(
    level: &LevelData,
    triggers: &[&TriggerSource],
) -> BTreeMap<String, Option<TriggerTarget>> {
    let moves = |id: MoverId| level.mover(id).track != Track::Vanish;
    let links = (0..).map(LinkId).zip(&level.links);
    let links = links.flat_map(|(id, link)| {
        let panel = link.panel.filter(|panel| moves(*panel));
        let target = panel.map_or(TriggerTarget::Link(id), TriggerTarget::Mover);
        link.names().map(move |name| (name, target))
    });
    let movers = (0..).map(MoverId).zip(&level.movers).map(|(id, mover)| {
        let target = match mover.link {
            Some(link) if !moves(id) => TriggerTarget::Link(link),
            _ => TriggerTarget::Mover(id),
        };
        (mover.name.as_str(), target)
    });
    let triggers = (0..).map(TriggerId).zip(triggers);
    let triggers = triggers.map(|(id, source)| (source.node.as_str(), TriggerTarget::Trigger(id)));
    let spawners = (0..).map(SpawnerId).zip(&level.spawners);
    let spawners =
        spawners.map(|(id, spawner)| (spawner.name.as_str(), TriggerTarget::Spawner(id)));
    let bodies = (0..).map(BodyId).zip(&level.bodies);
    let bodies = bodies.filter(|(_, body)| body.spawner.is_none());
    let bodies = bodies.map(|(id, body)| (body.name.as_str(), TriggerTarget::Body(id)));
    let all = movers.chain(triggers).chain(spawners).chain(bodies);
    let all: Vec<(&str, TriggerTarget)> = all.chain(links).collect();
    let mut named: BTreeMap<String, Option<TriggerTarget>> = BTreeMap::new();
    for &(name, target) in &all {
        named.insert(name.to_owned(), Some(target));
    }
    let mut stems: BTreeMap<String, Option<TriggerTarget>> = BTreeMap::new();
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
    // A lamp may have the name of the door beside it, without the ending; then the door is meant.
    for (id, light) in (0..).map(LightId).zip(&level.lights) {
        let target = Some(TriggerTarget::Light(id));
        named.entry(light.name.clone()).or_insert(target);
    }
    named
}
