//! Positions of room names, and of labels beside signs.

use glam::DVec2;

use super::lettering::LETTER;

/// The number of positions tried along each axis of a room's bounding box.
const TRIED: usize = 14;
/// The factor for horizontal distances: names are wider than high, so a wall above or below a name may be nearer by this factor.
const FLATTENED: f64 = 0.35;

/// The factor for distances to signs: signs are small, so a name may be nearer to a sign than to a wall by this factor.
const SIGN: f64 = 3.0;

/// Returns the point in a room that is farthest from its walls and signs, and the free width and height of the room around that
/// point.
pub(super) fn place_name(
    floor: &[[DVec2; 3]],
    walls: &[Vec<DVec2>],
    signs: &[DVec2],
) -> Option<(DVec2, DVec2)> {
    let corners = || floor.iter().flatten().copied();
    let (least, greatest) = (corners().reduce(DVec2::min)?, corners().reduce(DVec2::max)?);
    let size = greatest - least;
    let segments = || walls.iter().flat_map(|line| line.windows(2));
    let mut best: Option<(f64, DVec2)> = None;
    for row in 0..TRIED {
        for column in 0..TRIED {
            let part = DVec2::new(column as f64 + 0.5, row as f64 + 0.5) / TRIED as f64;
            let at = least + size * part;
            if !floor.iter().any(|triangle| covers(triangle, at)) {
                continue;
            }
            let to_box = (at - least).min(greatest - at) * DVec2::new(FLATTENED, 1.0);
            let distances = segments().map(|s| distance(at, [s[0], s[1]]));
            let to_signs = signs.iter().map(|sign| SIGN * distance(at, [*sign; 2]));
            let distances = distances.chain(to_signs);
            let clear = distances.fold(to_box.min_element(), f64::min);
            if best.is_none_or(|(most, _)| clear > most + 1e-6) {
                best = Some((clear, at));
            }
        }
    }
    let (_, at) = best?;
    // The horizontal and vertical distances to the nearest walls, on each side.
    let (mut before, mut after) = (at - least, greatest - at);
    for ends in segments() {
        for (along, across) in [(0, 1), (1, 0)] {
            let (a, b) = (ends[0], ends[1]);
            if (a[across] > at[across]) != (b[across] > at[across]) {
                let part = (at[across] - a[across]) / (b[across] - a[across]);
                let off = a[along] + (b[along] - a[along]) * part - at[along];
                let side = if off < 0.0 { &mut before } else { &mut after };
                side[along] = side[along].min(off.abs());
            }
        }
    }
    Some((at, before.min(after) * 2.0))
}

/// The position of a line of text: a point on the base line, and the part of the text at that point.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct LabelPlace {
    /// The point, in sheet coordinates.
    pub at: DVec2,
    /// The SVG value of `text-anchor`: `start`, `middle` or `end`.
    pub anchor: &'static str,
}

impl LabelPlace {
    /// The least and greatest corner of a text of `letters` letters of height `size`.
    fn bounds(&self, letters: usize, size: f64) -> [DVec2; 2] {
        let width = LETTER * size * letters as f64;
        let before = match self.anchor {
            "start" => 0.0,
            "end" => width,
            _ => width / 2.0,
        };
        let least = self.at - DVec2::new(before, size);
        [least, least + DVec2::new(width, 1.2 * size)]
    }
}

/// Returns the first of `places` at which a text crosses the fewest of `lines`; `None` if there are no places.
pub(super) fn place_label(
    places: &[LabelPlace],
    (letters, size): (usize, f64),
    lines: impl Iterator<Item = [DVec2; 2]> + Clone,
) -> Option<LabelPlace> {
    let crossed = |place: &&LabelPlace| {
        let bounds = place.bounds(letters, size);
        lines.clone().filter(|line| crosses(bounds, *line)).count()
    };
    places.iter().min_by_key(crossed).copied()
}

/// Whether a segment has a point in a rectangle, given by its least and greatest corner.
fn crosses([least, greatest]: [DVec2; 2], [a, b]: [DVec2; 2]) -> bool {
    let along = b - a;
    let (mut enter, mut leave) = (0.0_f64, 1.0_f64);
    for axis in [0, 1] {
        if along[axis] == 0.0 {
            if a[axis] < least[axis] || a[axis] > greatest[axis] {
                return false;
            }
            continue;
        }
        let ends = [least[axis], greatest[axis]].map(|bound| (bound - a[axis]) / along[axis]);
        enter = enter.max(ends[0].min(ends[1]));
        leave = leave.min(ends[0].max(ends[1]));
    }
    enter <= leave
}

fn covers([a, b, c]: &[DVec2; 3], p: DVec2) -> bool {
    let side = |a: DVec2, b: DVec2| (b - a).perp_dot(p - a);
    let sides = [side(*a, *b), side(*b, *c), side(*c, *a)];
    sides.iter().all(|s| *s >= 0.0) || sides.iter().all(|s| *s <= 0.0)
}

/// The distance from a point to a segment, with horizontal distances scaled by `FLATTENED`.
fn distance(p: DVec2, ends: [DVec2; 2]) -> f64 {
    let stretched = |q: DVec2| (q - p) * DVec2::new(FLATTENED, 1.0);
    let [a, b] = ends.map(stretched);
    let along = b - a;
    let part = -a.dot(along) / along.length_squared().max(f64::MIN_POSITIVE);
    (a + along * part.clamp(0.0, 1.0)).length()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_name_of_a_room_with_a_corner_stands_in_its_larger_part() {
        // An L: 10 x 4 m, and 2 x 6 m below its left end.
        let quad = |x0: f64, y0: f64, x1: f64, y1: f64| {
            let [a, b, c, d] = [[x0, y0], [x1, y0], [x1, y1], [x0, y1]].map(DVec2::from);
            [[a, b, c], [a, c, d]]
        };
        let floor = [quad(0.0, 0.0, 10.0, 4.0), quad(0.0, 4.0, 2.0, 10.0)].concat();
        let corners = [
            [0., 0.],
            [10., 0.],
            [10., 4.],
            [2., 4.],
            [2., 10.],
            [0., 10.],
            [0., 0.],
        ];
        let walls = vec![corners.map(DVec2::from).to_vec()];
        let (at, size) = place_name(&floor, &walls, &[]).unwrap();
        assert!(
            (3.0..7.0).contains(&at.x) && (1.0..3.0).contains(&at.y),
            "{at}"
        );
        assert!(size.x > 6.0 && (2.0..=4.0).contains(&size.y), "{size}");
        let (beside, _) = place_name(&floor, &walls, &[at]).unwrap();
        assert!(beside.distance(at) > 0.5, "{beside}");
        assert_eq!(place_name(&[], &walls, &[]), None);
    }

    #[test]
    fn a_label_is_where_it_crosses_the_fewest_lines() {
        let place = |x: f64, anchor| LabelPlace {
            at: DVec2::new(x, 0.0),
            anchor,
        };
        let places = [place(-1.0, "end"), place(1.0, "start")];
        let wall = |x: f64| [DVec2::new(x, -5.0), DVec2::new(x, 5.0)];
        // 4 letters of height 2: 4.48 wide.
        let label = |lines: &[[DVec2; 2]]| place_label(&places, (4, 2.0), lines.iter().copied());
        assert_eq!(label(&[]), Some(places[0]));
        assert_eq!(label(&[wall(-6.0)]), Some(places[0]));
        assert_eq!(label(&[wall(-5.0)]), Some(places[1]));
        assert_eq!(label(&[wall(-5.0), wall(2.0), wall(3.0)]), Some(places[0]));
        let low = [DVec2::new(-9.0, 1.0), DVec2::new(9.0, 1.0)];
        let slanted = [DVec2::new(-6.0, -1.0), DVec2::new(-5.0, 1.0)];
        assert_eq!(label(&[low, slanted]), Some(places[1]));
        assert_eq!(place_label(&[], (4, 2.0), std::iter::empty()), None);
    }
}
