//! Floor plans of a level.

use std::collections::BTreeMap;

use glam::{DVec2, DVec3};

use super::labels::place_name;
use super::movers::shapes_of;
use super::outlines::flat;
use super::section::{RoomDrawing, cut_at, cut_room};
use super::shapes::{DrawnShape, Ink, Mark, PlacedProblem, ShapeGeometry, Storey, Subject};
use super::storeys::{Section, StoreyRooms as Heights, find_storeys};
use super::survey::{
    Survey, SurveyedBody, SurveyedLamp, SurveyedMover, SurveyedOpening, SurveyedSpawn,
};
use crate::geometry::Aabb;
use crate::level::Level;
use crate::naming::plain_name;
use crate::parallel::{cores, parallel_map};
use crate::problems::Problem;

/// An opening that ends below the floor of a storey is still shown if it begins at most this far below the floor,
/// metres.
const BELOW_FLOOR: f64 = 0.5;
/// The maximum vertical component of the normal of an upright opening; other openings are hatches.
const UPRIGHT: f64 = 0.7;

/// The floor plans of a level, one for each storey.
#[derive(Clone, Debug, Default)]
pub struct Plan {
    /// The level's name.
    pub name: String,
    /// The storeys, from the lowest up.
    pub storeys: Vec<Storey>,
}

impl Plan {
    /// Draws the plan of a level.
    pub fn of(level: &Level) -> Self {
        Self::of_survey(&Survey::of(level), &[])
    }

    /// Draws the plan of a survey, and marks the problems that have a position with their numbers in the list.
    pub fn of_survey(survey: &Survey, problems: &[Problem]) -> Self {
        let heights = find_storeys(&survey.rooms);
        let contents = StoreyContents::of(survey, &heights);
        let storeys = heights.iter().zip(&contents);
        let storeys = storeys.map(|(here, contents)| draw(survey, here, contents));
        let mut plan = Self {
            name: survey.name.clone(),
            storeys: storeys.collect(),
        };
        for (number, problem) in (1..).zip(problems) {
            if let Some((room, point)) = survey.place_of(problem)
                && let Some(nth) = storey_of(&heights, room, point)
            {
                let at = flat(point);
                plan.storeys[nth]
                    .problems
                    .push(PlacedProblem { number, at });
            }
        }
        plan
    }

    /// Returns the storey that a character stands on in a room, with its feet at a height in level coordinates; `None` if the
    /// plan has no storeys.
    pub fn storey_at(&self, room: u32, feet: f64) -> Option<&Storey> {
        let of_room = self
            .storeys
            .iter()
            .filter(|s| s.rooms.binary_search(&room).is_ok());
        let below = |storey: &&Storey| storey.level_floor <= feet + BELOW_FLOOR;
        let all = || self.storeys.iter();
        let found = of_room.clone().rfind(below).or(of_room.clone().next());
        found.or(all().rfind(below)).or(all().next())
    }
}

/// The storey on which a point of a room is shown.
fn storey_of(heights: &[Heights], room: u32, point: DVec3) -> Option<usize> {
    let of_room = || (0..heights.len()).filter(|nth| heights[*nth].section(room).is_some());
    let below = |nth: &usize| heights[*nth].floor - BELOW_FLOOR <= point.y;
    let found = of_room().rfind(below);
    found.or_else(|| of_room().next())
}

/// A room on a storey.
struct StoreyRoom {
    section: Section,
    cut: RoomDrawing,
    /// The position of the room's name, and the free width and height around it.
    name: Option<(DVec2, DVec2)>,
}

/// Objects that stand on a storey or hang above its floor.
#[derive(Clone, Default)]
struct StoreyContents<'a> {
    movers: Vec<(u32, &'a SurveyedMover)>,
    bodies: Vec<(u32, &'a SurveyedBody)>,
    lamps: Vec<&'a SurveyedLamp>,
    spawns: Vec<&'a SurveyedSpawn>,
}

impl<'a> StoreyContents<'a> {
    /// Collects the objects of each storey.
    fn of(survey: &'a Survey, heights: &[Heights]) -> Vec<Self> {
        let mut all = vec![Self::default(); heights.len()];
        for (index, mover) in (0..).zip(&survey.movers) {
            let bounds = Aabb::around(mover.triangles.iter().flat_map(|t| t.corners));
            let foot = bounds.centre().with_y(bounds.min.y);
            if let (false, Some(nth)) = (bounds.is_empty(), storey_of(heights, mover.room, foot)) {
                all[nth].movers.push((index, mover));
            }
        }
        for (index, body) in (0..).zip(&survey.bodies) {
            if let Some(nth) = storey_of(heights, body.room, body.point) {
                all[nth].bodies.push((index, body));
            }
        }
        for lamp in &survey.lamps {
            if let Some(nth) = storey_of(heights, lamp.room, lamp.point) {
                all[nth].lamps.push(lamp);
            }
        }
        for spawn in &survey.spawns {
            if let Some(nth) = storey_of(heights, spawn.room, spawn.point) {
                all[nth].spawns.push(spawn);
            }
        }
        all
    }
}

fn draw(survey: &Survey, here: &Heights, contents: &StoreyContents) -> Storey {
    // Grouped by room, so that names keep clear of the signs in the room.
    let mut signs: BTreeMap<u32, Vec<DVec2>> = BTreeMap::new();
    let of_lamps = contents.lamps.iter().map(|lamp| (lamp.room, lamp.point));
    let of_spawns = contents
        .spawns
        .iter()
        .map(|spawn| (spawn.room, spawn.point));
    for (room, point) in of_lamps.chain(of_spawns) {
        signs.entry(room).or_default().push(flat(point));
    }
    let cuts = parallel_map(here.standing.len(), cores(), |index| {
        let section = here.standing[index];
        let cut = cut_room(&survey.rooms[section.room as usize].triangles, &section);
        let signs = signs.get(&section.room).map_or(&[][..], Vec::as_slice);
        let name = place_name(&cut.floor, &cut.walls, signs);
        StoreyRoom { section, cut, name }
    });
    let mut shapes = Vec::new();
    draw_rooms(&cuts, &mut shapes);
    draw_voids(survey, here, &mut shapes);
    draw_openings(survey, here, &mut shapes);
    for (index, mover) in &contents.movers {
        shapes.extend(shapes_of(*index, mover));
    }
    for (index, body) in &contents.bodies {
        let subject = Subject::Body(*index);
        shapes.push(DrawnShape::line(Ink::Body, subject, body.outline.clone()));
    }
    for lamp in &contents.lamps {
        let figure = ShapeGeometry::Mark(Mark::Lamp, flat(lamp.point));
        shapes.push(DrawnShape::new(Ink::Lamp, Subject::Other, figure));
    }
    for spawn in &contents.spawns {
        let name = plain_name(&spawn.name).to_owned();
        let figure = ShapeGeometry::Mark(Mark::Spawn(spawn.forward, name), flat(spawn.point));
        shapes.push(DrawnShape::new(Ink::Spawn, Subject::Other, figure));
    }
    draw_names(survey, &cuts, &mut shapes);
    Storey {
        floor: here.floor + survey.origin.y,
        level_floor: here.floor,
        rooms: here.standing.iter().map(|section| section.room).collect(),
        shapes,
        problems: Vec::new(),
    }
}

/// Draws floors, then the edges of objects on them, then walls.
fn draw_rooms(rooms: &[StoreyRoom], shapes: &mut Vec<DrawnShape>) {
    for StoreyRoom { section, cut, .. } in rooms {
        let figure = ShapeGeometry::Area(cut.floor.clone());
        shapes.push(DrawnShape::new(
            Ink::Floor,
            Subject::Room(section.room),
            figure,
        ));
    }
    for ink in [Ink::Edge, Ink::Wall] {
        for StoreyRoom { section, cut, .. } in rooms {
            let is_wall = ink == Ink::Wall;
            let lines = if is_wall { &cut.walls } else { &cut.edges };
            let lines = lines.iter().cloned();
            shapes
                .extend(lines.map(|line| DrawnShape::line(ink, Subject::Room(section.room), line)));
        }
    }
}

/// Draws rooms that have no floor on this storey but extend through it.
fn draw_voids(survey: &Survey, here: &Heights, shapes: &mut Vec<DrawnShape>) {
    let cut = here
        .standing
        .iter()
        .map(|section| section.cut - section.floor);
    let cut = here.floor + cut.fold(0.0, f64::max);
    for (index, room) in (0..).zip(&survey.rooms) {
        let [low, high] = room.heights;
        if !(low..high).contains(&cut) || here.section(index).is_some() {
            continue;
        }
        let lines = cut_at(&room.triangles, cut).into_iter();
        shapes
            .extend(lines.map(|points| DrawnShape::line(Ink::Void, Subject::Room(index), points)));
    }
}

fn draw_openings(survey: &Survey, here: &Heights, shapes: &mut Vec<DrawnShape>) {
    for opening in &survey.openings {
        let bounds = Aabb::around(opening.corners.iter().copied());
        let mut sections = opening.rooms.iter().filter_map(|room| here.section(*room));
        let is_here = sections.any(|section| {
            let low = section.floor - BELOW_FLOOR;
            bounds.min.y <= section.cut && (bounds.max.y > section.floor || bounds.min.y >= low)
        });
        if is_here {
            let subject = Subject::Link(opening.link);
            shapes.push(DrawnShape::line(Ink::Portal, subject, outline(opening)));
        }
    }
}

/// The outline of an opening: its base line if it is upright, the whole polygon if it is a hatch.
fn outline(opening: &SurveyedOpening) -> Vec<DVec2> {
    let points = opening.corners.iter().map(|p| flat(*p));
    if opening.normal.y.abs() > UPRIGHT {
        let mut ring: Vec<_> = points.collect();
        ring.extend(ring.first().copied());
        return ring;
    }
    let along = flat(opening.normal).perp();
    let by = |a: &DVec2, b: &DVec2| a.dot(along).total_cmp(&b.dot(along));
    let ends = [points.clone().min_by(by), points.max_by(by)];
    ends.into_iter().flatten().collect()
}

fn draw_names(survey: &Survey, rooms: &[StoreyRoom], shapes: &mut Vec<DrawnShape>) {
    for StoreyRoom { section, name, .. } in rooms {
        let Some((at, room)) = *name else {
            continue;
        };
        let text = survey.rooms[section.room as usize].name.clone();
        let figure = ShapeGeometry::Name { at, text, room };
        shapes.push(DrawnShape::new(
            Ink::Name,
            Subject::Room(section.room),
            figure,
        ));
    }
}
