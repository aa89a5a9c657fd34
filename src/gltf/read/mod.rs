//! Reads a level file into a source.
//!
//! The modules, in the order in which a level passes through them:
//!
//! - `container` splits the file, `document` reads its text, `files` opens the files beside it;
//! - `scene` walks the nodes; `nodes` finds the role of each by name, `properties`, `lights` and `physics`;
//!   `near_names` finds the role that a node with a misspelt name was meant to have;
//! - `accessor` reads numbers, `mesh` makes triangles of them, and `tangents` generates tangents for normal maps;
//! - `materials` reads surfaces with their `textures` and `images`, and clamps values to valid `ranges`;
//! - `placed` places the triangles of each mesh at every node that instances it, with the node's `transform`;
//!   `colliders` gives bodies the collider surfaces of an extension.

pub(crate) mod accessor;
pub(crate) mod animations;
mod bodies;
mod collider_surfaces;
mod colliders;
pub(crate) mod container;
pub(crate) mod document;
pub(crate) mod files;
mod images;
mod joints;
mod lights;
pub(crate) mod materials;
pub(crate) mod mesh;
mod movers;
mod near_names;
mod node_places;
mod nodes;
mod paths;
mod physics;
mod physics_values;
mod placed;
mod primitive;
mod properties;
mod ranges;
pub(crate) mod scene;
mod tangents;
mod textures;
mod tracks;
mod transform;
mod triggers;
mod unread;

use std::borrow::Cow;
use std::io::Read;
use std::path::Path;

use glam::DVec3;
use gltf::json;

use crate::files::{ReadError, read_more};
use crate::level::{Image, Material};
use crate::memo::Memo;
use crate::problems::{ProblemCode, Problems};
use crate::source::LevelSource;
use accessor::AccessorBuffers;
use container::ContainerError;

/// Maximum size of a level file, and of all its buffers together, bytes: the largest 32-bit length of a .glb.
pub(crate) const MAX_FILE_BYTES: u64 = u32::MAX as u64;

/// The parts of a file that could be read.
#[derive(Default)]
pub(crate) struct Reading {
    pub source: LevelSource,
    /// Whether the source is complete enough for a build to find further problems.
    pub complete: bool,
    /// The images of the source, by the hashes of their files.
    pub images: Memo<u128, Image>,
    /// Where the parts of the source are in the file.
    pub origins: scene::Origins,
}

/// Reads a file into a source, without building its room graph.
///
/// The returned problems may contain errors too, but only errors that leave all rooms and triangles in the source, so
/// that building it finds further problems.
///
/// # Errors
/// All problems of the file, if so much of it is missing that a build would find no further problems.
pub fn read_source(path: &Path) -> Result<(LevelSource, Problems), Problems> {
    let mut problems = Problems::default();
    let reading = read_path(path, &Memo::default(), &mut problems);
    complete(reading, problems)
}

/// Reads the bytes of a .glb that needs no other file, as [`read_source`] does.
///
/// # Errors
/// As [`read_source`].
pub fn read_source_bytes(name: &str, bytes: &[u8]) -> Result<(LevelSource, Problems), Problems> {
    let mut problems = Problems::default();
    let reading = read(name, bytes, (None, &Memo::default()), &mut problems);
    complete(reading, problems)
}

fn complete(reading: Reading, problems: Problems) -> Result<(LevelSource, Problems), Problems> {
    if reading.complete {
        Ok((reading.source, problems))
    } else {
        Err(problems)
    }
}

pub(crate) fn read_path(path: &Path, last: &Memo<u128, Image>, problems: &mut Problems) -> Reading {
    let bytes = match read_level(path) {
        Ok(Ok(bytes)) => bytes,
        Ok(Err(error)) => {
            problems.error(ProblemCode::Container, "", error.to_string());
            return Reading::default();
        }
        Err(error) => {
            let message = format!("the level {error}; check its path");
            problems.error(ProblemCode::File, &path.to_string_lossy(), message);
            return Reading::default();
        }
    };
    read(
        &name_of(path),
        &bytes,
        (Some(folder_of(path)), last),
        problems,
    )
}

/// The name of a level for messages.
pub(crate) fn name_of(path: &Path) -> Cow<'_, str> {
    path.file_name()
        .unwrap_or(path.as_os_str())
        .to_string_lossy()
}

/// The folder that is searched for the files of a level.
pub(crate) fn folder_of(path: &Path) -> &Path {
    let folder = path
        .parent()
        .filter(|folder| !folder.as_os_str().is_empty());
    folder.unwrap_or(Path::new("."))
}

/// The bytes of a level file, or an error if its beginning shows that it is none.
pub(crate) fn read_level(path: &Path) -> Result<Result<Vec<u8>, ContainerError>, ReadError> {
    let (mut file, size) = crate::files::open(path, MAX_FILE_BYTES)?;
    let mut head = Vec::new();
    file.by_ref()
        .take(container::HEAD as u64)
        .read_to_end(&mut head)?;
    Ok(match container::bytes_to_read(&head, size) {
        Ok(length) => Ok(read_more(file, head, length)?),
        Err(error) => Err(error),
    })
}

/// Reads the bytes of a level. Its other files are in a folder, and the images of its last version are reused.
pub(crate) fn read(
    name: &str,
    bytes: &[u8],
    besides: (Option<&Path>, &Memo<u128, Image>),
    problems: &mut Problems,
) -> Reading {
    let mut reading = read_parts(bytes, besides, problems);
    reading.source.name = name.to_owned();
    reading
}

fn read_parts(
    bytes: &[u8],
    (folder, last): (Option<&Path>, &Memo<u128, Image>),
    problems: &mut Problems,
) -> Reading {
    let container = match container::split(bytes) {
        Ok(container) => container,
        Err(error) => {
            problems.error(ProblemCode::Container, "", error.to_string());
            return Reading::default();
        }
    };
    let Some(document) = document::parse(container.json, problems) else {
        return Reading::default();
    };
    let mut is_usable = problems.errors.is_empty();
    // The rest of an unusable file is read only for its contents. Further problems may be consequences of the missing
    // parts, and are not reported.
    let mut unreported = Problems::default();
    let problems = if is_usable { problems } else { &mut unreported };
    let buffers = read_buffers(&document.root, container.binary, folder, problems);
    let buffers: Vec<Option<&[u8]>> = buffers.iter().map(Option::as_deref).collect();
    let mut scene = scene::read(&document, problems);
    is_usable &= buffers.iter().all(Option::is_some);
    let mut buffers = AccessorBuffers::new(&document.root, &buffers);
    let mut unreported = Problems::default();
    let mut images = Memo::default();
    let (problems, materials) = if is_usable {
        let materials;
        (materials, scene.source.images, images) =
            materials::read(&document, &buffers, folder, last, problems);
        (problems, materials)
    } else {
        let materials = vec![Material::default(); document.root.materials.len()];
        (&mut unreported, materials)
    };
    let all_meshes = placed::read(&document, &mut buffers, materials, &mut scene, problems)
        & colliders::finish(&document, &mut scene, problems);
    tracks::finish(
        &document,
        &mut buffers,
        (&scene.motions, &scene.waypoints),
        &mut scene.source,
        problems,
    );
    Reading {
        complete: is_usable && all_meshes && !scene.incomplete,
        source: scene.source,
        images,
        origins: scene.origins,
    }
}

/// The bytes of each buffer, cut to its `byteLength`; `None`, with an error, if a buffer cannot be read.
pub(crate) fn read_buffers<'a>(
    root: &json::Root,
    binary: Option<&'a [u8]>,
    folder: Option<&Path>,
    problems: &mut Problems,
) -> Vec<Option<Cow<'a, [u8]>>> {
    let buffers = root.buffers.iter().enumerate();
    // The total is limited, because any number of buffers may refer to the same file.
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
                    problems.error(ProblemCode::BufferUri, &name, message);
                    return None;
                }
            },
            (None, Some(binary)) if index == 0 => Cow::Borrowed(binary),
            (None, _) => {
                let message = "it has no uri, and the file has no BIN chunk for it; export it again";
                problems.error(ProblemCode::BufferMissing, &name, message);
                return None;
            }
        };
        let length = buffer.byte_length.0;
        if (bytes.len() as u64) < length {
            let message = format!(
                "its data is too short: byteLength is {length}, there are {} bytes; export it again",
                bytes.len()
            );
            problems.error(ProblemCode::BufferShort, &name, message);
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

/// The first characters of a URI; as a whole it may contain megabytes of data.
fn shortened(uri: &str) -> String {
    match uri.char_indices().nth(100) {
        Some((end, _)) => format!("`{}...`", &uri[..end]),
        None => format!("`{uri}`"),
    }
}

/// Maximum coordinate of a level's points relative to the author's origin, metres. Up to it, f64 resolves a
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
