//! The file of `sim --trace`: a row per tick.

use super::Error;
use super::output::{Output, OutputWriter};
use opendoor::game::{FIRST_PLAYER, Game};
use opendoor::level::Level;

/// A CSV file with a row per tick.
pub(super) struct TraceFile(OutputWriter);

impl TraceFile {
    /// Begins the file with a row of column names.
    pub(super) fn begin(output: Output) -> Result<Self, Error> {
        let mut writer = output.begin()?;
        writer.write(b"tick,x,y,z,room,grounded,contacts\n")?;
        Ok(Self(writer))
    }

    /// Adds a row for the last tick, with this tick number.
    pub(super) fn row(&mut self, level: &Level, game: &Game, tick: u64) -> Result<(), Error> {
        let player = &game.players[FIRST_PLAYER];
        let (feet, actor) = (player.feet(level), &player.actor);
        let row = format!(
            "{tick},{},{},{},{},{},{}\n",
            feet.0.x,
            feet.0.y,
            feet.0.z,
            quoted(&level.room(actor.state.at.room).name),
            u8::from(actor.state.grounded),
            actor.report.contact_count,
        );
        self.0.write(row.as_bytes())
    }

    /// Completes the file under its final name.
    pub(super) fn finish(self) -> Result<(), Error> {
        self.0.finish()
    }
}

/// Returns a CSV field (RFC 4180), quoted if necessary.
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
