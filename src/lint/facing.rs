//! Rooms, furniture and single faces with the wrong orientation (reversed).

use std::collections::BTreeMap;
use std::f64::consts::PI;

use glam::DVec3;

use super::edges::turned_faces;
use super::scene::{RoomScene, TriangleKind};
use super::sheets::{TurnedSheet, turned_sheets};
use crate::geometry::{Aabb, ConvexPolygon, Triangle, solid_angle};
use crate::level::{LevelData, RoomId};
use crate::source::LevelSource;

/// Distance from a face, metres, at which its front and its back are tested.
const BESIDE: f64 = 0.01;
/// Maximum number of tested faces of a component; the largest faces are tested.
const FACES: usize = 6;
/// Maximum number of tested faces of a room.
const FACES_OF_ROOM: usize = 200;
/// Maximum distance between coincident faces, metres.
const ON_ONE_ANOTHER: f64 = 1e-3;
/// Maximum winding number in front of a face that looks out of the room. Inside a closed room it is 1.
const OUTSIDE: f64 = 0.25;
/// Minimum winding number in front of a face that looks into an object in the room.
const INSIDE_OF_FURNITURE: f64 = 1.7;
/// In a room that faces outwards, the winding number is ideally -1 inside and 0 outside; below this limit a point
/// counts as inside. A face of such a room is reversed if its front is outside and its back is inside.
const WRONG_IN_TURNED_ROOM: f64 = -0.5;
/// Minimum winding number around a point inside a room.
const IN_ROOM: f64 = 0.5;
/// A component faces inwards if its winding number around points in front of its own faces is greater than this.
const LOOKS_INWARDS: f64 = 0.7;
/// Objects are smaller than this fraction of the volume of the room's box, or of its diagonal, 0..1; anything larger is
/// the room itself.
const LARGE: f64 = 0.5;
/// A whole room or component is wrong if more than this fraction of its area is wrong, 0..1.
const MOST: f64 = 0.6;
/// A face counts as an inner side of the room if a front or the sky is visible in more than this fraction of the
/// directions in front of the face, 0..1. The sky counts only in rooms that are open to the sky.
const ENCLOSES: f64 = 0.85;
/// Walls have both inner and outer sides only if the inner ones make up more than this fraction of the area, 0..1. It
/// is small because in a small room with thick walls the inner sides are much smaller than the outer ones.
const INNER_SIDE: f64 = 0.05;
/// A face counts as reversed only if the room's inside is visible from its front in less than the first fraction of
/// directions, and from its back in more than the second, 0..1.
const TURNED_AIR: [f64; 2] = [0.2, 0.6];

/// The geometry of a room with the wrong orientation. Meshes are given by their index in the source.
#[derive(Clone, Debug, Default)]
pub(super) struct Wrong {
    /// If the room as a whole is wrong: a point of it, its orientation, and the faces to flip.
    pub room: Option<(DVec3, WrongFacing, Vec<u32>)>,
    /// Furniture with inward faces: its mesh, a point, and its faces.
    pub furniture: Vec<(u32, DVec3, Vec<u32>)>,
    /// One-sided surfaces whose front faces the wall, floor or ceiling that they lie on.
    pub sheets: Vec<TurnedSheet>,
    /// Meshes with single reversed faces: the mesh, those faces, and a point of one.
    pub faces: Vec<(u32, Vec<u32>, DVec3)>,
    /// Duplicate triangles: the mesh with the duplicates and the mesh with the originals (may be the same), their
    /// number, and a point of one.
    pub doubles: Vec<([u32; 2], usize, DVec3)>,
}

impl Wrong {
    pub(super) fn is_any(&self) -> bool {
        self.room.is_some()
            || !self.furniture.is_empty()
            || !self.sheets.is_empty()
            || !self.faces.is_empty()
            || !self.doubles.is_empty()
    }
}

/// The orientation of a room whose faces do not all face inwards.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum WrongFacing {
    Outwards,
    BothWays,
    /// The inner sides of the walls face inwards, but the walls also have outer sides, which face outwards.
    WithOuterSides,
}

pub(super) fn wrong(
    level: &LevelData,
    source: &LevelSource,
    room: RoomId,
    scene: &RoomScene,
) -> Wrong {
    let is_drawn = |face: usize| match scene.kinds[face] {
        TriangleKind::Own(mesh) => source.meshes[mesh as usize].drawn,
        _ => false,
    };
    let mut parts: BTreeMap<u32, Vec<usize>> = BTreeMap::new();
    for (face, &part) in scene.components().iter().enumerate() {
        let is_double = scene
            .doubles
            .binary_search_by_key(&(face as u32), |d| d.0)
            .is_ok();
        if matches!(scene.kinds[face], TriangleKind::Own(_)) && !is_double {
            parts.entry(part).or_default().push(face);
        }
    }
    let area = |face: usize| scene.triangles[face].cross().length();
    let by_area = |a: &usize, b: &usize| area(*b).total_cmp(&area(*a)).then(a.cmp(b));
    let judged = judged(level, room, scene, &parts);
    if scene.air_volume(&judged) < 0.0 {
        let faces = sampled(judged, area);
        let part = |counts: &dyn Fn(&Triangle) -> bool| {
            let counting = faces
                .iter()
                .filter(|(face, _)| counts(&scene.triangles[*face]));
            counting.map(|(_, part)| part).sum::<f64>()
        };
        let is_out = |t: &Triangle| scene.winding(before(t, BESIDE)) < OUTSIDE;
        if part(&is_out) > MOST {
            let sees_sky = level.room(room).open_to_sky;
            let enclosing = part(&|t| encloses_air(scene, t, sees_sky));
            if enclosing > INNER_SIDE && enclosing < MOST
                || looks_inwards_at_portals(level, room, scene)
            {
                return of_room(scene, WrongFacing::WithOuterSides, Vec::new());
            }
            if enclosing < MOST {
                let outwards = outwards(scene, parts.into_values());
                return of_room(scene, WrongFacing::Outwards, outwards);
            }
        }
    }
    if scene.winding(scene.bounds.centre()).abs() < OUTSIDE {
        let faces: Vec<usize> = parts.values().flatten().copied().collect();
        let all: f64 = faces.iter().map(|&face| area(face)).sum();
        let covered = faces.into_iter().filter(|&face| is_covered(scene, face));
        if covered.map(area).sum::<f64>() > MOST * all {
            return of_room(scene, WrongFacing::BothWays, Vec::new());
        }
    }
    let mut found = Wrong::default();
    for faces in parts.values_mut() {
        let all_faces: Vec<u32> = faces.iter().map(|&face| face as u32).collect();
        let own: Vec<Triangle> = faces.iter().map(|&face| scene.triangles[face]).collect();
        faces.sort_by(by_area);
        faces.truncate(FACES);
        let (mut inside, mut all) = (0.0, 0.0);
        for &face in faces.iter() {
            let point = before(&scene.triangles[face], BESIDE);
            let angle: f64 = own.iter().map(|t| solid_angle(t, point)).sum();
            let (own, drawn) = (angle / (4.0 * PI), scene.winding_of_drawn(point));
            // Skips faces of objects that are sunk into the floor or into a wall: the point in front of the face is not
            // inside the room.
            if drawn - own < IN_ROOM {
                continue;
            }
            let is_inside_out =
                own > LOOKS_INWARDS && is_drawn(face) && drawn > INSIDE_OF_FURNITURE;
            inside += if is_inside_out { area(face) } else { 0.0 };
            all += area(face);
        }
        if inside > MOST * all
            && let TriangleKind::Own(mesh) = scene.kinds[faces[0]]
        {
            let at = middle(&scene.triangles[faces[0]]);
            found.furniture.push((mesh, at, all_faces));
        }
    }
    found.sheets = turned_sheets(level, source, scene);
    let mut doubles: BTreeMap<[u32; 2], (usize, DVec3)> = BTreeMap::new();
    for &(face, first) in &scene.doubles {
        let [TriangleKind::Own(mesh), TriangleKind::Own(other)] =
            [face, first].map(|i| scene.kinds[i as usize])
        else {
            continue;
        };
        let at = middle(&scene.triangles[face as usize]);
        doubles.entry([mesh, other]).or_insert((0, at)).0 += 1;
    }
    // A single triangle in two meshes, such as a post that two railings share, is not a mistake.
    let is_whole = |mesh: u32, count: usize| count >= source.meshes[mesh as usize].triangles.len();
    let doubles = doubles.into_iter().map(|(of, (count, at))| (of, count, at));
    found.doubles = doubles
        .filter(|([mesh, other], count, _)| mesh == other || is_whole(*mesh, *count))
        .collect();
    let mut meshes: BTreeMap<u32, (Vec<u32>, DVec3)> = BTreeMap::new();
    for face in turned_faces(scene) {
        let triangle = &scene.triangles[face as usize];
        let Some(normal) = triangle.normal() else {
            continue;
        };
        let front = scene.air_around(before(triangle, BESIDE), normal, true);
        let back = scene.air_around(before(triangle, -BESIDE), -normal, true);
        if front < TURNED_AIR[0]
            && back > TURNED_AIR[1]
            && let TriangleKind::Own(mesh) = scene.kinds[face as usize]
        {
            let of_mesh = meshes.entry(mesh).or_insert((Vec::new(), middle(triangle)));
            of_mesh.0.push(face);
        }
    }
    let faces = meshes.into_iter();
    found.faces = faces.map(|(mesh, (faces, at))| (mesh, faces, at)).collect();
    found
}

/// The faces that decide the orientation of a room. In a room open to the sky, closed boxes are excluded unless there
/// is nothing else: they enclose more volume than the floor, and faces of boxes that intersect, or that lie on the
/// floor, look out of the room.
fn judged(
    level: &LevelData,
    room: RoomId,
    scene: &RoomScene,
    parts: &BTreeMap<u32, Vec<usize>>,
) -> Vec<usize> {
    let volume = |bounds: Aabb| (bounds.max - bounds.min).element_product();
    let is_box = |part: &&Vec<usize>| {
        let corners = part.iter().flat_map(|&face| scene.triangles[face].corners);
        part.iter().all(|&face| scene.closed()[face])
            && volume(Aabb::around(corners)) < LARGE * volume(scene.bounds)
    };
    let all = || parts.values();
    if level.room(room).open_to_sky && !all().all(|part| is_box(&part)) {
        let rest = all().filter(|part| !is_box(part));
        return rest.flatten().copied().collect();
    }
    all().flatten().copied().collect()
}

fn of_room(scene: &RoomScene, looks: WrongFacing, faces: Vec<usize>) -> Wrong {
    let faces = faces.into_iter().map(|face| face as u32).collect();
    Wrong {
        room: Some((scene.bounds.centre(), looks, faces)),
        ..Wrong::default()
    }
}

/// Representative faces, at most `FACES_OF_ROOM`, each with the fraction 0..1 of the total area that it represents.
/// They are spread evenly over the area, so that neither many small nor few large faces are overweighted.
fn sampled(faces: Vec<usize>, area: impl Fn(usize) -> f64) -> Vec<(usize, f64)> {
    let all: f64 = faces.iter().map(|&face| area(face)).sum();
    if faces.len() <= FACES_OF_ROOM {
        let with_part = |face| (face, area(face) / all);
        return faces.into_iter().map(with_part).collect();
    }
    let step = all / FACES_OF_ROOM as f64;
    let (mut sum, mut samples) = (0.0, Vec::with_capacity(FACES_OF_ROOM));
    for face in faces {
        sum += area(face);
        while samples.len() < FACES_OF_ROOM && sum > (samples.len() as f64 + 0.5) * step {
            samples.push((face, 1.0 / FACES_OF_ROOM as f64));
        }
    }
    samples
}

/// Whether almost only fronts are visible from a face, and the point in front of it is not inside a room that faces
/// outwards.
fn encloses_air(scene: &RoomScene, triangle: &Triangle, sees_sky: bool) -> bool {
    let point = before(triangle, BESIDE);
    let Some(normal) = triangle.normal() else {
        return false;
    };
    scene.winding(point) > WRONG_IN_TURNED_ROOM
        && scene.fronts_around(point, normal, sees_sky) > ENCLOSES
}

/// Whether mostly fronts are visible from one of the room's portals when looking into the room.
fn looks_inwards_at_portals(level: &LevelData, room: RoomId, scene: &RoomScene) -> bool {
    let air_before = |polygon: &ConvexPolygon| {
        let inwards = -polygon.plane.normal;
        scene.air_around(polygon.centre() + inwards * BESIDE, inwards, false)
    };
    let mut portals = level.portals_of(room);
    portals.any(|(_, portal)| air_before(&portal.polygon) > MOST)
}

/// The faces to flip in a room that faces outwards: those of components with the wrong orientation, except meshes of
/// furniture and casings that are connected to the walls.
fn outwards(scene: &RoomScene, parts: impl Iterator<Item = Vec<usize>>) -> Vec<usize> {
    let mut turned = Vec::new();
    for part in parts.filter(|part| looks_wrong(scene, part)) {
        let mut meshes: BTreeMap<u32, Vec<usize>> = BTreeMap::new();
        for face in part {
            if let TriangleKind::Own(mesh) = scene.kinds[face] {
                meshes.entry(mesh).or_default().push(face);
            }
        }
        let shells = meshes.into_values().filter(|faces| !stands(scene, faces));
        turned.extend(shells.flatten());
    }
    turned
}

/// Whether most of a component of a room that faces outwards also faces outwards.
fn looks_wrong(scene: &RoomScene, part: &[usize]) -> bool {
    let (mut wrong, mut all) = (0.0, 0.0);
    for &face in part.iter().take(FACES_OF_ROOM) {
        let triangle = &scene.triangles[face];
        let area = triangle.cross().length();
        let [front, back] = [BESIDE, -BESIDE].map(|d| scene.winding(before(triangle, d)));
        let is_wrong = front > WRONG_IN_TURNED_ROOM && back < WRONG_IN_TURNED_ROOM;
        wrong += if is_wrong { area } else { 0.0 };
        all += area;
    }
    wrong > 0.5 * all
}

/// Whether the faces are those of closed furniture with the correct orientation, or of a casing. Where they penetrate a
/// wall, they look out of the room, but are not wrong.
fn stands(scene: &RoomScene, faces: &[usize]) -> bool {
    let own: Vec<Triangle> = faces.iter().map(|&face| scene.triangles[face]).collect();
    let bounds = Aabb::around(own.iter().flat_map(|t| t.corners));
    let [size, room] = [bounds, scene.bounds].map(|of| of.max - of.min);
    let turns = |point: DVec3| own.iter().map(|t| solid_angle(t, point)).sum::<f64>() / (4.0 * PI);
    let winds = |t: &Triangle| turns(before(t, -BESIDE)) < -LOOKS_INWARDS;
    let is_furniture =
        size.element_product() < LARGE * room.element_product() && own.first().is_some_and(winds);
    let is_solid = faces.iter().all(|&face| scene.is_solid(face as u32));
    is_furniture || !is_solid && size.length() < LARGE * room.length()
}

/// Whether another face coincides with a face at its middle, as the other side of a wall without thickness does.
fn is_covered(scene: &RoomScene, face: usize) -> bool {
    let triangle = &scene.triangles[face];
    let [from, to] = [ON_ONE_ANOTHER, -ON_ONE_ANOTHER].map(|d| before(triangle, d));
    scene.is_between(from, to, face as u32)
}

fn middle(triangle: &Triangle) -> DVec3 {
    triangle.corners.iter().sum::<DVec3>() / 3.0
}

fn before(triangle: &Triangle, distance: f64) -> DVec3 {
    middle(triangle) + triangle.normal().unwrap_or_default() * distance
}
