//! Lights that are missing or out of scale with the others.

use super::findings::{Finding, LintReport};
use super::rooms::CheckedRooms;
use super::sanity::median;
use crate::level::{LevelData, Light, LightKind, RoomId};
use crate::problems::ProblemCode;

/// Distance from a lamp, metres, at which its light is compared with the sun's.
const FROM_LAMP: f64 = 2.0;
/// Maximum plausible ratio of the sun's light to that of lamps.
const SUN_TO_LAMPS: f64 = 100.0;
/// Usual ratio of the sun's light to that of lamps.
const USUAL_SUN: f64 = 5.0;
/// Factor between the brightness of a lamp and the level's median at which the lamp is out of scale. A lamp that is
/// brighter by this factor overexposes its surroundings; a weaker one leaves its room dark.
const OUT_OF_SCALE: f64 = 500.0;
/// Minimum number of lamps. With fewer it is ambiguous which one is out of scale.
const MIN_LAMPS: usize = 3;

/// Reports the lights of a level that are likely mistakes.
pub(super) fn report(rooms: &CheckedRooms, report: &mut LintReport) {
    none(rooms, report);
    sun(report);
    out_of_scale(report);
}

/// Reports the first room without any light, if the level has no lights.
fn none(rooms: &CheckedRooms, report: &mut LintReport) {
    let level = report.level;
    if !rooms.source.lights.is_empty() {
        return;
    }
    let is_lit = |room: RoomId| is_lit_without_lamps(level, room);
    // Light enters a room from the adjacent rooms, but hardly from rooms beyond them.
    let is_dark = |room: RoomId| {
        let mut beyond = level.portals_of(room).map(|(_, portal)| portal.far);
        !is_lit(room) && !beyond.any(is_lit)
    };
    if let Some(room) = level.room_ids().find(|&room| is_dark(room)) {
        let name = &level.room(room).name;
        let message = format!(
            "the level has no light, and room `{name}`, and its neighbours, no sky and no surface that glows: it is dark; add a light to each room, and export lights (Blender: File, Export, glTF 2.0, Include, Punctual Lights)"
        );
        report.add(Finding::warning(ProblemCode::NoLight, "", message, None));
    }
}

/// Whether a room has the sky, or emissive surfaces.
fn is_lit_without_lamps(level: &LevelData, room: RoomId) -> bool {
    let room = level.room(room);
    let draws = &level.draws[room.draws.start as usize..room.draws.end as usize];
    let glows = |material: u32| {
        let material = &level.materials[material as usize];
        material.emissive != [0.0; 3] || material.unlit || material.sky
    };
    room.open_to_sky || draws.iter().any(|draw| glows(draw.material))
}

/// Reports suns so much brighter than the lamps that the surfaces they light are overexposed. The lamps set the
/// exposure.
fn sun(report: &mut LintReport) {
    let level = report.level;
    let lit = level.lights.iter().filter(|light| light.intensity > 0.0);
    let (suns, lamps): (Vec<&Light>, Vec<&Light>) =
        lit.partition(|light| light.kind == LightKind::Directional);
    let candela = lamps.iter().map(|lamp| f64::from(lamp.intensity));
    let Some(candela) = median(candela.collect()).filter(|_| level.shows_sky()) else {
        return;
    };
    let lux = candela / (FROM_LAMP * FROM_LAMP);
    for sun in suns {
        let times = f64::from(sun.intensity) / lux;
        if times > SUN_TO_LAMPS {
            let message = format!(
                "the sun is {times:.0} times as bright as the level's lamps are {FROM_LAMP} m away, and the surfaces that it lights are white; divide its strength by {:.0} (Blender: Strength, which is 1 to 10 for a sunny day), or make the lamps stronger",
                times / USUAL_SUN
            );
            report.add(Finding::warning(
                ProblemCode::Light,
                &sun.name,
                message,
                None,
            ));
        }
    }
}

/// Reports lamps that are far brighter than the others, and rooms whose lamps are far weaker.
fn out_of_scale(report: &mut LintReport) {
    let level = report.level;
    let is_lamp = |light: &&Light| light.kind != LightKind::Directional && light.intensity > 0.0;
    let candela = |light: &Light| f64::from(light.intensity);
    let lamps: Vec<&Light> = level.lights.iter().filter(is_lamp).collect();
    let Some(usual) = median(lamps.iter().map(|lamp| candela(lamp)).collect()) else {
        return;
    };
    if lamps.len() < MIN_LAMPS {
        return;
    }
    // The brightest lamp of each room.
    let mut of_room: Vec<Option<&Light>> = vec![None; level.rooms.len()];
    for &lamp in &lamps {
        let times = candela(lamp) / usual;
        if times > OUT_OF_SCALE {
            let message = format!(
                "the lamp is {times:.0} times as bright as most lamps of the level, and the surfaces that it lights are white; divide its power by {times:.0} (Blender: Power, in watts)"
            );
            report.add(Finding::warning(
                ProblemCode::Light,
                &lamp.name,
                message,
                None,
            ));
        }
        if let Some(at) = lamp.at {
            let brightest = &mut of_room[at.room.0 as usize];
            if brightest.is_none_or(|other| candela(lamp) > candela(other)) {
                *brightest = Some(lamp);
            }
        }
    }
    for room in level.room_ids() {
        let Some(lamp) = of_room[room.0 as usize] else {
            continue;
        };
        let times = usual / candela(lamp);
        if times > OUT_OF_SCALE && !is_lit_without_lamps(level, room) {
            let message = format!(
                "most lamps of the level are {times:.0} times as bright as this, the brightest of room `{}`, which is dark; multiply its power by {times:.0} (Blender: Power, in watts)",
                level.room(room).name
            );
            report.add(Finding::warning(
                ProblemCode::Light,
                &lamp.name,
                message,
                None,
            ));
        }
    }
}
