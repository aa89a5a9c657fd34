//! Encoding of films. Each picture is encoded as soon as it is drawn, so that no picture stays in memory.

use std::fs;
use std::io::{self, Write};
use std::path::{Path, PathBuf};

use super::changed::{ChangedRect, PictureChanges};
use crate::cli::Error;
use crate::cli::output::Output;

/// The maximum frame rate of a GIF: it counts time in hundredths of a second, and viewers show pictures with a delay of
/// less than two hundredths much longer.
const MAX_GIF_FPS: u16 = 50;

/// The speed of choosing the colours of a GIF, 1 to 30: a larger number is faster, with worse colours.
const PALETTE_SPEED: i32 = 10;

/// A film that is about to be written.
pub(super) struct Film {
    to: To,
    path: PathBuf,
    fps: u16,
    size: [u32; 2],
}

enum To {
    Apng(Output),
    Gif(Output),
    Folder,
}

/// The format of a film, chosen by its file name.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum FilmFormat {
    Apng,
    Gif,
    Folder,
}

impl FilmFormat {
    pub(super) fn of(path: &Path) -> Option<Self> {
        let text = path.as_os_str().to_string_lossy();
        if text.ends_with(['/', std::path::MAIN_SEPARATOR]) || path.is_dir() {
            return Some(Self::Folder);
        }
        match path.extension()?.to_ascii_lowercase().to_str()? {
            "png" | "apng" => Some(Self::Apng),
            "gif" => Some(Self::Gif),
            _ => None,
        }
    }
}

impl Film {
    /// Checks that the film can be written; creates the folder.
    pub(super) fn at(path: &Path, fps: u16, size: [u32; 2]) -> Result<Self, Error> {
        let to = match FilmFormat::of(path) {
            Some(FilmFormat::Gif) if fps > MAX_GIF_FPS => return Err(Error::FastGif { fps }),
            Some(FilmFormat::Gif) => To::Gif(Output::at(path)?),
            Some(FilmFormat::Folder) => {
                fs::create_dir_all(path).map_err(|error| unwritten(path, error))?;
                To::Folder
            }
            Some(FilmFormat::Apng) | None => To::Apng(Output::at(path)?),
        };
        let path = path.to_owned();
        Ok(Self {
            to,
            path,
            fps,
            size,
        })
    }

    /// Writes this number of pictures, each of which is drawn when it is needed: RGB row by row from the top. Returns
    /// the number of bytes written.
    pub(super) fn write(
        self,
        count: u32,
        mut picture: impl FnMut(u32) -> Result<Vec<u8>, Error>,
    ) -> Result<u64, Error> {
        let Self {
            to,
            path,
            fps,
            size,
        } = self;
        let mut changes = PictureChanges::new(size);
        match to {
            To::Apng(output) => {
                let mut file = output.begin()?;
                let failed = |error: png::EncodingError| unwritten(&path, error.into());
                let mut film = begin_apng(&mut file, size, fps, count).map_err(failed)?;
                for index in 0..count {
                    let (part, rgb) = changes.next(picture(index)?);
                    add_to_apng(&mut film, part, &rgb).map_err(failed)?;
                }
                film.finish().map_err(failed)?;
                file.finish()?;
            }
            To::Gif(output) => {
                let mut file = output.begin()?;
                let failed = |error: gif::EncodingError| unwritten(&path, io::Error::other(error));
                let mut film = begin_gif(&mut file, size).map_err(failed)?;
                for index in 0..count {
                    let (part, rgb) = changes.next(picture(index)?);
                    let frame = gif_frame(part, &rgb, delay(index, fps));
                    film.write_frame(&frame).map_err(failed)?;
                }
                film.into_inner().map_err(failed)?;
                file.finish()?;
            }
            To::Folder => {
                let mut bytes = 0;
                for index in 0..count {
                    let path = path.join(format!("{:04}.png", index + 1));
                    let output = Output::at(&path)?;
                    let png = png(&picture(index)?, size)
                        .map_err(|error| unwritten(&path, error.into()))?;
                    bytes += png.len() as u64;
                    output.write(&png)?;
                }
                return Ok(bytes);
            }
        }
        Ok(fs::metadata(&path).map_or(0, |file| file.len()))
    }
}

fn unwritten(path: &Path, error: io::Error) -> Error {
    Error::Write {
        path: path.to_owned(),
        error,
    }
}

/// Begins an animated PNG, which contains the number of pictures at its start and repeats forever.
fn begin_apng<W: Write>(
    to: W,
    size: [u32; 2],
    fps: u16,
    count: u32,
) -> Result<png::Writer<W>, png::EncodingError> {
    let mut encoder = png_encoder(to, size);
    encoder.set_animated(count, 0)?;
    encoder.set_frame_delay(1, fps)?;
    encoder.write_header()
}

/// Adds the changed rectangle of a picture.
fn add_to_apng<W: Write>(
    film: &mut png::Writer<W>,
    ChangedRect { at, size }: ChangedRect,
    rgb: &[u8],
) -> Result<(), png::EncodingError> {
    // The position is reset before the size is set, so that the frame never extends beyond the picture.
    film.reset_frame_position()?;
    film.set_frame_dimension(size[0], size[1])?;
    film.set_frame_position(at[0], at[1])?;
    film.write_image_data(rgb)
}

/// Encodes a picture as a separate PNG file.
fn png(rgb: &[u8], size: [u32; 2]) -> Result<Vec<u8>, png::EncodingError> {
    let mut bytes = Vec::new();
    let mut writer = png_encoder(&mut bytes, size).write_header()?;
    writer.write_image_data(rgb)?;
    writer.finish()?;
    Ok(bytes)
}

fn png_encoder<'a, W: Write>(to: W, [width, height]: [u32; 2]) -> png::Encoder<'a, W> {
    let mut encoder = png::Encoder::new(to, width, height);
    encoder.set_color(png::ColorType::Rgb);
    encoder.set_depth(png::BitDepth::Eight);
    encoder.set_source_srgb(png::SrgbRenderingIntent::Perceptual);
    encoder.set_compression(png::Compression::High);
    encoder
}

/// Begins a GIF that repeats forever.
fn begin_gif<W: Write>(
    to: W,
    [width, height]: [u32; 2],
) -> Result<gif::Encoder<W>, gif::EncodingError> {
    let mut encoder = gif::Encoder::new(to, width as u16, height as u16, &[])?;
    encoder.set_repeat(gif::Repeat::Infinite)?;
    Ok(encoder)
}

/// Returns the changed rectangle of a picture, with its own palette of 256 colours, shown for `delay` hundredths of a
/// second.
fn gif_frame(ChangedRect { at, size }: ChangedRect, rgb: &[u8], delay: u16) -> gif::Frame<'static> {
    let [width, height] = size.map(|n| n as u16);
    let mut frame = gif::Frame::from_rgb_speed(width, height, rgb, PALETTE_SPEED);
    [frame.left, frame.top] = at.map(|n| n as u16);
    frame.delay = delay;
    frame
}

/// Returns the delay of a picture, hundredths of a second, rounded so that the total length of the film is right.
fn delay(index: u32, fps: u16) -> u16 {
    let until = |index: u32| u64::from(index) * 100 / u64::from(fps);
    (until(index + 1) - until(index)) as u16
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_delays_of_a_gif_add_up_to_its_length() {
        for fps in 1..=MAX_GIF_FPS {
            let all = (0..u32::from(fps) * 7).map(|index| u32::from(delay(index, fps)));
            assert_eq!(all.clone().sum::<u32>(), 700, "{fps}");
            assert!(all.min() >= Some(2), "{fps}");
        }
    }

    #[test]
    fn the_extension_of_the_name_decides_the_kind_of_film() {
        for (name, kind) in [
            ("a.png", Some(FilmFormat::Apng)),
            ("a.GIF", Some(FilmFormat::Gif)),
            ("frames/", Some(FilmFormat::Folder)),
            ("a.gif/", Some(FilmFormat::Folder)),
            (".", Some(FilmFormat::Folder)),
            ("a.mp4", None),
            ("a", None),
            ("", None),
        ] {
            assert_eq!(FilmFormat::of(Path::new(name)), kind, "{name}");
        }
    }
}
