//! Encoding of sky visibility in a cache file.

use crate::hash::Fnv128;

/// The magic bytes at the start of a file.
const MAGIC: [u8; 8] = *b"opendoor";
/// Bytes before the sky visibility: the magic, the level's key and the checksum of the rest.
pub(super) const HEADER: usize = 8 + 16 + 16;

/// The file of a level's sky visibility.
pub fn encode(key: u128, sky_visibility: &[u8]) -> Vec<u8> {
    [&header(key, sky_visibility)[..], sky_visibility].concat()
}

/// Returns the sky visibility in a file; `None` unless the file is complete and has this key and length.
pub fn decode(bytes: &[u8], key: u128, length: usize) -> Option<&[u8]> {
    let (head, sky_visibility) = bytes.split_at_checked(HEADER)?;
    let fits = sky_visibility.len() == length && *head == header(key, sky_visibility);
    fits.then_some(sky_visibility)
}

fn header(key: u128, sky_visibility: &[u8]) -> [u8; HEADER] {
    let sum = Fnv128::EMPTY.bytes(sky_visibility).0;
    let mut header = [0; HEADER];
    header[..8].copy_from_slice(&MAGIC);
    header[8..24].copy_from_slice(&key.to_le_bytes());
    header[24..].copy_from_slice(&sum.to_le_bytes());
    header
}
