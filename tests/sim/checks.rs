//! Authors' mistakes: each is reported once, with its node and place, and good levels have no problems.

use glam::{DMat3, DVec3};
use opendoor::author::sketch::{Sketch, cuboid};
use opendoor::frame::{Frame, add_problems};
use opendoor::geometry::Aabb;
use opendoor::level::{At, AuthorPoint, Drive, Image, Material, RoomId, Texture, Track};
use opendoor::lint::{check_bodies, check_walking, inspect_source};
use opendoor::problems::{Problem, ProblemCode, Problems};
use opendoor::source::{BodyShape, BodySource, LevelSource, MeshSource, MoverSource};
use opendoor::visibility::Camera;

use crate::common::{quad, v};

/// Two rooms beside each other, as in the five-minute introduction of docs/levels.md, with a doorway between them.
pub(crate) struct House {
    pub(crate) hall: Aabb,
    pub(crate) study: Aabb,
    /// The doorway in each wall, as bounds in z and then in y.
    pub(crate) holes: [Option<[f64; 4]>; 2],
    /// The depth of each room's half of the reveal.
    pub(crate) reveals: [f64; 2],
    /// The portal as bounds in z and then in y.
    pub(crate) portal: Option<[f64; 4]>,
    /// The x coordinate of the portal's plane.
    pub(crate) portal_x: f64,
    pub(crate) dest: &'static str,
    pub(crate) lamps: bool,
    /// Further holes.
    pub(crate) more: Vec<Aabb>,
}

pub(crate) const DOOR: [f64; 4] = [2.4, 3.6, 0.0, 2.1];

impl House {
    pub(crate) fn new() -> Self {
        Self {
            hall: cuboid([0., 0., 0.], [8., 3., 6.]),
            study: cuboid([8.25, 0., 0.], [14., 3., 6.]),
            holes: [Some(DOOR); 2],
            reveals: [0.125; 2],
            portal: Some(DOOR),
            portal_x: 8.125,
            dest: "study",
            lamps: true,
            more: Vec::new(),
        }
    }

    /// The level: room 0 is the hall, room 1 the study.
    pub(crate) fn sketch(&self) -> Sketch {
        let mut sketch = Sketch::new("house");
        let sides = [
            ("hall", self.hall, self.hall.max.x, 1.),
            ("study", self.study, self.study.min.x, -1.),
        ];
        for (i, (name, inside, x, out)) in sides.into_iter().enumerate() {
            let hole = self.holes[i].map(|hole| flat(x, hole));
            let holes: Vec<Aabb> = hole.into_iter().chain(self.more.iter().copied()).collect();
            let room = sketch.box_room(name, inside, &holes);
            if let Some(hole) = self.holes[i].filter(|_| self.reveals[i] > 0.) {
                let end = x + out * self.reveals[i];
                let ends = [flat(x, hole), flat(end, hole)];
                let (low, high) = (x.min(end), x.max(end));
                let tube = Aabb {
                    min: ends[0].min.with_x(low),
                    max: ends[0].max.with_x(high),
                };
                add_tube(&mut sketch, room, tube, &ends);
            }
            if self.lamps {
                sketch.lamp(room, inside.centre(), 50.);
            }
        }
        if let Some(portal) = self.portal {
            sketch.portal(0, self.dest, flat(self.portal_x, portal), DVec3::X);
        }
        sketch.spawn(0, v(2., 0.1, 3.), DVec3::X);
        sketch
    }

    pub(crate) fn with(change: impl FnOnce(&mut Self)) -> LevelSource {
        let mut house = Self::new();
        change(&mut house);
        house.sketch().source
    }

    pub(crate) fn then(change: impl FnOnce(&mut Sketch)) -> LevelSource {
        let mut sketch = Self::new().sketch();
        change(&mut sketch);
        sketch.source
    }
}

/// A rectangle in the plane of constant x.
pub(crate) fn flat(x: f64, [from, to, low, high]: [f64; 4]) -> Aabb {
    cuboid([x, low, from], [x, high, to])
}

/// Adds the sides of a box that connect two holes, seen from inside.
pub(crate) fn add_tube(sketch: &mut Sketch, room: usize, tube: Aabb, ends: &[Aabb]) {
    let index = sketch.source.meshes.len();
    sketch.box_room("tube", tube, ends);
    sketch.source.rooms.pop();
    let mesh = &mut sketch.source.meshes[index];
    (mesh.room, mesh.node) = (room, format!("reveal-{room}").into());
}

/// Keeps the faces of a mesh for whose centroids `keep` is true.
pub(crate) fn keep_faces(mesh: &mut MeshSource, keep: impl Fn(DVec3) -> bool) {
    let positions = &mesh.positions;
    mesh.triangles
        .retain(|t| keep(t.iter().map(|&i| positions[i as usize]).sum::<DVec3>() / 3.));
}

/// Lowers the upper corner of the wall at x = 0 at the greatest z by `down`; the adjacent walls and ceiling keep
/// theirs.
fn move_corner(mesh: &mut MeshSource, down: f64) {
    let mut positions = mesh.positions.clone();
    for t in &mut mesh.triangles {
        if t.iter().any(|&i| positions[i as usize].x > 0.01) {
            continue;
        }
        for i in t {
            let p = positions[*i as usize];
            if p.y > 2.99 && p.z > 5.99 {
                *i = positions.len() as u32;
                positions.push(p - DVec3::Y * down);
            }
        }
    }
    mesh.positions = positions;
}

pub(crate) fn turn_over(mesh: &mut MeshSource) {
    mesh.triangles.iter_mut().for_each(|t| t.reverse());
}

/// Divides each triangle into three at its centroid, because exporters triangulate the two sides of a wall differently.
fn divide(mesh: &mut MeshSource) {
    for [a, b, c] in std::mem::take(&mut mesh.triangles) {
        let corners = [a, b, c].map(|i| mesh.positions[i as usize]);
        let middle = mesh.positions.len() as u32;
        mesh.positions.push(corners.iter().sum::<DVec3>() / 3.);
        let parts = [[a, b, middle], [b, c, middle], [c, a, middle]];
        mesh.triangles.extend(parts);
    }
}

/// Adds closed furniture with this node name.
pub(crate) fn furniture(sketch: &mut Sketch, room: usize, node: &str, outside: Aabb) -> usize {
    sketch.furniture(room, 0, outside);
    let index = sketch.source.meshes.len() - 1;
    sketch.source.meshes[index].node = node.into();
    index
}

pub(crate) fn attic(sketch: &mut Sketch, inside: Aabb) {
    let room = sketch.box_room("z-attic", inside, &[]);
    sketch.lamp(room, inside.centre(), 50.);
}

/// Adds a body with the mesh of a box to the hall.
fn body(sketch: &mut Sketch, node: &str, outside: Aabb) {
    sketch.furniture(0, 0, outside);
    to_body(sketch, node);
}

/// Turns the last mesh into a body.
fn to_body(sketch: &mut Sketch, node: &str) {
    sketch.source.bodies.push(BodySource {
        node: node.to_owned(),
        meshes: sketch.source.meshes.pop().into_iter().collect(),
        shape: BodyShape::Box,
        axes: DMat3::IDENTITY,
        mass: None,
        friction: None,
        bounce: None,
    });
}

pub(crate) fn table() -> Aabb {
    cuboid([3., 0., 1.], [4.5, 0.75, 2.])
}

fn picture(source: &mut LevelSource, width: u32) {
    source.images.push(Image {
        name: "big".to_owned(),
        width,
        height: 1,
        rgba: vec![255; width as usize * 4].into(),
    });
    source.materials[0] = Material {
        base_texture: Some(Texture::new(0)),
        ..Material::default()
    };
}

/// A mistake: its description, its code, its node, and the place in a room that its problem must have, if any.
pub(crate) struct Mistake {
    pub(crate) what: &'static str,
    code: ProblemCode,
    node: &'static str,
    at: Option<DVec3>,
    pub(crate) level: fn() -> LevelSource,
}

pub(crate) fn mistake(
    what: &'static str,
    code: ProblemCode,
    node: &'static str,
    at: Option<[f64; 3]>,
    level: fn() -> LevelSource,
) -> Mistake {
    Mistake {
        what,
        code,
        node,
        at: at.map(DVec3::from_array),
        level,
    }
}

use ProblemCode as Code;

pub(crate) const PORTAL: &str = "study*0-portal";

fn mistakes() -> Vec<Mistake> {
    let mut all = of_surfaces();
    all.extend(of_portals());
    all.extend(of_space());
    all.extend(of_players());
    all.extend(of_amounts());
    all.extend(crate::checks_followers::mistakes());
    all.extend(crate::checks_of_meshes::mistakes());
    all
}

fn of_surfaces() -> Vec<Mistake> {
    vec![
        mistake(
            "no ceiling",
            Code::RoomHole,
            "hall_mesh",
            Some([4., 3., 3.]),
            || House::then(|s| keep_faces(&mut s.source.meshes[0], |p| p.y < 2.99)),
        ),
        mistake(
            "no wall",
            Code::RoomHole,
            "study_mesh",
            Some([14., 1.5, 3.]),
            || House::then(|s| keep_faces(&mut s.source.meshes[2], |p| p.x < 13.9)),
        ),
        mistake(
            "no floor",
            Code::RoomHole,
            "study_mesh",
            Some([11.125, 0., 3.]),
            || House::then(|s| keep_faces(&mut s.source.meshes[2], |p| p.y > 0.01)),
        ),
        mistake(
            "a hole in a wall",
            Code::RoomHole,
            "hall_mesh",
            Some([0., 1.5, 2.5]),
            || House::with(|h| h.more.push(flat(0., [2., 3., 1., 2.]))),
        ),
        mistake(
            "a hole that only what is not drawn closes",
            Code::RoomHole,
            "hall_mesh",
            Some([0., 1.5, 2.5]),
            || {
                let hole = [2., 3., 1., 2.];
                let mut sketch = House {
                    more: vec![flat(0., hole)],
                    ..House::new()
                }
                .sketch();
                let [a, b] = [v(0., 1., 2.), v(0., 2., 3.)];
                let pane = [a, a.with_y(2.), b, b.with_y(1.)];
                sketch.mesh(0, 0, &quad(pane));
                sketch.source.meshes.last_mut().unwrap().drawn = false;
                sketch.source
            },
        ),
        mistake(
            "walls that are only solid",
            Code::RoomHole,
            "study-room",
            None,
            || {
                House::then(|s| {
                    s.source.meshes[2..4]
                        .iter_mut()
                        .for_each(|m| m.drawn = false)
                })
            },
        ),
        mistake(
            "a hole of ten centimetres",
            Code::RoomHole,
            "hall_mesh",
            Some([0., 1.05, 2.05]),
            || House::with(|h| h.more.push(flat(0., [2., 2.1, 1., 1.1]))),
        ),
        mistake(
            "a missing triangle",
            Code::RoomHole,
            "hall_mesh",
            None,
            || House::then(|s| keep_faces(&mut s.source.meshes[0], |p| !(p.y > 2.99 && p.x < 4.))),
        ),
        mistake(
            "a corner out of place",
            Code::RoomHole,
            "hall_mesh",
            None,
            || {
                House::then(|s| {
                    let mesh = &mut s.source.meshes[0];
                    for t in mesh.triangles.clone() {
                        let corners = t.map(|i| mesh.positions[i as usize]);
                        if corners.iter().all(|p| p.x < 0.01) {
                            for i in t {
                                let p = &mut mesh.positions[i as usize];
                                p.y = if p.y > 2.9 && p.z > 5.9 { 2.9 } else { p.y };
                            }
                        }
                    }
                })
            },
        ),
        mistake(
            "a corner beside its place by a millimetre",
            Code::RoomCrack,
            "hall_mesh",
            Some([0., 3., 6.]),
            || House::then(|s| move_corner(&mut s.source.meshes[0], 0.001)),
        ),
        mistake(
            "a wall a millimetre too short",
            Code::RoomCrack,
            "hall_mesh",
            Some([0., 3., 6.]),
            || {
                House::then(|s| {
                    let mesh = &mut s.source.meshes[0];
                    keep_faces(mesh, |p| p.x > 0.01);
                    let wall = [
                        v(0., 0., 0.),
                        v(0., 2.999, 0.),
                        v(0., 2.999, 6.),
                        v(0., 0., 6.),
                    ];
                    s.mesh(0, 0, &quad(wall));
                    s.source.meshes.last_mut().unwrap().node = "hall_mesh".into();
                })
            },
        ),
        mistake(
            "inside out",
            Code::RoomInsideOut,
            "study-room",
            None,
            || House::then(|s| s.source.meshes[2..4].iter_mut().for_each(turn_over)),
        ),
        mistake(
            "inside out with the spawn",
            Code::RoomInsideOut,
            "hall-room",
            None,
            || House::then(|s| s.source.meshes[..2].iter_mut().for_each(turn_over)),
        ),
        mistake(
            "a gap between a wall and the floor",
            Code::RoomHole,
            "hall_mesh",
            Some([0.025, 0., 3.]),
            || {
                House::then(|s| {
                    keep_faces(&mut s.source.meshes[0], |p| p.y > 0.01);
                    let [low, high] = [v(0.05, 0., 0.), v(8., 0., 6.)];
                    let floor = [low, low.with_z(6.), high, high.with_z(0.)];
                    s.mesh(0, 0, &quad(floor));
                })
            },
        ),
        mistake(
            "walls that are there from both sides",
            Code::RoomInsideOut,
            "study-room",
            Some([11.1, 1.5, 3.]),
            || {
                House::then(|s| {
                    let mut other_sides = s.source.meshes[2..4].to_vec();
                    for mesh in &mut other_sides {
                        turn_over(mesh);
                        divide(mesh);
                    }
                    s.source.meshes.extend(other_sides);
                })
            },
        ),
        mistake(
            "a table inside out",
            Code::MeshInsideOut,
            "table",
            Some([3.75, 0.4, 1.5]),
            || {
                House::then(|s| {
                    let table = furniture(s, 0, "table", table());
                    turn_over(&mut s.source.meshes[table]);
                })
            },
        ),
        mistake(
            "a wall that was moved away",
            Code::RoomHole,
            "hall_mesh",
            Some([0., 1.5, 3.]),
            || {
                House::then(|s| {
                    let mesh = &mut s.source.meshes[0];
                    let positions = mesh.positions.clone();
                    for t in &mut mesh.triangles {
                        if t.iter().all(|&i| positions[i as usize].x < 0.01) {
                            *t = t.map(|i| {
                                mesh.positions.push(positions[i as usize] - 0.03 * DVec3::X);
                                mesh.positions.len() as u32 - 1
                            });
                        }
                    }
                })
            },
        ),
        mistake(
            "a turned ceiling",
            Code::FacesTurned,
            "hall_mesh",
            Some([5.3, 3., 4.]),
            || {
                House::then(|s| {
                    let mesh = &mut s.source.meshes[0];
                    let positions = mesh.positions.clone();
                    let is_high = |t: &[u32; 3]| t.iter().all(|&i| positions[i as usize].y > 2.99);
                    mesh.triangles
                        .iter_mut()
                        .filter(|t| is_high(t))
                        .for_each(|t| t.reverse());
                })
            },
        ),
    ]
}

fn of_portals() -> Vec<Mistake> {
    let at_door = Some([8.125, 1., 3.]);
    vec![
        mistake(
            "no portal",
            Code::PortalMissing,
            "reveal-0",
            at_door,
            || House::with(|h| h.portal = None),
        ),
        mistake("too small", Code::PortalGap, PORTAL, at_door, || {
            House::with(|h| h.portal = Some([2.6, 3.4, 0., 2.1]))
        }),
        mistake("too low", Code::PortalGap, PORTAL, at_door, || {
            House::with(|h| h.portal = Some([2.4, 3.6, 0., 1.9]))
        }),
        mistake("too large", Code::PortalTooLarge, PORTAL, at_door, || {
            House::with(|h| h.portal = Some([2.2, 3.8, 0., 2.4]))
        }),
        mistake("shifted", Code::PortalGap, PORTAL, at_door, || {
            House::with(|h| h.portal = Some([2.7, 3.9, 0., 2.1]))
        }),
        mistake(
            "before the wall",
            Code::PortalGap,
            PORTAL,
            Some([8.4, 1., 3.]),
            || House::with(|h| h.portal_x = 8.4),
        ),
        mistake("no reveals", Code::PortalGap, PORTAL, at_door, || {
            House::with(|h| h.reveals = [0.; 2])
        }),
        mistake(
            "reveals that do not meet",
            Code::PortalGap,
            PORTAL,
            at_door,
            || House::with(|h| h.reveals = [0.05; 2]),
        ),
        mistake(
            "one reveal too short",
            Code::PortalGap,
            PORTAL,
            at_door,
            || House::with(|h| h.reveals = [0.05, 0.125]),
        ),
        mistake(
            "doorways of two heights",
            Code::PortalGap,
            PORTAL,
            at_door,
            || House::with(|h| h.holes[1] = Some([2.4, 3.6, 0., 2.4])),
        ),
        mistake(
            "doorways beside each other",
            Code::PortalGap,
            PORTAL,
            at_door,
            || House::with(|h| h.holes[1] = Some([2.9, 4.1, 0., 2.1])),
        ),
        mistake(
            "the hall alone is cut",
            Code::PortalWallNotCut,
            PORTAL,
            at_door,
            || House::with(|h| h.holes[1] = None),
        ),
        mistake(
            "the study alone is cut",
            Code::PortalWallNotCut,
            PORTAL,
            at_door,
            || House::with(|h| h.holes[0] = None),
        ),
        mistake(
            "the hall alone is cut, without a portal",
            Code::WallNotCut,
            "reveal-0",
            at_door,
            || House::with(|h| (h.holes[1], h.portal) = (None, None)),
        ),
        mistake(
            "what cut the opening",
            Code::DoorwayBlocked,
            "cutter",
            at_door,
            || {
                House::then(|s| {
                    _ = furniture(s, 0, "cutter", cuboid([7.8, 0., 2.4], [8.5, 2.1, 3.6]))
                })
            },
        ),
        mistake(
            "a panel whose name is no door's",
            Code::DoorwayBlocked,
            "gate",
            at_door,
            || {
                House::then(|s| {
                    _ = furniture(s, 0, "gate", cuboid([8.1, 0., 2.4], [8.14, 2.1, 3.6]))
                })
            },
        ),
        mistake(
            "two portals",
            Code::PortalTwice,
            "study*1-portal",
            at_door,
            || House::then(|s| s.portal(0, "study", flat(8.125, DOOR), DVec3::X)),
        ),
        mistake(
            "a portal from either side",
            Code::PortalTwice,
            "hall*1-portal",
            at_door,
            || House::then(|s| s.portal(1, "hall", flat(8.125, DOOR), DVec3::NEG_X)),
        ),
        mistake(
            "the front into its own room",
            Code::PortalBackwards,
            PORTAL,
            None,
            || {
                House::then(|s| {
                    s.source.portals[0]
                        .triangles
                        .iter_mut()
                        .for_each(|t| t.reverse())
                })
            },
        ),
        mistake(
            "into its own room",
            Code::PortalIntoItself,
            "hall*0-portal",
            None,
            || House::with(|h| h.dest = "hall"),
        ),
        mistake(
            "into a room that does not exist",
            Code::PortalUnknownRoom,
            "stduy*0-portal",
            None,
            || House::with(|h| h.dest = "stduy"),
        ),
        mistake(
            "the room behind is far",
            Code::PortalFar,
            PORTAL,
            None,
            || House::with(|h| h.study = cuboid([9.5, 0., 0.], [14., 3., 6.])),
        ),
        mistake(
            "a child of a room elsewhere",
            Code::PortalFar,
            PORTAL,
            at_door,
            || {
                House::then(|s| {
                    attic(s, cuboid([0., 4., 0.], [3., 6., 3.]));
                    s.source.portals[0].room = 2;
                })
            },
        ),
        mistake(
            "a room that is turned",
            Code::PortalGap,
            PORTAL,
            at_door,
            || {
                House::then(|s| {
                    let (sin, cos) = 5_f64.to_radians().sin_cos();
                    for p in s.source.meshes[2..4]
                        .iter_mut()
                        .flat_map(|mesh| &mut mesh.positions)
                    {
                        let d = *p - v(8.125, 0., 3.);
                        *p = v(
                            8.125 + cos * d.x + sin * d.z,
                            p.y,
                            3. + cos * d.z - sin * d.x,
                        );
                    }
                })
            },
        ),
        mistake(
            "a room that is raised",
            Code::PortalGap,
            PORTAL,
            at_door,
            || {
                House::then(|s| {
                    let meshes = s.source.meshes[2..4].iter_mut();
                    meshes
                        .flat_map(|mesh| &mut mesh.positions)
                        .for_each(|p| p.y += 0.3);
                })
            },
        ),
    ]
}

fn of_space() -> Vec<Mistake> {
    vec![
        mistake(
            "rooms that overlap",
            Code::RoomsOverlap,
            "study-room",
            Some([7.5, 1.5, 3.]),
            || House::with(|h| h.study = cuboid([7., 0., 0.], [14., 3., 6.])),
        ),
        mistake(
            "rooms that overlap by four centimetres",
            Code::RoomsOverlap,
            "z-attic-room",
            Some([4., 2.98, 3.]),
            || House::then(|s| attic(s, cuboid([0., 2.96, 0.], [8., 5., 6.]))),
        ),
        mistake(
            "a room in a room",
            Code::RoomsOverlap,
            "z-attic-room",
            Some([2., 1., 2.]),
            || House::then(|s| attic(s, cuboid([1., 0., 1.], [3., 2., 2.]))),
        ),
        mistake(
            "a room that no portal leads to",
            Code::RoomUnreachable,
            "z-attic-room",
            None,
            || House::then(|s| attic(s, cuboid([0., 4., 0.], [3., 6., 3.]))),
        ),
        mistake(
            "the wrong parent",
            Code::MeshInOtherRoom,
            "table",
            Some([3.75, 0.4, 1.5]),
            || House::then(|s| _ = furniture(s, 1, "table", table())),
        ),
        mistake(
            "through the wall",
            Code::MeshInOtherRoom,
            "shelf",
            Some([8.75, 1.2, 5.]),
            || {
                House::then(|s| {
                    _ = furniture(s, 0, "shelf", cuboid([7.5, 1., 4.5], [9., 1.5, 5.5]))
                })
            },
        ),
        mistake(
            "a pipe through all walls",
            Code::MeshInOtherRoom,
            "pipe",
            None,
            || {
                House::then(|s| {
                    _ = furniture(s, 0, "pipe", cuboid([-0.3, 2.5, 1.], [14.5, 2.6, 1.1]))
                })
            },
        ),
        mistake(
            "far outside",
            Code::MeshInOtherRoom,
            "tree",
            Some([50., 1., 50.]),
            || House::then(|s| _ = furniture(s, 0, "tree", cuboid([49., 0., 49.], [51., 2., 51.]))),
        ),
    ]
}

fn of_players() -> Vec<Mistake> {
    let at_door = Some([8.125, 0., 3.]);
    vec![
        mistake(
            "a step that is too high",
            Code::StepTooHigh,
            PORTAL,
            Some([8.125, 0.9, 3.]),
            || {
                let mut sketch = above().sketch();
                furniture(
                    &mut sketch,
                    0,
                    "stair",
                    cuboid([7., 0., 2.], [8., 0.45, 4.]),
                );
                sketch.source
            },
        ),
        mistake(
            "a high step in a staircase",
            Code::StepTooHigh,
            "second",
            Some([6.8, 0.65, 3.]),
            || {
                let mut sketch = above().sketch();
                for (node, x, high) in [
                    ("first", 6.2, 0.2),
                    ("second", 6.8, 0.65),
                    ("third", 7.4, 0.9),
                ] {
                    furniture(
                        &mut sketch,
                        0,
                        node,
                        cuboid([x, 0., 2.], [x + 0.6, high, 4.]),
                    );
                }
                sketch.source
            },
        ),
        mistake(
            "a high first step",
            Code::StepTooHigh,
            "first",
            Some([6.8, 0.6, 3.]),
            || {
                let mut sketch = above().sketch();
                for (node, x, high) in [("first", 6.8, 0.6), ("second", 7.4, 0.8)] {
                    furniture(
                        &mut sketch,
                        0,
                        node,
                        cuboid([x, 0., 2.], [x + 0.6, high, 4.]),
                    );
                }
                sketch.source
            },
        ),
        mistake(
            "a beam at the height of the chest",
            Code::HeadroomTooLow,
            "beam",
            Some([4.5, 1.4, 3.]),
            || House::then(|s| _ = furniture(s, 0, "beam", cuboid([4.4, 1.4, 0.], [4.6, 1.7, 6.]))),
        ),
        mistake(
            "a beam at the height of the knees",
            Code::HeadroomTooLow,
            "beam",
            Some([4.5, 0.8, 3.]),
            || House::then(|s| _ = furniture(s, 0, "beam", cuboid([4.4, 0.8, 0.], [4.6, 3., 6.]))),
        ),
        mistake(
            "a beam over a staircase",
            Code::HeadroomTooLow,
            "beam",
            Some([7., 1.7, 3.]),
            || {
                let mut sketch = flight(2.);
                furniture(
                    &mut sketch,
                    0,
                    "beam",
                    cuboid([7.05, 1.7, 0.], [7.35, 1.9, 6.]),
                );
                sketch.source
            },
        ),
        mistake(
            "a low doorway",
            Code::DoorwayTooSmall,
            PORTAL,
            at_door,
            || all_holes([2.4, 3.6, 0., 1.4]),
        ),
        mistake(
            "a narrow doorway",
            Code::DoorwayTooSmall,
            PORTAL,
            at_door,
            || all_holes([2.7, 3.3, 0., 2.1]),
        ),
        mistake("a high sill", Code::StepTooHigh, PORTAL, at_door, || {
            all_holes([2.4, 3.6, 0.7, 2.8])
        }),
        mistake(
            "furniture before the doorway",
            Code::DoorwayBlocked,
            PORTAL,
            at_door,
            || House::then(|s| _ = furniture(s, 0, "crates", cuboid([7., 0., 2.], [7.9, 2.5, 4.]))),
        ),
        mistake(
            "a floor below without a way back",
            Code::NoWayBack,
            "study-room",
            None,
            || House::with(|h| h.study.min.y = -1.6),
        ),
        mistake("a pit", Code::NoWayBack, "hall-room", None, || {
            let hole = cuboid([4., 0., 4.], [6., 0., 5.5]);
            let mut sketch = House {
                more: vec![hole],
                ..House::new()
            }
            .sketch();
            let pit = cuboid([4., -3., 4.], [6., 0., 5.5]);
            add_tube(&mut sketch, 0, pit, &[hole]);
            sketch.source
        }),
        mistake(
            "a spawn over a floor that is not solid",
            Code::SpawnWithoutFloor,
            "player-spawn",
            None,
            || House::then(|s| floor_not_solid(s, 0)),
        ),
        mistake(
            "a floor that is not solid",
            Code::FloorMissing,
            "study-room",
            None,
            || House::then(|s| floor_not_solid(s, 1)),
        ),
        mistake(
            "a spawn below a table",
            Code::SpawnBlocked,
            "player-spawn",
            Some([3.75, 0.1, 1.5]),
            || {
                House::then(|s| {
                    furniture(s, 0, "table", cuboid([2.75, 0.5, 1.], [4.75, 1., 2.]));
                    s.source.spawns[0].position.0 = v(3.75, 0.1, 1.5);
                })
            },
        ),
        mistake(
            "a pit with steep sides",
            Code::NoWayBack,
            "hall-room",
            None,
            || {
                let hole = cuboid([3.5, 0., 3.4], [6.5, 0., 5.9]);
                let mut sketch = House {
                    more: vec![hole],
                    ..House::new()
                }
                .sketch();
                let index = sketch.source.meshes.len();
                let bottom = cuboid([3.5, -2.5, 3.4], [6.5, 0., 5.9]);
                add_tube(&mut sketch, 0, bottom, &[hole]);
                for p in &mut sketch.source.meshes[index].positions {
                    if p.y < -2. {
                        *p = v(p.x.clamp(4., 6.), p.y, p.z.clamp(3.9, 5.4));
                    }
                }
                sketch.source
            },
        ),
        mistake(
            "a one-sided wall across the way",
            Code::DoorwayBlocked,
            PORTAL,
            at_door,
            || {
                House::then(|s| {
                    let wall = [v(5., 0., 0.), v(5., 0., 6.), v(5., 3., 6.), v(5., 3., 0.)];
                    s.mesh(0, 0, &quad(wall));
                })
            },
        ),
        mistake(
            "a spawn in no room",
            Code::SpawnOutside,
            "player-spawn",
            None,
            || House::then(|s| s.source.spawns[0].position.0.x = -5.),
        ),
    ]
}

/// Adds a horizontal open surface in the hall, with one of two materials.
fn rug(sketch: &mut Sketch, material: usize, y: f64) {
    sketch.source.materials.resize(2, Material::default());
    let corners = [v(1., y, 1.), v(1., y, 3.), v(3., y, 3.), v(3., y, 1.)];
    sketch.mesh(0, material, &quad(corners));
    sketch.source.meshes.last_mut().unwrap().node = "rug".into();
}

/// A house whose study is 0.9 m higher than the hall.
pub(crate) fn above() -> House {
    let mut house = House::new();
    (house.study.min.y, house.study.max.y) = (0.9, 4.);
    house.holes = [Some([2.4, 3.6, 0.9, 2.9]); 2];
    house.portal = house.holes[0];
    house
}

/// A house with a spawn at `spawn_x` and stairs to the study. The treads are as long as the check's search step.
fn flight(spawn_x: f64) -> Sketch {
    let mut sketch = above().sketch();
    for (node, x, high) in [
        ("first", 6.8, 0.2),
        ("second", 7.1, 0.4),
        ("third", 7.4, 0.6),
        ("fourth", 7.7, 0.8),
    ] {
        let step = cuboid([x, 0., 2.], [x + 0.3, high, 4.]);
        furniture(&mut sketch, 0, node, step);
    }
    sketch.source.spawns[0].position.0.x = spawn_x;
    sketch
}

/// Adds two hundred leaves: open surfaces with random orientations.
fn plant(sketch: &mut Sketch) {
    let mut state = 1_u32;
    let mut number = || {
        state = state.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
        f64::from(state >> 8) / f64::from(1 << 24)
    };
    for _ in 0..200 {
        let mut point = || v(number(), number(), number());
        let (at, a, b) = (
            point() + v(2., 0.5, 1.),
            0.3 * point() - 0.15,
            0.3 * point() - 0.15,
        );
        sketch.mesh(0, 0, &quad([at, at + a, at + a + b, at + b]));
    }
}

/// Makes the floor of a room non-solid, so that it is only drawn.
fn floor_not_solid(sketch: &mut Sketch, room: usize) {
    let mesh = &mut sketch.source.meshes[2 * room];
    let mut floor = mesh.clone();
    keep_faces(mesh, |p| p.y > 0.01);
    keep_faces(&mut floor, |p| p.y < 0.01);
    floor.solid = false;
    floor.node = "floor-nocol".into();
    sketch.source.meshes.push(floor);
}

fn all_holes(hole: [f64; 4]) -> LevelSource {
    House::with(|h| {
        h.holes = [Some(hole); 2];
        h.portal = Some(hole);
    })
}

pub(crate) fn scaled(source: &mut LevelSource, factor: f64) {
    each_point(source, |p| p * factor);
}

/// Applies `change` to every position in a level.
pub(crate) fn each_point(source: &mut LevelSource, change: impl Fn(DVec3) -> DVec3) {
    let of_movers = source.movers.iter_mut().flat_map(|mover| &mut mover.meshes);
    let meshes = source
        .meshes
        .iter_mut()
        .chain(of_movers)
        .flat_map(|mesh| &mut mesh.positions);
    let portals = source
        .portals
        .iter_mut()
        .flat_map(|portal| &mut portal.triangles);
    let lights = source.lights.iter_mut().map(|l| &mut l.position.0);
    let spawns = source.spawns.iter_mut().map(|s| &mut s.position.0);
    let points = meshes.chain(portals.flatten()).chain(lights).chain(spawns);
    points.for_each(|p| *p = change(*p));
}

/// Scales the node of a room, with all of its children.
fn scale_room(source: &mut LevelSource, room: usize, factor: f64) {
    let meshes = source.meshes.iter_mut().filter(|mesh| mesh.room == room);
    let points = meshes.flat_map(|mesh| &mut mesh.positions);
    points.for_each(|p| *p *= factor);
    let portals = source.portals.iter_mut().filter(|p| p.room == room);
    let corners = portals.flat_map(|portal| &mut portal.triangles).flatten();
    corners.for_each(|p| *p *= factor);
    let spawns = source
        .spawns
        .iter_mut()
        .filter(|spawn| spawn.room == Some(room));
    spawns.for_each(|spawn| spawn.position.0 *= factor);
    let lights = source
        .lights
        .iter_mut()
        .filter(|light| light.room == Some(room));
    lights.for_each(|light| light.position.0 *= factor);
}

fn of_amounts() -> Vec<Mistake> {
    vec![
        mistake("in centimetres", Code::Scale, "", None, || {
            House::then(|s| scaled(&mut s.source, 100.))
        }),
        mistake("a hundredth of its size", Code::Scale, "", None, || {
            House::then(|s| scaled(&mut s.source, 0.01))
        }),
        mistake(
            "a room a hundredth of its size",
            Code::Scale,
            "hall-room",
            None,
            || House::then(|s| scale_room(&mut s.source, 0, 0.01)),
        ),
        mistake(
            "a room a hundred times too large",
            Code::Scale,
            "study-room",
            None,
            || House::then(|s| scale_room(&mut s.source, 1, 100.)),
        ),
        mistake(
            "a crate in a table",
            Code::BodyInside,
            "crate-body",
            Some([4.4, 0.7, 1.5]),
            || {
                House::then(|s| {
                    furniture(s, 0, "table", table());
                    body(s, "crate-body", cuboid([4.4, 0.6, 1.3], [4.9, 1.1, 1.7]));
                })
            },
        ),
        mistake(
            "a crate in a wall",
            Code::BodyInside,
            "crate-body",
            Some([0., 1., 3.]),
            || House::then(|s| body(s, "crate-body", cuboid([-0.1, 0.5, 2.8], [0.5, 1.5, 3.2]))),
        ),
        mistake(
            "two crates in each other",
            Code::BodyInside,
            "a-body",
            Some([2., 0.5, 3.]),
            || {
                House::then(|s| {
                    body(s, "a-body", cuboid([1.5, 0., 2.5], [2.1, 0.6, 3.1]));
                    body(s, "b-body", cuboid([2., 0.2, 2.6], [2.5, 0.7, 3.]));
                })
            },
        ),
        mistake(
            "a crate over nothing",
            Code::BodyWithoutFloor,
            "crate-body",
            Some([0.5, 0.8, 3.]),
            || {
                House::then(|s| {
                    // A chasm under the open sky, behind a fence.
                    s.source.rooms[0].open_to_sky = true;
                    keep_faces(&mut s.source.meshes[0], |p| p.y > 0.01);
                    let floor = [v(1., 0., 0.), v(1., 0., 6.), v(8., 0., 6.), v(8., 0., 0.)];
                    s.mesh(0, 0, &quad(floor));
                    furniture(s, 0, "fence", cuboid([1., 0., 0.], [1.2, 2., 6.]));
                    body(s, "crate-body", cuboid([0.2, 0.5, 2.7], [0.8, 1.1, 3.3]));
                })
            },
        ),
        mistake("no lamps", Code::NoLight, "", None, || {
            House::with(|h| h.lamps = false)
        }),
        mistake(
            "no lamps, where the sky lights the nearest rooms alone",
            Code::NoLight,
            "",
            None,
            || {
                let house = House {
                    lamps: false,
                    more: vec![flat(14., DOOR)],
                    ..House::new()
                };
                let mut sketch = house.sketch();
                sketch.source.rooms[0].open_to_sky = true;
                keep_faces(&mut sketch.source.meshes[0], |p| p.y < 2.99);
                let attic = cuboid([14., 0., 0.], [18., 3., 6.]);
                sketch.box_room("z-attic", attic, &[flat(14., DOOR)]);
                sketch.portal(1, "z-attic", flat(14., DOOR), DVec3::X);
                sketch.source
            },
        ),
        mistake(
            "a mesh twice",
            Code::DuplicateTriangles,
            "table.001",
            Some([3.75, 0.4, 1.5]),
            || {
                House::then(|s| {
                    furniture(s, 0, "table", table());
                    furniture(s, 0, "table.001", table());
                })
            },
        ),
        mistake(
            "a copy that was left a centimetre beside the original",
            Code::DuplicateTriangles,
            "table.001",
            Some([3.75, 0.4, 1.5]),
            || {
                House::then(|s| {
                    furniture(s, 0, "table", table());
                    let mut beside = table();
                    (beside.min.x, beside.max.x) = (beside.min.x + 0.01, beside.max.x + 0.01);
                    furniture(s, 0, "table.001", beside);
                })
            },
        ),
        mistake(
            "a rug in the plane of the floor",
            Code::CoplanarFaces,
            "rug",
            Some([2., 0., 2.]),
            || House::then(|s| rug(s, 1, 0.)),
        ),
        mistake(
            "a sheet of the floor's material in its plane",
            Code::CoplanarFaces,
            "rug",
            Some([2., 0., 2.]),
            || House::then(|s| rug(s, 0, 0.)),
        ),
        mistake(
            "a shell twice",
            Code::DuplicateTriangles,
            "hall_mesh",
            None,
            || {
                House::then(|s| {
                    let again = s.source.meshes[0].triangles.clone();
                    s.source.meshes[0].triangles.extend(again);
                })
            },
        ),
        mistake("a needle", Code::NeedleTriangles, "hall_mesh", None, || {
            House::then(|s| {
                let [a, b, c] = [v(3., 1., 3.), v(5., 1., 3.), v(4., 1.00005, 3.)];
                s.mesh(0, 0, &[[a, b, c], [c, b, a]]);
            })
        }),
        mistake("a huge picture", Code::ImageLarge, "", None, || {
            House::then(|s| picture(&mut s.source, 5000))
        }),
    ]
}

/// The codes of these mistakes.
pub(crate) fn codes() -> impl Iterator<Item = ProblemCode> {
    mistakes().into_iter().map(|mistake| mistake.code)
}

pub(crate) fn said(source: LevelSource) -> (bool, Problems) {
    let mut inspection = inspect_source(source);
    if let Ok(level) = &inspection.level {
        check_walking(level, &mut inspection.problems);
        check_bodies(level, &mut inspection.problems);
    }
    (inspection.level.is_ok(), inspection.problems)
}

pub(crate) fn all(problems: &Problems) -> Vec<&Problem> {
    problems.errors.iter().chain(&problems.warnings).collect()
}

/// Regression test: half of the levels with mistakes were reported as good, and the others had consequential problems
/// as well.
#[test]
fn each_mistake_is_named_once_with_node_and_place() {
    let mut wrong = Vec::new();
    for Mistake {
        what,
        code,
        node,
        at,
        level,
    } in mistakes()
    {
        let (_, problems) = said(level());
        let found = all(&problems);
        let is_named = |problem: &&Problem| {
            let place = problem.place.as_ref().map(|place| place.point.0);
            let is_there = at.is_none_or(|at| place.is_some_and(|place| place.distance(at) < 1.5));
            problem.code == code && problem.node == node && is_there
        };
        if found.len() != 1 || !found.iter().all(is_named) {
            let found: Vec<String> = found.iter().map(ToString::to_string).collect();
            wrong.push(format!("{what}: {}", found.join("\n    ")));
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

#[test]
fn good_levels_have_no_problems() {
    let levels: Vec<(&str, LevelSource)> = vec![
        ("two rooms", House::new().sketch().source),
        (
            "the whole reveal in the hall",
            House::with(|h| h.reveals = [0.25, 0.]),
        ),
        (
            "the same, the portal at its end",
            House::with(|h| (h.reveals, h.portal_x) = ([0.25, 0.], 8.25)),
        ),
        ("an unnamed portal", House::with(|h| h.dest = "")),
        (
            "a wall without thickness",
            House::with(|h| {
                (h.study.min.x, h.reveals, h.portal_x) = (8., [0.; 2], 8.);
            }),
        ),
        (
            "bodies that may be where they are",
            House::then(|s| {
                furniture(s, 0, "table", table());
                // Slightly sunk into the floor, over the edge of a table, in the air, as wide as the room but light,
                // and in the doorway.
                body(s, "sunk-body", cuboid([1., -0.02, 1.], [1.4, 0.4, 1.4]));
                body(s, "edge-body", cuboid([4.2, 0.75, 1.2], [4.7, 1.25, 1.7]));
                body(s, "air-body", cuboid([1., 2., 4.], [1.4, 2.4, 4.4]));
                body(s, "wide-body", cuboid([5., 0., 0.2], [5.4, 2.9, 5.8]));
                s.source.bodies[3].mass = Some(30.);
                body(s, "through-body", cuboid([7.6, 0., 2.7], [8.4, 0.4, 3.1]));
                body(s, "beside-body", cuboid([0., 0., 4.], [0.4, 0.4, 4.4]));
            }),
        ),
        (
            "furniture",
            House::then(|s| {
                furniture(s, 0, "table", table());
                furniture(s, 0, "sunk", cuboid([6., -0.1, 4.], [7., 0.5, 5.]));
                furniture(
                    s,
                    0,
                    "in the doorway",
                    cuboid([7.8, 0., 2.45], [8.5, 0.4, 2.7]),
                );
                let crate_open =
                    furniture(s, 0, "open below", cuboid([5., 0., 0.5], [6., 1., 1.5]));
                keep_faces(&mut s.source.meshes[crate_open], |p| p.y > 0.01);
                let pot = furniture(s, 0, "open above", cuboid([6.5, 0., 0.5], [6.9, 0.4, 0.9]));
                keep_faces(&mut s.source.meshes[pot], |p| p.y < 0.39);
                let curtain = [
                    v(5., 0.5, 3.5),
                    v(6., 0.5, 3.5),
                    v(6., 2.5, 3.5),
                    v(5., 2.5, 3.5),
                ];
                s.mesh(0, 0, &quad(curtain));
                let rug = [
                    v(1., 0.005, 1.),
                    v(1., 0.005, 2.),
                    v(2., 0.005, 2.),
                    v(2., 0.005, 1.),
                ];
                s.mesh(0, 0, &quad(rug));
            }),
        ),
        (
            "a floor that reaches under the walls",
            House::then(|s| {
                keep_faces(&mut s.source.meshes[0], |p| p.y > 0.01);
                let floor = [
                    v(-1., 0., -1.),
                    v(-1., 0., 7.),
                    v(8.1, 0., 7.),
                    v(8.1, 0., -1.),
                ];
                s.mesh(0, 0, &quad(floor));
            }),
        ),
        (
            "drawn and solid apart",
            House::then(|s| {
                let mut solid = s.source.meshes[0].clone();
                s.source.meshes[0].solid = false;
                solid.drawn = false;
                s.source.meshes.push(solid);
            }),
        ),
        (
            "in the open",
            House::then(|s| {
                keep_faces(&mut s.source.meshes[0], |p| p.y < 2.99);
                s.source.rooms[0].open_to_sky = true;
            }),
        ),
        (
            "in the open without lamps, and a room beside it",
            House::then(|s| {
                keep_faces(&mut s.source.meshes[0], |p| p.y < 2.99);
                s.source.rooms[0].open_to_sky = true;
                s.source.lights.clear();
            }),
        ),
        (
            "a window",
            House::then(|s| {
                let window = [4.5, 5.5, 0.9, 2.1];
                *s = House {
                    more: vec![flat(8., window), flat(8.25, window)],
                    ..House::new()
                }
                .sketch();
                for (room, x) in [(0, [8., 8.125]), (1, [8.125, 8.25])] {
                    let ends = x.map(|x| flat(x, window));
                    let tube = Aabb {
                        min: ends[0].min,
                        max: ends[1].max,
                    };
                    add_tube(s, room, tube, &ends);
                }
                s.portal(0, "study", flat(8.125, window), DVec3::X);
            }),
        ),
        ("a plant", House::then(plant)),
        ("stairs", {
            let mut sketch = above().sketch();
            furniture(&mut sketch, 0, "upper", cuboid([7., 0., 2.], [8., 0.6, 4.]));
            furniture(
                &mut sketch,
                0,
                "lower",
                cuboid([6.4, 0., 2.], [7., 0.3, 4.]),
            );
            sketch.source
        }),
        ("a step", House::with(|h| h.study.min.y = -0.35)),
        (
            "books on a shelf",
            House::then(|s| {
                for book in 0..8 {
                    let z = 2. + 0.012 * f64::from(book);
                    furniture(
                        s,
                        0,
                        &format!("book.{book:03}"),
                        cuboid([0., 1., z], [0.2, 1.3, z + 0.012]),
                    );
                }
            }),
        ),
        (
            "two-sided furniture against a wall",
            House::then(|s| {
                s.source.materials[0].double_sided = true;
                s.source.materials.push(s.source.materials[0].clone());
                s.furniture(0, 1, cuboid([7., 0., 0.], [8., 1., 2.]));
            }),
        ),
        ("a portal a hair too large, above a landing", {
            let mut house = above();
            house.portal = Some([2.395, 3.605, 0.895, 2.905]);
            let mut sketch = house.sketch();
            for (x, high) in [(6.1, 0.3), (6.4, 0.6)] {
                sketch.furniture(0, 0, cuboid([x, 0., 2.], [x + 0.6, high, 4.]));
            }
            sketch.furniture(0, 0, cuboid([7., 0., 2.], [8., 0.9, 4.]));
            sketch.source
        }),
        (
            "triangles that exporters cut off beside a corner on a side",
            House::then(|s| {
                let [a, b] = [v(0., 0., 0.), v(8., 0., 0.)];
                s.mesh(0, 0, &[[a, a.midpoint(b), b]]);
            }),
        ),
        (
            "sheets and carpets a millimetre from each other",
            House::then(|s| {
                let carpet = [
                    v(0., 0.001, 0.),
                    v(0., 0.001, 6.),
                    v(8., 0.001, 6.),
                    v(8., 0.001, 0.),
                ];
                s.mesh(0, 0, &quad(carpet));
                let front = [v(2., 1., 3.), v(3., 1., 3.), v(3., 2., 3.), v(2., 2., 3.)];
                let mut back = front.map(|p| p - 0.001 * DVec3::Z);
                back.reverse();
                s.mesh(0, 0, &quad(front));
                s.mesh(0, 0, &quad(back));
            }),
        ),
        (
            "a rug half a millimetre above the floor",
            House::then(|s| rug(s, 1, 5e-4)),
        ),
        (
            "boxes that reach into each other, and a stage of another material",
            House::then(|s| {
                furniture(s, 0, "left", cuboid([2., 0., 4.], [3., 0.8, 5.]));
                furniture(s, 0, "right", cuboid([2.5, 0., 4.], [3.5, 0.8, 5.]));
                s.source.materials.resize(2, Material::default());
                s.furniture(0, 1, cuboid([4., 0., 4.], [6., 0.3, 6.]));
            }),
        ),
        (
            "beams that are high, or that one walks around",
            House::then(|s| {
                furniture(s, 0, "high", cuboid([4.4, 2., 0.], [4.6, 2.3, 6.]));
                furniture(s, 0, "half", cuboid([5.4, 1.4, 0.], [5.6, 1.7, 4.]));
            }),
        ),
        (
            "tables and benches that one jumps on",
            House::then(|s| {
                furniture(s, 0, "bench", cuboid([2., 0., 4.], [5., 0.45, 4.6]));
                furniture(s, 0, "table", cuboid([2., 0., 4.6], [5., 0.8, 6.]));
                furniture(s, 0, "box", cuboid([2., 0.8, 5.5], [5., 1., 6.]));
            }),
        ),
        (
            "a corner that rounding moved",
            House::then(|s| move_corner(&mut s.source.meshes[0], 2e-5)),
        ),
    ];
    for (what, source) in levels {
        let (is_good, problems) = said(source);
        assert!(is_good && all(&problems).is_empty(), "{what}: {problems}");
    }
}

/// Regression test: from every third start position, stairs and doorways were reported as impassable.
#[test]
fn where_players_start_makes_no_difference() {
    for step in 0..12 {
        let x = 2. + 0.05 * f64::from(step);
        let (is_good, problems) = said(flight(x).source);
        assert!(is_good && all(&problems).is_empty(), "{x}: {problems}");
    }
}

/// Regression test: the panel of a missing portal was reported as a separate error.
#[test]
fn a_panel_with_a_missing_portal_is_reported_with_the_portal() {
    let mut sketch = House {
        portal: None,
        ..House::new()
    }
    .sketch();
    sketch.furniture(0, 0, cuboid([8.1, 0., 2.4], [8.14, 2.1, 3.6]));
    sketch.source.movers.push(MoverSource {
        node: "oak-door".to_owned(),
        meshes: sketch.source.meshes.pop().into_iter().collect(),
        is_door: true,
        track: Track::Vanish,
        drive: Drive::default(),
        moved_rooms: Vec::new(),
        moves_with: None,
    });
    let (is_good, problems) = said(sketch.source);
    assert!(!is_good && all(&problems).len() == 1, "{problems}");
    assert_eq!(problems.errors[0].code, Code::PortalMissing);
}

#[test]
fn a_place_is_reported_in_the_axes_of_blender_and_of_gltf() {
    let (_, problems) = said(House::with(|h| h.more.push(flat(0., [2., 3., 1., 2.]))));
    let problem = &problems.warnings[0];
    let place = problem.place.as_ref().unwrap();
    assert_eq!(
        (place.point.0, place.in_blender()),
        (v(0., 1.5, 2.5), [0., -2.5, 1.5])
    );
    let begins = "at (0.00, -2.50, 1.50) in Blender, (0.00, 1.50, 2.50) in glTF: ";
    assert!(problem.message.starts_with(begins), "{problem}");
    // The boundary is a loop of four edges.
    assert_eq!(place.edges.len(), 4);
    let ends = place.edges.iter().map(|[_, to]| to.0);
    for end in ends {
        assert!(
            place.edges.iter().any(|[from, _]| from.0 == end),
            "{place:?}"
        );
    }
    let json = serde_json::to_value(problem).unwrap();
    assert_eq!(json["place"]["blender"][1], -2.5);
    assert_eq!(json["place"]["edges"].as_array().map(Vec::len), Some(4));
}

/// The boundary must be in the camera's coordinates; the camera looks along -z.
#[test]
fn the_rim_of_a_hole_is_drawn_at_its_place() {
    let hole = House::with(|h| h.more.push(flat(0., [2., 3., 1., 2.])));
    let inspection = inspect_source(hole);
    let level = inspection.level.ok().unwrap();
    let eye = level.from_author(AuthorPoint(v(4., 1., 2.)));
    let camera = Camera::new(At::new(RoomId(0), eye), [90., 0.], 60., 1.);
    let mut frame = Frame::default();
    add_problems(
        &level,
        inspection.problems.warnings.iter(),
        &camera,
        &mut frame,
    );
    let mut corners: Vec<[i32; 3]> = frame
        .lines
        .iter()
        .map(|vertex| {
            assert_eq!(vertex.colour, [255, 30, 30, 255]);
            vertex
                .position
                .to_array()
                .map(|x| (x * 1000.).round() as i32)
        })
        .collect();
    corners.sort_unstable();
    corners.dedup();
    // The hole is 4 m ahead, its lower corner at the height of the camera. Looking along -x, right is -z.
    let expected = [
        [-1000, 0, -4000],
        [-1000, 1000, -4000],
        [0, 0, -4000],
        [0, 1000, -4000],
    ];
    assert_eq!(corners, expected);
}

/// A warning that has consequential errors is reported as an error, so that such a level is still refused.
#[test]
fn a_level_without_a_place_to_start_is_not_good() {
    let turned = House::then(|s| s.source.meshes[..2].iter_mut().for_each(turn_over));
    let (is_good, problems) = said(turned);
    assert!(!is_good && problems.errors.total() == 1, "{problems}");
}
