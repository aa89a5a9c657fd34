//! Splits a level file into its JSON text and its binary chunk.

/// The parts of a level file, not yet parsed.
#[derive(Debug, PartialEq, Eq)]
pub(crate) struct Container<'a> {
    /// The JSON text, as bytes.
    pub json: &'a [u8],
    /// The binary chunk of a .glb, which is its first buffer.
    pub binary: Option<&'a [u8]>,
    /// Further chunks of a .glb, which extensions may add.
    pub rest: &'a [u8],
}

/// The reason why a file is not a glTF file.
#[derive(Debug, PartialEq, Eq, thiserror::Error)]
pub(crate) enum ContainerError {
    #[error("the file is empty (0 bytes); export the level again")]
    Empty,
    #[error(
        "the file is neither a .glb (it lacks the magic `glTF` of a GLB header) nor the JSON text of a .gltf; export the level as glTF 2.0"
    )]
    NoGltf,
    #[error("the GLB header needs 12 bytes, the file has {0}: it is truncated; export it again")]
    ShortHeader(usize),
    #[error("GLB container version {0}: only version 2 (glTF 2.0) is read; export it as glTF 2.0")]
    Version(u32),
    #[error(
        "the GLB header says a length of {said} bytes, the file has {has}: it is truncated; copy or export it again"
    )]
    Truncated { said: usize, has: usize },
    #[error(
        "the chunk at byte {at} says a length of {said} bytes, {left} are left: the file is truncated or broken; export it again"
    )]
    ShortChunk { at: usize, said: usize, left: usize },
    #[error("the first chunk of the GLB is not its JSON chunk; export it again")]
    NoJson,
    #[error("the JSON text is longer than {MAX_TEXT} bytes; export the level as .glb")]
    LongText,
}

const MAGIC: &[u8; 4] = b"glTF";
const BYTE_ORDER_MARK: &[u8; 3] = b"\xef\xbb\xbf";
const CHUNK_JSON: u32 = u32::from_le_bytes(*b"JSON");
const CHUNK_BIN: u32 = u32::from_le_bytes(*b"BIN\0");

/// Number of bytes at the beginning of a file from which it is decided whether to read the rest.
pub(crate) const HEAD: usize = 4096;
/// Maximum size of the text of a .gltf, bytes. The text may contain the buffers.
const MAX_TEXT: u64 = 1 << 30;

/// The number of bytes of a file to read. `head` has its first [`HEAD`] bytes, or all if it is shorter; `size` is its
/// size in bytes.
pub(crate) fn bytes_to_read(head: &[u8], size: u64) -> Result<u64, ContainerError> {
    if head.is_empty() {
        return Err(ContainerError::Empty);
    }
    if !head.starts_with(MAGIC) {
        let text = head.strip_prefix(BYTE_ORDER_MARK).unwrap_or(head);
        return match text.trim_ascii_start().first() {
            Some(b'{') if size > MAX_TEXT => Err(ContainerError::LongText),
            // Text contains no zero bytes, but the remains of a damaged file do.
            Some(b'{') if !head.contains(&0) => Ok(size),
            _ => Err(ContainerError::NoGltf),
        };
    }
    let length = glb_length(head)?;
    if length as u64 > size {
        return Err(ContainerError::Truncated {
            said: length,
            has: size as usize,
        });
    }
    match head.get(16..20) {
        Some(kind) if kind != CHUNK_JSON.to_le_bytes() => Err(ContainerError::NoJson),
        _ => Ok(length as u64),
    }
}

/// Splits a .glb into its chunks. A file that starts like JSON is treated as a .gltf.
pub(crate) fn split(bytes: &[u8]) -> Result<Container<'_>, ContainerError> {
    if bytes.is_empty() {
        return Err(ContainerError::Empty);
    }
    if bytes.starts_with(MAGIC) {
        return split_glb(bytes);
    }
    let text = bytes.strip_prefix(BYTE_ORDER_MARK).unwrap_or(bytes);
    if text.trim_ascii_start().first() != Some(&b'{') {
        return Err(ContainerError::NoGltf);
    }
    Ok(Container {
        json: text,
        binary: None,
        rest: &[],
    })
}

fn split_glb(bytes: &[u8]) -> Result<Container<'_>, ContainerError> {
    let length = glb_length(bytes)?;
    let whole = bytes.get(..length).ok_or(ContainerError::Truncated {
        said: length,
        has: bytes.len(),
    })?;
    let mut at = 12;
    let (kind, json) = chunk(whole, &mut at)?;
    if kind != CHUNK_JSON {
        return Err(ContainerError::NoJson);
    }
    // Some exporters pad the text with zeros where the standard requires spaces.
    let end = json
        .iter()
        .rposition(|&b| b != 0)
        .map_or(0, |last| last + 1);
    let mut container = Container {
        json: &json[..end],
        binary: None,
        rest: &[],
    };
    let behind_json = at;
    if at < whole.len() {
        let (kind, data) = chunk(whole, &mut at)?;
        container.binary = (kind == CHUNK_BIN).then_some(data);
    }
    let rest = if container.binary.is_some() {
        at
    } else {
        behind_json
    };
    container.rest = whole.get(rest..).unwrap_or_default();
    Ok(container)
}

/// Whether a file is a .glb.
pub(crate) fn is_glb(bytes: &[u8]) -> bool {
    bytes.starts_with(MAGIC)
}

/// A .glb that consists of a text, a binary chunk and further chunks; `None` if it would be too long.
pub(crate) fn join(json: &[u8], binary: &[u8], rest: &[u8]) -> Option<Vec<u8>> {
    let mut glb = [MAGIC.as_slice(), &2_u32.to_le_bytes(), &[0; 4]].concat();
    let mut add = |kind: u32, data: &[u8], padding: u8| {
        let length = data.len().next_multiple_of(4);
        glb.extend(u32::try_from(length).ok()?.to_le_bytes());
        glb.extend(kind.to_le_bytes());
        glb.extend(data);
        glb.resize(glb.len() + length - data.len(), padding);
        Some(())
    };
    add(CHUNK_JSON, json, b' ')?;
    if !binary.is_empty() {
        add(CHUNK_BIN, binary, 0)?;
    }
    glb.extend(rest);
    let length = u32::try_from(glb.len()).ok()?;
    glb[8..12].copy_from_slice(&length.to_le_bytes());
    Some(glb)
}

/// The length in the header of a .glb.
fn glb_length(bytes: &[u8]) -> Result<usize, ContainerError> {
    let short = ContainerError::ShortHeader(bytes.len());
    let ([_, version, length], _) = words(bytes).ok_or(short)?;
    if version != 2 {
        return Err(ContainerError::Version(version));
    }
    Ok(length as usize)
}

/// The type and the data of the chunk at byte `at`. Advances `at` past the chunk.
fn chunk<'a>(whole: &'a [u8], at: &mut usize) -> Result<(u32, &'a [u8]), ContainerError> {
    let start = *at;
    let left = whole.get(start..).unwrap_or_default();
    let ([said, kind], rest) = words(left).ok_or(ContainerError::ShortChunk {
        at: start,
        said: 8,
        left: left.len(),
    })?;
    let data = rest
        .get(..said as usize)
        .ok_or(ContainerError::ShortChunk {
            at: start,
            said: said as usize,
            left: rest.len(),
        })?;
    *at = start + 8 + data.len();
    Ok((kind, data))
}

/// The first `N` little-endian words of `bytes`, and the remaining bytes.
fn words<const N: usize>(bytes: &[u8]) -> Option<([u32; N], &[u8])> {
    let (head, rest) = bytes.split_at_checked(4 * N)?;
    let words = head.as_chunks::<4>().0.first_chunk::<N>()?;
    Some((words.map(u32::from_le_bytes), rest))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn glb(chunks: &[(u32, &[u8])]) -> Vec<u8> {
        let mut bytes = b"glTF\x02\0\0\0\0\0\0\0".to_vec();
        for (kind, data) in chunks {
            bytes.extend((data.len() as u32).to_le_bytes());
            bytes.extend(kind.to_le_bytes());
            bytes.extend(*data);
        }
        let length = (bytes.len() as u32).to_le_bytes();
        bytes[8..12].copy_from_slice(&length);
        bytes
    }

    #[test]
    fn a_glb_gives_its_text_without_padding_and_its_binary_chunk() {
        let bytes = glb(&[(CHUNK_JSON, b"{}\0\0"), (CHUNK_BIN, b"1234")]);
        let expected = Container {
            json: b"{}",
            binary: Some(b"1234"),
            rest: &[],
        };
        assert_eq!(split(&bytes), Ok(expected));
    }

    #[test]
    fn a_split_glb_can_be_joined_again() {
        let bytes = glb(&[(CHUNK_JSON, b"{}  "), (CHUNK_BIN, b"1234"), (7, b"more")]);
        let Container { json, binary, rest } = split(&bytes).unwrap();
        assert_eq!(join(json, binary.unwrap(), rest), Some(bytes));
        let bytes = glb(&[(CHUNK_JSON, b"{}  "), (7, b"more")]);
        let Container { json, binary, rest } = split(&bytes).unwrap();
        assert_eq!((join(json, &[], rest), binary), (Some(bytes.clone()), None));
        assert!(is_glb(&bytes) && !is_glb(b"{}"));
    }

    #[test]
    fn bytes_behind_the_stated_length_are_ignored() {
        let mut bytes = glb(&[(CHUNK_JSON, b"{}  ")]);
        bytes.extend(b"rubbish");
        assert_eq!(split(&bytes).unwrap().binary, None);
    }

    #[test]
    fn every_cut_of_a_glb_is_refused() {
        let bytes = glb(&[(CHUNK_JSON, b"{}  "), (CHUNK_BIN, b"1234")]);
        for length in 0..bytes.len() {
            assert!(split(&bytes[..length]).is_err(), "cut at {length}");
        }
    }

    #[test]
    fn a_chunk_longer_than_the_file_and_a_binary_chunk_in_front_are_refused() {
        let mut bytes = glb(&[(CHUNK_JSON, b"{}  ")]);
        bytes[12..16].copy_from_slice(&u32::MAX.to_le_bytes());
        let error = split(&bytes).unwrap_err();
        assert!(matches!(error, ContainerError::ShortChunk { at: 12, .. }));
        let swapped = glb(&[(CHUNK_BIN, b"1234"), (CHUNK_JSON, b"{}  ")]);
        assert_eq!(split(&swapped), Err(ContainerError::NoJson));
    }

    #[test]
    fn the_first_bytes_of_a_file_decide_how_much_of_it_is_read() {
        let huge = u32::MAX.into();
        let bytes = glb(&[(CHUNK_JSON, b"{}  "), (CHUNK_BIN, b"1234")]);
        assert_eq!(bytes_to_read(&bytes, huge), Ok(bytes.len() as u64));
        let said = bytes.len();
        let cut = Err(ContainerError::Truncated {
            said,
            has: said - 1,
        });
        assert_eq!(bytes_to_read(&bytes, said as u64 - 1), cut);
        let swapped = glb(&[(CHUNK_BIN, b"1234"), (CHUNK_JSON, b"{}  ")]);
        assert_eq!(bytes_to_read(&swapped, huge), Err(ContainerError::NoJson));
        assert_eq!(bytes_to_read(&[0; HEAD], huge), Err(ContainerError::NoGltf));
        assert_eq!(bytes_to_read(b" {", 5), Ok(5));
        assert_eq!(bytes_to_read(b"{\0", 2), Err(ContainerError::NoGltf));
        assert_eq!(bytes_to_read(b"{", huge), Err(ContainerError::LongText));
        assert_eq!(bytes_to_read(b"", 0), Err(ContainerError::Empty));
    }

    #[test]
    fn text_is_taken_for_gltf_and_other_files_for_nothing() {
        let text = b"\xef\xbb\xbf \n{\"asset\":{}}";
        assert_eq!(split(text).unwrap().json, &text[3..]);
        assert_eq!(split(b""), Err(ContainerError::Empty));
        assert_eq!(split(b"\x89PNG"), Err(ContainerError::NoGltf));
    }
}
