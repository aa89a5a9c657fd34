//! Inputs that differ in their last bit give the same answer.

use crate::cast::Cast;
use crate::hard_casts::all;
use crate::random::Random;

/// The number of coordinates of a cast: corners, centre, motion.
pub(crate) const COORDINATES: usize = 15;

/// The cast with each coordinate moved to the next larger f64, the next smaller f64, or not at all.
pub(crate) fn moved(cast: &Cast, mut ways: impl FnMut(usize) -> i32) -> Cast {
    let mut motion = cast.direction * cast.length;
    let mut moved = *cast;
    let [a, b, c] = &mut moved.corners;
    for (i, point) in [a, b, c, &mut moved.centre, &mut motion]
        .into_iter()
        .enumerate()
    {
        for axis in 0..3 {
            point[axis] = match ways(3 * i + axis) {
                1 => point[axis].next_up(),
                -1 => point[axis].next_down(),
                _ => point[axis],
            };
        }
    }
    Cast::new(moved.corners, moved.radius, moved.centre, motion)
}

fn assert_same_answer(cast: &Cast, fraction: Option<f64>) {
    let found = cast.sweep().map(|hit| hit.distance / cast.length);
    assert_eq!(found.is_some(), fraction.is_some(), "{cast:?}");
    if let (Some(found), Some(fraction)) = (found, fraction) {
        assert!((found - fraction).abs() < 1e-5, "{found}: {cast:?}");
    }
}

#[test]
fn hits_stay_hits_and_misses_misses_when_coordinates_move_by_an_ulp() {
    let mut random = Random::new(20);
    for (cast, fraction) in all() {
        for coordinate in 0..COORDINATES {
            for way in [-1, 1] {
                let ways = |i| if i == coordinate { way } else { 0 };
                assert_same_answer(&moved(&cast, ways), fraction);
            }
        }
        for _ in 0..500 {
            let ways = |_| random.below(3) as i32 - 1;
            assert_same_answer(&moved(&cast, ways), fraction);
        }
    }
}
