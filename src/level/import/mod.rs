//! Reads glTF 2.0. The only code that names the gltf package, of which it uses the types of the
//! JSON text: what the text points at is checked and read here, since a level may come from
//! anywhere and must not be able to do harm.
//!
//! A level passes through the modules in this order:
//!
//! - `container` splits the file, `document` reads its text, `files` opens what lies beside it;
//! - `scene` walks the nodes, and `nodes` tells by `names`, `properties` and `lights` what each is;
//! - `accessor` reads numbers, `mesh` makes them triangles and `tangents` what normal maps need;
//! - `materials` reads surfaces with their `textures` and `images`, in `ranges` that make sense;
//! - `placed` puts the triangles of each mesh wherever a node shows it, as its `transform` says.

mod accessor;
mod container;
mod document;
mod files;
mod images;
mod lights;
mod materials;
mod mesh;
mod names;
mod nodes;
mod placed;
mod properties;
mod ranges;
mod scene;
mod tangents;
mod textures;
mod transform;

use std::borrow::Cow;
use std::path::Path;

use glam::DVec3;
use gltf::json;

use super::{Level, LevelSource, Problems};
use accessor::Buffers;

/// Bytes of a level file, and of all its buffers: what the 32-bit length of a .glb can say.
const MAX_FILE_BYTES: u64 = u32::MAX as u64;

/// Reads and builds the level in the file; the warnings come with it.
///
/// # Errors
/// All that makes the file unusable as a level.
pub fn load(path: &Path) -> Result<(Level, Problems), Problems> {
    finish(read_source(path)?)
}

/// Reads and builds a level from the bytes of a .glb that needs no other file.
///
/// # Errors
/// All that makes it unusable as a level.
pub fn load_bytes(name: &str, bytes: &[u8]) -> Result<(Level, Problems), Problems> {
    finish(read(name, bytes, None)?)
}

/// Reads what the file says, without building the graph of it.
///
/// The problems may hold errors too: those that leave all rooms and triangles in the source, so
/// that building it still finds what else is wrong.
///
/// # Errors
/// All that is wrong with the file, if what is left of it says too little to look for more.
pub fn read_source(path: &Path) -> Result<(LevelSource, Problems), Problems> {
    let name = match path.file_name() {
        Some(name) => name.to_string_lossy(),
        None => path.to_string_lossy(),
    };
    let bytes = files::read_file(path, MAX_FILE_BYTES).map_err(|error| {
        let mut problems = Problems::default();
        problems.error(
            "file",
            &path.to_string_lossy(),
            format!("the level {error}; check its path"),
        );
        problems
    })?;
    let folder = match path.parent() {
        Some(folder) if folder.as_os_str().is_empty() => Path::new("."),
        Some(folder) => folder,
        None => Path::new("."),
    };
    read(&name, &bytes, Some(folder))
}

/// Reads what the bytes of a .glb that needs no other file say, as [`read_source`] does.
///
/// # Errors
/// As [`read_source`].
pub fn read_source_bytes(name: &str, bytes: &[u8]) -> Result<(LevelSource, Problems), Problems> {
    read(name, bytes, None)
}

fn finish((source, mut problems): (LevelSource, Problems)) -> Result<(Level, Problems), Problems> {
    let (level, more) = match super::build(source) {
        Ok((level, more)) => (Some(level), more),
        Err(more) => (None, more),
    };
    problems.errors.extend(more.errors);
    problems.warnings.extend(more.warnings);
    match level {
        Some(level) if problems.errors.is_empty() => Ok((level, problems)),
        _ => Err(problems),
    }
}

fn read(
    name: &str,
    bytes: &[u8],
    folder: Option<&Path>,
) -> Result<(LevelSource, Problems), Problems> {
    let mut problems = Problems::default();
    let source = read_parts(bytes, folder, &mut problems);
    match source {
        Some(mut source) => {
            source.name = name.to_owned();
            Ok((source, problems))
        }
        None => Err(problems),
    }
}

/// The source, unless something is missing in it.
fn read_parts(bytes: &[u8], folder: Option<&Path>, problems: &mut Problems) -> Option<LevelSource> {
    let container = match container::split(bytes) {
        Ok(container) => container,
        Err(error) => {
            problems.error("container", "", error.to_string());
            return None;
        }
    };
    let document = document::parse(container.json, problems)?;
    let buffers = read_buffers(&document.root, container.binary, folder, problems);
    let buffers: Vec<Option<&[u8]>> = buffers.iter().map(Option::as_deref).collect();
    let all_buffers = buffers.iter().all(Option::is_some);
    let mut buffers = Buffers::new(&document.root, &buffers);
    let mut scene = scene::read(&document, problems);
    if !all_buffers {
        return None;
    }
    let (materials, images) = materials::read(&document, &buffers, folder, problems);
    scene.source.images = images;
    let all_meshes = placed::read(&document, &mut buffers, materials, &mut scene, problems);
    (all_meshes && !scene.incomplete).then_some(scene.source)
}

/// The buffers' bytes, cut to their `byteLength`; `None`, and an error, for those that cannot be
/// had.
fn read_buffers<'a>(
    root: &json::Root,
    binary: Option<&'a [u8]>,
    folder: Option<&Path>,
    problems: &mut Problems,
) -> Vec<Option<Cow<'a, [u8]>>> {
    let buffers = root.buffers.iter().enumerate();
    // Any number of buffers may name one file.
    let mut bytes_left = MAX_FILE_BYTES;
    let bytes = buffers.map(|(index, buffer)| {
        let name = format!("buffer {index}");
        let bytes = match (&buffer.uri, binary) {
            (Some(uri), _) => match files::read_uri(uri, folder, bytes_left) {
                Ok(bytes) => {
                    bytes_left = bytes_left.saturating_sub(bytes.len() as u64);
                    Cow::Owned(bytes)
                }
                Err(error) => {
                    let message = format!(
                        "its uri {} {error}; put its file beside the level, or export the level as .glb",
                        shortened(uri)
                    );
                    problems.error("buffer-uri", &name, message);
                    return None;
                }
            },
            (None, Some(binary)) if index == 0 => Cow::Borrowed(binary),
            (None, _) => {
                let message = "it has no uri, and the file has no BIN chunk for it; export it again";
                problems.error("buffer-missing", &name, message);
                return None;
            }
        };
        let length = buffer.byte_length.0;
        if (bytes.len() as u64) < length {
            let message = format!(
                "its data is too short: byteLength is {length}, there are {} bytes; export it again",
                bytes.len()
            );
            problems.error("buffer-short", &name, message);
            return None;
        }
        let length = length as usize;
        Some(match bytes {
            Cow::Borrowed(bytes) => Cow::Borrowed(bytes.get(..length)?),
            Cow::Owned(mut bytes) => {
                bytes.truncate(length);
                Cow::Owned(bytes)
            }
        })
    });
    bytes.collect()
}

/// The first characters of a URI, which may hold megabytes of data.
fn shortened(uri: &str) -> String {
    match uri.char_indices().nth(100) {
        Some((end, _)) => format!("`{}...`", &uri[..end]),
        None => format!("`{uri}`"),
    }
}

/// Metres from the author's origin that a level may reach: there f64 still resolves a
/// ten-thousandth of a millimetre.
const MAX_COORDINATE: f64 = 1e9;

fn in_reach(point: DVec3) -> bool {
    point.is_finite() && point.abs().max_element() <= MAX_COORDINATE
}

fn too_far(point: DVec3) -> String {
    let [x, y, z] = point.to_array();
    format!(
        "its scale or translation puts it at ({x:e}, {y:e}, {z:e}), which is not finite or beyond {MAX_COORDINATE:e} m; move it back"
    )
}
