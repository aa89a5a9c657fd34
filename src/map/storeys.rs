//! Storeys: the rooms that stand on each, and the height at which each room is cut.

use super::survey::SurveyedRoom;
use crate::geometry::Triangle;

/// The minimum cosine of a floor's slope: steeper surfaces do not count as floor.
pub(super) const FLOOR: f64 = 0.5;
/// A floor belongs to a storey if it is less than this above the storey's lowest floor, metres.
const STOREY_HEIGHT: f64 = 2.0;
/// The maximum height difference of floors that form one level of a room, metres.
const SAME_LEVEL: f64 = 0.25;
/// A level of a room counts as floor, not as furniture, if its area is at least this fraction of the area of the room's
/// largest level.
const FLOOR_PART: f64 = 0.25;
/// A room is shown on another storey too if at least this fraction of its floor area is at that storey's height.
const STANDS_PART: f64 = 0.1;
/// The height of the cut above a room's floor, metres: above sills and tables, below lintels. It is not a round height,
/// because edges and the tops of walls lie at round heights.
const CUT: f64 = 1.21;
/// The height of the cut in a low room, as a fraction of the room's height.
const CUT_PART: f64 = 0.6;

/// A storey before it is drawn.
#[derive(Debug)]
pub(super) struct StoreyRooms {
    /// The height of the storey's floor.
    pub(super) floor: f64,
    /// The rooms that stand on the storey, in order of their indices.
    pub(super) standing: Vec<Section>,
}

impl StoreyRooms {
    /// Returns how a room is shown on the storey, if the room stands on it.
    pub(super) fn section(&self, room: u32) -> Option<&Section> {
        let found = self
            .standing
            .binary_search_by_key(&room, |section| section.room);
        found.ok().map(|index| &self.standing[index])
    }
}

/// The heights at which a room is shown on a storey.
#[derive(Clone, Copy, Debug)]
pub(super) struct Section {
    pub(super) room: u32,
    pub(super) floor: f64,
    /// The lower limit of the drawing; lower surfaces are not shown.
    pub(super) from: f64,
    pub(super) cut: f64,
}

/// The floors of a room: horizontal areas by their heights.
struct Floors {
    /// Pairs of height and area, from the lowest level up.
    levels: Vec<(f64, f64)>,
    total: f64,
    top: f64,
}

/// Finds the storeys, from the lowest up.
pub(super) fn find_storeys(rooms: &[SurveyedRoom]) -> Vec<StoreyRooms> {
    let floors: Vec<Floors> = rooms
        .iter()
        .map(|room| Floors::of(&room.triangles))
        .collect();
    let mains = (0..).zip(&floors);
    let mut mains: Vec<(f64, u32)> = mains
        .filter_map(|(room, floors)| Some((floors.main()?, room)))
        .collect();
    mains.sort_by(|a, b| a.0.total_cmp(&b.0).then(a.1.cmp(&b.1)));
    // The heights at which storeys begin.
    let mut bases: Vec<f64> = Vec::new();
    for (main, _) in &mains {
        if bases
            .last()
            .is_none_or(|base| *main >= base + STOREY_HEIGHT)
        {
            bases.push(*main);
        }
    }
    let mut storeys = Vec::new();
    for (nth, base) in bases.iter().enumerate() {
        let range = [base - SAME_LEVEL, base + STOREY_HEIGHT - SAME_LEVEL];
        let end = bases
            .get(nth + 1)
            .map_or(range[1], |next| (next - SAME_LEVEL).min(range[1]));
        let range = [range[0], end];
        let of_storey = mains
            .iter()
            .filter(|(main, _)| (range[0]..range[1]).contains(main));
        let area = |room: u32| floors[room as usize].total;
        let most = of_storey.max_by(|a, b| area(a.1).total_cmp(&area(b.1)));
        let floor = most.map_or(*base, |(main, _)| *main);
        let standing = (0..).zip(&floors);
        let standing = standing.filter_map(|(room, floors)| {
            let main = floors.main()?;
            let own = if (range[0]..range[1]).contains(&main) {
                main
            } else {
                floors.stands_at(range)?
            };
            let below = floors.highest_below(range[0]);
            let height = floors.top - own;
            Some(Section {
                room,
                floor: own,
                // Stairs continue at the height at which the storey below cuts them.
                from: below.map_or(f64::NEG_INFINITY, |below| below + CUT),
                cut: own + CUT.min(height * CUT_PART),
            })
        });
        storeys.push(StoreyRooms {
            floor,
            standing: standing.collect(),
        });
    }
    storeys
}

impl Floors {
    fn of(triangles: &[Triangle]) -> Self {
        let mut found: Vec<(f64, f64)> = Vec::new();
        let mut top = f64::NEG_INFINITY;
        for triangle in triangles {
            let cross = triangle.cross();
            top = triangle.corners.iter().fold(top, |top, p| top.max(p.y));
            if cross.y > FLOOR * cross.length() {
                let height = triangle.corners.iter().map(|p| p.y).sum::<f64>() / 3.0;
                found.push((height, 0.5 * cross.y));
            }
        }
        found.sort_by(|a, b| a.0.total_cmp(&b.0));
        let total = found.iter().map(|(_, area)| area).sum();
        let mut levels: Vec<(f64, f64)> = Vec::new();
        for (height, area) in found {
            match levels.last_mut() {
                Some((level, all)) if height - *level < SAME_LEVEL => *all += area,
                _ => levels.push((height, area)),
            }
        }
        Self { levels, total, top }
    }

    /// The height of the lowest level that counts as floor.
    fn main(&self) -> Option<f64> {
        let areas = self.levels.iter().map(|(_, area)| *area);
        let most = areas.fold(0.0, f64::max);
        let mut levels = self.levels.iter();
        let main = levels.find(|(_, area)| *area >= most * FLOOR_PART && *area > 0.0);
        main.map(|(height, _)| *height)
    }

    /// The height of the largest level in a range, if the room stands on that level.
    fn stands_at(&self, [from, to]: [f64; 2]) -> Option<f64> {
        let levels = self.levels.iter();
        let inside = levels.filter(|(height, _)| (from..to).contains(height));
        let most = inside.max_by(|a, b| a.1.total_cmp(&b.1))?;
        (most.1 >= self.total * STANDS_PART).then_some(most.0)
    }

    /// The height of the room's main floor, if that is below a given height.
    fn highest_below(&self, height: f64) -> Option<f64> {
        let main = self.main()?;
        (main < height).then_some(main)
    }
}
