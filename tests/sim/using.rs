//! Using doors: by line of sight, not by distance alone.

use glam::DVec3;
use opendoor::author::sketch::{Sketch, cuboid};
use opendoor::game::{EventKind, Game, Input, PLAYER, Start, Usable};
use opendoor::level::{AuthorPoint, Drive, Level, LinkId, Track};
use opendoor::rng::Rng;
use opendoor::source::{LevelSource, MoverSource, TriggerKindSource, TriggerSource};

use crate::common::eye_of;
use crate::shared::built;

/// The player's reach, metres.
const REACH: f64 = 2.5;

type Box3 = ([f64; 3], [f64; 3]);
type Triangle = [DVec3; 3];

/// Room `a` with a locked door in its wall x = 0, an unlocked door in its wall z = 0, and screens.
fn corner(screens: &[Box3]) -> LevelSource {
    let locked = cuboid([0., 0., -2.5], [0., 2., -1.5]);
    let free = cuboid([-2.5, 0., 0.], [-1.5, 2., 0.]);
    let mut sketch = Sketch::new("corner");
    let a = sketch.box_room("a", cuboid([-4., 0., -4.], [0., 3., 0.]), &[locked, free]);
    sketch.box_room("b", cuboid([0., 0., -4.], [4., 3., 0.]), &[locked]);
    sketch.box_room("c", cuboid([-4., 0., 0.], [0., 3., 4.]), &[free]);
    sketch.portal(a, "b", locked, DVec3::X);
    sketch.portal(a, "c", free, DVec3::Z);
    sketch.spawn(a, DVec3::new(-3., 0.1, -3.), DVec3::Z);
    for &(low, high) in screens {
        sketch.furniture(a, 0, cuboid(low, high));
    }
    for (name, panel, is_locked) in [
        (
            "locked-door",
            ([-0.0625, 0., -2.5], [-0.03125, 2., -1.5]),
            true,
        ),
        (
            "free-door",
            ([-2.5, 0., -0.0625], [-1.5, 2., -0.03125]),
            false,
        ),
    ] {
        let mut drawn = Sketch::new("panel");
        let room = drawn.room("panel");
        drawn.furniture(room, 0, cuboid(panel.0, panel.1));
        let mut meshes = drawn.source.meshes;
        meshes.iter_mut().for_each(|mesh| mesh.room = a);
        let mut door = MoverSource::vanishing_door(name.to_owned(), meshes);
        door.track = Track::Slide(DVec3::Y * 2.);
        door.drive = Drive {
            ticks: 12,
            locked: is_locked,
            ..Drive::default()
        };
        sketch.source.movers.push(door);
    }
    sketch.source
}

/// The triangles of meshes in the author's coordinates.
fn triangles<'a>(meshes: impl Iterator<Item = &'a opendoor::source::MeshSource>) -> Vec<Triangle> {
    let of = |mesh: &'a opendoor::source::MeshSource| {
        let corners = |t: &[u32; 3]| t.map(|i| mesh.positions[i as usize]);
        mesh.triangles.iter().map(corners).collect::<Vec<_>>()
    };
    meshes.flat_map(of).collect()
}

/// The first hit of a segment with the triangles, as a fraction of the segment: brute force, both sides.
fn first_hit(soup: &[Triangle], from: DVec3, ray: DVec3) -> Option<f64> {
    let hits = soup.iter().filter_map(|&[a, b, c]| {
        let (u, v) = (b - a, c - a);
        let p = ray.cross(v);
        let det = u.dot(p);
        if det.abs() < 1e-12 {
            return None;
        }
        let t = from - a;
        let (x, q) = (t.dot(p) / det, t.cross(u));
        let (y, part) = (ray.dot(q) / det, v.dot(q) / det);
        let is_in = x >= -1e-9 && y >= -1e-9 && x + y <= 1. + 1e-9;
        (is_in && (0.0..=1.).contains(&part)).then_some(part)
    });
    hits.reduce(f64::min)
}

/// A level of [`corner`], and the data of its oracle.
struct Corner {
    level: Level,
    walls: Vec<Triangle>,
    /// The door panels: locked, unlocked.
    panels: [Vec<Triangle>; 2],
}

impl Corner {
    fn new(screens: &[Box3]) -> Self {
        let source = corner(screens);
        let panel = |name: &str| {
            let mover = source.movers.iter().find(|mover| mover.node == name);
            triangles(mover.expect("a door").meshes.iter())
        };
        let panels = [panel("locked-door"), panel("free-door")];
        let walls = triangles(source.meshes.iter());
        Self {
            level: built(source),
            walls,
            panels,
        }
    }

    fn link(&self, name: &str) -> LinkId {
        let mover = self.level.movers.iter().find(|mover| mover.name == name);
        mover.and_then(|mover| mover.link).expect("a door")
    }

    /// Whether a point of the unlocked door within reach is visible: tests a grid over its panel against all triangles.
    fn sees_free_door(&self, eye: DVec3) -> bool {
        let blocking: Vec<Triangle> = [&self.walls[..], &self.panels[0]].concat();
        (0..=20).any(|i| {
            (0..=40).any(|j| {
                let on = DVec3::new(-2.5 + f64::from(i) * 0.05, f64::from(j) * 0.05, -0.0625);
                let ray = on - eye;
                ray.length() <= REACH + 0.1 && first_hit(&blocking, eye, ray * 0.999).is_none()
            })
        })
    }
}

/// A player with its feet at `feet`, looking along yaw and pitch, degrees.
fn player(level: &Level, feet: DVec3, yaw: f64, pitch: f64) -> Option<Game> {
    let mut game = Game::start(level, &Start::Feet(AuthorPoint(feet)), PLAYER).ok()?;
    game.players[0].yaw = yaw;
    game.players[0].pitch = pitch;
    Some(game)
}

#[test]
fn a_locked_door_that_is_looked_at_is_locked_and_the_one_beside_it_stays_shut() {
    let corner = Corner::new(&[]);
    let level = &corner.level;
    let mut game = player(level, DVec3::new(-1., 0.01, -1.4), -60., 0.).expect("room to stand");
    assert!(matches!(game.usable(level, 0), Some(Usable::Locked(_))));
    let press = Input {
        interact: true,
        ..Input::default()
    };
    game.tick(level, &[press]);
    let is_locked = |kind: &EventKind| matches!(kind, EventKind::Locked { mover } if level.mover(*mover).name == "locked-door");
    assert!(game.events.iter().any(|event| is_locked(&event.kind)));
    for _ in 0..60 {
        game.tick(level, &[]);
    }
    assert!(!game.world().opens(corner.link("free-door")));
    assert!(!game.world().opens(corner.link("locked-door")));
    // The player looks at the other door.
    game.players[0].yaw = 150.;
    game.tick(level, &[press]);
    assert!(game.world().opens(corner.link("free-door")));
}

#[test]
fn no_door_is_used_that_cannot_be_seen_within_reach_and_the_one_looked_at_is_used() {
    let mut rng = Rng::new(33);
    let (mut used, mut refused, mut locked) = (0, 0, 0);
    for _ in 0..60 {
        let screens: Vec<Box3> = (0..rng.below(4))
            .map(|_| {
                let low = [rng.between(-3.5, -0.6), 0., rng.between(-3.5, -0.6)];
                let size = [
                    rng.between(0.02, 1.),
                    rng.between(1., 2.9),
                    rng.between(0.02, 1.),
                ];
                let high = [0, 1, 2].map(|i| (low[i] + size[i]).min([-0.2, 2.95, -0.2][i]));
                (low, high)
            })
            .collect();
        let corner = Corner::new(&screens);
        let (level, free) = (&corner.level, corner.link("free-door"));
        for _ in 0..20 {
            let feet = DVec3::new(rng.between(-3.6, -0.4), 0.01, rng.between(-3.6, -0.4));
            let (yaw, pitch) = (rng.between(-180., 180.), rng.between(-60., 30.));
            let Some(mut game) = player(level, feet, yaw, pitch) else {
                continue;
            };
            let camera = eye_of(&game, level, 1.0);
            let (eye, ray) = (level.to_author(camera.at.point).0, camera.forward() * REACH);
            let [looked_locked, looked_free] = [0, 1].map(|i| {
                let own = first_hit(&corner.panels[i], eye, ray);
                let others: Vec<Triangle> = [&corner.walls[..], &corner.panels[1 - i]].concat();
                own.is_some_and(|own| {
                    first_hit(&others, eye, ray).is_none_or(|other| own < other - 1e-6)
                })
            });
            let usable = game.usable(level, 0);
            let what = format!("{screens:?} at {feet} yaw {yaw} pitch {pitch}: {usable:?}");
            match usable {
                Some(Usable::Door(link)) => {
                    used += 1;
                    assert_eq!(link, free, "{what}");
                    assert!(corner.sees_free_door(eye), "{what}");
                }
                Some(Usable::Locked(_)) => locked += 1,
                _ => refused += 1,
            }
            if looked_free {
                assert_eq!(usable, Some(Usable::Door(free)), "{what}");
            }
            if looked_locked {
                assert!(matches!(usable, Some(Usable::Locked(_))), "{what}");
            }
        }
    }
    // Each outcome occurred.
    assert!(
        used > 50 && locked > 50 && refused > 200,
        "{used} {locked} {refused}"
    );
}

/// Random screens between the player, a switch on the far wall and a plate. The wall behind the player has another
/// switch on its other side.
#[test]
fn switches_and_lifts_are_used_if_they_are_the_first_hit_of_the_view_ray() {
    let mut rng = Rng::new(34);
    let (mut used, mut hidden) = ([0; 2], [0; 2]);
    for _ in 0..60 {
        let (level, walls, targets) = with_switch_and_lift(&mut rng);
        for _ in 0..40 {
            let feet = DVec3::new(rng.between(-3.6, -0.4), 0.01, rng.between(-3.6, -0.4));
            let Some(mut game) = player(&level, feet, 0., 0.) else {
                continue;
            };
            let which = rng.below(3);
            let eye = level.to_author(eye_of(&game, &level, 1.0).at.point).0;
            let corners = targets[which].iter().flatten();
            let aim = corners.sum::<DVec3>() / (3. * targets[which].len() as f64) - eye;
            game.players[0].yaw = -aim.x.atan2(-aim.z).to_degrees();
            game.players[0].pitch = aim.y.atan2(aim.with_y(0.).length()).to_degrees();
            let ray = eye_of(&game, &level, 1.0).forward() * REACH;
            let hits = [0, 1, 2].map(|i| first_hit(&targets[i], eye, ray));
            let wall = first_hit(&walls, eye, ray);
            let is_first = |i: usize| {
                let others = (0..3).filter(|other| *other != i).map(|other| hits[other]);
                let mut others = others.chain([wall]);
                let own = hits[i];
                own.is_some_and(|own| others.all(|o| o.is_none_or(|other| own < other)))
            };
            let usable = game.usable(&level, 0);
            let what = format!("{which} from {eye}: {usable:?}");
            match usable {
                Some(Usable::Switch(id)) => {
                    assert_eq!(level.trigger(id).name, "near-switch", "{what}");
                    assert!(is_first(0), "{what}");
                    used[0] += 1;
                }
                Some(Usable::Mover(_)) => {
                    assert!(is_first(1), "{what}");
                    used[1] += 1;
                }
                Some(_) => {}
                None => assert!(!is_first(0) && !is_first(1), "{what}"),
            }
            let is_near = aim.length() < REACH - 0.3;
            hidden[0] += usize::from(is_near && which == 0 && !is_first(0));
            hidden[1] += usize::from(is_near && which == 2);
        }
    }
    assert!(
        used.into_iter().chain(hidden).all(|count| count > 5),
        "{used:?} {hidden:?}"
    );
}

/// A level of [`corner`] without its doors; its walls, and the triangles of a switch in room `a`, of a usable plate in
/// room `a`, and of a switch in room `b` behind the wall.
fn with_switch_and_lift(rng: &mut Rng) -> (Level, Vec<Triangle>, [Vec<Triangle>; 3]) {
    let screens: Vec<Box3> = (0..rng.below(4))
        .map(|_| {
            let low = [rng.between(-3.5, -0.8), 0., rng.between(-3.5, -0.8)];
            let size = [rng.between(0.02, 1.), rng.between(1., 2.9), 0.1];
            (low, [0, 1, 2].map(|i| low[i] + size[i]))
        })
        .map(|(low, high)| (low, [high[0].min(-0.2), high[1], high[2]]))
        .collect();
    let mut source = corner(&screens);
    source.movers.clear();
    let walls = triangles(source.meshes.iter());
    let drawn = |room: usize, low: [f64; 3], high: [f64; 3]| {
        let mut sketch = Sketch::new("part");
        let own = sketch.room("part");
        sketch.furniture(own, 0, cuboid(low, high));
        let mut mesh = sketch.source.meshes.remove(0);
        mesh.room = room;
        mesh
    };
    let switches = [
        ("near-switch", 0, [-0.05, 1., -3.4], [-0.01, 1.4, -3.]),
        ("far-switch", 1, [0.01, 1., -1.2], [0.05, 1.4, -0.8]),
    ];
    let mut targets = [const { Vec::new() }; 3];
    for (index, (node, room, low, high)) in switches.into_iter().enumerate() {
        let mut mesh = drawn(room, low, high);
        targets[2 * index] = triangles([&mesh].into_iter());
        mesh.node = node.into();
        source.meshes.push(mesh);
        source.triggers.push(TriggerSource {
            node: node.to_owned(),
            room,
            kind: TriggerKindSource::Switch { bump: false },
            targets: vec!["lift-mover".to_owned()],
            delay_ticks: 0,
            wait_ticks: 0,
            once: false,
            message: String::new(),
        });
    }
    let plate = drawn(0, [-3.9, 0.6, -3.9], [-3.3, 0.8, -3.3]);
    targets[1] = triangles([&plate].into_iter());
    let mut lift = MoverSource::vanishing_door("lift-mover".to_owned(), vec![plate]);
    lift.is_door = false;
    lift.track = Track::Slide(DVec3::Y);
    source.movers.push(lift);
    (built(source), walls, targets)
}
