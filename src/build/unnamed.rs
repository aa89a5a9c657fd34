//! Unnamed portals: finds the room behind a portal that does not name it.

use std::cell::OnceCell;

use glam::DVec3;

use super::opening::{UnlinkedOpening, report_turned};
use super::rooms_along_x::RoomsAlongX;
use super::winding_tree::WindingTree;
use super::windings::{RoomSurfaces, RoomWindings};
use crate::geometry::{Aabb, Aabb32, Triangle};
use crate::level::{AuthorPoint, LevelData, RoomId};
use crate::problems::{ProblemCode, ProblemPlace, Problems};

/// Distances behind an unnamed portal at which rooms are searched for, metres. The first is smaller than any intended
/// room, the steps are too small to skip a room, and the last is the thickness of a wall.
const DEPTHS: [f64; 11] = [
    0.0002, 0.001, 0.002, 0.005, 0.01, 0.02, 0.06, 0.12, 0.25, 0.5, 1.0,
];
/// If several rooms are found within this distance behind the portal, the result is ambiguous; metres.
const NEAR: f64 = 0.02;
/// Minimum winding number, around a point behind an unnamed portal, of a room that the portal closes. The portal alone
/// gives up to 0.5.
const MIN_WINDING: f64 = 0.6;
/// Position, 0..1, of the threshold between rooms that are open and closed without the portal. If the portal closes a
/// room, the winding number of the room with the portal is 1. If the room is closed already, the number is larger by
/// the fraction that the portal's solid angle is of the sphere.
const CLOSED_WITHOUT: f64 = 0.5;
/// Maximum distance between an unnamed portal and the box of its room, metres.
const AT_ROOM: f64 = 0.01;
/// Maximum number of evaluated terms of winding numbers; they take some seconds.
const MAX_WORK: u64 = 1 << 26;

/// A search for the room behind a portal: which portals close a candidate room, and how closed it must be.
#[derive(Clone, Copy, PartialEq, Eq)]
enum ClosingSearch {
    /// All portals around which the candidate has walls close it. Candidates are the rooms with walls around this
    /// portal, so that a thin room whose portals are all unnamed is found before a room behind it.
    Framing,
    /// The portals whose two rooms are known close the candidate. It must be open without this portal.
    Known,
    /// The known portals and all unnamed portals at the candidate close it. It must be open without this portal.
    Guessed,
    /// As [`ClosingSearch::Known`], but the candidate may be closed without this portal, because an object stands in
    /// the opening.
    Closed,
}

/// A portal whose destination is not known yet.
struct Unresolved<'a> {
    opening: UnlinkedOpening<'a>,
    /// The rooms that have walls all around the opening, in order.
    framing: Vec<RoomId>,
}

impl Unresolved<'_> {
    /// Whether the portal may lead into a room: any room but its own; its own only if it has a transform.
    fn may_lead_into(&self, room: RoomId) -> bool {
        self.opening.from != room || !self.opening.far_from_near.is_identity()
    }
}

/// A room that was found behind a portal.
struct FoundRoom {
    room: RoomId,
    /// The other candidates, in order of their distance from the portal.
    others: Vec<RoomId>,
    search: ClosingSearch,
}

/// Finds the rooms behind unnamed portals, and adds their links to those of the named ones. If no room is behind a
/// portal but one is in front of it, the portal faces into its own room and is turned, with a warning.
pub(super) fn link_unnamed<'a>(
    (level, surfaces): (&LevelData, &RoomSurfaces),
    unnamed: Vec<UnlinkedOpening<'a>>,
    links: &mut Vec<(UnlinkedOpening<'a>, RoomId)>,
    problems: &mut Problems,
) {
    if unnamed.is_empty() {
        return;
    }
    let (mut unresolved, is_spent) = link_behind((level, surfaces), unnamed, links, problems);
    if !unresolved.is_empty() && !is_spent {
        let known = links.len();
        let turned = unresolved
            .into_iter()
            .map(UnlinkedOpening::turned)
            .collect();
        (unresolved, _) = link_behind((level, surfaces), turned, links, problems);
        for (opening, _) in &links[known..] {
            let (node, centre) = (&opening.source.node, opening.polygon.centre());
            report_turned(level, node, (opening.from, centre), problems);
        }
    }
    for opening in unresolved {
        let c = opening.polygon.centre() + level.origin;
        let room = &level.room(opening.from).name;
        let what = if is_spent {
            "there are too many unnamed portals in rooms of too many triangles to find the room behind this portal"
        } else {
            "no room lies behind this portal"
        };
        let message = format!(
            "{what} of room `{room}`; name the room (`ROOM-portal`), or see that the room behind is closed and within {} m",
            DEPTHS[DEPTHS.len() - 1]
        );
        let place = Some(ProblemPlace::at(AuthorPoint(c)));
        problems.add(
            true,
            ProblemCode::PortalLeadsNowhere,
            &opening.source.node,
            place,
            || message,
        );
    }
}

/// Adds the links of the portals behind which a room is found. Returns the other portals, and whether the limit of the
/// work was reached.
///
/// Known openings close the rooms, and a closed room is easier to find. So the search runs in rounds, each of which
/// closes more rooms. The result of a round does not depend on the order of the portals.
/// rooms; the result of a round does not depend on the order of its portals.
fn link_behind<'a>(
    (level, surfaces): (&LevelData, &RoomSurfaces),
    unnamed: Vec<UnlinkedOpening<'a>>,
    links: &mut Vec<(UnlinkedOpening<'a>, RoomId)>,
    problems: &mut Problems,
) -> (Vec<UnlinkedOpening<'a>>, bool) {
    let mut rooms = KnownRooms::of((level, surfaces), &unnamed, links);
    let mut unresolved: Vec<Unresolved> = unnamed
        .into_iter()
        .map(|opening| rooms.unresolved(opening))
        .collect();
    let mut search = ClosingSearch::Framing;
    while !unresolved.is_empty() {
        if search == ClosingSearch::Framing {
            rooms.close_framed(&unresolved);
        }
        let found: Vec<Option<FoundRoom>> = (0..unresolved.len())
            .map(|at| rooms.behind(&unresolved, at, search))
            .collect();
        if found.iter().all(Option::is_none) {
            search = match search {
                ClosingSearch::Framing => ClosingSearch::Known,
                ClosingSearch::Known => ClosingSearch::Guessed,
                ClosingSearch::Guessed => ClosingSearch::Closed,
                ClosingSearch::Closed => break,
            };
            continue;
        }
        let mut rest = Vec::new();
        for (portal, found) in unresolved.into_iter().zip(found) {
            let Some(found) = found else {
                rest.push(portal);
                continue;
            };
            let opening = portal.opening;
            if let Some(doubt) = doubt(level, &opening, &found) {
                problems.warn(ProblemCode::PortalAmbiguous, &opening.source.node, doubt);
            }
            rooms.add_cap(found.room, opening.far_polygon.flipped().triangles());
            links.push((opening, found.room));
        }
        unresolved = rest;
        search = ClosingSearch::Framing;
    }
    let unresolved = unresolved.into_iter().map(|portal| portal.opening);
    (unresolved.collect(), rooms.is_spent())
}

/// A warning for the author if the destination of a portal is ambiguous.
fn doubt(level: &LevelData, opening: &UnlinkedOpening, found: &FoundRoom) -> Option<String> {
    let c = opening.polygon.centre() + level.origin;
    let room = &level.room(found.room).name;
    let chosen = format!(
        "the portal at ({:.2}, {:.2}, {:.2}) names no room and was linked to room `{room}`",
        c.x, c.y, c.z
    );
    let why = match (found.others.first(), found.search) {
        (Some(&other), _) => format!(", but room `{}` lies behind it too", level.room(other).name),
        (None, ClosingSearch::Closed) => {
            ", which is closed behind it (something fills the opening, or it leads elsewhere)"
                .to_owned()
        }
        (None, _) => return None,
    };
    Some(format!(
        "{chosen}{why}; name the room that is meant (`ROOM-portal`)"
    ))
}

/// The rooms of a level, with the openings known so far.
struct KnownRooms<'a> {
    level: &'a LevelData,
    along_x: RoomsAlongX,
    windings: RoomWindings<'a>,
    /// The known openings of each room; their fronts face out of the room.
    caps: Vec<Vec<Triangle>>,
    cap_trees: Vec<OnceCell<WindingTree>>,
    /// For each room, the openings with unknown destination around which it has walls; their fronts face into the room.
    framed: Vec<Vec<Triangle>>,
    framed_trees: Vec<OnceCell<WindingTree>>,
}

impl<'a> KnownRooms<'a> {
    fn of(
        (level, surfaces): (&'a LevelData, &'a RoomSurfaces<'a>),
        unnamed: &[UnlinkedOpening],
        links: &[(UnlinkedOpening, RoomId)],
    ) -> Self {
        let mut rooms = Self {
            level,
            along_x: RoomsAlongX::of(level),
            windings: RoomWindings::cached(level, surfaces),
            caps: vec![Vec::new(); level.rooms.len()],
            cap_trees: level.rooms.iter().map(|_| OnceCell::new()).collect(),
            framed: Vec::new(),
            framed_trees: Vec::new(),
        };
        for opening in links.iter().map(|(opening, _)| opening).chain(unnamed) {
            rooms.add_cap(opening.from, opening.polygon.triangles());
        }
        for (opening, to) in links {
            rooms.add_cap(*to, opening.far_polygon.flipped().triangles());
        }
        rooms
    }

    fn add_cap(&mut self, room: RoomId, cap: impl Iterator<Item = Triangle>) {
        self.caps[room.0 as usize].extend(cap);
        self.cap_trees[room.0 as usize] = OnceCell::new();
    }

    /// Whether the limit of the work is reached.
    fn is_spent(&self) -> bool {
        self.windings.work.get() > MAX_WORK
    }

    /// The room behind an unresolved opening: the nearest one. Of several at the same depth, the one that the portal
    /// closes best.
    fn behind(
        &self,
        unresolved: &[Unresolved],
        at: usize,
        search: ClosingSearch,
    ) -> Option<FoundRoom> {
        let Unresolved { opening, framing } = &unresolved[at];
        let polygon = &opening.far_polygon;
        let mut found: Vec<RoomId> = Vec::new();
        for depth in DEPTHS {
            if !found.is_empty() && depth > NEAR || self.is_spent() {
                break;
            }
            let point = polygon.centre() + polygon.plane.normal * depth;
            let most = match search {
                ClosingSearch::Framing | ClosingSearch::Known | ClosingSearch::Guessed => {
                    1.0 + CLOSED_WITHOUT * self.turns(opening, point)
                }
                ClosingSearch::Closed => f64::INFINITY,
            };
            let mut here = Vec::new();
            // After the first room with walls around the portal is found, other near rooms are candidates too.
            let is_framing = search == ClosingSearch::Framing && found.is_empty();
            let search = match search {
                ClosingSearch::Framing if !is_framing => ClosingSearch::Known,
                _ => search,
            };
            let around = if is_framing {
                framing.clone()
            } else {
                self.along_x.around(self.level, point)
            };
            for room in around {
                if !unresolved[at].may_lead_into(room) || found.contains(&room) {
                    continue;
                }
                let winding = self.winding(unresolved, at, search, room, point);
                if winding > MIN_WINDING && winding < most {
                    here.push(((winding - 1.0).abs(), room));
                }
            }
            here.sort_by(|a, b| a.0.total_cmp(&b.0));
            found.extend(here.into_iter().map(|(_, room)| room));
        }
        let (&room, others) = found.split_first()?;
        Some(FoundRoom {
            room,
            others: others.to_vec(),
            search,
        })
    }

    /// The winding number of a room around a point behind an opening, if this opening and the others that the search
    /// includes are closed.
    fn winding(
        &self,
        unresolved: &[Unresolved],
        at: usize,
        search: ClosingSearch,
        room: RoomId,
        point: DVec3,
    ) -> f64 {
        let work = &self.windings.work;
        let index = room.0 as usize;
        let caps = self.cap_trees[index].get_or_init(|| {
            work.set(work.get() + self.caps[index].len() as u64);
            WindingTree::of(self.caps[index].clone())
        });
        let closed = self.windings.around(room, point) - caps.turns(point, work);
        match search {
            // The tree of the openings with walls around them contains this opening too.
            ClosingSearch::Framing => closed + self.framed_tree(room).turns(point, work),
            ClosingSearch::Known | ClosingSearch::Closed => {
                closed + self.turns(&unresolved[at].opening, point)
            }
            ClosingSearch::Guessed => {
                work.set(work.get() + unresolved.len() as u64);
                let bounds = self.level.room(room).bounds.grown(AT_ROOM);
                let may_end_here = |&(other, portal): &(usize, &Unresolved)| {
                    let centre = portal.opening.far_polygon.centre();
                    other == at || portal.may_lead_into(room) && bounds.contains(centre)
                };
                let guessed = unresolved.iter().enumerate().filter(may_end_here);
                let turns = guessed.map(|(_, portal)| self.turns(&portal.opening, point));
                closed + turns.sum::<f64>()
            }
        }
    }

    /// Collects for each room the openings around which it has walls.
    fn close_framed(&mut self, unresolved: &[Unresolved]) {
        self.framed = vec![Vec::new(); self.level.rooms.len()];
        self.framed_trees = self.framed.iter().map(|_| OnceCell::new()).collect();
        for portal in unresolved {
            let rooms = portal.framing.iter();
            for room in rooms.filter(|&&room| portal.may_lead_into(room)) {
                let triangles = portal.opening.far_polygon.triangles();
                self.framed[room.0 as usize].extend(triangles);
            }
        }
    }

    fn framed_tree(&self, room: RoomId) -> &WindingTree {
        let index = room.0 as usize;
        self.framed_trees[index].get_or_init(|| {
            let work = &self.windings.work;
            work.set(work.get() + self.framed[index].len() as u64);
            WindingTree::of(self.framed[index].clone())
        })
    }

    /// A portal with unknown destination, with the rooms that have walls all around its opening.
    fn unresolved<'b>(&self, opening: UnlinkedOpening<'b>) -> Unresolved<'b> {
        let polygon = &opening.far_polygon;
        let behind = polygon.centre() + polygon.plane.normal * DEPTHS[0];
        let mut framing = self.along_x.around(self.level, behind);
        framing.retain(|&room| {
            let mut corners = polygon.vertices.iter();
            corners.all(|&corner| self.has_wall_at(room, corner))
        });
        framing.sort_unstable();
        Unresolved { framing, opening }
    }

    fn has_wall_at(&self, room: RoomId, point: DVec3) -> bool {
        let mut has_wall = false;
        let query = Aabb32::around(&Aabb::around([point]).grown(AT_ROOM));
        let solids = &self.level.room(room).solids;
        self.level.solids.touching(solids, &query, |solid| {
            has_wall |= solid.triangle().distance(point) <= AT_ROOM;
        });
        has_wall
    }

    /// The winding number of an opening around a point in its destination room.
    fn turns(&self, opening: &UnlinkedOpening, point: DVec3) -> f64 {
        let triangles = opening.far_polygon.triangles().collect();
        WindingTree::of(triangles).turns(point, &self.windings.work)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::author::sketch::{Sketch, cuboid};
    use crate::build::build;
    use crate::memo::Memo;

    /// The work for each opening, when the rooms behind `n * n` openings in one wall are found.
    fn work_per_opening(n: u32) -> u64 {
        let mut sketch = Sketch::new("lattice");
        let pitch = 1.0 / f64::from(n);
        let cells = (0..n * n).map(|i| [i / n, i % n].map(|k| f64::from(k) * pitch));
        let holes =
            cells.map(|[y, z]| cuboid([0.0, y, z], [0.0, y + 0.5 * pitch, z + 0.5 * pitch]));
        let holes: Vec<_> = holes.collect();
        let a = sketch.box_room("a", cuboid([-1.0, 0.0, 0.0], [0.0, 1.0, 1.0]), &holes);
        sketch.box_room("b", cuboid([0.0; 3], [1.0; 3]), &holes);
        for hole in &holes {
            sketch.portal(a, "", *hole, DVec3::X);
        }
        sketch.spawn(a, DVec3::new(-0.5, 0.5, 0.5), DVec3::X);
        let portals = std::mem::take(&mut sketch.source.portals);
        let (level, _) = build(sketch.source).unwrap();
        let openings = portals
            .iter()
            .map(|source| UnlinkedOpening::of(source, level.origin));
        let openings: Vec<UnlinkedOpening> = openings.map(Result::unwrap).collect();
        let last = Memo::default();
        let surfaces = RoomSurfaces::of(level.rooms.len(), &last);
        let mut rooms = KnownRooms::of((&level, &surfaces), &openings, &[]);
        let openings: Vec<Unresolved> = openings
            .into_iter()
            .map(|opening| rooms.unresolved(opening))
            .collect();
        rooms.close_framed(&openings);
        for at in 0..openings.len() {
            for search in [ClosingSearch::Framing, ClosingSearch::Known] {
                let found = rooms.behind(&openings, at, search).unwrap();
                assert_eq!((found.room, found.others), (RoomId(1), Vec::new()));
            }
        }
        rooms.windings.work.get() / u64::from(n * n)
    }

    /// Regression test: the work for each opening grew with the number of openings, and with the number of triangles
    /// around it.
    #[test]
    fn the_work_for_an_opening_hardly_grows_with_their_number() {
        let (few, many) = (work_per_opening(8), work_per_opening(32));
        assert!(many < 3 * few, "{few} for 64 openings, {many} for 1,024");
    }
}
