//! The tours of our own levels.

use std::fs;
use std::path::{Path, PathBuf};
use std::sync::OnceLock;

use opendoor::collision::BroadPhase;
use opendoor::game::{CHARACTER, Game, PLAYER, Start};
use opendoor::level::Level;
use opendoor::lint::{check_bodies, check_walking, inspect};
use opendoor::load::load;
use opendoor::motion::Body;
use opendoor::testing::{Tour, parse};

use crate::common::Playtest;

fn folder() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("levels")
}

pub(crate) fn our_files() -> Vec<PathBuf> {
    let entries = fs::read_dir(folder()).unwrap();
    let mut files: Vec<PathBuf> = entries.map(|entry| entry.unwrap().path()).collect();
    files.retain(|path| path.extension().is_some_and(|e| e == "glb" || e == "gltf"));
    files.sort();
    assert!(!files.is_empty(), "no level in {}", folder().display());
    files
}

/// The levels of [`ours`] for which all rooms together are an oracle: their portals do not bend space.
pub(crate) fn ours_in_flat_space<'a>() -> impl Iterator<Item = &'a Level> {
    ours().iter().filter(|level| !level.bends_space)
}

/// All levels in `levels/`, loaded once for all tests.
pub(crate) fn ours() -> &'static [Level] {
    static LEVELS: OnceLock<Vec<Level>> = OnceLock::new();
    let load = |path: &PathBuf| {
        load(path)
            .unwrap_or_else(|p| panic!("{}: {p}", path.display()))
            .0
    };
    LEVELS.get_or_init(|| our_files().iter().map(load).collect())
}

/// Walks the tour of a level to its end, which it must reach; returns the state's hash there.
fn walk(level: &Level, body: Body) -> u64 {
    let mut playtest = Playtest::with_body(level, &Start::Default, body);
    let mut tour = tour(level);
    while let Some(input) = tour.next(level, &mut playtest.game) {
        playtest.tick(&input);
    }
    for leg in &tour.legs {
        assert!(leg.ok, "line {}: {:?}", leg.line, leg.problem);
    }
    assert_eq!(playtest.monitor.max_penetration(), 0.0);
    playtest.game.state_hash(level)
}

/// The state's hash at the end of the tour with the broad phase `Exhaustive`. A walk with the same final bits as a
/// checked walk needs no checks of its own.
fn walk_on_whole_soup(level: &Level, body: Body) -> u64 {
    let mut game = Game::start(level, &Start::Default, body).unwrap();
    game.broad_phase = BroadPhase::Exhaustive;
    let mut tour = tour(level);
    while let Some(input) = tour.next(level, &mut game) {
        game.tick(level, &[input]);
    }
    game.state_hash(level)
}

fn tour(level: &Level) -> Tour {
    let path = folder().join(&level.name).with_extension("walk");
    let tour = fs::read_to_string(&path);
    let tour = tour.unwrap_or_else(|e| panic!("{} has no tour: {e}", level.name));
    Tour::new(level, parse(&tour).unwrap()).unwrap()
}

/// Checks that the tour of a level arrives, with the sphere of the tests and with the player, and gives the same result
/// with both broad phases.
fn tour_arrives(file: &str) {
    let (level, _) = load(&folder().join(file)).unwrap();
    for body in [CHARACTER, PLAYER] {
        assert_eq!(walk(&level, body), walk_on_whole_soup(&level, body));
    }
}

/// The levels whose tours are walked below.
const WALKED: [&str; 6] = [
    "house.glb",
    "labyrinth.glb",
    "proving-ground.glb",
    "works.glb",
    "workshop.glb",
    "folded.glb",
];

#[test]
fn the_tour_of_every_level_is_walked() {
    let files = our_files();
    let names = files.iter().filter_map(|path| path.file_name()?.to_str());
    let mut walked = WALKED;
    walked.sort_unstable();
    assert_eq!(names.collect::<Vec<_>>(), walked);
}

/// Regression test: the parapets of the workshop lay in the plane of its stairs.
#[test]
fn our_levels_have_no_problems() {
    for path in our_files() {
        let mut inspection = inspect(&path);
        let level = inspection.level.unwrap();
        check_walking(&level, &mut inspection.problems);
        check_bodies(&level, &mut inspection.problems);
        let problems = inspection.problems;
        let count = problems.errors.total() + problems.warnings.total();
        assert_eq!(count, 0, "{}: {problems}", path.display());
    }
}

#[test]
fn the_tour_of_the_house_arrives_also_on_the_whole_soup_and_as_the_player() {
    tour_arrives(WALKED[0]);
}

#[test]
fn the_tour_of_the_labyrinth_arrives_also_on_the_whole_soup_and_as_the_player() {
    tour_arrives(WALKED[1]);
}

#[test]
fn the_tour_of_the_proving_ground_arrives_also_on_the_whole_soup_and_as_the_player() {
    tour_arrives(WALKED[2]);
}

#[test]
fn the_tour_of_the_works_arrives_also_on_the_whole_soup_and_as_the_player() {
    tour_arrives(WALKED[3]);
}

/// All rooms together are no oracle for this level: they overlap, as its portals show them.
#[test]
fn the_tour_of_the_folded_level_arrives_for_every_body() {
    let (level, _) = load(&folder().join(WALKED[5])).unwrap();
    assert!(level.bends_space);
    for body in [CHARACTER, PLAYER] {
        walk(&level, body);
    }
}

/// In this tour bodies are taken, from the height of the player's eye, so only the player walks it.
#[test]
#[cfg_attr(
    debug_assertions,
    ignore = "half a minute unless optimised; .ci/test runs it"
)]
fn the_tour_of_the_workshop_arrives_also_on_the_whole_soup_as_the_player() {
    let (level, _) = load(&folder().join(WALKED[4])).unwrap();
    assert_eq!(walk(&level, PLAYER), walk_on_whole_soup(&level, PLAYER));
}
