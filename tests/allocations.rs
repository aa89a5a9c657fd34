//! A warm tick allocates nothing, nor do a warm view and the frame composed of it.
#![expect(
    clippy::unwrap_used,
    reason = "a helper of a test fails the test by panicking"
)]

use std::path::Path;

use opendoor::frame::{self, Frame};
use opendoor::game::{CHARACTER, Game, Input, PLAYER, Start, Wander};
use opendoor::level::{Level, grid_glb, load, load_bytes};
use opendoor::motion::{Body, Gait};
use opendoor::visibility::{Visibility, flood};

const TICKS: usize = 2000;

fn levels() -> Vec<Level> {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("levels/house.glb");
    let house = load(&path).unwrap().0;
    let grid = load_bytes("grid", &grid_glb(4, 4)).unwrap().0;
    vec![house, grid]
}

/// What a random walk presses, and the doors that it leaves open.
fn inputs(level: &Level, body: Body) -> Vec<Input> {
    let mut game = Game::start(level, &Start::Default, body).unwrap();
    let mut wander = Wander::new(7);
    (0..TICKS)
        .map(|_| {
            let input = wander.next(level, &mut game);
            game.tick(level, &input);
            input
        })
        .collect()
}

#[test]
fn a_warm_tick_and_a_warm_frame_allocate_nothing() {
    let capsule = Body {
        axis: 1.1,
        ..PLAYER
    };
    let heedful = Body {
        gait: Gait {
            max_drop: 0.3,
            ..PLAYER.gait
        },
        ..capsule
    };
    for level in levels() {
        for body in [CHARACTER, PLAYER, capsule, heedful] {
            let inputs = inputs(&level, body);
            let mut game = Game::start(&level, &Start::Default, body).unwrap();
            let start = game.state;
            let (mut visibility, mut frame) = (Visibility::default(), Frame::default());
            let mut lap = |game: &mut Game| {
                let (mut in_ticks, mut in_views) = (0, 0);
                game.state = start;
                for input in &inputs {
                    in_ticks +=
                        allocation_counter::measure(|| game.tick(&level, input)).count_total;
                    let view = || {
                        let camera = game.camera(&level, 1.0, 70.0, 1.6);
                        flood(&level, &game.open, &camera, &mut visibility);
                        let rooms = &visibility.rooms;
                        frame::compose(&level, &game.open, &camera, rooms, &mut frame);
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
