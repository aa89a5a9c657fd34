//! Sketches: triangles that are not checked and may be invalid, for tests and for `generate grid`. Not part of the
//! public interface, in which levels are made with a [`LevelBuilder`](super::builder::LevelBuilder).

use glam::DVec3;

use crate::geometry::{Aabb, Rigid};
use crate::level::{AuthorPoint, LightKind, Material};
use crate::source::{LevelSource, LightSource, MeshSource, PortalSource, RoomSource, SpawnSource};

/// A rectangle that is cut out of a room's wall. Its sides are along the axes, and it is flat along the axis of the
/// wall.
pub type SketchOpening = Aabb;

/// A level under construction.
#[derive(Clone, Debug, Default)]
pub struct Sketch {
    /// The source so far, which may be edited directly.
    pub source: LevelSource,
}

impl Sketch {
    /// An empty level with one default material.
    pub fn new(name: &str) -> Self {
        let mut sketch = Self::default();
        sketch.source.name = name.to_owned();
        sketch.source.materials.push(Material::default());
        sketch
    }

    /// Adds a material and returns its index.
    pub fn material(&mut self, material: Material) -> usize {
        self.source.materials.push(material);
        self.source.materials.len() - 1
    }

    /// Adds a room without polygons and returns its index.
    pub fn room(&mut self, name: &str) -> usize {
        self.source.rooms.push(RoomSource {
            name: name.to_owned(),
            node: format!("{name}-room"),
            open_to_sky: false,
        });
        self.source.rooms.len() - 1
    }

    /// Adds drawn and solid triangles of one material to a room.
    pub fn mesh(&mut self, room: usize, material: usize, triangles: &[[DVec3; 3]]) {
        let node = format!("{}_mesh", self.source.rooms[room].name);
        let count = triangles.len() as u32;
        self.source.meshes.push(MeshSource {
            room,
            node: node.into(),
            positions: triangles.iter().flatten().copied().collect(),
            normals: Vec::new(),
            tangents: Vec::new(),
            uvs: [Vec::new(), Vec::new()],
            colours: Vec::new(),
            triangles: (0..count).map(|i| [3 * i, 3 * i + 1, 3 * i + 2]).collect(),
            material,
            drawn: true,
            solid: true,
        });
    }

    /// Adds a room and returns its index. Its walls are the sides of the box `inside`, seen from inside, with
    /// `openings` cut out of them. Each opening lies in one side of the box; openings in one side must not overlap.
    pub fn box_room(&mut self, name: &str, inside: Aabb, openings: &[SketchOpening]) -> usize {
        let room = self.room(name);
        let triangles = box_sides(&inside, openings, true);
        self.mesh(room, 0, &triangles);
        room
    }

    /// Adds a closed box, seen from outside, to a room.
    pub fn furniture(&mut self, room: usize, material: usize, outside: Aabb) {
        let triangles = box_sides(&outside, &[], false);
        self.mesh(room, material, &triangles);
    }

    /// Adds a portal out of `room` through `opening`, facing along `out` (an axis, in either direction). With an empty
    /// `dest` it leads to the room on its other side.
    pub fn portal(&mut self, room: usize, dest: &str, opening: SketchOpening, out: DVec3) {
        let [a, b, c, d] = rectangle(&opening, out);
        self.source.portals.push(PortalSource {
            node: format!("{dest}*{}-portal", self.source.portals.len()),
            room,
            dest: dest.to_owned(),
            two_way: true,
            far_from_near: Rigid::IDENTITY,
            leads_to: None,
            triangles: vec![[a, b, c], [a, c, d]],
        });
    }

    /// Adds a point light to a room.
    pub fn lamp(&mut self, room: usize, position: DVec3, candela: f32) {
        self.source.lights.push(LightSource {
            node: format!("{}_lamp", self.source.rooms[room].name),
            room: Some(room),
            position: AuthorPoint(position),
            direction: DVec3::NEG_Y,
            colour: [1.0; 3],
            intensity: candela,
            range: None,
            radius: LightSource::DEFAULT_RADIUS,
            kind: LightKind::Point,
            starts_lit: true,
            flicker: 0.0,
        });
    }

    /// Adds a spawn to a room, facing `forward`.
    pub fn spawn(&mut self, room: usize, position: DVec3, forward: DVec3) {
        self.source.spawns.push(SpawnSource {
            node: "player-spawn".to_owned(),
            room: Some(room),
            position: AuthorPoint(position),
            forward,
        });
    }
}

/// The corners of a flat box, counter-clockwise when seen from the side to which `normal` points.
fn rectangle(flat: &Aabb, normal: DVec3) -> [DVec3; 4] {
    let axis = (0..3).find(|&i| normal[i] != 0.0).unwrap_or(0);
    let (u, v) = ((axis + 1) % 3, (axis + 2) % 3);
    let corner = |at_u: f64, at_v: f64| {
        let mut p = flat.min;
        p[u] = at_u;
        p[v] = at_v;
        p
    };
    let mut corners = [
        corner(flat.min[u], flat.min[v]),
        corner(flat.max[u], flat.min[v]),
        corner(flat.max[u], flat.max[v]),
        corner(flat.min[u], flat.max[v]),
    ];
    if normal[axis] < 0.0 {
        corners.reverse();
    }
    corners
}

/// The six sides of a box without the openings. Their fronts are inside if `inwards`, otherwise outside.
fn box_sides(bounds: &Aabb, openings: &[SketchOpening], inwards: bool) -> Vec<[DVec3; 3]> {
    let mut triangles = Vec::new();
    for axis in 0..3 {
        for (at, sign) in [(bounds.min[axis], 1.0), (bounds.max[axis], -1.0)] {
            let mut side = *bounds;
            (side.min[axis], side.max[axis]) = (at, at);
            let mut normal = DVec3::ZERO;
            normal[axis] = if inwards { sign } else { -sign };
            let holes: Vec<SketchOpening> = openings
                .iter()
                .filter(|o| o.min[axis] == at && o.max[axis] == at)
                .copied()
                .collect();
            for piece in without_holes(&side, &holes, axis) {
                let [a, b, c, d] = rectangle(&piece, normal);
                triangles.extend([[a, b, c], [a, c, d]]);
            }
        }
    }
    triangles
}

/// Divides a side of a box into a grid along the lines of its holes, and returns the cells outside the holes.
fn without_holes(side: &Aabb, holes: &[SketchOpening], axis: usize) -> Vec<Aabb> {
    let lines = |k: usize| {
        let ends = holes.iter().flat_map(|h| [h.min[k], h.max[k]]);
        let mut lines: Vec<f64> = ends.chain([side.min[k], side.max[k]]).collect();
        lines.sort_by(f64::total_cmp);
        lines.dedup();
        lines
    };
    let (u, v) = ((axis + 1) % 3, (axis + 2) % 3);
    let (lines_u, lines_v) = (lines(u), lines(v));
    let mut pieces = Vec::new();
    for pair_u in lines_u.windows(2) {
        for pair_v in lines_v.windows(2) {
            let mut cell = *side;
            (cell.min[u], cell.max[u]) = (pair_u[0], pair_u[1]);
            (cell.min[v], cell.max[v]) = (pair_v[0], pair_v[1]);
            if !holes.iter().any(|h| h.contains(cell.centre())) {
                pieces.push(cell);
            }
        }
    }
    pieces
}

/// A box between two corners, for sketches.
pub fn cuboid(min: [f64; 3], max: [f64; 3]) -> Aabb {
    Aabb {
        min: DVec3::from_array(min),
        max: DVec3::from_array(max),
    }
}
