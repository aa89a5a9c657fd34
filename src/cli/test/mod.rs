//! `opendoor test`: runs walk files as tests.

mod evidence;
mod reports;

use std::path::PathBuf;
use std::time::Instant;

use opendoor::load::load_bytes;
use opendoor::motion::TICK_SECS;
use opendoor::testing::{FindError, TestError, TestResult, parse, run_tests, walk_level};
use serde::Serialize;

use super::levels::{BuiltIn, built_in, load_explained};
use super::output::Output;
use super::progress::with_status;
use super::{CommandOutcome, Error, print, print_json};

/// The maximum number of printed problems of a walk; further problems are only counted.
const MAX_PROBLEMS: usize = 10;

/// Walk the walk files beside levels as tests
#[derive(Debug, clap::Args)]
pub(crate) struct Args {
    /// Folders (all walk files in them and below), levels (the walk files beside them), walk files, and names of levels
    /// that come with the program (their tours)
    #[arg(value_name = "DIR|LEVEL|WALK", default_value = ".")]
    paths: Vec<PathBuf>,
    /// Write the results as JUnit XML
    #[arg(long, value_name = "FILE")]
    junit: Option<PathBuf>,
    /// Print the results in the Test Anything Protocol instead of a table
    #[arg(long, conflicts_with = "json")]
    tap: bool,
    /// Write a trace of each failed walk into this folder: a row per tick, as of `sim --trace`
    #[arg(long, value_name = "DIR")]
    traces: Option<PathBuf>,
    /// Draw what the player saw where walks failed into this folder
    #[cfg(feature = "window")]
    #[arg(long, value_name = "DIR")]
    pictures: Option<PathBuf>,
    /// Print one JSON object on stdout
    #[arg(long)]
    json: bool,
}

/// The answer of `--json`. Scripts rely on the names.
#[derive(Serialize)]
struct TestAnswer {
    ok: bool,
    passed: usize,
    failed: usize,
    tests: Vec<WalkResult>,
}

/// The result of one walk file.
#[derive(Serialize)]
struct WalkResult {
    walk: String,
    /// The level; empty if the walk file belongs to none.
    level: String,
    ok: bool,
    /// The number of lines that were walked.
    lines: usize,
    /// The simulated time of the walk, seconds.
    seconds: f64,
    /// The run time of the test, seconds.
    took_seconds: f64,
    /// The hash of the final state; empty if there was no walk.
    state_hash: String,
    problems: Vec<WalkProblem>,
}

#[derive(Serialize)]
struct WalkProblem {
    /// The line of the walk file, if the problem belongs to one.
    line: Option<usize>,
    message: String,
}

/// Walks all walk files; the outcome is bad if one of them failed.
pub(crate) fn run(args: &Args) -> Result<CommandOutcome, Error> {
    let junit = args.junit.as_deref().map(Output::at).transpose()?;
    let results = with_status("walking", || walk_all(&args.paths))?;
    let tests: Vec<WalkResult> = results.iter().map(test).collect();
    let passed = tests.iter().filter(|test| test.ok).count();
    let failed = tests.len() - passed;
    if let Some(junit) = junit {
        junit.write(reports::junit(&tests).as_bytes())?;
    }
    if args.json {
        print_json(&TestAnswer {
            ok: failed == 0,
            passed,
            failed,
            tests,
        })?;
    } else if args.tap {
        print(&reports::tap(&tests))?;
    } else {
        print(&reports::table(&tests))?;
    }
    let failed: Vec<&TestResult> = results.iter().filter(|result| !result.passed()).collect();
    if let Some(folder) = &args.traces {
        evidence::write_traces(&failed, folder)?;
    }
    #[cfg(feature = "window")]
    if let Some(folder) = &args.pictures {
        evidence::draw_pictures(&failed, folder)?;
    }
    Ok(if failed.is_empty() {
        CommandOutcome::Good
    } else {
        CommandOutcome::Bad
    })
}

/// Walks the walk files, then the tours of shipped levels.
fn walk_all(paths: &[PathBuf]) -> Result<Vec<TestResult>, FindError> {
    let is_file = |path: &&PathBuf| built_in(path).is_none();
    let files: Vec<PathBuf> = paths.iter().filter(is_file).cloned().collect();
    let mut results = run_tests(&files, load_explained)?;
    let tours = paths.iter().filter_map(|path| built_in(path));
    results.extend(tours.map(walk_tour));
    Ok(results)
}

fn walk_tour(level: &BuiltIn) -> TestResult {
    let walk = parse(level.tour).map_err(TestError::Lines);
    let loaded = load_bytes(&level.file_name(), level.glb);
    let loaded = loaded.map_err(|problems| TestError::Level(problems.to_string()));
    let start = Instant::now();
    let outcome = loaded.and_then(|(level, _)| walk_level(&level, walk?, |_, _, _| ()));
    TestResult {
        walk: PathBuf::from(format!("{}.walk", level.name)),
        level: Some(PathBuf::from(level.name)),
        outcome,
        took: start.elapsed(),
    }
}

fn test(result: &TestResult) -> WalkResult {
    let walked = result.outcome.as_ref().ok();
    let name = |path: &PathBuf| path.display().to_string();
    let mut problems = result.problems();
    let more = problems.len().saturating_sub(MAX_PROBLEMS);
    problems.truncate(MAX_PROBLEMS);
    if more > 0 {
        problems.push((None, format!("and {more} more")));
    }
    let problems = problems.into_iter();
    WalkResult {
        walk: name(&result.walk),
        level: result.level.as_ref().map(name).unwrap_or_default(),
        ok: result.passed(),
        lines: walked.map_or(0, |walked| walked.legs.len()),
        seconds: walked.map_or(0.0, |walked| walked.ticks as f64 * TICK_SECS),
        took_seconds: result.took.as_secs_f64(),
        state_hash: walked.map_or(String::new(), |walked| {
            format!("{:016x}", walked.state_hash)
        }),
        problems: problems
            .map(|(line, message)| WalkProblem { line, message })
            .collect(),
    }
}
