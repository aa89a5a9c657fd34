//! The tables of `docs/benchmarks.md`.

use opendoor::motion::TICK_SECS;

use crate::NAMES;
use crate::judge::{TICKS, Verdict};
use opendoor_benches::table::{self, median, nanoseconds, reached};
use opendoor_benches::walk::SPEED;

/// A scene with the outcomes of the controllers of [`NAMES`].
pub(crate) struct Row {
    scene: String,
    /// The number of triangles, or the reason why the scene was skipped.
    triangles: Result<usize, String>,
    outcomes: [Option<Outcome>; NAMES.len()],
}

/// The outcome of a controller in a scene.
pub(crate) struct Outcome {
    /// Nanoseconds per tick, one value for each turn.
    pub(crate) times: Vec<f64>,
    pub(crate) verdict: Verdict,
}

impl Row {
    pub(crate) fn skipped(scene: &str, why: String) -> Self {
        Self {
            scene: scene.to_owned(),
            triangles: Err(why),
            outcomes: [const { None }; NAMES.len()],
        }
    }

    pub(crate) fn measured(
        scene: &str,
        triangles: usize,
        outcomes: [Option<Outcome>; NAMES.len()],
    ) -> Self {
        Self {
            scene: scene.to_owned(),
            triangles: Ok(triangles),
            outcomes,
        }
    }

    fn title(&self) -> String {
        match &self.triangles {
            Ok(triangles) => format!("{} ({triangles})", self.scene),
            Err(why) => format!("{} ({why})", self.scene),
        }
    }

    /// Our time as a fraction of the other controller's, the median over the turns.
    fn ratio(&self, other: usize) -> Option<f64> {
        let (ours, other) = (self.outcomes[0].as_ref()?, self.outcomes[other].as_ref()?);
        let turns = ours.times.iter().zip(&other.times);
        Some(median(turns.map(|(ours, other)| ours / other).collect()))
    }

    /// The largest allowed time of a tick, as a fraction of bvh-exact's.
    fn goal(&self) -> f64 {
        if self.scene == "empty room" {
            2.0 / 3.0
        } else {
            0.5
        }
    }
}

/// The largest allowed time of a tick on the bumpy floor, nanoseconds.
const BUMPY_GOAL: f64 = 6000.0;

/// Prints the measurements of every scene.
pub(crate) fn print(rows: &[Row]) {
    print_times(rows);
    print_ratios(rows);
    print_walks(rows);
}

fn print_times(rows: &[Row]) {
    let mut lines = vec![head(&["scene (triangles)"])];
    for row in rows {
        let mut line = vec![row.title()];
        line.extend(row.outcomes.iter().map(|outcome| {
            let time = |outcome: &Outcome| nanoseconds(median(outcome.times.clone()));
            outcome.as_ref().map_or("-".to_owned(), time)
        }));
        lines.push(line);
    }
    table::print("Nanoseconds per tick:", &lines);
}

fn print_ratios(rows: &[Row]) {
    let mut lines = vec![head(&["our tick as a fraction of"])];
    lines[0].remove(1);
    lines[0].extend(["goal, of bvh-exact", "reached"].map(String::from));
    for row in rows {
        let mut line = vec![row.scene.clone()];
        let ratios = (1..NAMES.len()).map(|other| row.ratio(other));
        line.extend(ratios.map(|r| r.map_or("-".to_owned(), |r| format!("{r:.3}"))));
        line.push(format!("{:.3}", row.goal()));
        let verdict = row.ratio(1).map(|ratio| reached(ratio <= row.goal()));
        line.push(verdict.unwrap_or("not measured".to_owned()));
        lines.push(line);
    }
    table::print("Our tick as a fraction of theirs, per turn:", &lines);
    for row in rows.iter().filter(|row| row.scene == "bumpy floor") {
        if let Some(ours) = &row.outcomes[0] {
            let time = median(ours.times.clone());
            let goal = vec![
                "on the bumpy floor".to_owned(),
                nanoseconds(time),
                nanoseconds(BUMPY_GOAL),
                reached(time < BUMPY_GOAL),
            ];
            let head = ["our tick, ns", "measured", "goal", "reached"].map(String::from);
            table::print("The bumpy floor:", &[head.to_vec(), goal]);
        }
    }
}

fn print_walks(rows: &[Row]) {
    let mut lines = vec![head(&["scene"])];
    for row in rows {
        let mut line = vec![row.scene.clone()];
        line.extend(row.outcomes.iter().map(|outcome| {
            let walk = |Outcome { verdict, .. }: &Outcome| {
                let deepest_mm = 1e3 * verdict.deepest;
                format!("{:.1}; {}; {deepest_mm:+.1}", verdict.way, verdict.stuck)
            };
            outcome.as_ref().map_or("-".to_owned(), walk)
        }));
        lines.push(line);
    }
    let wanted = SPEED * TICK_SECS * TICKS as f64;
    table::print(
        &format!(
            "Three numbers: the distance covered over the ground in metres, of {wanted:.1} m wanted; \
             the number of the {TICKS} ticks in which the controller stood still; and the greatest \
             depth in a triangle, mm, negative for a gap:"
        ),
        &lines,
    );
}

/// A table's head: the first columns, then the controllers.
fn head(first: &[&str]) -> Vec<String> {
    first.iter().chain(&NAMES).map(|s| s.to_string()).collect()
}
