//! Loads the input as a level: a JSON text, then a zero byte and the binary chunk. Imports and checks the level, walks
//! in it and computes views. An input without a zero byte is a .gltf with embedded buffers.
#![no_main]

use libfuzzer_sys::fuzz_target;
use opendoor::game::{Game, Input, PLAYER, Start};
use opendoor::gltf::read_source_bytes;
use opendoor::lint::inspect_source;
use opendoor::motion::Workspace;
use opendoor::visibility::{Visibility, flood};
use opendoor_fuzz::glb;

/// Ticks that a player walks in a level that can be loaded.
const TICKS: u64 = 8;

fuzz_target!(|bytes: &[u8]| {
    let file = match bytes.iter().position(|byte| *byte == 0) {
        Some(end) => glb(&bytes[..end], &bytes[end + 1..]),
        None => bytes.to_vec(),
    };
    let Ok((source, _)) = read_source_bytes("fuzzed", &file) else {
        return;
    };
    let Ok(level) = inspect_source(source).level else {
        return;
    };
    let Ok(mut game) = Game::start(&level, &Start::Default, PLAYER) else {
        return;
    };
    for tick in 0..TICKS {
        let input = Input {
            forward: 1.0,
            jump: tick == 2,
            interact: tick == 4,
            ..Input::default()
        };
        game.tick(&level, &[input]);
    }
    let feet = game.players[0].feet(&level).0;
    assert!(feet.is_finite(), "{feet}");
    let collision = game.collision(&level);
    let eye = game.players[0].eye(&collision, 0.5, &mut Workspace::default());
    let camera = eye.camera(70.0, 1.5);
    flood(&level, game.world(), &camera, &mut Visibility::default());
});
