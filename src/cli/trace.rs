//! The file of `sim --trace`: a row per tick.

use std::fs;
use std::io::{BufWriter, Write};
use std::path::Path;

use super::Error;
use opendoor::game::Game;
use opendoor::level::Level;

/// A CSV file with a row per tick.
pub(super) struct Trace<'a> {
    path: &'a Path,
    file: BufWriter<fs::File>,
}

impl<'a> Trace<'a> {
    /// Creates the file and names its columns.
    pub(super) fn create(path: &'a Path) -> Result<Self, Error> {
        let created = fs::File::create(path).map(BufWriter::new);
        let file = created.map_err(|error| cannot_write(path, error))?;
        let mut trace = Self { path, file };
        trace.write("tick,x,y,z,room,grounded,contacts\n")?;
        Ok(trace)
    }

    /// Adds the last tick.
    pub(super) fn row(&mut self, level: &Level, game: &Game) -> Result<(), Error> {
        let feet = game.feet(level);
        self.write(&format!(
            "{},{},{},{},{},{},{}\n",
            game.tick,
            feet.x,
            feet.y,
            feet.z,
            quoted(&level.room(game.state.room).name),
            u8::from(game.state.grounded),
            game.scratch.contact_count,
        ))
    }

    fn write(&mut self, text: &str) -> Result<(), Error> {
        let written = self.file.write_all(text.as_bytes());
        written.map_err(|error| cannot_write(self.path, error))
    }

    /// Writes what is still on its way.
    pub(super) fn finish(mut self) -> Result<(), Error> {
        let flushed = self.file.flush();
        flushed.map_err(|error| cannot_write(self.path, error))
    }
}

fn cannot_write(path: &Path, error: std::io::Error) -> Error {
    Error::Write {
        path: path.to_owned(),
        error,
    }
}

/// A CSV field (RFC 4180).
fn quoted(field: &str) -> String {
    if field.contains([',', '"', '\n', '\r']) {
        format!("\"{}\"", field.replace('"', "\"\""))
    } else {
        field.to_owned()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn fields_with_commas_are_quoted() {
        assert_eq!(quoted("hall"), "hall");
        assert_eq!(quoted("a,\"b\""), "\"a,\"\"b\"\"\"");
    }
}
