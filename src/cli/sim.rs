//! `opendoor sim`: walk a level headless, and say what happened.

use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use serde::Serialize;

use super::body::BodyArgs;
use super::messages::eprint_line;
use super::output::Output;
use super::progress::with_status;
use super::start::StartArgs;
use super::trace::Trace;
use super::{Error, Outcome, load, number, print, print_json};
use opendoor::collision::BroadPhase;
use opendoor::game::{Event, EventKind, Game, Input, Player, Start};
use opendoor::geometry::Triangle;
use opendoor::level::{AuthorPoint, Level, RoomId};
use opendoor::motion::{self, Blocker, TICK_SECS};
use opendoor::testing::{self, Leg, Monitor, RandomPlayer, Tour, ViolationKind, WalkFile};
use opendoor::world::World;

/// Longest simulation, seconds: a day.
const MAX_SECS: f64 = 86_400.0;
/// Bad lines of a walk file that are listed; the rest are counted.
const MAX_LINES_LISTED: usize = 20;

/// Events that people are shown.
const EVENTS_SHOWN: usize = 10;

/// Walk a level headless: no GPU, no window.
#[derive(Debug, clap::Args)]
pub(crate) struct Args {
    /// The level, a .glb or .gltf file.
    level: PathBuf,
    /// A walk file, one command a line: goto X Z, wait S, face DEG, move FORWARD RIGHT S, jump, crouch,
    /// stand, use, open PORTAL, close PORTAL, expect CONDITION and others; # starts a comment.
    #[arg(long, value_name = "FILE")]
    walk: Option<PathBuf>,
    /// Walk at random, the same way for the same seed: walk, run, jump, crouch if the body is a
    /// capsule, press into corners, open and close doors.
    #[arg(long, value_name = "SEED", conflicts_with = "walk")]
    wander: Option<u64>,
    /// How long to simulate: the body stands (default 1 s) or wanders (default 60 s) that long; a
    /// walk is cut short after it (default: walked to its end).
    #[arg(long, value_name = "S", value_parser = seconds)]
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
    /// Print one JSON object on stdout.
    #[arg(long)]
    json: bool,
}

/// The answer of `--json`; the names of its fields stay as they are.
#[derive(Debug, Serialize)]
struct Answer<'a> {
    ticks: u64,
    seconds: f64,
    start: Place<'a>,
    end: Place<'a>,
    legs: Vec<LegAnswer<'a>>,
    distance: f64,
    min_y: f64,
    max_y: f64,
    rooms_entered: Vec<&'a str>,
    grounded_ticks: u64,
    max_penetration: f64,
    min_gap: f64,
    /// Whether the body is crushed at the end, with no way out.
    stuck: bool,
    /// What stands in its way at the end.
    why: Vec<BlockerAnswer<'a>>,
    /// What happened on the way: the first thousand events of each kind.
    events: Vec<EventAnswer<'a>>,
    /// How many more there were.
    events_omitted: u64,
    ns_per_tick: f64,
    state_hash: String,
}

#[derive(Debug, Serialize)]
struct BlockerAnswer<'a> {
    node: &'a str,
    room: &'a str,
    /// From it to the body.
    normal: [f64; 3],
    /// Its polygon, author's coordinates.
    triangles: Vec<[[f64; 3]; 3]>,
}

/// Something that happened.
#[derive(Debug, Serialize)]
struct EventAnswer<'a> {
    tick: u64,
    seconds: f64,
    kind: &'static str,
    room: &'a str,
    /// The feet.
    position: [f64; 3],
    #[serde(flatten)]
    details: EventDetails<'a>,
}

/// What depends on an event's kind.
#[derive(Debug, Serialize)]
#[serde(untagged)]
enum EventDetails<'a> {
    /// Of `landed` and `hit`.
    Impact {
        /// m/s.
        speed: f64,
        /// What was met.
        node: &'a str,
        /// Of the polygon of a closed portal none.
        #[serde(skip_serializing_if = "Option::is_none")]
        material: Option<&'a str>,
    },
    /// Of `stepped`: metres.
    Step { height: f64 },
    /// Of `crossed`.
    Crossing { portal: &'a str, to: &'a str },
    /// Of `door_blocked`.
    Door { portal: &'a str },
    /// Of movers, triggers and switches.
    Node { node: &'a str },
    /// Of `mover_arrived`: whether at the end of its track, else at the start.
    Arrival { node: &'a str, at_end: bool },
    /// Of `left_rooms`: where the body was put back.
    Left { back: Place<'a> },
    /// Of `jumped` and `crushed`.
    Nothing {},
}

#[derive(Debug, Serialize)]
struct Place<'a> {
    room: &'a str,
    position: [f64; 3],
}

#[derive(Debug, Serialize)]
struct LegAnswer<'a> {
    line: usize,
    command: &'a str,
    ok: bool,
    seconds: f64,
    room: &'a str,
    position: [f64; 3],
}

/// Who moves the body.
enum Walker {
    Nobody,
    Tour(Box<Tour>),
    RandomPlayer(RandomPlayer),
}

impl Walker {
    /// The input of the next tick; `None` at the end of a tour.
    fn next(&mut self, level: &Level, game: &mut Game) -> Option<Input> {
        match self {
            Self::Nobody => Some(Input::default()),
            Self::Tour(tour) => tour.next(level, game),
            Self::RandomPlayer(wander) => Some(wander.next(level, game)),
        }
    }

    /// How long it moves the body if nobody says, seconds.
    fn default_secs(&self) -> f64 {
        match self {
            Self::Nobody => 1.0,
            Self::Tour(_) => MAX_SECS,
            Self::RandomPlayer(_) => 60.0,
        }
    }
}

/// Walks; bad is a walk of which a leg failed, or in which the body came where it must never be.
pub(crate) fn run(args: &Args) -> Result<Outcome, Error> {
    let trace = args.trace.as_deref().map(Output::at).transpose()?;
    let walk = args.walk.as_deref().map(read_walk).transpose()?;
    let level = load(&args.level)?;
    let of_walk = walk.as_ref().map(|walk| &walk.read);
    let start = of_walk.map_or(Start::Default, |walk| walk.start.clone());
    let body = args.body.body(of_walk.and_then(|walk| walk.body));
    let mut game = args.start.game(&level, start, body)?;
    game.player.walk_speed = args.body.speed;
    if args.whole_soup {
        game.broad_phase = BroadPhase::Exhaustive;
    }
    let mut walker = match (walk, args.wander) {
        (Some(walk), _) => Walker::Tour(Box::new(walk.tour(&level)?)),
        (None, Some(seed)) => Walker::RandomPlayer(RandomPlayer::new(seed)),
        (None, None) => Walker::Nobody,
    };
    let secs = args.seconds.unwrap_or(walker.default_secs());
    let mut trace = trace.map(Trace::begin).transpose()?;

    let place = |player: &Player| (player.actor.state.at.room, player.feet(&level));
    let start = place(&game.player);
    let mut monitor = Monitor::new(&level, &game);
    let mut spent = Duration::ZERO;
    let ticks = libm::round(secs / TICK_SECS) as u64;
    with_status("walking", || -> Result<(), Error> {
        loop {
            let input = walker.next(&level, &mut game);
            let Some(input) = input.filter(|_| game.tick < ticks) else {
                break;
            };
            let before = Instant::now();
            game.tick(&level, &input);
            spent += before.elapsed();
            monitor.add_tick(&level, &game);
            if let Some(trace) = &mut trace {
                trace.row(&level, &game)?;
            }
        }
        Ok(())
    })?;
    if let Some(trace) = trace {
        trace.finish()?;
    }

    let legs = match walker {
        Walker::Tour(mut tour) => {
            tour.cut_short(&level, &game);
            tour.legs
        }
        Walker::Nobody | Walker::RandomPlayer(_) => Vec::new(),
    };
    for leg in legs.iter().filter(|leg| !leg.ok) {
        let problem = leg.problem.as_deref().unwrap_or("failed");
        eprint_line(&format!("line {}: `{}`: {problem}", leg.line, leg.command));
    }
    // The event says more of a body that left all rooms.
    let violation = monitor.violation.iter();
    for violation in violation.filter(|violation| violation.fault != ViolationKind::LeftRooms) {
        eprint_line(&violation.to_string());
    }
    print_events(&level, &monitor);
    let report = &game.player.actor.report;
    let (blockers, events) = (report.blockers.iter(), monitor.events.iter());
    let answer = Answer {
        ticks: game.tick,
        seconds: game.tick as f64 * TICK_SECS,
        start: named(&level, start),
        end: named(&level, place(&game.player)),
        legs: legs.iter().map(|leg| leg_answer(&level, leg)).collect(),
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
        ns_per_tick: spent.as_nanos() as f64 / game.tick.max(1) as f64,
        state_hash: format!("{:016x}", game.state_hash(&level)),
    };
    if args.json {
        print_json(&answer)?;
    } else {
        print_summary(&answer)?;
    }
    let all_ok = legs.iter().all(|leg| leg.ok) && monitor.violation.is_none();
    Ok(if all_ok { Outcome::Good } else { Outcome::Bad })
}

/// A walk file that was read, and where it is.
struct Walk<'a> {
    path: &'a Path,
    read: WalkFile,
}

fn read_walk(path: &Path) -> Result<Walk<'_>, Error> {
    let text = testing::read_walk(path);
    let text = text.map_err(|error| bad_walk(path, format!("the walk file {error}")))?;
    let read = testing::parse(&text).map_err(|errors| bad_lines(path, &errors))?;
    Ok(Walk { path, read })
}

impl Walk<'_> {
    /// The walk through a level that has all that it names.
    fn tour(self, level: &Level) -> Result<Tour, Error> {
        Tour::new(level, self.read).map_err(|errors| bad_lines(self.path, &errors))
    }
}

fn bad_walk(path: &Path, problem: String) -> Error {
    Error::Walk {
        path: path.to_owned(),
        problem,
    }
}

fn bad_lines(path: &Path, errors: &[testing::WalkError]) -> Error {
    let listed = errors.iter().take(MAX_LINES_LISTED);
    let mut lines: Vec<String> = listed.map(ToString::to_string).collect();
    if errors.len() > MAX_LINES_LISTED {
        lines.push(format!(
            "and {} more lines",
            errors.len() - MAX_LINES_LISTED
        ));
    }
    bad_walk(path, lines.join("\n"))
}

fn name(level: &Level, room: RoomId) -> &str {
    &level.room(room).name
}

fn named(level: &Level, (room, feet): (RoomId, AuthorPoint)) -> Place<'_> {
    Place {
        room: name(level, room),
        position: feet.0.to_array(),
    }
}

fn blocker_answer<'a>(level: &'a Level, world: &World, blocker: &Blocker) -> BlockerAnswer<'a> {
    let triangles = blocker.solid.triangles(level, world).into_iter();
    let author = |triangle: Triangle| triangle.corners.map(|p| level.to_author(p).0.to_array());
    BlockerAnswer {
        node: blocker.solid.node(level),
        room: name(level, blocker.solid.room(level)),
        normal: blocker.normal.to_array(),
        triangles: triangles.map(author).collect(),
    }
}

/// Prints the first events for people that should not happen.
fn print_events(level: &Level, monitor: &Monitor) {
    let described = monitor.events.iter();
    let described = described.filter_map(|(tick, event)| Some((tick, event.describe(level)?)));
    let mut rest = 0;
    for (nth, (tick, event)) in described.enumerate() {
        if nth < EVENTS_SHOWN {
            let seconds = *tick as f64 * TICK_SECS;
            eprint_line(&format!("tick {tick}, after {seconds:.2} s: {event}"));
        } else {
            rest += 1;
        }
    }
    if rest > 0 {
        eprint_line(&format!("and {rest} more events"));
    }
}

fn event_answer<'a>(level: &'a Level, (tick, event): &(u64, Event)) -> EventAnswer<'a> {
    EventAnswer {
        tick: *tick,
        seconds: *tick as f64 * TICK_SECS,
        kind: event.name(),
        room: name(level, event.room),
        position: event.feet.0.to_array(),
        details: details(level, &event.kind),
    }
}

fn details<'a>(level: &'a Level, kind: &EventKind) -> EventDetails<'a> {
    match *kind {
        EventKind::Body(
            motion::Event::Landed { speed, solid } | motion::Event::Hit { speed, solid },
        ) => EventDetails::Impact {
            speed,
            node: solid.node(level),
            material: solid.material(level).map(|m| m.name.as_str()),
        },
        EventKind::Body(motion::Event::Stepped { height }) => EventDetails::Step { height },
        EventKind::Body(motion::Event::Crossed { portal }) => {
            let portal = level.portal(portal);
            EventDetails::Crossing {
                portal: &level.link(portal.link).name,
                to: name(level, portal.far),
            }
        }
        EventKind::DoorBlocked { link } => EventDetails::Door {
            portal: &level.link(link).name,
        },
        EventKind::LeftRooms {
            back_room,
            back_feet,
        } => EventDetails::Left {
            back: named(level, (back_room, back_feet)),
        },
        EventKind::MoverArrived { mover, at_end } => EventDetails::Arrival {
            node: &level.mover(mover).name,
            at_end,
        },
        EventKind::MoverStarted { mover } | EventKind::MoverBlocked { mover } => {
            let node = &level.mover(mover).name;
            EventDetails::Node { node }
        }
        EventKind::Entered { trigger } | EventKind::Triggered { trigger } => {
            let node = &level.trigger(trigger).name;
            EventDetails::Node { node }
        }
        _ => EventDetails::Nothing {},
    }
}

fn leg_answer<'a>(level: &'a Level, leg: &'a Leg) -> LegAnswer<'a> {
    LegAnswer {
        line: leg.line,
        command: &leg.command,
        ok: leg.ok,
        seconds: leg.seconds,
        room: name(level, leg.room),
        position: leg.feet.0.to_array(),
    }
}

/// The same for people.
fn print_summary(answer: &Answer) -> Result<(), Error> {
    for blocker in &answer.why {
        let [x, y, z] = blocker.normal;
        eprint_line(&format!(
            "{} `{}` of room {}, from the direction ({x:.3}, {y:.3}, {z:.3})",
            if answer.stuck {
                "crushed by"
            } else {
                "blocked by"
            },
            blocker.node,
            blocker.room,
        ));
    }
    let ok = answer.legs.iter().filter(|leg| leg.ok).count();
    let [x, y, z] = answer.end.position;
    print(&format!(
        "{:.2} s, {:.2} m through {} rooms, {ok} of {} legs done; ends in {} at \
         ({x:.3}, {y:.3}, {z:.3})\n\
         least gap {:.6} m, deepest penetration {:.6} m, {:.0} ns a tick, state {}\n",
        answer.seconds,
        answer.distance,
        answer.rooms_entered.len(),
        answer.legs.len(),
        answer.end.room,
        answer.min_gap,
        answer.max_penetration,
        answer.ns_per_tick,
        answer.state_hash,
    ))
}

fn seconds(text: &str) -> Result<f64, String> {
    number(text, 0.0, MAX_SECS, "seconds")
}
