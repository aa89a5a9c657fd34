//! Portals that lead to other portals, in files: the transforms that they get, and the messages about those that do not
//! fit.

use std::collections::BTreeSet;
use std::f64::consts::TAU;

use glam::{DMat3, DVec3};
use opendoor::author::sketch::{Sketch, cuboid};
use opendoor::build::build;
use opendoor::game::{Game, Input, PLAYER, Start, link_named};
use opendoor::geometry::Rigid;
use opendoor::gltf::{read_source_bytes, write_glb};
use opendoor::level::{At, AuthorPoint, Level, LinkId, TriggerTarget};
use opendoor::load::load_bytes;
use opendoor::problems::{ProblemCode, Problems};
use opendoor::rng::Rng;
use opendoor::source::{LevelSource, PortalSource, PortalTarget, TriggerKindSource, TriggerSource};

use opendoor::testing::RandomPlayer;

use crate::common::{FORWARD, cases, v};
use crate::levels::ours;

fn target(node: &str, roll_deg: Option<f64>) -> Option<PortalTarget> {
    Some(PortalTarget {
        node: node.to_owned(),
        roll_deg,
    })
}

/// A portal with the corners of a convex polygon, counter-clockwise as seen from outside its room.
fn portal(
    node: &str,
    room: usize,
    corners: &[DVec3],
    leads_to: Option<PortalTarget>,
) -> PortalSource {
    PortalSource {
        node: node.to_owned(),
        room,
        dest: String::new(),
        two_way: true,
        far_from_near: Rigid::IDENTITY,
        leads_to,
        triangles: (2..corners.len())
            .map(|i| [corners[0], corners[i - 1], corners[i]])
            .collect(),
    }
}

/// A room west of x = 0 and one east of it, which is transformed by `moved`, and a portal in each. `outline` has the corners of
/// the opening (y and z, metres), counter-clockwise as seen from the east.
fn two_rooms(
    outline: &[[f64; 2]],
    moved: &Rigid,
    leads_to: [Option<PortalTarget>; 2],
) -> LevelSource {
    let mut sketch = Sketch::new("folded");
    sketch.box_room("west", cuboid([-4., 0., -2.], [0., 3., 2.]), &[]);
    sketch.box_room("east", cuboid([0., 0., -2.], [4., 3., 2.]), &[]);
    sketch.spawn(0, v(-2., 0.5, 0.), DVec3::X);
    for position in &mut sketch.source.meshes[1].positions {
        *position = moved.point(*position);
    }
    let near: Vec<DVec3> = outline.iter().map(|[y, z]| v(0., *y, *z)).collect();
    let far: Vec<DVec3> = near.iter().rev().map(|p| moved.point(*p)).collect();
    let [of_west, of_east] = leads_to;
    sketch
        .source
        .portals
        .push(portal("out-portal", 0, &near, of_west));
    sketch
        .source
        .portals
        .push(portal("in-portal", 1, &far, of_east));
    sketch.source
}

/// The level, written and read again, and the problems of its portals.
fn through_a_file(source: &LevelSource) -> Result<(Level, Problems), Problems> {
    let bytes = write_glb(source).unwrap();
    let (source, problems) = read_source_bytes("folded.glb", &bytes).unwrap();
    assert_eq!(problems, Problems::default());
    build(source)
}

/// The largest distance of a portal's transform from the expected one, over points up to 5 m from the portal, metres.
fn deviation(level: &Level, index: usize, expected: &Rigid) -> f64 {
    let portal = &level.portals[index];
    let corners = cuboid([-4., 0., -2.], [4., 3., 2.]).corners();
    let distance = |corner: &DVec3| {
        let near = level.from_author(AuthorPoint(*corner));
        let far = level.to_author(portal.far_from_near.point(near));
        far.0.distance(expected.point(*corner))
    };
    corners.iter().map(distance).fold(0.0, f64::max)
}

fn random_rotation(rng: &mut Rng) -> DMat3 {
    let about = |axis: fn(f64) -> DMat3, rng: &mut Rng| axis(rng.between(0.0, TAU));
    about(DMat3::from_rotation_y, rng)
        * about(DMat3::from_rotation_x, rng)
        * about(DMat3::from_rotation_y, rng)
}

/// A convex outline without symmetry: corners on a circle, at random angles at least 0.3 radians apart.
fn random_outline(rng: &mut Rng) -> Vec<[f64; 2]> {
    loop {
        let count = 3 + rng.below(6);
        let mut angles: Vec<f64> = (0..count).map(|_| rng.between(0.0, TAU)).collect();
        angles.sort_by(f64::total_cmp);
        let gaps: Vec<f64> = (0..count)
            .map(|i| (angles[(i + 1) % count] - angles[i]).rem_euclid(TAU))
            .collect();
        // Gaps that differ by less make corners of nearly congruent polygons.
        let are_distinct = (0..count).all(|i| (0..i).all(|j| (gaps[i] - gaps[j]).abs() > 0.05));
        if are_distinct && gaps.iter().all(|gap| (0.3..2.8).contains(gap)) {
            let radius = rng.between(0.5, 1.4);
            return angles
                .iter()
                .map(|a| [1.5 + radius * libm::cos(*a), radius * libm::sin(*a)])
                .collect();
        }
    }
}

#[test]
fn rooms_at_random_poses_are_joined_by_the_transform_that_put_them_there() {
    let mut rng = Rng::new(37);
    for case in 0..400 {
        let outline = random_outline(&mut rng);
        let reach = [10.0, 100.0, 3000.0][case % 3];
        let offset = [(); 3].map(|()| rng.between(-reach, reach));
        let moved = Rigid::new(random_rotation(&mut rng), offset.into());
        let names = match case % 4 {
            0 => [target("in-portal", None), None],
            1 => [None, target("out", None)],
            2 => [target("in", None), target("out-portal", None)],
            // The roll agrees, whatever it is, with that of the polygons.
            _ => [target("in", None), target("out", None)],
        };
        let (level, problems) = through_a_file(&two_rooms(&outline, &moved, names)).unwrap();
        let wrong = problems
            .warnings
            .iter()
            .find(|p| p.code == ProblemCode::PortalLeadsTo);
        assert!(wrong.is_none(), "{case}: {problems}");
        assert_eq!(level.portals.len(), 2, "{case}");
        // Files have corners as f32: at 3,000 m with an error of 0.2 mm.
        let allowed = 1e-6 + 1e-6 * reach;
        for (index, portal) in level.portals.iter().enumerate() {
            let is_out = level.room(portal.near).name == "west";
            let expected = if is_out { moved } else { moved.inverse() };
            let off = if is_out {
                deviation(&level, index, &expected)
            } else {
                let (there, back) = (portal.far_from_near, level.portals[1 - index].far_from_near);
                let corner = v(1.0, 2.0, 3.0);
                there.point(back.point(corner)).distance(corner)
            };
            assert!(off <= allowed, "{case} {index}: {off} of {reach}");
        }
    }
}

/// A square opening fits at four angles. The author chooses one of them; without a roll, it is the upright one.
#[test]
fn a_square_opening_is_turned_by_its_roll() {
    let outline = [[0.5, -1.0], [0.5, 1.0], [2.5, 1.0], [2.5, -1.0]];
    let outline: Vec<[f64; 2]> = outline.into_iter().rev().collect();
    let mut seen = 0;
    for yaw_deg in [0.0_f64, 90.0, 37.0] {
        for roll_deg in [
            None,
            Some(0.0_f64),
            Some(90.0),
            Some(-90.0),
            Some(180.0),
            Some(270.0),
        ] {
            // Seen along +X, a rotation about -X is counter-clockwise. The far room is then seen clockwise.
            let rolled = DMat3::from_rotation_x(-roll_deg.unwrap_or(0.0).to_radians());
            let rotation = DMat3::from_rotation_y(yaw_deg.to_radians()) * rolled;
            let centre = v(0.0, 1.5, 0.0);
            let moved = Rigid::new(rotation, v(40.0, 7.0, -90.0) - rotation * centre);
            let names = if seen % 2 == 0 {
                [target("in", roll_deg), None]
            } else {
                [target("in", None), target("out", roll_deg)]
            };
            let (level, problems) = through_a_file(&two_rooms(&outline, &moved, names)).unwrap();
            assert!(problems.errors.is_empty(), "{problems}");
            let out = level
                .portals
                .iter()
                .position(|p| level.room(p.near).name == "west");
            let off = deviation(&level, out.unwrap(), &moved);
            assert!(off < 1e-4, "{yaw_deg} {roll_deg:?}: {off}");
            seen += 1;
        }
    }
}

#[test]
fn portals_that_do_not_fit_are_errors_with_the_cure() {
    let square = [[2.5, -1.0], [2.5, 1.0], [0.5, 1.0], [0.5, -1.0]];
    let moved = Rigid::new(DMat3::IDENTITY, v(40.0, 0.0, 0.0));
    let plain = |names| two_rooms(&square, &moved, names);
    let with = |names, change: fn(&mut LevelSource)| {
        let mut source = plain(names);
        change(&mut source);
        source
    };
    let cases = [
        ("no readable portal", plain([target("nowhere", None), None])),
        ("the portal itself", plain([target("out", None), None])),
        (
            "they fit at -90.0, 0.0, 90.0, 180.0 degrees",
            plain([target("in", Some(45.0)), None]),
        ),
        (
            "give both the same value",
            plain([target("in", Some(90.0)), target("out", Some(0.0))]),
        ),
        (
            "another shape",
            with([target("in", None), None], |s| {
                s.portals[1]
                    .triangles
                    .iter_mut()
                    .flatten()
                    .for_each(|p| p.y *= 0.99);
            }),
        ),
        (
            "another shape",
            with([target("in", None), None], |s| {
                _ = s.portals[1].triangles.pop()
            }),
        ),
        (
            "a name that 2 portals have",
            with([target("in", None), None], |s| {
                let again = s.portals[1].clone();
                s.portals.push(again);
            }),
        ),
        (
            "faces into that room",
            with([target("in", None), None], |s| {
                s.portals[1].triangles.iter_mut().for_each(|t| t.swap(1, 2));
            }),
        ),
    ];
    for (expected, source) in cases {
        let bytes = write_glb(&source).unwrap();
        let error = load_bytes("folded.glb", &bytes).unwrap_err().to_string();
        assert!(error.contains("portal-leads-to"), "{expected}: {error}");
        assert!(error.contains(expected), "{expected}: {error}");
    }
}

/// Two rooms with a doorway between them: adjacent, or the far one elsewhere and turned, joined by portals that name each
/// other.
fn doorway(moved: &Rigid) -> LevelSource {
    let door = cuboid([0., 0., -0.5], [0., 2., 0.5]);
    let mut sketch = Sketch::new("doorway");
    let west = sketch.box_room("west", cuboid([-4., 0., -2.], [0., 3., 2.]), &[door]);
    let east = sketch.box_room("east", cuboid([0., 0., -2.], [4., 3., 2.]), &[door]);
    sketch.furniture(east, 0, cuboid([1.5, 0., -0.25], [2.0, 0.25, 0.75]));
    sketch.spawn(west, v(-2., 0.5, 0.1), DVec3::X);
    for mesh in sketch
        .source
        .meshes
        .iter_mut()
        .filter(|mesh| mesh.room == east)
    {
        mesh.positions.iter_mut().for_each(|p| *p = moved.point(*p));
    }
    if moved.is_identity() {
        sketch.portal(west, "east", door, DVec3::X);
        return sketch.source;
    }
    sketch.portal(west, "", door, DVec3::X);
    sketch.portal(east, "", door, DVec3::NEG_X);
    let [out, back] = sketch.source.portals.as_mut_slice() else {
        panic!("two portals")
    };
    let corners = back.triangles.iter_mut().flatten();
    corners.for_each(|p| *p = moved.point(*p));
    for (portal, [name, other]) in [
        (out, ["out-portal", "back"]),
        (back, ["back-portal", "out"]),
    ] {
        portal.node = name.to_owned();
        portal.leads_to = target(other, None);
    }
    sketch.source
}

/// A portal that two portals name leads back to neither.
#[test]
fn a_portal_that_several_portals_name_leads_back_to_none_of_them() {
    let square = [[2.5, -1.0], [2.5, 1.0], [0.5, 1.0], [0.5, -1.0]];
    let moved = Rigid::new(DMat3::IDENTITY, v(40.0, 0.0, 0.0));
    let mut source = two_rooms(&square, &moved, [target("in", None), None]);
    let mut second = source.portals[0].clone();
    second.node = "second-portal".to_owned();
    source.portals.push(second);
    let (level, _) = through_a_file(&source).unwrap();
    let near = level
        .portals
        .iter()
        .map(|portal| &level.room(portal.near).name);
    assert_eq!(near.collect::<Vec<_>>(), ["west", "west"]);
}

/// Both portals of a pair name the same link: for triggers, walk files and programs.
#[test]
fn a_pair_of_portals_has_both_names() {
    let moved = Rigid::new(DMat3::IDENTITY, v(64.0, 0.0, 0.0));
    for (index, node) in ["out", "back-portal"].into_iter().enumerate() {
        let mut source = doorway(&moved);
        source.triggers.push(TriggerSource {
            node: "shutter-trigger".to_owned(),
            kind: TriggerKindSource::Relay,
            room: 0,
            targets: vec![node.to_owned()],
            delay_ticks: 0,
            wait_ticks: 0,
            once: false,
            message: String::new(),
        });
        let (level, problems) = through_a_file(&source).unwrap();
        assert_eq!(link_named(&level, node).unwrap(), LinkId(0), "{index}");
        let targets = &level.triggers[0].targets;
        assert!(
            matches!(targets[..], [TriggerTarget::Link(LinkId(0))]),
            "{targets:?} {problems}"
        );
    }
}

/// A quarter turn and a translation by multiples of a power of two are exact, so the walks agree to rounding.
#[test]
fn a_walk_through_portals_of_a_file_is_that_through_an_ordinary_doorway() {
    let quarter = DMat3::from_cols(DVec3::NEG_Z, DVec3::Y, DVec3::X);
    let moved = Rigid::new(quarter, v(64.0, 16.0, -32.0));
    let levels = [doorway(&Rigid::IDENTITY), doorway(&moved)].map(|source| {
        let (level, problems) = through_a_file(&source).unwrap();
        assert_eq!(problems, Problems::default());
        level
    });
    let mut games = levels.each_ref().map(|level| Game::new(level).unwrap());
    let mut crossings = 0;
    let mut last = String::new();
    for tick in 0..1200 {
        // There and back, with jumps and sideways motion.
        let input = Input {
            forward: if tick / 150 % 2 == 0 { 1.0 } else { -1.0 },
            right: [0.5, -0.5][tick / 5 % 2],
            jump: tick % 70 == 0,
            ..FORWARD
        };
        let ends = [0, 1].map(|i| {
            games[i].tick(&levels[i], &[input]);
            let at = games[i].players[0].actor.state.at;
            (
                levels[i].room(at.room).name.clone(),
                levels[i].to_author(at.point).0,
            )
        });
        let [(room, flat), (folded_room, folded)] = ends;
        assert_eq!(room, folded_room, "tick {tick}");
        let expected = if room == "east" {
            moved.point(flat)
        } else {
            flat
        };
        assert!(
            folded.distance(expected) < 1e-9,
            "tick {tick}: {folded} {expected}"
        );
        crossings += usize::from(room != last);
        last = room;
    }
    assert!(crossings > 6, "{crossings}");
}

/// The rooms of the level are boxes, so a body in another one than its room is found without the room graph.
#[test]
fn a_player_at_random_in_our_folded_level_is_always_in_its_room_and_sees_all_of_them() {
    let level = ours()
        .iter()
        .find(|level| level.name == "folded.glb")
        .unwrap();
    let mut visited = BTreeSet::new();
    for seed in 0..cases(8, 80) {
        let spawns = ["player", "hall", "ring", "stairs"];
        let start = Start::Spawn(spawns[seed as usize % 4].to_owned());
        let mut game = Game::start(level, &start, PLAYER).unwrap();
        let mut player = RandomPlayer::new(seed);
        for tick in 0..3000 {
            let input = player.next(level, &mut game, 0);
            game.tick(level, &[input]);
            let At { room, point } = game.players[0].actor.state.at;
            let bounds = level.room(room).bounds.grown(0.01);
            assert!(bounds.contains(point), "seed {seed}, tick {tick}: {point}");
            visited.insert(room);
        }
    }
    assert_eq!(visited.len(), level.rooms.len(), "{visited:?}");
}
