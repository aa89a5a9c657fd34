//! Parses arbitrary text as a walk file, and walks the result for a second.
#![no_main]

use std::sync::LazyLock;

use libfuzzer_sys::fuzz_target;
use opendoor::author::grid_glb;
use opendoor::game::{Game, PLAYER};
use opendoor::level::Level;
use opendoor::load::load_bytes;
use opendoor::testing::{Tour, parse};

static LEVEL: LazyLock<Level> = LazyLock::new(|| {
    let (level, _) = load_bytes("grid.glb", &grid_glb(2, 1)).expect("it is good");
    level
});

/// Maximum ticks of a walk.
const TICKS: u64 = 60;

fuzz_target!(|text: &str| {
    let Ok(walk) = parse(text) else {
        return;
    };
    let body = walk.body.unwrap_or(PLAYER);
    let Ok(mut game) = Game::start(&LEVEL, &walk.start, body) else {
        return;
    };
    let Ok(mut tour) = Tour::new(&LEVEL, walk) else {
        return;
    };
    while let Some(input) = tour.next(&LEVEL, &mut game) {
        game.tick(&LEVEL, &[input]);
        if game.tick == TICKS {
            tour.cut_short(&LEVEL, &game);
            break;
        }
    }
    let feet = game.players[0].feet(&LEVEL).0;
    assert!(feet.is_finite(), "{feet}");
});
