//! Levels that lie on their side: exported with z upwards, where glTF has y.

use glam::DVec3;

use super::report::{Finding, Report};
use crate::geometry::{Aabb, Aabb32};
use crate::level::{LevelData, Problem, ProblemCode as Code, Problems};

/// Spawns are at people's feet: no farther above a floor than this, metres, and in no floor deeper.
const FEET: f64 = 0.3;
/// A surface is a floor if the cosine of its slope is more.
const FLOOR: f64 = 0.7;
/// Portals whose normal has a larger part along an axis stand across it.
const ACROSS: f64 = 0.9;
/// Spawns that are looked at, at most.
const SPAWNS: usize = 100;

/// What only follows from it.
const FOLLOWS: [Code; 5] = [
    Code::SpawnOutside,
    Code::SpawnBlocked,
    Code::Light,
    Code::MoverThroughWall,
    Code::BodyOutside,
];

/// Reports a level all of whose spawns stand on floors if z is upwards, and none of them if y is, unless its portals say
/// otherwise; and drops what follows.
pub(super) fn fold(report: &mut Report, problems: &mut Problems) {
    let level = report.level;
    let spawns = &report.source.spawns[..report.source.spawns.len().min(SPAWNS)];
    let mut feet = spawns.iter().map(|spawn| level.from_author(spawn.position));
    let lies =
        |at: DVec3| !stands_on_floor(level, at, DVec3::Y) && stands_on_floor(level, at, DVec3::Z);
    let across = |axis: DVec3| {
        let normals = level
            .portals
            .iter()
            .map(|portal| portal.polygon.plane.normal);
        normals
            .filter(|normal| normal.dot(axis).abs() > ACROSS)
            .count()
    };
    let Some(first) = spawns.first() else {
        return;
    };
    if !feet.all(lies) || across(DVec3::Z) > across(DVec3::Y) {
        return;
    }
    let message = "the level lies on its side: its spawns stand on floors if z is upwards, and glTF has y there; export it with +Y Up (Blender: File, Export, glTF 2.0, Transform)";
    let place = report.place(level.from_author(first.position));
    let mut finding = Finding::warning(Code::UpAxis, &first.node, message.to_owned(), place);
    let follows = |problem: &Problem| FOLLOWS.contains(&problem.code);
    finding.is_error = problems.errors.iter().any(follows);
    report.add(finding);
    problems.drop(follows);
}

/// Whether a floor is at the feet of whoever stands there.
fn stands_on_floor(level: &LevelData, feet: DVec3, up: DVec3) -> bool {
    let [above, below] = [feet + up * FEET, feet - up * FEET];
    let bounds = Aabb::around([above, below]);
    let mut is_met = false;
    for room in level
        .rooms
        .iter()
        .filter(|room| room.bounds.overlaps(&bounds))
    {
        level
            .solids
            .touching(&room.solids, &Aabb32::around(&bounds), |solid| {
                let triangle = solid.triangle();
                let is_floor = triangle
                    .normal()
                    .is_some_and(|normal| normal.dot(up) > FLOOR);
                let part = triangle.hit_by_ray(above, below - above);
                is_met |= is_floor && part.is_some_and(|part| (0.0..=1.0).contains(&part));
            });
    }
    is_met
}
