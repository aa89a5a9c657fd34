//! Any bytes as a level: the frame of the file, and what little gets past it.
#![no_main]

use libfuzzer_sys::fuzz_target;

fuzz_target!(|bytes: &[u8]| {
    let _ = opendoor::load::load_bytes("fuzzed", bytes);
});
