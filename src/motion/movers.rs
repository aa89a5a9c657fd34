//! Movers move along their tracks, carry the bodies on them, and push bodies out of their way.
//!
//! Movers move before the bodies' own ticks; during these, a mover stands still in its new pose. A riding body
//! follows the motion of its mover exactly and is then pushed out of overlaps. If an overlap cannot be resolved, the
//! whole move is undone, for the mover and for every body that it has moved (the rule of Quake's pushers).

use glam::DVec3;

use super::actor::Actor;
use super::blockers::InTheWay;
use super::depenetrate::depenetrate;
use super::doors::is_in_the_way;
use super::meetings::{MoverMeeting, NEAR, bounds};
use super::queries::Queries;
use super::report::MotionEvent;
use super::riding::{enter, goes_along, here_from_room, in_room_of_body, is_inside};
use super::tuning::{PUSH_STEP, SKIN};
use super::workspace::Workspace;
use crate::bodies::{blocks_link, blocks_mover};
use crate::collision::CollisionWorld;
use crate::geometry::{Aabb, Rigid};
use crate::level::{Drive, Level, Mover, MoverId, WhenBlocked};
use crate::world::{MoverState, World};

/// Maximum number of steps of a mover in one tick. A step is at most a quarter of a small body's radius, so this many
/// steps are enough for two kilometres per second.
const MAX_STEPS: u32 = 512;

/// A step may be longer than the maximum length by this fraction, for rounding.
const STEPS_ROUNDING: f64 = 1e-9;

/// An event of a mover in a tick.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum MoverEvent {
    /// The mover left the end of its track or the point where it waited.
    Started(MoverId),
    /// The mover arrived at an end of its track.
    Arrived(MoverId),
    /// The mover has become blocked by an obstacle that cannot be pushed out of its way.
    Blocked(MoverId, InTheWay),
}

/// Advances all movers by a tick, with the bodies that they carry and push; adds the events to `events`, in order.
/// Pass all bodies of the world: a body that is missing may end up inside a mover. `actors` are actors, or values
/// that own one, such as the players of a game.
pub fn move_movers<A: AsRef<Actor> + AsMut<Actor>>(
    level: &Level,
    world: &mut World,
    actors: &mut [A],
    workspace: &mut Workspace,
    events: &mut Vec<MoverEvent>,
) {
    if level.movers.is_empty() {
        return;
    }
    for actor in &mut *actors {
        actor.as_mut().report.begin();
    }
    if world.awake(0).is_some() {
        let (collision, queries) = (CollisionWorld::new(level, world), &mut workspace.queries);
        workspace.meetings.list(&collision, actors, queries);
    }
    let mut next = 0;
    while let Some(id) = world.awake(next) {
        world.rest(id);
        if !world.mover(id).is_idle() {
            advance(level, world, id, actors, workspace, events);
        }
        next += 1;
    }
    world.let_sleep();
    for actor in actors {
        // The carried motion is not part of the body's own path.
        let report = &mut actor.as_mut().report;
        report.carried.append(&mut report.path);
    }
}

/// Advances one mover by a tick.
fn advance(
    level: &Level,
    world: &mut World,
    id: MoverId,
    actors: &mut [impl AsRef<Actor> + AsMut<Actor>],
    workspace: &mut Workspace,
    events: &mut Vec<MoverEvent>,
) {
    let mover = level.mover(id);
    let state = *world.mover(id);
    let next = state.next(&mover.drive);
    if next.at == state.at {
        world.set_in_place(id, next);
        return;
    }
    let mut of_mover = std::mem::take(&mut workspace.of_mover);
    of_mover.clear();
    let [from, to] = state.way_to(&next, mover).map(f64::from);
    let part = (to - from).abs() / f64::from(mover.drive.ticks);
    let reached = || {
        let bounds = bounds(level, id);
        bounds.grown(mover.track.longest_step(&bounds, part))
    };
    let mut tried = std::mem::take(&mut workspace.tried);
    workspace.meetings.of(id, actors.len(), &mut tried);
    for &index in &tried {
        let actor = actors[index].as_mut();
        let collision = CollisionWorld::new(level, world);
        let radius = NEAR * actor.body.radius;
        let up = DVec3::Y * actor.body.segment_length;
        let low = actor.state.at.point;
        // For a body in a room that this mover moves, the solids that move are those outside that room.
        if is_inside(level, id, actor) {
            let around = Aabb::around([low, low + up]).grown(radius);
            let mut openings = level.portals_of(actor.state.at.room);
            if openings.any(|(_, portal)| portal.moves() && portal.bounds.overlaps(&around)) {
                of_mover.push(MoverMeeting::of(index, actor, None));
            }
            continue;
        }
        // A rider is carried at any distance from its mover.
        if actor.state.rides == Some(id) {
            of_mover.push(MoverMeeting::of(index, actor, None));
            continue;
        }
        let (mut images, mut alone, mut is_near) = (0, None, false);
        with_queries(&collision, actor, workspace, |q| {
            for here_from_room in q.here_from_room_of(id) {
                let pose = world.pose(id);
                let ends = [low, low + up].map(|p| pose.point_from(here_from_room.point_from(p)));
                is_near |= Aabb::around(ends).grown(radius).overlaps(&reached());
                if alone != Some(here_from_room) {
                    (images, alone) = (images + 1, Some(here_from_room));
                }
            }
        });
        if is_near {
            of_mover.push(MoverMeeting::of(
                index,
                actor,
                alone.filter(|_| images == 1),
            ));
        }
    }
    workspace.tried = tried;
    let blocking = push(level, world, (id, next), actors, workspace, &of_mover);
    if let Some(blocking) = blocking {
        for meeting in &of_mover {
            meeting.undo(actors[meeting.index].as_mut());
        }
        if mover.drive.when_blocked == WhenBlocked::Crush
            && let InTheWay::Actor(index) = blocking
        {
            actors[index].as_mut().report.note_crushed();
        }
        if !state.is_blocked {
            events.push(MoverEvent::Blocked(id, blocking));
        }
        let state = MoverState {
            is_blocked: true,
            ..state
        };
        let state = match mover.drive.when_blocked {
            WhenBlocked::Reverse => state.reversed(),
            _ => state,
        };
        world.set(level, id, state);
    } else {
        if state.is_at_end(&mover.drive) {
            events.push(MoverEvent::Started(id));
        }
        if next.is_at_end(&mover.drive) {
            events.push(MoverEvent::Arrived(id));
        }
    }
    workspace.meetings.note_moved(&of_mover, actors);
    workspace.of_mover = of_mover;
}

/// Moves a mover to its next state, with the characters that it meets; returns the obstacle that cannot get out of its way.
fn push(
    level: &Level,
    world: &mut World,
    (id, next): (MoverId, MoverState),
    actors: &mut [impl AsRef<Actor> + AsMut<Actor>],
    workspace: &mut Workspace,
    of_mover: &[MoverMeeting],
) -> Option<InTheWay> {
    let ticks = world.mover(id).way_to(&next, level.mover(id));
    if of_mover.is_empty() && world.bodies.is_empty() {
        return settle(level, world, (id, next), actors, workspace);
    }
    let whole = whole_tick(level.mover(id), ticks);
    if let Some(body) = blocks_mover(level, world, id, &whole, &mut workspace.blocking) {
        return Some(InTheWay::Body(body));
    }
    let steps = match of_mover {
        [] => 0,
        of_mover => steps(
            &CollisionWorld::new(level, world),
            id,
            ticks,
            actors,
            of_mover,
        ),
    };
    for step in 1..=steps {
        let part = f64::from(step) / f64::from(steps);
        let moved = world.put_between(level, id, ticks, part);
        let bounds = bounds(level, id).transformed(world.pose(id));
        for meeting in of_mover {
            let actor = actors[meeting.index].as_mut();
            let collision = CollisionWorld::new(level, world);
            if meeting.is_far(actor, &bounds) {
                continue;
            }
            if !follow(&collision, (id, moved), actor, workspace, &whole) {
                return Some(InTheWay::Actor(meeting.index));
            }
        }
    }
    settle(level, world, (id, next), actors, workspace)
}

/// Sets a mover to its next state. If this closes a door, returns the obstacle in the door.
fn settle(
    level: &Level,
    world: &mut World,
    (id, next): (MoverId, MoverState),
    actors: &[impl AsRef<Actor>],
    workspace: &mut Workspace,
) -> Option<InTheWay> {
    world.set(level, id, next);
    let shut = level.mover(id).link.filter(|link| !world.is_open(*link))?;
    let collision = CollisionWorld::new(level, world);
    // All actors are tested: an actor beside a panel that is smaller than its opening does not meet the panel.
    let actor = actors.iter().position(|actor| {
        let Actor { body, state, .. } = actor.as_ref();
        is_in_the_way(&collision, shut, body, state, workspace)
    });
    let mut body = || blocks_link(level, world, shut, &mut workspace.blocking);
    let actor = actor.map(InTheWay::Actor);
    actor.or_else(|| body().map(InTheWay::Body))
}

/// The motion of a mover in a tick, in coordinates of its room.
fn whole_tick(mover: &Mover, ticks: [u32; 2]) -> Rigid {
    let part = |at: u32| f64::from(at) / f64::from(mover.drive.ticks);
    let [before, after] = ticks.map(|at| mover.track.pose(part(at)));
    after.after(&before.inverse())
}

/// The number of steps in which a mover goes from one tick of its track to another. It is large enough that no point
/// of the mover, and no body that rides it, passes the core of a body without touching it.
fn steps(
    collision: &CollisionWorld,
    id: MoverId,
    ticks: [u32; 2],
    actors: &[impl AsRef<Actor>],
    of_mover: &[MoverMeeting],
) -> u32 {
    let level = collision.level;
    let mover = level.mover(id);
    let bodies = || {
        of_mover
            .iter()
            .map(|meeting| actors[meeting.index].as_ref())
    };
    let radius = bodies().map(|actor| actor.body.radius);
    let most = PUSH_STEP * radius.fold(f64::INFINITY, f64::min);
    let [start, end] = ticks.map(|at| f64::from(at) / f64::from(mover.drive.ticks));
    let corners = bounds(level, id).corners();
    let riders = || bodies().filter(|actor| actor.state.rides == Some(id));
    let first = mover.track.pose(start);
    let on_mover = |actor: &Actor| {
        let room_from_here = here_from_room(collision, id, &actor.state).inverse();
        let in_room = room_from_here.point(actor.state.at.point);
        first.inverse().point(in_room)
    };
    let mut steps = 1;
    loop {
        let mut from = first;
        let mut farthest: f64 = 0.0;
        for step in 1..=steps {
            let part = f64::from(step) / f64::from(steps);
            let to = mover.track.pose(start + (end - start) * part);
            let moved = |p: DVec3| from.point(p).distance(to.point(p));
            let of_mover = corners.into_iter().map(moved);
            farthest = of_mover.fold(farthest, f64::max);
            let of_riders = riders().map(|actor| moved(on_mover(actor)));
            farthest = of_riders.fold(farthest, f64::max);
            from = to;
        }
        // An arc is longer than its chord, so the number of steps found is checked again.
        let needed = f64::from(steps) * (farthest / most) * (1.0 - STEPS_ROUNDING);
        if needed <= f64::from(steps) || steps == MAX_STEPS {
            return steps;
        }
        steps = (needed.ceil() as u32).clamp(steps + 1, MAX_STEPS);
    }
}

/// Runs queries of an actor outside its tick.
pub(super) fn with_queries<T>(
    collision: &CollisionWorld,
    actor: &mut Actor,
    workspace: &mut Workspace,
    ask: impl FnOnce(&mut Queries) -> T,
) -> T {
    let Actor {
        body,
        state,
        report,
        cache,
    } = actor;
    let memory = (cache, &mut workspace.queries);
    ask(&mut Queries::new(
        collision, body, state, report, memory, 0.0,
    ))
}

/// Carries a body along with a step of its mover, or pushes the body out of the mover's way. Returns whether all
/// overlaps of the body are resolved.
fn follow(
    collision: &CollisionWorld,
    (id, moved): (MoverId, Rigid),
    actor: &mut Actor,
    workspace: &mut Workspace,
    tick: &Rigid,
) -> bool {
    let level = collision.level;
    let (rides, moves_rooms) = (
        actor.state.rides == Some(id),
        !level.mover(id).moved_rooms.is_empty(),
    );
    if (rides || moves_rooms) && !is_inside(level, id, actor) {
        let moved = in_room_of_body(collision, id, &actor.state, &moved);
        let mut from = moved.point(actor.state.at.point);
        if rides {
            let (state, report) = (&mut actor.state, &mut actor.report);
            state.walk = moved.vector(state.walk);
            state.fall = moved.vector(state.fall);
            let turn = Rigid::new(moved.rotation(), DVec3::ZERO);
            report.carried_turn = Some(turn.after(&report.carried_turn.unwrap_or_default()));
            let step = from - state.at.point;
            from = with_queries(collision, actor, workspace, |q| {
                q.carry(step, |solid| goes_along(level, id, solid))
            });
        }
        if moves_rooms {
            enter(collision, id, from, actor, tick);
        }
    }
    let before = actor.state.at;
    let left = with_queries(collision, actor, workspace, |q| depenetrate(q, false));
    let after = actor.state.at;
    if actor.state.rides.is_none() && !actor.state.grounded && after.room == before.room {
        actor.report.pushed += after.point - before.point;
    }
    // Whether the body is crushed is decided after the whole move.
    let report = &mut actor.report;
    if std::mem::take(&mut report.crushed)
        && let Some(at) = report
            .events
            .iter()
            .rposition(|e| *e == MotionEvent::Crushed)
    {
        report.events.remove(at);
    }
    left < 0.5 * SKIN * actor.body.radius
}

impl MoverState {
    fn is_at_end(&self, drive: &Drive) -> bool {
        self.at == 0 || self.at == drive.ticks
    }
}
