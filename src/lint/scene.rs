//! The visible geometry inside a room: its faces, its portals, and faces of adjacent rooms in its reveals.

use std::cell::{Cell, OnceCell};
use std::sync::OnceLock;

use glam::DVec3;

use super::corners::{GridCorner, corner};
use super::pieces::{ComponentWindings, PieceWindings, closed, components};
use super::reveals::RoomPortals;
use super::room_meshes::Meshes;
use crate::geometry::{Aabb, BoxTree, Triangle, TriangleHit, TriangleTree};
use crate::level::{LevelData, PortalId, RoomId};
use crate::source::{LevelSource, MeshSource};

/// Maximum distance between coincident faces along a ray, metres.
const ON_ONE_ANOTHER: f64 = 1e-4;
/// Maximum winding number around a point outside a room, or inside an object in the room.
const OUTSIDE: f64 = 0.25;

/// The kind of a triangle of a scene.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum TriangleKind {
    /// A face of the room, with the index of its mesh in the source.
    Own(u32),
    /// A part of a portal of the room; its front faces the room.
    Portal(PortalId),
    /// A face of an adjacent room that lies in front of the portal to that room.
    Guest,
}

/// A room as seen from inside, in room coordinates.
#[derive(Debug)]
pub(super) struct RoomScene {
    pub triangles: Vec<Triangle>,
    pub kinds: Vec<TriangleKind>,
    pub bounds: Aabb,
    /// Duplicate faces, each with the first face that it equals.
    pub doubles: Vec<(u32, u32)>,
    tree: TriangleTree,
    /// For each triangle, whether it is drawn. Portals are.
    drawns: Vec<bool>,
    /// For each triangle, whether it is solid. Portals are.
    solids: Vec<bool>,
    is_uniform: bool,
    reveals: OnceLock<PortalBoxes>,
    components: OnceLock<Vec<u32>>,
    /// The winding numbers of components, first without faces of adjacent rooms, then with them.
    by_component: [OnceLock<ComponentWindings>; 2],
    closed: OnceLock<Vec<bool>>,
    drawn: OnceLock<PieceWindings>,
    all: OnceLock<PieceWindings>,
    own: OnceLock<PieceWindings>,
    solid: OnceLock<PieceWindings>,
}

/// Boxes around portals.
#[derive(Debug)]
pub(super) struct PortalBoxes {
    ids: Vec<PortalId>,
    boxes: BoxTree,
}

impl PortalBoxes {
    /// Whether a point is in the box of a portal for which `counts` is true.
    pub(super) fn any_at(&self, point: DVec3, counts: impl Fn(PortalId) -> bool) -> bool {
        let around = Aabb::around([point]);
        let counts = |portal: u32| counts(self.ids[portal as usize]);
        self.boxes.any_touching(&around, counts)
    }
}

impl RoomScene {
    pub(super) fn of(
        level: &LevelData,
        source: &LevelSource,
        meshes: &Meshes,
        room: RoomId,
    ) -> Self {
        Self::of_faces(level, source, meshes, room, |_| true)
    }

    /// The scene of only the drawn geometry of a room, if that differs from the solid geometry.
    pub(super) fn drawn_apart(
        &self,
        level: &LevelData,
        source: &LevelSource,
        meshes: &Meshes,
        room: RoomId,
    ) -> Option<Self> {
        let is_drawn = |mesh: u32| source.meshes[mesh as usize].drawn;
        let drawn = || Self::of_faces(level, source, meshes, room, is_drawn);
        (!self.is_uniform).then(drawn)
    }

    fn of_faces(
        level: &LevelData,
        source: &LevelSource,
        meshes: &Meshes,
        room: RoomId,
        counts: impl Fn(u32) -> bool,
    ) -> Self {
        let (mut triangles, mut kinds) = (Vec::new(), Vec::new());
        let own = meshes.faces(level, source, room);
        for (triangle, mesh) in own.filter(|(_, mesh)| counts(*mesh)) {
            triangles.push(triangle);
            kinds.push(TriangleKind::Own(mesh));
        }
        let of = (level, source, meshes);
        RoomPortals::of(level, room).each_face(of, 0.0, |face| {
            if counts(face.mesh) {
                triangles.push(face.triangle);
                kinds.push(TriangleKind::Guest);
            }
        });
        for (id, portal) in level.portals_of(room) {
            for part in portal.polygon.triangles() {
                let [a, b, c] = part.corners;
                triangles.push(Triangle { corners: [a, c, b] });
                kinds.push(TriangleKind::Portal(id));
            }
        }
        let is = |kind: &TriangleKind, of: fn(&MeshSource) -> bool| match kind {
            TriangleKind::Own(mesh) => of(&source.meshes[*mesh as usize]),
            TriangleKind::Portal(_) => true,
            TriangleKind::Guest => false,
        };
        let mut drawns: Vec<bool> = kinds.iter().map(|kind| is(kind, |m| m.drawn)).collect();
        let mut solids: Vec<bool> = kinds.iter().map(|kind| is(kind, |m| m.solid)).collect();
        let doubles = doubles(&triangles, &kinds, &[&drawns, &solids]);
        for &(face, _) in &doubles {
            (drawns[face as usize], solids[face as usize]) = (false, false);
        }
        Self {
            doubles,
            bounds: Aabb::around(triangles.iter().flat_map(|t| t.corners)),
            tree: TriangleTree::of(&triangles),
            is_uniform: drawns == solids,
            drawns,
            solids,
            reveals: OnceLock::new(),
            components: OnceLock::new(),
            by_component: [const { OnceLock::new() }; 2],
            closed: OnceLock::new(),
            drawn: OnceLock::new(),
            all: OnceLock::new(),
            own: OnceLock::new(),
            solid: OnceLock::new(),
            triangles,
            kinds,
        }
    }

    /// The first triangle on the segment between two points for whose kind `counts` is true.
    pub(super) fn first_hit(
        &self,
        from: DVec3,
        to: DVec3,
        counts: impl Fn(TriangleKind) -> bool,
    ) -> Option<TriangleHit> {
        self.tree
            .first_hit(from, to, |index| counts(self.kinds[index as usize]))
    }

    /// The first triangle on the segment between two points for whose index `counts` is true.
    pub(super) fn first_hit_of(
        &self,
        from: DVec3,
        to: DVec3,
        counts: impl Fn(u32) -> bool,
    ) -> Option<TriangleHit> {
        self.tree.first_hit(from, to, counts)
    }

    /// Whether any triangle other than `but` lies between two points.
    pub(super) fn is_between(&self, from: DVec3, to: DVec3, but: u32) -> bool {
        let hit = self.tree.first_hit(from, to, |index| index != but);
        hit.is_some()
    }

    /// The fraction of sampled directions in the hemisphere around `direction`, 0..1, in which the inside of the room
    /// continues from a point: the first hit is a front. Portals count only if `through_portals`.
    pub(super) fn air_around(&self, point: DVec3, direction: DVec3, through_portals: bool) -> f64 {
        let reach = 2.0 * (self.bounds.max - self.bounds.min).length() + 1.0;
        let [u, v] = direction.any_orthonormal_pair().into();
        let (mut air, mut all) = (0, 0);
        let is_outside = OnceCell::new();
        let is_outside = || *is_outside.get_or_init(|| self.winding(point) < OUTSIDE);
        for [x, y, z] in HEMISPHERE {
            let ray = u * x + v * y + direction * z;
            let hit = self.first_hit(point, point + ray * reach, |_| true);
            let kind = hit.map(|hit| self.kinds[hit.index as usize]);
            if through_portals || !matches!(kind, Some(TriangleKind::Portal(_))) {
                all += 1;
                let is_air = |hit: &TriangleHit| {
                    hit.front
                        && !(self.is_backed(point, ray, hit.part * reach, hit) && is_outside())
                };
                air += usize::from(hit.as_ref().is_some_and(is_air));
            }
        }
        air as f64 / f64::from(all.max(1))
    }

    /// The fraction of sampled directions in the hemisphere around `direction`, 0..1, in which the first hit is a
    /// front. With `sees_sky`, upward directions without a hit count too.
    pub(super) fn fronts_around(&self, point: DVec3, direction: DVec3, sees_sky: bool) -> f64 {
        let reach = 2.0 * (self.bounds.max - self.bounds.min).length() + 1.0;
        let [u, v] = direction.any_orthonormal_pair().into();
        let is_front = |[x, y, z]: &&[f64; 3]| {
            let ray = u * *x + v * *y + direction * *z;
            let hit = self.first_hit(point, point + ray * reach, |_| true);
            hit.map_or(sees_sky && ray.y > 0.0, |hit| hit.front)
        };
        HEMISPHERE.iter().filter(is_front).count() as f64 / HEMISPHERE.len() as f64
    }

    /// Whether the back of another triangle coincides with the front that a ray hits, so that it is ambiguous which one
    /// is visible. Example: a cupboard stands against a wall, and the ray starts inside the cupboard.
    fn is_backed(&self, from: DVec3, ray: DVec3, distance: f64, hit: &TriangleHit) -> bool {
        let [before, behind] =
            [-ON_ONE_ANOTHER, ON_ONE_ANOTHER].map(|d| from + ray * (distance + d));
        let is_other = |index| index != hit.index;
        let back = self.tree.first_hit(behind, before, is_other);
        back.is_some_and(|hit| hit.front)
    }

    /// The winding number of the room, closed by its portals, around a point. Of drawn and solid geometry the greater
    /// one counts, as in the point location of rooms.
    pub(super) fn winding(&self, point: DVec3) -> f64 {
        let drawn = self.winding_of_drawn(point);
        if self.is_uniform || drawn > 0.5 {
            return drawn;
        }
        let tree = self.solid.get_or_init(|| self.windings(|i| self.solids[i]));
        drawn.max(tree.turns(point))
    }

    /// The [`Self::winding`] of drawn geometry alone.
    pub(super) fn winding_of_drawn(&self, point: DVec3) -> f64 {
        let tree = self.drawn.get_or_init(|| self.windings(|i| self.drawns[i]));
        tree.turns(point)
    }

    /// The [`Self::winding`] of drawn and solid geometry together.
    pub(super) fn winding_of_all(&self, point: DVec3) -> f64 {
        let counts = |i: usize| self.kinds[i] != TriangleKind::Guest;
        let tree = self.all.get_or_init(|| self.windings(counts));
        tree.turns(point)
    }

    /// The winding number of the room's own faces, without its portals, around a point.
    pub(super) fn winding_of_own(&self, point: DVec3) -> f64 {
        let counts = |i: usize| matches!(self.kinds[i], TriangleKind::Own(_));
        let tree = self.own.get_or_init(|| self.windings(counts));
        tree.turns(point)
    }

    fn windings(&self, counts: impl Fn(usize) -> bool) -> PieceWindings {
        PieceWindings::of(&self.triangles, self.components(), self.closed(), counts)
    }

    /// For each triangle the number of its connected component, which is the index of the component's first triangle.
    pub(super) fn components(&self) -> &[u32] {
        self.components.get_or_init(|| components(&self.triangles))
    }

    /// The winding number of a component around a point. Faces of adjacent rooms count only if `with_guests`.
    pub(super) fn winding_of_component(&self, of: u32, point: DVec3, with_guests: bool) -> f64 {
        let counts = |face: usize| with_guests || self.kinds[face] != TriangleKind::Guest;
        let windings = self.by_component[usize::from(with_guests)]
            .get_or_init(|| ComponentWindings::of(&self.triangles, self.components(), counts));
        windings.turns(&self.triangles, of, point, &Cell::new(0))
    }

    /// Boxes around the portals out of the room, built on first use.
    pub(super) fn reveals(&self, around: impl Fn(PortalId) -> Aabb) -> &PortalBoxes {
        self.reveals.get_or_init(|| {
            let portal = |kind: &TriangleKind| match kind {
                TriangleKind::Portal(id) => Some(*id),
                _ => None,
            };
            let mut ids: Vec<PortalId> = self.kinds.iter().filter_map(portal).collect();
            ids.dedup();
            let boxes = BoxTree::new(ids.iter().map(|&id| around(id)));
            PortalBoxes { ids, boxes }
        })
    }

    /// For each triangle, whether its component is closed, such as a box that stands in the room.
    pub(super) fn closed(&self) -> &[bool] {
        let find = || closed(&self.triangles, self.components());
        self.closed.get_or_init(find)
    }

    /// The volume, cubic metres, that the solid ones of these faces enclose together with the portals. It is exact only
    /// if they form a closed surface, and negative if they face outwards.
    pub(super) fn air_volume(&self, faces: &[usize]) -> f64 {
        let from = self.bounds.centre();
        let is_portal = |&i: &usize| matches!(self.kinds[i], TriangleKind::Portal(_));
        let portals = (0..self.triangles.len()).filter(is_portal);
        let own = faces.iter().copied().chain(portals);
        let own = own.filter(|&i| self.solids[i]);
        let six = own.map(|i| {
            let [a, b, c] = self.triangles[i].corners.map(|p| p - from);
            a.dot(b.cross(c))
        });
        -six.sum::<f64>() / 6.0
    }

    /// Whether a triangle is drawn and is not a duplicate.
    pub(super) fn is_drawn(&self, index: u32) -> bool {
        self.drawns[index as usize]
    }

    /// Whether a triangle is solid and is not a duplicate.
    pub(super) fn is_solid(&self, index: u32) -> bool {
        self.solids[index as usize]
    }

    /// Calls `found` with the triangles whose boxes overlap a box.
    pub(super) fn near(&self, around: &Aabb, found: impl FnMut(u32, &Triangle)) {
        self.tree.near(around, found);
    }

    /// Whether a face of the room is within `distance` metres of a point.
    pub(super) fn is_near(&self, point: DVec3, distance: f64) -> bool {
        let around = Aabb::around([point]).grown(distance);
        let mut is_near = false;
        self.tree.near(&around, |index, triangle| {
            let own = matches!(self.kinds[index as usize], TriangleKind::Own(_));
            is_near |= own && triangle.distance(point) < distance;
        });
        is_near
    }
}

/// The faces with the same corners and winding as an earlier face, if both are drawn or both are solid; each with that
/// earlier face.
fn doubles(triangles: &[Triangle], kinds: &[TriangleKind], classes: &[&[bool]]) -> Vec<(u32, u32)> {
    let mut faces: Vec<([GridCorner; 3], u32)> = Vec::with_capacity(triangles.len());
    for ((triangle, kind), face) in triangles.iter().zip(kinds).zip(0..) {
        if matches!(kind, TriangleKind::Own(_)) {
            let mut corners = triangle.corners.map(corner);
            let least = (0..3).min_by_key(|&i| corners[i]).unwrap_or(0);
            corners.rotate_left(least);
            faces.push((corners, face));
        }
    }
    faces.sort_unstable();
    let mut doubles = Vec::new();
    for same in faces.chunk_by(|a, b| a.0 == b.0) {
        for (k, &(_, face)) in same.iter().enumerate() {
            let is_double = |&&(_, first): &&([GridCorner; 3], u32)| {
                let both = |of: &&[bool]| of[first as usize] && of[face as usize];
                classes.iter().any(both)
            };
            let first = same[..k].iter().find(is_double);
            doubles.extend(first.map(|&(_, first)| (face, first)));
        }
    }
    doubles.sort_unstable();
    doubles
}

/// Directions over the hemisphere around z, nearly uniform.
const HEMISPHERE: [[f64; 3]; 16] = hemisphere();

const fn hemisphere() -> [[f64; 3]; 16] {
    // Rings of 1, 5 and 10 directions at 0, 35 and 70 degrees, rotated against each other.
    let ring = [
        [1.0, 0.0],
        [0.309_017, 0.951_057],
        [-0.809_017, 0.587_785],
        [-0.809_017, -0.587_785],
        [0.309_017, -0.951_057],
    ];
    let turned = [
        [0.951_057, 0.309_017],
        [0.0, 1.0],
        [-0.951_057, 0.309_017],
        [-0.587_785, -0.809_017],
        [0.587_785, -0.809_017],
    ];
    let mut all = [[0.0123, 0.0071, 0.9999]; 16];
    let mut i = 0;
    while i < 5 {
        let ([x, y], [s, t]) = (ring[i], turned[i]);
        all[1 + i] = [0.5736 * x, 0.5736 * y, 0.8192];
        all[6 + i] = [0.9397 * x, 0.9397 * y, 0.3420];
        all[11 + i] = [0.9397 * s, 0.9397 * t, 0.3420];
        i += 1;
    }
    all
}
