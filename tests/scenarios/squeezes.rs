//! Bodies among doors, lifts, walls and ceilings that move at random: for any calls at any time, no body loses its gap,
//! leaves the level, or passes through anything.

mod drawn;
mod hall;
mod run;

use opendoor::motion::MoveCommand;

use crate::rng::Rng;
use hall::Hall;
use run::Squeeze;

/// Number of halls of a plain run.
const HALLS: u64 = 40;
/// Number of halls of a long run.
const MANY_HALLS: u64 = 5_000;
/// Ticks of each hall.
const TICKS: usize = 200;

/// Plays a hall. Returns the body ticks, the body ticks that ride a mover, and the number of blocked movers; or the
/// first error.
fn play(seed: u64, ticks: usize) -> Result<[usize; 3], String> {
    let mut rng = Rng::new(seed.wrapping_mul(0x2545_f491_4f6c_dd1d));
    let hall = Hall::new(&mut rng);
    let mut squeeze = Squeeze::new(&hall, &mut rng);
    let mut commands = vec![MoveCommand::default(); squeeze.actors.len()];
    for tick in 0..ticks {
        squeeze.call(&mut rng);
        for command in &mut commands {
            if rng.below(30) == 0 {
                let speed = [0.0, 1.0, 4.0, 8.0][rng.below(4)];
                command.wish = rng.cube().with_y(0.0).normalize_or_zero() * speed;
            }
            command.jump = rng.below(40) == 0;
        }
        if let Some(fault) = squeeze.tick(&commands) {
            return Err(format!("seed {seed}, tick {tick}: {fault}"));
        }
    }
    Ok([
        ticks * squeeze.actors.len(),
        squeeze.ridden,
        squeeze.blocked,
    ])
}

fn play_all(seeds: std::ops::Range<u64>) {
    let (mut faults, mut done) = (Vec::new(), [0; 3]);
    for seed in seeds.clone() {
        match play(seed, TICKS) {
            Ok(counts) => (0..3).for_each(|i| done[i] += counts[i]),
            Err(fault) => faults.push(fault),
        }
    }
    let [ticks, ridden, blocked] = done;
    let some = faults.len().min(40);
    assert!(
        faults.is_empty(),
        "{} halls: {:#?}",
        faults.len(),
        &faults[..some]
    );
    let halls = (seeds.end - seeds.start) as usize;
    assert!(ticks > TICKS * halls && ridden > 5 * halls && blocked > halls / 4);
}

#[test]
fn no_body_among_movers_loses_its_gap_or_passes_through_anything() {
    play_all(0..HALLS);
}

#[test]
#[ignore = "two million ticks of random squeezes: a minute in release"]
fn no_body_among_movers_loses_its_gap_in_a_million_ticks() {
    play_all(HALLS..HALLS + MANY_HALLS);
}

/// Regression test: a body in a wedge of movers was pushed back and forth, and ended deeper in the wedge than it had
/// been.
#[test]
fn a_body_with_a_reduced_gap_in_a_wedge_loses_no_more_of_it() {
    assert_eq!(play(104_292, TICKS).err(), None);
}

/// A mover that has turned a full turn is vertical except for rounding. Regression test: a capsule sank into the edges
/// of such a mover.
#[test]
fn a_capsule_meets_a_mover_that_leans_by_rounding_alone() {
    assert_eq!(play(938, TICKS).err(), None);
}

/// Regression test: the mover below carried a body faster than the body's own velocity, past the triangles gathered
/// around the body.
#[test]
fn a_body_that_lands_on_a_much_faster_mover_passes_through_nothing() {
    for seed in [732, 1224] {
        assert_eq!(play(seed, TICKS).err(), None, "{seed}");
    }
}
