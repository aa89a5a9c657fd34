//! `opendoor film`, and `shot` of a replay.
#![expect(
    clippy::unwrap_used,
    reason = "a helper of a test fails the test by panicking"
)]

use std::fs::{self, File};
use std::io::BufReader;
use std::path::{Path, PathBuf};
use std::process::{Command, Output};

use image::codecs::png::PngDecoder;
use image::{AnimationDecoder, RgbImage};
use opendoor::game::{Game, Input, PLAYER, Start};
use opendoor::load::load;
use opendoor::replay::ReplayRing;

use crate::fixture::gpu;

const SIZE: &str = "96x54";

/// A folder for one test, with a grid level and a walk of a second in it.
fn folder(name: &str) -> PathBuf {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join(name);
    let _ = fs::remove_dir_all(&folder);
    fs::create_dir_all(&folder).unwrap();
    let run = opendoor(&folder, &["generate", "grid", "2", "1", "-o", "grid.glb"]);
    assert!(run.status.success(), "{run:?}");
    fs::write(
        folder.join("turn.walk"),
        "move 1 0 0.5\nface 90 10\nwait 0.5\n",
    )
    .unwrap();
    folder
}

fn opendoor(folder: &Path, args: &[&str]) -> Output {
    let mut command = Command::new(env!("CARGO_BIN_EXE_opendoor"));
    command.current_dir(folder).args(args);
    command.env("XDG_CACHE_HOME", env!("CARGO_TARGET_TMPDIR"));
    command.output().unwrap()
}

/// Runs a command that must succeed.
fn run(folder: &Path, line: &str) {
    let args: Vec<&str> = line.split_whitespace().collect();
    let output = opendoor(folder, &args);
    assert!(output.status.success(), "{line}: {output:?}");
}

fn picture(folder: &Path, name: &str) -> RgbImage {
    image::open(folder.join(name)).unwrap().to_rgb8()
}

fn apng(folder: &Path, name: &str) -> Vec<RgbImage> {
    let file = BufReader::new(File::open(folder.join(name)).unwrap());
    let frames = PngDecoder::new(file).unwrap().apng().unwrap().into_frames();
    let frames = frames.map(|frame| image::DynamicImage::from(frame.unwrap().into_buffer()));
    frames.map(|frame| frame.to_rgb8()).collect()
}

fn assert_same(a: &RgbImage, b: &RgbImage) {
    assert!(a == b, "they differ by {} of 255", difference(a, b));
}

/// Mean difference of two images, on a scale of 255.
fn difference(a: &RgbImage, b: &RgbImage) -> f64 {
    assert_eq!(a.dimensions(), b.dimensions());
    let pairs = a.as_raw().iter().zip(b.as_raw());
    let sum: f64 = pairs.map(|(a, b)| f64::from(a.abs_diff(*b))).sum();
    sum / a.as_raw().len() as f64
}

#[test]
fn a_film_has_its_pictures_and_begins_with_that_of_shot() {
    let _one_at_a_time = gpu();
    let folder = folder("film");
    let film = |out: &str, more: &str| {
        run(
            &folder,
            &format!(
                "film grid.glb --walk turn.walk --fixed-exposure --fps 5 --size {SIZE} -o {out} {more}"
            ),
        );
    };
    film("film.png", "");
    film("frames/", "--from 0.4 --to 0.6");
    run(&folder, &format!("shot grid.glb --size {SIZE} -o shot.png"));
    let frames = apng(&folder, "film.png");
    // A frame at each end of the second, and between them.
    assert_eq!(frames.len(), 6);
    assert_same(&frames[0], &picture(&folder, "shot.png"));
    assert!(difference(&frames[0], &frames[2]) > 1.0, "it walks");
    // The same two frames as in the whole film, although this film begins with them.
    assert_same(&picture(&folder, "frames/0001.png"), &frames[2]);
    assert_same(&picture(&folder, "frames/0002.png"), &frames[3]);
    assert!(!folder.join("frames/0003.png").exists());

    film("film.gif", "--to 0.4");
    let mut options = gif::DecodeOptions::new();
    options.set_color_output(gif::ColorOutput::RGBA);
    let mut shown = options
        .read_info(File::open(folder.join("film.gif")).unwrap())
        .unwrap();
    assert_eq!(shown.repeat(), gif::Repeat::Infinite);
    let mut count = 0;
    let mut screen = RgbImage::new(96, 54);
    while let Some(frame) = shown.read_next_frame().unwrap() {
        assert_eq!(frame.delay, 20);
        let rgb = frame.buffer.chunks_exact(4).flat_map(|texel| &texel[..3]);
        let [left, top] = [frame.left, frame.top].map(i64::from);
        let [width, height] = [frame.width, frame.height].map(u32::from);
        let frame = RgbImage::from_raw(width, height, rgb.copied().collect()).unwrap();
        image::imageops::replace(&mut screen, &frame, left, top);
        let off = difference(&screen, &frames[count]);
        assert!(off < 6.0, "256 colours are {off} off");
        count += 1;
    }
    assert_eq!(count, 3);
}

#[test]
fn the_camera_of_a_film_leaves_a_frozen_view_that_keeps_its_culling() {
    let _one_at_a_time = gpu();
    let folder = folder("film-frozen");
    let common = format!("film grid.glb --walk turn.walk --fixed-exposure --fps 2 --size {SIZE}");
    run(&folder, &format!("{common} -o plain/"));
    run(&folder, &format!("{common} --freeze-at 0.5 -o frozen/"));
    let at = |name: &str| picture(&folder, name);
    // Both films are equal up to the freeze. After this half second the frozen film has five seconds of flight.
    assert_same(&at("frozen/0001.png"), &at("plain/0001.png"));
    assert_same(&at("frozen/0002.png"), &at("plain/0002.png"));
    assert_eq!(fs::read_dir(folder.join("frozen")).unwrap().count(), 12);
    // At the end of the flight the camera stands still, and the frozen view is outlined.
    assert_same(&at("frozen/0011.png"), &at("frozen/0012.png"));
    let is_outline = |p: &image::Rgb<u8>| p[0] > 230 && p[1] > 190 && p[2] < 120;
    assert!(at("frozen/0012.png").pixels().any(is_outline));
    assert!(!at("frozen/0002.png").pixels().any(is_outline));
}

#[test]
fn films_and_shots_of_a_replay_show_the_played_game() {
    let _one_at_a_time = gpu();
    let folder = folder("film-replay");
    let level = load(&folder.join("grid.glb")).unwrap().0;
    let mut game = Game::start(&level, &Start::Default, PLAYER).unwrap();
    let mut ring = ReplayRing::default();
    for _ in 0..60 {
        let input = Input {
            forward: 1.0,
            ..Input::default()
        };
        game.players[0].look(1.0, 0.0);
        ring.add_tick(&level, &game, &[input]);
        game.tick(&level, &[input]);
    }
    let bytes = ring.replay(&level, &game).unwrap().to_bytes();
    fs::write(folder.join("mine.replay"), bytes).unwrap();
    let common = format!("grid.glb --replay mine.replay --size {SIZE}");
    let film = format!("film {common} --fixed-exposure --fps 2 -o film.png");
    run(&folder, &film);
    run(&folder, &format!("shot {common} --at-tick 30 -o 30.png"));
    run(&folder, &format!("shot {common} -o end.png"));
    let frames = apng(&folder, "film.png");
    assert_eq!(frames.len(), 3);
    assert_same(&frames[1], &picture(&folder, "30.png"));
    assert_same(&frames[2], &picture(&folder, "end.png"));
    assert!(difference(&frames[1], &frames[2]) > 1.0);

    let line = format!("shot {common} --at-tick 61 -o 61.png");
    let output = opendoor(&folder, &line.split(' ').collect::<Vec<_>>());
    assert_eq!(output.status.code(), Some(1));
    let told = String::from_utf8_lossy(&output.stderr);
    assert!(told.contains("name one from 0 to 60"), "{told}");
}

#[test]
fn the_exposure_of_a_film_adapts_from_that_of_the_level_in_the_same_way_each_time() {
    let _one_at_a_time = gpu();
    let folder = folder("film-exposure");
    fs::write(folder.join("stand.walk"), "face 90 60\nwait 1\n").unwrap();
    let film = format!("film grid.glb --walk stand.walk --fps 4 --size {SIZE}");
    run(&folder, &format!("{film} -o a/"));
    run(&folder, &format!("{film} -o b/"));
    run(&folder, &format!("{film} --fixed-exposure -o fixed/"));
    let at = |name: &str| picture(&folder, name);
    assert_same(&at("a/0001.png"), &at("fixed/0001.png"));
    assert_same(&at("fixed/0004.png"), &at("fixed/0005.png"));
    assert!(
        difference(&at("a/0005.png"), &at("fixed/0005.png")) > 1.0,
        "it adapts"
    );
    for number in 1..=5 {
        assert_same(
            &at(&format!("a/000{number}.png")),
            &at(&format!("b/000{number}.png")),
        );
    }
}

#[test]
fn invalid_films_are_refused_before_drawing() {
    let folder = folder("film-refused");
    for (line, status, part) in [
        ("--walk turn.walk -o film.mp4", 2, ".gif"),
        ("-o film.png", 2, "--walk"),
        (
            "--walk turn.walk --replay a.replay -o film.png",
            2,
            "--replay",
        ),
        ("--walk turn.walk -o film.gif --fps 60", 1, "50 pictures"),
        ("--walk turn.walk -o film.png --from 3", 1, "1.00 s"),
        ("--walk turn.walk -o film.png --freeze-at 2", 1, "1.00 s"),
        ("--walk none.walk -o film.png", 1, "none.walk"),
        ("--walk turn.walk -o none/film.png", 1, "none"),
    ] {
        let args: Vec<&str> = ["film", "grid.glb"]
            .into_iter()
            .chain(line.split(' '))
            .collect();
        let output = opendoor(&folder, &args);
        let told = String::from_utf8_lossy(&output.stderr);
        assert_eq!(output.status.code(), Some(status), "{line}: {told}");
        assert!(told.contains(part), "{line}: {told}");
    }
    let left = fs::read_dir(&folder).unwrap().count();
    assert_eq!(left, 2, "nothing but the level and the walk");
}
