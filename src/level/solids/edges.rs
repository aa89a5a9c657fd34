//! Which edges of a mesh a sphere outside of it can meet before it meets a face.

use glam::{DVec3, Vec3};

/// Neighbours that bend away by less than this, radians, are one surface: a sphere that takes them
/// for flat comes nearer to their edge by an eighth of the square of it, a billionth of its
/// radius.
const FLAT: f64 = 1e-4;

/// Edges shared by more triangles than this are all taken for free: so many do not meet in one
/// edge but in malformed files, and pairing them would take forever.
const MOST_AT_AN_EDGE: usize = 16;

/// What an edge of a solid triangle is to a sphere outside of the mesh.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum EdgeKind {
    /// No neighbour shares it: the rim of a sheet.
    #[default]
    Free,
    /// A neighbour bends away there and leaves the edge to this triangle, so that it is looked at
    /// once: it can be met also by a sphere that leaves this triangle's plane.
    Convex,
    /// Never met here: the surface goes on flat or bends towards the front, so that the faces are
    /// met before, or the edge is the neighbour's.
    Inner,
}

/// The kinds of the edges of all triangles: the one from corner `i` to corner `i + 1` at `i`.
/// `two_sided` tells of each triangle whether it is solid from behind.
pub(super) fn edge_kinds(
    points: &[Vec3],
    triangles: &[[u32; 3]],
    two_sided: &[bool],
) -> Vec<[EdgeKind; 3]> {
    let mut kinds = vec![[EdgeKind::Free; 3]; triangles.len()];
    // Both ends of an edge, the lesser first, then its triangle and place there.
    let mut edges: Vec<(u64, u32)> = Vec::with_capacity(triangles.len() * 3);
    for (index, corners) in (0u32..).zip(triangles) {
        for i in 0..3 {
            let (a, b) = (corners[i], corners[(i + 1) % 3]);
            let key = u64::from(a.min(b)) << 32 | u64::from(a.max(b));
            edges.push((key, index * 4 + i as u32));
        }
    }
    edges.sort_unstable();
    for shared in edges.chunk_by(|a, b| a.0 == b.0) {
        if shared.len() > MOST_AT_AN_EDGE {
            continue;
        }
        for &(_, of) in shared {
            let (t, i) = ((of / 4) as usize, (of % 4) as usize);
            let corners = |t: usize| triangles[t].map(|p| points[p as usize].as_dvec3());
            for &(_, neighbour) in shared {
                let (n, j) = ((neighbour / 4) as usize, (neighbour % 4) as usize);
                let is_other_way_round = triangles[n][j] != triangles[t][i];
                if n == t || !is_other_way_round {
                    continue;
                }
                let kind =
                    kind_between((corners(t), i, two_sided[t]), (corners(n), j, two_sided[n]));
                let is_neighbours = kind == EdgeKind::Convex && shared.len() == 2 && n < t;
                if kind == EdgeKind::Inner || is_neighbours {
                    kinds[t][i] = EdgeKind::Inner;
                } else if kinds[t][i] == EdgeKind::Free {
                    kinds[t][i] = kind;
                }
            }
        }
    }
    kinds
}

/// What edge `i` of the triangle `t` is, if `n` is the only neighbour there, with its edge `j` the
/// other way round; each with its corners, and whether it is solid from behind.
pub(in crate::level) fn kind_between(
    (t, i, two_sided): ([DVec3; 3], usize, bool),
    (n, j, neighbour_two_sided): ([DVec3; 3], usize, bool),
) -> EdgeKind {
    // A neighbour that is solid from the front alone does not shield the back.
    if two_sided && !neighbour_two_sided {
        return EdgeKind::Free;
    }
    match bend(t, i, n, j) {
        Bend::Flat => EdgeKind::Inner,
        _ if two_sided => EdgeKind::Free,
        Bend::ToFront => EdgeKind::Inner,
        Bend::Away => EdgeKind::Convex,
    }
}

/// Three kinds as a number below [`super::EDGE_CODES`].
pub(super) fn encode([a, b, c]: [EdgeKind; 3]) -> u8 {
    a as u8 + 3 * b as u8 + 9 * c as u8
}

/// The kinds from their number.
pub(super) fn decode(code: u8) -> [EdgeKind; 3] {
    const KINDS: [EdgeKind; 3] = [EdgeKind::Free, EdgeKind::Convex, EdgeKind::Inner];
    [code % 3, code / 3 % 3, code / 9 % 3].map(|digit| KINDS[usize::from(digit)])
}

/// How a neighbour goes on from an edge.
enum Bend {
    Flat,
    ToFront,
    Away,
}

/// How the triangle `n` goes on from edge `i` of the triangle `t`, its own edge `j` the other way
/// round.
fn bend(t: [DVec3; 3], i: usize, n: [DVec3; 3], j: usize) -> Bend {
    let (a, b) = (t[i], t[(i + 1) % 3]);
    let along = (b - a).normalize_or_zero();
    let normal = (t[1] - t[0]).cross(t[2] - t[0]).normalize_or_zero();
    let other_normal = (n[1] - n[0]).cross(n[2] - n[0]).normalize_or_zero();
    // The neighbour's far corner across the edge, and how far that is towards the front.
    let far = n[(j + 2) % 3] - a;
    let across = far - along * far.dot(along);
    let towards_front = across.dot(normal);
    let slack = FLAT * across.length();
    if towards_front.abs() <= slack && normal.dot(other_normal) > 0.0 {
        Bend::Flat
    } else if towards_front > slack {
        Bend::ToFront
    } else {
        Bend::Away
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Two triangles over the edge from (0,0,0) to (0,0,1): one to -x in the floor, one to the
    /// corner given, both with their fronts up.
    fn over_an_edge(far: Vec3) -> [EdgeKind; 2] {
        let points = [Vec3::ZERO, Vec3::Z, Vec3::NEG_X, far];
        let triangles = [[0, 2, 1], [0, 1, 3]];
        let kinds = edge_kinds(&points, &triangles, &[false; 2]);
        assert_eq!(kinds[0][0], EdgeKind::Free);
        [kinds[0][2], kinds[1][0]]
    }

    /// The first triangle looks after the edge of both.
    const RIDGE: [EdgeKind; 2] = [EdgeKind::Convex, EdgeKind::Inner];

    #[test]
    fn flat_and_hollow_edges_are_inner_and_ridges_are_convex() {
        assert_eq!(over_an_edge(Vec3::X), [EdgeKind::Inner; 2]);
        assert_eq!(over_an_edge(Vec3::new(1.0, 1.0, 0.0)), [EdgeKind::Inner; 2]);
        assert_eq!(over_an_edge(Vec3::new(1.0, -1.0, 0.0)), RIDGE);
        // A hair of a ridge is flat, and an acute groove is a groove.
        assert_eq!(
            over_an_edge(Vec3::new(1.0, -5e-5, 0.0)),
            [EdgeKind::Inner; 2]
        );
        assert_eq!(
            over_an_edge(Vec3::new(-1.0, 0.1, 0.0)),
            [EdgeKind::Inner; 2]
        );
    }

    #[test]
    fn the_edge_of_a_blade_is_convex() {
        assert_eq!(over_an_edge(Vec3::new(-1.0, -2e-4, 0.0)), RIDGE);
    }

    #[test]
    fn a_sheet_solid_from_both_sides_has_no_hollow_edges() {
        let points = [Vec3::ZERO, Vec3::Z, Vec3::NEG_X, Vec3::new(1.0, 1.0, 0.0)];
        let kinds = edge_kinds(&points, &[[0, 2, 1], [0, 1, 3]], &[true; 2]);
        assert_eq!([kinds[0][2], kinds[1][0]], [EdgeKind::Free; 2]);
    }

    #[test]
    fn triangles_that_lie_on_each_other_share_nothing() {
        // The same triangle twice, and once more the other way round.
        let points = [Vec3::ZERO, Vec3::Z, Vec3::X];
        let kinds = edge_kinds(&points, &[[0, 1, 2], [0, 1, 2]], &[false; 2]);
        assert_eq!(kinds, [[EdgeKind::Free; 3]; 2]);
        let kinds = edge_kinds(&points, &[[0, 1, 2], [0, 2, 1]], &[false; 2]);
        assert_eq!(kinds, RIDGE.map(|kind| [kind; 3]));
    }
}
