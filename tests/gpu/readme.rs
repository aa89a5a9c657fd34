//! The commands of README.md that draw images.

use std::path::Path;

use crate::readme_examples::{Example, clone, examples, run};

fn words(line: &str) -> Vec<String> {
    line.split_whitespace().map(str::to_owned).collect()
}

#[test]
fn the_pictures_of_the_readme_are_drawn_as_printed() {
    let folder = clone("readme-pictures");
    for example in examples() {
        if let Example::Picture(words) = example {
            run(&folder, &words, &[]);
        }
    }
}

/// Tests have no window. Without a window the same command walks and writes images. The test draws a level that takes
/// less time than those that the README names, and checks that those exist.
#[test]
fn window_commands_of_the_readme_have_their_level_and_draw_without_a_window() {
    let folder = clone("readme-windows");
    for example in examples() {
        let Example::Window(words) = example else {
            continue;
        };
        let level = words.iter().find(|word| *word != "play");
        assert!(words.len() <= 2);
        if let Some(level) = level {
            // Otherwise the level is built in.
            let shipped = Path::new("levels").join(format!("{level}.glb"));
            let files = [Path::new(level), &shipped].map(|path| folder.join(path));
            assert!(files.iter().any(|file| file.exists()), "{words:?}");
        }
        let mut help = words;
        help.push("--help".to_owned());
        run(&folder, &help, &[]);
    }
    run(&folder, &words("generate grid 1 1 -o room.glb"), &[]);
    for (command, out) in [("room.glb --out a", "a"), ("play room.glb --out b", "b")] {
        run(&folder, &words(command), &[]);
        let picture = Path::new(out).join("opendoor-tour-01.png");
        assert!(folder.join(picture).exists(), "{command}");
    }
}
