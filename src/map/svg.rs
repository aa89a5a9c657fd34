//! A plan as SVG on sheets of A4, black on white except for bodies and problems.

use std::fmt::Write;

use glam::DVec2;

use super::labels::{LabelPlace, place_label};
use super::lettering::{BLACK, LETTER, RED, escaped, wrapped, write_over, write_text};
use super::paper::Paper;
use super::plan::Plan;
use super::shapes::{DrawnShape, Ink, Mark, ShapeGeometry, Storey};
use crate::problems::Problem;

/// The minimum and maximum letter height of a room's name, millimetres: as large as the room permits.
const NAME: [f64; 2] = [1.2, 3.0];
/// The letter height of a spawn's name, millimetres.
const SMALL: f64 = 1.6;
/// The letter height of a list, millimetres.
const LIST: f64 = 2.6;
/// The radius of a lamp's sign: metres on the plan, clamped to a range in millimetres.
const LAMP: (f64, [f64; 2]) = (0.25, [0.3, 0.9]);
/// The line width of walls, in the same form as `LAMP`.
const WALL: (f64, [f64; 2]) = (0.075, [0.15, 0.4]);
/// The radius of a problem's sign, millimetres.
const PROBLEM: f64 = 2.2;
const THIN: &str = "stroke=\"#000\" stroke-width=\"0.15\"";

/// Options of the SVG output.
#[derive(Clone, Copy, Debug, Default)]
pub struct Sheets<'a> {
    /// The list of all problems; the signs on the plan refer to their numbers.
    pub problems: &'a [Problem],
    /// The only storey to draw, counted from 1; `None` for all.
    pub storey: Option<usize>,
}

/// Draws the storeys as sheets of A4 one below the other, all at one scale, followed by a list of problems if there are any.
pub fn svg(plan: &Plan, sheets: &Sheets) -> String {
    let paper = Paper::of(plan);
    let storeys = (1..).zip(&plan.storeys);
    let storeys = storeys.filter(|(number, _)| sheets.storey.is_none_or(|only| only == *number));
    let mut pages: Vec<String> = storeys
        .map(|(number, storey)| sheet(plan, &paper, number, storey))
        .collect();
    pages.extend(problem_pages(plan, &paper, sheets));
    let DVec2 {
        x: width,
        y: height,
    } = paper.size;
    let whole = height * pages.len().max(1) as f64;
    let mut text = format!(
        "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<svg xmlns=\"http://www.w3.org/2000/svg\" \
         width=\"{width}mm\" height=\"{whole}mm\" viewBox=\"0 0 {width} {whole}\" font-family=\"Helvetica, \
         Arial, 'DejaVu Sans', sans-serif\" fill=\"none\" stroke-linecap=\"round\" stroke-linejoin=\"round\">\n\
         <title>{}</title>\n<rect width=\"{width}\" height=\"{whole}\" fill=\"#fff\"/>\n",
        escaped(&plan.name)
    );
    for (nth, page) in pages.iter().enumerate() {
        let top = height * nth as f64;
        // Writing to a string cannot fail.
        let _ = writeln!(text, "<g transform=\"translate(0 {top})\">\n{page}</g>");
    }
    text.push_str("</svg>\n");
    text
}

/// Draws a storey on its sheet.
fn sheet(plan: &Plan, paper: &Paper, number: usize, storey: &Storey) -> String {
    let mut page = String::new();
    // Consecutive shapes of one ink share one path.
    for run in storey.shapes.chunk_by(|a, b| a.ink == b.ink) {
        draw_lines(paper, run, &mut page);
        for shape in run {
            match &shape.figure {
                ShapeGeometry::Mark(mark, at) => {
                    draw_mark(paper, storey, (mark, *at), &mut page);
                }
                ShapeGeometry::Name { at, text, room } => {
                    let room = *room * paper.length(1.0);
                    write_name(paper.at(*at), text, room, &mut page);
                }
                ShapeGeometry::Area(_) | ShapeGeometry::Line(_) => {}
            }
        }
    }
    draw_problems(paper, storey, &mut page);
    let of = plan.storeys.len();
    let title = format!(
        "{}, storey {number} of {of}, floor at {:.2} m",
        plan.name, storey.floor
    );
    write_title(paper, &title, &mut page);
    page
}

/// Draws the signs of problems, side by side where several problems have the same position.
fn draw_problems(paper: &Paper, storey: &Storey, page: &mut String) {
    let mut drawn: Vec<DVec2> = Vec::new();
    for problem in &storey.problems {
        let mut at = paper.at(problem.at);
        while drawn.iter().any(|other| other.distance(at) < 2.0 * PROBLEM) {
            at.x += 2.1 * PROBLEM;
        }
        drawn.push(at);
        let _ = writeln!(
            page,
            "<circle cx=\"{:.2}\" cy=\"{:.2}\" r=\"{PROBLEM}\" fill=\"#fff\" fill-opacity=\"0.8\" \
             stroke=\"#d00\" stroke-width=\"0.4\"/>",
            at.x, at.y
        );
        let number = problem.number.to_string();
        write_text(at + DVec2::Y * 0.9, &number, 2.4, "middle", RED, page);
    }
}

/// Converts metres to millimetres on the sheet, within limits.
fn on_paper(paper: &Paper, (metres, [least, most]): (f64, [f64; 2])) -> f64 {
    paper.length(metres).clamp(least, most)
}

fn style(paper: &Paper, ink: Ink) -> String {
    let style = match ink {
        Ink::Wall => {
            let width = on_paper(paper, WALL);
            return format!("stroke=\"#000\" stroke-width=\"{width:.2}\"");
        }
        Ink::Floor => "fill=\"#f2f2f2\" stroke=\"#f2f2f2\" stroke-width=\"0.08\"",
        Ink::Edge => "stroke=\"#999\" stroke-width=\"0.09\"",
        Ink::Void => "stroke=\"#aaa\" stroke-width=\"0.12\" stroke-dasharray=\"0.4 0.8\"",
        Ink::Portal => "stroke=\"#000\" stroke-width=\"0.22\" stroke-dasharray=\"1 0.8\"",
        Ink::Way => "stroke=\"#000\" stroke-width=\"0.13\"",
        Ink::Mover => "stroke=\"#000\" stroke-width=\"0.25\"",
        Ink::Body => "stroke=\"#6a9fd8\" stroke-width=\"0.15\"",
        Ink::Door => "fill=\"#000\" stroke=\"#000\" stroke-width=\"0.25\"",
        Ink::Lamp | Ink::Spawn | Ink::Name => THIN,
    };
    style.to_owned()
}

/// Draws all areas and lines as one path.
fn draw_lines(paper: &Paper, shapes: &[DrawnShape], page: &mut String) {
    let mut path = String::new();
    for shape in shapes {
        match &shape.figure {
            ShapeGeometry::Area(triangles) => {
                for triangle in triangles {
                    // All triangles get the same winding, so that none cancels another.
                    let [a, b, c] = *triangle;
                    let wound = if (b - a).perp_dot(c - a) < 0.0 {
                        [a, c, b]
                    } else {
                        [a, b, c]
                    };
                    add_line(paper, &wound, true, &mut path);
                }
            }
            ShapeGeometry::Line(points) => {
                let is_ring = points.len() > 2 && points.first() == points.last();
                let open = &points[..points.len() - usize::from(is_ring)];
                add_line(paper, open, is_ring, &mut path);
            }
            ShapeGeometry::Mark(..) | ShapeGeometry::Name { .. } => {}
        }
    }
    if let (Some(first), false) = (shapes.first(), path.is_empty()) {
        let _ = writeln!(page, "<path {} d=\"{path}\"/>", style(paper, first.ink));
    }
}

fn add_line(paper: &Paper, points: &[DVec2], is_ring: bool, path: &mut String) {
    for (nth, point) in points.iter().enumerate() {
        let at = paper.at(*point);
        let command = if nth == 0 { 'M' } else { 'L' };
        let _ = write!(path, "{command}{:.2} {:.2}", at.x, at.y);
    }
    if is_ring {
        path.push('Z');
    }
}

fn draw_mark(paper: &Paper, storey: &Storey, (mark, at): (&Mark, DVec2), page: &mut String) {
    let at = paper.at(at);
    match mark {
        Mark::Lamp => {
            let DVec2 { x, y } = at;
            let radius = on_paper(paper, LAMP);
            let high = radius * std::f64::consts::FRAC_1_SQRT_2;
            let low = -high;
            let _ = writeln!(
                page,
                "<circle cx=\"{x:.2}\" cy=\"{y:.2}\" r=\"{radius:.2}\" fill=\"#fff\" {THIN}/>\n\
                 <path d=\"M{:.2} {:.2}L{:.2} {:.2}M{:.2} {:.2}L{:.2} {:.2}\" {THIN}/>",
                x + low,
                y + low,
                x + high,
                y + high,
                x + low,
                y + high,
                x + high,
                y + low,
            );
        }
        Mark::Spawn(forward, name) => {
            let (ahead, side) = (*forward * 1.8, forward.perp() * 0.9);
            let [a, b, c] = [at + ahead, at - ahead * 0.6 + side, at - ahead * 0.6 - side];
            let _ = writeln!(
                page,
                "<path d=\"M{:.2} {:.2}L{:.2} {:.2}L{:.2} {:.2}Z\" fill=\"#000\"/>",
                a.x, a.y, b.x, b.y, c.x, c.y
            );
            let label = place_spawn_name(paper, storey, (name, at, *forward));
            write_over(label.at, name, SMALL, label.anchor, page);
        }
    }
}

/// Returns the place of a spawn's name, at a point of the sheet: behind the arrow, or before or beside it where that
/// crosses fewer walls.
fn place_spawn_name(
    paper: &Paper,
    storey: &Storey,
    (name, at, forward): (&str, DVec2, DVec2),
) -> LabelPlace {
    let beside = |direction: DVec2| LabelPlace {
        at: at + direction * 1.8 + DVec2::Y * (0.36 * SMALL + direction.y.max(0.0) * SMALL),
        anchor: match direction.x {
            x if x > 0.5 => "start",
            x if x < -0.5 => "end",
            _ => "middle",
        },
    };
    let places = [-forward, forward, forward.perp(), -forward.perp()].map(beside);
    let is_wall = |shape: &&DrawnShape| matches!(shape.ink, Ink::Wall | Ink::Door | Ink::Void);
    let walls = storey.shapes.iter().filter(is_wall);
    let lines = walls.flat_map(|shape| match &shape.figure {
        ShapeGeometry::Line(points) => points.windows(2),
        _ => [].windows(2),
    });
    let lines = lines.map(|ends| [ends[0], ends[1]].map(|point| paper.at(point)));
    place_label(&places, (name.chars().count(), SMALL), lines).unwrap_or(places[0])
}

/// Writes a room's name in one or several lines, as large as the room permits.
fn write_name(at: DVec2, name: &str, room: DVec2, page: &mut String) {
    let [least, most] = NAME;
    let fits = |lines: &[String]| {
        let longest = lines.iter().map(|line| line.chars().count()).max();
        let wide = room.x / (LETTER * longest.unwrap_or(1).max(1) as f64);
        0.92 * wide.min(room.y / (1.1 * lines.len() as f64))
    };
    let mut lines = vec![name.to_owned()];
    if fits(&lines) < 0.7 * most {
        let parts = name.split_inclusive(['-', '_', ' ']);
        let parts: Vec<String> = parts.map(str::to_owned).collect();
        if fits(&parts) > fits(&lines) {
            lines = parts;
        }
    }
    let size = fits(&lines).clamp(least, most);
    let first = at.y + size * (0.36 - 0.55 * (lines.len() - 1) as f64);
    for (nth, line) in lines.iter().enumerate() {
        let at = DVec2::new(at.x, first + 1.1 * size * nth as f64);
        write_over(at, line.trim(), size, "middle", page);
    }
}

/// Writes the title and the legend to the left, and the scale bar to the right.
fn write_title(paper: &Paper, title: &str, page: &mut String) {
    let [left, right] = paper.title();
    write_text(left, title, 3.6, "start", BLACK, page);
    let scale = format!(
        "1:{} on A4; up is -z (Blender's +y). Dashes are portals, arcs the swing of doors, crossed circles lamps, blue outlines bodies.",
        paper.scale
    );
    write_text(left + DVec2::Y * 4.2, &scale, 2.2, "start", BLACK, page);
    let bar = paper.bar();
    let start = right - DVec2::X * paper.length(bar);
    for part in 0..4 {
        let fill = if part % 2 == 0 { "#000" } else { "#fff" };
        let x = start.x + paper.length(bar) * f64::from(part) / 4.0;
        let _ = writeln!(
            page,
            "<rect x=\"{x:.2}\" y=\"{:.2}\" width=\"{:.2}\" height=\"1.4\" fill=\"{fill}\" stroke=\"#000\" \
             stroke-width=\"0.15\"/>",
            right.y - 1.0,
            paper.length(bar) / 4.0
        );
    }
    for (part, text) in [
        (0.0, "0".to_owned()),
        (0.5, format!("{}", bar / 2.0)),
        (1.0, format!("{bar} m")),
    ] {
        let at = start.lerp(right, part) - DVec2::Y * 2.0;
        write_text(at, &text, 2.2, "middle", BLACK, page);
    }
}

/// Lists the problems on as many sheets as necessary; with one storey selected, only the problems on that storey.
fn problem_pages(plan: &Plan, paper: &Paper, sheets: &Sheets) -> Vec<String> {
    let placed = |number: usize| {
        let storeys = (1..).zip(&plan.storeys);
        let mut of =
            storeys.filter(|(_, storey)| storey.problems.iter().any(|p| p.number == number));
        of.next().map(|(storey, _)| storey)
    };
    let [left, right] = paper.title();
    let letters = ((right.x - left.x) / (LIST * LETTER)) as usize;
    let mut lines: Vec<String> = Vec::new();
    for (number, problem) in (1..).zip(sheets.problems) {
        let storey = placed(number);
        if sheets.storey.is_some() && sheets.storey != storey {
            continue;
        }
        let place = storey.map_or("not on the plan".to_owned(), |storey| {
            format!("storey {storey}")
        });
        let sentence = format!("{number}. ({place}) {problem}");
        for (nth, line) in wrapped(&sentence, letters.saturating_sub(4))
            .into_iter()
            .enumerate()
        {
            lines.push(if nth == 0 {
                line
            } else {
                format!("    {line}")
            });
        }
    }
    let top = left.x + 10.0;
    let per_page = ((left.y - 6.0 - top) / (LIST * 1.5)) as usize;
    let pages = lines.chunks(per_page.max(1)).map(|lines| {
        let mut page = String::new();
        for (nth, line) in lines.iter().enumerate() {
            let at = DVec2::new(left.x, top + LIST * 1.5 * nth as f64);
            write_text(at, line, LIST, "start", RED, &mut page);
        }
        write_title(paper, &format!("{}, problems", plan.name), &mut page);
        page
    });
    pages.collect()
}
