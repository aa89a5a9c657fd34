//! The levels that the command line names: files, and the levels that come with the program.

use std::path::Path;

use opendoor::game::{check_bodies, check_walking};
use opendoor::level::{self, Fixed, Inspection, Level};

use super::Error;
use super::messages::eprint_line;
use super::progress::with_status;

/// A level that comes with the program.
pub(crate) struct BuiltIn {
    /// The name on the command line and in the menu.
    pub(crate) name: &'static str,
    /// The bytes of its .glb file.
    pub(crate) glb: &'static [u8],
    /// The walk file that shows the level.
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

/// All of them. `play` opens the first where no level is named.
pub(crate) static BUILT_IN: [BuiltIn; 5] = [
    built_in!("house"),
    built_in!("labyrinth"),
    built_in!("works"),
    built_in!("workshop"),
    built_in!("proving-ground"),
];

/// A suggestion is at most this many edits away from the word that it replaces.
const MAX_EDITS: usize = 2;

/// The level of this name that comes with the program. A file of the same name comes first.
pub(crate) fn built_in(path: &Path) -> Option<&'static BuiltIn> {
    let level = BUILT_IN
        .iter()
        .find(|level| Path::new(level.name) == path)?;
    (!path.exists()).then_some(level)
}

/// Loads a level; its warnings go to stderr.
pub(crate) fn load(path: &Path) -> Result<Level, Error> {
    let what = format!("loading {}", path.display());
    let (level, problems) = with_status(&what, || match built_in(path) {
        Some(level) => level::load_bytes(&level.file_name(), level.glb),
        None => level::load(path),
    })?;
    for problem in &problems.warnings {
        eprint_line(&format!("warning: {problem}"));
    }
    Ok(level)
}

/// The problems of a level and of walking in it.
pub(crate) fn inspect(path: &Path) -> Inspection {
    let mut inspection = match built_in(path) {
        Some(level) => level::inspect_bytes(&level.file_name(), level.glb),
        None => level::inspect(path),
    };
    add_walking(&mut inspection);
    inspection
}

/// A level with what of it can be mended for certain, and the problems that are left, of walking too.
pub(crate) fn fix(path: &Path) -> Fixed {
    let mut fixed = match built_in(path) {
        Some(level) => level::fix_bytes(&level.file_name(), level.glb),
        None => level::fix(path),
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

/// The error of a word that names neither a level nor one of `commands`; `None` where it names a level.
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
    /// The name of its file in messages.
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
    fn a_misspelt_word_has_the_nearest_command_or_level_as_a_suggestion() {
        assert_eq!(
            said("chekc").unwrap(),
            "there is no command and no level `chekc`: did you mean `check`?"
        );
        assert!(said("man").unwrap().ends_with("did you mean `map`?"));
        assert!(said("hose").unwrap().ends_with("did you mean `house`?"));
        assert!(
            said("nosuch")
                .unwrap()
                .ends_with("workshop, proving-ground")
        );
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
