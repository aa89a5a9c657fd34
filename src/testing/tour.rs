//! Walks a game through the steps of a walk file.

use glam::DVec3;

use super::observations::{
    Observations, blockers, bodies_named, describe_blockers, is_about, is_named, listed,
};
use super::walk::{BodyCondition, Condition, WalkCommand, WalkError, WalkFile, WalkStep};
use crate::game::{FIRST_PLAYER, Game, Input, Player, link_named, wrapped, yaw_of};
use crate::level::{AuthorPoint, Level, LinkId, RoomId};
use crate::motion::TICK_SECS;

/// The distance in plan view within which a `goto` has arrived, metres.
const ARRIVED: f64 = 0.15;

/// A `goto` makes progress when it gets nearer by this distance, metres.
const PROGRESS: f64 = 0.1;

/// A `goto` gives up after this time without progress, seconds.
const MAX_STUCK_SECS: f64 = 5.0;
/// The maximum time of a `wait_until`, seconds.
const MAX_WAIT_SECS: f64 = 60.0;

/// The result of one step.
#[derive(Clone, Debug, PartialEq)]
pub struct Leg {
    /// The line number in the walk file, from 1.
    pub line: usize,
    /// The command as written.
    pub command: String,
    /// Whether the step succeeded.
    pub ok: bool,
    /// The duration of the step, seconds.
    pub seconds: f64,
    /// The body's room at the end of the step.
    pub room: RoomId,
    /// The position of the feet at the end of the step.
    pub feet: AuthorPoint,
    /// The view direction at the end of the step, degrees: yaw from -Z, positive to the left, and pitch, positive up.
    pub looked: [f64; 2],
    /// The nodes that blocked the body in the last tick.
    pub blocked_by: Vec<String>,
    /// The reason why the step failed.
    pub problem: Option<String>,
}

impl Leg {
    /// Describes the failure: where the body was then, and what blocked it.
    pub fn describe(&self, level: &Level) -> String {
        let problem = self.problem.as_deref().unwrap_or("done");
        let room = &level.room(self.room).name;
        let blocked = describe_blockers(&self.blocked_by);
        let feet = self.feet;
        format!(
            "`{}`: {problem}; the feet are in room {room} at {feet}, {blocked}",
            self.command
        )
    }
}

/// A walk in progress.
#[derive(Debug)]
pub struct Tour {
    steps: Vec<WalkStep>,
    /// The link of each step that opens or closes one; `None` for other steps.
    links: Vec<Option<LinkId>>,
    /// The results of the steps so far.
    pub legs: Vec<Leg>,
    /// The number of ticks of the current step.
    ticks: u64,
    /// The distance of a `goto` from its target at the last progress, metres.
    nearest: f64,
    /// The number of ticks of a `goto` since the last progress.
    stuck: u64,
    /// Whether the body crouches.
    crouch: bool,
    seen: Observations,
    /// Whether the input of the last tick moved the body.
    pushed: bool,
    /// The tick up to which the game has been observed.
    observed: u64,
}

/// The result of one tick of the current step.
enum Next {
    Tick(Input),
    Done,
    Failed(String),
}

impl Tour {
    /// Prepares a walk in a level. The game decides where the body starts.
    ///
    /// # Errors
    /// All lines that name a portal, room or node that the level does not have, and all lines that could not be parsed.
    pub fn new(level: &Level, walk: WalkFile) -> Result<Self, Vec<WalkError>> {
        let steps = walk.steps;
        let (mut links, mut errors) = (Vec::new(), walk.bad_lines);
        for step in &steps {
            let found = match &step.command {
                WalkCommand::Open { portal } | WalkCommand::Close { portal } => {
                    let link = link_named(level, portal);
                    link.map(Some).map_err(|error| error.to_string())
                }
                WalkCommand::Expect {
                    condition: Condition::Room(room) | Condition::Seen(room),
                    ..
                } => has_room(level, room).map(|()| None),
                WalkCommand::Expect {
                    condition: Condition::Body { name, is },
                    ..
                } => has_body(level, name, is).map(|()| None),
                WalkCommand::WaitUntil { node, .. }
                | WalkCommand::Expect {
                    condition: Condition::Event { node, .. } | Condition::Blocked { node },
                    ..
                } => has_node(level, node).map(|()| None),
                _ => Ok(None),
            };
            match found {
                Ok(link) => links.push(link),
                Err(problem) => errors.push(WalkError {
                    line: step.line,
                    text: step.text.clone(),
                    problem,
                }),
            }
        }
        if !errors.is_empty() {
            errors.sort_by_key(|error| error.line);
            return Err(errors);
        }
        Ok(Self {
            legs: Vec::with_capacity(steps.len()),
            steps,
            links,
            ticks: 0,
            nearest: f64::INFINITY,
            stuck: 0,
            crouch: false,
            seen: Observations::default(),
            pushed: false,
            observed: 0,
        })
    }

    /// Finishes the steps that are complete, and returns the input of the next tick; `None` at the end of the walk. A failed
    /// step is recorded in [`Self::legs`], and the walk continues.
    pub fn next(&mut self, level: &Level, game: &mut Game) -> Option<Input> {
        if game.tick > self.observed {
            self.observed = game.tick;
            self.seen.add_tick(level, game, self.pushed);
        }
        while let Some(step) = self.steps.get(self.legs.len()) {
            if self.ticks == 0 {
                let is_check = matches!(step.command, WalkCommand::Expect { .. });
                self.seen.begin_command(is_check);
            }
            match self.step(level, game) {
                Next::Tick(input) => {
                    self.ticks += 1;
                    self.pushed = input.forward != 0.0 || input.right != 0.0;
                    return Some(Input {
                        crouch: self.crouch || input.crouch,
                        ..input
                    });
                }
                Next::Done => self.finish(level, game, None),
                Next::Failed(problem) => self.finish(level, game, Some(problem)),
            }
        }
        None
    }

    /// Ends the walk early when its time is up: the remaining steps count as failed.
    pub fn cut_short(&mut self, level: &Level, game: &Game) {
        while self.legs.len() < self.steps.len() {
            self.finish(level, game, Some("the time was up".to_owned()));
        }
    }

    fn finish(&mut self, level: &Level, game: &Game, problem: Option<String>) {
        let step = &self.steps[self.legs.len()];
        self.legs.push(Leg {
            line: step.line,
            command: step.text.clone(),
            ok: problem.is_none(),
            seconds: self.ticks as f64 * TICK_SECS,
            room: game.players[FIRST_PLAYER].actor.state.at.room,
            feet: game.players[FIRST_PLAYER].feet(level),
            looked: [
                game.players[FIRST_PLAYER].yaw,
                game.players[FIRST_PLAYER].pitch,
            ],
            blocked_by: blockers(level, game),
            problem,
        });
        self.ticks = 0;
        self.nearest = f64::INFINITY;
        self.stuck = 0;
    }

    fn step(&mut self, level: &Level, game: &mut Game) -> Next {
        let at = self.legs.len();
        match self.steps[at].command {
            WalkCommand::Goto { x, z, within } => {
                let target = level.from_author(AuthorPoint(DVec3::new(x, 0.0, z)));
                match self.walk_towards(&mut game.players[FIRST_PLAYER], target) {
                    Next::Tick(_) if self.is_over(within) => {
                        let took = self.ticks as f64 * TICK_SECS;
                        Next::Failed(format!("not there after {took:.2} s"))
                    }
                    next => next,
                }
            }
            WalkCommand::Wait { secs } => self.hold(secs, Input::default()),
            WalkCommand::Move {
                forward,
                right,
                secs,
                keys,
            } => {
                let input = Input {
                    forward,
                    right,
                    run: keys.run,
                    jump: keys.jump,
                    crouch: keys.crouch,
                    interact: keys.interact,
                    grab: keys.grab,
                };
                self.hold(secs, input)
            }
            WalkCommand::Face { yaw, pitch } => {
                game.players[FIRST_PLAYER].yaw = wrapped(yaw);
                game.players[FIRST_PLAYER].pitch =
                    pitch.unwrap_or(game.players[FIRST_PLAYER].pitch);
                Next::Done
            }
            WalkCommand::Jump if self.ticks > 0 => Next::Done,
            WalkCommand::Jump if !game.players[FIRST_PLAYER].actor.state.grounded => {
                Next::Failed("the body is not on the ground: add `wait` before".to_owned())
            }
            WalkCommand::Jump => Next::Tick(Input {
                jump: true,
                ..Input::default()
            }),
            WalkCommand::Crouch => {
                self.crouch = true;
                Next::Done
            }
            WalkCommand::Stand => {
                self.crouch = false;
                Next::Done
            }
            WalkCommand::Use if self.ticks > 0 => Next::Done,
            WalkCommand::Use => Next::Tick(Input {
                interact: true,
                ..Input::default()
            }),
            WalkCommand::Grab if self.ticks > 0 => Next::Done,
            WalkCommand::Grab => Next::Tick(Input {
                grab: true,
                ..Input::default()
            }),
            WalkCommand::WaitUntil {
                ref event,
                ref node,
            } => self.wait_until(level, game, event, node),
            WalkCommand::Expect {
                ref condition,
                not,
                within,
            } => match self.seen.check(level, game, condition, not) {
                Ok(()) => Next::Done,
                Err(_) if within.is_some() && !self.is_over(within) => Next::Tick(Input::default()),
                Err(problem) => Next::Failed(problem),
            },
            WalkCommand::Open { .. } => self.set_link(level, game, at, true),
            WalkCommand::Close { .. } => self.set_link(level, game, at, false),
        }
    }

    fn walk_towards(&mut self, player: &mut Player, target: DVec3) -> Next {
        let way = (target - player.actor.state.at.point).with_y(0.0);
        let distance = way.length();
        if distance <= ARRIVED {
            return Next::Done;
        }
        if distance <= self.nearest - PROGRESS {
            self.nearest = distance;
            self.stuck = 0;
        } else if self.stuck as f64 * TICK_SECS >= MAX_STUCK_SECS {
            return Next::Failed(format!(
                "{distance:.2} m short, and no {PROGRESS} m nearer in {MAX_STUCK_SECS} s: see \
                 what blocks it"
            ));
        }
        self.stuck += 1;
        player.yaw = yaw_of(way).unwrap_or(player.yaw);
        // Limits the speed to the remaining distance: otherwise a fast body could overshoot its target forever.
        let forward = (distance / (player.walk_speed * TICK_SECS)).min(1.0);
        Next::Tick(Input {
            forward,
            ..Input::default()
        })
    }

    fn wait_until(&self, level: &Level, game: &Game, event: &str, node: &str) -> Next {
        let mut events = game.events.iter();
        let happened = events.any(|happened| is_about(level, happened, event, node));
        if self.ticks > 0 && happened {
            Next::Done
        } else if self.ticks as f64 * TICK_SECS >= MAX_WAIT_SECS {
            Next::Failed(format!("it has not happened in {MAX_WAIT_SECS} s"))
        } else {
            Next::Tick(Input::default())
        }
    }

    /// Whether the time limit of a step, if any, has passed.
    fn is_over(&self, within: Option<f64>) -> bool {
        within.is_some_and(|secs| self.ticks as f64 >= libm::round(secs / TICK_SECS))
    }

    fn hold(&self, secs: f64, input: Input) -> Next {
        if (self.ticks as f64) < libm::round(secs / TICK_SECS) {
            Next::Tick(input)
        } else {
            Next::Done
        }
    }

    fn set_link(&self, level: &Level, game: &mut Game, at: usize, open: bool) -> Next {
        let Some(link) = self.links[at] else {
            return Next::Done;
        };
        match game.set_link(level, link, open) {
            Ok(()) => Next::Done,
            Err(error) => Next::Failed(error.to_string()),
        }
    }
}

/// Checks that a level has a room of this name.
fn has_room(level: &Level, name: &str) -> Result<(), String> {
    if level.room_named(name).is_some() {
        return Ok(());
    }
    let names: Vec<&str> = level.rooms.iter().map(|room| room.name.as_str()).collect();
    Err(format!(
        "no room is named `{name}`; the rooms are {}",
        listed(&names)
    ))
}

/// Checks that a level has the rigid body and the room of a condition.
fn has_body(level: &Level, name: &str, is: &BodyCondition) -> Result<(), String> {
    if let BodyCondition::In(room) = is {
        has_room(level, room)?;
    }
    if bodies_named(level, name).next().is_some() {
        return Ok(());
    }
    let names = level.bodies.iter().map(|body| body.name.as_str());
    let names = listed(&names.collect::<Vec<_>>());
    Err(format!(
        "no rigid body is named `{name}`; the bodies are {names}"
    ))
}

/// Checks that a level has a node of this name that bodies can touch or events can be about; an empty name matches any node.
fn has_node(level: &Level, name: &str) -> Result<(), String> {
    let solids = level.solids.node_names().iter();
    let links = level.links.iter().map(|link| &link.name);
    let movers = level.movers.iter().map(|mover| &mover.name);
    let triggers = level.triggers.iter().map(|trigger| &trigger.name);
    let bodies = level.bodies.iter().map(|body| &body.name);
    let mut names = solids
        .chain(links)
        .chain(movers)
        .chain(triggers)
        .chain(bodies);
    if name.is_empty() || names.any(|node| is_named(node, name)) {
        return Ok(());
    }
    Err(format!(
        "no solid node, portal, mover, body or trigger is named `{name}`; a line that fails names the nodes that block \
         the body"
    ))
}
