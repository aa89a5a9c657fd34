//! Time of one tick in furnished rooms, and whether it grows with their number.

use criterion::{Criterion, criterion_group, criterion_main};
use opendoor::game::{Game, Input};
use opendoor::level::{Level, grid_glb, load_bytes};

/// A walk that turns every second, into walls and furniture and out again.
fn wander(level: &Level, game: &mut Game, ticks: u64) {
    for _ in 0..ticks {
        if game.tick.is_multiple_of(60) {
            game.yaw = (game.tick * 37 % 360) as f64;
        }
        let input = Input {
            forward: 1.0,
            ..Input::default()
        };
        game.tick(level, &input);
    }
}

fn ticks(criterion: &mut Criterion) {
    let mut group = criterion.benchmark_group("600 ticks");
    for side in [4, 128] {
        let glb = grid_glb(side, side);
        let (level, _) = load_bytes("grid", &glb).expect("a generated level is good");
        let mut game = Game::new(&level).expect("a generated level has a spawn");
        group.bench_function(format!("{} rooms", side * side), |bencher| {
            bencher.iter(|| wander(&level, &mut game, 600));
        });
    }
    group.finish();
}

criterion_group!(benches, ticks);
criterion_main!(benches);
