//! Random pairs of shapes, of kinds that are hard for narrow phases.

use glam::{DMat3, DVec3};
use opendoor::geometry::{Rigid, Triangle};
use opendoor::rng::Rng;
use opendoor::shapes::{Shape, rotation_by};

/// Pairs that a plain test compares.
pub(crate) const PLAIN: usize = 20_000;
/// Pairs that an ignored test compares.
pub(crate) const MANY: usize = 1_000_000;

/// The special property of a pair.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Regime {
    /// Several diameters apart.
    Apart,
    /// Less than a thousandth of their size apart, or overlapping by as much.
    Touching,
    /// Deeply overlapping.
    Deep,
    /// Rotated by quarter turns, of equal sizes, at integer positions: parallel edges, faces on faces, equal centres.
    Degenerate,
    /// Some tenths of a millimetre in size.
    Tiny,
    /// Kilometres in size.
    Huge,
}

pub(crate) const REGIMES: [Regime; 6] = [
    Regime::Apart,
    Regime::Touching,
    Regime::Deep,
    Regime::Degenerate,
    Regime::Tiny,
    Regime::Huge,
];

impl Regime {
    /// The size of the shapes, metres.
    pub(crate) fn scale(self) -> f64 {
        match self {
            Self::Tiny => 1e-4,
            Self::Huge => 1e3,
            _ => 1.0,
        }
    }
}

/// Calls `check` for each of `count` pairs, of all regimes in turn, with a separate generator for each pair.
pub(crate) fn for_pairs(count: usize, mut check: impl FnMut(&mut Rng, Regime, usize)) {
    for i in 0..count {
        let mut rng = Rng::new(i as u64);
        check(&mut rng, REGIMES[i % REGIMES.len()], i);
    }
}

/// A random vector in a cube.
pub(crate) fn vector(rng: &mut Rng, size: f64) -> DVec3 {
    DVec3::from_array(std::array::from_fn(|_| rng.between(-size, size)))
}

/// One of the 24 rotations of a cube.
fn quarters(rng: &mut Rng) -> DMat3 {
    let axes = [
        DVec3::X,
        DVec3::Y,
        DVec3::Z,
        -DVec3::X,
        -DVec3::Y,
        -DVec3::Z,
    ];
    let x = axes[rng.below(6)];
    let mut y = axes[rng.below(6)];
    while x.dot(y) != 0.0 {
        y = axes[rng.below(6)];
    }
    DMat3::from_cols(x, y, x.cross(y))
}

/// A random rotation: arbitrary, by quarter turns, or almost by quarter turns.
pub(crate) fn rotation(rng: &mut Rng, regime: Regime) -> DMat3 {
    if regime != Regime::Degenerate {
        return rotation_by(vector(rng, 3.0));
    }
    let almost = [0.0, 1e-12, 1e-7, 1e-3][rng.below(4)];
    rotation_by(vector(rng, almost)) * quarters(rng)
}

/// Poses of two shapes of about unit size.
pub(crate) fn poses(rng: &mut Rng, regime: Regime) -> [Rigid; 2] {
    let scale = regime.scale();
    let apart = match regime {
        Regime::Apart => 6.0,
        Regime::Deep => 0.3,
        _ => 2.0,
    };
    let origin = vector(rng, 10.0 * scale);
    let mut offset = vector(rng, apart * scale);
    if regime == Regime::Degenerate {
        offset = (offset * 2.0).round() * 0.5;
    }
    [origin, origin + offset].map(|place| Rigid::new(rotation(rng, regime), place))
}

/// A length from a tenth of the scale to the scale.
pub(crate) fn length(rng: &mut Rng, regime: Regime) -> f64 {
    if regime == Regime::Degenerate {
        return 0.5 * (1 + rng.below(2)) as f64;
    }
    rng.between(0.1, 1.0) * regime.scale()
}

/// Random half extents of a box.
pub(crate) fn half_extents(rng: &mut Rng, regime: Regime) -> DVec3 {
    DVec3::from_array(std::array::from_fn(|_| length(rng, regime)))
}

/// A random box.
pub(crate) fn cuboid(rng: &mut Rng, regime: Regime) -> Shape {
    Shape::Box {
        half_extents: half_extents(rng, regime),
    }
}

/// A random triangle of about the size of the scale, not degenerate.
pub(crate) fn triangle(rng: &mut Rng, regime: Regime) -> Triangle {
    loop {
        let scale = regime.scale();
        let corners = std::array::from_fn(|_| {
            let corner = vector(rng, 1.5 * scale);
            if regime == Regime::Degenerate {
                corner.round()
            } else {
                corner
            }
        });
        let triangle = Triangle { corners };
        if triangle.cross().length() > 1e-2 * scale * scale {
            return triangle;
        }
    }
}
