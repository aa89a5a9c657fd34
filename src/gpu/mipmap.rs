//! Mipmaps, filtered in linear light.

use crate::level::{Image, linear_from_srgb};

/// The meaning of an image's channels.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Colours {
    /// Colours, encoded as sRGB; alpha is their weight.
    Srgb,
    /// Linear quantities, such as the components of normals; alpha is one of them.
    Linear,
}

/// One mipmap level of an image, 8 bit.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Mip {
    pub(super) width: u32,
    pub(super) height: u32,
    pub(super) rgba: Vec<u8>,
}

/// Computes the image and its halves down to 1 x 1, leaving out levels larger than `max_size`.
pub(super) fn mipmaps(image: &Image, colours: Colours, max_size: u32) -> Vec<Mip> {
    let linear = |code| match colours {
        Colours::Srgb => linear_from_srgb(code),
        Colours::Linear => f32::from(code) / 255.0,
    };
    let linear_from_code: Vec<f32> = (0..=255u8).map(linear).collect();
    let mut levels = vec![Mip {
        width: image.width,
        height: image.height,
        rgba: image.rgba.to_vec(),
    }];
    while let Some(last) = levels.last().filter(|mip| mip.width > 1 || mip.height > 1) {
        let half = halved(last, colours, &linear_from_code);
        levels.push(half);
    }
    let too_large = |mip: &Mip| mip.width > max_size || mip.height > max_size;
    let first = levels.iter().position(|mip| !too_large(mip)).unwrap_or(0);
    levels.split_off(first)
}

/// Halves the size, rounding down; each texel is the mean of the area that it covers. Colours are weighted by their
/// alpha, so that transparent texels do not bleed in.
fn halved(from: &Mip, colours: Colours, linear_from_code: &[f32]) -> Mip {
    let (width, height) = ((from.width / 2).max(1), (from.height / 2).max(1));
    let columns: Vec<_> = (0..width).map(|x| covered(x, width, from.width)).collect();
    let mut rgba = Vec::with_capacity(width as usize * height as usize * 4);
    for y in 0..height {
        let rows = covered(y, height, from.height);
        for columns in &columns {
            let (mut colour, mut plain, mut alpha, mut area) = ([0.0; 3], [0.0; 3], 0.0, 0.0);
            for (row, part_of_row) in rows.iter().copied() {
                for (column, part_of_column) in columns.iter().copied() {
                    let at = (row as usize * from.width as usize + column as usize) * 4;
                    let weight = part_of_row * part_of_column;
                    let opacity = f32::from(from.rgba[at + 3]) / 255.0 * weight;
                    for channel in 0..3 {
                        let value = linear_from_code[usize::from(from.rgba[at + channel])];
                        colour[channel] += value * opacity;
                        plain[channel] += value * weight;
                    }
                    alpha += opacity;
                    area += weight;
                }
            }
            let mean = if alpha > 0.0 && colours == Colours::Srgb {
                colour.map(|c| c / alpha)
            } else {
                plain.map(|c| c / area)
            };
            rgba.extend(mean.map(|value| match colours {
                Colours::Srgb => srgb_from_linear(value),
                Colours::Linear => (value * 255.0 + 0.5) as u8,
            }));
            rgba.push((alpha / area * 255.0 + 0.5) as u8);
        }
    }
    Mip {
        width,
        height,
        rgba,
    }
}

/// The texels of the larger image that one texel of the smaller image covers, each with its covered fraction; at most
/// three if the size is odd.
fn covered(at: u32, small: u32, large: u32) -> [(u32, f32); 3] {
    let scale = large as f32 / small as f32;
    let (start, end) = (at as f32 * scale, (at + 1) as f32 * scale);
    let first = (start as u32).min(large - 1);
    std::array::from_fn(|i| {
        let texel = first + i as u32;
        let part = (end.min((texel + 1) as f32) - start.max(texel as f32)).max(0.0);
        (texel.min(large - 1), if texel < large { part } else { 0.0 })
    })
}

/// The transfer function of sRGB (IEC 61966-2-1).
fn srgb_from_linear(value: f32) -> u8 {
    let value = if value <= 0.003_130_8 {
        value * 12.92
    } else {
        1.055 * value.powf(1.0 / 2.4) - 0.055
    };
    (value * 255.0 + 0.5) as u8
}

#[cfg(test)]
mod tests {
    use super::*;

    fn picture(width: u32, height: u32, rgba: Vec<u8>) -> Image {
        Image {
            name: String::new(),
            width,
            height,
            rgba: rgba.into(),
        }
    }

    #[test]
    fn black_and_white_average_to_the_light_that_leaves_them_and_not_to_their_codes() {
        let half = &mipmaps(
            &picture(2, 1, vec![0, 0, 0, 255, 255, 255, 255, 255]),
            Colours::Srgb,
            8,
        )[1];
        // Half the light of white is encoded as 188 in sRGB.
        assert_eq!(half.rgba, [188, 188, 188, 255]);
    }

    #[test]
    fn quantities_average_independently_of_their_alpha() {
        let texels = vec![0, 40, 200, 0, 255, 60, 100, 255];
        let half = &mipmaps(&picture(2, 1, texels), Colours::Linear, 8)[1];
        assert_eq!(half.rgba, [128, 50, 150, 128]);
    }

    #[test]
    fn transparent_texels_do_not_colour_their_neighbours() {
        let half = &mipmaps(
            &picture(2, 1, vec![200, 10, 10, 255, 0, 255, 0, 0]),
            Colours::Srgb,
            8,
        )[1];
        assert_eq!(half.rgba, [200, 10, 10, 128]);
    }

    #[test]
    fn a_plain_colour_is_unchanged_in_mipmaps_of_every_size() {
        for (width, height) in [(1, 1), (7, 3), (5, 1), (1, 9), (64, 31)] {
            let rgba = [13, 77, 240, 255].repeat((width * height) as usize);
            let mips = mipmaps(&picture(width, height, rgba), Colours::Srgb, 4096);
            let last = mips.last().unwrap();
            assert_eq!((last.width, last.height), (1, 1));
            assert_eq!(mips.len() as u32, width.max(height).ilog2() + 1);
            assert!(
                mips.iter()
                    .all(|m| m.rgba.chunks(4).all(|c| c == [13, 77, 240, 255]))
            );
        }
    }

    #[test]
    fn a_picture_beyond_the_limit_of_the_device_starts_at_the_first_size_that_fits() {
        let mips = mipmaps(&picture(16, 4, vec![9; 256]), Colours::Linear, 5);
        assert_eq!((mips[0].width, mips[0].height), (4, 1));
    }
}
