//! An independent reference for penetration depths, which shares no code with the engine: convex solids, compared along
//! separating axes.

use opendoor::geometry::Rigid;
use opendoor::glam::{DMat3, DVec3};

/// A convex solid in its own coordinates: corners, and the candidate directions of separating axes.
#[derive(Clone, Debug)]
pub(crate) struct Solid {
    pub corners: Vec<DVec3>,
    normals: Vec<DVec3>,
    edges: Vec<DVec3>,
    /// The radius of a ball, whose only corner is its centre, or of a capsule, whose corners are the ends of its
    /// segment, metres; 0 for other solids.
    pub radius: f64,
}

impl Solid {
    pub(crate) fn ball(radius: f64) -> Self {
        Self {
            corners: vec![DVec3::ZERO],
            normals: Vec::new(),
            edges: Vec::new(),
            radius,
        }
    }

    /// A capsule around the origin: `half` is the vector to an end of its segment.
    pub(crate) fn capsule(half: DVec3, radius: f64) -> Self {
        Self {
            corners: vec![-half, half],
            normals: Vec::new(),
            edges: half.try_normalize().into_iter().collect(),
            radius,
        }
    }

    /// A box around the origin whose corners are moved along x by `skew` times their height.
    pub(crate) fn skewed_box(half: DVec3, skew: f64) -> Self {
        let sign = |bit: u32| if bit == 0 { -1.0 } else { 1.0 };
        let corner = |i: u32| half * DVec3::new(sign(i & 1), sign(i >> 1 & 1), sign(i >> 2));
        let corners = (0..8).map(corner).map(|p| p + DVec3::X * (skew * p.y));
        Self {
            corners: corners.collect(),
            normals: vec![
                DVec3::new(1.0, -skew, 0.0).normalize_or_zero(),
                DVec3::Y,
                DVec3::Z,
            ],
            edges: vec![
                DVec3::X,
                DVec3::new(skew, 1.0, 0.0).normalize_or_zero(),
                DVec3::Z,
            ],
            radius: 0.0,
        }
    }

    pub(crate) fn posed(&self, pose: &Rigid) -> Self {
        let turned = |all: &[DVec3]| all.iter().map(|&v| pose.vector(v)).collect();
        Self {
            corners: self.corners.iter().map(|&p| pose.point(p)).collect(),
            normals: turned(&self.normals),
            edges: turned(&self.edges),
            radius: self.radius,
        }
    }

    fn reach(&self, direction: DVec3) -> f64 {
        let along = self.corners.iter().map(|p| p.dot(direction));
        along.fold(f64::NEG_INFINITY, f64::max) + self.radius
    }

    /// The penetration depth of two solids, metres; negative if an axis separates them.
    pub(crate) fn depth(&self, other: &Self) -> f64 {
        let mut axes: Vec<DVec3> = self.normals.iter().chain(&other.normals).copied().collect();
        let across = self
            .edges
            .iter()
            .flat_map(|a| other.edges.iter().map(move |b| a.cross(*b)));
        axes.extend(across);
        for (round, solid) in [(self, other), (other, self)] {
            if round.radius > 0.0 {
                for (&centre, &corner) in pairs(&round.corners, &solid.corners) {
                    let away = centre - corner;
                    axes.push(away);
                    let beside = solid.edges.iter().chain(&round.edges);
                    axes.extend(beside.map(|edge| away - *edge * away.dot(*edge)));
                }
            }
        }
        let axes = axes.into_iter().filter_map(DVec3::try_normalize);
        let overlaps = axes.map(|axis| {
            let one = self.reach(axis) + other.reach(-axis);
            one.min(self.reach(-axis) + other.reach(axis))
        });
        overlaps.fold(f64::INFINITY, f64::min)
    }
}

fn pairs<'a>(one: &'a [DVec3], other: &'a [DVec3]) -> impl Iterator<Item = (&'a DVec3, &'a DVec3)> {
    one.iter().flat_map(|a| other.iter().map(move |b| (a, b)))
}

#[test]
fn the_judge_finds_the_depths_that_are_known() {
    let at = |point: DVec3| Rigid::new(DMat3::IDENTITY, point);
    let cube = Solid::skewed_box(DVec3::splat(0.5), 0.0);
    let beside = cube.posed(&at(DVec3::new(0.9, 0.3, 0.0)));
    assert!((cube.depth(&beside) - 0.1).abs() < 1e-12);
    let ball = Solid::ball(0.5).posed(&at(DVec3::new(0.9, 0.9, 0.0)));
    let over_edge = 0.5 - 0.4 * 2.0_f64.sqrt();
    assert!((cube.depth(&ball) - over_edge).abs() < 1e-12);
    let apart = Solid::ball(0.2).posed(&at(DVec3::new(0.9, 0.9, 0.9)));
    assert!(cube.depth(&apart) < 0.0);
    let log = Solid::capsule(DVec3::X, 0.3).posed(&at(DVec3::new(0.0, 0.9, 0.9)));
    assert!((cube.depth(&log) - (0.3 - 0.4 * 2.0_f64.sqrt())).abs() < 1e-12);
    let across = Solid::capsule(DVec3::Z, 0.2).posed(&at(DVec3::new(0.3, 1.3, 0.9)));
    assert!((log.depth(&across) - 0.1).abs() < 1e-12);
    let balls = Solid::ball(0.5).depth(&Solid::ball(0.3).posed(&at(DVec3::X * 0.7)));
    assert!((balls - 0.1).abs() < 1e-12);
}
