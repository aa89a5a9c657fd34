//! The walk file: what a headless body is told to do, one command a line.

use std::fmt;

/// One line of a walk.
#[derive(Clone, Debug, PartialEq)]
pub struct Step {
    /// Line number, from 1.
    pub line: usize,
    /// The command as written, without comment.
    pub text: String,
    /// What it says.
    pub command: Command,
}

/// What a line tells the body to do.
#[derive(Clone, Debug, PartialEq)]
pub enum Command {
    /// Walk straight towards a point in plan view; author's coordinates, metres.
    Goto {
        /// East of the author's origin.
        x: f64,
        /// South of the author's origin.
        z: f64,
    },
    /// Stand still for some seconds.
    Wait {
        /// Seconds.
        secs: f64,
    },
    /// Turn on the spot.
    Face {
        /// Degrees from -Z, positive to the left.
        yaw: f64,
    },
    /// Hold the keys for some seconds.
    Move {
        /// -1 (back) to 1 (forward).
        forward: f64,
        /// -1 (left) to 1 (right).
        right: f64,
        /// Seconds.
        secs: f64,
    },
    /// Jump once.
    Jump,
    /// Crouch from now on.
    Crouch,
    /// Stand up, as soon as there is room, and stay up.
    Stand,
    /// Open a portal.
    Open {
        /// Its node's name.
        portal: String,
    },
    /// Use what is ahead: a door, a lift, a switch.
    Use,
    /// Stand still until something happens.
    WaitUntil {
        /// The event's kind, as in `sim --json`.
        event: String,
        /// The node that it is about; any, if empty.
        node: String,
    },
    /// Fail unless the body is in a room.
    ExpectRoom {
        /// Its name.
        room: String,
    },
    /// Fail unless the feet are near a point; author's coordinates, metres.
    ExpectNear {
        /// The point.
        point: [f64; 3],
        /// How near.
        metres: f64,
    },
    /// Close a portal.
    Close {
        /// Its node's name.
        portal: String,
    },
}

/// What is wrong with a line of a walk, and the cure.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct WalkError {
    /// Line number, from 1.
    pub line: usize,
    /// What was read.
    pub text: String,
    /// What is wrong, and the cure.
    pub problem: String,
}

impl fmt::Display for WalkError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "line {}: `{}`: {}", self.line, self.text, self.problem)
    }
}

impl std::error::Error for WalkError {}

/// Longest time a command may take, seconds: a day. More is a slip of the pen.
const MAX_SECS: f64 = 86_400.0;

/// The kinds of events that can be waited for.
const EVENTS: [&str; 12] = [
    "jumped",
    "landed",
    "hit",
    "stepped",
    "crossed",
    "crushed",
    "door_blocked",
    "entered",
    "triggered",
    "mover_started",
    "mover_arrived",
    "mover_blocked",
];

const COMMANDS: &str = "goto X Z, wait S, face DEG, move FORWARD RIGHT S, jump, crouch, \
                        stand, open PORTAL, close PORTAL, use, wait_until EVENT [NODE], \
                        expect room NAME, expect near X Y Z METRES";

/// Reads a walk file. `#` starts a comment, except inside a portal's name.
///
/// # Errors
/// All lines that cannot be read, not just the first.
pub fn parse(text: &str) -> Result<Vec<Step>, Vec<WalkError>> {
    let (mut steps, mut errors) = (Vec::new(), Vec::new());
    // Some editors begin a file with a byte order mark.
    let text = text.strip_prefix('\u{feff}').unwrap_or(text);
    for (line, raw) in (1..).zip(text.lines()) {
        let text = without_comment(raw).trim();
        if text.is_empty() {
            continue;
        }
        match command(text) {
            Ok(command) => steps.push(Step {
                line,
                text: text.to_owned(),
                command,
            }),
            Err(problem) => errors.push(WalkError {
                line,
                text: text.to_owned(),
                problem,
            }),
        }
    }
    if errors.is_empty() {
        Ok(steps)
    } else {
        Err(errors)
    }
}

/// The line up to a `#` that begins it or follows a space.
fn without_comment(line: &str) -> &str {
    let begins = |at: usize| {
        let before = line[..at].chars().next_back();
        before.is_none_or(char::is_whitespace)
    };
    let mut hashes = line.match_indices('#').map(|(at, _)| at);
    let comment = hashes.find(|&at| begins(at));
    comment.map_or(line, |at| &line[..at])
}

fn command(text: &str) -> Result<Command, String> {
    let (word, rest) = text.split_once(char::is_whitespace).unwrap_or((text, ""));
    let rest = rest.trim();
    match word {
        "goto" => numbers(rest, "goto X Z").map(|[x, z]| Command::Goto { x, z }),
        "wait" => {
            let [secs] = numbers(rest, "wait S")?;
            Ok(Command::Wait { secs: time(secs)? })
        }
        "face" => numbers(rest, "face DEG").map(|[yaw]| Command::Face { yaw }),
        "move" => {
            let [forward, right, secs] = numbers(rest, "move FORWARD RIGHT S")?;
            if !(-1.0..=1.0).contains(&forward) || !(-1.0..=1.0).contains(&right) {
                return Err("FORWARD and RIGHT are from -1 to 1".to_owned());
            }
            let secs = time(secs)?;
            Ok(Command::Move {
                forward,
                right,
                secs,
            })
        }
        "jump" => numbers(rest, "jump").map(|[]| Command::Jump),
        "crouch" => numbers(rest, "crouch").map(|[]| Command::Crouch),
        "stand" => numbers(rest, "stand").map(|[]| Command::Stand),
        "use" => numbers(rest, "use").map(|[]| Command::Use),
        "wait_until" => {
            let (event, node) = rest.split_once(char::is_whitespace).unwrap_or((rest, ""));
            if !EVENTS.contains(&event) {
                return Err(format!("the events are {}", EVENTS.join(", ")));
            }
            Ok(Command::WaitUntil {
                event: event.to_owned(),
                node: node.trim().to_owned(),
            })
        }
        "expect" => match rest.split_once(char::is_whitespace) {
            Some(("room", room)) => Ok(Command::ExpectRoom {
                room: room.trim().to_owned(),
            }),
            Some(("near", place)) => {
                let [x, y, z, metres] = numbers(place, "expect near X Y Z METRES")?;
                Ok(Command::ExpectNear {
                    point: [x, y, z],
                    metres,
                })
            }
            _ => Err("write `expect room NAME` or `expect near X Y Z METRES`".to_owned()),
        },
        "open" | "close" if rest.is_empty() => Err(format!(
            "say which portal, by its node's name: {word} PORTAL"
        )),
        "open" => Ok(Command::Open {
            portal: rest.to_owned(),
        }),
        "close" => Ok(Command::Close {
            portal: rest.to_owned(),
        }),
        _ => Err(format!(
            "`{word}` is not a command; the commands are {COMMANDS}"
        )),
    }
}

/// Exactly N finite numbers.
fn numbers<const N: usize>(text: &str, usage: &str) -> Result<[f64; N], String> {
    let words: Vec<&str> = text.split_whitespace().collect();
    let mut numbers = [0.0; N];
    if words.len() != N {
        return Err(format!("{} values where `{usage}` has {N}", words.len()));
    }
    for (number, word) in numbers.iter_mut().zip(words) {
        *number = word
            .parse()
            .ok()
            .filter(|x: &f64| x.is_finite())
            .ok_or_else(|| format!("`{word}` is not a number; write `{usage}`"))?;
    }
    Ok(numbers)
}

fn time(secs: f64) -> Result<f64, String> {
    if (0.0..=MAX_SECS).contains(&secs) {
        Ok(secs)
    } else {
        Err(format!("S is in seconds, from 0 to {MAX_SECS}"))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn commands(text: &str) -> Vec<Command> {
        let steps = parse(text).unwrap();
        steps.into_iter().map(|step| step.command).collect()
    }

    #[test]
    fn every_command_is_read() {
        let text = "goto 1.5 -2e1\nwait 0.5\nface -90\nmove 1 -0.5 2\njump\nopen Kitchen-portal\n\
                    close my door\n";
        assert_eq!(
            commands(text),
            [
                Command::Goto { x: 1.5, z: -20.0 },
                Command::Wait { secs: 0.5 },
                Command::Face { yaw: -90.0 },
                Command::Move {
                    forward: 1.0,
                    right: -0.5,
                    secs: 2.0
                },
                Command::Jump,
                Command::Open {
                    portal: "Kitchen-portal".to_owned()
                },
                Command::Close {
                    portal: "my door".to_owned()
                },
            ]
        );
    }

    #[test]
    fn comments_blank_lines_and_foreign_line_ends_do_not_count() {
        let text = "\u{feff}# the tour\r\n\r\n  goto 1 2   # to the door\r\n\tjump\t#up\r\n";
        let steps = parse(text).unwrap();
        let read: Vec<_> = steps.iter().map(|s| (s.line, s.text.as_str())).collect();
        assert_eq!(read, [(3, "goto 1 2"), (4, "jump")]);
    }

    #[test]
    fn a_portal_name_may_hold_a_hash() {
        let portal = "Hall*#2-portal".to_owned();
        assert_eq!(
            commands("open Hall*#2-portal # go"),
            [Command::Open { portal }]
        );
    }

    #[test]
    fn an_empty_walk_is_a_walk() {
        assert_eq!(parse("# nothing\n").unwrap(), []);
    }

    #[test]
    fn all_bad_lines_are_reported_each_with_what_was_read_and_the_cure() {
        let text = "goto 1\nfly 1 2\njump\nwait -1\nmove 2 0 1\nface north\nopen\njump high\n\
                    goto nan 1\nwait inf\nwait 1e300";
        let errors = parse(text).unwrap_err();
        let lines: Vec<usize> = errors.iter().map(|e| e.line).collect();
        assert_eq!(lines, [1, 2, 4, 5, 6, 7, 8, 9, 10, 11]);
        let said: Vec<String> = errors.iter().map(ToString::to_string).collect();
        assert_eq!(said[0], "line 1: `goto 1`: 1 values where `goto X Z` has 2");
        assert!(said[1].contains("`fly` is not a command") && said[1].contains("goto X Z"));
        assert!(said[4].contains("`north` is not a number"));
    }
}
