//! Closed shapes, for rooms and blocks.

use glam::{DVec2, DVec3};

use super::BuilderError;
use super::mend::{mend, open_edge};
use super::polygon::{FlatFace, Loop, TOLERANCE, edges, normal_of};
use crate::geometry::Rigid;

/// A coordinate larger than this is a mistake; metres.
const MAX_COORDINATE: f64 = 1e9;

/// A closed shape with flat faces: the inside of a room or the outside of a block. Coordinates are the author's, in
/// metres.
#[derive(Clone, Debug, PartialEq)]
pub struct BuilderShape {
    faces: Vec<Loop>,
}

impl BuilderShape {
    /// The box between two corners.
    pub fn cuboid(min: DVec3, max: DVec3) -> Self {
        let outline = [
            DVec2::new(min.x, min.z),
            DVec2::new(min.x, max.z),
            DVec2::new(max.x, max.z),
            DVec2::new(max.x, min.z),
        ];
        Self::prism(&outline, min.y, max.y)
    }

    /// An upright prism over an outline in plan view, `(x, z)`. The outline may be in either order, and concave.
    pub fn prism(outline: &[DVec2], bottom: f64, top: f64) -> Self {
        let at = |y: f64| outline.iter().map(|p| DVec3::new(p.x, y, p.y)).collect();
        Self::between(at(bottom), at(top))
    }

    /// The extrusion of a flat polygon, which may be concave, by the vector `by`. Example: a gable roof, extruded along
    /// its ridge.
    pub fn extrusion(profile: &[DVec3], by: DVec3) -> Self {
        let end = profile.iter().map(|p| *p + by).collect();
        Self::between(profile.to_vec(), end)
    }

    /// A closed surface of flat polygons, which may be concave. All fronts face outwards, or all inwards.
    pub fn polygons(faces: Vec<Vec<DVec3>>) -> Self {
        Self { faces }
    }

    /// A block of stairs. `foot` is the midpoint of the lower edge of the first riser; `top` is the midpoint of the far
    /// edge of the last tread, which is level with the upper floor.
    pub fn stairs(foot: DVec3, top: DVec3, width: f64, steps: u32) -> Self {
        let steps = steps.max(1);
        let at = |along: u32, up: u32| {
            let part = |k: u32| f64::from(k) / f64::from(steps);
            let mut p = foot.lerp(top, part(along));
            p.y = foot.y + (top.y - foot.y) * part(up);
            p
        };
        let mut profile = vec![at(0, 0)];
        for step in 0..steps {
            profile.extend([at(step, step + 1), at(step + 1, step + 1)]);
        }
        profile.push(at(steps, 0));
        Self::upright(profile, foot, top, width)
    }

    /// A wedge. `foot` is the midpoint of its lower edge, and `top` is the midpoint of its upper edge.
    pub fn ramp(foot: DVec3, top: DVec3, width: f64) -> Self {
        let below = DVec3::new(top.x, foot.y, top.z);
        Self::upright(vec![foot, top, below], foot, top, width)
    }

    /// The shape, rotated and translated.
    #[must_use]
    pub fn moved(mut self, by: &Rigid) -> Self {
        for corner in self.faces.iter_mut().flatten() {
            *corner = by.point(*corner);
        }
        self
    }

    /// The extrusion of a profile in the vertical plane through `foot` and `top`, by half the width to each side.
    fn upright(profile: Vec<DVec3>, foot: DVec3, top: DVec3, width: f64) -> Self {
        let across = DVec3::new(top.x - foot.x, 0.0, top.z - foot.z).cross(DVec3::Y);
        let length = across.length();
        let across = if length > 0.0 {
            across / length * width
        } else {
            DVec3::ZERO
        };
        let half = 0.5 * across;
        let profile: Vec<DVec3> = profile.into_iter().map(|p| p - half).collect();
        Self::extrusion(&profile, across)
    }

    /// The shape that consists of two equal polygons and the sides that connect them.
    fn between(start: Loop, end: Loop) -> Self {
        let sides = edges(&start).zip(edges(&end));
        let mut faces: Vec<Loop> = sides.map(|((a, b), (c, d))| vec![a, b, d, c]).collect();
        faces.push(start.into_iter().rev().collect());
        faces.push(end);
        Self { faces }
    }

    /// The faces of the shape, with fronts outwards, or inwards if `inwards`. Errors name `node`.
    pub(super) fn faces(&self, node: &str, inwards: bool) -> Result<Vec<FlatFace>, BuilderError> {
        let mut loops = self.faces.clone();
        let node = || node.to_owned();
        let is_odd = |p: &DVec3| !p.is_finite() || p.abs().max_element() > MAX_COORDINATE;
        if loops.iter().flatten().any(is_odd) {
            return Err(BuilderError::NonFinite { node: node() });
        }
        mend(loops.iter_mut());
        for polygon in &loops {
            let normal = normal_of(polygon);
            let first = polygon.first().copied().unwrap_or_default();
            let off = |p: &DVec3| normal.dot(*p - first).abs() > 1e-4;
            if normal == DVec3::ZERO || polygon.iter().any(off) {
                return Err(BuilderError::BentFace {
                    node: node(),
                    at: first,
                });
            }
        }
        if let Some([from, to]) = open_edge(loops.iter()) {
            return Err(BuilderError::OpenShape {
                node: node(),
                from,
                to,
            });
        }
        let volume = volume(&loops);
        if volume.abs() < TOLERANCE {
            return Err(BuilderError::NoVolume { node: node() });
        }
        if (volume < 0.0) != inwards {
            loops.iter_mut().for_each(|polygon| polygon.reverse());
        }
        Ok(loops.into_iter().map(FlatFace::new).collect())
    }
}

/// The enclosed volume, cubic metres; negative if the fronts face inwards.
fn volume(loops: &[Loop]) -> f64 {
    let origin = loops.iter().flatten().next().copied().unwrap_or_default();
    let cones = loops.iter().flat_map(|polygon| {
        let first = polygon[0];
        edges(polygon).map(move |(a, b)| (first - origin).dot((a - origin).cross(b - origin)))
    });
    cones.sum::<f64>() / 6.0
}
