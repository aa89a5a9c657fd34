//! The arguments of `opendoor film`.

use std::path::PathBuf;

use super::encoding::FilmFormat;
use crate::cli::number;
use crate::cli::pictures::{parse_fov, parse_size};
use opendoor::frame::FOV_DEG;

/// The longest time on the command line, seconds: an hour.
const MAX_SECS: f64 = 3600.0;

/// Draw moving pictures of a walk or a replay: an APNG, a GIF or a folder of PNG files
#[derive(clap::Args)]
#[command(group(clap::ArgGroup::new("source").required(true).args(["walk", "replay"])))]
pub(crate) struct Args {
    /// Level to film: a .glb or .gltf file, or the name of one that comes with the program
    #[arg(value_name = "LEVEL")]
    pub(super) level: PathBuf,
    /// The walk file that the player walks
    #[arg(long, value_name = "FILE")]
    pub(super) walk: Option<PathBuf>,
    /// The replay that is played, which F10 in `play` writes
    #[arg(long, value_name = "FILE")]
    pub(super) replay: Option<PathBuf>,
    /// Play the replay also if the level is not the one that it was recorded in, or was changed since
    #[arg(long, requires = "replay")]
    pub(super) changed_level: bool,
    /// File to write: an animated PNG or a GIF; or a folder, with a / at its end if it does not exist, for pictures
    /// 0001.png and so on
    #[arg(short = 'o', long = "output", value_name = "OUT.png|OUT.gif|FOLDER/", value_parser = parse_film)]
    pub(super) output: PathBuf,
    /// Pictures a second, 1 to 60; of a GIF at most 50
    #[arg(long, value_name = "N", default_value_t = 15,
          value_parser = clap::value_parser!(u16).range(1..=60), allow_negative_numbers = true)]
    pub(super) fps: u16,
    /// Size of the pictures in pixels
    #[arg(long, value_name = "WxH", default_value = "640x360", value_parser = parse_size)]
    pub(super) size: [u32; 2],
    /// Vertical field of view, degrees, 1 to 170
    #[arg(long, value_name = "DEG", default_value_t = FOV_DEG, value_parser = parse_fov, allow_negative_numbers = true)]
    pub(super) fov: f64,
    /// Draw all pictures at the exposure of the level, as `shot` does, instead of letting it adapt to their light
    #[arg(long)]
    pub(super) fixed_exposure: bool,
    /// See the player from behind
    #[arg(long)]
    pub(super) third_person: bool,
    /// Film from this second on
    #[arg(long, value_name = "S", default_value_t = 0.0, value_parser = seconds, allow_negative_numbers = true)]
    pub(super) from: f64,
    /// Film until this second [default: to the end of the walk or the replay, or of the flight of --freeze-at]
    #[arg(long, value_name = "S", value_parser = seconds, allow_negative_numbers = true)]
    pub(super) to: Option<f64>,
    /// Stop the game in this second and freeze the view, as F4 does in the window, while the camera flies
    /// backwards and up out of it for 5 s: the picture shows the culled geometry
    #[arg(long, value_name = "S", value_parser = seconds, allow_negative_numbers = true)]
    pub(super) freeze_at: Option<f64>,
    /// Print one JSON object on stdout
    #[arg(long)]
    pub(super) json: bool,
}

fn parse_film(text: &str) -> Result<PathBuf, String> {
    let path = PathBuf::from(text);
    if FilmFormat::of(&path).is_some() {
        return Ok(path);
    }
    Err(
        "films are written as animated PNG, GIF or folders: end the name in .png, .gif or /"
            .to_owned(),
    )
}

fn seconds(text: &str) -> Result<f64, String> {
    number(text, 0.0, MAX_SECS, "seconds")
}
