//! Hard scenarios for a sphere in a triangle soup, in the form in which a player would meet them, swept over radii,
//! angles, speeds and starts. An independent oracle checks every tick, and every walk is repeated with the polygons
//! shuffled and with candidates from every room.
#![expect(
    clippy::unwrap_used,
    reason = "a helper of a test fails the test by panicking"
)]

mod actor;
mod beams;
mod bends;
mod capsules;
mod carried;
mod corners;
mod corridors;
mod dense;
#[path = "../sim/door_levels.rs"]
mod door_levels;
mod doors;
mod doorways;
mod falls;
mod figures;
mod floors;
mod funnels;
#[path = "../bodies/hall.rs"]
mod hall;
mod ledge_walks;
mod ledges;
#[expect(dead_code, reason = "only what moves is of use here")]
#[path = "../shared/lift.rs"]
mod lift;
mod metamorphic;
mod moving_rooms;
mod no_ledges;
mod offsets;
mod oracle;
mod page;
mod planes;
mod pressed;
mod pushed;
mod rides;
mod rings;
mod rng;
mod rooms;
mod runs;
mod shapes;
#[path = "../shared/mod.rs"]
mod shared;
mod slopes;
mod soups;
mod squeezes;
mod starts;
mod steps;
mod surfaces;
mod ticks;
mod walls;
mod wedges;
