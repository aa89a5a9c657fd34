//! The tours of our own levels.

use std::fs;
use std::path::{Path, PathBuf};

use opendoor::game::{Start, Tour, parse};
use opendoor::level::{Level, load};
use opendoor::motion::Scope;

use crate::common::Player;

fn folder() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("levels")
}

fn our_files() -> Vec<PathBuf> {
    let entries = fs::read_dir(folder()).unwrap();
    let mut files: Vec<PathBuf> = entries.map(|entry| entry.unwrap().path()).collect();
    files.retain(|path| path.extension().is_some_and(|e| e == "glb" || e == "gltf"));
    files.sort();
    assert!(!files.is_empty(), "no level in {}", folder().display());
    files
}

/// All levels in `levels/`.
pub(crate) fn ours() -> Vec<Level> {
    let load = |path: &PathBuf| {
        load(path)
            .unwrap_or_else(|p| panic!("{}: {p}", path.display()))
            .0
    };
    our_files().iter().map(load).collect()
}

/// Walks the tour of a level to its end; the state's hash there.
fn walk(level: &Level, tour: &str, scope: Scope) -> u64 {
    let mut player = Player::start(level, &Start::Default);
    player.game.scope = scope;
    let mut tour = Tour::new(level, parse(tour).unwrap()).unwrap();
    while let Some(input) = tour.next(level, &mut player.game) {
        player.tick(&input);
    }
    for leg in &tour.legs {
        assert!(
            leg.ok,
            "{}: line {}: {:?}",
            level.name, leg.line, leg.problem
        );
    }
    assert_eq!(player.record.max_penetration(), 0.0);
    player.game.state_hash(level)
}

#[test]
fn every_tour_arrives_and_is_the_same_through_the_portals_and_on_the_whole_soup() {
    for path in our_files() {
        let (level, _) = load(&path).unwrap();
        let tour = fs::read_to_string(path.with_extension("walk"));
        let tour = tour.unwrap_or_else(|e| panic!("{} has no tour: {e}", path.display()));
        let through_portals = walk(&level, &tour, Scope::Portals);
        let on_whole_soup = walk(&level, &tour, Scope::WholeSoup);
        assert_eq!(through_portals, on_whole_soup, "{}", path.display());
    }
}
