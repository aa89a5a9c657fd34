//! The distance of two convex shapes: GJK.
//!
//! E. Gilbert, D. Johnson and S. Keerthi, "A Fast Procedure for Computing the Distance between Complex Objects", 1988; the
//! closest point of a simplex by signed volumes, after M. Montanari, N. Petrinic and E. Barbieri, "Improving the GJK Algorithm
//! for Faster and More Reliable Distance Queries", 2017; the termination test as in G. van den Bergen, "Collision Detection in
//! Interactive 3D Environments", 2003.

use glam::DVec3;

use super::convex::Convex;

/// The maximum number of steps. Shapes with flat faces take a few.
const MAX_STEPS: usize = 48;

/// The relative tolerance of the distance: the search ends if no point can be nearer by more than this.
const RELATIVE: f64 = 1e-12;

/// The distance of the cores, relative to their size, below which they count as touching: rounding then leaves no
/// usable direction.
const TOUCHING: f64 = 1e-13;

/// If rounding stops the search at a gap below this, relative to the size, the shapes may overlap.
const STUCK: f64 = 1e-11;

/// The relative rounding of a squared distance.
const ROUNDING: f64 = 1e-15;

/// A point of the Minkowski difference `a - b`.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct SupportPoint {
    pub on_a: DVec3,
    pub on_b: DVec3,
    pub apart: DVec3,
}

impl SupportPoint {
    /// The support point of the Minkowski difference in a direction.
    pub(super) fn support(a: &Convex, b: &Convex, direction: DVec3) -> Self {
        let (on_a, on_b) = (a.support(direction), b.support(-direction));
        Self {
            on_a,
            on_b,
            apart: on_a - on_b,
        }
    }
}

/// Up to four points, and the weights of the point of their convex hull that is closest to the origin.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Simplex {
    pub vertices: [SupportPoint; 4],
    pub weights: [f64; 4],
    pub count: usize,
}

/// The relative position of the cores of two shapes.
#[expect(
    clippy::large_enum_variant,
    reason = "it lives on the stack, and only for a call"
)]
pub(super) enum Cores {
    /// The cores are farther apart than the reach. The vector from `b` to `a` is a separating axis.
    Far(DVec3),
    /// The closest points.
    Apart { on_a: DVec3, on_b: DVec3 },
    /// The cores share a point. The simplex contains the origin, or comes as close to it as rounding permits.
    Touching(Simplex),
}

/// Runs GJK on two cores. Distances above `reach` are not computed.
pub(super) fn cores(a: &Convex, b: &Convex, reach: f64) -> Cores {
    let mut direction = a.middle() - b.middle();
    if direction == DVec3::ZERO {
        direction = DVec3::X;
    }
    let mut simplex = Simplex::default();
    simplex.vertices[0] = SupportPoint::support(a, b, -direction);
    simplex.weights[0] = 1.0;
    simplex.count = 1;
    let mut closest = simplex.vertices[0].apart;
    let mut size = 0.0_f64;
    for _ in 0..MAX_STEPS {
        let squared = closest.length_squared();
        for vertex in &simplex.vertices[..simplex.count] {
            size = size.max(vertex.apart.length_squared());
        }
        if squared <= TOUCHING * TOUCHING * size {
            return Cores::Touching(simplex);
        }
        let next = SupportPoint::support(a, b, -closest);
        // The plane through this point perpendicular to `closest` gives a lower bound of the distance.
        let bound = closest.dot(next.apart);
        if bound > 0.0 && bound * bound > reach * reach * squared {
            return Cores::Far(closest);
        }
        if squared - bound <= RELATIVE * squared {
            break;
        }
        let known = &simplex.vertices[..simplex.count];
        let mut whole = simplex;
        if known.iter().all(|vertex| vertex.apart != next.apart) {
            whole.vertices[whole.count] = next;
            whole.count += 1;
        }
        let mut grown = whole;
        let mut nearer = grown.reduce(Trust::Signs);
        if grown.count < 4 && nearer.length_squared() >= squared {
            // Rounding gave areas or volumes the wrong sign: try all distances.
            grown = whole;
            nearer = grown.reduce(Trust::Distances);
        }
        if grown.count == 4 {
            return Cores::Touching(grown);
        }
        // Along a face almost perpendicular to the direction, each step gains less than rounding loses, but still
        // makes progress.
        let has_next = (0..grown.count).any(|i| grown.vertices[i].apart == next.apart);
        let is_new = whole.count > simplex.count;
        let limit = if is_new && has_next {
            squared * (1.0 + ROUNDING)
        } else {
            squared
        };
        if nearer.length_squared() >= limit {
            if squared <= STUCK * STUCK * size {
                // EPA finds out whether there is a gap.
                return Cores::Touching(simplex);
            }
            break;
        }
        (simplex, closest) = (grown, nearer);
    }
    let (on_a, on_b) = simplex.witnesses();
    Cores::Apart { on_a, on_b }
}

impl Simplex {
    /// The witness points of the two shapes, by the weights.
    pub(super) fn witnesses(&self) -> (DVec3, DVec3) {
        let (mut on_a, mut on_b) = (DVec3::ZERO, DVec3::ZERO);
        for (vertex, weight) in self.vertices.iter().zip(self.weights).take(self.count) {
            on_a += vertex.on_a * weight;
            on_b += vertex.on_b * weight;
        }
        (on_a, on_b)
    }

    /// Reduces the simplex to the smallest set of points that contains the point closest to the origin, and returns that point.
    /// All four points remain if the origin is inside.
    fn reduce(&mut self, trust: Trust) -> DVec3 {
        let points = self.vertices.map(|vertex| vertex.apart);
        let kept: SimplexSubset = match self.count {
            1 => SimplexSubset::of([(0, 1.0)]),
            2 => segment(&points, [0, 1]),
            3 => triangle(&points, [0, 1, 2], trust),
            _ => tetrahedron(&points, trust),
        };
        let vertices = self.vertices;
        for (k, &(i, weight)) in kept.parts[..kept.count].iter().enumerate() {
            self.vertices[k] = vertices[i];
            self.weights[k] = weight;
        }
        self.count = kept.count;
        kept.point(&points)
    }
}

/// The parts of a simplex that are tried: those that the signs of areas and volumes select, or all.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Trust {
    Signs,
    Distances,
}

/// Indices of points, and their weights.
struct SimplexSubset {
    parts: [(usize, f64); 4],
    count: usize,
}

impl SimplexSubset {
    fn of<const N: usize>(of: [(usize, f64); N]) -> Self {
        let mut parts = [(0, 0.0); 4];
        parts[..N].copy_from_slice(&of);
        Self { parts, count: N }
    }

    fn point(&self, points: &[DVec3; 4]) -> DVec3 {
        let parts = self.parts[..self.count].iter();
        parts.map(|&(i, weight)| points[i] * weight).sum()
    }

    /// The candidate nearer to the origin.
    fn nearer(best: Option<Self>, other: Self, points: &[DVec3; 4]) -> Option<Self> {
        let squared = |kept: &Self| kept.point(points).length_squared();
        match best {
            Some(best) if squared(&best) <= squared(&other) => Some(best),
            _ => Some(other),
        }
    }
}

fn segment(points: &[DVec3; 4], [i, j]: [usize; 2]) -> SimplexSubset {
    let along = points[j] - points[i];
    let part = -points[i].dot(along);
    let squared = along.length_squared();
    if part <= 0.0 || squared == 0.0 {
        SimplexSubset::of([(i, 1.0)])
    } else if part >= squared {
        SimplexSubset::of([(j, 1.0)])
    } else {
        let weight = part / squared;
        SimplexSubset::of([(i, 1.0 - weight), (j, weight)])
    }
}

fn triangle(points: &[DVec3; 4], [i, j, k]: [usize; 3], trust: Trust) -> SimplexSubset {
    let [a, b, c] = [i, j, k].map(|i| points[i]);
    let normal = (b - a).cross(c - a);
    // Twice the signed areas, as seen along the normal, of the triangles of the origin's projection with the edges.
    let areas = [b.cross(c), c.cross(a), a.cross(b)].map(|cross| cross.dot(normal));
    let sum = areas[0] + areas[1] + areas[2];
    let mut best = None;
    if sum > 0.0 && areas.iter().all(|area| *area > 0.0) {
        let weights = areas.map(|area| area / sum);
        best = Some(SimplexSubset::of([
            (i, weights[0]),
            (j, weights[1]),
            (k, weights[2]),
        ]));
    }
    if best.is_none() || trust == Trust::Distances {
        // The closest point lies on the edge opposite a corner whose weight is not positive.
        for (area, edge) in areas.into_iter().zip([[j, k], [k, i], [i, j]]) {
            if area <= 0.0 || trust == Trust::Distances {
                best = SimplexSubset::nearer(best, segment(points, edge), points);
            }
        }
    }
    best.unwrap_or_else(|| segment(points, [i, j]))
}

fn tetrahedron(points: &[DVec3; 4], trust: Trust) -> SimplexSubset {
    let [a, b, c, d] = *points;
    let volume = (a - d).dot((b - d).cross(c - d));
    // The determinants with the origin in place of each corner.
    let volumes = [
        -d.dot(b.cross(c)),
        d.dot(a.cross(c)),
        -d.dot(a.cross(b)),
        a.dot(b.cross(c)),
    ];
    let is_inside = |part: &f64| part * volume > 0.0;
    if volumes.iter().all(is_inside) && trust == Trust::Signs {
        let weights = volumes.map(|part| part / volume);
        return SimplexSubset::of([
            (0, weights[0]),
            (1, weights[1]),
            (2, weights[2]),
            (3, weights[3]),
        ]);
    }
    let mut best = None;
    for (part, face) in volumes
        .iter()
        .zip([[1, 2, 3], [0, 2, 3], [0, 1, 3], [0, 1, 2]])
    {
        if !is_inside(part) || trust == Trust::Distances {
            best = SimplexSubset::nearer(best, triangle(points, face, trust), points);
        }
    }
    best.unwrap_or_else(|| triangle(points, [0, 1, 2], trust))
}
