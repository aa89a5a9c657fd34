//! Packs a level file and the files beside it into one .glb.

use std::borrow::Cow;
use std::path::Path;

use serde_json::json;

use super::text::TextChanges;
use crate::gltf::read::{MAX_FILE_BYTES, container, document, files, read_buffers};
use crate::problems::Problems;

/// Alignment of buffers and images, bytes.
pub(super) const ALIGNMENT: usize = 8;

/// A .glb of the file: the binary chunk is the only buffer, and images in other files are packed into it. `None` if the
/// file is not glTF, or a buffer cannot be read. A .glb that has this form already is not changed.
pub(crate) fn of(bytes: Vec<u8>, folder: &Path) -> Option<Vec<u8>> {
    let chunks = container::split(&bytes).ok()?;
    let root = document::parse(chunks.json, &mut Problems::default())?.root;
    let text = std::str::from_utf8(chunks.json).ok()?;
    let is_beside = |uri: &str| {
        !uri.get(..5)
            .is_some_and(|s| s.eq_ignore_ascii_case("data:"))
    };
    let is_whole = root.buffers.len() < 2
        && root.buffers.iter().all(|buffer| buffer.uri.is_none())
        && root
            .images
            .iter()
            .all(|image| !image.uri.as_deref().is_some_and(is_beside));
    if is_whole && container::is_glb(&bytes) {
        return Some(bytes);
    }
    let buffers = read_buffers(&root, chunks.binary, Some(folder), &mut Problems::default());
    let buffers: Option<Vec<Cow<[u8]>>> = buffers.into_iter().collect();
    let mut binary = Vec::new();
    let starts: Vec<usize> = buffers?
        .iter()
        .map(|buffer| append(&mut binary, buffer))
        .collect();
    let mut changes = TextChanges::default();
    for (index, view) in root.buffer_views.iter().enumerate() {
        let start = *starts.get(view.buffer.value())?;
        if view.buffer.value() > 0 {
            let offset = start as u64 + view.byte_offset.unwrap_or_default().0;
            changes.set("bufferViews", index, "buffer", Some(0.into()));
            changes.set("bufferViews", index, "byteOffset", Some(offset.into()));
        }
    }
    let mut views = root.buffer_views.len();
    for (index, image) in root.images.iter().enumerate() {
        let Some(uri) = image.uri.as_deref().filter(|uri| is_beside(uri)) else {
            continue;
        };
        // An image that cannot be read stays external; reading the level reports it.
        let Ok(picture) = files::read_uri(uri, Some(folder), MAX_FILE_BYTES) else {
            continue;
        };
        let start = append(&mut binary, &picture);
        let view = json!({"buffer": 0, "byteOffset": start, "byteLength": picture.len()});
        changes.add("bufferViews", view);
        changes.set("images", index, "uri", None);
        changes.set("images", index, "bufferView", Some(views.into()));
        if image.mime_type.is_none() {
            let is_png = picture.starts_with(b"\x89PNG");
            let kind = if is_png { "image/png" } else { "image/jpeg" };
            changes.set("images", index, "mimeType", Some(kind.into()));
        }
        views += 1;
    }
    if root.buffers.is_empty() {
        if !binary.is_empty() {
            changes.add("buffers", json!({"byteLength": binary.len()}));
        }
    } else {
        changes.set("buffers", 0, "uri", None);
        changes.set("buffers", 0, "byteLength", Some(binary.len().into()));
        changes.cut("buffers", 1);
    }
    container::join(changes.applied(text)?.as_bytes(), &binary, &[])
}

/// Appends bytes, and returns their start offset.
fn append(binary: &mut Vec<u8>, bytes: &[u8]) -> usize {
    binary.resize(binary.len().next_multiple_of(ALIGNMENT), 0);
    let start = binary.len();
    binary.extend(bytes);
    start
}
