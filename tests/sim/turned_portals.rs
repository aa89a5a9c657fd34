//! Portals that an author reversed by mistake: each is reported.

use std::collections::{BTreeMap, BTreeSet};

use opendoor::build::build;
use opendoor::gltf::read_source;
use opendoor::level::RoomId;
use opendoor::lint::{check_walking, inspect_source};
use opendoor::problems::ProblemCode;
use opendoor::source::LevelSource;

use crate::levels::our_files;

/// Groups of portals without a common room within a group, so that a problem at one portal does not affect the others.
fn groups(source: &LevelSource) -> Vec<Vec<usize>> {
    let (level, _) = build(source.clone()).unwrap();
    let rooms = level.links.iter();
    let rooms: BTreeMap<&str, [RoomId; 2]> = rooms
        .map(|link| (link.name.as_str(), [link.near, link.far]))
        .collect();
    let mut groups: Vec<(Vec<usize>, BTreeSet<RoomId>)> = Vec::new();
    for (index, portal) in source.portals.iter().enumerate() {
        let rooms = rooms[portal.node.as_str()];
        let is_free = |(_, known): &&mut (Vec<usize>, BTreeSet<RoomId>)| {
            rooms.iter().all(|room| !known.contains(room))
        };
        match groups.iter_mut().find(is_free) {
            Some((portals, known)) => {
                portals.push(index);
                known.extend(rooms);
            }
            None => groups.push((vec![index], rooms.into())),
        }
    }
    groups.into_iter().map(|(portals, _)| portals).collect()
}

fn turned(mut source: LevelSource, portals: &[usize]) -> LevelSource {
    for &portal in portals {
        for corners in &mut source.portals[portal].triangles {
            corners.swap(1, 2);
        }
    }
    source
}

/// Regression test: wide portals, portals of shallow rooms and portals of moving or open rooms were not reported, and
/// players fell out of the level.
#[test]
fn every_portal_of_our_levels_is_named_if_it_is_turned_round() {
    for path in our_files() {
        let source = read_source(&path).unwrap().0;
        // A reversed portal that leads to another portal is an error: see `folds.rs`.
        if source
            .portals
            .iter()
            .any(|portal| portal.leads_to.is_some())
        {
            continue;
        }
        for group in groups(&source) {
            let (_, problems) = build(turned(source.clone(), &group)).unwrap();
            let nodes = |index: &usize| source.portals[*index].node.as_str();
            let expected: BTreeSet<&str> = group.iter().map(nodes).collect();
            // 20 problems per code are listed, and the others counted.
            assert_eq!(problems.warnings.total(), group.len(), "{problems}");
            for problem in problems.warnings.iter().take(20) {
                let is_named = expected.contains(problem.node.as_str());
                assert_eq!(problem.code, ProblemCode::PortalBackwards, "{problem}");
                assert!(is_named, "{}: {problem}", path.display());
            }
        }
    }
}

#[test]
fn a_reversed_portal_is_the_only_problem_reported() {
    for (level, node) in [
        ("house.glb", "living-portal"),
        ("house.glb", "*cellar-stair-portal"),
        ("house.glb", "wine-cellar-portal"),
        ("works.glb", "hall*glass-lift-portal"),
        ("proving-ground.glb", "stairs-portal"),
    ] {
        let files = our_files();
        let path = files.iter().find(|path| path.ends_with(level)).unwrap();
        let source = read_source(path).unwrap().0;
        let index = source.portals.iter().position(|p| p.node == node).unwrap();
        let mut inspection = inspect_source(turned(source, &[index]));
        check_walking(inspection.level.as_ref().unwrap(), &mut inspection.problems);
        let warnings = &inspection.problems.warnings;
        assert_eq!(warnings.total(), 1, "{}", inspection.problems);
        let is_named = |p: &str| p == node && warnings[0].code == ProblemCode::PortalBackwards;
        assert!(is_named(&warnings[0].node), "{}", inspection.problems);
    }
}
