//! Bodies that ride movers. A body that stands on a mover takes part in its motion, however abruptly that changes, as
//! characters do. A body that leaves the mover keeps its velocity.

use glam::DVec3;

use super::broad::near::NearbyTriangles;
use super::contacts::BodyContact;
use super::contacts::narrow::touch_triangle;
use super::contacts::surfaces::MovingSurface;
use super::context::StepContext;
use super::tuning::CONTACT_DISTANCE;
use super::velocity::motion_of;
use super::workspace::BodyWorkspace;
use crate::collision::CollisionWorld;
use crate::level::{At, MoverId};
use crate::shapes::Manifold;
use crate::world::{Bodies, BodyState, Ride};

/// The least vertical component of the normal of a contact that carries a body.
const CARRIES: f64 = 0.5;

/// Adds to riding bodies the change of their movers' velocities since the last tick.
pub(super) fn carry(collision: &CollisionWorld, bodies: &mut Bodies) {
    if collision.level.movers.is_empty() {
        return;
    }
    for index in 0..bodies.awake.len() {
        let id = bodies.awake[index];
        let state = &mut bodies.states[id.0 as usize];
        let Some(ride) = &mut state.ride else {
            continue;
        };
        let [velocity, spin] = motion_of(collision, ride.mover, state.at);
        state.velocity += velocity - ride.velocity;
        state.spin += spin - ride.spin;
        (ride.velocity, ride.spin) = (velocity, spin);
    }
}

/// Whether bodies may begin to ride movers: a mover is awake, and no body had a contact in the last tick.
pub(super) fn may_board(collision: &CollisionWorld, bodies: &Bodies) -> bool {
    bodies.impulses.is_empty() && collision.world.awake(0).is_some()
}

/// Lists the movers on which bodies lie, as they are at the beginning of the tick.
pub(super) fn list_boarded(context: &StepContext, workspace: &mut BodyWorkspace) {
    // A mover that moves already in this tick would strike the bodies instead of being a resting contact.
    let StepContext {
        collision,
        participants,
        mover_way,
        ..
    } = *context;
    let BodyWorkspace {
        moving,
        near,
        manifolds,
        carriers,
        ..
    } = workspace;
    carriers.clear();
    carriers.extend(moving.iter().map(|moving| {
        if moving.is_asleep {
            return None;
        }
        let near = &near[moving.slot as usize];
        let shape = &participants.body(moving.id).shape;
        let reach = moving.radius + CONTACT_DISTANCE + mover_way;
        let mut carrier = None;
        near.look_within(moving.at.point, reach, |candidate| {
            let Some((mover, _)) = near.mover_of(collision, candidate.solid) else {
                return;
            };
            let surface = MovingSurface::of(collision, near, candidate).start;
            touch_triangle(shape, &moving.pose(), &surface, CONTACT_DISTANCE, manifolds);
            let carries = |manifold: &Manifold| manifold.normal.y >= CARRIES;
            let is_first = carrier.is_none_or(|known: MoverId| mover < known);
            if is_first && manifolds.iter().any(carries) {
                carrier = Some(mover);
            }
        });
        carrier
    }));
    pass_upwards(workspace);
}

/// Lets bodies that lie still on a mover of the list begin to ride it, if they [may](may_board). This happens when a
/// game begins, so that movers do not launch a level's bodies in the first tick.
pub(super) fn board(collision: &CollisionWorld, workspace: &BodyWorkspace, bodies: &mut Bodies) {
    for (moving, carrier) in workspace.moving.iter().zip(&workspace.carriers) {
        let id = moving.id.body();
        let state = id.map(|id| &mut bodies.states[id.0 as usize]);
        let lies_still = |state: &&mut BodyState| {
            state.ride.is_none() && (state.velocity, state.spin) == (DVec3::ZERO, DVec3::ZERO)
        };
        if let (Some(state), &Some(mover)) = (state.filter(lies_still), carrier) {
            let ride = ride_on(collision, mover, state.at);
            (state.velocity, state.spin) = (ride.velocity, ride.spin);
            state.ride = Some(ride);
        }
    }
}

/// Finds the mover that each awake body rides: the mover on which it stands, or the mover that its support rides.
pub(super) fn find_carriers(
    collision: &CollisionWorld,
    workspace: &mut BodyWorkspace,
    bodies: &mut Bodies,
) {
    if collision.level.movers.is_empty() {
        return;
    }
    list_carriers(collision, workspace);
    for (moving, carrier) in workspace.moving.iter().zip(&workspace.carriers) {
        let Some(id) = moving.id.body().filter(|_| !moving.is_asleep) else {
            continue;
        };
        let state = &mut bodies.states[id.0 as usize];
        state.ride = carrier.map(|mover| {
            let known = state.ride.filter(|ride| ride.mover == mover);
            known.unwrap_or_else(|| ride_on(collision, mover, state.at))
        });
    }
}

/// Lists for each moving body the mover on which it stands, or the mover that its support rides.
fn list_carriers(collision: &CollisionWorld, workspace: &mut BodyWorkspace) {
    let BodyWorkspace {
        moving,
        near,
        contacts,
        carriers,
        ..
    } = workspace;
    carriers.clear();
    carriers.resize(moving.len(), None);
    for contact in contacts.iter() {
        let near = &near[moving[contact.a as usize].slot as usize];
        if contact.b.is_none() && contact.normal.y >= CARRIES {
            let mover = mover_of(collision, near, contact);
            let carrier = &mut carriers[contact.a as usize];
            *carrier = carrier.or(mover);
        }
    }
    pass_upwards(workspace);
}

/// Passes the movers of supporting bodies on to the bodies that stand on them.
fn pass_upwards(workspace: &mut BodyWorkspace) {
    let BodyWorkspace {
        contacts, carriers, ..
    } = workspace;
    loop {
        let mut changed = false;
        for contact in contacts.iter() {
            let Some(b) = contact.b.filter(|_| contact.normal.y.abs() >= CARRIES) else {
                continue;
            };
            let [upper, lower] = match contact.normal.y > 0.0 {
                true => [contact.a, b],
                false => [b, contact.a],
            };
            let below = carriers[lower as usize];
            let carrier = &mut carriers[upper as usize];
            if carrier.is_none() && below.is_some() {
                *carrier = below;
                changed = true;
            }
        }
        if !changed {
            break;
        }
    }
}

/// The ride of a body that begins to ride a mover.
fn ride_on(collision: &CollisionWorld, mover: MoverId, at: At) -> Ride {
    let [velocity, spin] = motion_of(collision, mover, at);
    Ride {
        mover,
        velocity,
        spin,
    }
}

/// The mover to which the surface of a contact belongs.
fn mover_of(
    collision: &CollisionWorld,
    near: &NearbyTriangles,
    contact: &BodyContact,
) -> Option<MoverId> {
    let solid = super::contacts::solid_of(contact.key.other)?;
    near.mover_of(collision, solid).map(|(mover, _)| mover)
}
