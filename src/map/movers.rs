//! Doors with their swing, and other movers with their paths.

use glam::{DVec2, DVec3};

use super::outlines::{closed, flat, hull};
use super::shapes::{DrawnShape, Ink, Subject};
use super::survey::SurveyedMover;
use crate::geometry::{Aabb, Rigid};
use crate::level::Track;

/// The number of steps along a drawn path.
const STEPS: usize = 24;
/// The minimum length of a path that is drawn in plan view, metres.
const SHORT: f64 = 0.05;
/// The length of an arrow head, metres.
const HEAD: f64 = 0.25;
/// A door lower than this, metres, is a hatch and is not drawn as a panel.
const HATCH: f64 = 0.4;
/// A rotation is drawn as an arc only if the cosine of the angle between its axis and the vertical is greater than
/// this.
const UPRIGHT: f64 = 0.9;

/// Returns the shapes of a mover at its start and of its path.
pub(super) fn shapes_of(index: u32, mover: &SurveyedMover) -> Vec<DrawnShape> {
    let subject = Subject::Mover(index);
    let corners: Vec<DVec3> = mover.triangles.iter().flat_map(|t| t.corners).collect();
    let bounds = Aabb::around(corners.iter().copied());
    let is_panel = mover.is_door && bounds.max.y - bounds.min.y > HATCH;
    let ink = if is_panel { Ink::Door } else { Ink::Mover };
    let outline = |pose: &Rigid| closed(hull(corners.iter().map(|p| flat(pose.point(*p)))));
    let start = outline(&Rigid::IDENTITY);
    if start.is_empty() {
        return Vec::new();
    }
    let middle = start.iter().sum::<DVec2>() / start.len() as f64;
    let mut shapes = vec![DrawnShape::line(ink, subject, start.clone())];
    let mut way = |points: Vec<DVec2>| shapes.push(DrawnShape::line(Ink::Way, subject, points));
    let end = || outline(&mover.track.pose(1.0));
    match &mover.track {
        Track::Vanish => {}
        Track::Turn { pivot, axis, angle } if axis.y.abs() > UPRIGHT => {
            let pivot = flat(*pivot);
            let far = |a: &DVec2, b: &DVec2| a.distance(pivot).total_cmp(&b.distance(pivot));
            let tip = start.iter().copied().max_by(far).unwrap_or(pivot);
            let is_door = mover.is_door;
            // The arrow of a turntable stays inside its outline.
            let from = if is_door { tip } else { pivot.lerp(tip, 0.6) };
            let points = (0..=STEPS).map(|step| {
                // Counter-clockwise seen from above is clockwise with z down.
                let turned = -angle * axis.y.signum() * step as f64 / STEPS as f64;
                let (sin, cos) = libm::sincos(turned);
                pivot + DVec2::new(cos, sin).rotate(from - pivot)
            });
            let points: Vec<DVec2> = points.collect();
            if is_door {
                way(end());
                way(points);
            } else {
                let [a, b] = [points[STEPS - 1], points[STEPS]];
                way(points);
                way(arrow_head(a, b));
            }
        }
        Track::Turn { .. } => way(end()),
        Track::Slide(by) if flat(*by).length() < SHORT => {
            // A lift is drawn with its diagonals.
            for corner in start.iter().skip(1) {
                way(vec![middle, *corner]);
            }
        }
        Track::Slide(by) => {
            let to = middle + flat(*by);
            way(end());
            way(vec![middle, to]);
            way(arrow_head(middle, to));
        }
        Track::Keys(_) => {
            let centre = corners.iter().sum::<DVec3>() / corners.len() as f64;
            let steps = (0..=STEPS).map(|step| step as f64 / STEPS as f64);
            let points = steps.map(|part| flat(mover.track.pose(part).point(centre)));
            let points: Vec<DVec2> = points.collect();
            let length: f64 = points.windows(2).map(|p| p[0].distance(p[1])).sum();
            if length < SHORT {
                for corner in start.iter().skip(1) {
                    way(vec![middle, *corner]);
                }
            } else {
                let last = points.windows(2).rev().find(|p| p[0].distance(p[1]) > 1e-6);
                let head = last.map(|p| arrow_head(p[0], p[1]));
                way(end());
                way(points);
                head.into_iter().for_each(way);
            }
        }
    }
    shapes
}

fn arrow_head(from: DVec2, to: DVec2) -> Vec<DVec2> {
    let back = (from - to).normalize_or_zero() * HEAD;
    let side = back.perp() * 0.4;
    vec![to + back + side, to, to + back - side]
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::geometry::Triangle;

    #[test]
    fn a_door_is_drawn_shut_and_open_with_the_arc_of_its_edge() {
        // 1 m wide, hinged at the origin, opening towards -z (counter-clockwise from above).
        let corners = [
            DVec3::ZERO,
            DVec3::new(1.0, 2.0, 0.0),
            DVec3::new(1.0, 0.0, 0.05),
        ];
        let mover = SurveyedMover {
            room: 0,
            is_door: true,
            triangles: vec![Triangle { corners }],
            track: Track::Turn {
                pivot: DVec3::ZERO,
                axis: DVec3::Y,
                angle: std::f64::consts::FRAC_PI_2,
            },
        };
        let shapes = shapes_of(3, &mover);
        let inks: Vec<Ink> = shapes.iter().map(|shape| shape.ink).collect();
        assert_eq!(inks, [Ink::Door, Ink::Way, Ink::Way]);
        let [least, greatest] = shapes[2].bounds;
        assert!(least.distance(DVec2::new(0.05, -1.0)) < 0.06, "{least}");
        assert!(
            greatest.distance(DVec2::new(1.0, 0.05)) < 0.06,
            "{greatest}"
        );
    }
}
