//! Any bytes as a level, with its buffers and pictures.
#![no_main]

use libfuzzer_sys::fuzz_target;

fuzz_target!(|bytes: &[u8]| {
    let _ = opendoor::level::load_bytes("fuzzed", bytes);
});
