//! `opendoor check`: lists every problem of levels and, with `--fix`, repairs those whose fix is unambiguous.

use std::io;
use std::path::{Path, PathBuf};

use glam::DVec3;
use opendoor::geometry::Triangle;
use opendoor::level::Level;
use opendoor::lint::{Fixed, Inspection};
use opendoor::problems::{Problem, ProblemCode, ProblemList};
use opendoor::source::LevelSource;
use serde::Serialize;
use serde_json::value::{RawValue, to_raw_value};

use super::messages::eprint_line;
use super::output::Output;
use super::progress::with_status;
use super::{CommandOutcome, Error, levels};

/// Validate a level and list every problem
#[derive(clap::Args)]
pub(crate) struct Args {
    /// Levels to check: .glb or .gltf files, or names of levels that come with the program
    #[arg(required_unless_present = "codes", value_name = "LEVEL")]
    levels: Vec<PathBuf>,
    /// List the codes of all problems, each with its problem in one sentence
    #[arg(long, conflicts_with_all = ["levels", "json", "fix"])]
    codes: bool,
    /// Print one JSON object on stdout
    #[arg(long)]
    json: bool,
    /// Write the level again with all that can be mended for certain, and report what remains (of one LEVEL)
    #[arg(long, value_name = "OUT.glb", value_parser = glb)]
    fix: Option<PathBuf>,
}

/// Parses the path of an output file, which must end in .glb.
fn glb(path: &str) -> Result<PathBuf, String> {
    let path = PathBuf::from(path);
    match path.extension() {
        Some(extension) if extension.eq_ignore_ascii_case("glb") => Ok(path),
        _ => Err("a .glb is written; end its name with .glb".to_owned()),
    }
}

/// The answer of `--json` for one level. Scripts rely on the names.
#[derive(Serialize)]
struct CheckReport<'a> {
    level: &'a str,
    ok: bool,
    rooms: Vec<CheckedRoom<'a>>,
    portals: Vec<CheckedPortal<'a>>,
    spawns: Vec<CheckedSpawn<'a>>,
    lights: usize,
    triangles: usize,
    errors: &'a ProblemList,
    warnings: &'a ProblemList,
    /// The problems that `--fix` repaired, which are no longer among the errors and warnings.
    #[serde(skip_serializing_if = "Option::is_none")]
    fixed: Option<&'a [Problem]>,
}

#[derive(Serialize)]
struct CheckedRoom<'a> {
    name: &'a str,
    triangles: usize,
    portals: usize,
}

#[derive(Serialize)]
struct CheckedPortal<'a> {
    name: &'a str,
    from: &'a str,
    to: &'a str,
    area: f64,
}

#[derive(Serialize)]
struct CheckedSpawn<'a> {
    name: &'a str,
    room: &'a str,
    position: [f64; 3],
}

/// The answer of `--json` for several levels.
#[derive(Serialize)]
struct Reports {
    ok: bool,
    /// A [`CheckReport`] for each level, written while its level was in memory.
    levels: Vec<Box<RawValue>>,
}

/// Checks all levels, including those after a level with errors.
pub(crate) fn run(args: &Args) -> Result<CommandOutcome, Error> {
    if args.codes {
        return list_codes();
    }
    if let Some(out) = &args.fix {
        return match args.levels.as_slice() {
            [level] => run_fix(level, out, args.json),
            _ => clap::Error::raw(
                clap::error::ErrorKind::TooManyValues,
                "--fix writes one level: name one LEVEL\n",
            )
            .exit(),
        };
    }
    let (mut ok, mut levels) = (true, Vec::new());
    for path in &args.levels {
        let name = path.display().to_string();
        let inspection = with_status(&format!("checking {name}"), || levels::inspect(path));
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
    Ok(if ok {
        CommandOutcome::Good
    } else {
        CommandOutcome::Bad
    })
}

/// Prints all codes of problems, one a line.
fn list_codes() -> Result<CommandOutcome, Error> {
    let lines = ProblemCode::ALL.iter();
    let lines = lines.map(|code| format!("{:<22}{}\n", code.as_str(), code.about()));
    super::print(&lines.collect::<String>())?;
    Ok(CommandOutcome::Good)
}

/// Writes a repaired level and reports the remaining problems.
fn run_fix(path: &Path, out: &Path, json: bool) -> Result<CommandOutcome, Error> {
    let output = Output::at(out)?;
    let name = path.display().to_string();
    let Fixed {
        glb,
        fixed,
        inspection,
        ..
    } = with_status(&format!("fixing {name}"), || levels::fix(path));
    let mut report = report(&name, &inspection);
    report.fixed = Some(&fixed);
    if json {
        super::print_json(&report)?;
    } else {
        show(&report)?;
    }
    match glb {
        Some(glb) => output.write(&glb)?,
        None => eprint_line(&format!(
            "{}: not written: {name} cannot be read",
            out.display()
        )),
    }
    Ok(if report.ok {
        CommandOutcome::Good
    } else {
        CommandOutcome::Bad
    })
}

fn report<'a>(name: &'a str, inspection: &'a Inspection) -> CheckReport<'a> {
    let Inspection {
        level, problems, ..
    } = inspection;
    let mut report = CheckReport {
        level: name,
        ok: level.is_ok(),
        rooms: Vec::new(),
        portals: Vec::new(),
        spawns: Vec::new(),
        lights: 0,
        triangles: 0,
        errors: &problems.errors,
        warnings: &problems.warnings,
        fixed: None,
    };
    match level {
        Ok(level) => describe(level, &mut report),
        Err(source) => describe_source(source, &mut report),
    }
    report
}

fn describe<'a>(level: &'a Level, report: &mut CheckReport<'a>) {
    let name = |room| level.room(room).name.as_str();
    report
        .rooms
        .extend(level.rooms.iter().map(|room| CheckedRoom {
            name: &room.name,
            triangles: room.solids.len(),
            portals: room.portals.len(),
        }));
    report
        .portals
        .extend(level.links.iter().map(|link| CheckedPortal {
            name: &link.name,
            from: name(link.near),
            to: name(link.far),
            area: link.area,
        }));
    report
        .spawns
        .extend(level.spawns.iter().map(|spawn| CheckedSpawn {
            name: &spawn.name,
            room: name(spawn.at.room),
            position: level.to_author(spawn.at.point).0.to_array(),
        }));
    report.lights = level.lights.len();
    report.triangles = level.solids.len();
}

/// Describes a level file with errors as far as it could be read: its solid triangles and portals as written, without
/// any computed data.
fn describe_source<'a>(source: &'a LevelSource, report: &mut CheckReport<'a>) {
    report
        .rooms
        .extend(source.rooms.iter().map(|room| CheckedRoom {
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
        report.portals.push(CheckedPortal {
            name: &portal.node,
            from: &source.rooms[portal.room].name,
            to: &portal.dest,
            area: portal.triangles.iter().map(area).sum(),
        });
    }
    let room = |room: Option<usize>| room.map_or("", |room| source.rooms[room].name.as_str());
    report
        .spawns
        .extend(source.spawns.iter().map(|spawn| CheckedSpawn {
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

/// Prints the problems as text on stderr and one line of statistics on stdout.
fn show(report: &CheckReport) -> Result<(), Error> {
    for problem in report.fixed.unwrap_or_default() {
        eprint_line(&format!("fixed: {problem}"));
    }
    for problem in report.errors {
        eprint_line(&format!("error: {problem}"));
    }
    for problem in report.warnings {
        eprint_line(&format!("warning: {problem}"));
    }
    let verdict = if report.ok { "good" } else { "bad" };
    let fixed = report
        .fixed
        .map_or_else(String::new, |fixed| format!(", {} fixed", fixed.len()));
    super::print(&format!(
        "{}: {verdict}: {} rooms, {} portals, {} triangles, {} lights; {} errors, {} warnings{fixed}\n",
        report.level,
        report.rooms.len(),
        report.portals.len(),
        report.triangles,
        report.lights,
        report.errors.total(),
        report.warnings.total(),
    ))
}
