//! `opendoor generate`: write levels of any size.

use std::path::PathBuf;

use opendoor::level::grid_glb;

use super::messages::eprint_line;
use super::output::Output;
use super::progress::with_status;
use super::{Error, Outcome};

/// Write a generated level.
#[derive(Debug, clap::Args)]
pub(crate) struct Args {
    #[command(subcommand)]
    kind: Kind,
}

#[derive(Debug, clap::Subcommand)]
enum Kind {
    /// N by M furnished rooms, each 6 x 3 x 6 m, joined by doorways.
    Grid {
        /// Rooms along x.
        #[arg(value_parser = clap::value_parser!(u32).range(1..=512))]
        n: u32,
        /// Rooms along z.
        #[arg(value_parser = clap::value_parser!(u32).range(1..=512))]
        m: u32,
        /// The file to write.
        #[arg(short, long, value_name = "FILE.glb")]
        output: PathBuf,
    },
}

/// Writes the level.
pub(crate) fn run(args: &Args) -> Result<Outcome, Error> {
    let Kind::Grid { n, m, output } = &args.kind;
    let file = Output::at(output)?;
    let bytes = with_status("generating", || grid_glb(*n, *m));
    file.write(&bytes)?;
    eprint_line(&format!(
        "{}: {} rooms, {:.1} MiB",
        output.display(),
        u64::from(*n) * u64::from(*m),
        bytes.len() as f64 / f64::from(1 << 20)
    ));
    Ok(Outcome::Good)
}
