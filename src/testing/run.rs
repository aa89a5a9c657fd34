//! Walks walk files as tests: each through its level, many side by side.

use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use super::find::{FindError, find_walks, level_of};
use super::monitor::{Monitor, Violation};
use super::tour::{Leg, Tour};
use super::walk::{WalkError, WalkFile, parse_lines, read_walk};
use crate::files::ReadError;
use crate::game::{Game, GameError, PLAYER};
use crate::level::{self, Level};
use crate::parallel::{cores, parallel_map};

/// A walk that takes longer than this is cut short, ticks: an hour.
const MAX_TICKS: u64 = 216_000;

/// What became of one walk file.
#[derive(Debug)]
pub struct TestResult {
    /// The walk file.
    pub walk: PathBuf,
    /// Its level, where it is known.
    pub level: Option<PathBuf>,
    /// What happened, or why there was no walk.
    pub outcome: Result<Walked, TestError>,
    /// How long it took, without loading the level.
    pub took: Duration,
}

/// What happened on a walk.
#[derive(Debug)]
pub struct Walked {
    /// What became of its lines.
    pub legs: Vec<Leg>,
    /// The failed ones as sentences, each with its line: where the body was and what blocked it.
    pub failures: Vec<(usize, String)>,
    /// What must never happen to a body, if it did.
    pub violation: Option<Violation>,
    /// How long the walk was, ticks.
    pub ticks: u64,
    /// The state at its end.
    pub state_hash: u64,
}

/// Why there was no walk.
#[derive(Debug, thiserror::Error)]
pub enum TestError {
    /// The walk file cannot be read.
    #[error("the walk file {0}")]
    File(#[from] ReadError),
    /// Lines of it cannot be understood, or name what the level does not have.
    #[error("{}", .0.iter().map(ToString::to_string).collect::<Vec<_>>().join("\n"))]
    Lines(Vec<WalkError>),
    /// It is of no level.
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
    /// Whether the walk did all that it says, and nothing that must never happen.
    pub fn passed(&self) -> bool {
        let outcome = self.outcome.as_ref();
        outcome.is_ok_and(|walked| walked.failures.is_empty() && walked.violation.is_none())
    }

    /// All that went wrong, each with its line in the file, where it is of one.
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

/// Walks all walk files of folders, levels and files, side by side; the results are in the order of their
/// paths.
///
/// # Errors
/// When there is nothing to walk. What is wrong with a walk is its result.
pub fn run_tests(paths: &[PathBuf]) -> Result<Vec<TestResult>, FindError> {
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
    let levels = parallel_map(paths.len(), cores(), |index| level::load(paths[index]));
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

/// The level of a walk file, and what it says.
fn read_test(path: &Path) -> Result<(PathBuf, WalkFile), TestError> {
    let walk = parse_lines(&read_walk(path)?);
    match level_of(path, walk.level.as_deref()) {
        Ok(level) => Ok((level, walk)),
        Err(_) if !walk.bad_lines.is_empty() => Err(TestError::Lines(walk.bad_lines)),
        Err(problem) => Err(TestError::NoLevel(problem)),
    }
}

/// Walks through a level, as the player unless the walk names another body. After each tick, and once before
/// the first, `on_tick` is shown the game, and what became of the lines before the current one.
///
/// # Errors
/// When lines name what the level does not have, or the body cannot start.
pub fn walk_level(
    level: &Level,
    walk: WalkFile,
    mut on_tick: impl FnMut(&Level, &mut Game, &[Leg]),
) -> Result<Walked, TestError> {
    let (start, body) = (walk.start.clone(), walk.body.unwrap_or(PLAYER));
    let mut tour = Tour::new(level, walk).map_err(TestError::Lines)?;
    let mut game = Game::start(level, &start, body)?;
    let mut monitor = Monitor::new(level, &game);
    while let Some(input) = tour.next(level, &mut game) {
        on_tick(level, &mut game, &tour.legs);
        if game.tick >= MAX_TICKS {
            tour.cut_short(level, &game);
            break;
        }
        game.tick(level, &input);
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
