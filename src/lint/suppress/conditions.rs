//! Conditions of the table's rows that need the level.

use super::row::Context;
use crate::level::Link;
use crate::lint::findings::Finding;
use crate::lint::panels;
use crate::lint::reach;

/// Maximum distance between the rim of a ceiling hole and the top of the room's box, metres.
const AT_TOP: f64 = 0.05;

/// Whether a hole is the missing ceiling of a room that may be meant to be outdoors.
pub(in crate::lint) fn is_ceiling(context: &Context, hole: &Finding) -> bool {
    let (Some(level), Some(place), [room]) = (context.level, &hole.place, hole.rooms.as_slice())
    else {
        return false;
    };
    let high = level.room(*room).bounds.max.y + level.origin.y;
    high - place.bounds().min.y < AT_TOP
}

/// Whether a hole is a doorway in the wall of its room.
pub(in crate::lint) fn is_doorway(context: &Context, hole: &Finding) -> bool {
    context
        .level
        .is_some_and(|level| reach::is_doorway(level, hole))
}

/// Whether a finding concerns a room, and no opening.
pub(in crate::lint) fn is_in_room(_: &Context, finding: &Finding) -> bool {
    finding.portal.is_none()
}

/// Whether a finding follows from the path of a mover.
pub(in crate::lint) fn is_of_path(_: &Context, finding: &Finding) -> bool {
    finding.of_path
}

/// Whether a place is in the box of no room.
pub(in crate::lint) fn is_outside_all_rooms(context: &Context, finding: &Finding) -> bool {
    let (Some(level), Some(place)) = (context.level, &finding.place) else {
        return false;
    };
    let at = level.from_author(place.point);
    !level.rooms.iter().any(|room| room.bounds.contains(at))
}

/// Whether a door panel with a gap covers all parts of its portal that no wall covers.
pub(in crate::lint) fn panel_fills_opening(context: &Context, panel: &Finding) -> bool {
    let Some(rooms) = context.rooms else {
        return false;
    };
    let mut movers = context.source.movers.iter();
    let source = movers.find(|mover| mover.node == panel.node);
    let link = link_of(context, panel);
    link.zip(source)
        .is_some_and(|(link, source)| panels::fills(rooms, link, source))
}

/// Whether a door panel passes through the rim of its opening.
pub(in crate::lint) fn is_at_rim(context: &Context, panel: &Finding) -> bool {
    let (Some(level), Some(place)) = (context.level, &panel.place) else {
        return false;
    };
    let at = level.from_author(place.point);
    link_of(context, panel)
        .is_some_and(|link| panels::is_at_rim(&level.portal(link.portal).polygon, at))
}

/// The link that a door panel closes.
fn link_of<'a>(context: &Context<'a>, panel: &Finding) -> Option<&'a Link> {
    let level = context.level?;
    let mut panels = level.movers.iter().filter(|mover| mover.name == panel.node);
    panels.find_map(|mover| Some(level.link(mover.link?)))
}
