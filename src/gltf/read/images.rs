//! Decodes images.

use std::borrow::Cow;
use std::collections::BTreeMap;
use std::io::Cursor;
use std::path::Path;

use gltf::json;
use image::{DynamicImage, ImageDecoder};

use super::accessor::AccessorBuffers;
use super::files;
use crate::hash::Fnv128;
use crate::level::Image;
use crate::memo::Memo;
use crate::problems::{ProblemCode, Problems};

/// Maximum side of an image, pixels; every graphics card supports this size.
const MAX_SIDE: u32 = 8192;
/// Maximum size of all decoded images of a level together, bytes.
const MAX_IMAGE_BYTES: u64 = 1 << 29;
/// Maximum size of all image files of a level together, bytes. A file counts once for each image that refers to it.
const MAX_FILE_BYTES: u64 = 1 << 30;

/// The images decoded so far. Each is decoded once, even if many textures use it.
pub(crate) struct Images<'a> {
    root: &'a json::Root,
    buffers: &'a AccessorBuffers<'a>,
    folder: Option<&'a Path>,
    /// For each image of the document its index in `decoded`; `None` if it could not be decoded.
    found: BTreeMap<usize, Option<u32>>,
    decoded: Vec<Image>,
    /// For each image in `decoded` the hash of its file.
    keys: Vec<u128>,
    /// The images of the level's last version.
    last: &'a Memo<u128, Image>,
    /// Bytes left of [`MAX_IMAGE_BYTES`].
    bytes_left: u64,
    /// Bytes left of [`MAX_FILE_BYTES`].
    file_bytes_left: u64,
}

impl<'a> Images<'a> {
    pub(crate) fn new(
        root: &'a json::Root,
        buffers: &'a AccessorBuffers<'a>,
        folder: Option<&'a Path>,
        last: &'a Memo<u128, Image>,
    ) -> Self {
        Self {
            root,
            buffers,
            folder,
            found: BTreeMap::new(),
            decoded: Vec::new(),
            keys: Vec::new(),
            last,
            bytes_left: MAX_IMAGE_BYTES,
            file_bytes_left: MAX_FILE_BYTES,
        }
    }

    /// All decoded images by index, and the same by the hashes of their files for the level's next version.
    pub(crate) fn decoded(self) -> (Vec<Image>, Memo<u128, Image>) {
        let images = self.decoded.iter().cloned();
        let by_key = self.keys.into_iter().zip(images).collect();
        (self.decoded, by_key)
    }

    /// The index of an image, decoded if necessary, for a slot of a material. `None` if it cannot be decoded, with a
    /// warning the first time.
    pub(crate) fn index_of(
        &mut self,
        image: usize,
        of: impl FnOnce() -> String,
        problems: &mut Problems,
    ) -> Option<u32> {
        if let Some(found) = self.found.get(&image) {
            return *found;
        }
        let found = match self.decode(image) {
            Ok((decoded, key)) => {
                self.decoded.push(decoded);
                self.keys.push(key);
                Some(self.decoded.len() as u32 - 1)
            }
            Err(error) => {
                let message = format!(
                    "the image of {} {error}; surfaces are drawn without it",
                    of()
                );
                problems.warn(ProblemCode::Image, &self.name(image), message);
                None
            }
        };
        self.found.insert(image, found);
        found
    }

    fn name(&self, index: usize) -> String {
        let image = self.root.images.get(index);
        let name = image.and_then(|i| i.name.clone().or_else(|| i.uri.clone()));
        match name {
            Some(name) if !name.is_empty() && !name.starts_with("data:") => name,
            _ => format!("image {index}"),
        }
    }

    /// Decodes an image; also returns the hash of its file.
    fn decode(&mut self, index: usize) -> Result<(Image, u128), String> {
        let source = self.root.images.get(index).ok_or_else(|| {
            let none = "does not exist in this file (a texture without `source` has only one that an extension reads)";
            format!("{none}: give the texture a PNG or JPEG")
        })?;
        let bytes = match (&source.uri, source.buffer_view) {
            (Some(uri), _) => {
                let bytes = files::read_uri(uri, self.folder, self.file_bytes_left);
                Cow::Owned(
                    bytes
                        .map_err(|error| format!("{error}: put it beside the level, or into it"))?,
                )
            }
            (None, Some(view)) => {
                let bytes = self.buffers.view(view.value());
                Cow::Borrowed(bytes.map_err(|error| format!("cannot be read: {error}"))?)
            }
            (None, None) => {
                return Err("has no picture in this file (neither uri nor bufferView, or only one that an extension reads): give the material a PNG or JPEG (Blender: Image Editor, Image, Save As, then choose it in the Image Texture node), and export again".to_owned());
            }
        };
        take(&mut self.file_bytes_left, bytes.len() as u64)?;
        let key = Fnv128::EMPTY.words(&bytes).0;
        if let Some(cached) = self.last.get(&key) {
            let [width, height] = [cached.width, cached.height].map(u64::from);
            take(&mut self.bytes_left, 4 * width * height)?;
            let name = self.name(index);
            let image = Image {
                name,
                ..cached.clone()
            };
            return Ok((image, key));
        }
        let undecoded = |error| format!("cannot be decoded ({error}): save it as PNG or JPEG");
        let mut reader = image::ImageReader::new(Cursor::new(bytes))
            .with_guessed_format()
            .map_err(|error| format!("cannot be read: {error}"))?;
        let mut limits = image::Limits::default();
        limits.max_image_width = Some(MAX_SIDE);
        limits.max_image_height = Some(MAX_SIDE);
        limits.max_alloc = Some(MAX_IMAGE_BYTES);
        reader.limits(limits);
        let decoder = reader.into_decoder().map_err(undecoded)?;
        // The memory is counted before decoding, so also if decoding fails.
        let (width, height) = decoder.dimensions();
        take(
            &mut self.bytes_left,
            4 * u64::from(width) * u64::from(height),
        )?;
        let rgba = DynamicImage::from_decoder(decoder)
            .map_err(undecoded)?
            .into_rgba8();
        let image = Image {
            name: self.name(index),
            width: rgba.width(),
            height: rgba.height(),
            rgba: rgba.into_raw().into(),
        };
        Ok((image, key))
    }
}

/// Subtracts bytes from a remaining budget; an error if there are too few.
fn take(left: &mut u64, bytes: u64) -> Result<(), &'static str> {
    let rest = left.checked_sub(bytes);
    *left = rest.ok_or("does not fit: the level's pictures are too large, make some smaller")?;
    Ok(())
}
