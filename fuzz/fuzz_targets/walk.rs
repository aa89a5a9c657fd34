//! Any text as a walk file.
#![no_main]

use libfuzzer_sys::fuzz_target;

fuzz_target!(|text: &str| {
    let _ = opendoor::testing::parse(text);
});
