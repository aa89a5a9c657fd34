//! Doors: a closed door is a wall, and no door closes on a body.

use glam::{DMat3, DVec3};
use opendoor::author::sketch::{Sketch, cuboid};
use opendoor::build::build;
use opendoor::game::{CHARACTER, Game, GameError, Start, link_named};
use opendoor::geometry::{Aabb, Rigid};
use opendoor::level::{Alpha, At, AuthorPoint, Level, LinkId, Material, RoomId};
use opendoor::lighting::{Lighting, lightmap};
use opendoor::motion::{State, close_link};
use opendoor::source::MoverSource;
use opendoor::visibility::{Camera, Visibility, flood};
use opendoor::world::World;

use crate::common::{FORWARD, Playtest, STANDING, v};
use crate::shared::built;

/// Rooms `a` (x < 0) and `b`, with the whole wall open between them, or with a door panel 0.1 m thick.
fn two_rooms(with_panel: bool) -> Level {
    built(two_rooms_with(with_panel.then(whole_panel)).source)
}

fn whole_panel() -> Aabb {
    cuboid([-0.05, 0., -2.], [0.05, 3., 2.])
}

fn two_rooms_with(panel: Option<Aabb>) -> Sketch {
    let mut sketch = Sketch::new("two rooms");
    let opening = cuboid([0., 0., -2.], [0., 3., 2.]);
    let a = sketch.box_room("a", cuboid([-6., 0., -2.], [0., 3., 2.]), &[opening]);
    sketch.box_room("b", cuboid([0., 0., -2.], [6., 3., 2.]), &[opening]);
    sketch.portal(a, "b", opening, DVec3::X);
    sketch.spawn(a, v(-3., 0.5, 0.), DVec3::X);
    if let Some(panel) = panel {
        sketch.furniture(a, 0, panel);
        let panel = sketch.source.meshes.pop().unwrap();
        sketch
            .source
            .movers
            .push(MoverSource::vanishing_door("gate-door", vec![panel]));
    }
    sketch
}

const LINK: LinkId = LinkId(0);

#[test]
fn a_closed_door_stops_the_player_and_an_open_one_lets_him_through() {
    for (with_panel, thickness) in [(false, 0.0), (true, 0.1)] {
        let level = two_rooms(with_panel);
        let mut playtest = Playtest::at(&level, v(-3., STANDING, 0.));
        playtest.game.players[0].yaw = -90.0;
        playtest.game.set_link(&level, LINK, false).unwrap();
        playtest.hold(&FORWARD, 2.0);
        let stop = -STANDING - 0.5 * thickness;
        assert!(
            (playtest.centre().x - stop).abs() < 1e-6,
            "{}",
            playtest.centre()
        );
        assert_eq!(playtest.room(), "a");
        playtest.game.set_link(&level, LINK, true).unwrap();
        playtest.hold(&FORWARD, 1.0);
        assert_eq!(playtest.room(), "b");
    }
}

#[test]
fn a_link_with_a_panel_is_closed_at_the_start_and_one_without_is_open() {
    for with_panel in [false, true] {
        let level = two_rooms(with_panel);
        let playtest = Playtest::at(&level, v(-3., STANDING, 0.));
        assert_eq!(playtest.game.world().is_open(LINK), !with_panel);
    }
}

#[test]
fn a_door_does_not_close_on_a_body_that_stands_in_it() {
    for with_panel in [false, true] {
        let level = two_rooms(with_panel);
        for (x, in_the_way) in [
            (-1.0, false),
            (-0.3, true),
            (0.0, true),
            (0.3, true),
            (1.0, false),
        ] {
            let mut playtest = Playtest::at(&level, v(-3., STANDING, 0.));
            playtest.game.set_link(&level, LINK, true).unwrap();
            playtest.game.players[0].yaw = -90.0;
            while playtest.centre().x < x {
                playtest.tick(&FORWARD);
            }
            let closed = playtest.game.set_link(&level, LINK, false);
            assert_eq!(closed.is_err(), in_the_way, "at {x}");
            assert_eq!(playtest.game.world().is_open(LINK), in_the_way);
            if let Err(error) = closed {
                assert!(matches!(error, GameError::Blocked(_)));
            }
            playtest.stand(1.0);
        }
    }
}

/// Regression test: no face of the panel touched such a body, so the door closed around it.
#[test]
fn a_door_does_not_close_around_a_body_that_fits_into_its_panel() {
    let thick = cuboid([-0.05, 0., -2.], [1.95, 3., 2.]);
    let level = built(two_rooms_with(Some(thick)).source);
    let mut playtest = Playtest::at(&level, v(-3., STANDING, 0.));
    playtest.game.set_link(&level, LINK, true).unwrap();
    playtest.game.players[0].yaw = -90.0;
    while playtest.centre().x < 1.0 {
        playtest.tick(&FORWARD);
    }
    let closed = playtest.game.set_link(&level, LINK, false);
    assert!(matches!(closed, Err(GameError::Blocked(_))));
}

#[test]
fn a_start_inside_the_panel_of_a_shut_door_is_refused() {
    let thick = cuboid([-0.05, 0., -2.], [1.95, 3., 2.]);
    let level = built(two_rooms_with(Some(thick)).source);
    for (x, is_free) in [(-1.0, true), (0.9, false), (1.0, false), (3.0, true)] {
        let start = Start::Feet(AuthorPoint(v(x, 0.1, 0.)));
        let started = Game::start(&level, &start, CHARACTER);
        assert_eq!(started.is_ok(), is_free, "at {x}");
    }
}

#[test]
fn a_player_who_leans_on_a_closed_door_does_not_get_into_it() {
    let level = two_rooms(true);
    let mut playtest = Playtest::at(&level, v(-1., STANDING, 0.));
    playtest.game.players[0].yaw = -90.0;
    for _ in 0..60 {
        playtest.hold(&FORWARD, 0.05);
        let open = playtest.game.world().is_open(LINK);
        let _refused = playtest.game.set_link(&level, LINK, !open);
    }
}

/// Regression test: doors whose suffix is written differently, or has spaces around it, were not found.
#[test]
fn links_are_found_by_their_names_as_the_file_is_read() {
    for node in [
        "hall-Portal",
        " hall*2-portal.001",
        "hall-portal*x",
        "hall.012-PORTAL",
    ] {
        let mut sketch = two_rooms_with(None);
        sketch.source.portals[0].node = node.to_owned();
        let level = built(sketch.source);
        for name in [node, "hall", "hall-portal", "hall-portal.001"] {
            assert_eq!(link_named(&level, name), Ok(LINK), "{name} for {node}");
        }
        for other in ["hall-room", "hall-door", "h"] {
            assert!(link_named(&level, other).is_err(), "{other} for {node}");
        }
    }
}

#[test]
fn links_are_found_by_their_name_with_and_without_suffixes() {
    let level = two_rooms(false);
    assert_eq!(link_named(&level, &level.links[0].name), Ok(LINK));
    assert_eq!(link_named(&level, "b"), Ok(LINK));
    assert_eq!(link_named(&level, "b-portal.001"), Ok(LINK));
    let error = link_named(&level, "c").unwrap_err().to_string();
    assert!(
        error.contains("`c`") && error.contains(&level.links[0].name),
        "{error}"
    );
}

/// The warning about the panel in a sketch.
fn warning_about(sketch: Sketch) -> Option<String> {
    let (_, problems) = build(sketch.source).unwrap();
    let [ref warning] = problems.warnings[..] else {
        assert_eq!(problems.warnings, []);
        return None;
    };
    assert_eq!(
        (warning.code.as_str(), &*warning.node),
        ("door-with-gap", "gate-door")
    );
    Some(warning.message.clone())
}

/// Regression test: the room behind such a panel was visible or not, depending on whether culling was off or on.
#[test]
fn a_shut_panel_of_glass_or_bars_stops_bodies_but_not_sight() {
    for (alpha, is_clear) in [
        (Alpha::Opaque, false),
        (Alpha::Mask(0.5), true),
        (Alpha::Blend, true),
    ] {
        let mut sketch = two_rooms_with(Some(whole_panel()));
        let pane = sketch.material(Material {
            alpha,
            ..Material::default()
        });
        sketch.source.movers[0].meshes[0].material = pane;
        sketch.lamp(0, v(-4., 2., 0.), 50.0);
        let (level, problems) = build(sketch.source).unwrap();
        assert_eq!(problems.warnings, []);
        let world = World::of(&level);
        assert!(!world.is_open(LINK));
        assert_eq!(world.passes_light(LINK), is_clear, "{alpha:?}");
        let eye = level.from_author(AuthorPoint(v(-3., 1.5, 0.3)));
        let camera = Camera::new(At::new(RoomId(0), eye), [-90.0, 0.0], 70.0, 1.0);
        let mut visibility = Visibility::default();
        flood(&level, &world, &camera, &mut visibility);
        assert_eq!(visibility.rooms.len(), 1 + usize::from(is_clear));
        let lighting = Lighting::new(&level, &world, lightmap::flat(&level));
        let reached = lighting.light_paths_into(RoomId(1)).count();
        assert_eq!(reached, usize::from(is_clear));
    }
}

#[test]
fn a_panel_that_leaves_a_gap_is_named_and_one_with_two_centimetres_play_is_not() {
    // The opening is 4 m wide and 3 m high.
    for (by, is_short) in [(-0.5, false), (0.0, false), (0.019, false), (0.021, true)] {
        let short = [
            cuboid([-0.05, by, -2.], [0.05, 3., 2.]),
            cuboid([-0.05, 0., -2.], [0.05, 3. - by, 2.]),
            cuboid([-0.05, 0., -2. + by], [0.05, 3., 2.]),
            cuboid([-0.05, 0., -2.], [0.05, 3., 2. - by]),
        ];
        for panel in short {
            let said = warning_about(two_rooms_with(Some(panel)));
            assert_eq!(said.is_some(), is_short, "{panel:?}: {said:?}");
        }
    }
}

#[test]
fn a_panel_with_faces_to_one_side_only_or_that_is_not_drawn_is_named() {
    let only = |side: f64, double_sided: bool| {
        let mut sketch = two_rooms_with(Some(whole_panel()));
        let material = sketch.material(Material {
            double_sided,
            ..Material::default()
        });
        let mesh = &mut sketch.source.movers[0].meshes[0];
        mesh.material = material;
        let positions = mesh.positions.clone();
        let is_there = |i: &u32| positions[*i as usize].x == 0.05 * side;
        mesh.triangles.retain(|t| t.iter().all(is_there));
        assert_eq!(mesh.triangles.len(), 2);
        warning_about(sketch)
    };
    assert!(only(1.0, false).unwrap().contains("from room `a`"));
    assert!(only(-1.0, false).unwrap().contains("from room `b`"));
    assert_eq!(only(1.0, true), None);
    let mut sketch = two_rooms_with(Some(whole_panel()));
    sketch.source.movers[0].meshes[0].drawn = false;
    assert!(warning_about(sketch).is_some());
}

/// A room that leads into itself: a body that leaves to the east enters from the west.
fn endless_room() -> Level {
    let mut sketch = Sketch::new("endless");
    let [west, east] = [-2., 2.].map(|x| cuboid([x, 0., -1.], [x, 3., 1.]));
    let room = cuboid([-2., 0., -2.], [2., 3., 2.]);
    let room = sketch.box_room("room", room, &[west, east]);
    sketch.portal(room, "room", east, DVec3::X);
    sketch.source.portals[0].far_from_near = Rigid::new(DMat3::IDENTITY, DVec3::X * -4.0);
    sketch.spawn(room, DVec3::ZERO, DVec3::X);
    built(sketch.source)
}

#[test]
fn a_link_does_not_close_on_a_body_at_either_end_of_it() {
    let level = endless_room();
    for (x, is_blocked) in [(1.9, true), (-1.9, true), (0.0, false)] {
        let mut world = World::of(&level);
        let point = level.from_author(AuthorPoint(DVec3::new(x, 1.0, 0.0)));
        let state = State::at_rest(At::new(RoomId(0), point));
        let closed = close_link(&level, &mut world, LinkId(0), [(&CHARACTER, &state)]);
        assert_eq!(closed.is_err(), is_blocked, "{x}");
        assert_eq!(world.is_open(LinkId(0)), is_blocked, "{x}");
    }
}

#[test]
fn the_event_of_a_link_that_stays_open_names_the_blocking_body() {
    let level = two_rooms(true);
    let mut world = World::of(&level);
    world.open(LINK);
    let [beside, inside] = [-3.0, 0.0].map(|x| {
        let point = level.from_author(AuthorPoint(v(x, 1.0, 0.0)));
        State::at_rest(At::new(RoomId(0), point))
    });
    let bodies = [beside, beside, inside, beside];
    let bodies = bodies.each_ref().map(|state| (&CHARACTER, state));
    let blocked = close_link(&level, &mut world, LINK, bodies).unwrap_err();
    assert_eq!(blocked.by, opendoor::motion::InTheWay::Actor(2));
    assert!(world.is_open(LINK));
    close_link(&level, &mut world, LINK, [bodies[0], bodies[3]]).unwrap();
    assert!(!world.is_open(LINK));
}
