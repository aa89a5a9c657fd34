//! Active edges: the edges of a mesh that a sphere outside of it can touch before it touches a face.

use glam::DVec3;

use super::sorting::in_buckets;

/// Neighbours that bend away by less than this, in radians, count as flat. A sphere then comes nearer to the edge by
/// an eighth of this angle squared times its radius: a billionth of the radius.
const FLAT: f64 = 1e-4;

/// An edge is acute if the cosine between the front normals of its two triangles is below this. The value is slightly
/// below that of a right angle, for rounding.
const ACUTE: f64 = -1e-4;

/// An edge shared by more triangles than this counts as a boundary edge. So many triangles share an edge only in
/// malformed files, and pairing them would take too long.
const MAX_AT_AN_EDGE: usize = 16;

/// The role of an edge of a solid triangle in contacts with a sphere outside of the mesh.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum EdgeKind {
    /// Boundary of an open surface: no neighbour shares the edge.
    #[default]
    Boundary,
    /// Convex: the neighbour bends away, so a sphere that leaves this triangle's plane can touch the edge. Only one
    /// of the two triangles has the active edge, so that it is tested once. An acute edge is active in both
    /// triangles, because a sphere may be nearest to it in front of one triangle and behind the other.
    Convex,
    /// Never tested for this triangle. Either the surface continues flat or bends towards the front, so that the
    /// faces are touched first; or the neighbour has the active edge.
    Internal,
}

/// The data of a solid triangle that the classification of edges needs.
#[derive(Clone, Copy, Debug)]
pub(crate) struct EdgeFacet {
    corners: [DVec3; 3],
    /// The direction of the front normal, of any length.
    normal: DVec3,
    /// Whether the back is solid too.
    two_sided: bool,
}

impl EdgeFacet {
    pub(crate) fn new(corners: [DVec3; 3], two_sided: bool) -> Self {
        let [a, b, c] = corners;
        Self {
            corners,
            normal: (b - a).cross(c - a),
            two_sided,
        }
    }

    /// The ends of edge `i`.
    pub(crate) fn ends(&self, i: usize) -> [DVec3; 2] {
        [self.corners[i], self.corners[(i + 1) % 3]]
    }
}

/// The kinds of the edges of all triangles; index `i` has the edge from corner `i` to corner `i + 1`. `corners`
/// contains the corner indices of each facet, all less than `points`.
pub(super) fn edge_kinds(
    points: usize,
    corners: &[[u32; 3]],
    facets: &[EdgeFacet],
) -> Vec<[EdgeKind; 3]> {
    let mut kinds = vec![[EdgeKind::Boundary; 3]; corners.len()];
    // Both ends of an edge (the smaller index first), and the edge's triangle and index in it.
    let mut edges: Vec<(u64, u32)> = Vec::with_capacity(corners.len() * 3);
    for (index, &[a, b, c]) in (0u32..).zip(corners) {
        for (i, (a, b)) in (0..).zip([(a, b), (b, c), (c, a)]) {
            let key = u64::from(a.min(b)) << 32 | u64::from(a.max(b));
            edges.push((key, index * 4 + i));
        }
    }
    let edges = in_buckets(&edges, points, |&(key, _)| (key >> 32) as u32);
    for shared in edges.chunk_by(|a, b| a.0 == b.0) {
        if shared.len() > MAX_AT_AN_EDGE {
            continue;
        }
        for &(_, of) in shared {
            let (t, i) = ((of / 4) as usize, (of % 4) as usize);
            for &(_, neighbour) in shared {
                let (n, j) = ((neighbour / 4) as usize, (neighbour % 4) as usize);
                let is_other_way_round = corners[n][j] != corners[t][i];
                if n == t || !is_other_way_round {
                    continue;
                }
                let kind = kind_between((&facets[t], i), (&facets[n], j));
                let is_alone = shared.len() == 2 && !is_acute(&facets[t], &facets[n]);
                let is_neighbours = kind == EdgeKind::Convex && is_alone && n < t;
                if kind == EdgeKind::Internal || is_neighbours {
                    kinds[t][i] = EdgeKind::Internal;
                } else if kinds[t][i] == EdgeKind::Boundary {
                    kinds[t][i] = kind;
                }
            }
        }
    }
    kinds
}

/// Whether the convex edge between two triangles is acute.
fn is_acute(t: &EdgeFacet, n: &EdgeFacet) -> bool {
    let lengths = (t.normal.length_squared() * n.normal.length_squared()).sqrt();
    t.normal.dot(n.normal) < ACUTE * lengths
}

/// The kind of edge `i` of the triangle `t` if `n` is its only neighbour there, whose edge `j` is the same edge reversed.
pub(crate) fn kind_between((t, i): (&EdgeFacet, usize), (n, j): (&EdgeFacet, usize)) -> EdgeKind {
    // A neighbour that is solid only from the front does not cover this triangle's back.
    if t.two_sided && !n.two_sided {
        return EdgeKind::Boundary;
    }
    match bend(t, i, n, j) {
        Bend::Flat => EdgeKind::Internal,
        _ if t.two_sided => EdgeKind::Boundary,
        Bend::ToFront => EdgeKind::Internal,
        Bend::Away => EdgeKind::Convex,
    }
}

/// Encodes three kinds as a number below [`super::EDGE_CODES`].
pub(super) fn encode([a, b, c]: [EdgeKind; 3]) -> u8 {
    a as u8 + 3 * b as u8 + 9 * c as u8
}

/// Decodes three kinds from their number.
pub(super) fn decode(code: u8) -> [EdgeKind; 3] {
    const KINDS: [EdgeKind; 3] = [EdgeKind::Boundary, EdgeKind::Convex, EdgeKind::Internal];
    [code % 3, code / 3 % 3, code / 9 % 3].map(|digit| KINDS[usize::from(digit)])
}

/// The direction in which a neighbour bends at an edge.
enum Bend {
    Flat,
    ToFront,
    Away,
}

/// The bend of the triangle `n` at edge `i` of the triangle `t`; edge `j` of `n` is the same edge reversed.
fn bend(t: &EdgeFacet, i: usize, n: &EdgeFacet, j: usize) -> Bend {
    let [a, b] = t.ends(i);
    let along = b - a;
    // The vector from the edge to the neighbour's opposite corner, and its component towards the front. Both are
    // scaled, which changes no angle and avoids square roots.
    let far = n.corners[(j + 2) % 3] - a;
    let across = far * along.length_squared() - along * far.dot(along);
    let towards_front = across.dot(t.normal);
    let slack_squared = FLAT * FLAT * across.length_squared() * t.normal.length_squared();
    let is_within_slack = towards_front * towards_front <= slack_squared;
    if is_within_slack && t.normal.dot(n.normal) > 0.0 {
        Bend::Flat
    } else if towards_front > 0.0 && !is_within_slack {
        Bend::ToFront
    } else {
        Bend::Away
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The kinds of the edges of triangles of some points.
    fn kinds(points: &[DVec3], corners: &[[u32; 3]], two_sided: bool) -> Vec<[EdgeKind; 3]> {
        let facets = corners
            .iter()
            .map(|corners| EdgeFacet::new(corners.map(|i| points[i as usize]), two_sided));
        edge_kinds(points.len(), corners, &facets.collect::<Vec<_>>())
    }

    /// The kinds of the edge from (0,0,0) to (0,0,1) in the two triangles that share it. One triangle lies in the
    /// floor towards -x, the other one has the corner `far`; both fronts face up.
    fn over_an_edge(far: DVec3) -> [EdgeKind; 2] {
        let points = [DVec3::ZERO, DVec3::Z, DVec3::NEG_X, far];
        let triangles = [[0, 2, 1], [0, 1, 3]];
        let found = kinds(&points, &triangles, false);
        assert_eq!(found[0][0], EdgeKind::Boundary);
        [found[0][2], found[1][0]]
    }

    /// The first triangle has the active edge.
    const RIDGE: [EdgeKind; 2] = [EdgeKind::Convex, EdgeKind::Internal];

    #[test]
    fn flat_and_hollow_edges_are_inner_and_ridges_are_convex() {
        assert_eq!(over_an_edge(DVec3::X), [EdgeKind::Internal; 2]);
        assert_eq!(
            over_an_edge(DVec3::new(1.0, 1.0, 0.0)),
            [EdgeKind::Internal; 2]
        );
        assert_eq!(over_an_edge(DVec3::new(1.0, -1.0, 0.0)), RIDGE);
        // A ridge with a tiny angle counts as flat, and an acute groove as a groove.
        assert_eq!(
            over_an_edge(DVec3::new(1.0, -5e-5, 0.0)),
            [EdgeKind::Internal; 2]
        );
        assert_eq!(
            over_an_edge(DVec3::new(-1.0, 0.1, 0.0)),
            [EdgeKind::Internal; 2]
        );
    }

    #[test]
    fn an_acute_edge_belongs_to_both_triangles() {
        let down = |x: f64| over_an_edge(DVec3::new(x, -1.0, 0.0));
        for x in [1.0, 0.1, 0.0, 1e-5] {
            assert_eq!(down(x), RIDGE, "{x}");
        }
        for x in [-1e-3, -0.1, -1.0, -100.0] {
            assert_eq!(down(x), [EdgeKind::Convex; 2], "{x}");
        }
        let blade = over_an_edge(DVec3::new(-1.0, -2e-4, 0.0));
        assert_eq!(blade, [EdgeKind::Convex; 2]);
    }

    #[test]
    fn a_sheet_solid_from_both_sides_has_no_hollow_edges() {
        let points = [
            DVec3::ZERO,
            DVec3::Z,
            DVec3::NEG_X,
            DVec3::new(1.0, 1.0, 0.0),
        ];
        let found = kinds(&points, &[[0, 2, 1], [0, 1, 3]], true);
        assert_eq!([found[0][2], found[1][0]], [EdgeKind::Boundary; 2]);
    }

    #[test]
    fn triangles_that_lie_on_each_other_share_nothing() {
        // The same triangle twice, then once more reversed.
        let points = [DVec3::ZERO, DVec3::Z, DVec3::X];
        let found = kinds(&points, &[[0, 1, 2], [0, 1, 2]], false);
        assert_eq!(found, [[EdgeKind::Boundary; 3]; 2]);
        let found = kinds(&points, &[[0, 1, 2], [0, 2, 1]], false);
        assert_eq!(found, [[EdgeKind::Convex; 3]; 2]);
    }
}
