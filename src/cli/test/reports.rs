//! The results of tests as a table, as TAP and as JUnit XML.

use std::fmt::Write;

use super::{WalkProblem, WalkResult};

/// Returns a table with a row for each test, and below each failed test its problems, as FILE:LINE.
pub(super) fn table(tests: &[WalkResult]) -> String {
    let width = tests.iter().map(|test| test.walk.chars().count()).max();
    let width = width.unwrap_or(0);
    let mut text = String::new();
    for test in tests {
        // Writing to a string cannot fail.
        let _ = writeln!(
            text,
            "{:<6} {:<width$}  {:>4} lines {:>8.2} s walked {:>7.2} s taken",
            if test.ok { "ok" } else { "FAILED" },
            test.walk,
            test.lines,
            test.seconds,
            test.took_seconds,
        );
        for problem in &test.problems {
            let _ = writeln!(text, "       {}", described(test, problem));
        }
    }
    let passed = tests.iter().filter(|test| test.ok).count();
    let _ = writeln!(text, "{passed} of {} walks passed", tests.len());
    text
}

/// Returns the results as TAP version 14.
pub(super) fn tap(tests: &[WalkResult]) -> String {
    let mut text = format!("TAP version 14\n1..{}\n", tests.len());
    for (number, test) in (1..).zip(tests) {
        let ok = if test.ok { "ok" } else { "not ok" };
        let name = one_line(&test.walk)
            .replace('\\', "\\\\")
            .replace('#', "\\#");
        let _ = writeln!(text, "{ok} {number} - {name}");
        if !test.problems.is_empty() {
            text.push_str("  ---\n  problems:\n");
            for problem in &test.problems {
                let problem = one_line(&described(test, problem));
                let quoted = problem.replace('\'', "''");
                let _ = writeln!(text, "    - '{quoted}'");
            }
            text.push_str("  ...\n");
        }
    }
    text
}

/// Returns the results as JUnit XML for CI services.
pub(super) fn junit(tests: &[WalkResult]) -> String {
    let failed = tests.iter().filter(|test| !test.ok).count();
    let took: f64 = tests.iter().map(|test| test.took_seconds).sum();
    let count = tests.len();
    let counts = format!("tests=\"{count}\" failures=\"{failed}\" errors=\"0\" time=\"{took:.3}\"");
    let mut text = format!(
        "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<testsuites {counts}>\n  <testsuite \
         name=\"opendoor test\" {counts}>\n"
    );
    for test in tests {
        let [level, walk] = [&test.level, &test.walk].map(|name| escaped(name));
        let _ = write!(
            text,
            "    <testcase classname=\"{level}\" name=\"{walk}\" file=\"{walk}\" time=\"{:.3}\"",
            test.took_seconds
        );
        let problems = test.problems.iter();
        let problems: Vec<String> = problems.map(|problem| described(test, problem)).collect();
        let Some(first) = problems.first() else {
            text.push_str("/>\n");
            continue;
        };
        let (first, all) = (escaped(&one_line(first)), escaped(&problems.join("\n")));
        let _ = writeln!(
            text,
            ">\n      <failure message=\"{first}\">{all}</failure>\n    </testcase>"
        );
    }
    text.push_str("  </testsuite>\n</testsuites>\n");
    text
}

/// Returns a problem with its file and line.
fn described(test: &WalkResult, problem: &WalkProblem) -> String {
    let file = &test.walk;
    match problem.line {
        Some(line) => format!("{file}:{line}: {}", problem.message),
        None => format!("{file}: {}", problem.message),
    }
}

fn one_line(text: &str) -> String {
    text.replace(char::is_control, " ")
}

/// Escapes text for XML; characters that XML does not allow are replaced.
fn escaped(text: &str) -> String {
    let mut escaped = String::with_capacity(text.len());
    for c in text.chars() {
        match c {
            '&' => escaped.push_str("&amp;"),
            '<' => escaped.push_str("&lt;"),
            '>' => escaped.push_str("&gt;"),
            '"' => escaped.push_str("&quot;"),
            '\n' | '\t' => escaped.push(c),
            '\u{fffe}' | '\u{ffff}' => escaped.push('?'),
            c if c.is_control() => escaped.push('?'),
            c => escaped.push(c),
        }
    }
    escaped
}

#[cfg(test)]
mod tests {
    use super::*;

    fn test(walk: &str, problems: &[(Option<usize>, &str)]) -> WalkResult {
        let problems = problems.iter();
        WalkResult {
            walk: walk.to_owned(),
            level: "a&b.glb".to_owned(),
            ok: problems.len() == 0,
            lines: 3,
            seconds: 1.5,
            took_seconds: 0.25,
            state_hash: String::new(),
            problems: problems
                .map(|(line, message)| WalkProblem {
                    line: *line,
                    message: (*message).to_owned(),
                })
                .collect(),
        }
    }

    fn both() -> [WalkResult; 2] {
        let problems = [
            (Some(7), "`goto 1 2`: it's <short>\u{1}"),
            (None, "left all rooms"),
        ];
        [test("a.walk", &[]), test("b #1.walk", &problems)]
    }

    #[test]
    fn the_table_names_file_and_line() {
        let text = table(&both());
        assert!(text.contains("b #1.walk:7: `goto 1 2`"), "{text}");
        assert!(text.ends_with("1 of 2 walks passed\n"), "{text}");
    }

    #[test]
    fn tap_has_a_plan_a_line_for_each_test_and_quoted_details() {
        let expected = "TAP version 14\n1..2\nok 1 - a.walk\nnot ok 2 - b \\#1.walk\n  ---\n  problems:\n    \
                        - 'b #1.walk:7: `goto 1 2`: it''s <short> '\n    - 'b #1.walk: left all rooms'\n  \
                        ...\n";
        assert_eq!(tap(&both()), expected);
    }

    #[test]
    fn junit_counts_failures_and_escapes_characters_that_xml_forbids() {
        let text = junit(&both());
        assert!(
            text.contains("<testsuites tests=\"2\" failures=\"1\" errors=\"0\" time=\"0.500\">")
        );
        assert!(text.contains("classname=\"a&amp;b.glb\" name=\"a.walk\""));
        assert!(
            text.contains("it's &lt;short&gt;?\nb #1.walk: left all rooms</failure>"),
            "{text}"
        );
    }
}
