//! The file of `play --report-place`: the position of the eye, for programs that follow it.

use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use opendoor::level::Level;
use opendoor::visibility::Camera;
use serde::Serialize;

use super::Error;
use super::messages::eprint_line;
use super::output::Output;

/// The minimum time between two writes.
const INTERVAL: Duration = Duration::from_millis(100);

/// The position and direction of the eye. Programs rely on the names.
#[derive(Debug, PartialEq, Serialize)]
struct ReportedEye<'a> {
    room: &'a str,
    /// Author's coordinates, metres.
    eye: [f64; 3],
    /// Degrees, as `shot --yaw --pitch` takes them.
    yaw: f64,
    pitch: f64,
}

/// A file that contains the last place and is always complete.
#[derive(Debug)]
pub(super) struct PlaceReport {
    path: PathBuf,
    written: String,
    /// The earliest time of the next write; `None` after an error.
    due: Option<Instant>,
}

impl PlaceReport {
    /// Begins to report to a file.
    ///
    /// # Errors
    /// Fails if the file cannot be written, as far as that can be checked beforehand.
    pub(super) fn to(path: &Path) -> Result<Self, Error> {
        Output::at(path)?;
        Ok(Self {
            path: path.to_owned(),
            written: String::new(),
            due: Some(Instant::now()),
        })
    }

    /// Writes the place of the camera, unless it is unchanged or the last write is too recent. After an error, which is
    /// printed on stderr, nothing more is written.
    pub(super) fn update(&mut self, level: &Level, camera: &Camera) {
        let now = Instant::now();
        if self.due.is_none_or(|due| now < due) {
            return;
        }
        self.due = Some(now + INTERVAL);
        let place = json(level, camera);
        if place == self.written {
            return;
        }
        if let Err(error) = Output::at(&self.path).and_then(|file| file.write(place.as_bytes())) {
            eprint_line(&error.to_string());
            self.due = None;
        }
        self.written = place;
    }
}

/// Returns the place of the camera as a line of JSON.
fn json(level: &Level, camera: &Camera) -> String {
    let [yaw, pitch] = camera.angles();
    let place = ReportedEye {
        room: &level.room(camera.at.room).name,
        eye: level.to_author(camera.at.point).0.to_array(),
        // Adding 0.0 turns negative zeros into positive ones.
        yaw: yaw + 0.0,
        pitch: pitch + 0.0,
    };
    // Names and finite numbers can always be written as JSON.
    let mut line = serde_json::to_string(&place).unwrap_or_default();
    line.push('\n');
    line
}

#[cfg(test)]
mod tests {
    use std::fs;

    use glam::DVec3;
    use opendoor::author::grid_glb;
    use opendoor::level::{At, locate};
    use opendoor::load::load_bytes;
    use serde_json::{Value, json};

    use super::*;

    #[test]
    fn the_file_has_the_last_place_and_changes_seldom() {
        let (level, _) = load_bytes("grid.glb", &grid_glb(2, 1)).unwrap();
        let author = opendoor::level::AuthorPoint(DVec3::new(3.0, 1.6, 3.0));
        let eye = level.from_author(author);
        let at = At::new(locate(&level, eye).unwrap(), eye);
        let name = format!("opendoor-place-{}", std::process::id());
        let path = std::env::temp_dir().join(name);
        let read = || fs::read_to_string(&path).ok();

        let mut report = PlaceReport::to(&path).unwrap();
        assert_eq!(read(), None, "nothing is written before there is a place");
        report.update(&level, &Camera::new(at, [90.0, 0.0], 70.0, 1.0));
        let first = read().unwrap();
        let place: Value = serde_json::from_str(&first).unwrap();
        assert_eq!(place["room"], level.room(at.room).name.as_str());
        assert_eq!(place["eye"], json!([3.0, 1.6, 3.0]));
        assert_eq!(
            (&place["yaw"], &place["pitch"]),
            (&json!(90.0), &json!(0.0))
        );
        let moved = Camera::new(at, [0.0, 0.0], 70.0, 1.0);
        report.update(&level, &moved);
        assert_eq!(read().unwrap(), first, "too soon");
        report.due = Some(Instant::now());
        report.update(&level, &moved);
        assert_ne!(read().unwrap(), first);
        fs::remove_file(&path).unwrap();
        report.due = Some(Instant::now());
        report.update(&level, &moved);
        assert_eq!(read(), None, "nothing new");
        assert!(PlaceReport::to(&path.join("file")).is_err());
    }
}
