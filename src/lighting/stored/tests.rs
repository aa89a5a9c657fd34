//! Files of light that are delivered with levels.

use super::*;
use crate::rng::Rng;

/// Contents of this length that are as regular as light.
fn contents(length: usize) -> Vec<u8> {
    (0..length).map(|i| (i / 7 % 251) as u8).collect()
}

#[test]
fn light_comes_back_from_a_file_with_its_kind_and_key_only() {
    for length in [0, 1, 2, 3, 4, 5, 1000, 70_001] {
        let mut file = LightFile::default();
        file.add(StoredKind::Lightmap, 3, &contents(length))
            .unwrap();
        file.add(StoredKind::Transport, 5, &contents(length + 1))
            .unwrap();
        let file = LightFile::decode(&file.encode()).unwrap();
        let get = |kind, key, max_len| file.get(kind, key, max_len);
        assert_eq!(get(StoredKind::Lightmap, 3, length), Some(contents(length)));
        let transport = get(StoredKind::Transport, 5, length + 1);
        assert_eq!(transport, Some(contents(length + 1)));
        assert_eq!(get(StoredKind::Lightmap, 5, length), None);
        assert_eq!(get(StoredKind::Transport, 5, length), None);
    }
}

#[test]
fn no_damaged_file_gives_other_light() {
    let mut file = LightFile::default();
    file.add(StoredKind::Transport, 5, &contents(3000)).unwrap();
    let good = file.encode();
    let (mut rng, mut refused) = (Rng::new(9), 0);
    for _ in 0..2000 {
        let mut bytes = good.clone();
        if rng.one_in(3) {
            bytes.truncate(rng.below(bytes.len()));
        }
        for _ in 0..=rng.below(3) {
            let at = rng.below(bytes.len().max(1));
            if let Some(byte) = bytes.get_mut(at) {
                *byte = rng.below(256) as u8;
            }
        }
        let file = LightFile::decode(&bytes).ok();
        match file.and_then(|file| file.get(StoredKind::Transport, 5, 3000)) {
            Some(light) => assert_eq!(light, contents(3000)),
            None => refused += 1,
        }
    }
    assert!(refused > 1500, "{refused}");
}
