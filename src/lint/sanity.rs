//! Implausible sizes and amounts, for example a level in centimetres, or images that are too large.

use super::findings::{Finding, LintReport};
use super::rooms::CheckedRooms;
use crate::level::RoomId;
use crate::problems::ProblemCode;

/// Minimum and maximum plausible median height of a level's rooms, metres. A person is 1.8 m tall.
const ROOM_HEIGHTS: [f64; 2] = [1.2, 60.0];
/// Maximum median height of portals, metres, in a level with plausible units. A level in centimetres exceeds both this
/// and the maximum room height, even if its rooms are low.
const MAX_DOORWAY: f64 = 30.0;
/// A room that is smaller than this in all dimensions has no space for a player; metres.
const TINY_ROOM: f64 = 0.5;
/// The scale of a tall closed room is implausible if the room is more than this many times as large as an adjacent
/// room, in each dimension.
const LARGER: f64 = 50.0;
/// Maximum side of an image, pixels. More takes memory without visible benefit.
const MAX_PIXELS: u32 = 4096;
/// Maximum height of a needle triangle, metres.
const NEEDLE: f64 = 1e-4;
/// Minimum ratio between the length and the height of a needle triangle.
const NEEDLE_LENGTH: f64 = 1000.0;
/// Maximum height of ignored triangles, metres. Exporters cut such slivers off faces that have a corner in the middle
/// of a side, where rounding moves the corner off the side.
const ON_A_LINE: f64 = 5e-6;

/// Reports implausible properties of the level as a whole.
pub(super) fn report(rooms: &CheckedRooms, report: &mut LintReport) {
    undrawn(rooms, report);
    scale(report);
    pictures(report);
    needles(rooms, report);
}

fn scale(report: &mut LintReport) {
    let level = report.level;
    let heights = level
        .rooms
        .iter()
        .map(|room| room.bounds.max.y - room.bounds.min.y);
    let Some(height) = median(heights.filter(|height| *height > 0.0).collect()) else {
        return;
    };
    let openings = level.portals.iter().map(|portal| {
        let size = portal.bounds.max - portal.bounds.min;
        size.y.max(size.x.min(size.z))
    });
    let opening = median(openings.collect());
    let message = if height < ROOM_HEIGHTS[0] {
        format!(
            "its rooms are {height:.3} m high, in the middle of all: too low for a person of 1.8 m"
        )
    } else if height > ROOM_HEIGHTS[1] && opening.is_none_or(|height| height > MAX_DOORWAY) {
        format!("its rooms are {height:.0} m high, in the middle of all, as if for giants")
    } else {
        return scale_of_rooms(report);
    };
    let message = format!(
        "{message}; one unit is one metre: scale the level (Blender: select all, S, then Object, Apply, Scale), and set the unit scale to 1 before exporting; the play of doors and movers is looked at after that"
    );
    report.add(Finding::warning(ProblemCode::Scale, "", message, None));
}

/// Reports rooms whose scale is implausible, in a level where most are plausible.
fn scale_of_rooms(report: &mut LintReport) {
    let level = report.level;
    let size = |room: RoomId| level.room(room).bounds.max - level.room(room).bounds.min;
    let shows_sky = level.shows_sky();
    for room in level.room_ids() {
        let extents = size(room);
        let is_giant = |other: RoomId| (extents / size(other)).min_element() > LARGER;
        let is_closed = !level.room(room).open_to_sky && !shows_sky;
        let is_tiny = extents.max_element() < TINY_ROOM && extents.min_element() > 0.0;
        let mut before = level.portals_of(room).map(|(_, portal)| portal.far);
        let is_large = is_closed && extents.y > ROOM_HEIGHTS[1] && before.any(is_giant);
        if !is_tiny && !is_large {
            continue;
        }
        let message = format!(
            "room `{}` is {:.3} x {:.3} x {:.3} m large (x, y, z in Blender), far from the size of its neighbours: its node or mesh is scaled; set the scale to 1 (Blender: Object Mode, Alt+S)",
            level.room(room).name,
            extents.x,
            extents.z,
            extents.y
        );
        let node = &report.source.rooms[room.0 as usize].node;
        let place = report.place(level.room(room).bounds.centre());
        report.add(Finding::warning(ProblemCode::Scale, node, message, place).of(room));
    }
}

/// Reports rooms that have solid geometry, but nothing that is drawn.
fn undrawn(rooms: &CheckedRooms, report: &mut LintReport) {
    let level = report.level;
    for room in level.room_ids() {
        let meshes = rooms.meshes.of_room(room).iter();
        let mut meshes = meshes.map(|&mesh| &report.source.meshes[mesh as usize]);
        let Some(first) = meshes.next() else {
            continue;
        };
        if first.drawn || meshes.any(|mesh| mesh.drawn) {
            continue;
        }
        let message = format!(
            "nothing of room `{}` is drawn: the space outside of all rooms is visible through it; take the ending `-colonly` off `{}`, or add walls that are drawn",
            level.room(room).name,
            first.node
        );
        let node = &report.source.rooms[room.0 as usize].node;
        let place = report.place(level.room(room).bounds.centre());
        report.add(Finding::warning(ProblemCode::RoomHole, node, message, place).of(room));
    }
}

fn pictures(report: &mut LintReport) {
    let level = report.level;
    for (index, image) in level.images.iter().enumerate() {
        let [width, height] = [image.width, image.height];
        if width.max(height) <= MAX_PIXELS {
            continue;
        }
        let uses = |material: &crate::level::Material| {
            material
                .textures()
                .any(|texture| texture.image as usize == index)
        };
        let material = level.materials.iter().find(|material| uses(material));
        let of = material.map_or_else(String::new, |m| format!(" of material `{}`", m.name));
        let message = format!(
            "a picture{of} has {width} x {height} pixels, more than {MAX_PIXELS} a side, and takes {} MiB; make it smaller (Blender: Image Editor, Image, Resize)",
            (u64::from(width) * u64::from(height) * 4) >> 20
        );
        report.add(Finding::warning(ProblemCode::ImageLarge, "", message, None));
    }
}

fn needles(rooms: &CheckedRooms, report: &mut LintReport) {
    let level = report.level;
    let (mut count, mut first) = (0_usize, None);
    let found =
        crate::parallel::parallel_map(level.rooms.len(), crate::parallel::cores(), |room| {
            let faces = rooms.meshes.faces(level, rooms.source, RoomId(room as u32));
            let mut needles = faces.filter(|(triangle, mesh)| {
                let [a, b, c] = triangle.corners;
                let longest = a.distance(b).max(b.distance(c)).max(c.distance(a));
                let height = triangle.cross().length() / longest;
                rooms.source.meshes[*mesh as usize].solid
                    && (ON_A_LINE..NEEDLE).contains(&height)
                    && longest > NEEDLE_LENGTH * height
                    && longest > 0.1
            });
            let first = needles.next();
            (first, usize::from(first.is_some()) + needles.count())
        });
    for (needle, more) in found {
        first = first.or(needle);
        count += more;
    }
    if let Some((triangle, mesh)) = first {
        let message = format!(
            "{count} triangles of the level are needles, less than {} mm wide, of which this is the first: bodies catch on them, and light flickers; dissolve them (Blender: Edit Mode, A, Mesh, Clean Up, Degenerate Dissolve)",
            NEEDLE * 1000.0
        );
        let node = report.node(mesh).to_owned();
        let place = report.place(triangle.corners[0]);
        report.add(Finding::warning(
            ProblemCode::NeedleTriangles,
            &node,
            message,
            place,
        ));
    }
}

/// The median; of an even count, the upper one.
pub(super) fn median(mut numbers: Vec<f64>) -> Option<f64> {
    numbers.sort_by(f64::total_cmp);
    numbers.get(numbers.len() / 2).copied()
}
