//! Levels that lie on their side because they were exported with z upwards; glTF has y upwards.

use glam::DVec3;

use super::findings::{Finding, LintReport};
use crate::geometry::{Aabb, Aabb32};
use crate::level::LevelData;
use crate::problems::ProblemCode;

/// Maximum height difference between a floor and a spawn on it, metres. The position of a spawn is at the feet.
const FEET: f64 = 0.3;
/// Minimum component of a floor's normal along the upward axis.
const FLOOR: f64 = 0.7;
/// A portal is perpendicular to an axis if |normal . axis| exceeds this.
const ACROSS: f64 = 0.9;
/// Maximum number of tested spawns.
const SPAWNS: usize = 100;

/// Reports a level if all of its spawns stand on floors with z upwards, and none with y upwards. Does not report it if
/// more portals are perpendicular to z than to y.
pub(super) fn report(report: &mut LintReport) {
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
    let finding = Finding::warning(ProblemCode::UpAxis, &first.node, message.to_owned(), place);
    report.add(finding);
}

/// Whether there is a floor at the feet of a body at this spawn.
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
