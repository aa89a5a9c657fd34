//! The ground in plan view: polygons flat enough to walk on, the point that supports a body, and the edges at
//! which a path leaves the ground.

use glam::DVec3;

use super::NearbyPolygons;
use crate::collision::Solid;
use crate::collision::{Candidate, SurfaceResponse};
use crate::geometry::{closest_on_segment, comes_before};
use crate::motion::body::StepSettings;
use crate::motion::tuning::*;

/// The section of a path over one ground polygon.
#[derive(Clone, Copy, Debug)]
pub(in crate::motion) struct Span {
    /// The start and end of the section, metres along the path in plan view.
    pub ends: [f64; 2],
    /// The height of the polygon's plane at the start of the path, metres.
    height: f64,
    /// The rise of the polygon along the path, metres per metre.
    rise: f64,
}

/// The point of the ground that supports a body that has walked `walked` metres in this tick: the nearest point in
/// plan view, if it is near enough to support the body.
pub(in crate::motion) fn foot(
    near: &NearbyPolygons,
    step_settings: &StepSettings,
    centre: DVec3,
    walked: f64,
) -> Option<DVec3> {
    let radius = near.radius();
    let fallen = walked * sine(step_settings.ground_y()) / step_settings.ground_y();
    let points = grounds(near, step_settings).filter_map(|ground| {
        let point = ground.nearest(centre);
        let below = centre.y - point.y;
        let off = flat(centre - point).length();
        let deepest = radius / ground.normal.y + SKIN * radius + fallen;
        let bears = below > 0.0
            && below <= deepest
            && off <= slip_off(ground.surface, step_settings, radius);
        bears.then_some((off, point))
    });
    let key = |&(off, point): &(f64, DVec3)| [off, -point.y, point.x, point.z];
    let nearest = points.reduce(|a, b| if key(&b) < key(&a) { b } else { a });
    nearest.map(|(_, point)| point)
}

/// The distance beyond an edge of the surface at which the edge no longer supports a body, in metres. It is measured
/// to the body's centre.
pub(in crate::motion) fn slip_off(
    surface: SurfaceResponse,
    step_settings: &StepSettings,
    radius: f64,
) -> f64 {
    let by_friction = surface.friction / (1.0 + surface.friction * surface.friction).sqrt();
    let sine = by_friction.min(sine(step_settings.max_slope_cos));
    (sine + STEP_OVER) * radius
}

/// The length of the horizontal part of a unit vector, from its upward part.
pub(in crate::motion) fn sine(upward: f64) -> f64 {
    (1.0 - upward * upward).sqrt()
}

/// A polygon that is flat enough to walk on.
pub(in crate::motion) struct Ground {
    corner: DVec3,
    /// Unit normal, upwards.
    normal: DVec3,
    sides: [GroundEdge; 3],
    surface: SurfaceResponse,
}

/// An edge of a ground polygon in plan view.
#[derive(Clone, Copy, Debug)]
pub(in crate::motion) struct GroundEdge {
    /// The ends of the edge, at height 0.
    ends: [DVec3; 2],
    /// Horizontal unit vector out of the polygon.
    pub out: DVec3,
    pub surface: SurfaceResponse,
    pub solid: Solid,
}

pub(in crate::motion) fn grounds(
    near: &NearbyPolygons,
    step_settings: &StepSettings,
) -> impl Iterator<Item = Ground> {
    let least_y = step_settings.ground_y();
    near.candidates
        .found()
        .filter_map(move |candidate| Ground::of(candidate, least_y))
}

impl Ground {
    fn of(candidate: &Candidate, least_y: f64) -> Option<Self> {
        let normal = if candidate.two_sided && candidate.normal.y < 0.0 {
            -candidate.normal
        } else {
            candidate.normal
        };
        if normal.y < least_y {
            return None;
        }
        let corners = candidate.triangle.corners;
        let side = |i: usize| {
            let [a, b, third] = [0, 1, 2].map(|k| flat(corners[(i + k) % 3]));
            // Bit-identical for both polygons that share the edge.
            let (a, b) = if comes_before(a, b) { (a, b) } else { (b, a) };
            let along = (b - a).try_normalize()?;
            let across = DVec3::new(along.z, 0.0, -along.x);
            let out = if (third - a).dot(across) < 0.0 {
                across
            } else {
                -across
            };
            Some(GroundEdge {
                ends: [a, b],
                out,
                surface: candidate.surface,
                solid: candidate.solid,
            })
        };
        Some(Self {
            corner: corners[0],
            normal,
            sides: [side(0)?, side(1)?, side(2)?],
            surface: candidate.surface,
        })
    }

    /// The height of the polygon's plane at a point in plan view.
    fn height(&self, point: DVec3) -> f64 {
        self.corner.y - flat(point - self.corner).dot(self.normal) / self.normal.y
    }

    /// Whether the polygon contains a point in plan view, grown by `margin` metres.
    fn covers(&self, point: DVec3, margin: f64) -> bool {
        self.sides.iter().all(|side| side.beyond(point) <= margin)
    }

    /// The point of the polygon nearest to `point` in plan view.
    fn nearest(&self, point: DVec3) -> DVec3 {
        let mut nearest = flat(point);
        if !self.covers(point, 0.0) {
            let on_sides = self.sides.map(|side| side.nearest(point));
            let key = |p: &DVec3| [(*p - flat(point)).length(), p.x, p.z];
            let least = |a, b| if key(&b) < key(&a) { b } else { a };
            nearest = on_sides.into_iter().fold(on_sides[0], least);
        }
        nearest.with_y(self.height(nearest))
    }

    /// The section of the path from `from` along the unit vector `way` that is over the polygon; `None` if there is
    /// none. `margin` (metres) is the tolerance at the edges where the path enters.
    pub(in crate::motion) fn span(&self, from: DVec3, way: DVec3, margin: f64) -> Option<Span> {
        let mut ends = [f64::NEG_INFINITY, f64::INFINITY];
        for side in &self.sides {
            let (beyond, outwards) = (side.beyond(from), side.out.dot(way));
            if outwards < -ALONG_EDGE {
                ends[0] = ends[0].max((beyond - margin) / -outwards);
            } else if beyond > margin {
                return None;
            } else if outwards > ALONG_EDGE {
                // No margin here: it would make a foot on the edge creep outwards.
                ends[1] = ends[1].min((-beyond).max(0.0) / outwards);
            }
        }
        let span = Span {
            ends,
            height: self.height(from),
            rise: -self.normal.dot(way) / self.normal.y,
        };
        (ends[0] <= ends[1]).then_some(span)
    }
}

impl Span {
    /// The greatest height of the section on the first `length` metres of the path.
    pub(in crate::motion) fn highest_on(&self, length: f64) -> f64 {
        let ends = self.ends.map(|end| self.at(end.clamp(0.0, length)));
        ends[0].max(ends[1])
    }

    pub(in crate::motion) fn at(&self, at: f64) -> f64 {
        self.height + self.rise * at
    }
}

impl GroundEdge {
    /// The distance of a point beyond the line of the edge in plan view, metres.
    fn beyond(&self, point: DVec3) -> f64 {
        flat(point - self.ends[0]).dot(self.out)
    }

    fn nearest(&self, point: DVec3) -> DVec3 {
        closest_on_segment(self.ends[0], self.ends[1], flat(point))
    }
}

/// The greatest height of the sections at a position along the path.
pub(in crate::motion) fn highest<'a>(spans: impl Iterator<Item = &'a Span>, at: f64) -> f64 {
    spans.fold(f64::NEG_INFINITY, |most, span| most.max(span.at(at)))
}

/// The edge at which a path leaves the ground at `point`. If several edges meet there, an edge with no ground beyond
/// it is preferred.
pub(in crate::motion) fn edge_at(
    near: &NearbyPolygons,
    step_settings: &StepSettings,
    point: DVec3,
    way: DVec3,
    radius: f64,
) -> Option<GroundEdge> {
    let (nearby, level) = (TOUCH * radius, STEP_GAIN * radius);
    let here =
        || grounds(near, step_settings).filter(|g| (g.height(point) - point.y).abs() <= level);
    let sides = here().flat_map(|ground| ground.sides);
    let left = sides.filter(|side| {
        let off = (side.nearest(point) - flat(point)).length();
        side.out.dot(way) > ALONG_EDGE && off <= 4.0 * nearby
    });
    let key = |side: &GroundEdge| {
        // A test point beyond the edge, near `point` but off the corner.
        let middle = (side.ends[0] + side.ends[1]) * 0.5 - flat(point);
        let next = point + middle.clamp_length_max(0.1 * level) + side.out * (0.01 * level);
        let goes_on = here().any(|ground| ground.covers(next, nearby));
        [f64::from(u8::from(goes_on)), side.out.x, side.out.z]
    };
    let left = left.map(|side| ((key(&side), side.solid), side));
    left.reduce(|a, b| if b.0 < a.0 { b } else { a })
        .map(|(_, side)| side)
}

/// The horizontal part of a vector.
pub(in crate::motion) fn flat(v: DVec3) -> DVec3 {
    DVec3::new(v.x, 0.0, v.z)
}
