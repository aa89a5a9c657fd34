//! Loads arbitrary bytes as a file of the light cache: only a file that was written for this level is accepted.
#![no_main]

use libfuzzer_sys::fuzz_target;
use opendoor::lighting::lightmap::cache_file;

const KEY: u128 = 0x0123_4567_89ab_cdef_0f1e_2d3c_4b5a_6978;

fuzz_target!(|bytes: &[u8]| {
    for length in [0, 64, bytes.len().saturating_sub(40)] {
        if let Some(texels) = cache_file::decode(bytes, KEY, length) {
            assert_eq!(cache_file::encode(KEY, texels), bytes);
        }
    }
    let mut written = cache_file::encode(KEY, bytes);
    assert_eq!(cache_file::decode(&written, KEY, bytes.len()), Some(bytes));
    assert_eq!(cache_file::decode(&written, KEY, bytes.len() + 1), None);
    assert_eq!(cache_file::decode(&written, !KEY, bytes.len()), None);
    // The first bytes select the position of the damaged byte, and the change.
    if let [low, high, change, ..] = *bytes {
        let at = usize::from(u16::from_le_bytes([low, high])) % written.len();
        written[at] ^= change;
        let whole = (change == 0).then_some(bytes);
        assert_eq!(cache_file::decode(&written, KEY, bytes.len()), whole);
    }
});
