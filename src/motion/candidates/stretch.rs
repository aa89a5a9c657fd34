//! A capsule is a sphere that is moved against polygons stretched by its axis.
//!
//! The capsule touches a polygon where its lowest sphere touches the sum of the polygon and the
//! downward axis (H. Minkowski): a prism whose ends are the polygon where it is and moved down by
//! the axis, and whose sides hang down from its edges. Of the ends, the one that the front looks
//! out of is met; of the sides, those under edges that stand out.

use glam::DVec3;

use super::Candidate;
use crate::geometry::{Triangle, comes_before};
use crate::level::EdgeKind;

/// Adds what the lowest sphere of a capsule whose axis is `axis` metres long meets of a polygon:
/// for a sphere the polygon itself.
pub(super) fn push_stretched(polygon: &Candidate, axis: f64, out: &mut Vec<Candidate>) {
    if axis <= 0.0 {
        out.push(*polygon);
        return;
    }
    let down = DVec3::NEG_Y * axis;
    let upright = polygon.normal.y == 0.0 || polygon.two_sided;
    if upright || polygon.normal.y > 0.0 {
        out.push(*polygon);
    }
    if upright || polygon.normal.y < 0.0 {
        out.push(Candidate {
            triangle: Triangle {
                corners: polygon.triangle.corners.map(|p| p + down),
            },
            ..*polygon
        });
    }
    for i in (0..3).filter(|&i| polygon.edges[i] != EdgeKind::Inner) {
        let (a, b) = (
            polygon.triangle.corners[i],
            polygon.triangle.corners[(i + 1) % 3],
        );
        let (a, b) = if comes_before(a, b) { (a, b) } else { (b, a) };
        let quad = [a, b, b + down, a + down];
        for [i, j, k] in [[0, 1, 2], [0, 2, 3]] {
            let triangle = Triangle {
                corners: [quad[i], quad[j], quad[k]],
            };
            // Under an upright edge there is no side, only more of the edge.
            let Some(normal) = triangle.normal() else {
                continue;
            };
            out.push(Candidate {
                triangle,
                normal,
                two_sided: true,
                edges: [EdgeKind::Free; 3],
                surface: polygon.surface,
            });
        }
    }
}
