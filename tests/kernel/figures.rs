//! The numbers of the first table of docs/scenarios.md.

use glam::DVec3;
use opendoor::author::sketch::{Sketch, cuboid};
use opendoor::geometry::Triangle;

use crate::cast::{Cast, v};
use crate::classes::CLASSES;
use crate::closest::{FLATTENED, LONG, ORDERS, SMALL};
use crate::double::Double;
use crate::hard_casts::{self, Case};
use crate::neighbours;
use crate::oracle::{Expected, contact, expected, separation};
use crate::page::{Figure, renew};
use crate::random::Random;
use crate::shared::built;
use crate::ticks::{self, BODY, SHEET, TOUCHING};

#[test]
#[ignore = "writes the kernel's figures into docs/scenarios.md"]
fn figures_of_the_kernel() {
    let mut figures = single_casts();
    figures.extend(many_casts());
    figures.extend(touching());
    figures.extend(inputs());
    renew(&figures);
}

/// The fractions found, and the greatest distance from the contacts of the 106-bit oracle.
fn answers(cases: &[Case]) -> String {
    let mut fractions: Vec<String> = Vec::new();
    let mut worst: f64 = 0.0;
    for (cast, _) in cases {
        let hit = cast.sweep();
        let exact = contact::<Double>(cast);
        let found = hit.map_or("none".to_owned(), |hit| {
            let fraction = hit.distance / cast.length;
            format!("{fraction:.7}")
        });
        if !fractions.contains(&found) {
            fractions.push(found);
        }
        match (hit, exact) {
            (Some(hit), Some(exact)) => worst = worst.max((hit.distance - exact.distance).abs()),
            (None, None) => (),
            _ => worst = f64::INFINITY,
        }
    }
    if fractions == ["none"] {
        return "none".to_owned();
    }
    format!("{}; error {worst:.0e} m", fractions.join(", "))
}

/// The greatest angle between the normals found and those of the oracle, radians.
fn worst_normal(cases: &[Case]) -> f64 {
    cases.iter().fold(0.0, |worst: f64, (cast, _)| {
        let found = cast.sweep().map_or(DVec3::NAN, |hit| hit.normal);
        let exact = contact::<Double>(cast).map_or(DVec3::NAN, |c| c.normal);
        let turned = (found - exact).length();
        if turned.is_nan() {
            f64::INFINITY
        } else {
            worst.max(turned)
        }
    })
}

fn single_casts() -> Vec<Figure> {
    let from_inside = Cast::new(hard_casts::FLAT, 0.2, v(0., 0., -0.1), v(0., 0., 15.));
    let inside = from_inside.sweep().map_or("none", |_| "hit");
    let hall = ticks::hall_with(&[SHEET], false);
    let passed = ticks::moved(&hall, &BODY, v(0., 0., -15.), v(0., 0., 30.)).z;
    let contact_off = {
        let cast = hard_casts::top_of_a_wall()[0].0;
        let hit = cast.sweep().expect("a hit");
        let touched = cast.at(hit.distance) - hit.normal * cast.radius;
        (touched - v(7.59219694, 80.2574005, -27.2717476)).length()
    };
    let wall_behind = {
        let wall = [v(1., -50., -50.), v(1., -50., 50.), v(1., 50., 0.)];
        let floor = [v(0., 0., -50.), v(0., 0., 50.), v(-50., 0., 0.)];
        let hall = ticks::hall_with(&[floor, wall], false);
        let mut body = BODY;
        body.radius = 0.25 / 1.01;
        let start = v(-0.78131, 0.3092001, 0.);
        ticks::moved(&hall, &body, start, v(4., -0.3, 0.)).x
    };
    let (head_on, far) = (hard_casts::head_on(), hard_casts::six_kilometres());
    let plain = |number, cases: Vec<Case>| (number, answers(&cases));
    vec![
        (
            "A1",
            format!(
                "{}; begun inside: {inside}; from behind a one-sided one: passes, to z = {passed}",
                answers(&hard_casts::face_on())
            ),
        ),
        (
            "A2",
            format!(
                "{}; normal {:.0e}",
                answers(&head_on),
                worst_normal(&head_on)
            ),
        ),
        plain("A3", hard_casts::edge_on()),
        (
            "A5",
            format!(
                "{}; contact {contact_off:.0e} m off the published point",
                answers(&hard_casts::top_of_a_wall())
            ),
        ),
        plain("A6", hard_casts::beside_a_sliver()),
        (
            "A10",
            format!("{}; normal {:.0e}", answers(&far), worst_normal(&far)),
        ),
        plain("A11", hard_casts::large_floors()),
        plain("A13", hard_casts::missed_by_closest_points()),
        (
            "A14",
            format!(
                "{}; a tick ends at x = {wall_behind:.9}",
                answers(&hard_casts::floor_edge_and_wall())
            ),
        ),
    ]
}

/// Compares random casts with the oracle: their number, missed hits, false hits, and the greatest error.
fn tally(count: usize, mut draw: impl FnMut() -> Cast) -> String {
    let (mut missed, mut false_hits, mut worst) = (0, 0, 0.0_f64);
    for _ in 0..count {
        let cast = draw();
        match (cast.sweep(), expected::<f64>(&cast)) {
            (None, Expected::Hit(_)) => missed += 1,
            (Some(_), Expected::Miss) => false_hits += 1,
            (Some(hit), Expected::Hit(contact)) => {
                let mut off = (hit.distance - contact.distance).abs();
                // The difference may be an error of the oracle in f64.
                if off > 1e-9
                    && let Expected::Hit(contact) = expected::<Double>(&cast)
                {
                    off = (hit.distance - contact.distance).abs();
                }
                worst = worst.max(off);
            }
            _ => (),
        }
    }
    format!("{count}: {missed} missed, {false_hits} false; error {worst:.0e} m")
}

fn many_casts() -> Vec<Figure> {
    let mut random = Random::new(4);
    let step = [v(0., 0., 0.), v(0.5, 0., 0.), v(0., 0., 0.5)];
    let steps = tally(50_000, || {
        let before = 0.001 * random.between(0.01, 0.99);
        let from = v(-0.3 - before, 0., random.between(0.01, 0.49));
        Cast::new(step, 0.3, from, v(0.001, 0., 0.))
    });
    let mut of_class = |name: &str| {
        let class = CLASSES.iter().find(|class| class.name == name);
        let class = class.expect("a class of that name");
        tally(200_000, || (class.cast)(&mut random))
    };
    let needles = of_class("needles");
    let ordinary = of_class("ordinary");
    let long = of_class("motions of 1 m to 10 km");
    let floor = [v(-500., 0., -500.), v(-500., 0., 500.), v(500., 0., -500.)];
    let walks = tally(200_000, || {
        let motion = v(random.between(-0.1, 0.1), -0.002, random.between(-0.1, 0.1));
        Cast::new(floor, 0.5, v(-100., 0.501, -100.), motion)
    });
    let and = |cases: Vec<Case>, tally: String| format!("{}; of {tally}", answers(&cases));
    vec![
        ("A4", and(hard_casts::tiny_step_edge_on(), steps)),
        ("A7", and(hard_casts::needle(), needles)),
        ("A8", and(hard_casts::ordinary_corner(), ordinary)),
        ("A9", and(hard_casts::ten_kilometres(), long)),
        ("A12", format!("of {walks}")),
    ]
}

fn touching() -> Vec<Figure> {
    let hall = ticks::hall_with(&[SHEET], false);
    let lost = |gap: f64, motion: DVec3| {
        let start = v(0.4, 0.2, TOUCHING + gap);
        let end = ticks::moved(&hall, &BODY, start, motion);
        (end - start - motion).length()
    };
    let away = v(0.05, -0.02, 0.07);
    let (touching, overlapping) = (lost(0.0, away), lost(-1e-6, away));
    let normal = v(2., 3., 6.) / 7.0;
    let slanted = [v(30., 0., -10.), v(-30., 30., -5.), v(0., -30., 15.)];
    let hall_slanted = ticks::hall_with(&[slanted], false);
    let mut random = Random::new(16);
    let mut along: f64 = 0.0;
    for _ in 0..10_000 {
        let start = random.in_cube(0.5);
        let start = start + normal * (TOUCHING - start.dot(normal));
        let motion = random.square_to(normal) * random.of_any_size(1e-4, 1.0);
        let motion = DVec3::from_array(motion.to_array().map(|x| match random.below(3) {
            0 => x.next_up(),
            1 => x.next_down(),
            _ => x,
        }));
        let end = ticks::moved(&hall_slanted, &BODY, start, motion);
        along = along.max((end - start - motion).length());
    }
    let mut short: f64 = 0.0;
    for length in [0.0, 5e-324, 1e-310, 6.9e-39] {
        for way in [DVec3::Z, DVec3::NEG_Z, DVec3::X, v(1., -1., -1.)] {
            let start = v(0.4, 0.2, TOUCHING);
            let end = ticks::moved(&hall, &BODY, start, way * length);
            short = short.max((end - start).length());
        }
    }
    vec![
        (
            "A15",
            format!(
                "no hit; at gap 0 {touching:.0e} m lost, at -1e-6 {overlapping:.0e} m given back"
            ),
        ),
        ("A16", format!("at most {along:.0e} m lost in 10000 moves")),
        ("A17", format!("no hit, moved {short} m")),
    ]
}

fn inputs() -> Vec<Figure> {
    let mut closest: f64 = 0.0;
    let around_long = [
        v(101., 0., -1.),
        v(101., 2., 2.),
        v(-101., 0., 0.),
        v(101., 0., 0.5),
        v(3., 2., -1.),
        v(-0.01, 3., 2.5),
        v(50., 3., 0.25),
    ];
    let cases = around_long.into_iter().map(|from| (LONG, from));
    for (corners, from) in cases.chain([(FLATTENED, DVec3::ZERO), (SMALL, DVec3::ZERO)]) {
        let (exact, _) = separation::<Double>(corners, from);
        for order in ORDERS {
            let corners = order.map(|i| corners[i]);
            closest = closest.max((Triangle { corners }.distance(from) - exact).abs());
        }
    }
    vec![
        ("A18", format!("distances {closest:.0e} m off")),
        ("A19", left_out()),
        ("A20", moved_by_an_ulp()),
    ]
}

/// The number of degenerate triangles that a level omits.
fn left_out() -> String {
    let (p, q) = (v(1., 1., 1.), v(2., 1., 1.));
    let flat = [[p, p, p], [p, p, q], [p, q, p], [p, q, (p + q) * 0.5]];
    let mut sketch = Sketch::new("hall");
    let hall = sketch.box_room("hall", cuboid([0.; 3], [4.; 3]), &[]);
    sketch.mesh(hall, 0, &flat);
    sketch.spawn(hall, v(3., 1., 3.), DVec3::X);
    let level = built(sketch.source);
    let dropped = level.degenerate_triangles;
    format!("{dropped} of {} left out, counted", flat.len())
}

fn moved_by_an_ulp() -> String {
    let mut random = Random::new(20);
    let (mut flips, mut count, mut worst) = (0, 0, 0.0_f64);
    for (cast, fraction) in hard_casts::all() {
        for i in 0..500 {
            let one = |k| {
                if k == i / 2 {
                    1 - 2 * (i as i32 % 2)
                } else {
                    0
                }
            };
            let moved = if i < 2 * neighbours::COORDINATES {
                neighbours::moved(&cast, one)
            } else {
                neighbours::moved(&cast, |_| random.below(3) as i32 - 1)
            };
            count += 1;
            let before = cast.sweep().map(|hit| hit.distance / cast.length);
            match (moved.sweep(), before) {
                (Some(hit), Some(before)) => {
                    worst = worst.max((hit.distance / moved.length - before).abs());
                }
                (found, _) => flips += usize::from(found.is_some() != fraction.is_some()),
            }
        }
    }
    format!("of {count} casts {flips} flip; the fraction moves by {worst:.0e} at most")
}
