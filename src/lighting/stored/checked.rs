//! Computed light with its key and a checksum.

use crate::hash::Fnv128;

/// The magic bytes at the start of a file.
const MAGIC: [u8; 8] = *b"opendoor";
/// Bytes before the contents: the magic, the level's key and the checksum of the rest.
pub(super) const HEADER: usize = 8 + 16 + 16;

/// The file of a level's contents.
pub fn encode(key: u128, contents: &[u8]) -> Vec<u8> {
    [&header(key, contents)[..], contents].concat()
}

/// Returns the contents in a file; `None` unless the file is complete and has this key and length.
pub fn decode(bytes: &[u8], key: u128, length: usize) -> Option<&[u8]> {
    let (head, contents) = bytes.split_at_checked(HEADER)?;
    let fits = contents.len() == length && *head == header(key, contents);
    fits.then_some(contents)
}

fn header(key: u128, contents: &[u8]) -> [u8; HEADER] {
    let sum = Fnv128::EMPTY.bytes(contents).0;
    let mut header = [0; HEADER];
    header[..8].copy_from_slice(&MAGIC);
    header[8..24].copy_from_slice(&key.to_le_bytes());
    header[24..].copy_from_slice(&sum.to_le_bytes());
    header
}
