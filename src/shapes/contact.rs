//! Results of narrow phase queries: a pair of points, or a manifold of up to four points.

use glam::DVec3;

use crate::geometry::Rigid;

/// The maximum number of points of a manifold: four support a face on a face, and more only slow the solver.
pub const MAX_POINTS: usize = 4;

/// The closest points of two shapes, or the deepest points if they overlap.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Contact {
    /// The point of `a`, metres.
    pub on_a: DVec3,
    /// The point of `b`, metres.
    pub on_b: DVec3,
    /// The unit vector from `b` to `a`: `on_a - on_b` is `separation` times this.
    pub normal: DVec3,
    /// The gap, metres; negative where the shapes overlap.
    pub separation: f64,
}

impl Contact {
    /// The contact with `a` and `b` exchanged.
    pub fn flipped(self) -> Self {
        Self {
            on_a: self.on_b,
            on_b: self.on_a,
            normal: -self.normal,
            separation: self.separation,
        }
    }

    /// The contact in other coordinates.
    pub fn transformed(&self, other_from_this: &Rigid) -> Self {
        Self {
            on_a: other_from_this.point(self.on_a),
            on_b: other_from_this.point(self.on_b),
            normal: other_from_this.vector(self.normal),
            separation: self.separation,
        }
    }
}

/// One point of a manifold.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct ManifoldPoint {
    /// The point on `a`, metres.
    pub on_a: DVec3,
    /// The point on `b`, metres.
    pub on_b: DVec3,
    /// The gap along the normal, metres; negative where the shapes overlap.
    pub separation: f64,
    /// An identifier of the features that form the point, unique within its manifold. The value stays equal from
    /// tick to tick as long as the features do, so that a solver finds the impulse of the last tick.
    pub feature: u64,
}

/// Up to four points that share one normal.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Manifold {
    /// The unit vector from `b` to `a`; zero if there are no points.
    pub normal: DVec3,
    points: [ManifoldPoint; MAX_POINTS],
    count: usize,
}

impl Manifold {
    /// No contact.
    pub const EMPTY: Self = Self {
        normal: DVec3::ZERO,
        points: [ManifoldPoint {
            on_a: DVec3::ZERO,
            on_b: DVec3::ZERO,
            separation: 0.0,
            feature: 0,
        }; MAX_POINTS],
        count: 0,
    };

    /// A manifold without points yet.
    pub(super) fn along(normal: DVec3) -> Self {
        Self {
            normal,
            ..Self::EMPTY
        }
    }

    /// A manifold of one point.
    pub fn of_contact(contact: &Contact, feature: u64) -> Self {
        let mut manifold = Self::along(contact.normal);
        manifold.push(ManifoldPoint {
            on_a: contact.on_a,
            on_b: contact.on_b,
            separation: contact.separation,
            feature,
        });
        manifold
    }

    /// The points; none if the shapes are further apart than the margin of the query.
    pub fn points(&self) -> &[ManifoldPoint] {
        &self.points[..self.count]
    }

    /// Whether there are no points.
    pub fn is_empty(&self) -> bool {
        self.count == 0
    }

    /// The smallest separation of the points, metres; infinite if there are none.
    pub fn separation(&self) -> f64 {
        let separations = self.points().iter().map(|point| point.separation);
        separations.fold(f64::INFINITY, f64::min)
    }

    /// The manifold with another smallest separation, metres; all points are moved by the same distance along the normal.
    pub(super) fn with_separation(mut self, smallest: f64) -> Self {
        let offset = smallest - self.separation();
        for point in &mut self.points[..self.count] {
            point.separation += offset;
            point.on_b -= self.normal * offset;
        }
        self
    }

    /// The manifold with `a` and `b` exchanged.
    pub fn flipped(mut self) -> Self {
        self.normal = -self.normal;
        for point in &mut self.points[..self.count] {
            std::mem::swap(&mut point.on_a, &mut point.on_b);
        }
        self
    }

    /// The manifold in other coordinates.
    pub fn transformed(mut self, other_from_this: &Rigid) -> Self {
        if other_from_this.is_identity() {
            return self;
        }
        self.normal = other_from_this.vector(self.normal);
        for point in &mut self.points[..self.count] {
            point.on_a = other_from_this.point(point.on_a);
            point.on_b = other_from_this.point(point.on_b);
        }
        self
    }

    /// The manifold with each feature hashed with the number of its part (the finalizer of SplitMix64), so that features
    /// of different parts do not collide.
    pub(super) fn salted(mut self, part: u64) -> Self {
        for point in &mut self.points[..self.count] {
            let z = point.feature ^ part.wrapping_mul(0x9e37_79b9_7f4a_7c15);
            let z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
            let z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
            point.feature = z ^ (z >> 31);
        }
        self
    }

    /// The manifold reduced to the points that the predicate keeps.
    pub fn retain(&self, is_kept: impl Fn(&ManifoldPoint) -> bool) -> Self {
        let mut kept = Self::along(self.normal);
        let points = self.points().iter();
        points
            .filter(|point| is_kept(point))
            .for_each(|point| kept.push(*point));
        if kept.is_empty() { Self::EMPTY } else { kept }
    }

    /// The manifold with `a` grown by a ball of `radius` metres.
    pub(super) fn with_radius_of_a(mut self, radius: f64) -> Self {
        let by = self.normal * radius;
        for point in &mut self.points[..self.count] {
            point.on_a -= by;
            point.separation -= radius;
        }
        self
    }

    /// Raises the separation of each point to at least `separation` metres.
    pub(super) fn no_nearer_than(mut self, separation: f64) -> Self {
        for point in &mut self.points[..self.count] {
            point.separation = point.separation.max(separation);
        }
        self
    }

    /// Adds a point; drops it if the manifold is full.
    pub(super) fn push(&mut self, point: ManifoldPoint) {
        if self.count < MAX_POINTS {
            self.points[self.count] = point;
            self.count += 1;
        }
    }
}
