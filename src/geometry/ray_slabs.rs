//! Tests of boxes against a ray.

use glam::DVec3;

use super::Aabb;

/// Boxes are enlarged by this distance, in metres: more than the rounding of hits on the triangles in them.
const MARGIN: f64 = 1e-6;

/// A ray, prepared for tests of many boxes (A. Williams et al., "An Efficient and Robust Ray-Box Intersection Algorithm", 2005).
#[derive(Clone, Copy, Debug)]
pub(crate) struct RaySlabs {
    from: DVec3,
    ray: DVec3,
    inverse: DVec3,
}

impl RaySlabs {
    pub(crate) fn of(from: DVec3, ray: DVec3) -> Self {
        Self {
            from,
            ray,
            inverse: ray.recip(),
        }
    }

    /// The part of an interval of the ray parameter in which the ray is in a slightly enlarged box; `None` if it misses the box.
    #[inline]
    pub(crate) fn within(
        &self,
        bounds: &Aabb,
        [mut enter, mut leave]: [f64; 2],
    ) -> Option<[f64; 2]> {
        let low = (bounds.min - MARGIN - self.from) * self.inverse;
        let high = (bounds.max + MARGIN - self.from) * self.inverse;
        for axis in 0..3 {
            // NaN, from a ray in the plane of a side, does not restrict the interval.
            enter = enter.max(low[axis].min(high[axis]));
            leave = leave.min(low[axis].max(high[axis]));
        }
        (enter <= leave).then_some([enter, leave])
    }

    /// The slightly enlarged box around the ray in an interval of the ray parameter.
    pub(crate) fn bounds(&self, interval: [f64; 2]) -> Aabb {
        Aabb::around(interval.map(|part| self.from + self.ray * part)).grown(MARGIN)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::rng::Rng;

    #[test]
    fn the_samples_of_a_ray_in_a_box_are_in_the_interval_and_the_others_outside() {
        let mut rng = Rng::new(3);
        let mut point = |size: f64| DVec3::from([0; 3].map(|_| rng.between(-size, size)));
        let mut counts = [0; 2];
        for index in 0..10_000 {
            let bounds = Aabb::around([point(1.0), point(1.0)]);
            let (from, mut ray) = (point(2.0), point(4.0));
            // Some rays are parallel to sides.
            for axis in 0..3 {
                if index >> axis & 1 == 1 {
                    ray[axis] = 0.0;
                }
            }
            let found = RaySlabs::of(from, ray).within(&bounds, [0.2, 0.9]);
            for sample in 0..=50 {
                let part = f64::from(sample) / 50.0;
                let at = from + ray * part;
                let is_in = (0.2..=0.9).contains(&part) && bounds.contains(at);
                let is_near = bounds.grown(1e-5).contains(at);
                let is_found = found.is_some_and(|[enter, leave]| (enter..=leave).contains(&part));
                assert!(is_found || !is_in, "{bounds:?} {from} {ray} {part}");
                assert!(is_near || !is_found, "{bounds:?} {from} {ray} {part}");
                counts[usize::from(is_in)] += 1;
            }
        }
        assert!(counts.iter().all(|&count| count > 1000), "{counts:?}");
    }
}
