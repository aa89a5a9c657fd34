//! Builds the container of a .glb, so that fuzzing spends its time on the contents.

/// A GLB of a JSON text and a binary chunk, with correct lengths.
pub fn glb(json: &[u8], binary: &[u8]) -> Vec<u8> {
    let padded = |bytes: &[u8], with: u8| {
        let mut bytes = bytes.to_vec();
        bytes.resize(bytes.len().next_multiple_of(4), with);
        bytes
    };
    let chunks = [
        (*b"JSON", padded(json, b' ')),
        (*b"BIN\0", padded(binary, 0)),
    ];
    let length = 12 + chunks.iter().map(|(_, c)| 8 + c.len()).sum::<usize>();
    let mut file = b"glTF\x02\0\0\0".to_vec();
    file.extend((length as u32).to_le_bytes());
    for (kind, chunk) in chunks {
        file.extend((chunk.len() as u32).to_le_bytes());
        file.extend(kind);
        file.extend(chunk);
    }
    file
}
