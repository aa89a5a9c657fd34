//! Finds walk files and the level that each one walks through.

use std::fs;
use std::io;
use std::path::{Path, PathBuf};

use super::walk::{parse, read_walk};

/// The maximum number of files and folders that a search visits.
const MAX_ENTRIES: usize = 1_000_000;

/// Reasons why no walk files are found.
#[derive(Debug, thiserror::Error)]
pub enum FindError {
    /// A folder or file cannot be read.
    #[error("{}: cannot be read: {error}", path.display())]
    Io {
        /// The path of the file or folder.
        path: PathBuf,
        /// The error of the file system.
        error: io::Error,
    },
    /// A path names a file that is neither a level nor a walk file.
    #[error("{}: name a folder, a level (.glb, .gltf) or a walk file (.walk)", path.display())]
    OtherFile {
        /// The path of the file.
        path: PathBuf,
    },
    /// A path leads to no walk file.
    #[error("{}: no walk file is there: write {} beside the level", path.display(), example.display())]
    NoWalk {
        /// The path of the folder or level.
        path: PathBuf,
        /// An example of a path that the search finds.
        example: PathBuf,
    },
    /// A folder contains more files than a search visits.
    #[error("{}: more than {MAX_ENTRIES} files: name the folder of the levels", path.display())]
    TooMany {
        /// The folder.
        path: PathBuf,
    },
}

/// Returns the walk files of folders (with their subfolders) and of levels, together with the walk files that are named
/// directly; sorted, without duplicates. Symbolic links to folders are not followed.
///
/// # Errors
/// When a path cannot be read or leads to no walk file.
pub fn find_walks(paths: &[PathBuf]) -> Result<Vec<PathBuf>, FindError> {
    let mut walks = Vec::new();
    for path in paths {
        let before = walks.len();
        let metadata = fs::metadata(path).map_err(|error| cannot_read(path, error))?;
        if metadata.is_dir() {
            find_below(path, &mut walks)?;
        } else if is_level(path) {
            find_beside(path, &mut walks)?;
        } else if has_ending(path, &["walk"]) {
            walks.push(path.clone());
        } else {
            return Err(FindError::OtherFile { path: path.clone() });
        }
        if walks.len() == before {
            let example = if metadata.is_dir() {
                path.join("LEVEL.walk")
            } else {
                path.with_extension("walk")
            };
            let path = path.clone();
            return Err(FindError::NoWalk { path, example });
        }
    }
    walks.sort();
    walks.dedup();
    Ok(walks)
}

/// Returns the level that a walk file walks through: the level that it names, in its own folder; otherwise the level in that
/// folder with the longest file stem that is a prefix of the walk file's stem. For example, `house.glb` for
/// `house-stairs.walk`.
///
/// # Errors
/// When there is no such level or more than one; the message states the cure.
pub fn level_of(walk: &Path, named: Option<&str>) -> Result<PathBuf, String> {
    if let Some(name) = named {
        let path = walk.with_file_name(name);
        return if !is_level(&path) {
            Err(format!("`level {name}`: a level ends in .glb or .gltf"))
        } else if path.is_file() {
            Ok(path)
        } else {
            Err(format!("`level {name}`: {} is no file", path.display()))
        };
    }
    let stem = stem_of(walk);
    let folder = folder_of(walk);
    let levels = files_in(folder).map_err(|error| error.to_string())?;
    let levels = levels.into_iter().filter(|path| is_level(path));
    let mut levels: Vec<PathBuf> = levels
        .filter(|path| !stem_of(path).is_empty() && stem.starts_with(&stem_of(path)))
        .collect();
    levels.sort_by_key(|path| stem_of(path).len());
    let Some(level) = levels.pop() else {
        return Err(format!(
            "no level is beside it whose name `{stem}` begins with: name it LEVEL.walk or LEVEL-WHAT.walk, or \
             begin it with `level FILE`"
        ));
    };
    if let Some(other) = levels
        .pop()
        .filter(|other| stem_of(other) == stem_of(&level))
    {
        let [a, b] = [&other, &level].map(|path| file_name(path));
        return Err(format!(
            "it may be of {a} or of {b}: begin it with `level {a}`, or the other"
        ));
    }
    Ok(level)
}

/// Finds the walk files in a folder and its subfolders.
fn find_below(folder: &Path, walks: &mut Vec<PathBuf>) -> Result<(), FindError> {
    let (mut folders, mut seen) = (vec![folder.to_owned()], 0);
    while let Some(inside) = folders.pop() {
        let entries = fs::read_dir(&inside).map_err(|error| cannot_read(&inside, error))?;
        for entry in entries {
            let entry = entry.map_err(|error| cannot_read(&inside, error))?;
            seen += 1;
            if seen > MAX_ENTRIES {
                let path = folder.to_owned();
                return Err(FindError::TooMany { path });
            }
            let path = entry.path();
            let kind = entry.file_type();
            let is_folder = kind.is_ok_and(|kind| kind.is_dir());
            let is_hidden = file_name(&path).starts_with('.');
            if is_folder && !is_hidden {
                folders.push(path);
            } else if !is_folder && has_ending(&path, &["walk"]) {
                walks.push(path);
            }
        }
    }
    Ok(())
}

/// Finds the walk files beside a level that walk through it.
fn find_beside(level: &Path, walks: &mut Vec<PathBuf>) -> Result<(), FindError> {
    let folder = folder_of(level);
    let files = files_in(folder).map_err(|error| cannot_read(folder, error))?;
    let beside = files.into_iter().filter(|path| has_ending(path, &["walk"]));
    walks.extend(beside.filter(|walk| {
        let text = read_walk(walk).unwrap_or_default();
        let named = parse(&text).ok().and_then(|walk| walk.level);
        match level_of(walk, named.as_deref()) {
            Ok(of) => of.file_name() == level.file_name(),
            // A walk file with a problem is taken for a walk of this level, so that the problem is reported.
            Err(_) => stem_of(walk).starts_with(&stem_of(level)),
        }
    }));
    Ok(())
}

fn files_in(folder: &Path) -> io::Result<Vec<PathBuf>> {
    let entries = fs::read_dir(folder)?;
    let paths = entries.map(|entry| entry.map(|entry| entry.path()));
    let mut paths: Vec<PathBuf> = paths.collect::<io::Result<_>>()?;
    paths.sort();
    Ok(paths)
}

/// The folder of a file; the current folder if the path contains no folder.
fn folder_of(path: &Path) -> &Path {
    let folder = path.parent();
    let named = folder.filter(|folder| !folder.as_os_str().is_empty());
    named.unwrap_or(Path::new("."))
}

fn is_level(path: &Path) -> bool {
    has_ending(path, &["glb", "gltf"])
}

fn has_ending(path: &Path, endings: &[&str]) -> bool {
    let ending = path.extension().unwrap_or_default();
    endings
        .iter()
        .any(|known| ending.eq_ignore_ascii_case(known))
}

fn stem_of(path: &Path) -> String {
    let stem = path.file_stem().unwrap_or_default();
    stem.to_string_lossy().into_owned()
}

fn file_name(path: &Path) -> String {
    let name = path.file_name().unwrap_or_default();
    name.to_string_lossy().into_owned()
}

fn cannot_read(path: &Path, error: io::Error) -> FindError {
    FindError::Io {
        path: path.to_owned(),
        error,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::files::TemporaryFolder;

    /// A temporary folder of one test with empty files.
    struct WalkFolder(TemporaryFolder);

    impl WalkFolder {
        fn new(test: &str, files: &[&str]) -> Self {
            let folder = TemporaryFolder::new(&format!("find-{test}"), true);
            for file in files {
                let path = folder.0.join(file);
                fs::create_dir_all(path.parent().unwrap()).unwrap();
                fs::write(path, "").unwrap();
            }
            Self(folder)
        }

        fn found(&self, paths: &[&str]) -> Vec<String> {
            let paths: Vec<PathBuf> = paths.iter().map(|path| self.0.0.join(path)).collect();
            let walks = find_walks(&paths).unwrap();
            let inside = walks
                .iter()
                .map(|path| path.strip_prefix(&self.0.0).unwrap());
            inside
                .map(|path| path.to_string_lossy().replace('\\', "/"))
                .collect()
        }
    }

    #[test]
    fn a_walk_belongs_to_the_level_with_the_longest_name_that_its_own_begins_with() {
        let files = [
            "house.glb",
            "house-attic.gltf",
            "other.glb",
            "twice.glb",
            "twice.gltf",
        ];
        let folder = WalkFolder::new("level", &files);
        let level = |walk: &str, named| {
            let found = level_of(&folder.0.0.join(walk), named);
            found.map(|path| file_name(&path))
        };
        assert_eq!(level("house.walk", None).unwrap(), "house.glb");
        assert_eq!(level("house-stairs.walk", None).unwrap(), "house.glb");
        assert_eq!(
            level("house-attic-door.walk", None).unwrap(),
            "house-attic.gltf"
        );
        assert_eq!(level("a.walk", Some("other.glb")).unwrap(), "other.glb");
        for (walk, named, cure) in [
            ("a.walk", None, "level FILE"),
            ("twice.walk", None, "begin it with `level twice.glb`"),
            ("a.walk", Some("none.glb"), "is no file"),
            ("a.walk", Some("a.txt"), ".gltf"),
        ] {
            let problem = level(walk, named).unwrap_err();
            assert!(problem.contains(cure), "{problem}");
        }
    }

    #[test]
    fn folders_levels_and_walks_lead_to_walks_each_once() {
        let files = [
            "a.glb",
            "a.walk",
            "a-2.walk",
            "b.glb",
            "b.walk",
            "in/c.walk",
            ".git/d.walk",
        ];
        let folder = WalkFolder::new("folders", &files);
        assert_eq!(
            folder.found(&[""]),
            ["a-2.walk", "a.walk", "b.walk", "in/c.walk"]
        );
        assert_eq!(folder.found(&["a.glb"]), ["a-2.walk", "a.walk"]);
        assert_eq!(folder.found(&["b.walk", "b.glb"]), ["b.walk"]);
        for wrong in ["none", "c.glb"] {
            assert!(find_walks(&[folder.0.0.join(wrong)]).is_err(), "{wrong}");
        }
    }
}
