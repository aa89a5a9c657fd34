//! Mass, centre of mass and moments of inertia.

use glam::{DMat3, DVec3};

/// The maximum number of Jacobi rotations; three moments are exact to rounding after about six.
const MAX_JACOBI_SWEEPS: usize = 24;

/// The resistance of a rigid shape to linear and angular acceleration.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct MassProperties {
    /// The mass, kilograms.
    pub mass: f64,
    /// The centre of mass in the shape's coordinates, metres.
    pub centre: DVec3,
    /// Principal moments of inertia about the centre of mass, kg m2.
    pub moments: DVec3,
    /// The principal axes in the shape's coordinates: orthonormal, right-handed columns.
    pub axes: DMat3,
}

impl MassProperties {
    /// A solid ball.
    pub(super) fn of_sphere(radius: f64, density: f64) -> Self {
        let mass = density * 4.0 / 3.0 * std::f64::consts::PI * radius * radius * radius;
        Self {
            mass,
            centre: DVec3::ZERO,
            moments: DVec3::splat(0.4 * mass * radius * radius),
            axes: DMat3::IDENTITY,
        }
    }

    /// A solid capsule around the origin: a cylinder and two half balls. `half_segment` is the vector from its centre to an end
    /// of its segment.
    pub(super) fn of_capsule(half_segment: DVec3, radius: f64, density: f64) -> Self {
        let (half, squared) = (half_segment.length(), radius * radius);
        let cylinder = density * std::f64::consts::PI * squared * 2.0 * half;
        let ends = density * 4.0 / 3.0 * std::f64::consts::PI * squared * radius;
        let along = (0.5 * cylinder + 0.4 * ends) * squared;
        // The centre of mass of a half ball is 3/8 of the radius beyond the end of the segment.
        let across = cylinder * (0.25 * squared + half * half / 3.0)
            + ends * (0.4 * squared + half * half + 0.75 * half * radius);
        let axis = half_segment.normalize_or(DVec3::X);
        let (u, v) = axis.any_orthonormal_pair();
        Self {
            mass: cylinder + ends,
            centre: DVec3::ZERO,
            moments: DVec3::new(along, across, across),
            axes: DMat3::from_cols(axis, u, v),
        }
    }

    /// A solid box.
    pub(super) fn of_box(half_extents: DVec3, density: f64) -> Self {
        let mass = density * 8.0 * half_extents.element_product();
        let squares = half_extents * half_extents;
        Self {
            mass,
            centre: DVec3::ZERO,
            moments: (DVec3::splat(squares.element_sum()) - squares) * (mass / 3.0),
            axes: DMat3::IDENTITY,
        }
    }

    /// This mass distribution scaled to another mass, kilograms.
    pub fn with_mass(&self, mass: f64) -> Self {
        Self {
            mass,
            moments: self.moments * (mass / self.mass),
            ..*self
        }
    }

    /// The properties at another density, computed from those at a density of 1.
    pub(super) fn with_density(&self, density: f64) -> Self {
        self.with_mass(self.mass * density)
    }

    /// The inverse of the inertia tensor about the centre of mass, 1 / (kg m2). `rotation` maps shape coordinates to
    /// the coordinates of the result.
    pub fn inverse_inertia(&self, rotation: DMat3) -> DMat3 {
        let axes = rotation * self.axes;
        axes * DMat3::from_diagonal(self.moments.recip()) * axes.transpose()
    }

    /// The inertia tensor about the centre of mass, in the shape's coordinates, kg m2.
    pub fn inertia(&self) -> DMat3 {
        self.axes * DMat3::from_diagonal(self.moments) * self.axes.transpose()
    }
}

/// The mass properties of the volume that a closed surface, counter-clockwise seen from outside, encloses. By the divergence
/// theorem they are sums over the tetrahedra from one point to each of its triangles (B. Mirtich, "Fast and Accurate
/// Computation of Polyhedral Mass Properties", 1996; D. Eberly, "Polyhedral Mass Properties", 2002).
///
/// Returns `None` if the volume is not positive and finite.
pub(super) fn of_closed_surface(
    triangles: impl Iterator<Item = [DVec3; 3]>,
    reference: DVec3,
    density: f64,
) -> Option<MassProperties> {
    let (mut volume6, mut first, mut second) = (0.0, DVec3::ZERO, DMat3::ZERO);
    for triangle in triangles {
        let [a, b, c] = triangle.map(|corner| corner - reference);
        let volume = a.dot(b.cross(c));
        let sum = a + b + c;
        let outer = |p: DVec3| DMat3::from_cols(p * p.x, p * p.y, p * p.z);
        volume6 += volume;
        first += sum * volume;
        second += (outer(a) + outer(b) + outer(c) + outer(sum)) * volume;
    }
    if !(volume6 > 0.0 && volume6.is_finite()) {
        return None;
    }
    let mass = density * volume6 / 6.0;
    let centre = first / (4.0 * volume6);
    let about_reference = second * (density / 120.0);
    let shift = DMat3::from_cols(centre * centre.x, centre * centre.y, centre * centre.z) * mass;
    let (spread, axes) = eigenvectors(about_reference - shift);
    // The moment about an axis is the sum of the second moments along the other two.
    let moments = DVec3::splat(spread.element_sum()) - spread;
    Some(MassProperties {
        mass,
        centre: reference + centre,
        moments,
        axes,
    })
}

/// Eigenvalues and orthonormal right-handed eigenvectors of a symmetric matrix, by Jacobi's rotations (Golub and Van
/// Loan, "Matrix Computations", section 8.5).
pub(super) fn eigenvectors(symmetric: DMat3) -> (DVec3, DMat3) {
    let (mut m, mut axes) = (symmetric, DMat3::IDENTITY);
    for _ in 0..MAX_JACOBI_SWEEPS {
        // The largest of the three off-diagonal elements.
        let beside = [(0, 1), (0, 2), (1, 2)];
        let larger = |best: (usize, usize), at: (usize, usize)| {
            let is_larger = m.col(at.1)[at.0].abs() > m.col(best.1)[best.0].abs();
            if is_larger { at } else { best }
        };
        let (p, q) = beside.into_iter().fold((0, 1), larger);
        let off = m.col(q)[p];
        let (mpp, mqq) = (m.col(p)[p], m.col(q)[q]);
        if off.abs() <= f64::EPSILON * 1e-3 * (mpp.abs() + mqq.abs()) || off == 0.0 {
            break;
        }
        let theta = (mqq - mpp) / (2.0 * off);
        let tangent = theta.signum() / (theta.abs() + (theta * theta + 1.0).sqrt());
        let cosine = 1.0 / (tangent * tangent + 1.0).sqrt();
        let sine = tangent * cosine;
        let mut turn = DMat3::IDENTITY;
        turn.col_mut(p)[p] = cosine;
        turn.col_mut(q)[q] = cosine;
        turn.col_mut(q)[p] = sine;
        turn.col_mut(p)[q] = -sine;
        m = turn.transpose() * m * turn;
        axes *= turn;
    }
    (DVec3::new(m.x_axis.x, m.y_axis.y, m.z_axis.z), axes)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::geometry::Aabb;

    /// Compares with sums over thin discs across the axis; the moments of a disc have a closed form.
    #[test]
    fn a_capsule_has_the_mass_and_moments_of_its_discs() {
        const DISCS: u32 = 200_000;
        for (half_segment, radius) in [
            (DVec3::X * 0.5, 0.2),
            (DVec3::new(0.3, -0.4, 1.2), 0.9),
            (DVec3::Z * 0.01, 1.0),
        ] {
            let half = half_segment.length();
            let (mut mass, mut along, mut across) = (0.0, 0.0, 0.0);
            let thickness = 2.0 * (half + radius) / f64::from(DISCS);
            for disc in 0..DISCS {
                let height = (f64::from(disc) + 0.5) * thickness - half - radius;
                let beyond = (height.abs() - half).max(0.0);
                let squared = radius * radius - beyond * beyond;
                let of_disc = 7.0 * std::f64::consts::PI * squared * thickness;
                mass += of_disc;
                along += 0.5 * of_disc * squared;
                across += of_disc * (0.25 * squared + height * height);
            }
            let found = MassProperties::of_capsule(half_segment, radius, 7.0);
            assert!((found.mass / mass - 1.0).abs() < 1e-8);
            let axis = half_segment / half;
            let off = found.inertia() * axis - axis * along;
            assert!(off.length() < 1e-7 * along, "{off}");
            let beside = axis.any_orthonormal_vector();
            let off = found.inertia() * beside - beside * across;
            assert!(off.length() < 1e-7 * across, "{off}");
        }
    }

    fn box_triangles(min: DVec3, max: DVec3) -> Vec<[DVec3; 3]> {
        let c = Aabb { min, max }.corners();
        let quads = [
            [0, 4, 6, 2],
            [1, 3, 7, 5],
            [0, 1, 5, 4],
            [2, 6, 7, 3],
            [0, 2, 3, 1],
            [4, 5, 7, 6],
        ];
        let halves = quads.map(|[p, q, r, s]| [[c[p], c[q], c[r]], [c[p], c[r], c[s]]]);
        halves.into_iter().flatten().collect()
    }

    #[test]
    fn the_surface_of_a_box_has_the_mass_of_the_box() {
        let half = DVec3::new(0.5, 1.0, 2.0);
        let centre = DVec3::new(10.0, -3.0, 7.0);
        let triangles = box_triangles(centre - half, centre + half);
        let found = of_closed_surface(triangles.into_iter(), DVec3::ZERO, 700.0).unwrap();
        let expected = MassProperties::of_box(half, 700.0);
        assert!((found.mass - expected.mass).abs() < 1e-9 * expected.mass);
        assert!((found.centre - centre).length() < 1e-12);
        let difference = found.inertia() - expected.inertia();
        assert!(difference.abs_diff_eq(DMat3::ZERO, 1e-8), "{found:?}");
    }

    #[test]
    fn principal_axes_of_a_turned_box_are_those_of_the_box() {
        let half = DVec3::new(0.5, 1.0, 2.0);
        let turn = super::super::rotation_by(DVec3::new(0.3, -0.7, 1.1));
        let turned = box_triangles(-half, half)
            .into_iter()
            .map(|corners| corners.map(|p| turn * p));
        let found = of_closed_surface(turned, DVec3::ONE, 1.0).unwrap();
        let expected = MassProperties::of_box(half, 1.0);
        let mut moments = found.moments.to_array();
        moments.sort_by(f64::total_cmp);
        let mut sorted = expected.moments.to_array();
        sorted.sort_by(f64::total_cmp);
        for (found, expected) in moments.into_iter().zip(sorted) {
            assert!(
                (found - expected).abs() < 1e-12 * expected,
                "{found} {expected}"
            );
        }
        let inertia = turn * expected.inertia() * turn.transpose();
        assert!((found.inertia() - inertia).abs_diff_eq(DMat3::ZERO, 1e-12));
        assert!((found.axes.determinant() - 1.0).abs() < 1e-12);
    }

    #[test]
    fn a_surface_without_volume_or_inside_out_has_no_mass() {
        let flat = box_triangles(DVec3::ZERO, DVec3::new(1.0, 0.0, 1.0));
        assert_eq!(of_closed_surface(flat.into_iter(), DVec3::ZERO, 1.0), None);
        let inside_out = box_triangles(DVec3::ZERO, DVec3::ONE)
            .into_iter()
            .map(|[a, b, c]| [a, c, b]);
        assert_eq!(of_closed_surface(inside_out, DVec3::ZERO, 1.0), None);
    }
}
