//! A frame leaves out no triangle that can be seen. The oracle shares no code with visibility: it clips each triangle
//! by the planes of the picture and by every chain of portals that leads to it, exactly.

use glam::{DMat3, DQuat, DVec3};
use opendoor::author::builder::{BuilderShape, LevelBuilder, Opening, RoomMaterials};
use opendoor::author::{dungeon, grid_glb};
use opendoor::frame::{DrawMesh, Frame, Instance, compose};
use opendoor::geometry::{Aabb, Rigid};
use opendoor::level::{At, BodyId, Level, Material, PortalId, RoomId, locate};
use opendoor::load::{load, load_bytes};
use opendoor::rng::Rng;
use opendoor::source::{BodyShape, BodySource, LevelSource, MeshSource};
use opendoor::visibility::{Camera, NEAR, Visibility, flood};
use opendoor::world::World;

use crate::levels::our_files;
use crate::shared::built;

/// The depth, metres, to which a triangle has to reach into a volume to count as seen: more than rounding.
const DEPTH: f64 = 1e-6;

/// The maximum number of chains of portals of a view.
const MAX_CHAINS: usize = 2000;

/// The part of a convex polygon in front of a plane through `point`.
fn clipped(polygon: &[DVec3], point: DVec3, normal: DVec3) -> Vec<DVec3> {
    let distance = |p: DVec3| (p - point).dot(normal);
    let mut kept = Vec::new();
    for (&a, &b) in polygon.iter().zip(polygon.iter().cycle().skip(1)) {
        let (from, to) = (distance(a), distance(b));
        if from >= 0.0 {
            kept.push(a);
        }
        if (from >= 0.0) != (to >= 0.0) {
            kept.push(a + (b - a) * (from / (from - to)));
        }
    }
    kept
}

/// A convex cone with its tip in the eye, cut off by the near plane; normals point inwards.
#[derive(Clone)]
struct Cone {
    eye: DVec3,
    near: (DVec3, DVec3),
    sides: Vec<DVec3>,
}

impl Cone {
    fn of(camera: &Camera) -> Self {
        let eye = camera.at.point;
        let [x, y] = camera.tan_half();
        let forward = camera.forward();
        let corners = [(-x, -y), (x, -y), (x, y), (-x, y)];
        let corners =
            corners.map(|(x, y)| eye + forward + camera.axes.x_axis * x + camera.axes.y_axis * y);
        Self {
            eye,
            near: (eye + forward * NEAR, forward),
            sides: Self::around(eye, &corners),
        }
    }

    /// The planes through the eye and the edges of a polygon.
    fn around(eye: DVec3, polygon: &[DVec3]) -> Vec<DVec3> {
        let centre = polygon.iter().sum::<DVec3>() / polygon.len() as f64 - eye;
        let edges = polygon.iter().zip(polygon.iter().cycle().skip(1));
        let normals = edges.filter_map(|(a, b)| (a - eye).cross(b - eye).try_normalize());
        normals.map(|n| n * n.dot(centre).signum()).collect()
    }

    /// The part of a convex polygon that is in the cone, at least `depth` metres from each of its planes.
    fn part(&self, polygon: &[DVec3], depth: f64) -> Vec<DVec3> {
        let (point, normal) = self.near;
        let mut part = clipped(polygon, point + normal * depth, normal);
        for side in &self.sides {
            part = clipped(&part, self.eye + side * depth, *side);
        }
        part
    }

    fn shows(&self, polygon: &[DVec3]) -> bool {
        self.part(polygon, DEPTH).len() > 2
    }

    /// The part of the cone that passes a portal, whose normal points away from the eye.
    fn through(&self, polygon: &[DVec3], normal: DVec3) -> Option<Self> {
        let distance = (self.eye - polygon[0]).dot(normal);
        let part = self.part(polygon, 0.0);
        if distance >= 0.0 || part.len() < 3 {
            return None;
        }
        let twice_area = part
            .windows(2)
            .map(|p| (p[0] - part[0]).cross(p[1] - part[0]));
        let is_wide = twice_area.sum::<DVec3>().length() > 1e-9;
        is_wide.then(|| Self {
            sides: Self::around(self.eye, &part),
            ..self.clone()
        })
    }
}

/// The corners of the triangles of a draw, in other coordinates.
fn triangles(level: &Level, draw: u32, other_from_draw: Rigid) -> impl Iterator<Item = [DVec3; 3]> {
    let indices = level.draws[draw as usize].indices.clone();
    let indices = &level.indices[indices.start as usize..indices.end as usize];
    let corner = move |i: u32| {
        let position = level.vertices[i as usize].position.as_dvec3();
        other_from_draw.point(position)
    };
    let corners = indices.chunks_exact(3);
    corners.map(move |c| [corner(c[0]), corner(c[1]), corner(c[2])])
}

/// A view of a level, its frame, and the findings of the oracle.
struct View<'a> {
    level: &'a Level,
    world: &'a World,
    camera: &'a Camera,
    frame: &'a Frame,
    chains: usize,
    compared: &'a mut usize,
}

impl View<'_> {
    /// Whether the frame has this draw in this pose.
    fn draws(&self, draw: u32, eye_from_draw: &Rigid) -> bool {
        let eye = eye_from_draw.inverse().point(self.camera.at.point);
        let is_there = |instance: &Instance| (instance.eye.as_dvec3() - eye).length() < 1e-3;
        self.frame.draws.iter().any(|item| {
            item.mesh == DrawMesh::Level(draw)
                && is_there(&self.frame.instances[item.instance as usize])
        })
    }

    /// Compares the triangles of a draw that is not in the frame with a cone.
    fn check(&mut self, draw: u32, eye_from_draw: Rigid, cone: &Cone, what: &str) {
        if self.draws(draw, &eye_from_draw) {
            return;
        }
        for triangle in triangles(self.level, draw, eye_from_draw) {
            *self.compared += 1;
            assert!(
                !cone.shows(&triangle),
                "{}: a triangle of {what} at {triangle:?} is left out, from {:?} looking {}",
                self.level.name,
                self.camera.at,
                self.camera.forward(),
            );
        }
    }

    /// Checks the contents of a room that is seen in a cone, and of the rooms behind its portals.
    fn follow(&mut self, room: RoomId, eye_from_room: &Rigid, cone: &Cone, depth: usize) {
        self.chains += 1;
        let (level, world) = (self.level, self.world);
        for draw in level.room(room).draws.clone() {
            self.check(draw, *eye_from_room, cone, "a room");
        }
        for image in &level.room(room).movers {
            let mover = level.mover(image.mover);
            if world.is_present(mover) {
                let here_from_mover = world.here_from_mover(level, room, image);
                let eye_from_mover = eye_from_room.after(&here_from_mover);
                for draw in mover.draws.clone() {
                    self.check(draw, eye_from_mover, cone, "a mover");
                }
            }
        }
        for id in (0..level.bodies.len() as u32).map(BodyId) {
            self.check_body(id, room, eye_from_room, cone);
        }
        for (_, portal) in world.rooms().portals_of(level, room) {
            if depth == 12 || self.chains > MAX_CHAINS || !world.passes_light(portal.link) {
                continue;
            }
            let corners = portal.polygon.vertices.iter();
            let corners: Vec<DVec3> = corners.map(|&p| eye_from_room.point(p)).collect();
            let normal = eye_from_room.vector(portal.polygon.plane.normal);
            if let Some(cone) = cone.through(&corners, normal) {
                let eye_from_far = eye_from_room.after(&portal.far_from_near.inverse());
                self.follow(portal.far, &eye_from_far, &cone, depth + 1);
            }
        }
    }

    /// Checks a body in a room that is seen in a cone, or in an opening of the room.
    fn check_body(&mut self, id: BodyId, room: RoomId, eye_from_room: &Rigid, cone: &Cone) {
        let (level, body) = (self.level, self.level.body(id));
        let state = self.world.bodies.state(id);
        if !state.is_present {
            return;
        }
        let room_from_draws = state.room_from_authored(body);
        if state.at.room == room {
            for draw in body.draws.clone() {
                self.check(draw, eye_from_room.after(&room_from_draws), cone, "a body");
            }
        }
        for (_, portal) in self.world.rooms().portals_of(level, state.at.room) {
            if portal.far != room {
                continue;
            }
            for draw in body.draws.clone() {
                let corners = triangles(level, draw, room_from_draws).flatten();
                if Aabb::around(corners).overlaps(&portal.bounds) {
                    let eye_from_there = eye_from_room.after(&portal.far_from_near);
                    let eye_from_draws = eye_from_there.after(&room_from_draws);
                    self.check(draw, eye_from_draws, cone, "a body in an opening");
                }
            }
        }
    }
}

/// An eye in a portal's opening or anywhere in a room.
fn eye(level: &Level, rng: &mut Rng) -> At {
    if rng.one_in(3) && !level.portals.is_empty() {
        let portal = level.portal(PortalId(rng.below(level.portals.len()) as u32));
        let corners = &portal.polygon.vertices;
        let corner = corners[rng.below(corners.len())];
        let inside = portal.polygon.centre().lerp(corner, rng.between(0.0, 0.9));
        let off = [0.3, 0.05, 1e-3][rng.below(3)];
        return At::new(portal.near, inside - portal.polygon.plane.normal * off);
    }
    loop {
        let bounds = &level.rooms[rng.below(level.rooms.len())].bounds;
        let part = DVec3::from_array([(); 3].map(|()| rng.between(0.0, 1.0)));
        let point = bounds.min + (bounds.max - bounds.min) * part;
        if let Some(room) = locate(level, point) {
            return At::new(room, point);
        }
    }
}

/// Compares frames of a level from random eyes; returns the number of comparisons of left-out triangles with cones, and
/// the number of drawn triangles.
fn compare(level: &Level, world: &World, views: usize, rng: &mut Rng) -> (usize, u64) {
    let (mut visibility, mut frame) = (Visibility::default(), Frame::default());
    let (mut compared, mut drawn) = (0, 0);
    for _ in 0..views {
        let angles = [rng.between(-180.0, 180.0), rng.between(-70.0, 70.0)];
        let fov = [30.0, 70.0, 110.0][rng.below(3)];
        let camera = Camera::new(eye(level, rng), angles, fov, 16.0 / 9.0);
        flood(level, world, &camera, &mut visibility);
        let visible = visibility.seen_by(&camera);
        compose(level, world, &camera, &visible, &mut frame);
        drawn += frame.triangles_drawn;
        let mut view = View {
            level,
            world,
            camera: &camera,
            frame: &frame,
            chains: 0,
            compared: &mut compared,
        };
        view.follow(camera.at.room, &Rigid::IDENTITY, &Cone::of(&camera), 0);
    }
    (compared, drawn)
}

#[test]
fn frames_of_our_levels_leave_out_only_triangles_that_nobody_sees() {
    let mut rng = Rng::new(5);
    for path in our_files() {
        let (level, _) = load(&path).unwrap();
        let (shut, drawn) = compare(&level, &World::of(&level), 40, &mut rng);
        let (opened, _) = compare(&level, &World::all_open(&level), 40, &mut rng);
        assert!(shut + opened > 1000 && drawn > 0, "{shut} {opened} {drawn}");
    }
}

#[test]
fn frames_of_a_grid_leave_out_only_triangles_that_nobody_sees() {
    let level = load_bytes("grid", &grid_glb(4, 4)).unwrap().0;
    let mut rng = Rng::new(6);
    let (compared, drawn) = compare(&level, &World::of(&level), 200, &mut rng);
    assert!(compared > 1000 && drawn > 0, "{compared} {drawn}");
}

/// A box-shaped body of the level's first material.
fn crate_at(
    source: &LevelSource,
    node: &str,
    room: usize,
    middle: DVec3,
    half: DVec3,
) -> BodySource {
    let positions = (0..8).map(|i| {
        let sign = |bit: usize| if i & bit == 0 { -1.0 } else { 1.0 };
        middle + half * DVec3::new(sign(1), sign(2), sign(4))
    });
    let quads: [[u32; 4]; 6] = [
        [0, 2, 3, 1],
        [4, 5, 7, 6],
        [0, 1, 5, 4],
        [2, 6, 7, 3],
        [0, 4, 6, 2],
        [1, 3, 7, 5],
    ];
    let mesh = MeshSource {
        node: node.into(),
        room,
        positions: positions.collect(),
        triangles: quads
            .iter()
            .flat_map(|q| [[q[0], q[1], q[2]], [q[0], q[2], q[3]]])
            .collect(),
        ..plain_mesh(source)
    };
    BodySource {
        node: node.to_owned(),
        meshes: vec![mesh],
        shape: BodyShape::Box,
        axes: DMat3::IDENTITY,
        mass: None,
        friction: None,
        bounce: None,
    }
}

/// The first mesh without its attributes, solid and drawn.
fn plain_mesh(source: &LevelSource) -> MeshSource {
    MeshSource {
        normals: Vec::new(),
        tangents: Vec::new(),
        colours: Vec::new(),
        uvs: Default::default(),
        solid: true,
        drawn: true,
        ..source.meshes[0].clone()
    }
}

#[test]
fn frames_of_dungeons_leave_out_no_body_that_can_be_seen() {
    let mut rng = Rng::new(7);
    for seed in 0..6 {
        let mut source = dungeon(12, seed).unwrap();
        let plain = built(source.clone());
        // Half of the bodies are in openings.
        for index in 0..80 {
            let at = eye(&plain, &mut rng);
            let room = source
                .rooms
                .iter()
                .position(|r| r.name == plain.room(at.room).name);
            let half = DVec3::from_array([(); 3].map(|()| rng.between(0.02, 0.6)));
            let node = format!("crate{index:02}");
            let middle = plain.to_author(at.point).0;
            let body = crate_at(&source, &node, room.unwrap(), middle, half);
            source.bodies.push(body);
        }
        let level = built(source);
        assert_eq!(level.bodies.len(), 80);
        let mut world = World::of(&level);
        for id in (0..80).map(BodyId) {
            let mut state = *world.bodies.state(id);
            let axis =
                DVec3::new(rng.between(-1.0, 1.0), 1.0, rng.between(-1.0, 1.0)).normalize_or_zero();
            state.rotation = DQuat::from_axis_angle(axis, rng.between(0.0, 6.0));
            world.bodies.set(id, state);
        }
        let (compared, drawn) = compare(&level, &world, 60, &mut rng);
        assert!(compared > 1000 && drawn > 0, "{compared} {drawn}");
    }
}

/// Two rooms, each with an alcove beside its walls; two doorways turn space, so that each room is seen several times.
#[test]
fn frames_of_bent_space_leave_out_only_triangles_that_nobody_sees() {
    let mut builder = LevelBuilder::new("bent");
    let materials = [(); 4].map(|()| builder.material(Material::default()));
    let surfaces = RoomMaterials::all(materials[0]);
    let rooms = ["here", "there"].map(|name| {
        let x = if name == "here" { 0.0 } else { 100.0 };
        let cuboid = |min: [f64; 3], max: [f64; 3]| {
            let at = |p: [f64; 3]| DVec3::from_array(p) + DVec3::X * x;
            BuilderShape::cuboid(at(min), at(max))
        };
        let inside = cuboid([-4.0, 0.0, -4.0], [4.0, 3.0, 4.0]);
        let room = builder.room(name, &inside, surfaces).unwrap();
        for (index, corner) in [[-3.5, -3.5], [-3.5, 2.5], [2.5, -3.5]]
            .into_iter()
            .enumerate()
        {
            let [x, z] = corner;
            let block = cuboid([x, 0.0, z], [x + 1.0, 1.0, z + 1.0]);
            let name = format!("{name}-block{index}");
            builder
                .block(room, &name, &block, materials[index + 1])
                .unwrap();
        }
        room
    });
    let turn = DMat3::from_cols(DVec3::Z, DVec3::Y, DVec3::NEG_X);
    for (foot, out, far) in [
        (
            DVec3::new(4.0, 0.0, 0.0),
            DVec3::X,
            DVec3::new(100.0, 0.0, -4.0),
        ),
        (
            DVec3::new(-4.0, 0.0, 0.0),
            DVec3::NEG_X,
            DVec3::new(100.0, 0.0, 4.0),
        ),
    ] {
        let doorway = Opening::doorway(foot, out, 2.0, 2.5);
        let bent = doorway.bent(Rigid::new(turn, far - turn * foot));
        builder.connect(rooms[0], rooms[1], &bent).unwrap();
    }
    let foot = DVec3::new(0.0, 0.0, 2.0);
    builder.spawn(rooms[0], "player", foot, DVec3::X).unwrap();
    let level = built(builder.source());
    let mut rng = Rng::new(8);
    let (compared, drawn) = compare(&level, &World::of(&level), 200, &mut rng);
    assert!(compared > 1000 && drawn > 0, "{compared} {drawn}");
}
