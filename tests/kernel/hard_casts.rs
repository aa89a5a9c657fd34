//! Single casts that other engines got wrong, with their answers computed by hand or in exact arithmetic. A fraction is
//! the part of the motion up to the contact.

mod far;
mod floors;
mod slender;
mod straight;

pub(crate) use far::{large_floors, six_kilometres, ten_kilometres};
pub(crate) use floors::{floor_edge_and_wall, missed_by_closest_points};
pub(crate) use slender::{beside_a_sliver, needle, ordinary_corner, top_of_a_wall};
pub(crate) use straight::{FLAT, edge_on, face_on, head_on, tiny_step_edge_on};

use crate::cast::Cast;
use crate::double::Double;
use crate::oracle::contact;

/// A cast and its answer: the fraction, or `None` for a miss.
pub(crate) type Case = (Cast, Option<f64>);

/// Allowed error of a contact's position, metres.
const TOLERANCE: f64 = 1e-5;

fn assert_near(cast: &Cast, found: Option<f64>, fraction: Option<f64>) {
    match (found, fraction) {
        (Some(found), Some(fraction)) => {
            let wrong = found - fraction * cast.length;
            assert!(wrong.abs() < TOLERANCE, "off by {wrong} m: {cast:?}");
        }
        _ => assert_eq!(found.is_some(), fraction.is_some(), "{cast:?}"),
    }
}

fn assert_answers(cases: impl IntoIterator<Item = Case>) {
    for (cast, fraction) in cases {
        assert_near(&cast, cast.sweep().map(|hit| hit.distance), fraction);
    }
}

/// All of these casts.
pub(crate) fn all() -> Vec<Case> {
    [
        face_on(),
        head_on(),
        edge_on(),
        tiny_step_edge_on(),
        top_of_a_wall(),
        beside_a_sliver(),
        needle(),
        ordinary_corner(),
        ten_kilometres(),
        six_kilometres(),
        large_floors(),
        floors::walking(),
        missed_by_closest_points(),
        floor_edge_and_wall(),
    ]
    .concat()
}

#[test]
fn the_oracle_finds_the_same_answers() {
    for (cast, fraction) in all() {
        for found in [contact::<f64>(&cast), contact::<Double>(&cast)] {
            let found = found.map(|contact| contact.distance);
            assert_near(&cast, found, fraction);
        }
    }
}
