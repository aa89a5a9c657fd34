#!/usr/bin/env bash
# Collects the files that fuzzing starts from: cargo install cargo-fuzz, then
#     fuzz/corpus.sh && cargo +nightly fuzz run level
set -euo pipefail
cd "$(dirname "$0")"
mkdir -p corpus/level corpus/walk
find ../levels -name '*.gl*' -size -64k -exec cp {} corpus/level/ \;
find ../levels -name '*.walk' -exec cp {} corpus/walk/ \;
