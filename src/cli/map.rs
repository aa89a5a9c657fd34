//! `opendoor map`: draws the floor plans of a level.

use std::path::PathBuf;

use opendoor::lint::Inspection;
use opendoor::map::{Plan, Sheets, Survey, svg};
use opendoor::problems::Problem;
use serde::Serialize;

use super::messages::eprint_line;
use super::output::Output;
use super::progress::with_status;
use super::{CommandOutcome, Error, levels, print_json};

/// Draw a floor plan of each storey, to an SVG of A4 sheets
#[derive(Debug, clap::Args)]
pub(crate) struct Args {
    /// Level to draw: a .glb or .gltf file, or the name of one that comes with the program; of a bad file what could be
    /// read of it
    #[arg(value_name = "LEVEL")]
    level: PathBuf,
    /// SVG file to write: a sheet for each storey, one below the other, and a list of problems
    #[arg(short = 'o', long = "output", value_name = "OUT.svg")]
    output: PathBuf,
    /// Draw only this storey, from 1 at the bottom: one sheet, to print
    #[arg(long, value_name = "N", value_parser = super::whole::<usize>, allow_negative_numbers = true)]
    storey: Option<usize>,
    /// Print one JSON object on stdout
    #[arg(long)]
    json: bool,
}

/// The answer of `--json`. Scripts rely on the names.
#[derive(Serialize)]
struct MapAnswer<'a> {
    storeys: Vec<StoreyAnswer<'a>>,
    errors: usize,
    warnings: usize,
    /// The problems; the numbers on the plan are positions in this list, counted from 1.
    problems: &'a [Problem],
}

#[derive(Serialize)]
struct StoreyAnswer<'a> {
    /// The height of the storey's floor, author's coordinates.
    floor: f64,
    rooms: Vec<&'a str>,
    /// The numbers of the problems that are drawn on the storey.
    problems: Vec<usize>,
}

/// Draws the plan; the outcome is bad if the level has errors.
pub(crate) fn run(args: &Args) -> Result<CommandOutcome, Error> {
    let output = Output::at(&args.output)?;
    let what = format!("checking {}", args.level.display());
    let inspection = with_status(&what, || levels::inspect(&args.level));
    let Inspection {
        level, problems, ..
    } = &inspection;
    let survey = match level {
        Ok(level) => Survey::of(level),
        Err(source) => Survey::of_source(source),
    };
    let list: Vec<Problem> = problems
        .errors
        .iter()
        .chain(&problems.warnings)
        .cloned()
        .collect();
    let plan = with_status("drawing the plan", || Plan::of_survey(&survey, &list));
    let count = plan.storeys.len();
    if let Some(storey) = args.storey.filter(|storey| *storey == 0 || *storey > count) {
        eprint_line(&format!(
            "there is no storey {storey}: there are {count}, counted from 1"
        ));
        return Ok(CommandOutcome::Bad);
    }
    let sheets = Sheets {
        problems: &list,
        storey: args.storey,
    };
    output.write(svg(&plan, &sheets).as_bytes())?;
    let storeys = plan.storeys.iter().map(|storey| StoreyAnswer {
        floor: storey.floor,
        rooms: storey
            .rooms
            .iter()
            .map(|room| survey.room_name(*room))
            .collect(),
        problems: storey
            .problems
            .iter()
            .map(|problem| problem.number)
            .collect(),
    });
    if args.json {
        print_json(&MapAnswer {
            storeys: storeys.collect(),
            errors: problems.errors.total(),
            warnings: problems.warnings.total(),
            problems: &list,
        })?;
    } else {
        for (number, storey) in (1..).zip(storeys) {
            eprint_line(&format!(
                "storey {number}: floor at {:.2} m, {} rooms, {} problems",
                storey.floor,
                storey.rooms.len(),
                storey.problems.len()
            ));
        }
    }
    Ok(if level.is_ok() {
        CommandOutcome::Good
    } else {
        CommandOutcome::Bad
    })
}
