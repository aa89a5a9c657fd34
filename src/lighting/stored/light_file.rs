//! The file that is delivered with a level: all of its computed light, compressed.

use std::io::{self, Read, Write};
use std::path::Path;

use flate2::Compression;
use flate2::read::ZlibDecoder;
use flate2::write::ZlibEncoder;

use super::StoredKind;
use super::checked::{HEADER, decode, encode};
use crate::files::{self, ReadError};

/// The extension of these files.
pub const EXTENSION: &str = "light";
/// The first bytes of a file.
const MAGIC: [u8; 8] = *b"odlight1";
/// The maximum length of a file, bytes.
const MAX_BYTES: u64 = 1 << 30;

/// The computed light of a level.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct LightFile {
    parts: Vec<LightPart>,
}

/// Light of one kind.
#[derive(Clone, Debug, PartialEq, Eq)]
struct LightPart {
    kind: StoredKind,
    compressed: Vec<u8>,
}

/// An unusable file of light.
#[derive(Debug, thiserror::Error)]
pub enum LightFileError {
    /// The file cannot be read.
    #[error("cannot read it: {0}")]
    Read(#[from] ReadError),
    /// The file does not have the format of this version.
    #[error(
        "it is not a light file of this version of OpenDoor, and the light is computed again; write it again with `opendoor bake`"
    )]
    Format,
}

impl LightFile {
    /// Reads a file.
    ///
    /// # Errors
    ///
    /// If the file cannot be read, or is not complete.
    pub fn read(path: &Path) -> Result<Self, LightFileError> {
        Self::decode(&files::read(path, MAX_BYTES)?)
    }

    /// Decodes the bytes of a file. The light itself is checked when it is used.
    ///
    /// # Errors
    ///
    /// If the bytes are not those of a complete file.
    pub fn decode(bytes: &[u8]) -> Result<Self, LightFileError> {
        let mut rest = bytes.strip_prefix(&MAGIC).ok_or(LightFileError::Format)?;
        let mut file = Self::default();
        while !rest.is_empty() {
            let part = take_part(&mut rest).ok_or(LightFileError::Format)?;
            file.parts.push(part);
        }
        Ok(file)
    }

    /// Encodes the file.
    pub fn encode(&self) -> Vec<u8> {
        let mut bytes = MAGIC.to_vec();
        for part in &self.parts {
            bytes.push(part.kind as u8);
            bytes.extend((part.compressed.len() as u64).to_le_bytes());
            bytes.extend(&part.compressed);
        }
        bytes
    }

    /// Adds light.
    ///
    /// # Errors
    ///
    /// If the compression fails.
    pub(in crate::lighting) fn add(
        &mut self,
        kind: StoredKind,
        key: u128,
        contents: &[u8],
    ) -> io::Result<()> {
        let mut encoder = ZlibEncoder::new(Vec::new(), Compression::best());
        encoder.write_all(&to_planes(&encode(key, contents)))?;
        let compressed = encoder.finish()?;
        self.parts.push(LightPart { kind, compressed });
        Ok(())
    }

    /// The light of this kind and key, if it is complete and at most `max_len` bytes long.
    pub(super) fn get(&self, kind: StoredKind, key: u128, max_len: usize) -> Option<Vec<u8>> {
        let part = self.parts.iter().find(|part| part.kind == kind)?;
        let mut bytes = Vec::new();
        let limit = (HEADER + max_len) as u64 + 1;
        let decoder = ZlibDecoder::new(&part.compressed[..]);
        decoder.take(limit).read_to_end(&mut bytes).ok()?;
        let bytes = from_planes(&bytes);
        let length = bytes.len().checked_sub(HEADER)?;
        let contents = decode(&bytes, key, length)?;
        (length <= max_len).then(|| contents.to_vec())
    }
}

/// Reads the next part; `None` if it is incomplete or of an unknown kind.
fn take_part(rest: &mut &[u8]) -> Option<LightPart> {
    let (&kind, after) = rest.split_first()?;
    let (length, after) = after.split_at_checked(8)?;
    let length = u64::from_le_bytes(length.try_into().ok()?);
    let (compressed, after) = after.split_at_checked(usize::try_from(length).ok()?)?;
    *rest = after;
    Some(LightPart {
        kind: *StoredKind::ALL.get(usize::from(kind))?,
        compressed: compressed.to_vec(),
    })
}

/// The number of bytes whose places are kept apart: those of a word.
const PLANES: usize = 4;

/// Reorders bytes so that the first bytes of all words come first, then their second bytes, and so on: bytes of the same
/// meaning compress better.
fn to_planes(bytes: &[u8]) -> Vec<u8> {
    let plane = |plane: usize| bytes.iter().skip(plane).step_by(PLANES);
    (0..PLANES).flat_map(plane).copied().collect()
}

/// Reverses [`to_planes`].
fn from_planes(planes: &[u8]) -> Vec<u8> {
    let mut bytes = vec![0; planes.len()];
    let mut next = planes.iter();
    for plane in 0..PLANES {
        let places = bytes.iter_mut().skip(plane).step_by(PLANES);
        places.zip(&mut next).for_each(|(byte, &of)| *byte = of);
    }
    bytes
}
