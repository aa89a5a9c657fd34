//! HDR colours packed into 32 bits: `Rgb9e5Ufloat`, three mantissas with one shared exponent.

use glam::Vec3;

/// Packs a colour; each component is exact to 1/512 of the greatest: OpenGL's EXT_texture_shared_exponent.
pub(super) fn pack(rgb: Vec3) -> u32 {
    let greatest = rgb.max_element().clamp(0.0, 65_408.0);
    if greatest < 1e-4 {
        return 0;
    }
    // The exponent of the next power of two above the greatest component.
    let exponent = (greatest.to_bits() >> 23) as i32 - 126;
    let exponent = exponent.max(-15);
    let fits = |exponent: i32| (greatest * scale(exponent)).round() < 512.0;
    let exponent = if fits(exponent) {
        exponent
    } else {
        exponent + 1
    };
    let [r, g, b] = (rgb * scale(exponent)).round().to_array().map(|x| x as u32);
    ((exponent + 15) as u32) << 27 | b << 18 | g << 9 | r
}

/// 512 divided by a power of two.
fn scale(exponent: i32) -> f32 {
    f32::from_bits(((9 - exponent + 127) as u32) << 23)
}

/// Unpacks a colour.
#[cfg(test)]
pub(super) fn unpack(texel: u32) -> Vec3 {
    let scale = f64::powi(2.0, (texel >> 27) as i32 - 24) as f32;
    let [r, g, b] = [0, 9, 18].map(|bit| (texel >> bit & 511) as f32);
    Vec3::new(r, g, b) * scale
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn packed_light_is_off_by_less_than_a_five_hundredth_of_the_greatest() {
        for rgb in [
            [1.0, 0.5, 0.25],
            [0.999, 0.1, 0.0],
            [511.9, 3.0, 60.0],
            [0.01, 0.002, 0.03],
            [1.998, 1.999, 2.0],
        ] {
            let rgb = Vec3::from_array(rgb);
            let off = (unpack(pack(rgb)) - rgb).abs().max_element();
            assert!(off <= rgb.max_element() / 500.0, "{rgb}");
        }
        assert_eq!(unpack(pack(Vec3::ONE)), Vec3::ONE);
        assert_eq!(pack(Vec3::ZERO), 0);
    }
}
