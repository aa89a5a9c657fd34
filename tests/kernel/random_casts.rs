//! Random casts against the oracle.

use opendoor::collision::SweepHit;

use crate::cast::Cast;
use crate::classes::{CLASSES, Class};
use crate::double::Double;
use crate::oracle::{Expected, expected, separation};
use crate::random::Random;

/// Allowed difference from the oracle's contact, metres, and from its normal.
const TOLERANCE: f64 = 1e-5;

/// Every 64th cast is checked in `Double`; the others only if the f64 check fails.
const EXACT_EVERY: usize = 64;

/// Checks an answer against the allowed answers; the error describes the difference.
fn check(cast: &Cast, hit: Option<SweepHit>, expected: &Expected) -> Result<(), String> {
    let Some(hit) = hit else {
        return match expected {
            Expected::Hit(contact) => Err(format!("misses {contact:?}")),
            _ => Ok(()),
        };
    };
    if !(0.0..=cast.length).contains(&hit.distance) {
        return Err(format!("{hit:?} is not on the way"));
    }
    let (distance, normal) = match expected {
        Expected::Hit(contact) => (contact.distance - hit.distance, contact.normal),
        Expected::Miss => return Err(format!("{hit:?} is no hit")),
        Expected::Either => {
            let (distance, normal) = separation::<Double>(cast.corners, cast.at(hit.distance));
            (distance - cast.radius, normal)
        }
    };
    let turned = (hit.normal - normal).length();
    // The comparisons are false for NaN.
    if distance.abs() <= TOLERANCE && turned <= TOLERANCE {
        Ok(())
    } else {
        Err(format!(
            "{hit:?} is off by {distance} m, {turned}, from {expected:?}"
        ))
    }
}

/// The numbers of casts that must hit, that must miss, and that may do either.
#[derive(Debug, Default)]
struct Tally {
    hits: usize,
    misses: usize,
    either: usize,
}

/// Checks `count` random casts of a class; `Err` describes the first wrong answer.
fn check_class(class: &Class, count: usize) -> Result<(), String> {
    let mut random = Random::new(2001);
    let mut tally = Tally::default();
    for i in 0..count {
        let cast = (class.cast)(&mut random);
        let hit = cast.sweep();
        let mut right = expected::<f64>(&cast);
        let mut verdict = check(&cast, hit, &right);
        if verdict.is_err() || i % EXACT_EVERY == 0 {
            right = expected::<Double>(&cast);
            verdict = check(&cast, hit, &right);
        }
        verdict.map_err(|fault| format!("{}, cast {i}: {fault}\n{cast:?}", class.name))?;
        match right {
            Expected::Hit(_) => tally.hits += 1,
            Expected::Miss => tally.misses += 1,
            Expected::Either => tally.either += 1,
        }
    }
    let part = |n: usize| n as f64 / count as f64;
    if part(tally.hits) < class.least[0] || part(tally.misses) < class.least[1] {
        return Err(format!("{} shows little: {tally:?}", class.name));
    }
    Ok(())
}

/// The failures of all classes, which run in parallel.
fn faults(count: usize) -> Vec<String> {
    std::thread::scope(|scope| {
        let run = |class| scope.spawn(move || check_class(class, count));
        let running = CLASSES.each_ref().map(run);
        let ended = running.map(|thread| thread.join().expect("a verdict"));
        ended.into_iter().filter_map(Result::err).collect()
    })
}

#[test]
fn random_casts_of_every_class_touch_where_the_oracle_says() {
    assert_eq!(faults(20_000), Vec::<String>::new());
}

#[test]
#[ignore = "a minute unless optimised; .ci/test runs it"]
fn a_million_random_casts_of_every_class_touch_where_the_oracle_says() {
    assert_eq!(faults(1_000_000), Vec::<String>::new());
}
