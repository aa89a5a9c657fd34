//! The levels of the command line: files, and the levels that are shipped with the program.

use std::path::Path;

use opendoor::level::Level;
use opendoor::lint::{Fixed, Inspection, check_bodies, check_walking, explain};
use opendoor::problems::Problems;

use super::Error;
use super::messages::eprint_line;
use super::progress::with_status;

/// A level that is shipped with the program.
pub(crate) struct BuiltIn {
    /// The name on the command line and in the menu.
    pub(crate) name: &'static str,
    /// The bytes of its .glb file.
    pub(crate) glb: &'static [u8],
    /// The walk file of the level's tour.
    pub(crate) tour: &'static str,
}

macro_rules! built_in {
    ($name:literal) => {
        BuiltIn {
            name: $name,
            glb: include_bytes!(concat!("../../levels/", $name, ".glb")),
            tour: include_str!(concat!("../../levels/", $name, ".walk")),
        }
    };
}

/// All shipped levels. `play` opens the first one if no level is named.
pub(crate) static BUILT_IN: [BuiltIn; 6] = [
    built_in!("house"),
    built_in!("labyrinth"),
    built_in!("works"),
    built_in!("workshop"),
    built_in!("proving-ground"),
    built_in!("folded"),
];

/// The maximum edit distance between a word and a suggestion for it.
const MAX_EDITS: usize = 2;

/// Returns the shipped level of this name. A file of the same name takes precedence.
pub(crate) fn built_in(path: &Path) -> Option<&'static BuiltIn> {
    let level = BUILT_IN
        .iter()
        .find(|level| Path::new(level.name) == path)?;
    (!path.exists()).then_some(level)
}

/// Loads a level; prints its warnings on stderr.
pub(crate) fn load(path: &Path) -> Result<Level, Error> {
    let (level, problems) = with_status(&loading(path), || match built_in(path) {
        Some(level) => opendoor::load::load_bytes(&level.file_name(), level.glb),
        None => load_explained(path),
    })?;
    print_warnings(&problems);
    Ok(level)
}

/// Returns the status line for loading a level.
pub(crate) fn loading(path: &Path) -> String {
    format!("loading {}", path.display())
}

/// Prints the warnings of a level to stderr.
pub(crate) fn print_warnings(problems: &Problems) {
    for problem in &problems.warnings {
        eprint_line(&format!("warning: {problem}"));
    }
}

/// Loads a level from a file. If that fails, the errors are only the causes, without the errors that follow from them.
pub(crate) fn load_explained(path: &Path) -> Result<(Level, Problems), Problems> {
    opendoor::load::load(path).map_err(|problems| explain(path, problems))
}

/// Returns the problems of a level, including those of walking in it.
pub(crate) fn inspect(path: &Path) -> Inspection {
    let mut inspection = match built_in(path) {
        Some(level) => opendoor::lint::inspect_bytes(&level.file_name(), level.glb),
        None => opendoor::lint::inspect(path),
    };
    add_walking(&mut inspection);
    inspection
}

/// Returns a level with its certain repairs, and the remaining problems, including those of walking in it.
pub(crate) fn fix(path: &Path) -> Fixed {
    let mut fixed = match built_in(path) {
        Some(level) => opendoor::lint::fix_bytes(&level.file_name(), level.glb),
        None => opendoor::lint::fix(path),
    };
    add_walking(&mut fixed.inspection);
    fixed
}

/// Adds the problems of walking in a level.
fn add_walking(inspection: &mut Inspection) {
    if let Ok(level) = &inspection.level {
        check_walking(level, &mut inspection.problems);
        check_bodies(level, &mut inspection.problems);
    }
}

/// Returns the error for a word that names neither a level nor one of `commands`; `None` if the word names a level.
pub(crate) fn no_such_level(word: &Path, commands: &[String]) -> Option<Error> {
    if built_in(word).is_some() || word.exists() {
        return None;
    }
    let name = word.display().to_string();
    let levels = BUILT_IN.iter().map(|level| level.name);
    let known = levels.chain(commands.iter().map(String::as_str));
    let nearest = known
        .map(|known| (strsim::damerau_levenshtein(known, &name), known))
        .min()
        .filter(|(edits, _)| *edits <= MAX_EDITS);
    let suggestion = match nearest {
        Some((_, known)) => format!("did you mean `{known}`?"),
        None => {
            let levels: Vec<&str> = BUILT_IN.iter().map(|level| level.name).collect();
            format!(
                "name a .glb or .gltf file, or a level that comes with the program: {}",
                levels.join(", ")
            )
        }
    };
    let what = if commands.is_empty() {
        "there is no level"
    } else {
        "there is no command and no level"
    };
    Some(Error::NoSuchLevel(format!("{what} `{name}`: {suggestion}")))
}

impl BuiltIn {
    /// Returns the file name of the level for messages.
    pub(crate) fn file_name(&self) -> String {
        format!("{}.glb", self.name)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn said(word: &str) -> Option<String> {
        let commands = ["check".to_owned(), "map".to_owned()];
        no_such_level(Path::new(word), &commands).map(|error| error.to_string())
    }

    #[test]
    fn a_misspelt_command_or_level_has_the_nearest_name_as_a_suggestion() {
        assert_eq!(
            said("chekc").unwrap(),
            "there is no command and no level `chekc`: did you mean `check`?"
        );
        assert!(said("man").unwrap().ends_with("did you mean `map`?"));
        assert!(said("hose").unwrap().ends_with("did you mean `house`?"));
        assert!(said("nosuch").unwrap().ends_with("proving-ground, folded"));
        assert_eq!(said("house"), None);
        assert_eq!(said("levels/house.glb"), None);
    }

    #[test]
    fn every_built_in_level_is_read_by_its_name_and_its_tour_too() {
        for level in &BUILT_IN {
            assert!(load(Path::new(level.name)).is_ok(), "{}", level.name);
            assert!(
                opendoor::testing::parse(level.tour).is_ok(),
                "{}",
                level.name
            );
        }
    }
}
