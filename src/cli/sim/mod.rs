//! `opendoor sim`: walks a level headless and reports the result.

mod answer;
mod events;
mod place;

use std::path::PathBuf;
use std::time::{Duration, Instant};

use super::body::BodyArgs;
use super::levels::load;
use super::messages::eprint_line;
use super::output::Output;
use super::progress::with_status;
use super::start::StartArgs;
use super::trace::TraceFile;
use super::walker::InputSource;
use super::walks::{LoadedWalk, begin_replay};
use super::{CommandOutcome, Error, number, print_json};
use answer::{SimAnswer, blocker_answer, leg_answer, print_summary, replay_answer};
use events::{event_answer, print_events};
use opendoor::bodies::broad::PairMethod;
use opendoor::collision::BroadPhase;
use opendoor::game::{FIRST_PLAYER, Game, Player, Start};
use opendoor::level::Level;
use opendoor::motion::TICK_SECS;
use opendoor::testing::{Monitor, RandomPlayer, ViolationKind};
use place::{name, named};

/// The longest simulation, seconds: a day.
const MAX_SECS: f64 = 86_400.0;

/// Walk a level headless: no GPU, no window.
#[derive(Debug, clap::Args)]
pub(crate) struct Args {
    /// The level: a .glb or .gltf file, or the name of one that comes with the program.
    level: PathBuf,
    /// A walk file, one command a line: goto X Z, wait S, face DEG, move FORWARD RIGHT S, jump, crouch,
    /// stand, use, open PORTAL, close PORTAL, expect CONDITION and others; # starts a comment.
    #[arg(long, value_name = "FILE")]
    walk: Option<PathBuf>,
    /// Walk at random, the same way for the same seed: walk, run, jump, crouch if the body is a
    /// capsule, press into corners, open and close doors.
    #[arg(
        long,
        value_name = "SEED",
        conflicts_with = "walk",
        value_parser = super::whole::<u64>, allow_negative_numbers = true
    )]
    wander: Option<u64>,
    /// Play a replay, which F10 in `play` writes, from its begin to its end, and compare the state with
    /// the recorded one every second.
    #[arg(long, value_name = "FILE", conflicts_with_all = ["walk", "wander", "spawn", "at", "yaw", "body",
          "speed", "step_height", "snap", "slope_limit", "max_drop"])]
    replay: Option<PathBuf>,
    /// Play the replay also if the level is not the one that it was recorded in, or was changed since.
    #[arg(long, requires = "replay")]
    changed_level: bool,
    /// How long to simulate: the body stands (default 1 s) or wanders (default 60 s) that long; a
    /// walk or replay is cut short after it (default: walked to its end).
    #[arg(long, value_name = "S", value_parser = seconds, allow_negative_numbers = true)]
    seconds: Option<f64>,
    /// Write a row per tick: tick,x,y,z,room,grounded,contacts (metres, of the feet).
    #[arg(long, value_name = "FILE.csv")]
    trace: Option<PathBuf>,
    #[command(flatten)]
    body: BodyArgs,
    #[command(flatten)]
    start: StartArgs,
    /// Take candidate polygons from every room instead of through the portals: the oracle for
    /// the room graph.
    #[arg(long)]
    whole_soup: bool,
    /// How to find which rigid bodies may meet. All methods find the same; they differ in speed.
    #[arg(long, value_name = "METHOD", value_enum, default_value_t)]
    pairs: Pairs,
    /// Print one JSON object on stdout.
    #[arg(long)]
    json: bool,
}

/// A method of the broad phase of rigid bodies.
#[derive(Clone, Copy, Debug, Default, clap::ValueEnum)]
enum Pairs {
    /// Sweep and prune: sorted ends of boxes, kept from tick to tick.
    Sweep,
    /// A uniform grid, made again in each tick.
    #[default]
    Grid,
    /// A tree of boxes larger than needed.
    Tree,
}

impl From<Pairs> for PairMethod {
    fn from(pairs: Pairs) -> Self {
        match pairs {
            Pairs::Sweep => Self::Sweep,
            Pairs::Grid => Self::Grid,
            Pairs::Tree => Self::Tree,
        }
    }
}

/// Runs the simulation; the outcome is bad if a leg of the walk failed, the replay diverged from the recording, or the
/// body reached a forbidden state.
pub(crate) fn run(args: &Args) -> Result<CommandOutcome, Error> {
    let trace = args.trace.as_deref().map(Output::at).transpose()?;
    let walk = args.walk.as_deref().map(LoadedWalk::read).transpose()?;
    let level = load(&args.level)?;
    let (mut game, mut walker) = begin(args, &level, walk)?;
    if args.whole_soup {
        game.broad_phase = BroadPhase::Exhaustive;
    }
    game.find_pairs_by(args.pairs.into());
    game.time_bodies_by(Instant::now);
    let secs = args.seconds.unwrap_or(default_secs(&walker));
    let mut trace = trace.map(TraceFile::begin).transpose()?;

    let place = |player: &Player| (player.actor.state.at.room, player.feet(&level));
    let start = place(&game.players[FIRST_PLAYER]);
    let mut monitor = Monitor::new(&level, &game, FIRST_PLAYER);
    let (mut spent, mut inputs) = (Duration::ZERO, Vec::new());
    let first_tick = game.tick;
    let last_tick = first_tick + libm::round(secs / TICK_SECS) as u64;
    with_status("walking", || -> Result<(), Error> {
        loop {
            let goes_on = walker.next(&level, &mut game, &mut inputs);
            if !goes_on || game.tick >= last_tick {
                break;
            }
            let before = Instant::now();
            game.tick(&level, &inputs);
            spent += before.elapsed();
            monitor.add_tick(&level, &game);
            if let Some(trace) = &mut trace {
                trace.row(&level, &game, game.tick - first_tick)?;
            }
        }
        Ok(())
    })?;
    if let Some(trace) = trace {
        trace.finish()?;
    }

    walker.cut_short(&level, &game);
    let went_well = walker.print_failures();
    // For a body that left all rooms, the event contains more details.
    let violation = monitor.violation.iter();
    for violation in violation.filter(|violation| violation.fault != ViolationKind::LeftRooms) {
        eprint_line(&violation.to_string());
    }
    print_events(&level, &monitor);
    let report = &game.players[FIRST_PLAYER].actor.report;
    let (blockers, events) = (report.blockers.iter(), monitor.events.iter());
    let ticks = game.tick - first_tick;
    let per_tick = |spent: Duration| spent.as_nanos() as f64 / ticks.max(1) as f64;
    let body_times = game.body_times().named();
    let answer = SimAnswer {
        ticks,
        seconds: ticks as f64 * TICK_SECS,
        start: named(&level, start),
        end: named(&level, place(&game.players[FIRST_PLAYER])),
        legs: walker
            .legs()
            .iter()
            .map(|leg| leg_answer(&level, leg))
            .collect(),
        distance: monitor.distance,
        min_y: monitor.min_y,
        max_y: monitor.max_y,
        rooms_entered: monitor.rooms.iter().map(|&id| name(&level, id)).collect(),
        grounded_ticks: monitor.grounded_ticks,
        max_penetration: monitor.max_penetration(),
        min_gap: monitor.min_gap,
        stuck: report.crushed,
        why: blockers
            .map(|b| blocker_answer(&level, game.world(), b))
            .collect(),
        events: events.map(|event| event_answer(&level, event)).collect(),
        events_omitted: monitor.events_omitted,
        bodies_held_back: game.bodies_held_back(),
        ns_per_tick: per_tick(spent),
        body_ns_per_tick: body_times
            .map(|(phase, spent)| (phase, per_tick(spent)))
            .into(),
        state_hash: format!("{:016x}", game.state_hash(&level)),
        replay: walker.playback().map(replay_answer),
    };
    if args.json {
        print_json(&answer)?;
    } else {
        print_summary(&answer)?;
    }
    Ok(if went_well && monitor.violation.is_none() {
        CommandOutcome::Good
    } else {
        CommandOutcome::Bad
    })
}

/// Returns the game at its start, and the walker that moves the body.
fn begin(
    args: &Args,
    level: &Level,
    walk: Option<LoadedWalk>,
) -> Result<(Game, InputSource), Error> {
    if let Some(path) = &args.replay {
        let (game, playback) = begin_replay(level, path, args.changed_level)?;
        return Ok((game, InputSource::Playback(Box::new(playback))));
    }
    let of_walk = walk.as_ref().map(|walk| &walk.read);
    let start = of_walk.map_or(Start::Default, |walk| walk.start.clone());
    let body = args.body.body(of_walk.and_then(|walk| walk.body));
    let tour = walk.map(|walk| walk.tour(level)).transpose()?;
    let mut game = args.start.game(level, start, body)?;
    game.players[FIRST_PLAYER].walk_speed = args.body.speed;
    let walker = match (tour, args.wander) {
        (Some(tour), _) => InputSource::Tour(Box::new(tour)),
        (None, Some(seed)) => InputSource::RandomPlayer(RandomPlayer::new(seed)),
        (None, None) => InputSource::Nobody,
    };
    Ok((game, walker))
}

/// Returns the default duration of the simulation, seconds.
fn default_secs(walker: &InputSource) -> f64 {
    match walker {
        InputSource::Nobody => 1.0,
        InputSource::Tour(_) | InputSource::Playback(_) => MAX_SECS,
        InputSource::RandomPlayer(_) => 60.0,
    }
}

fn seconds(text: &str) -> Result<f64, String> {
    number(text, 0.0, MAX_SECS, "seconds")
}
