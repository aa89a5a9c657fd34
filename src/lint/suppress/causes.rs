//! The causes of a row, indexed for its scope, so that a lookup takes logarithmic time.

use std::collections::{BTreeMap, BTreeSet};

use glam::DVec3;

use super::row::{Context, Scope};
use crate::geometry::{Aabb, BoxTree};
use crate::level::{AuthorPoint, LevelData, RoomId};
use crate::lint::findings::Finding;
use crate::problems::ProblemPlace;

/// The causes of a row. All indices refer to the list of findings.
pub(super) struct Causes<'a> {
    scope: Scope,
    findings: &'a [Finding],
    index: Index<'a>,
}

enum Index<'a> {
    All(Vec<usize>),
    ByName(BTreeMap<&'a str, Vec<usize>>),
    ByRoom {
        causes: BTreeMap<RoomId, BTreeSet<usize>>,
        /// The causes that concern the whole level.
        of_level: Vec<usize>,
    },
    ByBox {
        boxes: Vec<(Aabb, usize)>,
        tree: BoxTree,
    },
    ByEvidence(BTreeMap<usize, Vec<usize>>),
}

impl<'a> Causes<'a> {
    pub(super) fn of(
        context: &Context,
        scope: Scope,
        findings: &'a [Finding],
        causes: &[usize],
    ) -> Self {
        let all = causes.iter().map(|&cause| (cause, &findings[cause]));
        let index = match scope {
            Scope::WholeLevel => Index::All(causes.to_vec()),
            Scope::SameNode | Scope::SamePortal => {
                let mut by_name: BTreeMap<&str, Vec<usize>> = BTreeMap::new();
                for (cause, finding) in all.filter(|(_, finding)| !finding.node.is_empty()) {
                    by_name.entry(&finding.node).or_default().push(cause);
                }
                Index::ByName(by_name)
            }
            Scope::SameRooms | Scope::AnyRoom | Scope::EachRoom => {
                let of_level = all.clone().filter(|(_, finding)| finding.is_of_level());
                let of_level = of_level.map(|(cause, _)| cause).collect();
                let of_rooms =
                    all.flat_map(|(cause, finding)| finding.rooms.iter().map(move |r| (*r, cause)));
                Index::ByRoom {
                    causes: by_room(of_rooms),
                    of_level,
                }
            }
            Scope::RoomBehind => {
                let behind =
                    all.filter_map(|(cause, finding)| Some((*finding.rooms.last()?, cause)));
                Index::ByRoom {
                    causes: by_room(behind),
                    of_level: Vec::new(),
                }
            }
            Scope::Within(_)
            | Scope::InColumn(_)
            | Scope::Above(_)
            | Scope::AtOpening(_)
            | Scope::AtPortals(_)
            | Scope::InRoom(_)
            | Scope::Around(_) => {
                let boxes = all.flat_map(|(cause, finding)| {
                    let boxes = boxes(context.level, scope, finding).into_iter();
                    boxes.map(move |bounds| (bounds, cause))
                });
                let boxes: Vec<(Aabb, usize)> = boxes.collect();
                let tree = BoxTree::new(boxes.iter().map(|(bounds, _)| *bounds));
                Index::ByBox { boxes, tree }
            }
            Scope::Evidence => {
                let mut by_evidence: BTreeMap<usize, Vec<usize>> = BTreeMap::new();
                for (cause, finding) in all {
                    for &effect in &finding.evidence {
                        by_evidence.entry(effect).or_default().push(cause);
                    }
                }
                Index::ByEvidence(by_evidence)
            }
        };
        Self {
            scope,
            findings,
            index,
        }
    }

    /// The first cause of an effect that `accepts` accepts.
    pub(super) fn first(&self, effect: usize, accepts: impl Fn(usize) -> bool) -> Option<usize> {
        if let Index::ByEvidence(by_evidence) = &self.index {
            let causes = by_evidence.get(&effect)?;
            return causes.iter().copied().find(|&cause| accepts(cause));
        }
        self.first_of(&self.findings[effect], accepts)
    }

    /// The first accepted cause of a finding, which may be in no list and then has no evidence.
    pub(super) fn first_of(
        &self,
        finding: &Finding,
        accepts: impl Fn(usize) -> bool,
    ) -> Option<usize> {
        let accepted = |causes: &[usize]| causes.iter().copied().find(|&cause| accepts(cause));
        match &self.index {
            Index::All(causes) => accepted(causes),
            Index::ByName(by_name) => {
                let portal = finding.portal.as_deref();
                let name = match self.scope {
                    Scope::SamePortal => portal.unwrap_or(&finding.node),
                    _ => &finding.node,
                };
                accepted(by_name.get(name)?)
            }
            Index::ByRoom { causes, of_level } => {
                let found = self.of_rooms(causes, &finding.rooms, &accepts);
                found.or_else(|| accepted(of_level))
            }
            Index::ByBox { boxes, tree } => {
                let query = self.query(finding.place.as_ref()?)?;
                let mut first = None;
                tree.each_touching(&query, |index| {
                    let (bounds, cause) = boxes[index as usize];
                    let (outer, inner) = match self.scope {
                        Scope::Around(_) => (query, bounds),
                        _ => (bounds, query),
                    };
                    let is_inside = outer.contains(inner.min) && outer.contains(inner.max);
                    if is_inside && first.is_none_or(|known| cause < known) && accepts(cause) {
                        first = Some(cause);
                    }
                });
                first
            }
            Index::ByEvidence(_) => None,
        }
    }

    /// The first accepted cause whose rooms and the effect's `rooms` are related as the scope requires.
    fn of_rooms(
        &self,
        causes: &BTreeMap<RoomId, BTreeSet<usize>>,
        rooms: &[RoomId],
        accepts: &impl Fn(usize) -> bool,
    ) -> Option<usize> {
        let of = |room: &RoomId| {
            let found = causes.get(room).into_iter().flatten();
            found.copied().filter(|&cause| accepts(cause))
        };
        match self.scope {
            Scope::SameRooms => {
                let of_each = rooms.iter().map(|room| causes.get(room));
                let of_each: Option<Vec<&BTreeSet<usize>>> = of_each.collect();
                let of_each = of_each?;
                let fewest = of_each.iter().min_by_key(|causes| causes.len())?;
                let mut fewest = fewest.iter().copied().filter(|&cause| accepts(cause));
                fewest.find(|cause| of_each.iter().all(|causes| causes.contains(cause)))
            }
            Scope::EachRoom => {
                let is_each = rooms.iter().all(|room| of(room).next().is_some());
                let first = rooms.first().filter(|_| is_each)?;
                of(first).next()
            }
            Scope::RoomBehind => of(rooms.first()?).next(),
            _ => rooms.iter().find_map(|room| of(room).next()),
        }
    }

    /// The box of an effect that is looked up in the boxes of the causes, author's coordinates.
    fn query(&self, place: &ProblemPlace) -> Option<Aabb> {
        match self.scope {
            Scope::Within(_) => Some(place.bounds()),
            Scope::Around(distance) => Some(place.extent?.grown(distance)),
            _ => Some(Aabb::around([place.point.0])),
        }
    }
}

fn by_room(pairs: impl Iterator<Item = (RoomId, usize)>) -> BTreeMap<RoomId, BTreeSet<usize>> {
    let mut by_room: BTreeMap<RoomId, BTreeSet<usize>> = BTreeMap::new();
    for (room, cause) in pairs {
        by_room.entry(room).or_default().insert(cause);
    }
    by_room
}

/// The boxes in which a cause hides effects; for [`Scope::Around`], the place of the cause. Author's coordinates.
fn boxes(level: Option<&LevelData>, scope: Scope, finding: &Finding) -> Vec<Aabb> {
    let (level, place) = (level.into_iter(), finding.place.as_ref());
    let in_author = |level: &LevelData, bounds: Aabb| Aabb {
        min: level.to_author(bounds.min).0,
        max: level.to_author(bounds.max).0,
    };
    match scope {
        Scope::Within(distance) => {
            let bounds = place.map(|place| place.extent.unwrap_or_else(|| place.bounds()));
            bounds
                .map(|bounds| bounds.grown(distance))
                .into_iter()
                .collect()
        }
        Scope::Around(_) => {
            let point = place.map(|place| place.point);
            let point = point.map(|AuthorPoint(point)| Aabb::around([point]));
            point.into_iter().collect()
        }
        Scope::InColumn(distance) => {
            let boxes = place.map(|place| [Some(place.bounds()), place.extent]);
            let boxes = boxes.into_iter().flatten().flatten();
            let boxes = boxes.map(|bounds| bounds.grown(distance));
            let column = |Aabb { min, max }| Aabb {
                min: DVec3::with_y(min, f64::NEG_INFINITY),
                max: DVec3::with_y(max, f64::INFINITY),
            };
            boxes.map(column).collect()
        }
        Scope::Above(distance) => {
            let extent = place.and_then(|place| place.extent);
            let Aabb { min, max } = extent.unwrap_or(Aabb::EMPTY).grown(distance);
            let above = extent.map(|_| Aabb {
                min,
                max: max.with_y(f64::INFINITY),
            });
            above.into_iter().collect()
        }
        Scope::AtOpening(distance) => {
            let openings = finding.openings.iter();
            openings.map(|bounds| bounds.grown(distance)).collect()
        }
        Scope::AtPortals(distance) => level
            .flat_map(|level| {
                let portals = finding
                    .rooms
                    .iter()
                    .flat_map(|room| level.portals_of(*room));
                portals.map(|(_, portal)| in_author(level, portal.bounds.grown(distance)))
            })
            .collect(),
        Scope::InRoom(distance) => level
            .flat_map(|level| {
                let first = finding.rooms.first().into_iter();
                first.map(|room| in_author(level, level.room(*room).bounds.grown(distance)))
            })
            .collect(),
        _ => Vec::new(),
    }
}
