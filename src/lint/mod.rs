//! Checks of a built level beyond those of the build, for example for holes in rooms, portals that do not fit, rooms
//! that overlap, and movers that pass through walls. None of these problems makes a level unusable. The checks take
//! longer than loading, so they run only on request.

mod alike;
mod astray;
mod bodies;
mod clear;
mod copies;
mod coplanar;
mod corners;
mod covers;
mod cracks;
mod edges;
mod elsewhere;
mod empty;
mod facing;
mod facing_report;
mod findings;
mod fixing;
mod holes;
mod inspection;
mod joined_holes;
mod later;
mod lights;
mod misfits;
mod missing_faces;
mod movers;
mod nodes;
mod openings;
mod panels;
mod panes;
mod pieces;
mod reach;
mod reveals;
mod rims;
mod room_meshes;
mod rooms;
mod sanity;
mod scene;
mod scenes;
mod selection;
mod shapes;
mod sheets;
mod shown;
mod space;
mod suppress;
mod surfaces;
mod table;
mod turned;
mod up_axis;
mod walking;

use crate::level::Level;
use crate::problems::Problems;
use crate::source::LevelSource;
pub use bodies::check_bodies;
use findings::{LintReport, put_back, take};
pub use fixing::{Fixed, fix, fix_bytes};
pub use inspection::{Inspection, explain, inspect, inspect_bytes, inspect_source};
pub use movers::check_movers;
use rooms::CheckedRooms;
use suppress::{Context, suppress};
use table::{MERGES, TABLE};
pub use walking::check_walking;

/// Adds the problems that the build does not find, and removes all problems that follow from others. `level` is `None`
/// if it could not be built. `source` is the source that it was built from, with its rooms sorted as the build leaves
/// them.
pub(crate) fn check(level: Option<&Level>, source: &LevelSource, problems: &mut Problems) {
    let mut findings = take(problems);
    findings.extend(level.into_iter().flat_map(movers::findings));
    let level = level.map(|level| &**level);
    nodes::resolve(level, source, &mut findings);
    let rooms = level.map(|level| CheckedRooms::of(level, source));
    if let Some(rooms) = &rooms {
        let of_build = findings.len();
        let mut report = LintReport {
            level: rooms.level,
            source,
            findings,
            of_build,
        };
        checks(rooms, &mut report);
        findings = report.findings;
    }
    selection::report(&mut findings);
    let context = Context {
        level,
        source,
        rooms: rooms.as_ref(),
    };
    suppress(&context, (TABLE, MERGES), &mut findings);
    put_back(findings, problems);
}

/// Adds the findings of all checks.
fn checks(rooms: &CheckedRooms, report: &mut LintReport) {
    surfaces::report(rooms, report);
    space::report(rooms, report);
    empty::report(rooms, report);
    copies::report(rooms, report);
    reach::report(report);
    sanity::report(rooms, report);
    lights::report(rooms, report);
    clear::report(report);
    astray::report(report);
    panes::report(rooms, report);
    up_axis::report(report);
    // Checks that read the findings of other checks come last.
    elsewhere::report(report);
    rims::report(report);
}
