//! Reads glTF 2.0. The only code that names the gltf package, of which it uses the types of the
//! JSON text: what the text points at is checked and read here, since a level may come from
//! anywhere and must not be able to do harm.
//!
//! A level passes through the modules in this order:
//!
//! - `container` splits the file, `document` reads its text, `files` opens what lies beside it;
//! - `scene` walks the nodes, and `nodes` tells by `names`, `properties`, `lights` and `physics` what each is;
//! - `accessor` reads numbers, `mesh` makes them triangles and `tangents` what normal maps need;
//! - `materials` reads surfaces with their `textures` and `images`, in `ranges` that make sense;
//! - `placed` puts the triangles of each mesh wherever a node shows it, as its `transform` says; `colliders` gives bodies
//!   the surfaces that an extension says they have.
//!
//! `figure` reads skinned figures by the same parts. `fixing` changes a file, and `writer` makes one.

mod accessor;
mod animations;
mod bodies;
mod collider_surfaces;
mod colliders;
mod container;
mod document;
mod figure;
mod files;
mod fixing;
mod images;
mod joints;
mod lights;
mod materials;
mod mesh;
mod movers;
mod names;
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
mod scene;
mod tangents;
mod textures;
mod tracks;
mod transform;
mod triggers;
mod unread;
pub(in crate::level) mod writer;
mod written;

use std::borrow::Cow;
use std::io::Read;
use std::path::Path;

use glam::DVec3;
use gltf::json;

use crate::files::{ReadError, read_more};
use crate::level::building::build_reporting;
use crate::level::checks::{check, selection};
use crate::level::{Level, LevelSource, Material, ProblemCode, Problems};
use accessor::Buffers;
use container::ContainerError;
pub use figure::{FigureError, read_figure};
pub use fixing::{Fixed, fix, fix_bytes};
pub(crate) use names::{composed, plain_name, portal_stem};
pub(crate) use near_names::meant_door;
pub use written::{WriteError, write_glb};

/// Bytes of a level file, and of all its buffers: what the 32-bit length of a .glb can say.
const MAX_FILE_BYTES: u64 = u32::MAX as u64;

/// What [`inspect`] finds in a file.
#[derive(Debug)]
#[non_exhaustive]
pub struct Inspection {
    /// The level; or, where an error makes it unusable, what could be read of its source, without
    /// materials and pictures.
    pub level: Result<Level, LevelSource>,
    /// All that is wrong with it.
    pub problems: Problems,
}

impl Inspection {
    /// The level with its warnings, or all that makes it unusable.
    fn into_result(self) -> Result<(Level, Problems), Problems> {
        match self.level {
            Ok(level) => Ok((level, self.problems)),
            Err(_) => Err(self.problems),
        }
    }
}

/// What could be read of a file.
#[derive(Default)]
struct Reading {
    source: LevelSource,
    /// Whether nothing is missing in it, so that building it finds what else is wrong.
    complete: bool,
    /// For each picture of the source the hash of its file.
    image_keys: Vec<u128>,
    origins: scene::Origins,
}

/// Reads and builds the level in the file; of one that is bad, what could be read of it. Looks also for what
/// takes longer than loading: rooms that are not closed, portals that do not fit, movers that go through walls.
pub fn inspect(path: &Path) -> Inspection {
    let mut problems = Problems::default();
    let reading = read_path(path, None, &mut problems);
    finish(reading, None, problems, check)
}

/// Reads, builds and checks the level in the bytes of a .glb that needs no other file, as [`inspect`] does.
pub fn inspect_bytes(name: &str, bytes: &[u8]) -> Inspection {
    let mut problems = Problems::default();
    let reading = read(name, bytes, (None, None), &mut problems);
    finish(reading, None, problems, check)
}

/// Builds a level made in code, and looks for all that [`inspect`] looks for in a file.
pub fn inspect_source(source: LevelSource) -> Inspection {
    let reading = Reading {
        source,
        complete: true,
        image_keys: Vec::new(),
        origins: scene::Origins::default(),
    };
    finish(reading, None, Problems::default(), check)
}

/// Reads and builds the level in the file; the warnings come with it.
///
/// # Errors
/// All that makes the file unusable as a level, as [`inspect`] finds it: causes, and not what follows from them.
pub fn load(path: &Path) -> Result<(Level, Problems), Problems> {
    let mut problems = Problems::default();
    let reading = read_path(path, None, &mut problems);
    finish(reading, None, problems, explain).into_result()
}

/// The same for another version of a level that was loaded before: what did not change is taken from there, rooms and
/// pictures, which makes the same level in less time.
///
/// # Errors
/// As [`load`].
pub fn load_again(path: &Path, old: &Level) -> Result<(Level, Problems), Problems> {
    let mut problems = Problems::default();
    let reading = read_path(path, Some(old), &mut problems);
    finish(reading, Some(old), problems, explain).into_result()
}

/// Reads and builds a level from the bytes of a .glb that needs no other file.
///
/// # Errors
/// All that makes it unusable as a level.
pub fn load_bytes(name: &str, bytes: &[u8]) -> Result<(Level, Problems), Problems> {
    let mut problems = Problems::default();
    let reading = read(name, bytes, (None, None), &mut problems);
    finish(reading, None, problems, explain).into_result()
}

/// The same for another version of a level that was loaded before, as [`load_again`] does.
///
/// # Errors
/// As [`load_bytes`].
pub fn load_bytes_again(
    name: &str,
    bytes: &[u8],
    old: &Level,
) -> Result<(Level, Problems), Problems> {
    let mut problems = Problems::default();
    let reading = read(name, bytes, (None, Some(old)), &mut problems);
    finish(reading, Some(old), problems, explain).into_result()
}

/// Reads what the file says, without building the graph of it.
///
/// The problems may hold errors too: those that leave all rooms and triangles in the source, so
/// that building it still finds what else is wrong.
///
/// # Errors
/// All that is wrong with the file, if what is left of it says too little to look for more.
pub fn read_source(path: &Path) -> Result<(LevelSource, Problems), Problems> {
    let mut problems = Problems::default();
    let reading = read_path(path, None, &mut problems);
    complete(reading, problems)
}

/// Reads what the bytes of a .glb that needs no other file say, as [`read_source`] does.
///
/// # Errors
/// As [`read_source`].
pub fn read_source_bytes(name: &str, bytes: &[u8]) -> Result<(LevelSource, Problems), Problems> {
    let mut problems = Problems::default();
    let reading = read(name, bytes, (None, None), &mut problems);
    complete(reading, problems)
}

fn complete(reading: Reading, problems: Problems) -> Result<(LevelSource, Problems), Problems> {
    if reading.complete {
        Ok((reading.source, problems))
    } else {
        Err(problems)
    }
}

/// Builds what was read; `checks` looks at the level, also at one with errors.
fn finish(
    reading: Reading,
    old: Option<&Level>,
    mut problems: Problems,
    checks: impl FnOnce(&Level, &LevelSource, &mut Problems),
) -> Inspection {
    // Only fixing a file needs to know where in it something stands.
    drop(reading.origins);
    let mut source = reading.source;
    let mut level = if reading.complete {
        build_reporting(&mut source, old, &mut problems)
    } else {
        None
    };
    if let Some(level) = &mut level {
        level.inputs.images = reading.image_keys;
    }
    if let Some(level) = &level {
        checks(level, &source, &mut problems);
    }
    selection::fold(&mut problems);
    let level = level.filter(|_| problems.errors.is_empty());
    Inspection {
        level: level.ok_or(source),
        problems,
    }
}

/// Finds the causes of what makes a level unusable: what building it finds may only follow from them.
fn explain(level: &Level, source: &LevelSource, problems: &mut Problems) {
    if !problems.errors.is_empty() {
        check(level, source, problems);
    }
}

fn read_path(path: &Path, old: Option<&Level>, problems: &mut Problems) -> Reading {
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
        (Some(folder_of(path)), old),
        problems,
    )
}

/// The name of a level for messages.
fn name_of(path: &Path) -> Cow<'_, str> {
    path.file_name()
        .unwrap_or(path.as_os_str())
        .to_string_lossy()
}

/// The folder in which what belongs to a level is looked for.
fn folder_of(path: &Path) -> &Path {
    let folder = path
        .parent()
        .filter(|folder| !folder.as_os_str().is_empty());
    folder.unwrap_or(Path::new("."))
}

/// The bytes of a level file, unless its beginning says that it is none.
fn read_level(path: &Path) -> Result<Result<Vec<u8>, ContainerError>, ReadError> {
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

/// Reads bytes with the files in a folder beside them, and with the pictures of an older version of the level.
fn read(
    name: &str,
    bytes: &[u8],
    besides: (Option<&Path>, Option<&Level>),
    problems: &mut Problems,
) -> Reading {
    let mut reading = read_parts(bytes, besides, problems);
    reading.source.name = name.to_owned();
    reading
}

fn read_parts(
    bytes: &[u8],
    (folder, old): (Option<&Path>, Option<&Level>),
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
    // What is left of an unusable file is read for what it holds; what seems wrong with that may
    // only follow from what is missing.
    let mut unreported = Problems::default();
    let problems = if is_usable { problems } else { &mut unreported };
    let buffers = read_buffers(&document.root, container.binary, folder, problems);
    let buffers: Vec<Option<&[u8]>> = buffers.iter().map(Option::as_deref).collect();
    let mut scene = scene::read(&document, problems);
    is_usable &= buffers.iter().all(Option::is_some);
    let mut buffers = Buffers::new(&document.root, &buffers);
    let mut unreported = Problems::default();
    let mut image_keys = Vec::new();
    let (problems, materials) = if is_usable {
        let materials;
        (materials, scene.source.images, image_keys) =
            materials::read(&document, &buffers, folder, old, problems);
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
        image_keys,
        origins: scene.origins,
    }
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
