//! The rules of `docs/CONTRIBUTING.md` for the language of comments that can be checked in the sources.

use std::fs;
use std::path::{Path, PathBuf};

/// Words that no doc comment begins with: a clause without a noun follows, and the reader has to guess the subject.
const FIRST_WORDS: [&str; 8] = [
    "What", "Who", "Whose", "Those", "That", "Of", "By", "The same",
];

/// The folders whose doc comments are checked.
const FOLDERS: [&str; 6] = [
    "src",
    "tests",
    "benches",
    "examples",
    "fuzz/src",
    "fuzz/fuzz_targets",
];

/// The doc comments of a file, each with the number of its first line and its text.
fn doc_comments(text: &str) -> Vec<(usize, String)> {
    let mut found: Vec<(usize, String)> = Vec::new();
    let mut before = "";
    for (number, line) in (1..).zip(text.lines()) {
        let line = line.trim_start();
        let marker = ["///", "//!"].into_iter().find(|m| line.starts_with(m));
        let marker = marker.unwrap_or("");
        if !marker.is_empty() {
            let words = line[marker.len()..].trim();
            match found.last_mut() {
                Some((_, text)) if before == marker => {
                    text.push(' ');
                    text.push_str(words);
                }
                _ => found.push((number, words.to_owned())),
            }
        }
        before = marker;
    }
    found
}

fn begins_with(text: &str, words: &str) -> bool {
    let rest = text.strip_prefix(words);
    rest.is_some_and(|rest| !rest.starts_with(|c: char| c.is_alphanumeric()))
}

fn rust_files(folder: &Path) -> Vec<PathBuf> {
    let entries = fs::read_dir(folder).unwrap();
    let paths = entries.map(|entry| entry.unwrap().path());
    let files = paths.flat_map(|path| {
        if path.is_dir() {
            rust_files(&path)
        } else {
            vec![path]
        }
    });
    files
        .filter(|path| path.extension().is_some_and(|e| e == "rs"))
        .collect()
}

#[test]
fn doc_comments_begin_with_a_noun_or_a_verb() {
    let mut wrong = Vec::new();
    let mut count = 0;
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let folders = FOLDERS.map(|folder| rust_files(&root.join(folder)));
    for path in folders.into_iter().flatten() {
        let text = fs::read_to_string(&path).unwrap();
        for (line, comment) in doc_comments(&text) {
            count += 1;
            if FIRST_WORDS.iter().any(|words| begins_with(&comment, words)) {
                wrong.push(format!("{}:{line}: {comment}", path.display()));
            }
        }
    }
    assert!(count > 9000, "{count}");
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

#[test]
fn comments_are_read_block_by_block_and_words_whole() {
    let text = "//! What a file has,\n//! and more.\n\n/// Office\nfn a() {}\n/// By x\n";
    let found = doc_comments(text);
    let expected = [
        (1, "What a file has, and more."),
        (4, "Office"),
        (6, "By x"),
    ];
    assert_eq!(found, expected.map(|(line, text)| (line, text.to_owned())));
    assert!(begins_with("Of all", "Of") && begins_with("By, with", "By"));
    assert!(!begins_with("Office", "Of"));
}
