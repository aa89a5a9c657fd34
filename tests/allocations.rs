//! Tests of allocations. A warm tick allocates nothing. Neither does a warm view, including the frame composed from it.
//! Drawing a warm frame allocates only in wgpu, and no more with more rooms.
#![expect(
    clippy::unwrap_used,
    reason = "a helper of a test fails the test by panicking"
)]

use std::path::Path;

use glam::DVec3;
use opendoor::author::grid_glb;
use opendoor::author::sketch::{Sketch, cuboid};
use opendoor::build::build;
use opendoor::frame::{self, Frame};
use opendoor::game::{CHARACTER, Game, Input, PLAYER, Start};
use opendoor::level::Level;
use opendoor::load::{load, load_bytes};
use opendoor::motion::{Body, StepSettings, Workspace};
use opendoor::person::Person;
use opendoor::replay::ReplayRing;
use opendoor::rng::Rng;
use opendoor::testing::RandomPlayer;
use opendoor::visibility::{Visibility, flood};

const TICKS: usize = 2000;

fn levels() -> Vec<Level> {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("levels/house.glb");
    let house = load(&path).unwrap().0;
    let grid = load_bytes("grid", &grid_glb(4, 4)).unwrap().0;
    vec![house, grid]
}

/// The inputs of a random walk, which leaves doors open.
fn inputs(level: &Level, body: Body) -> Vec<Input> {
    let mut game = Game::start(level, &Start::Default, body).unwrap();
    let mut wander = RandomPlayer::new(7);
    (0..TICKS)
        .map(|_| {
            let input = wander.next(level, &mut game, 0);
            game.tick(level, &[input]);
            input
        })
        .collect()
}

#[test]
fn a_warm_tick_and_a_warm_frame_allocate_nothing() {
    let sphere = Body {
        segment_length: 0.0,
        ..PLAYER
    };
    let heedful = Body {
        step_settings: StepSettings {
            max_drop: 0.3,
            ..PLAYER.step_settings
        },
        ..PLAYER
    };
    for level in levels() {
        for body in [CHARACTER, sphere, PLAYER, heedful] {
            let inputs = inputs(&level, body);
            let mut game = Game::start(&level, &Start::Default, body).unwrap();
            let start = game.players[0].actor.state;
            let (mut visibility, mut frame) = (Visibility::default(), Frame::default());
            let mut workspace = Workspace::default();
            let mut lap = |game: &mut Game| {
                let (mut in_ticks, mut in_views) = (0, 0);
                game.players[0].actor.state = start;
                for input in &inputs {
                    in_ticks +=
                        allocation_counter::measure(|| game.tick(&level, &[*input])).count_total;
                    let view = || {
                        let eye = game.players[0].eye(&game.collision(&level), 1.0, &mut workspace);
                        let camera = eye.camera(70.0, 1.6);
                        flood(&level, game.world(), &camera, &mut visibility);
                        let visible = visibility.seen_by(&camera);
                        frame::compose(&level, game.world(), &camera, &visible, &mut frame);
                    };
                    in_views += allocation_counter::measure(view).count_total;
                }
                (in_ticks, in_views)
            };
            let cold = lap(&mut game);
            assert!(cold.0 > 0 && cold.1 > 0, "nothing is counted");
            assert_eq!(lap(&mut game), (0, 0), "{}, {body:?}", level.name);
        }
    }
}

#[test]
fn a_warm_frame_of_the_third_person_view_allocates_nothing() {
    for level in levels() {
        let inputs = inputs(&level, PLAYER);
        let mut game = Game::start(&level, &Start::Default, PLAYER).unwrap();
        let start = game.players[0].actor.state;
        let (mut visibility, mut frame) = (Visibility::default(), Frame::default());
        let mut person = Person::new().unwrap();
        let mut lap = |game: &mut Game| {
            game.players[0].actor.state = start;
            (game.players[0].yaw, game.players[0].pitch) = (0.0, 0.0);
            let mut allocations = 0;
            for input in &inputs {
                game.players[0].look(3.0, 0.0);
                game.tick(&level, &[*input]);
                let view = || {
                    let seen = game.third_person(&level, 0, 1.0, 70.0, 1.6);
                    let (camera, world) = (&seen.camera, game.world());
                    flood(&level, world, camera, &mut visibility);
                    let rooms = &visibility.rooms;
                    frame::compose(
                        &level,
                        world,
                        camera,
                        &visibility.seen_by(camera),
                        &mut frame,
                    );
                    person.add_to((&level, world), &seen, camera, rooms, &mut frame);
                };
                allocations += allocation_counter::measure(view).count_total;
            }
            allocations
        };
        assert!(lap(&mut game) > 0, "nothing is counted");
        lap(&mut game);
        assert_eq!(lap(&mut game), 0, "{}", level.name);
    }
}

/// Players walk through the workshop and throw its bodies around, from the same start several times.
#[test]
fn a_warm_tick_among_bodies_allocates_nothing() {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("levels/workshop.glb");
    let level = load(&path).unwrap().0;
    for players in [1, 2] {
        let mut game = Game::start(&level, &Start::Default, PLAYER).unwrap();
        for _ in 1..players {
            game.add_player(&level, &Start::Default, PLAYER).unwrap();
        }
        let start = game.players[0].actor.state;
        let bodies = game.world().bodies.iter();
        let present = bodies.filter(|(_, state)| state.is_present);
        let ids: Vec<_> = present.map(|(id, _)| id).collect();
        let states: Vec<_> = ids
            .iter()
            .map(|id| *game.world().bodies.state(*id))
            .collect();
        let mut lap = || {
            for player in &mut game.players {
                player.actor.state = start;
                (player.yaw, player.pitch) = (0.0, 0.0);
            }
            for (id, state) in ids.iter().zip(&states) {
                game.set_body(*id, *state);
            }
            let mut rng = Rng::new(4);
            let mut inputs = vec![Input::default(); players];
            let mut allocations = 0;
            for tick in 0..900 {
                for (player, input) in game.players.iter_mut().zip(&mut inputs) {
                    if tick % 30 == 0 {
                        input.forward = rng.between(-1.0, 1.0);
                        input.right = rng.between(-1.0, 1.0);
                    }
                    input.grab = tick % 50 == 0;
                    player.look(rng.between(-4.0, 4.0), 0.0);
                }
                allocations +=
                    allocation_counter::measure(|| game.tick(&level, &inputs)).count_total;
            }
            allocations
        };
        assert!(lap() > 0, "nothing is counted");
        // Two laps for each player: the state of doors, triggers and hands carries over from lap to lap, and each
        // buffer grows until it has had its largest content.
        for _ in 1..2 * players {
            lap();
        }
        assert_eq!(lap(), 0, "{players} players");
    }
}

/// The replay ring of the last minute reuses its memory once it is full.
#[test]
fn a_warm_ring_of_the_last_minute_allocates_nothing() {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("levels/workshop.glb");
    let level = load(&path).unwrap().0;
    let mut game = Game::start(&level, &Start::Default, PLAYER).unwrap();
    let (mut ring, mut rng) = (ReplayRing::default(), Rng::new(4));
    let mut input = Input::default();
    let mut lap = |ticks: usize| {
        let mut allocations = 0;
        for tick in 0..ticks {
            if tick % 30 == 0 {
                input.forward = rng.between(-1.0, 1.0);
                input.right = rng.between(-1.0, 1.0);
            }
            input.grab = tick % 50 == 0;
            game.players[0].look(rng.between(-4.0, 4.0), 0.0);
            let add = || ring.add_tick(&level, &game, &[input]);
            allocations += allocation_counter::measure(add).count_total;
            game.tick(&level, &[input]);
        }
        allocations
    };
    assert!(lap(4300) > 0, "nothing is counted");
    assert_eq!(lap(1300), 0);
}

/// A level as JSON text: a room whose floor is a mesh of `parts` primitives in a node called `name`, and `nodes` nodes
/// that share a mesh of `empty` primitives without positions.
fn level_text(name: &str, parts: usize, empty: usize, nodes: usize) -> String {
    let list = |item: &str, count: usize| vec![item; count].join(",");
    // Three corners at the origin.
    let buffer = format!("data:;base64,{}", "A".repeat(48));
    let shown: Vec<String> = (0..nodes).map(|i| (i + 3).to_string()).collect();
    let children = [&["1".to_owned(), "2".to_owned()], &shown[..]]
        .concat()
        .join(",");
    format!(
        r#"{{"asset":{{"version":"2.0"}},"scenes":[{{"nodes":[0]}}],
        "nodes":[{{"name":"a-room","children":[{children}]}},{{"name":"player-spawn"}},
            {{"name":"{name}","mesh":0}}{}{}],
        "meshes":[{{"primitives":[{}]}},{{"primitives":[{}]}}],
        "accessors":[{{"bufferView":0,"componentType":5126,"type":"VEC3","count":3}}],
        "bufferViews":[{{"buffer":0,"byteLength":36}}],
        "buffers":[{{"byteLength":36,"uri":"{buffer}"}}]}}"#,
        if nodes > 0 { "," } else { "" },
        list(r#"{"name":"n","mesh":1}"#, nodes),
        list(r#"{"attributes":{"POSITION":0}}"#, parts),
        list(r#"{"attributes":{}}"#, empty.max(1)),
    )
}

/// Regression test: a file of 401 kB used to request a gigabyte, and a file of 135 kB two gigabytes.
#[test]
fn a_small_file_asks_for_little_memory() {
    let materials = format!(r#"{{"materials":[{{}}{}],"#, ",{}".repeat(200_000));
    for (what, text) in [
        (
            "one long name for many parts",
            level_text(&"x".repeat(100_000), 10_000, 0, 0),
        ),
        (
            "a name that is just not too long",
            level_text(&"x".repeat(1000), 10_000, 0, 0),
        ),
        (
            "many empty parts in many nodes",
            level_text("floor", 1, 3000, 3000),
        ),
        (
            "many empty materials",
            level_text("floor", 1, 0, 0).replacen('{', &materials, 1),
        ),
    ] {
        let mut problems = 0;
        let used = allocation_counter::measure(|| {
            let (Ok((_, found)) | Err(found)) = load_bytes(what, text.as_bytes());
            problems = found.to_string().len();
        });
        assert!(
            problems > 0 && problems < 100_000,
            "{what}: {problems} bytes of messages"
        );
        let most = 100 << 20;
        assert!(
            used.bytes_max < most,
            "{what}: {} bytes of {}",
            used.bytes_max,
            text.len()
        );
    }
}

#[test]
fn a_body_that_leaves_all_rooms_and_is_put_back_allocates_nothing() {
    let mut sketch = Sketch::new("cell");
    let hole = cuboid([0., 0., -4.], [4., 0., 4.]);
    let cell = sketch.box_room("cell", cuboid([-4., 0., -4.], [4., 3., 4.]), &[hole]);
    sketch.spawn(cell, DVec3::new(-1.0, 0.1, 0.0), DVec3::X);
    let level = build(sketch.source).unwrap().0;
    let mut game = Game::start(&level, &Start::Default, PLAYER).unwrap();
    let forward = Input {
        forward: 1.0,
        ..Input::default()
    };
    let mut lap = || {
        let (mut allocations, mut events) = (0, 0);
        for _ in 0..600 {
            let tick = || game.tick(&level, &[forward]);
            allocations += allocation_counter::measure(tick).count_total;
            events += game.events.len();
        }
        (allocations, events)
    };
    let (cold, _) = lap();
    let (warm, events) = lap();
    assert!(cold > 0 && events > 5, "{cold}, {events}");
    assert_eq!(warm, 0);
}

/// Drawing and recording without a driver: only allocations of wgpu and of the engine are counted.
#[cfg(feature = "window")]
mod drawing {
    use opendoor::author::grid_glb;
    use opendoor::frame::{self, Frame};
    use opendoor::geometry::Rigid;
    use opendoor::gpu::{Gpu, Offscreen, Overlay, RenderQuality, Renderer};
    use opendoor::level::{At, Level, RoomId};
    use opendoor::lighting::{Lighting, lightmap};
    use opendoor::load::load_bytes;
    use opendoor::map::Plan;
    use opendoor::overlay::{OverlayContents, PlanView};
    use opendoor::visibility::{Camera, VisibleRoom, VisibleSet};
    use opendoor::world::World;

    const SIZE: [u32; 2] = [64, 32];

    fn rooms(level: &Level, count: usize) -> Vec<VisibleRoom> {
        let ids = level.room_ids().take(count);
        ids.map(|room| VisibleRoom::unclipped(room, Rigid::IDENTITY))
            .collect()
    }

    fn camera(level: &Level) -> Camera {
        let eye = level.room(RoomId(0)).bounds.centre();
        Camera::new(At::new(RoomId(0), eye), [30.0, -10.0], 70.0, 2.0)
    }

    /// Creates a device, and a renderer of the level on it.
    fn renderer(level: &Level, world: &World) -> (Gpu, Lighting, Renderer) {
        let gpu = Gpu::open_noop().unwrap();
        let lighting = Lighting::new(level, world, lightmap::flat(level));
        let quality = RenderQuality::default();
        let renderer = Renderer::new(&gpu, Offscreen::FORMAT, level, &lighting, quality);
        (gpu, lighting, renderer.unwrap())
    }

    #[test]
    fn a_warm_picture_allocates_no_more_for_fifty_rooms_than_for_five() {
        let level = load_bytes("grid", &grid_glb(8, 8)).unwrap().0;
        let world = World::of(&level);
        let (gpu, lighting, mut renderer) = renderer(&level, &world);
        let picture = Offscreen::new(&gpu, SIZE).unwrap();
        let mut drawn = |count| {
            let mut frame = Frame::default();
            let rooms = rooms(&level, count);
            let camera = camera(&level);
            let visible = VisibleSet {
                camera: &camera,
                rooms: &rooms,
                follows_portals: true,
            };
            frame::compose(&level, &world, &camera, &visible, &mut frame);
            let mut draw = || {
                let draw = || {
                    picture.draw(&gpu, |encoder, target| {
                        renderer.draw(&gpu, encoder, &lighting, &frame, target)
                    });
                };
                let allocations = allocation_counter::measure(draw).count_total;
                picture.wait(&gpu).unwrap();
                allocations
            };
            let cold = draw();
            // The first frame without new data may still release old data.
            let warm = (0..8).map(|_| draw()).min().unwrap_or(cold);
            (cold, warm)
        };
        let ((cold, few), (_, many)) = (drawn(5), drawn(50));
        assert!(few > 0 && few < cold, "nothing is counted");
        // The lists in which wgpu records a frame's commands double in capacity from time to time. Ten times the
        // commands need some three more doublings of each list; one allocation per room would add 45.
        assert!(many < few + 15, "{few} for five rooms, {many} for fifty");
    }

    #[test]
    fn an_unchanged_overlay_allocates_nothing() {
        let level = load_bytes("grid", &grid_glb(3, 3)).unwrap().0;
        let (plan, world) = (Plan::of(&level), World::of(&level));
        let contents = OverlayContents {
            text: "figures",
            message: "a message",
            title: "a title",
            crosshair: true,
            plan: Some(PlanView {
                plan: &plan,
                level: &level,
                world: &world,
                camera: &camera(&level),
                visible: &rooms(&level, 4),
            }),
        };
        let gpu = Gpu::open_noop().unwrap();
        let mut overlay = Overlay::new(&gpu, Offscreen::FORMAT);
        let mut set = || {
            let set = || overlay.set_contents(&gpu, SIZE, 1.0, &contents);
            allocation_counter::measure(set).count_total
        };
        assert!(set() > 0, "nothing is counted");
        assert_eq!(set(), 0);
    }
}
