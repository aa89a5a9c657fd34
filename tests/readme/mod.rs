//! The commands and examples of README.md and of docs/command-line.md, for the tests that run them. Each example has
//! exactly one kind, so that none is left out.
#![expect(
    clippy::unwrap_used,
    reason = "a helper of a test fails the test by panicking"
)]

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

/// An example of the README.
#[derive(Debug, PartialEq)]
pub(crate) enum Example {
    /// A script of the repository.
    Script(String),
    /// A cargo command, without `cargo`.
    Cargo(Vec<String>),
    /// An `opendoor` command that needs neither window nor GPU, without `opendoor`.
    Headless(Vec<String>),
    /// An `opendoor` command that draws images or computes light.
    Picture(Vec<String>),
    /// An `opendoor` command that opens a window.
    Window(Vec<String>),
    /// A walk file.
    Walk(String),
}

pub(crate) fn root() -> &'static Path {
    Path::new(env!("CARGO_MANIFEST_DIR"))
}

/// The text of README.md and of the page of the command line.
pub(crate) fn text() -> String {
    let files = ["README.md", "docs/command-line.md"];
    let texts = files.map(|file| fs::read_to_string(root().join(file)).unwrap());
    texts.join("\n")
}

/// All examples, each once: first the examples in code blocks, then the inline examples.
pub(crate) fn examples() -> Vec<Example> {
    let text = text();
    let is_indented = |line: &&str| line.starts_with("    ");
    let mut examples = Vec::new();
    let lines: Vec<&str> = text.lines().collect();
    for block in lines.chunk_by(|a, b| is_indented(a) == is_indented(b)) {
        if !is_indented(&block[0]) {
            continue;
        }
        if block.iter().any(|line| is_command(line)) {
            examples.extend(block.iter().map(|line| command(line)));
        } else {
            let lines = block.iter().map(|line| line[4..].to_owned() + "\n");
            examples.push(Example::Walk(lines.collect()));
        }
    }
    let running = lines.iter().filter(|line| !is_indented(line));
    let running: Vec<&str> = running.copied().collect();
    let running = running.join(" ");
    let spans = running.split('`').skip(1).step_by(2);
    examples.extend(spans.filter(|span| is_command(span)).map(command));
    let mut unique: Vec<Example> = Vec::new();
    for example in examples {
        if !unique.contains(&example) {
            unique.push(example);
        }
    }
    unique
}

fn is_command(line: &str) -> bool {
    let first = line.split_whitespace().next().unwrap_or("");
    matches!(first, "opendoor" | "cargo") || first.starts_with(".ci/")
}

/// The command in a line, without its comment.
fn command(line: &str) -> Example {
    let line = line.split(" #").next().unwrap_or(line);
    let mut words = line.split_whitespace().map(str::to_owned);
    let program = words.next().unwrap_or_default();
    let words: Vec<String> = words.collect();
    let is_help = words.iter().any(|word| word == "--help");
    match (program.as_str(), words.first().map(String::as_str)) {
        ("cargo", _) => Example::Cargo(words),
        ("opendoor", Some("check" | "sim" | "test" | "map" | "bench" | "generate")) => {
            Example::Headless(words)
        }
        ("opendoor", _) if is_help => Example::Headless(words),
        ("opendoor", Some("shot" | "film" | "bake")) => Example::Picture(words),
        ("opendoor", _) => Example::Window(words),
        (script, _) => Example::Script(script.to_owned()),
    }
}

/// A folder like a fresh clone, with the files that the commands read and the README's walk file.
pub(crate) fn clone(name: &str) -> PathBuf {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join(name);
    let _ = fs::remove_dir_all(&folder);
    fs::create_dir_all(folder.join("levels")).unwrap();
    for entry in fs::read_dir(root().join("levels")).unwrap() {
        let path = entry.unwrap().path();
        if path.is_file() {
            let name = path.file_name().unwrap();
            fs::copy(&path, folder.join("levels").join(name)).unwrap();
        }
    }
    for example in examples() {
        if let Example::Walk(walk) = example {
            fs::write(folder.join("stairs.walk"), walk).unwrap();
        }
    }
    folder
}

/// Runs our program in the folder as a user would: it must succeed, and must have written the requested files. Returns
/// its stdout.
pub(crate) fn run(folder: &Path, words: &[String], env: &[(&str, &str)]) -> String {
    let mut command = Command::new(env!("CARGO_BIN_EXE_opendoor"));
    command.current_dir(folder).args(words);
    command.envs(env.iter().copied());
    // No window must open, and cached files stay in the build folder.
    command.env_remove("DISPLAY").env_remove("WAYLAND_DISPLAY");
    command.env("XDG_CACHE_HOME", env!("CARGO_TARGET_TMPDIR"));
    let output = command.output().unwrap();
    assert!(output.status.success(), "{words:?}: {output:?}");
    for pair in words.windows(2) {
        if matches!(pair[0].as_str(), "-o" | "--trace") {
            assert!(folder.join(&pair[1]).exists(), "{words:?}");
        }
    }
    String::from_utf8(output.stdout).unwrap()
}
