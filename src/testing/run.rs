//! Runs walk files as tests: each through its level, in parallel.

use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use super::find::{FindError, find_walks, level_of};
use super::monitor::{Monitor, Violation};
use super::tour::{Leg, Tour};
use super::walk::{WalkError, WalkFile, parse_lines, read_walk};
use crate::files::ReadError;
use crate::game::{FIRST_PLAYER, Game, GameError, PLAYER};
use crate::level::Level;
use crate::parallel::{cores, parallel_map};
use crate::problems::Problems;

/// The maximum length of a walk, ticks: an hour. Longer walks are cut short.
const MAX_TICKS: u64 = 216_000;

/// The result of one walk file.
#[derive(Debug)]
pub struct TestResult {
    /// The walk file.
    pub walk: PathBuf,
    /// The level, if it was found.
    pub level: Option<PathBuf>,
    /// The result of the walk, or the reason why there was none.
    pub outcome: Result<Walked, TestError>,
    /// The duration of the walk, without loading the level.
    pub took: Duration,
}

/// The result of a walk that ran.
#[derive(Debug)]
pub struct Walked {
    /// The results of the steps.
    pub legs: Vec<Leg>,
    /// The failed steps as sentences, each with its line number: where the body was and what blocked it.
    pub failures: Vec<(usize, String)>,
    /// The first violation of the walk, if any.
    pub violation: Option<Violation>,
    /// The length of the walk, ticks.
    pub ticks: u64,
    /// The hash of the state at the end.
    pub state_hash: u64,
}

/// Reasons why there was no walk.
#[derive(Debug, thiserror::Error)]
pub enum TestError {
    /// The walk file cannot be read.
    #[error("the walk file {0}")]
    File(#[from] ReadError),
    /// Lines of the walk file cannot be parsed, or name things that the level does not have.
    #[error("{}", .0.iter().map(ToString::to_string).collect::<Vec<_>>().join("\n"))]
    Lines(Vec<WalkError>),
    /// The walk file belongs to no level.
    #[error("{0}")]
    NoLevel(String),
    /// The level cannot be used.
    #[error("the level cannot be used; `opendoor check` has the whole list: {}", .0.lines().next().unwrap_or(""))]
    Level(String),
    /// The body cannot start.
    #[error("{0}")]
    Start(#[from] GameError),
}

impl TestResult {
    /// Whether the walk met all its expectations without a violation.
    pub fn passed(&self) -> bool {
        let outcome = self.outcome.as_ref();
        outcome.is_ok_and(|walked| walked.failures.is_empty() && walked.violation.is_none())
    }

    /// All problems, each with its line number in the file, if it belongs to a line.
    pub fn problems(&self) -> Vec<(Option<usize>, String)> {
        match &self.outcome {
            Ok(walked) => {
                let lines = walked.failures.iter().cloned();
                let lines = lines.map(|(line, problem)| (Some(line), problem));
                let violation = walked.violation.iter();
                lines
                    .chain(violation.map(|violation| (None, violation.to_string())))
                    .collect()
            }
            Err(TestError::Lines(errors)) => {
                let lines = errors.iter();
                let sentence = |error: &WalkError| format!("`{}`: {}", error.text, error.problem);
                lines
                    .map(|error| (Some(error.line), sentence(error)))
                    .collect()
            }
            Err(error) => vec![(None, error.to_string())],
        }
    }
}

/// Runs all walk files of folders, levels and files in parallel; the results are in the order of their paths. `load` loads the
/// levels.
///
/// # Errors
/// When there are no walk files to run. A problem of one walk is part of its result.
pub fn run_tests(
    paths: &[PathBuf],
    load: impl Fn(&Path) -> Result<(Level, Problems), Problems> + Sync,
) -> Result<Vec<TestResult>, FindError> {
    let (mut results, mut tests) = (Vec::new(), Vec::new());
    for walk in find_walks(paths)? {
        match read_test(&walk) {
            Ok((level, steps)) => tests.push((walk, level, steps)),
            Err(error) => results.push(TestResult {
                walk,
                level: None,
                outcome: Err(error),
                took: Duration::ZERO,
            }),
        }
    }
    let mut paths: Vec<&PathBuf> = tests.iter().map(|(_, level, _)| level).collect();
    paths.sort();
    paths.dedup();
    let levels = parallel_map(paths.len(), cores(), |index| load(paths[index]));
    let walked = parallel_map(tests.len(), cores(), |index| {
        let (_, path, steps) = &tests[index];
        let start = Instant::now();
        let at = paths.partition_point(|other| *other < path);
        let outcome = match &levels[at] {
            Ok((level, _)) => walk_level(level, steps.clone(), |_, _, _| ()),
            Err(problems) => Err(TestError::Level(problems.to_string())),
        };
        (outcome, start.elapsed())
    });
    let walked = tests.iter().zip(walked);
    results.extend(
        walked.map(|((walk, level, _), (outcome, took))| TestResult {
            walk: walk.clone(),
            level: Some(level.clone()),
            outcome,
            took,
        }),
    );
    results.sort_by(|a, b| a.walk.cmp(&b.walk));
    Ok(results)
}

/// Reads a walk file, and finds its level.
fn read_test(path: &Path) -> Result<(PathBuf, WalkFile), TestError> {
    let walk = parse_lines(&read_walk(path)?);
    match level_of(path, walk.level.as_deref()) {
        Ok(level) => Ok((level, walk)),
        Err(_) if !walk.bad_lines.is_empty() => Err(TestError::Lines(walk.bad_lines)),
        Err(problem) => Err(TestError::NoLevel(problem)),
    }
}

/// Walks through a level, with the body `PLAYER` unless the walk names another. `on_tick` is called once before the first tick
/// and after each tick, with the game and the results of the steps so far.
///
/// # Errors
/// When lines name things that the level does not have, or the body cannot start.
pub fn walk_level(
    level: &Level,
    walk: WalkFile,
    mut on_tick: impl FnMut(&Level, &mut Game, &[Leg]),
) -> Result<Walked, TestError> {
    let (start, body) = (walk.start.clone(), walk.body.unwrap_or(PLAYER));
    let mut tour = Tour::new(level, walk).map_err(TestError::Lines)?;
    let mut game = Game::start(level, &start, body)?;
    let mut monitor = Monitor::new(level, &game, FIRST_PLAYER);
    while let Some(input) = tour.next(level, &mut game) {
        on_tick(level, &mut game, &tour.legs);
        if game.tick >= MAX_TICKS {
            tour.cut_short(level, &game);
            break;
        }
        game.tick(level, &[input]);
        monitor.add_tick(level, &game);
    }
    on_tick(level, &mut game, &tour.legs);
    let failed = tour.legs.iter().filter(|leg| !leg.ok);
    Ok(Walked {
        failures: failed.map(|leg| (leg.line, leg.describe(level))).collect(),
        legs: tour.legs,
        violation: monitor.violation,
        ticks: game.tick,
        state_hash: game.state_hash(level),
    })
}
