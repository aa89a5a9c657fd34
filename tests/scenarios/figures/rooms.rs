//! Rooms and portals.

use glam::DVec3;
use opendoor::author::sketch::{Sketch, cuboid};
use opendoor::collision::BroadPhase;
use opendoor::level::{LinkId, locate};
use opendoor::source::LevelSource;

use super::R;
use crate::actor::{Actor, Stage, body, rho};
use crate::doorways::{doorway, gate, shut_gate};
use crate::page::Figure;
use crate::rings::ring;
use crate::rooms::{bend, chain, joint};
use crate::runs::shuffled;
use crate::shapes::{block, heading, v};

pub(super) fn figures() -> Vec<Figure> {
    let [c4, c14] = round_a_ring();
    vec![
        ("C1", over_a_seam()),
        ("C2", before_a_pillar()),
        ("C3", through_thin_rooms()),
        ("C4", c4),
        ("C5", in_a_room_twice()),
        ("C6", beside_an_opening()),
        ("C7", round_an_elbow()),
        ("C8", past_jambs()),
        ("C9", in_the_plane()),
        ("C10", into_rooms()),
        ("C11", round_a_bend()),
        ("C12", into_a_slit()),
        ("C13", in_a_gate()),
        ("C14", c14),
    ]
}

/// The number of ticks in which the state differs when the parts of the level are in another order, or with candidates
/// from every room.
pub(super) fn differing(
    source: &LevelSource,
    (room, start): (&str, DVec3),
    script: impl Fn(&mut Actor),
) -> String {
    let stage = Stage::of(source);
    let mut actor = Actor::new(&stage, body(R, 9.81), room, start);
    script(&mut actor);
    let differ = |(seed, broad_phase): (u64, BroadPhase)| {
        let stage = Stage::of(&shuffled(source, seed));
        let mut twin = Actor::new(&stage, body(R, 9.81), room, start);
        (twin.broad_phase, twin.is_judged) = (broad_phase, false);
        script(&mut twin);
        let pairs = actor.track.iter().zip(&twin.track);
        pairs.filter(|(a, b)| a != b).count()
    };
    let [shuffled, whole] = [(1, BroadPhase::Portals), (2, BroadPhase::Exhaustive)].map(differ);
    format!(
        "of {} ticks {shuffled} differ shuffled, {whole} on the whole soup",
        actor.track.len()
    )
}

fn over_a_seam() -> String {
    let stage = Stage::of(&joint(500.0, 500.0));
    let (mut worst, mut most) = (0.0_f64, 0);
    for step in [1e-3, 0.07, 1.0, 100.0] {
        for degrees in [0.0, 80.0] {
            let way = heading(degrees) * step;
            let start = v(-2.5 * way.x, rho(R), 0.0);
            let mut actor = Actor::new(&stage, body(R, 9.81), "a", start);
            let mut changes = 0;
            for _ in 0..4 {
                let room = actor.state.at.room;
                actor.tick(way * 60.0, false);
                changes += usize::from(actor.state.at.room != room);
                worst = worst.max((actor.centre().y - rho(R)).abs());
            }
            most = most.max(changes);
        }
    }
    format!("y by {worst:.0e}, at most {most} room change")
}

/// Rooms `a` and `b` joined by an opening from -half to half in z at x = 0, with a pillar in `b`.
fn before(half: f64, pillar: DVec3, end: DVec3) -> LevelSource {
    let mut sketch = Sketch::new("slit");
    let opening = cuboid([0., 0., -half], [0., 5., half]);
    let a = sketch.box_room("a", cuboid([-9., 0., -5.], [0., 5., 5.]), &[opening]);
    let b = sketch.box_room("b", cuboid([0., 0., -5.], [9., 5., 5.]), &[opening]);
    sketch.mesh(b, 0, &block(pillar.to_array(), end.to_array()));
    sketch.portal(a, "b", opening, DVec3::X);
    sketch.spawn(a, v(-5., 1., 0.), DVec3::X);
    sketch.source
}

/// The position where a body that walks along +x at 4 m/s stops.
fn stops(source: &LevelSource) -> String {
    let stage = Stage::of(source);
    let mut actor = Actor::new(&stage, body(R, 9.81), "a", v(-2.0, rho(R), 0.0));
    actor.hold(v(4.0, 0.0, 0.0), 240);
    format!("x {:.6}, in room {}", actor.centre().x, actor.room())
}

fn before_a_pillar() -> String {
    stops(&before(5.0, v(0.2, 0.0, -0.2), v(0.6, 4.0, 0.2)))
}

fn into_a_slit() -> String {
    let far = stops(&before(0.2, v(0.5, 0.0, -4.0), v(2.0, 4.0, 4.0)));
    let near = stops(&before(0.2, v(0.03, 0.0, -4.0), v(2.0, 4.0, 4.0)));
    format!("jambs {far}; a wall 0.03 m behind {near}")
}

fn through_thin_rooms() -> String {
    let mut sketch = Sketch::new("thin");
    let openings = [0.0, 0.1].map(|x| cuboid([x, 0., -2.], [x, 4., 2.]));
    let a = sketch.box_room("a", cuboid([-9., 0., -2.], [0., 4., 2.]), &openings[..1]);
    let b = sketch.box_room("b", cuboid([0., 0., -2.], [0.1, 4., 2.]), &openings);
    sketch.box_room("c", cuboid([0.1, 0., -2.], [0.25, 4., 2.]), &openings[1..]);
    sketch.portal(a, "b", openings[0], DVec3::X);
    sketch.portal(b, "c", openings[1], DVec3::X);
    sketch.spawn(a, v(-5., 1., 0.), DVec3::X);
    let wall = stops(&sketch.source);
    let stage = Stage::of(&chain(50, 1.0));
    let start = v(rho(R), rho(R), 0.0);
    let mut actor = Actor::new(&stage, body(R, 9.81), "r0000", start);
    actor.tick(v(49.0 * 60.0, 0.0, 0.0), false);
    format!(
        "{wall}; a step of 49 m ends in {} at x {:.3}",
        actor.room(),
        actor.centre().x
    )
}

fn round_a_ring() -> [String; 2] {
    let mut sketch = ring();
    for (i, at) in [[-4., -2.], [3., -5.], [2.5, 2.], [-3., 3.2]]
        .into_iter()
        .enumerate()
    {
        let end = [at[0] + 0.7, 0.9, at[1] + 0.5];
        sketch.mesh(i, 0, &block([at[0], 0.0, at[1]], end));
    }
    let round = |speed: f64| {
        differing(&sketch.source, ("a", v(-2.0, rho(R), -4.0)), |actor| {
            for i in 0..10_000 {
                let c = actor.centre();
                let round = v(-c.z, 0.0, c.x).normalize_or_zero();
                let wobble = heading(f64::from(i) * 7.3) * 0.7;
                actor.tick((round + wobble) * speed, i % 97 == 0);
            }
        })
    };
    [round(300.0), round(6.0)]
}

fn in_a_room_twice() -> String {
    let mut sketch = Sketch::new("twice");
    let inside = cuboid([-9., 0., -9.], [9., 5., 9.]);
    let a = sketch.box_room("a", inside, &[]);
    let ghost = sketch.box_room("ghost", inside, &[]);
    sketch.mesh(a, 0, &block([3.0, 0.0, -1.0], [4.0, 3.0, 1.0]));
    sketch.mesh(ghost, 0, &block([-1.0, 0.0, -9.0], [0.0, 3.0, 9.0]));
    sketch.spawn(a, v(-5., 1., 0.), DVec3::X);
    let stage = Stage::judged_by(&sketch.source, |room| room == "a");
    let mut actor = Actor::new(&stage, body(R, 9.81), "a", v(-5.0, rho(R), 0.0));
    actor.hold(v(4.0, 0.0, 0.0), 240);
    format!(
        "through the other's wall to its own at x {:.6}",
        actor.centre().x
    )
}

fn beside_an_opening() -> String {
    let source = before(1.0, v(0.0625, 0.0, 1.0), v(2.0, 4.0, 4.0));
    let start = v(-rho(R), rho(R), 1.45);
    differing(&source, ("a", start), |actor| {
        actor.hold(v(0.1, 0.0, 1.0), 120);
        actor.hold(heading(-60.0) * 4.0, 240);
    })
}

fn round_an_elbow() -> String {
    let mut sketch = Sketch::new("elbow");
    let opening = cuboid([0., 0., 50.], [10., 5., 50.]);
    let a = sketch.box_room("a", cuboid([0., 0., 0.], [10., 5., 50.]), &[opening]);
    let b = sketch.box_room("b", cuboid([0., 0., 50.], [10., 5., 150.]), &[opening]);
    sketch.mesh(b, 0, &block([5.0, 0.0, 120.0], [10.0, 5.0, 121.0]));
    sketch.portal(a, "b", opening, DVec3::Z);
    sketch.spawn(a, v(5., 1., 5.), DVec3::X);
    let stage = Stage::of(&sketch.source);
    let mut actor = Actor::new(&stage, body(R, 9.81), "a", v(5.0, rho(R), 5.0));
    actor.tick(v(10_000.0, 0.0, 9_000.0), false);
    let right = v(10.0 - rho(R), rho(R), 120.0 - rho(R));
    let off = (actor.centre() - right).length();
    format!("one tick ends in {}, {off:.0e} m off", actor.room())
}

fn past_jambs() -> String {
    let track = |owner: usize| {
        let stage = Stage::of(&doorway(1.2, 0.0, || owner));
        let mut actor = Actor::new(&stage, body(R, 9.81), "a", v(-2.0, rho(R), 0.5));
        for i in 0..180 {
            let way = if i < 110 { 4.0 } else { -4.0 };
            actor.tick(v(way, 0.0, 0.0), i == 40);
        }
        actor.track
    };
    let both = track(3);
    let differ = [1, 2].map(|owner| {
        let pairs = both.iter().zip(track(owner));
        pairs.filter(|(a, b)| **a != *b).count()
    });
    format!(
        "of 180 ticks {} and {} differ from those with both",
        differ[0], differ[1]
    )
}

fn in_the_plane() -> String {
    let stage = Stage::of(&joint(20.0, 20.0));
    let mut actor = Actor::new(&stage, body(R, 9.81), "a", v(0.0, rho(R), -10.0));
    let mut changes = 0;
    for i in 0..120 {
        let room = actor.state.at.room;
        let way = if i % 24 < 12 { 2.0 } else { -2.0 };
        actor.tick(v(0.0, 0.0, way), false);
        changes += usize::from(actor.state.at.room != room);
    }
    format!("{changes} room changes in 120 ticks")
}

fn into_rooms() -> String {
    let stage = Stage::of(&ring().source);
    let find = |point: DVec3| {
        let room = locate(&stage.level, point);
        room.map_or("none", |id| stage.level.room(id).name.as_str())
    };
    let inside = find(v(3., 1., -3.));
    let outside = [v(7., 1., 0.), v(0., -1., 0.), v(1e6, 1., 0.)].map(find);
    format!("inside b: {inside}; outside all: {}", outside.join(", "))
}

fn round_a_bend() -> String {
    let stage = Stage::of(&bend());
    let start = v(-1.0, rho(R), rho(R) - 4.0);
    let mut actor = Actor::new(&stage, body(R, 9.81), "a", start);
    actor.tick(v(3000.0, 0.0, 0.0), false);
    let end = actor.centre();
    format!(
        "one tick ends in room {} at x {:.3}, z {:.6}",
        actor.room(),
        end.x,
        end.z
    )
}

fn in_a_gate() -> String {
    let stage = Stage::of(&gate(10.0));
    let shut = |off: f64| {
        let room = if off <= 0.0 { "a" } else { "b" };
        let mut actor = Actor::new(&stage, body(R, 9.81), room, v(off * R, rho(R), 0.2));
        actor.close(LinkId(0));
        actor.extra = shut_gate();
        actor.forgiven_ticks = 3;
        actor.hold(v(4.0, 0.0, 0.0), 3);
        actor.hold(v(-4.0, 0.0, 0.0), 3);
        let kept = actor.room() == room && (actor.centre().x <= 0.0) == (off <= 0.0);
        if kept { "kept" } else { "lost" }
    };
    let said = [-0.5, 0.0, 1e-3, 0.7].map(shut);
    format!("centre at -0.5, 0, 0.001, 0.7 r: {}", said.join(", "))
}
