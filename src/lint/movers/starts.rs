//! Movers that nothing starts.

use std::collections::BTreeSet;

use crate::geometry::Aabb;
use crate::level::{
    Cycle, LevelData, MoverId, StartedBy, Track, Trigger, TriggerId, TriggerKind, TriggerTarget,
};

/// Maximum ratio between the size of a panel and that of its opening. A larger object is not a panel.
const MAX_PANEL: f64 = 2.0;
/// A panel leaves the wall if its slide direction has at least this component along the portal's normal, 0..1.
const ALONG_NORMAL: f64 = 0.7;

/// The movers that triggers and switches act on, directly or through others, and that a player can start.
pub(super) fn targets(level: &LevelData) -> BTreeSet<MoverId> {
    let fires = |trigger: &Trigger| !matches!(trigger.kind, TriggerKind::Relay);
    let mut fired: Vec<bool> = level.triggers.iter().map(fires).collect();
    let ids = (0..level.triggers.len() as u32).map(TriggerId);
    let mut next: Vec<TriggerId> = ids.filter(|id| fired[id.0 as usize]).collect();
    let mut movers = BTreeSet::new();
    while let Some(id) = next.pop() {
        for target in &level.triggers[id.0 as usize].targets {
            match *target {
                TriggerTarget::Mover(mover) => _ = movers.insert(mover),
                TriggerTarget::Link(link) => movers.extend(level.links[link.0 as usize].panel),
                TriggerTarget::Spawner(_) | TriggerTarget::Body(_) | TriggerTarget::Light(_) => {}
                TriggerTarget::Trigger(other) => {
                    if !std::mem::replace(&mut fired[other.0 as usize], true) {
                        next.push(other);
                    }
                }
            }
        }
    }
    movers
}

/// The reason why a door stays shut, with the cure.
pub(super) fn never_opens(level: &LevelData, id: MoverId) -> Option<String> {
    let mover = &level.movers[id.0 as usize];
    let turns = !matches!(mover.track, Track::Turn { angle: 0.0, .. });
    mover.link.filter(|_| !turns).map(|_| {
        "it never opens, for its property angle is 0; write another, or take the ending `-door` off it".to_owned()
    })
}

/// The reason why a mesh is not a door panel although its name declares it, with the cure.
pub(super) fn is_no_panel(level: &LevelData, id: MoverId) -> Option<String> {
    let mover = &level.movers[id.0 as usize];
    let opening = level.portal(level.link(mover.link?).portal).bounds;
    let solids = level.solids.of(&mover.solids);
    let panel = Aabb::around(solids.flat_map(|solid| solid.triangle().corners));
    let size = |bounds: Aabb| (bounds.max - bounds.min).length();
    (!panel.is_empty() && size(panel) > MAX_PANEL * size(opening)).then(|| {
        format!(
            "it is a door by its name, and {:.1} times as large as its opening, of which it is no panel; take the ending `-door` off it, or give its panel a mesh and node of its own",
            size(panel) / size(opening)
        )
    })
}

/// The reason why a door panel slides out of its opening into a room, with the cure.
pub(super) fn slides_out(level: &LevelData, id: MoverId) -> Option<String> {
    let mover = &level.movers[id.0 as usize];
    let link = mover.link?;
    let Track::Slide(by) = mover.track else {
        return None;
    };
    let normal = level.portal(level.link(link).portal).polygon.plane.normal;
    (by.length() > 0.0 && by.dot(normal).abs() > ALONG_NORMAL * by.length()).then(|| {
        "it slides straight out of its opening, into the room, and stays in the way: its property `axis` is that of its thickness; write another of `x`, `y` and `z`".to_owned()
    })
}

/// The reason why a mover that no trigger acts on never moves, with the cure.
pub(super) fn never_starts(level: &LevelData, id: MoverId) -> Option<String> {
    let mover = &level.movers[id.0 as usize];
    let rests = matches!(mover.drive.cycle, Cycle::Call | Cycle::Return | Cycle::Once);
    let stands = matches!(mover.track, Track::Slide(by) if by.length() == 0.0);
    let (property, cure) = match (mover.drive.locked, mover.drive.started_by, mover.link) {
        (true, ..) => ("locked", "take the property away"),
        (_, StartedBy::Trigger, Some(_)) => ("opens", "write use or approach"),
        (_, StartedBy::Trigger, None) => ("starts", "write use"),
        _ => return None,
    };
    (rests && !stands).then(|| {
        format!(
            "nothing sets it going: its property {property} leaves that to triggers and switches, and none that a player can fire has it as its target; name it in the target of one, or {cure}"
        )
    })
}
