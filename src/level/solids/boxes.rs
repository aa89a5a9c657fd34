//! The boxes of a cluster's groups, quantized to one byte per coordinate.

use glam::Vec3;

use super::triangle::GROUP;
use crate::geometry::Aabb32;

/// The quantization of a cluster's box: 256 steps along each axis. It preserves the order of coordinates. So boxes
/// that touch still touch after quantization, and no contact is lost.
#[derive(Clone, Copy, Debug)]
pub(super) struct BoxQuantization {
    /// The box that is quantized.
    bounds: Aabb32,
    per_metre: Vec3,
}

impl BoxQuantization {
    pub(super) fn of(bounds: &Aabb32) -> Self {
        Self {
            bounds: *bounds,
            per_metre: 256.0 / (bounds.max - bounds.min),
        }
    }

    /// Quantizes the minimum and the maximum corner of a box. On an axis where the cluster's box is flat, coordinates
    /// above it become 255 and all others 0.
    pub(super) fn round(&self, bounds: &Aabb32) -> [[u8; 3]; 2] {
        // The cast saturates: smaller values become 0, larger ones 255, and 0 * infinity becomes 0.
        let step = |p: Vec3| {
            ((p - self.bounds.min) * self.per_metre)
                .to_array()
                .map(|s| s as u8)
        };
        [step(bounds.min), step(bounds.max)]
    }

    /// A box that contains every box with these quantized corners inside the cluster's box.
    fn unround(&self, [min, max]: [[u8; 3]; 2]) -> Aabb32 {
        let Aabb32 {
            min: low,
            max: high,
        } = self.bounds;
        let metres = (high - low) / 256.0;
        let rounding = 8.0 * f32::EPSILON * low.abs().max(high.abs());
        let at = |step: [u8; 3]| low + Vec3::from_array(step.map(f32::from)) * metres;
        // Axes on which the box is too flat for quantization.
        let is_flat = self.per_metre.cmpeq(Vec3::INFINITY);
        Aabb32 {
            min: Vec3::select(is_flat, low, (at(min) - rounding).max(low)),
            max: Vec3::select(is_flat, high, (at(max) + metres + rounding).min(high)),
        }
    }
}

/// The boxes of [`GROUP`] groups, stored axis by axis, so that all are tested at once.
#[derive(Clone, Copy, Debug, PartialEq, bytemuck::Pod, bytemuck::Zeroable)]
#[repr(C)]
pub(super) struct GroupBoxes {
    min: [[u8; GROUP]; 3],
    max: [[u8; GROUP]; 3],
}

impl GroupBoxes {
    pub(super) fn around(boxes: &[Aabb32], steps: &BoxQuantization) -> Self {
        let mut row = Self {
            min: [[u8::MAX; GROUP]; 3],
            max: [[0; GROUP]; 3],
        };
        for (lane, bounds) in boxes.iter().enumerate() {
            let [min, max] = steps.round(bounds);
            for axis in 0..3 {
                row.min[axis][lane] = min[axis];
                row.max[axis][lane] = max[axis];
            }
        }
        row
    }

    /// A box that contains the box of this lane.
    pub(super) fn get(&self, lane: usize, steps: &BoxQuantization) -> Aabb32 {
        steps.unround([self.min, self.max].map(|side| side.map(|lanes| lanes[lane])))
    }

    /// Tests which boxes touch a box that was quantized in the same way; unused lanes may be among the results.
    pub(super) fn touching(&self, [min, max]: &[[u8; 3]; 2]) -> [bool; GROUP] {
        let mut touches = [true; GROUP];
        for axis in 0..3 {
            for (lane, touches) in touches.iter_mut().enumerate() {
                *touches &=
                    (self.min[axis][lane] <= max[axis]) & (min[axis] <= self.max[axis][lane]);
            }
        }
        touches
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn bounds() -> impl Strategy<Value = Aabb32> {
        // Flat boxes and shared faces are common in rooms.
        let side = prop_oneof![-5.0..5.0f32, prop::sample::select(vec![-1.0f32, 0.0, 1.0]),];
        prop::array::uniform6(side).prop_map(|c| {
            Aabb32::around_points(&[Vec3::from_slice(&c[..3]), Vec3::from_slice(&c[3..])])
        })
    }

    proptest! {
        #[test]
        fn boxes_that_touch_touch_in_steps_too(
            boxes in prop::collection::vec(bounds(), 1..=GROUP), query in bounds(),
            scale in prop::sample::select(vec![1e-42f32, 1.0, 1e4]),
        ) {
            let scaled = |b: &Aabb32| Aabb32 { min: b.min * scale, max: b.max * scale };
            let boxes: Vec<Aabb32> = boxes.iter().map(scaled).collect();
            let query = scaled(&query);
            let corners: Vec<Vec3> = boxes.iter().flat_map(|b| [b.min, b.max]).collect();
            let steps = BoxQuantization::of(&Aabb32::around_points(&corners));
            let row = GroupBoxes::around(&boxes, &steps);
            let touching = row.touching(&steps.round(&query));
            for (lane, (bounds, touches)) in boxes.iter().zip(touching).enumerate() {
                prop_assert!(touches || !bounds.overlaps(&query));
                let around = row.get(lane, &steps);
                prop_assert!(around.min.cmple(bounds.min).all());
                prop_assert!(around.max.cmpge(bounds.max).all());
            }
        }
    }

    #[test]
    fn boxes_that_are_a_step_apart_do_not_touch() {
        let cube = |min: f32, max: f32| Aabb32 {
            min: Vec3::splat(min),
            max: Vec3::splat(max),
        };
        let steps = BoxQuantization::of(&cube(0.0, 2.56));
        let row = GroupBoxes::around(&[cube(0.0, 0.1), cube(1.0, 2.56)], &steps);
        let touching = |query| row.touching(&steps.round(&query))[..2].to_vec();
        assert_eq!(touching(cube(0.125, 0.985)), [false, false]);
        assert_eq!(touching(cube(0.125, 1.015)), [false, true]);
        assert_eq!(touching(cube(-3.0, 0.05)), [true, false]);
    }
}
