//! Walks at random, with any input that a player could give, for hours. The same seed produces the same walk.

use glam::DVec3;

use crate::game::{Game, Input, Player, Start, yaw_of};
use crate::level::{Level, Portal, PortalId};
use crate::rng::Rng;

/// The minimum and maximum duration of a behaviour: a tenth of a second to two seconds, ticks.
const BEHAVIOUR_TICKS: [usize; 2] = [6, 120];

/// The inverse probability that a change of behaviour opens or closes a door.
const DOOR_CHANCE: usize = 4;

/// The inverse probability that a behaviour is crouched, if the body can crouch.
const CROUCH_CHANCE: usize = 4;

/// The maximum rate of a slow turn, degrees a tick: a full circle in two seconds.
const TURN: f64 = 3.0;

/// The maximum random deviation of the view to both sides while the body presses against a wall or corner, degrees.
const WAVER: f64 = 60.0;

/// A player that walks at random.
#[derive(Clone, Debug)]
pub struct RandomPlayer {
    rng: Rng,
    behaviour: Behaviour,
    /// The input of the behaviour; some behaviours vary it from tick to tick.
    input: Input,
    /// The number of ticks until the next behaviour.
    left: usize,
}

/// The behaviours, each used for a while.
#[derive(Clone, Copy, Debug)]
enum Behaviour {
    /// Holds the same keys, while the view turns by this many degrees a tick.
    Hold { turn: f64 },
    /// Walks against the obstacle ahead, while the view varies randomly around this yaw, degrees.
    Press { yaw: f64 },
    /// Reverses the direction each tick.
    Reverse,
    /// Chooses random keys and a random view each tick.
    Shake,
}

impl RandomPlayer {
    /// Creates the random player of this seed.
    pub fn new(seed: u64) -> Self {
        Self {
            rng: Rng::new(seed),
            behaviour: Behaviour::Shake,
            input: Input::default(),
            left: 0,
        }
    }

    /// The starting points from which random walks reach all parts of a level: its spawns, and the centres of its openings. Not
    /// every starting point has enough room for every body.
    pub fn starts(level: &Level) -> Vec<Start> {
        let spawns = level.spawns.iter().map(|s| Start::Spawn(s.name.clone()));
        let openings = level.links.iter().map(|link| {
            let middle = level.portal(link.portal).polygon.centre();
            Start::Feet(level.to_author(middle))
        });
        spawns.chain(openings).collect()
    }

    /// Turns the view of a player, occasionally opens or closes a door, and returns the player's input of the next tick.
    /// `player` is an index into [`Game::players`].
    pub fn next(&mut self, level: &Level, game: &mut Game, player: usize) -> Input {
        if self.left == 0 {
            self.change(level, game, player);
        }
        self.left -= 1;
        let player = &mut game.players[player];
        match self.behaviour {
            Behaviour::Hold { turn } => player.look(turn, 0.0),
            Behaviour::Press { yaw } => {
                let waver = self.rng.between(-WAVER, WAVER);
                player.look(yaw + waver - player.yaw, 0.0);
            }
            Behaviour::Reverse => {
                self.input.forward = -self.input.forward;
                self.input.right = -self.input.right;
            }
            Behaviour::Shake => {
                player.look(self.rng.between(-180.0, 180.0), 0.0);
                self.input = self.any_way();
                self.input.jump = self.rng.one_in(2);
                self.input.crouch = self.crouches(player);
            }
        }
        self.input
    }

    /// Chooses another behaviour.
    fn change(&mut self, level: &Level, game: &mut Game, player: usize) {
        let [least, most] = BEHAVIOUR_TICKS;
        self.left = least + self.rng.below(most - least + 1);
        if self.rng.one_in(DOOR_CHANCE) {
            self.move_a_door(level, game, player);
        }
        let ahead = Input {
            forward: 1.0,
            ..self.any_way()
        };
        let player = &mut game.players[player];
        player.look(self.rng.between(-180.0, 180.0), 0.0);
        (self.behaviour, self.input) = match self.rng.below(10) {
            0 | 1 => (Behaviour::Hold { turn: 0.0 }, ahead),
            2 => (Behaviour::Hold { turn: 0.0 }, self.any_way()),
            3 => {
                let turn = self.rng.between(-TURN, TURN);
                (Behaviour::Hold { turn }, ahead)
            }
            4 | 5 => {
                if let Some(way) = self.way_to_an_opening(level, player) {
                    player.yaw = yaw_of(way).unwrap_or(player.yaw);
                }
                let straight = Input {
                    right: 0.0,
                    ..ahead
                };
                (Behaviour::Hold { turn: 0.0 }, straight)
            }
            6 => (Behaviour::Press { yaw: player.yaw }, ahead),
            7 => (Behaviour::Reverse, self.any_way()),
            8 => (Behaviour::Shake, Input::default()),
            _ => (Behaviour::Hold { turn: 0.0 }, Input::default()),
        };
        self.input.jump = self.rng.one_in(4);
        self.input.crouch = self.crouches(player);
    }

    /// Decides whether to crouch; a sphere cannot.
    fn crouches(&mut self, player: &Player) -> bool {
        player.can_crouch() && self.rng.one_in(CROUCH_CHANCE)
    }

    /// A random direction at a random speed, walking or running.
    fn any_way(&mut self) -> Input {
        Input {
            forward: self.rng.between(-1.0, 1.0),
            right: self.rng.between(-1.0, 1.0),
            run: self.rng.one_in(2),
            jump: false,
            crouch: false,
            interact: false,
            grab: false,
        }
    }

    /// The direction to a random point of a random opening of the body's room, more often near its boundary than near its
    /// centre.
    fn way_to_an_opening(&mut self, level: &Level, player: &Player) -> Option<DVec3> {
        let portal = self.portal(level, player)?;
        let rim = self.rng.pick(portal.polygon.vertices.iter())?;
        let part = self.rng.between(0.0, 1.0).sqrt();
        Some(portal.polygon.centre().lerp(*rim, part) - player.actor.state.at.point)
    }

    /// Opens or closes a portal of the body's room, unless the body stands in it.
    fn move_a_door(&mut self, level: &Level, game: &mut Game, player: usize) {
        if let Some(portal) = self.portal(level, &game.players[player]) {
            let open = !game.world().is_open(portal.link);
            // A door that cannot close on the body stays open.
            let _ = game.set_link(level, portal.link, open);
        }
    }

    /// A random portal of the body's room.
    fn portal<'a>(&mut self, level: &'a Level, player: &Player) -> Option<&'a Portal> {
        let portals = level.room(player.actor.state.at.room).portals.clone();
        let id = self.rng.pick(portals)?;
        Some(level.portal(PortalId(id)))
    }
}
