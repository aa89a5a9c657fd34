//! Thousands of damaged files, the same in every run: each gets an answer.

use opendoor::author::dungeon;
use opendoor::gltf::write_glb;
use opendoor::lighting::stored::checked::{decode, encode};
use opendoor::load::load_bytes;
use opendoor::rng::Rng;
use opendoor::testing::parse;
use serde_json::json;

use crate::gltf_file::{GltfFile, SQUARE};

/// The bytes with some of them changed, duplicated, removed or truncated.
pub(crate) fn mutated(good: &[u8], rng: &mut Rng) -> Vec<u8> {
    let mut bytes = good.to_vec();
    for _ in 0..=rng.below(6) {
        if bytes.len() < 2 {
            break;
        }
        let at = rng.below(bytes.len());
        let end = (at + 1 + rng.below(16)).min(bytes.len());
        match rng.below(7) {
            0 => bytes[at] ^= 1 << rng.below(8),
            1 => bytes[at] = [0, 0x7f, 0x80, 0xff][rng.below(4)],
            2 => bytes[at] = b"0123456789-.\"{}[],e"[rng.below(19)],
            3 => {
                let part = bytes[at..end].to_vec();
                bytes.splice(at..at, part);
            }
            4 => drop(bytes.drain(at..end)),
            5 => bytes[at..end].fill(0xff),
            _ if rng.one_in(8) => bytes.truncate(at),
            _ => bytes.swap(at, end - 1),
        }
    }
    bytes
}

/// A textured square in a room.
fn textured() -> GltfFile {
    let mut file = GltfFile::new();
    let image = file.texture();
    let texture = file.push("textures", json!({ "source": image }));
    file.push(
        "materials",
        json!({"pbrMetallicRoughness": {"baseColorTexture": {"index": texture}}}),
    );
    let attributes = json!({
        "POSITION": file.floats(&SQUARE),
        "TEXCOORD_0": file.floats(&[[0.0_f32, 0.0], [0.0, 1.0], [1.0, 1.0], [1.0, 0.0]]),
    });
    let mesh = file.mesh(json!({"attributes": attributes, "mode": 6, "material": 0}));
    file.in_room(mesh);
    file
}

/// Loads mutations of the text, of the bytes after it, and of both.
fn load_mutations(good: &[u8], count: u32, seed: u64) {
    let mut rng = Rng::new(seed);
    for _ in 0..count {
        let bytes = mutated(good, &mut rng);
        match load_bytes("mutated", &bytes) {
            Ok((_, problems)) | Err(problems) => assert!(problems.to_string().len() < 1_000_000),
        }
    }
}

#[test]
fn five_thousand_damaged_levels_end_in_answers() {
    load_mutations(&textured().glb(), 2_500, 1);
    load_mutations(&write_glb(&dungeon(2, 1).unwrap()).unwrap(), 2_500, 2);
}

/// The container stays intact, so that the damage reaches the image decoder.
#[test]
fn two_thousand_damaged_pictures_end_in_answers() {
    let good = textured();
    let mut rng = Rng::new(3);
    for _ in 0..2_000 {
        let binary = mutated(&good.binary, &mut rng);
        let json = good.json.clone();
        let bytes = GltfFile { json, binary }.glb();
        match load_bytes("mutated", &bytes) {
            Ok((_, problems)) | Err(problems) => assert!(problems.to_string().len() < 1_000_000),
        }
    }
}

/// A mutation that leaves a file unchanged does not count as damage.
#[test]
fn three_thousand_damaged_files_of_the_light_cache_are_not_taken() {
    let mut rng = Rng::new(5);
    let texels: Vec<u8> = (0..200).map(|_| rng.below(256) as u8).collect();
    let (key, good) = (7 << 100, encode(7 << 100, &texels));
    assert_eq!(decode(&good, key, texels.len()), Some(&texels[..]));
    let mut damaged = 0;
    for _ in 0..3_000 {
        let bytes = mutated(&good, &mut rng);
        let found = decode(&bytes, key, texels.len());
        if bytes == good {
            assert_eq!(found, Some(&texels[..]));
        } else {
            assert_eq!(found, None);
            damaged += 1;
        }
    }
    assert!(damaged > 2_500, "{damaged}");
    // The key of another level, or another length.
    assert_eq!(decode(&good, key + 1, texels.len()), None);
    for length in [0, texels.len() - 1, texels.len() + 1, usize::MAX] {
        assert_eq!(decode(&good, key, length), None);
    }
}

#[test]
fn three_thousand_damaged_walk_files_end_in_answers() {
    let good = include_str!("../../levels/house.walk");
    assert!(parse(good).is_ok());
    let lines: Vec<&str> = good.lines().filter(|line| !line.starts_with('#')).collect();
    let mut rng = Rng::new(4);
    let mut read = 0;
    for _ in 0..3_000 {
        let line = lines[rng.below(lines.len())];
        let text = String::from_utf8_lossy(&mutated(line.as_bytes(), &mut rng)).into_owned();
        match parse(&text) {
            Ok(_) => read += 1,
            Err(problems) => assert!(!format!("{problems:?}").is_empty()),
        }
    }
    assert!(read > 100, "{read}");
}
