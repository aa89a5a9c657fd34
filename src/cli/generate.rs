//! `opendoor generate`: writes levels of any size.

use std::path::PathBuf;

use opendoor::author::{dungeon, grid_glb};
use opendoor::gltf::write_glb;

use super::messages::eprint_line;
use super::output::Output;
use super::progress::with_status;
use super::{CommandOutcome, Error};

/// Write a generated level.
#[derive(Debug, clap::Args)]
pub(crate) struct Args {
    #[command(subcommand)]
    kind: GeneratedLevel,
}

#[derive(Debug, clap::Subcommand)]
enum GeneratedLevel {
    /// N by M furnished rooms, each 6 x 3 x 6 m, joined by doorways.
    Grid {
        /// Rooms along x.
        #[arg(value_parser = clap::value_parser!(u32).range(1..=512), allow_negative_numbers = true)]
        n: u32,
        /// Rooms along z.
        #[arg(value_parser = clap::value_parser!(u32).range(1..=512), allow_negative_numbers = true)]
        m: u32,
        /// The file to write.
        #[arg(short, long, value_name = "FILE.glb")]
        output: PathBuf,
    },
    /// Rooms of many sizes on storeys of different heights, joined by corridors, stairs and doors; the same for the
    /// same seed.
    Dungeon {
        /// Rooms, beside the corridors between them.
        #[arg(long, value_name = "N", default_value_t = 16,
              value_parser = clap::value_parser!(u32).range(1..=4096), allow_negative_numbers = true)]
        rooms: u32,
        /// Seed of the dungeon's layout: the same seed gives the same dungeon
        #[arg(long, value_name = "S", default_value_t = 1)]
        seed: u64,
        /// The file to write.
        #[arg(short, long, value_name = "FILE.glb")]
        output: PathBuf,
    },
}

/// Writes the level.
pub(crate) fn run(args: &Args) -> Result<CommandOutcome, Error> {
    let (output, (rooms, bytes), file) = match &args.kind {
        GeneratedLevel::Grid { n, m, output } => {
            let file = Output::at(output)?;
            let bytes = with_status("generating", || grid_glb(*n, *m));
            (output, (*n as usize * *m as usize, bytes), file)
        }
        GeneratedLevel::Dungeon {
            rooms,
            seed,
            output,
        } => {
            let file = Output::at(output)?;
            let made = with_status("generating", || {
                let source = dungeon(*rooms, *seed)?;
                let bytes = write_glb(&source)?;
                Ok::<_, Error>((source.rooms.len(), bytes))
            });
            (output, made?, file)
        }
    };
    file.write(&bytes)?;
    eprint_line(&format!(
        "{}: {rooms} rooms, {:.1} MiB",
        output.display(),
        bytes.len() as f64 / f64::from(1 << 20)
    ));
    Ok(CommandOutcome::Good)
}
