//! Drawn vertices, in the packed layout that the GPU reads.

use crate::geometry::MeshVertex;
use glam::{Vec2, Vec2Swizzles, Vec3};

/// A drawn vertex.
#[derive(Clone, Copy, Debug, PartialEq, bytemuck::Pod, bytemuck::Zeroable)]
#[repr(C)]
pub struct Vertex {
    /// Position, metres, in the room's coordinates.
    pub position: Vec3,
    /// The surface's normal.
    pub normal: UnitVector,
    /// The direction of increasing u, for normal maps. The lowest bit of the second number is set if the bitangent,
    /// along which v decreases, is `-cross(normal, tangent)`.
    pub tangent: UnitVector,
    /// Texture coordinates, v down.
    pub uvs: [Vec2; 2],
    /// Linear RGBA factor of the base colour; 65535 means 1.
    pub colour: [u16; 4],
}

impl MeshVertex for Vertex {
    fn position(&self) -> Vec3 {
        self.position
    }
}

/// A unit vector in octahedral encoding, with two coordinates from -32767 to 32767. It is exact to 0.003 degrees, and
/// exact along the axes (Q. Meyer et al., "On Floating-Point Normal Vectors", 2010).
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, bytemuck::Pod, bytemuck::Zeroable)]
#[repr(C)]
pub struct UnitVector(pub [i16; 2]);

impl UnitVector {
    /// Packs a vector of unit length.
    pub fn pack(unit: Vec3) -> Self {
        let flat = unit / (unit.x.abs() + unit.y.abs() + unit.z.abs());
        let mut at = flat.truncate();
        if flat.z < 0.0 {
            at = (Vec2::ONE - at.yx().abs()) * signs(at);
        }
        Self((at * 32767.0).to_array().map(|x| rounded(x) as i16))
    }

    /// Unpacks the vector.
    pub fn unpack(self) -> Vec3 {
        let at = Vec2::from_array(self.0.map(|x| f32::from(x) / 32767.0));
        let z = 1.0 - at.x.abs() - at.y.abs();
        let fold = (-z).max(0.0);
        (at - signs(at) * fold).extend(z).normalize_or(Vec3::Z)
    }

    /// Packs a tangent. `flipped` means that the bitangent is `-cross(normal, tangent)`.
    pub fn pack_tangent(unit: Vec3, flipped: bool) -> Self {
        let Self([x, y]) = Self::pack(unit);
        Self([x, y & !1 | i16::from(flipped)])
    }
}

/// The nearest integer, with halves rounded away from zero, as by [`f32::round`]. On processors without a rounding
/// instruction, that would be a function call.
pub(crate) fn rounded(x: f32) -> i32 {
    // In f64 the sum is exact.
    let x = f64::from(x);
    (x + 0.5_f64.copysign(x)) as i32
}

/// The sign of each coordinate, -1 or 1; 1 for 0.
fn signs(at: Vec2) -> Vec2 {
    Vec2::select(at.cmplt(Vec2::ZERO), Vec2::NEG_ONE, Vec2::ONE)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_packed_vector_is_off_by_less_than_three_thousandths_of_a_degree() {
        let mut worst = 0.0f32;
        for i in 0..100_000 {
            // A spiral from pole to pole.
            let y = 1.0 - 2.0 * (i as f32 + 0.5) / 1e5;
            let (sin, cos) = (i as f32 * 2.399_963).sin_cos();
            let r = (1.0 - y * y).sqrt();
            let unit = Vec3::new(r * cos, y, r * sin).try_normalize().unwrap();
            worst = worst.max(UnitVector::pack(unit).unpack().angle_between(unit));
        }
        // The angle between nearly equal f32 vectors is itself exact only to about 3e-4.
        assert!(worst < 5e-4, "{worst}");
    }

    #[test]
    fn numbers_are_rounded_like_by_the_library() {
        for bits in (0..=u32::MAX)
            .step_by(4099)
            .chain([1, 0x3eff_ffff, 0x3f00_0001])
        {
            let x = f32::from_bits(bits);
            assert_eq!(rounded(x), x.round() as i32, "{x}");
        }
        for halves in -140_000..140_000 {
            let half = halves as f32 * 0.5;
            for x in [half.next_down(), half, half.next_up()] {
                assert_eq!(rounded(x), x.round() as i32, "{x}");
            }
        }
    }

    #[test]
    fn the_axes_are_exact() {
        for axis in [Vec3::X, Vec3::Y, Vec3::Z] {
            for unit in [axis, -axis] {
                assert_eq!(UnitVector::pack(unit).unpack(), unit);
            }
        }
    }

    #[test]
    fn a_tangent_keeps_its_side() {
        for flipped in [false, true] {
            let packed = UnitVector::pack_tangent(Vec3::new(0.6, -0.48, 0.64), flipped);
            assert_eq!(packed.0[1] & 1 == 1, flipped);
        }
    }
}
