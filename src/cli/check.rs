//! `opendoor check`: says everything that is wrong with levels.

use std::io;
use std::path::{Path, PathBuf};

use glam::DVec3;
use opendoor::game::check_walking;
use opendoor::geometry::Triangle;
use opendoor::level::{self, Inspection, Level, LevelSource, ProblemList};
use serde::Serialize;
use serde_json::value::{RawValue, to_raw_value};

use super::messages::eprint_line;
use super::progress::with_status;
use super::{Error, Outcome};

/// Validate a level and list every problem
#[derive(clap::Args)]
pub(crate) struct Args {
    /// Levels to check: .glb or .gltf files
    #[arg(required = true, value_name = "LEVEL")]
    levels: Vec<PathBuf>,
    /// Print one JSON object on stdout
    #[arg(long)]
    json: bool,
}

/// What `--json` says of one level. Scripts rely on the names.
#[derive(Serialize)]
struct Report<'a> {
    level: &'a str,
    ok: bool,
    rooms: Vec<Room<'a>>,
    portals: Vec<Portal<'a>>,
    spawns: Vec<Spawn<'a>>,
    lights: usize,
    triangles: usize,
    errors: &'a ProblemList,
    warnings: &'a ProblemList,
}

#[derive(Serialize)]
struct Room<'a> {
    name: &'a str,
    triangles: usize,
    portals: usize,
}

#[derive(Serialize)]
struct Portal<'a> {
    name: &'a str,
    from: &'a str,
    to: &'a str,
    area: f64,
}

#[derive(Serialize)]
struct Spawn<'a> {
    name: &'a str,
    room: &'a str,
    position: [f64; 3],
}

/// What `--json` says of several levels.
#[derive(Serialize)]
struct Reports {
    ok: bool,
    /// A [`Report`] each, written while its level was in memory.
    levels: Vec<Box<RawValue>>,
}

/// Checks all levels, also behind a bad one.
pub(crate) fn run(args: &Args) -> Result<Outcome, Error> {
    let (mut ok, mut levels) = (true, Vec::new());
    for path in &args.levels {
        let name = path.display().to_string();
        let inspection = with_status(&format!("checking {name}"), || inspect(path));
        let report = report(&name, &inspection);
        ok &= report.ok;
        if args.json {
            levels.push(to_raw_value(&report).map_err(io::Error::from)?);
        } else {
            show(&report)?;
        }
    }
    match levels.as_slice() {
        _ if !args.json => {}
        [report] => super::print_json(report)?,
        _ => super::print_json(&Reports { ok, levels })?,
    }
    Ok(if ok { Outcome::Good } else { Outcome::Bad })
}

/// What the level says of itself, and what a player can do in it.
pub(super) fn inspect(path: &Path) -> Inspection {
    let mut inspection = level::inspect(path);
    if let Ok(level) = &inspection.level {
        check_walking(level, &mut inspection.problems);
    }
    inspection
}

fn report<'a>(name: &'a str, inspection: &'a Inspection) -> Report<'a> {
    let Inspection {
        level, problems, ..
    } = inspection;
    let mut report = Report {
        level: name,
        ok: level.is_ok(),
        rooms: Vec::new(),
        portals: Vec::new(),
        spawns: Vec::new(),
        lights: 0,
        triangles: 0,
        errors: &problems.errors,
        warnings: &problems.warnings,
    };
    match level {
        Ok(level) => describe(level, &mut report),
        Err(source) => describe_source(source, &mut report),
    }
    report
}

fn describe<'a>(level: &'a Level, report: &mut Report<'a>) {
    let name = |room| level.room(room).name.as_str();
    report.rooms.extend(level.rooms.iter().map(|room| Room {
        name: &room.name,
        triangles: room.solids.len(),
        portals: room.portals.len(),
    }));
    report.portals.extend(level.links.iter().map(|link| Portal {
        name: &link.name,
        from: name(link.near),
        to: name(link.far),
        area: link.area,
    }));
    report.spawns.extend(level.spawns.iter().map(|spawn| Spawn {
        name: &spawn.name,
        room: name(spawn.at.room),
        position: level.to_author(spawn.at.point).0.to_array(),
    }));
    report.lights = level.lights.len();
    report.triangles = level.solids.len();
}

/// What a bad file holds, as far as it could be read: solid triangles and portals as written, of
/// which nothing is known but what they say themselves.
fn describe_source<'a>(source: &'a LevelSource, report: &mut Report<'a>) {
    report.rooms.extend(source.rooms.iter().map(|room| Room {
        name: &room.name,
        triangles: 0,
        portals: 0,
    }));
    for mesh in source.meshes.iter().filter(|mesh| mesh.solid) {
        report.rooms[mesh.room].triangles += mesh.triangles.len();
    }
    for portal in &source.portals {
        report.rooms[portal.room].portals += 1;
        let area = |corners: &[DVec3; 3]| 0.5 * Triangle { corners: *corners }.cross().length();
        report.portals.push(Portal {
            name: &portal.node,
            from: &source.rooms[portal.room].name,
            to: &portal.dest,
            area: portal.triangles.iter().map(area).sum(),
        });
    }
    let room = |room: Option<usize>| room.map_or("", |room| source.rooms[room].name.as_str());
    report
        .spawns
        .extend(source.spawns.iter().map(|spawn| Spawn {
            name: &spawn.node,
            room: room(spawn.room),
            position: spawn.position.0.to_array(),
        }));
    report.lights = source.lights.len();
    let doors = source.movers.iter().flat_map(|door| &door.meshes);
    let meshes = source.meshes.iter().chain(doors);
    let solid = meshes.filter(|mesh| mesh.solid);
    report.triangles = solid.map(|mesh| mesh.triangles.len()).sum();
}

/// Problems for people on stderr, one line of figures on stdout.
fn show(report: &Report) -> Result<(), Error> {
    for problem in report.errors {
        eprint_line(&format!("error: {problem}"));
    }
    for problem in report.warnings {
        eprint_line(&format!("warning: {problem}"));
    }
    let verdict = if report.ok { "good" } else { "bad" };
    super::print(&format!(
        "{}: {verdict}: {} rooms, {} portals, {} triangles, {} lights; {} errors, {} warnings\n",
        report.level,
        report.rooms.len(),
        report.portals.len(),
        report.triangles,
        report.lights,
        report.errors.total(),
        report.warnings.total(),
    ))
}
