//! `opendoor bake`: writes the computed light of a level into a file beside it.

use std::path::PathBuf;

use opendoor::lighting::lightmap::LightmapQuality;
use opendoor::lighting::stored::EXTENSION;
use opendoor::world::World;
use serde::Serialize;

use super::messages::eprint_line;
use super::output::Output;
use super::progress::with_status;
use super::{CommandOutcome, Error, levels};

/// Write the computed light of a level into a file beside it, so that nobody who plays the level waits for it.
#[derive(Debug, clap::Args)]
pub(crate) struct Args {
    /// The level: a .glb or .gltf file, or the name of one that comes with the program.
    level: PathBuf,
    /// The file to write [default: beside the level, with the extension .light, where it is found].
    #[arg(short, long, value_name = "FILE.light")]
    output: Option<PathBuf>,
    /// Print one JSON object on stdout.
    #[arg(long)]
    json: bool,
}

/// The answer of `--json`. Scripts rely on the names.
#[derive(Debug, Serialize)]
struct BakeReport {
    /// The number of texels of surfaces.
    texels: usize,
    /// The number of places for which reflected light is computed.
    nodes: usize,
    /// The length of the file.
    bytes: usize,
}

/// Computes the light and writes it.
pub(crate) fn run(args: &Args) -> Result<CommandOutcome, Error> {
    let beside = args.level.with_extension(EXTENSION);
    let path = args.output.as_ref().unwrap_or(&beside);
    let output = Output::at(path)?;
    let level = levels::load(&args.level)?;
    let lighting = super::light(&level, &args.level, &World::of(&level));
    if lighting.lightmap.charts.is_empty() {
        eprint_line(
            "there is no light to write: the level is too large for a lightmap, or has no surfaces",
        );
        return Ok(CommandOutcome::Bad);
    }
    let file = with_status("compressing the light", || {
        lighting.light_file(&level, LightmapQuality::default())
    })?;
    let bytes = file.encode();
    output.write(&bytes)?;
    if args.json {
        super::print_json(&BakeReport {
            texels: lighting.lightmap.sky_visibility.len(),
            nodes: lighting.node_count(),
            bytes: bytes.len(),
        })?;
    } else {
        let mib = bytes.len() as f64 / f64::from(1 << 20);
        super::print(&format!("{}: {mib:.1} MiB\n", path.display()))?;
    }
    Ok(CommandOutcome::Good)
}
