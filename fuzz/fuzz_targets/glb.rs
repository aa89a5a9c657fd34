//! Loads arbitrary bytes as a level: tests the GLB container, and the few contents that pass its checks.
#![no_main]

use libfuzzer_sys::fuzz_target;

fuzz_target!(|bytes: &[u8]| {
    let _ = opendoor::load::load_bytes("fuzzed", bytes);
});
