//! The rooms of a hall that are visible to a camera above or near a pit: rays are the oracle.

use glam::{DVec2, DVec3};
use opendoor::build::build;
use opendoor::level::{At, AuthorPoint, locate};
use opendoor::rng::Rng;
use opendoor::visibility::{Camera, Visibility, flood};
use opendoor::world::World;

use super::halls::{NAMES, hall};
use super::votes::Soup;

/// Number of views of each hall.
const EYES: usize = 12;
const RAYS: usize = 60;

/// Number of points at which each ray is tested. A ray must stay inside rooms up to its hit, because no room is visible
/// through the sky.
const PLACES: usize = 40;

/// The number of rays that hit a wall, and the rays whose wall belongs to a room that is not listed.
fn lost_in(seeds: std::ops::Range<u64>) -> (usize, Vec<String>) {
    let (mut met, mut lost) = (0, Vec::new());
    let mut visibility = Visibility::default();
    for seed in seeds {
        let (source, is_air_of) = hall(seed, 1.0, DVec3::ZERO);
        // A hall without a valid spawn is not a level.
        let Ok((level, _)) = build(source) else {
            continue;
        };
        let air_at = |point: DVec3| is_air_of(level.to_author(point).0);
        let (soup, world) = (Soup::of(&level), World::of(&level));
        let mut rng = Rng::new(seed);
        let bounds = level.rooms.iter().map(|room| room.bounds);
        let bounds = bounds.reduce(|a, b| a.union(b)).unwrap();
        let floor = level.from_author(AuthorPoint(DVec3::ZERO)).y;
        for _ in 0..EYES {
            let part = DVec3::from_array([0; 3].map(|_| rng.between(0.0, 1.0)));
            let mut eye = bounds.min + (bounds.max - bounds.min) * part;
            eye.y = floor + rng.between(-0.2, 1.8);
            let Some(room) = locate(&level, eye) else {
                continue;
            };
            // Inside of a post no room is visible.
            if air_at(eye).is_none() || soup.is_behind(eye) {
                continue;
            }
            let angles = [rng.between(-180.0, 180.0), rng.between(-80.0, 40.0)];
            let camera = Camera::new(At::new(room, eye), angles, 80.0, 1.5);
            flood(&level, &world, &camera, &mut visibility);
            let tan_half = DVec2::from_array(camera.tan_half());
            for _ in 0..RAYS {
                let [x, y] = [0; 2].map(|_| rng.between(-1.0, 1.0));
                let ray =
                    (camera.axes * (tan_half * DVec2::new(x, y)).extend(-1.0)).normalize_or_zero();
                let Some((distance, seen)) = soup.seen(eye, ray) else {
                    continue;
                };
                let mut places = (1..PLACES).map(|i| distance * i as f64 / PLACES as f64);
                if !places.all(|at| air_at(eye + ray * at).is_some()) {
                    continue;
                }
                met += 1;
                if visibility.rooms.iter().all(|listed| listed.room != seen) {
                    let names = [room, seen].map(|id| level.room(id).name.as_str());
                    let air = air_at(eye).map(|room| NAMES[room]);
                    lost.push(format!(
                        "hall {seed}: {names:?} from {eye} in the {air:?}, along {ray}"
                    ));
                }
            }
        }
    }
    (met, lost)
}

/// Regression test: a camera above the floor was located in the pit, and saw only the part of the hall that is visible
/// through a portal behind it.
#[test]
fn an_eye_over_a_pit_or_near_it_sees_all_rooms_of_the_hall() {
    let (met, lost) = lost_in(100..140);
    assert!(met > 5_000, "{met}");
    assert!(lost.is_empty(), "{} of {met}: {lost:#?}", lost.len());
}
