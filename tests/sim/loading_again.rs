//! Reloaded versions of a level, with unchanged parts from the cache, compared with levels loaded from scratch.

use std::fmt::{self, Debug, Write};

use glam::DVec3;
use opendoor::author::grid_glb;
use opendoor::build::BuildCache;
use opendoor::gltf::{read_source_bytes, write_glb};
use opendoor::load::load_bytes_with_cache;
use opendoor::rng::Rng;
use opendoor::source::LevelSource;

/// A writer that compares the text written to it with an expected text.
struct Expect<'a> {
    rest: &'a str,
}

impl Write for Expect<'_> {
    fn write_str(&mut self, text: &str) -> fmt::Result {
        self.rest = self.rest.strip_prefix(text).ok_or(fmt::Error)?;
        Ok(())
    }
}

/// Asserts that two results of a load, or two build caches, have the same debug output: all data in the same order,
/// including node indices and the kinds of edges.
fn assert_same(again: &impl Debug, afresh: &impl Debug) {
    let text = format!("{afresh:?}");
    let mut expect = Expect { rest: &text };
    let is_same = write!(expect, "{again:?}").is_ok() && expect.rest.is_empty();
    let near = text.len() - expect.rest.len();
    let near: String = text
        .chars()
        .skip(near.saturating_sub(200))
        .take(300)
        .collect();
    assert!(is_same, "{near}");
}

/// The file with some digits of its text replaced.
fn edited(glb: &[u8], edits: usize, rng: &mut Rng) -> Vec<u8> {
    let length = u32::from_le_bytes(glb[12..16].try_into().unwrap()) as usize;
    let mut bytes = glb.to_vec();
    let digits = (20..20 + length).filter(|&at| bytes[at].is_ascii_digit());
    let digits: Vec<usize> = digits.collect();
    for _ in 0..edits {
        bytes[digits[rng.below(digits.len())]] = b'1' + rng.below(9) as u8;
    }
    bytes
}

/// Loads versions of a file, each with the cache of the last good version; returns the number of good versions.
fn follow(glb: &[u8], versions: usize, mut change: impl FnMut(&[u8]) -> Vec<u8>) -> usize {
    let mut cache = BuildCache::default();
    load_bytes_with_cache("level", glb, &mut cache).unwrap();
    let mut good = 0;
    for _ in 0..versions {
        let bytes = change(glb);
        let again = load_bytes_with_cache("level", &bytes, &mut cache);
        let mut fresh = BuildCache::default();
        assert_same(&again, &load_bytes_with_cache("level", &bytes, &mut fresh));
        if again.is_ok() {
            assert_same(&cache, &fresh);
        }
        good += usize::from(again.is_ok());
    }
    good
}

#[test]
fn each_reload_of_an_edited_file_equals_a_first_load() {
    let mut rng = Rng::new(13);
    let good = follow(&grid_glb(3, 2), 150, |glb| {
        let edits = rng.below(4);
        edited(glb, edits, &mut rng)
    });
    assert!(good > 40, "{good}");
}

#[test]
fn a_reload_of_a_level_with_pictures_and_movers_equals_a_first_load() {
    let works = include_bytes!("../../levels/works.glb");
    let mut rng = Rng::new(1);
    let mut edits = [0, 1, 1, 2].into_iter();
    follow(works, 4, |glb| {
        edited(glb, edits.next().unwrap_or(0), &mut rng)
    });
}

/// Moves a mesh, a portal, or all contents of a room, as an author does.
fn rearrange(source: &mut LevelSource, rng: &mut Rng) {
    let by = DVec3::new(0.07, 0.03, -0.05) * (rng.below(9) as f64 - 4.0);
    let (meshes, portals) = (source.meshes.len(), source.portals.len());
    match rng.below(3) {
        0 => {
            let mesh = &mut source.meshes[rng.below(meshes)];
            mesh.positions.iter_mut().for_each(|p| *p += by);
        }
        1 => {
            let portal = &mut source.portals[rng.below(portals)];
            portal.triangles.iter_mut().flatten().for_each(|p| *p += by);
        }
        _ => {
            let room = rng.below(source.rooms.len());
            let of_room = source.meshes.iter_mut().filter(|mesh| mesh.room == room);
            let corners = of_room.flat_map(|mesh| &mut mesh.positions);
            corners.for_each(|p| *p += by);
        }
    }
}

/// For unchanged rooms, the rooms behind their portals and the geometry that sprawls through the portals come from the
/// cache.
#[test]
fn a_reload_of_a_level_with_unnamed_portals_equals_a_first_load() {
    let house = include_bytes!("../../levels/house.glb");
    let mut rng = Rng::new(27);
    let good = follow(house, 4, |glb| {
        let (mut source, _) = read_source_bytes("level", glb).unwrap();
        for portal in &mut source.portals {
            portal.dest.clear();
        }
        for _ in 0..rng.below(3) {
            rearrange(&mut source, &mut rng);
        }
        write_glb(&source).unwrap()
    });
    assert!(good > 1, "{good}");
}

#[test]
fn rooms_that_come_and_go_leave_the_others_as_they_are() {
    let mut sizes = [[4, 1], [2, 2], [5, 1], [3, 3], [1, 1], [4, 4]].into_iter();
    let good = follow(&grid_glb(3, 1), 6, |_| {
        let [n, m] = sizes.next().unwrap_or([1, 1]);
        grid_glb(n, m)
    });
    assert_eq!(good, 6);
}

#[test]
fn corrupt_bytes_do_no_harm_to_the_loaded_level() {
    let mut rng = Rng::new(4);
    follow(&grid_glb(3, 1), 150, |glb| {
        let mut bytes = glb.to_vec();
        for _ in 0..=rng.below(8) {
            let at = rng.below(bytes.len());
            bytes[at] ^= 1 << rng.below(8);
        }
        bytes
    });
}
