//! The house's stairs and the stations of the proving ground, which are listed in a table at the top of
//! `levels/proving-ground.py`.

use std::path::Path;

use opendoor::game::{CHARACTER, Input, Start};
use opendoor::level::Level;
use opendoor::load::load;
use opendoor::testing::{Tour, parse};

use crate::common::{FORWARD, Playtest, STANDING, v};

fn level(name: &str) -> Level {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("levels");
    load(&folder.join(name)).unwrap().0
}

fn at_station<'a>(level: &'a Level, spawn: &str) -> Playtest<'a> {
    Playtest::start(level, &Start::Spawn(format!("{spawn}-spawn")))
}

/// Height of the lowest point of the body minus its gap, metres.
fn feet(playtest: &Playtest) -> f64 {
    playtest.centre().y - STANDING
}

#[test]
fn the_body_climbs_the_stairs_of_the_house_and_comes_down_again() {
    let level = level("house.glb");
    let mut playtest = Playtest::start(&level, &Start::Default);
    let mut walk_to = |script: &str| {
        let mut tour = Tour::new(&level, parse(script).unwrap()).unwrap();
        while let Some(input) = tour.next(&level, &mut playtest.game) {
            playtest.tick(&input);
        }
        assert!(tour.legs.iter().all(|leg| leg.ok), "{script}");
        (feet(&playtest), playtest.room().to_owned())
    };
    let (bottom, _) = walk_to("goto 1.5 4.4\ngoto 4.3 2.7\ngoto 4.3 0.78");
    assert!(bottom.abs() < 0.01, "{bottom}");
    let (top, _) = walk_to("goto -3.8 0.78\nwait 0.5");
    assert!((top - 3.4).abs() < 0.01, "{top}");
    let (upstairs, room) = walk_to("goto -3.8 -1.65");
    assert!(
        (upstairs - 3.4).abs() < 0.01 && room == "gallery",
        "{upstairs} {room}"
    );
    let (bottom, room) = walk_to("goto -3.8 0.78\ngoto 4.3 0.78\nwait 0.5");
    assert!(bottom.abs() < 0.01 && room == "hall", "{bottom} {room}");
    let (cellar, _) = walk_to(
        "goto 4.3 2.7\ngoto -4 3.15\nopen hall*kitchen-portal\nwait 1\ngoto -6.2 3.15\n\
         goto -6.2 -2.4\ngoto -10.55 -3.7\nopen *cellar-stair-portal\nwait 1\n\
         goto -10.55 -6.05\ngoto -3.9 -6.05\nwait 0.5",
    );
    assert!((cellar + 3.06).abs() < 0.01, "{cellar}");
}

#[test]
fn climbs_stairs_of_up_to_a_quarter_of_a_metre() {
    let level = level("proving-ground.glb");
    for height in ["10", "15", "20", "25"] {
        let mut playtest = at_station(&level, &format!("stairs-{height}"));
        // Onto the landing, which ends at z = -42.
        for _ in 0..600 {
            if playtest.centre().z < -39.0 {
                break;
            }
            playtest.tick(&FORWARD);
        }
        playtest.stand(0.5);
        assert!(
            (feet(&playtest) - 3.0).abs() < 0.01,
            "{height}: {}",
            playtest.centre()
        );
    }
}

#[test]
fn a_body_on_a_ramp_rests_or_slips_according_to_its_material() {
    let level = level("proving-ground.glb");
    let frictions = [("ice", 0.0), ("tin", 0.3), ("wood", 0.7), ("rubber", 1.2)];
    let ramps = [
        (10, 37.82),
        (20, 45.13),
        (30, 47.67),
        (40, 49.02),
        (50, 49.90),
        (60, 50.56),
    ];
    for (row, (degrees, foot)) in (0u8..).zip(ramps) {
        for (strip, (name, friction)) in (0u8..).zip(frictions) {
            let slope = f64::from(degrees).to_radians().tan();
            let z = -21.0 + 7.5 * f64::from(row) + 1.5 * f64::from(strip);
            // Near the top, with the body's centre one radius off the slope.
            let (sin, cos) = f64::from(degrees).to_radians().sin_cos();
            let on = v(foot + 2.0 / slope, 2.0, z) + v(-sin, cos, 0.0) * (STANDING + 1e-4);
            let mut playtest = Playtest::at(&level, on);
            playtest.stand(0.15);
            let start = playtest.centre();
            playtest.stand(0.3);
            let slid = start.distance(playtest.centre());
            if slope < friction {
                assert!(slid < 1e-6, "{degrees} degrees of {name}: slid {slid}");
            } else {
                // From 0.15 s to 0.45 s at a constant acceleration.
                let expected = 9.81 * (sin - friction * cos) * 0.5 * (0.45 * 0.45 - 0.15 * 0.15);
                let off = (slid - expected).abs();
                assert!(
                    off < 0.03 + 0.05 * expected,
                    "{degrees} {name}: {slid} {expected}"
                );
            }
        }
    }
}

#[test]
fn a_body_stops_in_corners_at_the_exact_distance() {
    let level = level("proving-ground.glb");
    for (station, degrees, apex) in [("corner-30", 30.0, 28.4), ("corner-15", 15.0, 30.4)] {
        let mut playtest = at_station(&level, station);
        playtest.hold(&FORWARD, 6.0);
        let expected = apex - STANDING / f64::to_radians(degrees / 2.0).sin();
        let end = playtest.centre();
        assert!(
            (end.z - expected).abs() < 2e-3,
            "{station}: {end}, not {expected}"
        );
        playtest.hold(&FORWARD, 1.0);
        assert!(end.distance(playtest.centre()) < 1e-5, "{station} trembles");
    }
}

#[test]
fn passes_under_ceilings_that_it_fits_under() {
    let level = level("proving-ground.glb");
    for station in ["low-120", "low-90", "low-75"] {
        let mut playtest = at_station(&level, station);
        playtest.hold(&FORWARD, 4.5);
        assert_eq!(playtest.room(), "south", "{station}");
    }
}

#[test]
fn falls_on_the_thin_floor_and_stays_on_it() {
    let level = level("proving-ground.glb");
    let mut playtest = at_station(&level, "thin-floor");
    playtest.hold(&FORWARD, 1.0);
    playtest.stand(3.0);
    assert!(
        (feet(&playtest) - 3.0).abs() < 1e-3,
        "{}",
        playtest.centre()
    );
}

#[test]
fn the_drag_wall_slows_a_slide_that_plain_walls_do_not() {
    let level = level("proving-ground.glb");
    let along = |station: &str| {
        let mut playtest = at_station(&level, station);
        let start = playtest.centre();
        playtest.hold(&FORWARD, 2.0);
        (playtest.centre().x - start.x).abs()
    };
    let (plain, dragged) = (along("wall-30"), along("drag-wall"));
    assert!(plain > 4.0 && dragged < 0.85 * plain, "{plain} {dragged}");
}

#[test]
fn the_bouncing_pad_throws_the_body_back_up() {
    let level = level("proving-ground.glb");
    let mut playtest = at_station(&level, "bounce");
    playtest.hold(&FORWARD, 0.8);
    let mut landed = false;
    let mut highest = f64::NEG_INFINITY;
    for _ in 0..180 {
        playtest.tick(&Input::default());
        landed |= feet(&playtest) < 0.3;
        if landed {
            highest = highest.max(feet(&playtest));
        }
    }
    // From 5 m with 0.6 of the speed: 0.36 of the height.
    assert!((highest - 0.06 - 0.36 * 4.94).abs() < 0.2, "{highest}");
    assert!(playtest.game.players[0].actor.body == CHARACTER);
}
