//! `opendoor check`: says everything that is wrong with levels.

use std::path::{Path, PathBuf};

use opendoor::level::{self, Level, Problem};
use serde::Serialize;

use super::progress::while_saying;
use super::{Error, Outcome};

/// Say everything that is wrong with a level
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
struct Report {
    level: String,
    ok: bool,
    rooms: Vec<Room>,
    portals: Vec<Portal>,
    spawns: Vec<Spawn>,
    lights: usize,
    triangles: usize,
    errors: Vec<Problem>,
    warnings: Vec<Problem>,
}

#[derive(Serialize)]
struct Room {
    name: String,
    triangles: usize,
    portals: usize,
}

#[derive(Serialize)]
struct Portal {
    name: String,
    from: String,
    to: String,
    area: f64,
}

#[derive(Serialize)]
struct Spawn {
    name: String,
    room: String,
    position: [f64; 3],
}

/// What `--json` says of several levels.
#[derive(Serialize)]
struct Reports {
    ok: bool,
    levels: Vec<Report>,
}

/// Checks all levels, also behind a bad one.
pub(crate) fn run(args: &Args) -> Result<Outcome, Error> {
    let mut levels = Vec::new();
    for path in &args.levels {
        let report = check(path);
        if !args.json {
            show(&report)?;
        }
        levels.push(report);
    }
    let ok = levels.iter().all(|report| report.ok);
    match levels.as_slice() {
        _ if !args.json => {}
        [report] => super::print_json(report)?,
        _ => super::print_json(&Reports { ok, levels })?,
    }
    Ok(if ok { Outcome::Good } else { Outcome::Bad })
}

fn check(path: &Path) -> Report {
    let what = format!("checking {}", path.display());
    let (level, problems) = match while_saying(&what, || level::load(path)) {
        Ok((level, problems)) => (Some(level), problems),
        Err(problems) => (None, problems),
    };
    let mut report = Report {
        level: path.display().to_string(),
        ok: level.is_some(),
        rooms: Vec::new(),
        portals: Vec::new(),
        spawns: Vec::new(),
        lights: 0,
        triangles: 0,
        errors: problems.errors,
        warnings: problems.warnings,
    };
    if let Some(level) = level {
        describe(&level, &mut report);
    }
    report
}

fn describe(level: &Level, report: &mut Report) {
    let name = |room| level.room(room).name.clone();
    report.rooms.extend(level.rooms.iter().map(|room| Room {
        name: room.name.clone(),
        triangles: room.solids.len(),
        portals: room.portals.len(),
    }));
    report.portals.extend(level.links.iter().map(|link| Portal {
        name: link.name.clone(),
        from: name(link.from),
        to: name(link.to),
        area: link.area,
    }));
    report.spawns.extend(level.spawns.iter().map(|spawn| Spawn {
        name: spawn.name.clone(),
        room: name(spawn.room),
        position: level.to_author(spawn.position).to_array(),
    }));
    report.lights = level.lights.len();
    report.triangles = level.solids.len();
}

/// Problems for people on stderr, one line of figures on stdout.
fn show(report: &Report) -> Result<(), Error> {
    for problem in &report.errors {
        super::say(&format!("error: {problem}"));
    }
    for problem in &report.warnings {
        super::say(&format!("warning: {problem}"));
    }
    let verdict = if report.ok { "good" } else { "bad" };
    super::print(&format!(
        "{}: {verdict}: {} rooms, {} portals, {} triangles, {} lights; {} errors, {} warnings\n",
        report.level,
        report.rooms.len(),
        report.portals.len(),
        report.triangles,
        report.lights,
        report.errors.len(),
        report.warnings.len(),
    ))
}
