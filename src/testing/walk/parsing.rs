//! Parses a walk file.

use std::path::Path;

use super::conditions::{Condition, condition, event, room};
use super::lines::{body, numbers, split_word, time, without_comment};
use super::{HeldKeys, WalkCommand, WalkError, WalkFile, WalkStep};
use crate::files::{self, ReadError};
use crate::game::Start;
use crate::level::AuthorPoint;
use crate::naming::composed;

const COMMANDS: &str = "goto X Z [within S], wait S, face DEG [PITCH], move FORWARD RIGHT S [run] [jump] \
                        [crouch] [use] [grab], jump, crouch, stand, open PORTAL, close PORTAL, use, grab, wait_until \
                        EVENT [NODE], expect [within S] [not] CONDITION, expect-seen ROOM, expect-hidden \
                        ROOM, and at the beginning level FILE, body player|sphere:R|capsule:R,HEIGHT, \
                        spawn NAME, at X Y Z";

/// The maximum size of a walk file, bytes: about eight minutes of a player that turns in every tick, or hours of a
/// player that does not turn.
pub const MAX_WALK_BYTES: u64 = 1 << 20;

/// The steepest pitch up or down, degrees.
const MAX_PITCH: f64 = 89.0;

/// Reads the text of a walk file.
///
/// # Errors
/// When the file cannot be read, or is larger than [`MAX_WALK_BYTES`].
pub fn read_walk(path: &Path) -> Result<String, ReadError> {
    files::read_text(path, MAX_WALK_BYTES)
}

/// Parses a walk file. `#` starts a comment, except inside a name.
///
/// # Errors
/// All lines that cannot be parsed, not just the first.
pub fn parse(text: &str) -> Result<WalkFile, Vec<WalkError>> {
    let mut walk = parse_lines(text);
    let errors = std::mem::take(&mut walk.bad_lines);
    if errors.is_empty() {
        Ok(walk)
    } else {
        Err(errors)
    }
}

/// Parses the lines of a walk file, after composing the text (Unicode NFC) as the names of a level are composed. Lists lines
/// that cannot be parsed in [`WalkFile::bad_lines`], for callers that report them together with names that the level does not
/// have.
pub fn parse_lines(text: &str) -> WalkFile {
    let mut walk = WalkFile::default();
    // Composed (Unicode NFC), as the names of the level are.
    let text = &composed(text);
    // Some editors begin a file with a byte order mark.
    let text = text.strip_prefix('\u{feff}').unwrap_or(text);
    for (line, raw) in (1..).zip(text.lines()) {
        let text = without_comment(raw).trim();
        if text.is_empty() {
            continue;
        }
        let read = match header(text, &mut walk) {
            Some(read) => read,
            None => command(text).map(|command| {
                walk.steps.push(WalkStep {
                    line,
                    text: text.to_owned(),
                    command,
                });
            }),
        };
        if let Err(problem) = read {
            walk.bad_lines.push(WalkError {
                line,
                text: text.to_owned(),
                problem,
            });
        }
    }
    walk
}

/// Parses a header line, which sets the level, the body or the start; returns `None` for any other line.
fn header(text: &str, walk: &mut WalkFile) -> Option<Result<(), String>> {
    let (word, rest) = split_word(text);
    if !matches!(word, "level" | "body" | "spawn" | "at") {
        return None;
    }
    Some(begin(word, rest, walk))
}

fn begin(word: &str, rest: &str, walk: &mut WalkFile) -> Result<(), String> {
    if !walk.steps.is_empty() {
        return Err(format!("write `{word}` before the first command"));
    }
    let is_twice = match word {
        "level" => walk.level.is_some(),
        "body" => walk.body.is_some(),
        _ => walk.start != Start::Default,
    };
    if is_twice {
        return Err("there is a line for this already: leave one of them out".to_owned());
    }
    match word {
        "level" => {
            // A walk file must not cause files outside its own folder to be read.
            let is_name = !rest.is_empty() && rest != ".." && !rest.contains(['/', '\\', ':']);
            let name = is_name.then(|| rest.to_owned());
            walk.level = Some(name.ok_or(
                "write `level FILE`, the name of a .glb or .gltf file in the folder of this file",
            )?);
        }
        "body" => walk.body = Some(body(rest)?),
        "spawn" if rest.is_empty() => return Err("say which: spawn NAME".to_owned()),
        "spawn" => walk.start = Start::Spawn(rest.to_owned()),
        _ => {
            let [x, y, z] = numbers(rest, "at X Y Z")?;
            walk.start = Start::Feet(AuthorPoint([x, y, z].into()));
        }
    }
    Ok(())
}

fn command(text: &str) -> Result<WalkCommand, String> {
    let (word, rest) = split_word(text);
    match word {
        "goto" => {
            const USAGE: &str = "goto X Z within S";
            let Some((point, within)) = rest.split_once(" within ") else {
                let [x, z] = numbers(rest, "goto X Z")?;
                let within = None;
                return Ok(WalkCommand::Goto { x, z, within });
            };
            let [x, z] = numbers(point, USAGE)?;
            let [secs] = numbers(within, USAGE)?;
            let within = Some(time(secs)?);
            Ok(WalkCommand::Goto { x, z, within })
        }
        "wait" => {
            let [secs] = numbers(rest, "wait S")?;
            Ok(WalkCommand::Wait { secs: time(secs)? })
        }
        "face" => face(rest),
        "move" => hold_keys(rest),
        "jump" => numbers(rest, "jump").map(|[]| WalkCommand::Jump),
        "crouch" => numbers(rest, "crouch").map(|[]| WalkCommand::Crouch),
        "stand" => numbers(rest, "stand").map(|[]| WalkCommand::Stand),
        "use" => numbers(rest, "use").map(|[]| WalkCommand::Use),
        "grab" => numbers(rest, "grab").map(|[]| WalkCommand::Grab),
        "wait_until" => event(rest).map(|(event, node)| WalkCommand::WaitUntil { event, node }),
        "expect" => expect(rest),
        "expect-seen" | "expect-hidden" => Ok(WalkCommand::Expect {
            condition: Condition::Seen(room(rest, &format!("{word} ROOM"))?),
            not: word == "expect-hidden",
            within: None,
        }),
        "open" | "close" if rest.is_empty() => Err(format!(
            "say which portal, by its node's name: {word} PORTAL"
        )),
        "open" => Ok(WalkCommand::Open {
            portal: rest.to_owned(),
        }),
        "close" => Ok(WalkCommand::Close {
            portal: rest.to_owned(),
        }),
        _ => Err(format!(
            "`{word}` is not a command; the commands are {COMMANDS}"
        )),
    }
}

fn face(rest: &str) -> Result<WalkCommand, String> {
    if rest.split_whitespace().count() < 2 {
        let [yaw] = numbers(rest, "face DEG")?;
        return Ok(WalkCommand::Face { yaw, pitch: None });
    }
    let [yaw, pitch] = numbers(rest, "face DEG PITCH")?;
    if pitch.abs() > MAX_PITCH {
        return Err(format!("PITCH is from -{MAX_PITCH} to {MAX_PITCH} degrees"));
    }
    let pitch = Some(pitch);
    Ok(WalkCommand::Face { yaw, pitch })
}

fn hold_keys(rest: &str) -> Result<WalkCommand, String> {
    let mut keys = HeldKeys::default();
    let mut left = rest;
    while let Some((before, word)) = left.rsplit_once(char::is_whitespace) {
        let key = match word {
            "run" => &mut keys.run,
            "jump" => &mut keys.jump,
            "crouch" => &mut keys.crouch,
            "use" => &mut keys.interact,
            "grab" => &mut keys.grab,
            _ => break,
        };
        *key = true;
        left = before.trim_end();
    }
    let usage = "move FORWARD RIGHT S [run] [jump] [crouch] [use] [grab]";
    let [forward, right, secs] = numbers(left, usage)?;
    if !(-1.0..=1.0).contains(&forward) || !(-1.0..=1.0).contains(&right) {
        return Err("FORWARD and RIGHT are from -1 to 1".to_owned());
    }
    Ok(WalkCommand::Move {
        forward,
        right,
        secs: time(secs)?,
        keys,
    })
}

fn expect(rest: &str) -> Result<WalkCommand, String> {
    let (mut rest, mut within) = (rest, None);
    if let ("within", after) = split_word(rest) {
        let (secs, after) = split_word(after);
        let [secs] = numbers(secs, "expect within S CONDITION")?;
        (rest, within) = (after, Some(time(secs)?));
    }
    let (word, after) = split_word(rest);
    let not = word == "not";
    let condition = condition(if not { after } else { rest })?;
    Ok(WalkCommand::Expect {
        condition,
        not,
        within,
    })
}

#[cfg(test)]
mod tests {
    use super::super::Bound;
    use super::*;
    use crate::game::PLAYER;

    fn commands(text: &str) -> Vec<WalkCommand> {
        let steps = parse(text).unwrap().steps;
        steps.into_iter().map(|step| step.command).collect()
    }

    #[test]
    fn every_command_is_read() {
        let text = "goto 1.5 -2e1\nwait 0.5\nface -90\nmove 1 -0.5 2\njump\nopen Kitchen-portal\n\
                    close my door\ngoto 1 2 within 3\nface 10 -5\nmove 0 0 1 jump run\n";
        let keys = HeldKeys::default();
        let pressed = HeldKeys {
            run: true,
            jump: true,
            ..keys
        };
        let moved = |forward, right, secs, keys| WalkCommand::Move {
            forward,
            right,
            secs,
            keys,
        };
        let walked = |x, z, within| WalkCommand::Goto { x, z, within };
        let faced = |yaw, pitch| WalkCommand::Face { yaw, pitch };
        assert_eq!(
            commands(text),
            [
                walked(1.5, -20.0, None),
                WalkCommand::Wait { secs: 0.5 },
                faced(-90.0, None),
                moved(1.0, -0.5, 2.0, keys),
                WalkCommand::Jump,
                WalkCommand::Open {
                    portal: "Kitchen-portal".to_owned()
                },
                WalkCommand::Close {
                    portal: "my door".to_owned()
                },
                walked(1.0, 2.0, Some(3.0)),
                faced(10.0, Some(-5.0)),
                moved(0.0, 0.0, 1.0, pressed),
            ]
        );
    }

    #[test]
    fn every_condition_is_read() {
        let text = "expect room west wing\nexpect near 1 2 3 0.5\nexpect at 1 3 within 0.5\nexpect above 2\n\
                    expect speed below 4\nexpect event landed\nexpect event mover_arrived lift-mover\n\
                    expect blocked\nexpect blocked by wall\nexpect not stuck\nexpect within 2 not below 1\n\
                    expect hash 00ff00ff00ff00ff\nexpect-seen hall\nexpect-hidden study\n";
        let name = str::to_owned;
        let plain = |condition| (condition, false, None);
        let event = |kind, node| Condition::Event {
            kind: name(kind),
            node: name(node),
        };
        let blocked = |node| Condition::Blocked { node: name(node) };
        let expected = [
            plain(Condition::Room(name("west wing"))),
            plain(Condition::Near {
                point: [1.0, 2.0, 3.0],
                metres: 0.5,
            }),
            plain(Condition::At {
                x: 1.0,
                z: 3.0,
                metres: 0.5,
            }),
            plain(Condition::Height(Bound::Above(2.0))),
            plain(Condition::Speed(Bound::Below(4.0))),
            plain(event("landed", "")),
            plain(event("mover_arrived", "lift-mover")),
            plain(blocked("")),
            plain(blocked("wall")),
            (Condition::Stuck, true, None),
            (Condition::Height(Bound::Below(1.0)), true, Some(2.0)),
            plain(Condition::Hash(0x00ff_00ff_00ff_00ff)),
            plain(Condition::Seen(name("hall"))),
            (Condition::Seen(name("study")), true, None),
        ];
        let expected = expected.map(|(condition, not, within)| WalkCommand::Expect {
            condition,
            not,
            within,
        });
        assert_eq!(commands(text), expected);
    }

    #[test]
    fn the_first_lines_name_the_level_the_body_and_the_start() {
        let walk = parse("level house.glb\nbody player\nat 1 2 3\njump\n").unwrap();
        assert_eq!(walk.level.as_deref(), Some("house.glb"));
        assert_eq!(walk.body, Some(PLAYER));
        assert_eq!(walk.start, Start::Feet(AuthorPoint([1.0, 2.0, 3.0].into())));
        let walk = parse("spawn cellar").unwrap();
        assert_eq!(walk.start, Start::Spawn("cellar".to_owned()));
        for wrong in [
            "jump\nlevel house.glb",
            "level ../house.glb",
            "level /etc/passwd",
            "level ..",
            "level",
            "level a.glb\nlevel a.glb",
            "spawn a\nat 1 2 3",
            "body cube",
        ] {
            assert_eq!(parse(wrong).unwrap_err().len(), 1, "{wrong}");
        }
    }

    #[test]
    fn comments_blank_lines_and_foreign_line_ends_do_not_count() {
        let text = "\u{feff}# the tour\r\n\r\n  goto 1 2   # to the door\r\n\tjump\t#up\r\n";
        let steps = parse(text).unwrap().steps;
        let read: Vec<_> = steps.iter().map(|s| (s.line, s.text.as_str())).collect();
        assert_eq!(read, [(3, "goto 1 2"), (4, "jump")]);
    }

    #[test]
    fn a_portal_name_may_contain_a_hash() {
        let portal = "Hall*#2-portal".to_owned();
        assert_eq!(
            commands("open Hall*#2-portal # go"),
            [WalkCommand::Open { portal }]
        );
    }

    #[test]
    fn an_empty_walk_is_a_walk() {
        assert_eq!(parse("# nothing\n").unwrap(), WalkFile::default());
    }

    #[test]
    fn all_bad_lines_are_reported_each_with_its_text_and_the_fix() {
        let text = "goto 1\nfly 1 2\njump\nwait -1\nmove 2 0 1\nface north\nopen\njump high\n\
                    goto nan 1\nwait inf\nwait 1e300";
        let errors = parse(text).unwrap_err();
        let lines: Vec<usize> = errors.iter().map(|e| e.line).collect();
        assert_eq!(lines, [1, 2, 4, 5, 6, 7, 8, 9, 10, 11]);
        let said: Vec<String> = errors.iter().map(ToString::to_string).collect();
        assert_eq!(said[0], "line 1: `goto 1`: `goto X Z`: 2 wanted, 1 given");
        assert!(said[1].contains("`fly` is not a command") && said[1].contains("goto X Z"));
        assert!(said[4].contains("`north` is not a number"));
    }

    #[test]
    fn errors_of_conditions_show_the_right_syntax() {
        for (wrong, cure) in [
            ("expect", "room NAME"),
            ("expect room", "expect room NAME"),
            ("expect at 1 2", "expect at X Z within METRES"),
            ("expect near 1 2 3 -1", "0 or more"),
            ("expect speed 4", "expect speed above V"),
            ("expect event exploded", "mover_arrived"),
            ("expect blocked wall", "expect blocked by NODE"),
            ("expect hash 12", "16 digits"),
            ("expect within soon room hall", "expect within S"),
            ("expect-seen", "expect-seen ROOM"),
            ("goto 1 2 within", "goto X Z"),
            ("face 1 90", "from -89 to 89"),
            ("move 1 0 1 fly", "[crouch]"),
        ] {
            let errors = parse(wrong).unwrap_err();
            assert!(errors[0].problem.contains(cure), "{}", errors[0]);
        }
    }
}
