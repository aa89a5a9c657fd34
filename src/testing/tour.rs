//! Walks a game through the steps of a walk file.

use glam::DVec3;

use super::walk_file::{Command, Step, WalkError};
use crate::game::{Game, Input, Player, link_named, wrapped, yaw_of};
use crate::level::{AuthorPoint, Level, LinkId, RoomId, plain_name};
use crate::motion::TICK_SECS;

/// A `goto` has arrived within this distance in plan view, metres.
const ARRIVED: f64 = 0.15;

/// A `goto` makes progress when it gets this much nearer, metres...
const PROGRESS: f64 = 0.1;

/// ...and gives up after this time without progress, seconds.
const MAX_STUCK_SECS: f64 = 5.0;
/// Something that is waited for happens within this, seconds.
const MAX_WAIT_SECS: f64 = 60.0;

/// What became of one step.
#[derive(Clone, Debug, PartialEq)]
pub struct Leg {
    /// Line number in the walk file, from 1.
    pub line: usize,
    /// The command as written.
    pub command: String,
    /// Whether it did what it says.
    pub ok: bool,
    /// How long it took, seconds.
    pub seconds: f64,
    /// The room that the body ended in.
    pub room: RoomId,
    /// The feet at its end.
    pub feet: AuthorPoint,
    /// Why it failed.
    pub problem: Option<String>,
}

/// A walk that is being walked.
#[derive(Debug)]
pub struct Tour {
    steps: Vec<Step>,
    /// The link of each step that opens or closes one.
    links: Vec<Option<LinkId>>,
    /// What became of the steps so far.
    pub legs: Vec<Leg>,
    /// Ticks that the current step has taken.
    ticks: u64,
    /// For `goto`: the distance, metres, at the last progress, and the ticks since.
    nearest: f64,
    stuck: u64,
    /// Whether the body crouches.
    crouch: bool,
}

/// What the current step wants next.
enum Next {
    Tick(Input),
    Done,
    Failed(String),
}

impl Tour {
    /// Prepares to walk `steps` in a level.
    ///
    /// # Errors
    /// All lines that name a portal that the level does not have.
    pub fn new(level: &Level, steps: Vec<Step>) -> Result<Self, Vec<WalkError>> {
        let (mut links, mut errors) = (Vec::new(), Vec::new());
        for step in &steps {
            let (Command::Open { portal } | Command::Close { portal }) = &step.command else {
                links.push(None);
                continue;
            };
            match link_named(level, portal) {
                Ok(link) => links.push(Some(link)),
                Err(error) => errors.push(WalkError {
                    line: step.line,
                    text: step.text.clone(),
                    problem: error.to_string(),
                }),
            }
        }
        if !errors.is_empty() {
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
        })
    }

    /// Finishes the steps that are done and returns the input of the next tick; `None` at the
    /// end of the walk. A step that fails is noted in [`Self::legs`], and the walk goes on.
    pub fn next(&mut self, level: &Level, game: &mut Game) -> Option<Input> {
        while self.legs.len() < self.steps.len() {
            match self.step(level, game) {
                Next::Tick(input) => {
                    self.ticks += 1;
                    return Some(Input {
                        crouch: self.crouch,
                        ..input
                    });
                }
                Next::Done => self.finish(level, game, None),
                Next::Failed(problem) => self.finish(level, game, Some(problem)),
            }
        }
        None
    }

    /// Ends the walk before its end, when its time is up: the steps left have failed.
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
            room: game.player.actor.state.at.room,
            feet: game.player.feet(level),
            problem,
        });
        self.ticks = 0;
        self.nearest = f64::INFINITY;
        self.stuck = 0;
    }

    fn step(&mut self, level: &Level, game: &mut Game) -> Next {
        let at = self.legs.len();
        match self.steps[at].command {
            Command::Goto { x, z } => {
                let target = level.from_author(AuthorPoint(DVec3::new(x, 0.0, z)));
                self.walk_towards(&mut game.player, target)
            }
            Command::Wait { secs } => self.hold(secs, Input::default()),
            Command::Move {
                forward,
                right,
                secs,
            } => {
                let input = Input {
                    forward,
                    right,
                    ..Input::default()
                };
                self.hold(secs, input)
            }
            Command::Face { yaw } => {
                game.player.yaw = wrapped(yaw);
                Next::Done
            }
            Command::Jump if self.ticks > 0 => Next::Done,
            Command::Jump if !game.player.actor.state.grounded => {
                Next::Failed("the body is not on the ground: add `wait` before".to_owned())
            }
            Command::Jump => Next::Tick(Input {
                jump: true,
                ..Input::default()
            }),
            Command::Crouch => {
                self.crouch = true;
                Next::Done
            }
            Command::Stand => {
                self.crouch = false;
                Next::Done
            }
            Command::Use if self.ticks > 0 => Next::Done,
            Command::Use => Next::Tick(Input {
                interact: true,
                ..Input::default()
            }),
            Command::WaitUntil {
                ref event,
                ref node,
            } => self.wait_until(level, game, event, node),
            Command::ExpectRoom { ref room } => {
                let is = &level.room(game.player.actor.state.at.room).name;
                if is == room {
                    Next::Done
                } else {
                    Next::Failed(format!("the body is in room {is}"))
                }
            }
            Command::ExpectNear { point, metres } => {
                let AuthorPoint(feet) = game.player.feet(level);
                let off = feet.distance(DVec3::from_array(point));
                if off <= metres {
                    Next::Done
                } else {
                    Next::Failed(format!("the feet are {off:.3} m from there"))
                }
            }
            Command::Open { .. } => self.set_link(level, game, at, true),
            Command::Close { .. } => self.set_link(level, game, at, false),
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
        // No faster than what is left: a fast body must not jump over its target for ever.
        let forward = (distance / (player.walk_speed * TICK_SECS)).min(1.0);
        Next::Tick(Input {
            forward,
            ..Input::default()
        })
    }

    fn wait_until(&self, level: &Level, game: &Game, event: &str, node: &str) -> Next {
        let is_about = |name: &str| node.is_empty() || name == node || plain_name(name) == node;
        let mut events = game.events.iter();
        let happened = events
            .any(|happened| happened.name() == event && happened.node(level).is_none_or(is_about));
        if self.ticks > 0 && happened {
            Next::Done
        } else if self.ticks as f64 * TICK_SECS >= MAX_WAIT_SECS {
            Next::Failed(format!("it has not happened in {MAX_WAIT_SECS} s"))
        } else {
            Next::Tick(Input::default())
        }
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
