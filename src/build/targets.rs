//! Portals that lead to other portals: links between polygons at different places of a level.
//!
//! The transform between two rooms is the one that maps the polygon of the first portal to that of the second, so that
//! passing out of the one is passing into the other. Of the rotations at which the polygons fit, the upright one is
//! chosen, or the one at the angle that the author gives.

use std::collections::BTreeMap;
use std::f64::consts::{PI, TAU};

use glam::{DMat3, DVec2};

use super::opening::UnlinkedOpening;
use crate::geometry::{ConvexPolygon, PassageAxes, Rigid};
use crate::level::{LevelData, RoomId};
use crate::problems::{ProblemCode, ProblemPlace, Problems};
use crate::source::PortalTarget;

/// Maximum distance between the corners of two polygons that fit, metres.
const FIT: f64 = 1e-3;
/// Maximum deviation of a fitting rotation from the author's angle, radians.
const SAME_ANGLE: f64 = PI / 180.0;
/// Maximum deviation of a rotation's entries from 0, 1 and -1 that is removed: files store corners as f32. So right
/// angles are exact, and walking around a loop of them accumulates no error.
const RIGHT_ANGLE: f64 = 1e-6;

/// Links the portals that lead to other portals, and returns the other openings.
///
/// Two portals that name each other are one link. A portal that names another one without being named by it leads there;
/// the named portal leads back if it has no target of its own and is named only once.
pub(super) fn link_targets<'a>(
    level: &LevelData,
    openings: Vec<UnlinkedOpening<'a>>,
    links: &mut Vec<(UnlinkedOpening<'a>, RoomId)>,
    problems: &mut Problems,
) -> Vec<UnlinkedOpening<'a>> {
    if openings.iter().all(|o| o.source.leads_to.is_none()) {
        return openings;
    }
    let named = targets(level, &openings, problems);
    let mut times_named = vec![0; openings.len()];
    for &target in named.iter().flatten() {
        times_named[target] += 1;
    }
    let names_target = |index: usize| openings[index].source.leads_to.is_some();
    // For each opening with a link of its own: the target, the transform, and whether the target leads back.
    let mut plans = Vec::new();
    for (index, opening) in openings.iter().enumerate() {
        let Some(target) = named[index] else {
            plans.push(None);
            continue;
        };
        let names_back = named[target] == Some(index);
        let is_back_of_target = names_back && target < index && openings[target].two_way;
        let leads_back = if names_target(target) {
            names_back && openings[target].two_way
        } else {
            times_named[target] == 1
        };
        let pair = [opening, &openings[target]];
        let transform = (!is_back_of_target)
            .then(|| transform_of(level, pair, names_back, problems))
            .flatten();
        plans.push(transform.map(|transform| (target, transform, leads_back)));
    }
    let ends: Vec<(RoomId, &str)> = openings
        .iter()
        .map(|opening| (opening.from, opening.source.node.as_str()))
        .collect();
    let are_plain: Vec<bool> = (0..openings.len())
        .map(|index| !names_target(index) && times_named[index] == 0)
        .collect();
    let mut plain = Vec::new();
    for ((opening, plan), is_plain) in openings.into_iter().zip(plans).zip(are_plain) {
        if let Some((target, far_from_near, leads_back)) = plan {
            let (room, node) = ends[target];
            let two_way = opening.two_way && leads_back;
            let opening = UnlinkedOpening {
                far_polygon: opening.polygon.transformed(&far_from_near),
                far_from_near,
                two_way,
                arrival: two_way.then_some(node),
                ..opening
            };
            links.push((opening, room));
        } else if is_plain {
            plain.push(opening);
        }
    }
    plain
}

/// The transform from the room of a portal to that of its target. Reports portals that do not fit, and returns `None`.
fn transform_of(
    level: &LevelData,
    pair: [&UnlinkedOpening; 2],
    names_back: bool,
    problems: &mut Problems,
) -> Option<Rigid> {
    let roll = roll_of_pair(level, pair, names_back, problems)?;
    let [near, far] = pair.map(|opening| &opening.polygon);
    let transform = far_from_near(near, far, roll.map(f64::to_radians));
    let report = |angles: Vec<f64>| report_misfit(level, pair, &angles, problems);
    transform.map_err(report).ok()
}

/// The roll in degrees that a portal gives, or its target if that names the portal. Reports two different ones, and
/// returns `None`.
fn roll_of_pair(
    level: &LevelData,
    [opening, target]: [&UnlinkedOpening; 2],
    names_back: bool,
    problems: &mut Problems,
) -> Option<Option<f64>> {
    let roll = |opening: &UnlinkedOpening| opening.source.leads_to.as_ref()?.roll_deg;
    let of_target = names_back.then(|| roll(target)).flatten();
    match [roll(opening), of_target] {
        [Some(here), Some(there)]
            if between(here.to_radians(), there.to_radians()) > SAME_ANGLE =>
        {
            let message = || {
                format!(
                    "its property roll is {here}, and that of `{}` is {there}; give both the same value, or only one",
                    target.source.node
                )
            };
            report(level, opening, problems, &message);
            None
        }
        [here, there] => Some(here.or(there)),
    }
}

/// The angle between two directions, radians.
fn between(a: f64, b: f64) -> f64 {
    let turns = (a - b) / TAU;
    (turns - turns.round()).abs() * TAU
}

/// For each opening the index of the opening that it leads to. Reports names of no portal, and of several.
fn targets(
    level: &LevelData,
    openings: &[UnlinkedOpening],
    problems: &mut Problems,
) -> Vec<Option<usize>> {
    let mut by_name: BTreeMap<&str, Vec<usize>> = BTreeMap::new();
    for (index, opening) in openings.iter().enumerate() {
        let node = opening.source.node.as_str();
        by_name.entry(node).or_default().push(index);
        if let Some(stem) = node.strip_suffix("-portal") {
            by_name.entry(stem).or_default().push(index);
        }
    }
    let target = |(index, opening): (usize, &UnlinkedOpening)| {
        let PortalTarget { node, .. } = opening.source.leads_to.as_ref()?;
        let found = by_name.get(node.as_str()).map_or(&[][..], Vec::as_slice);
        let mistake = match found {
            [target] if *target != index => return Some(*target),
            [_] => "which is the portal itself".to_owned(),
            [] => "but no readable portal has that name".to_owned(),
            several => format!("a name that {} portals have", several.len()),
        };
        let message = || {
            format!(
                "its property leads_to is `{node}`, {mistake}; write the name of the portal at which one arrives"
            )
        };
        report(level, opening, problems, &message);
        None
    };
    openings.iter().enumerate().map(target).collect()
}

fn report(
    level: &LevelData,
    opening: &UnlinkedOpening,
    problems: &mut Problems,
    message: &dyn Fn() -> String,
) {
    let place = ProblemPlace::at(level.to_author(opening.polygon.centre()));
    let code = ProblemCode::PortalLeadsTo;
    problems.add(true, code, &opening.source.node, Some(place), message);
}

/// Reports that two polygons do not fit. `angles` are those at which they do, radians.
fn report_misfit(
    level: &LevelData,
    [opening, target]: [&UnlinkedOpening; 2],
    angles: &[f64],
    problems: &mut Problems,
) {
    let other = &target.source.node;
    let message = || {
        if angles.is_empty() {
            return format!(
                "it leads to `{other}`, whose polygon has another shape (areas {:.4} and {:.4} m2); give both the same shape to a millimetre: copy one with its opening",
                opening.polygon.area(),
                target.polygon.area()
            );
        }
        let mut angles: Vec<f64> = angles.iter().map(|angle| angle.to_degrees()).collect();
        angles.sort_by(f64::total_cmp);
        let angles: Vec<String> = angles.iter().map(|angle| format!("{angle:.1}")).collect();
        format!(
            "it leads to `{other}`, and the polygons do not fit at its property roll; they fit at {} degrees",
            angles.join(", ")
        )
    };
    report(level, opening, problems, &message);
}

/// The transform from the coordinates of one portal's room to those of another's. It maps the polygon of the first to the
/// reversed polygon of the second, at the angle closest to `roll` (radians; see [`PortalTarget::roll_deg`]). Fits the
/// corners by least squares (Kabsch, "A solution for the best rotation to relate two sets of vectors", 1976, in the plane).
///
/// # Errors
/// The angles at which the polygons fit, if none of them is `roll`; none if their shapes differ.
fn far_from_near(
    near: &ConvexPolygon,
    far: &ConvexPolygon,
    roll: Option<f64>,
) -> Result<Rigid, Vec<f64>> {
    let [from, to] = [
        PassageAxes::of(near.plane.normal),
        PassageAxes::of(-far.plane.normal),
    ];
    let count = near.vertices.len();
    if far.vertices.len() != count {
        return Err(Vec::new());
    }
    let flat = |polygon: &ConvexPolygon, axes: &PassageAxes| -> Vec<DVec2> {
        let centre = polygon.centre();
        let corners = polygon.vertices.iter();
        corners.map(|&v| axes.in_plane(v - centre)).collect()
    };
    let (here, mut there) = (flat(near, &from), flat(far, &to));
    there.reverse();
    let fit = |first: usize| {
        let pairs = || here.iter().zip(there.iter().cycle().skip(first));
        let sine: f64 = pairs().map(|(a, b)| a.perp_dot(*b)).sum();
        let cosine: f64 = pairs().map(|(a, b)| a.dot(*b)).sum();
        let angle = libm::atan2(sine, cosine);
        let turn = DVec2::new(libm::cos(angle), libm::sin(angle));
        let fits = pairs().all(|(a, b)| turn.rotate(*a).distance(*b) <= FIT);
        fits.then_some(angle)
    };
    let angles: Vec<f64> = (0..count).filter_map(fit).collect();
    let wanted = roll.unwrap_or(0.0);
    let distance = |angle: f64| between(angle, wanted);
    // The first of two equal ones; at half turns, both signs are equal.
    let best = angles
        .iter()
        .copied()
        .reduce(|a, b| if distance(b) < distance(a) { b } else { a });
    let Some(angle) = best.filter(|&angle| roll.is_none() || distance(angle) <= SAME_ANGLE) else {
        return Err(angles);
    };
    let rotation = to.matrix() * from.rolled(angle).matrix().transpose();
    let rotation = without_rounding(rotation);
    let transform = Rigid::new(rotation, far.centre() - rotation * near.centre());
    Ok(if transform.is_about(&Rigid::IDENTITY) {
        Rigid::IDENTITY
    } else {
        transform
    })
}

/// The rotation, exact if it is one by right angles except for rounding.
fn without_rounding(rotation: DMat3) -> DMat3 {
    let exact = DMat3::from_cols_array(&rotation.to_cols_array().map(f64::round));
    if rotation.abs_diff_eq(exact, RIGHT_ANGLE) {
        exact
    } else {
        rotation
    }
}
