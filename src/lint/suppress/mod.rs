//! Suppression of consequences, so that one mistake of an author gives one message.
//!
//! A [`SuppressionRow`] says which findings hide which others. All rows apply to the same list in one pass, so that
//! neither the order of the checks nor that of the rows matters. A hidden finding still hides its own consequences. If
//! an error is hidden, its causes become errors, so that at least one error remains.
//!
//! A [`Merge`] replaces several findings that no row hides, and that have one cause, by a single new finding.

mod causes;
pub(super) mod conditions;
mod row;

use std::collections::{BTreeMap, BTreeSet};

use super::findings::Finding;
use crate::level::LevelData;
use crate::problems::ProblemCode;
use crate::source::LevelSource;
use causes::Causes;
pub(super) use row::{Context, EffectCondition, Merge, Merged, Scope, SuppressionRow};

/// Removes the findings that follow from other findings.
pub(super) fn suppress(
    context: &Context,
    (table, merges): (&[SuppressionRow], &[Merge]),
    findings: &mut Vec<Finding>,
) {
    let mut pairs = pairs(context, table, findings);
    let mut is_hidden = vec![false; findings.len()];
    for pair in &pairs {
        is_hidden[pair.effect] = true;
    }
    for merge in merges {
        let all = findings.iter().enumerate();
        let left: Vec<(usize, &Finding)> = all.filter(|(index, _)| !is_hidden[*index]).collect();
        for Merged { finding, effects } in merge(context, &left) {
            let cause = findings.len();
            for effect in effects {
                pairs.push(HiddenPair { effect, cause });
                is_hidden[effect] = true;
            }
            findings.push(finding);
            is_hidden.push(false);
        }
    }
    raise(&pairs, findings);
    let mut is_hidden = is_hidden.into_iter();
    findings.retain(|_| is_hidden.next() != Some(true));
}

/// Whether a finding follows from one of those that are known: the rows hide it, in a level without a source.
pub(super) fn is_hidden(
    level: &LevelData,
    tables: &[&[SuppressionRow]],
    known: &[Finding],
    finding: &Finding,
) -> bool {
    let context = Context {
        level: Some(level),
        source: &LevelSource::default(),
        rooms: None,
    };
    let rows = tables.iter().copied().flatten();
    let mut rows = rows.filter(|row| row.effect.contains(&finding.code));
    rows.any(|row| {
        let causes = known.iter().enumerate();
        let causes = causes.filter(|(_, cause)| {
            row.cause.contains(&cause.code) && row.reported == cause.is_reported
        });
        let causes: Vec<usize> = causes.map(|(index, _)| index).collect();
        let is_effect = !causes.is_empty() && row.only.is_none_or(|is| is(&context, finding));
        let causes = || Causes::of(&context, row.scope, known, &causes);
        is_effect && causes().first_of(finding, |_| true).is_some()
    })
}

/// The indices of a hidden finding and of its first cause of a row.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
struct HiddenPair {
    effect: usize,
    cause: usize,
}

fn pairs(context: &Context, table: &[SuppressionRow], findings: &[Finding]) -> Vec<HiddenPair> {
    let mut by_code: BTreeMap<(ProblemCode, bool), Vec<usize>> = BTreeMap::new();
    for (index, finding) in findings.iter().enumerate() {
        let of_code = by_code.entry((finding.code, finding.is_reported));
        of_code.or_default().push(index);
    }
    let of = |codes: &[ProblemCode], is_reported: bool| {
        let found = codes.iter();
        let found = found.filter_map(|code| by_code.get(&(*code, is_reported)));
        let mut found: Vec<usize> = found.flatten().copied().collect();
        found.sort_unstable();
        found
    };
    let mut pairs = Vec::new();
    let mut is_hidden = vec![false; findings.len()];
    // Rows whose causes hide one effect each come last, because they hide only effects that no other row hides.
    let (all, one): (Vec<&SuppressionRow>, Vec<&SuppressionRow>) =
        table.iter().partition(|row| !row.hides_one);
    for row in all.into_iter().chain(one) {
        let (causes, effects) = (of(row.cause, row.reported), of(row.effect, false));
        if causes.is_empty() || effects.is_empty() {
            continue;
        }
        let causes = Causes::of(context, row.scope, findings, &causes);
        let mut is_used = BTreeSet::new();
        for effect in effects {
            let is_left = !row.hides_one || !is_hidden[effect];
            if !is_left || row.only.is_some_and(|is| !is(context, &findings[effect])) {
                continue;
            }
            let is_free = |cause: usize| cause != effect && !is_used.contains(&cause);
            if let Some(cause) = causes.first(effect, is_free) {
                pairs.push(HiddenPair { effect, cause });
                is_hidden[effect] = true;
                if row.hides_one {
                    is_used.insert(cause);
                }
            }
        }
    }
    pairs
}

/// Turns the causes of hidden errors into errors, and the causes of those causes too if they are hidden.
fn raise(pairs: &[HiddenPair], findings: &mut [Finding]) {
    let mut pairs = pairs.to_vec();
    pairs.sort_unstable();
    let errors = (0..findings.len()).filter(|&index| findings[index].is_error);
    let mut waiting: Vec<usize> = errors.collect();
    while let Some(effect) = waiting.pop() {
        let first = pairs.partition_point(|pair| pair.effect < effect);
        let causes = pairs[first..].iter();
        for pair in causes.take_while(|pair| pair.effect == effect) {
            if !std::mem::replace(&mut findings[pair.cause].is_error, true) {
                waiting.push(pair.cause);
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use glam::DVec3;

    use super::*;
    use crate::geometry::Aabb;
    use crate::level::{AuthorPoint, RoomId};
    use crate::lint::findings::put_back;
    use crate::problems::{ProblemCode as Code, ProblemPlace, Problems};
    use crate::rng::Rng;

    fn row(cause: &'static [Code], effect: &'static [Code], scope: Scope) -> SuppressionRow {
        SuppressionRow {
            cause,
            effect,
            scope,
            reported: false,
            only: None,
            hides_one: false,
        }
    }

    /// The remaining findings by code and node, sorted, each with whether it is an error.
    fn remaining(
        table: &[SuppressionRow],
        mut findings: Vec<Finding>,
    ) -> Vec<(Code, String, bool)> {
        let context = Context {
            level: None,
            source: &LevelSource::default(),
            rooms: None,
        };
        suppress(&context, (table, &[]), &mut findings);
        let left = findings.into_iter();
        let mut left: Vec<_> = left.map(|f| (f.code, f.node, f.is_error)).collect();
        left.sort();
        left
    }

    fn finding(code: Code, node: &str) -> Finding {
        Finding::warning(code, node, String::new(), None)
    }

    #[test]
    fn a_hidden_cause_hides_its_effects_in_any_order_and_an_error_makes_its_causes_errors() {
        let table = || {
            let same = Scope::SameNode;
            let mut rows = vec![
                row(&[Code::RoomEmpty], &[Code::PortalFar], same),
                row(&[Code::PortalFar], &[Code::PortalGap], same),
                row(&[Code::PortalGap], &[Code::DoorWithGap], same),
            ];
            rows.rotate_left(1);
            rows
        };
        let codes = [
            Code::RoomEmpty,
            Code::PortalFar,
            Code::PortalGap,
            Code::DoorWithGap,
        ];
        for first in 0..4 {
            let mut found: Vec<Finding> = codes.iter().map(|&code| finding(code, "a")).collect();
            found[3].is_error = true;
            found.push(finding(Code::DoorWithGap, "b"));
            found.rotate_left(first);
            let expected = [
                (Code::RoomEmpty, "a".to_owned(), true),
                (Code::DoorWithGap, "b".to_owned(), false),
            ];
            let left = remaining(&table(), found);
            assert_eq!(left, expected, "rotated by {first}");
        }
    }

    #[test]
    fn a_cause_of_one_effect_hides_the_first_that_is_left() {
        let table = [
            SuppressionRow {
                hides_one: true,
                ..row(&[Code::PortalFar], &[Code::RoomHole], Scope::WholeLevel)
            },
            row(&[Code::RoomEmpty], &[Code::RoomHole], Scope::SameNode),
        ];
        let found = vec![
            finding(Code::RoomHole, "a"),
            finding(Code::RoomHole, "b"),
            finding(Code::RoomHole, "c"),
            finding(Code::PortalFar, "p"),
            finding(Code::RoomEmpty, "a"),
        ];
        let left = remaining(&table, found);
        let left: Vec<&str> = left.iter().map(|(_, node, _)| node.as_str()).collect();
        assert_eq!(left, ["a", "c", "p"]);
    }

    #[test]
    fn a_reported_cause_hides_effects_and_is_no_message() {
        let table = [SuppressionRow {
            reported: true,
            ..row(
                &[Code::MoverProperty],
                &[Code::MoverThroughWall],
                Scope::SameNode,
            )
        }];
        let cause = Finding {
            is_reported: true,
            ..finding(Code::MoverProperty, "b")
        };
        let through = |node: &str| finding(Code::MoverThroughWall, node);
        let others = || {
            vec![
                finding(Code::MoverProperty, "a"),
                through("a"),
                through("b"),
            ]
        };
        let left = remaining(&table, [others(), vec![cause.clone()]].concat());
        let left: Vec<(Code, &str)> = left.iter().map(|(c, n, _)| (*c, n.as_str())).collect();
        let expected = [
            (Code::MoverProperty, "a"),
            (Code::MoverProperty, "b"),
            (Code::MoverThroughWall, "a"),
        ];
        assert_eq!(left, expected);
        let mut problems = Problems::default();
        put_back(vec![cause], &mut problems);
        assert_eq!(problems, Problems::default());
    }

    #[test]
    fn a_merge_replaces_the_findings_that_no_row_hides_and_keeps_their_errors() {
        fn merged(_: &Context, found: &[(usize, &Finding)]) -> Vec<Merged> {
            let holes = found.iter().filter(|(_, f)| f.code == Code::RoomHole);
            let effects: Vec<usize> = holes.map(|(index, _)| *index).collect();
            let name = format!("{} holes", effects.len());
            let finding = finding(Code::RoomHole, &name);
            vec![Merged { finding, effects }]
        }
        let table = [row(&[Code::RoomEmpty], &[Code::RoomHole], Scope::SameNode)];
        let mut found: Vec<Finding> = ["a", "b", "c"].map(|n| finding(Code::RoomHole, n)).into();
        found[1].is_error = true;
        found.push(finding(Code::RoomEmpty, "a"));
        let context = Context {
            level: None,
            source: &LevelSource::default(),
            rooms: None,
        };
        suppress(&context, (&table, &[merged]), &mut found);
        let left = found.iter().map(|f| (f.node.as_str(), f.is_error));
        assert_eq!(left.collect::<Vec<_>>(), [("a", false), ("2 holes", true)]);
    }

    #[test]
    fn what_the_index_of_a_scope_finds_is_what_brute_force_finds() {
        let mut rng = Rng::new(1);
        for scope in [
            Scope::WholeLevel,
            Scope::SameNode,
            Scope::SameRooms,
            Scope::AnyRoom,
            Scope::EachRoom,
            Scope::RoomBehind,
            Scope::Within(0.5),
            Scope::InColumn(0.5),
            Scope::Above(0.5),
            Scope::Around(0.5),
        ] {
            let mut hidden = 0;
            for _ in 0..40 {
                let mut number = |max: f64| rng.between(0.0, max) as u32;
                let mut random = |code: Code, index: usize| {
                    let mut found = finding(code, &format!("n{}", number(4.0)));
                    found.rooms = (0..=number(2.5)).map(|_| RoomId(number(12.0))).collect();
                    let at = DVec3::new(number(9.0).into(), number(9.0).into(), 0.0);
                    let extent = Aabb::around([at]).grown(number(3.0).into());
                    found.place = Some(ProblemPlace::at(AuthorPoint(at)).about(extent));
                    found.message = index.to_string();
                    found
                };
                let codes = [Code::PortalFar, Code::RoomHole];
                let found: Vec<Finding> = (0..12)
                    .map(|i| random(codes[usize::from(i > 3)], i))
                    .collect();
                let (causes, effects) = found.split_at(4);
                let is_hidden = |effect: &Finding| hides(scope, causes, effect);
                let left = effects.iter().filter(|effect| !is_hidden(effect));
                let expected: Vec<&Finding> = causes.iter().chain(left).collect();
                let mut left = found.clone();
                let context = Context {
                    level: None,
                    source: &LevelSource::default(),
                    rooms: None,
                };
                let table = [row(&[Code::PortalFar], &[Code::RoomHole], scope)];
                suppress(&context, (&table, &[]), &mut left);
                let indices = |found: &[&Finding]| -> Vec<String> {
                    found.iter().map(|f| f.message.clone()).collect()
                };
                assert_eq!(
                    indices(&left.iter().collect::<Vec<_>>()),
                    indices(&expected)
                );
                hidden += found.len() - left.len();
            }
            assert!((20..=320).contains(&hidden), "{scope:?}: {hidden}");
        }
    }

    /// Whether any cause hides an effect, computed directly from the definitions of the scopes.
    fn hides(scope: Scope, causes: &[Finding], effect: &Finding) -> bool {
        let boxes = |finding: &Finding| {
            let place = finding.place.clone().unwrap();
            (place.point.0, place.extent.unwrap())
        };
        let (at, around) = boxes(effect);
        let mut all = causes.iter();
        match scope {
            Scope::WholeLevel => true,
            Scope::SameNode => all.any(|cause| cause.node == effect.node),
            Scope::SameRooms => {
                all.any(|cause| effect.rooms.iter().all(|r| cause.rooms.contains(r)))
            }
            Scope::AnyRoom => all.any(|cause| effect.rooms.iter().any(|r| cause.rooms.contains(r))),
            Scope::EachRoom => {
                let mut rooms = effect.rooms.iter();
                rooms.all(|room| causes.iter().any(|cause| cause.rooms.contains(room)))
            }
            Scope::RoomBehind => all.any(|cause| cause.rooms.last() == effect.rooms.first()),
            Scope::InColumn(by) => all.any(|cause| {
                let bounds = boxes(cause).1.grown(by);
                bounds.contains(at.with_y(bounds.min.y))
            }),
            Scope::Above(by) => all.any(|cause| {
                let bounds = boxes(cause).1.grown(by);
                bounds.contains(at.with_y(at.y.min(bounds.max.y)))
            }),
            Scope::Within(by) => all.any(|cause| boxes(cause).1.grown(by).contains(at)),
            Scope::Around(by) => all.any(|cause| around.grown(by).contains(boxes(cause).0)),
            _ => unreachable!(),
        }
    }
}
