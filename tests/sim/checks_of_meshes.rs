//! Mistakes that change a whole mesh, room or file, and mistakes in open surfaces and panes: each is reported once.

use glam::DVec3;
use opendoor::author::sketch::{Sketch, cuboid};
use opendoor::geometry::Aabb;
use opendoor::level::{Alpha, Drive, Material, Track};
use opendoor::problems::{Problem, ProblemCode as Code};
use opendoor::rng::Rng;
use opendoor::source::{LevelSource, MeshSource, MoverSource};

use crate::checks::{
    DOOR, House, Mistake, PORTAL, add_tube, all, each_point, flat, furniture, keep_faces, mistake,
    said, turn_over,
};
use crate::checks_followers::stairs;
use crate::common::{quad, v};

/// A window between the rooms of the house, as bounds in z and then in y.
const WINDOW: [f64; 4] = [4.5, 5.5, 0.9, 2.1];
/// The name of the window's portal.
const WINDOW_PORTAL: &str = "study*1-portal";

pub(crate) fn mistakes() -> Vec<Mistake> {
    let at_door = Some([8.125, 1., 3.]);
    let at_window = Some([8.125, 1.5, 5.]);
    vec![
        mistake(
            "a portal that is a box",
            Code::PortalPolygon,
            PORTAL,
            at_door,
            || {
                House::then(|s| {
                    let [from, to, low, high] = DOOR;
                    let around = cuboid([8.1, low, from], [8.2, high, to]);
                    s.furniture(0, 0, around);
                    let mesh = s.source.meshes.pop().unwrap();
                    let corners = |t: &[u32; 3]| t.map(|i| mesh.positions[i as usize]);
                    s.source.portals[0].triangles = mesh.triangles.iter().map(corners).collect();
                })
            },
        ),
        mistake(
            "a portal with another face at its back",
            Code::PortalPolygon,
            PORTAL,
            at_door,
            || {
                House::then(|s| {
                    let triangles = &mut s.source.portals[0].triangles;
                    let back: Vec<_> = triangles.iter().map(|&[a, b, c]| [c, b, a]).collect();
                    triangles.extend(back);
                })
            },
        ),
        mistake(
            "walls that were given a thickness",
            Code::RoomInsideOut,
            "study-room",
            None,
            || House::then(|s| solidify(s, 1)),
        ),
        mistake(
            "a room that was scaled over two others",
            Code::RoomsOverlap,
            "hall-room",
            None,
            || {
                House::then(|s| {
                    let attic = s.box_room("z-attic", cuboid([-4., 0., 0.], [-0.2, 3., 6.]), &[]);
                    s.lamp(attic, v(-2., 2., 3.), 50.);
                    s.portal(0, "z-attic", flat(-0.1, DOOR), DVec3::NEG_X);
                    scale_hall(s);
                })
            },
        ),
        mistake(
            "a level of which one room alone was exported",
            Code::PortalUnknownRoom,
            "garden*1-portal",
            None,
            || {
                House::then(|s| {
                    s.portal(0, "garden", flat(0., DOOR), DVec3::NEG_X);
                    s.source.meshes.truncate(2);
                    s.source.rooms.truncate(1);
                    s.source.lights.truncate(1);
                })
            },
        ),
        mistake(
            "a level with z upwards",
            Code::UpAxis,
            "player-spawn",
            None,
            || {
                let mut source = with_window().source;
                each_point(&mut source, |p| v(p.x, -p.z, p.y));
                source
            },
        ),
        mistake(
            "the same with the spawn above the floor",
            Code::UpAxis,
            "player-spawn",
            None,
            || {
                let mut source = House::new().sketch().source;
                source.spawns[0].position.0.y = 0.;
                each_point(&mut source, |p| v(p.x, -p.z, p.y));
                source
            },
        ),
        mistake(
            "walls whose corners were merged",
            Code::RoomHole,
            "hall_mesh",
            None,
            || merged().source,
        ),
        mistake(
            "walls that were rounded",
            Code::RoomHole,
            "study_mesh",
            None,
            || {
                House::then(|s| {
                    // Each side is moved separately towards the middle of the room.
                    let mesh = &mut s.source.meshes[2];
                    let middle = v(11.125, 1.5, 3.);
                    let corners = mesh.positions.clone();
                    mesh.positions.clear();
                    for t in &mut mesh.triangles {
                        let [a, b, c] = t.map(|i| corners[i as usize]);
                        let normal = (b - a).cross(c - a).normalize_or_zero();
                        let axis = normal.abs().round();
                        let shrunk = |p: DVec3| middle + (p - middle) * (axis + 0.7 * (1. - axis));
                        let first = mesh.positions.len() as u32;
                        mesh.positions.extend([a, b, c].map(shrunk));
                        *t = [first, first + 1, first + 2];
                    }
                })
            },
        ),
        mistake(
            "a door panel that was copied into a window",
            Code::DoorWithGap,
            "spare-door",
            at_window,
            || {
                let mut sketch = with_window();
                spare_door(&mut sketch, cuboid([8.1, 0.5, 4.6], [8.14, 2.4, 5.4]));
                sketch.source
            },
        ),
        mistake(
            "a door panel whose origin was left elsewhere",
            Code::DoorHinge,
            "spare-door",
            Some([7., 1., 1.5]),
            || {
                House::then(|s| {
                    spare_door(s, cuboid([8.1, 0., 2.4], [8.14, 2.1, 3.6]));
                    let Track::Turn { pivot, .. } = &mut s.source.movers[0].track else {
                        panic!("it turns");
                    };
                    *pivot = v(7., 0., 1.5);
                })
            },
        ),
        mistake(
            "a reveal without a sill",
            Code::RoomHole,
            "hall_mesh",
            Some([8.0625, 0.9, 5.]),
            || {
                let mut sketch = with_window();
                keep_faces(reveal_of_window(&mut sketch), |p| p.y > 0.91);
                sketch.source
            },
        ),
        mistake(
            "a window without a reveal",
            Code::PortalGap,
            WINDOW_PORTAL,
            at_window,
            || {
                let mut sketch = with_window();
                keep_faces(reveal_of_window(&mut sketch), |_| false);
                sketch.source
            },
        ),
        mistake(
            "a picture that faces the wall",
            Code::MeshInsideOut,
            "picture",
            Some([0.01, 1.5, 3.]),
            || House::then(|s| picture(s, 0.01, DVec3::NEG_X, 0)),
        ),
        mistake(
            "a rug that lies on its front",
            Code::MeshInsideOut,
            "rug",
            Some([1.5, 0., 1.5]),
            || {
                House::then(|s| {
                    let rug = [v(1., 0., 1.), v(2., 0., 1.), v(2., 0., 2.), v(1., 0., 2.)];
                    s.mesh(0, 0, &quad(rug.map(|p| p + DVec3::Y * 0.003)));
                    s.source.meshes.last_mut().unwrap().node = "rug".into();
                })
            },
        ),
        mistake(
            "a crate of whose lid a half is missing",
            Code::MeshHole,
            "crate",
            Some([3.3, 1., 1.5]),
            || House::then(|s| open_crate(s, |p| p.y > 0.99 && p.x < 3.5, 0)),
        ),
        mistake(
            "the same without a bottom",
            Code::MeshHole,
            "crate",
            Some([3.3, 1., 1.5]),
            || House::then(|s| open_crate(s, |p| p.y < 0.01 || p.y > 0.99 && p.x < 3.5, 0)),
        ),
        mistake(
            "a crate without a lid that a person falls into",
            Code::MeshHole,
            "crate",
            Some([3.5, 1., 1.5]),
            || House::then(|s| open_crate(s, |p| p.y > 0.99, 0)),
        ),
        mistake(
            "a cupboard without a front",
            Code::MeshHole,
            "cupboard",
            Some([0.6, 1., 1.5]),
            || House::then(|s| cupboard(s, 0., |p| p.x > 0.59)),
        ),
        mistake(
            "a landing without a top",
            Code::MeshHole,
            "upper",
            Some([7.5, 0.6, 3.]),
            || {
                let mut sketch = stairs();
                let mut meshes = sketch.source.meshes.iter_mut();
                let upper = meshes.find(|mesh| &*mesh.node == "upper");
                keep_faces(upper.unwrap(), |p| p.y < 0.59);
                sketch.source
            },
        ),
        mistake(
            "a pane that was scaled",
            Code::PaneWithGap,
            "pane",
            at_window,
            || {
                let mut sketch = with_window();
                pane(&mut sketch, cuboid([8.05, 1.1, 4.7], [8.07, 1.9, 5.3]));
                sketch.source
            },
        ),
    ]
}

/// The house with a window.
fn with_window() -> Sketch {
    let mut sketch = House {
        more: vec![flat(8., WINDOW), flat(8.25, WINDOW)],
        ..House::new()
    }
    .sketch();
    for (room, x) in [(0, [8., 8.125]), (1, [8.125, 8.25])] {
        add_reveal(&mut sketch, room, x);
    }
    sketch.portal(0, "study", flat(8.125, WINDOW), DVec3::X);
    assert_eq!(sketch.source.portals[1].node, WINDOW_PORTAL);
    sketch
}

/// Adds a half of the window's reveal, with these bounds in x.
fn add_reveal(sketch: &mut Sketch, room: usize, x: [f64; 2]) {
    let ends = x.map(|x| flat(x, WINDOW));
    let tube = Aabb {
        min: ends[0].min,
        max: ends[1].max,
    };
    add_tube(sketch, room, tube, &ends);
}

/// The hall's half of the window's reveal.
fn reveal_of_window(sketch: &mut Sketch) -> &mut MeshSource {
    let is_it = |mesh: &&mut MeshSource| {
        let mut corners = mesh.positions.iter();
        mesh.room == 0 && corners.all(|p| p.x > 7.9 && p.z > 4.4)
    };
    sketch.source.meshes.iter_mut().find(is_it).unwrap()
}

/// The house with a window, with smaller openings in the hall's wall, and without a ceiling.
fn merged() -> Sketch {
    let mut sketch = with_window();
    let walls = &mut sketch.source.meshes[0];
    let is_rim = |p: &&mut DVec3| p.x > 7.9 && p.z > 0. && p.z < 6.;
    for p in walls.positions.iter_mut().filter(is_rim) {
        let middle = if p.z < 4. { 3. } else { 5. };
        p.z = middle + (p.z - middle) * 0.6;
    }
    keep_faces(walls, |p| p.y < 2.99);
    sketch
}

/// Adds an outer side to the shell of a room, like Blender's Solidify modifier.
fn solidify(sketch: &mut Sketch, room: usize) {
    let meshes = sketch.source.meshes.iter().filter(|mesh| mesh.room == room);
    let mut outer: Vec<_> = meshes.cloned().collect();
    let middle = v(11.125, 1.5, 3.);
    for mesh in &mut outer {
        turn_over(mesh);
        let corners = mesh.positions.iter_mut();
        corners.for_each(|p| *p += (*p - middle).signum() * 0.1);
    }
    sketch.source.meshes.extend(outer);
}

/// Scales the hall with its portals.
fn scale_hall(sketch: &mut Sketch) {
    let scale = |p: &mut DVec3| *p = v(4., 0., 3.) + (*p - v(4., 0., 3.)) * v(1.1, 1., 1.);
    let source = &mut sketch.source;
    let meshes = source.meshes.iter_mut().filter(|mesh| mesh.room == 0);
    meshes.flat_map(|mesh| &mut mesh.positions).for_each(scale);
    let portals = source.portals.iter_mut().flat_map(|p| &mut p.triangles);
    portals.flatten().for_each(scale);
}

/// Adds a hinged door panel in the window.
fn spare_door(sketch: &mut Sketch, panel: Aabb) {
    sketch.furniture(0, 0, panel);
    sketch.source.movers.push(MoverSource {
        node: "spare-door".to_owned(),
        meshes: sketch.source.meshes.pop().into_iter().collect(),
        is_door: true,
        track: Track::Turn {
            pivot: panel.min,
            axis: DVec3::Y,
            angle: 1.5,
        },
        drive: Drive::default(),
        moved_rooms: Vec::new(),
        moves_with: None,
    });
}

/// Adds a picture, an open surface, in front of the wall at x = 0 with this material; its front faces `normal`.
fn picture(sketch: &mut Sketch, x: f64, normal: DVec3, material: usize) {
    let side = DVec3::Y.cross(normal) * 0.5;
    let at = v(x, 1., 3.);
    let up = DVec3::Y;
    let corners = [at - side, at + side, at + side + up, at - side + up];
    sketch.mesh(0, material, &quad(corners));
    sketch.source.meshes.last_mut().unwrap().node = "picture".into();
}

/// Adds a crate without some of its faces.
fn open_crate(sketch: &mut Sketch, is_missing: impl Fn(DVec3) -> bool, material: usize) {
    let index = furniture(sketch, 0, "crate", cuboid([3., 0., 1.], [4., 1., 2.]));
    let mesh = &mut sketch.source.meshes[index];
    mesh.material = material;
    keep_faces(mesh, |p| !is_missing(p));
}

/// Adds a cupboard of 0.6 x 2 x 1 m at `x` from the wall at x = 0, without some of its faces.
fn cupboard(sketch: &mut Sketch, x: f64, is_missing: impl Fn(DVec3) -> bool) {
    let outside = cuboid([x, 0., 1.], [x + 0.6, 2., 2.]);
    let index = furniture(sketch, 0, "cupboard", outside);
    keep_faces(&mut sketch.source.meshes[index], |p| !is_missing(p));
}

fn pane(sketch: &mut Sketch, outside: Aabb) {
    let glass = sketch.material(Material {
        alpha: Alpha::Blend,
        ..Material::default()
    });
    sketch.furniture(0, glass, outside);
    let mesh = sketch.source.meshes.last_mut().unwrap();
    (mesh.node, mesh.material) = ("pane".into(), glass);
}

fn two_sided(sketch: &mut Sketch) -> usize {
    sketch.material(Material {
        double_sided: true,
        ..Material::default()
    })
}

#[test]
fn sheets_and_open_meshes_that_are_allowed_are_no_problem() {
    let levels: Vec<(&str, LevelSource)> = vec![
        ("a picture", House::then(|s| picture(s, 0.01, DVec3::X, 0))),
        (
            "a picture that faces the wall, of a material with two sides",
            House::then(|s| {
                let material = two_sided(s);
                picture(s, 0.01, DVec3::NEG_X, material);
            }),
        ),
        (
            "a curtain of two sheets before a wall",
            House::then(|s| {
                picture(s, 0.02, DVec3::NEG_X, 0);
                picture(s, 0.025, DVec3::X, 0);
            }),
        ),
        (
            "a screen that faces a wall far from it",
            House::then(|s| picture(s, 0.5, DVec3::NEG_X, 0)),
        ),
        (
            "a crate of two sides with half a lid",
            House::then(|s| {
                let material = two_sided(s);
                open_crate(s, |p| p.y > 0.99 && p.x < 3.5, material);
            }),
        ),
        (
            "a large lampshade without a bottom",
            House::then(|s| {
                let shade = cuboid([3., 2.2, 1.], [4., 2.8, 2.]);
                let shade = furniture(s, 0, "shade", shade);
                keep_faces(&mut s.source.meshes[shade], |p| p.y > 2.21);
            }),
        ),
        (
            "a cupboard without a back that stands near a wall",
            House::then(|s| cupboard(s, 0.05, |p| p.x < 0.06)),
        ),
        (
            "a crate without a bottom",
            House::then(|s| open_crate(s, |p| p.y < 0.01, 0)),
        ),
        ("a pane", {
            let mut sketch = with_window();
            pane(&mut sketch, cuboid([8.05, 0.9, 4.5], [8.07, 2.1, 5.5]));
            sketch.source
        }),
        ("a window that is pushed up", {
            let mut sketch = with_window();
            pane(&mut sketch, cuboid([8.05, 1.4, 4.5], [8.07, 2.1, 5.5]));
            sketch.source
        }),
        ("a sign in a window", {
            let mut sketch = with_window();
            pane(&mut sketch, cuboid([8.05, 1.4, 4.9], [8.07, 1.6, 5.1]));
            sketch.source
        }),
        (
            "a cabinet with an opening in its front",
            House::then(|s| {
                let front = flat(4., [1.3, 1.7, 0.3, 0.7]);
                s.box_room("cabinet", cuboid([3., 0., 1.], [4., 1., 2.]), &[front]);
                s.source.rooms.pop();
                let cabinet = s.source.meshes.last_mut().unwrap();
                cabinet.room = 0;
                turn_over(cabinet);
            }),
        ),
        (
            "leaves that look at each other",
            House::then(|s| {
                for (node, x, normal) in [
                    ("leaf.001", 5., DVec3::X),
                    ("leaf.002", 5.03, v(-0.5, 0.866, 0.)),
                ] {
                    let [side, up] = [DVec3::Z, DVec3::Z.cross(normal)].map(|by| by * 0.03);
                    let at = v(x, 1., 5.);
                    let leaf = [
                        at - side - up,
                        at + side - up,
                        at + side + up,
                        at - side + up,
                    ];
                    let leaf = if (leaf[1] - leaf[0]).cross(leaf[2] - leaf[0]).dot(normal) < 0. {
                        [leaf[3], leaf[2], leaf[1], leaf[0]]
                    } else {
                        leaf
                    };
                    s.mesh(0, 0, &quad(leaf));
                    s.source.meshes.last_mut().unwrap().node = node.into();
                }
            }),
        ),
        ("two panes in a frame", {
            let mut sketch = with_window();
            let frame = cuboid([8.05, 0.9, 4.98], [8.07, 2.1, 5.02]);
            furniture(&mut sketch, 0, "frame", frame);
            pane(&mut sketch, cuboid([8.05, 0.95, 4.55], [8.07, 2.05, 4.98]));
            sketch.source
        }),
    ];
    for (what, source) in levels {
        let (is_good, problems) = said(source);
        assert!(is_good && all(&problems).is_empty(), "{what}: {problems}");
    }
}

/// The codes of the problems of a level, sorted.
fn codes(source: LevelSource) -> Vec<Code> {
    let (_, problems) = said(source);
    let mut codes: Vec<Code> = all(&problems).iter().map(|problem| problem.code).collect();
    codes.sort_unstable();
    codes
}

/// A cause suppresses its consequences, and nothing else.
#[test]
fn an_independent_mistake_is_named_beside_one_of_a_whole() {
    // Two holes, and a portal that is too large in both rooms.
    let several = House::then(|s| {
        *s = House {
            more: vec![flat(0., [1., 2., 1., 2.]), flat(14., [1., 2., 1., 2.])],
            portal: Some([2.2, 3.8, 0., 2.4]),
            ..House::new()
        }
        .sketch();
        keep_faces(&mut s.source.meshes[0], |p| p.y < 2.99);
    });
    assert_eq!(
        codes(several),
        [
            Code::RoomHole,
            Code::RoomHole,
            Code::RoomHole,
            Code::PortalTooLarge
        ]
    );
    // Two portals that are too large in both rooms.
    let mut house = House::new();
    house.more = vec![flat(8., WINDOW), flat(8.25, WINDOW)];
    house.portal = Some([2.2, 3.8, 0., 2.4]);
    let mut large = house.sketch();
    for (room, x) in [(0, [8., 8.125]), (1, [8.125, 8.25])] {
        add_reveal(&mut large, room, x);
    }
    large.portal(0, "study", flat(8.125, [4.3, 5.7, 0.7, 2.3]), DVec3::X);
    keep_faces(&mut large.source.meshes[0], |p| p.y < 2.99);
    assert_eq!(
        codes(large.source),
        [Code::RoomHole, Code::PortalTooLarge, Code::PortalTooLarge]
    );
    let mut sideways = House::new().sketch();
    keep_faces(&mut sideways.source.meshes[2], |p| p.x < 13.9);
    each_point(&mut sideways.source, |p| v(p.x, -p.z, p.y));
    assert_eq!(codes(sideways.source), [Code::UpAxis, Code::RoomHole]);
    // Two independent pairs of overlapping rooms.
    let mut pairs = House::new();
    pairs.study.min.x = 7.;
    pairs.holes = [None; 2];
    (pairs.reveals, pairs.portal) = ([0.; 2], None);
    let mut pairs = pairs.sketch();
    for (name, x) in [("y-attic", 30.), ("z-attic", 33.)] {
        pairs.box_room(name, cuboid([x, 0., 0.], [x + 4., 3., 6.]), &[]);
    }
    let said = codes(pairs.source);
    let overlaps = said.iter().filter(|code| **code == Code::RoomsOverlap);
    assert_eq!(overlaps.count(), 2, "{said:?}");
    // The panel passes through a shelf near the middle of its opening, and far from it.
    for [hall, study] in [[[7.4, 7.7], [8.5, 8.9]], [[7.84, 7.9], [8.35, 8.41]]] {
        let mut with_shelf = with_window();
        spare_door(&mut with_shelf, cuboid([8.1, 1., 4.6], [8.14, 2., 5.4]));
        for (room, [from, to]) in [(0, hall), (1, study)] {
            let shelf = cuboid([from, 1.3, 4.8], [to, 1.7, 5.2]);
            furniture(&mut with_shelf, room, "shelf", shelf);
        }
        assert_eq!(
            codes(with_shelf.source),
            [Code::DoorWithGap, Code::MoverThroughWall]
        );
    }
    let unknown = |dests: &[&str]| {
        House::then(|s| {
            for (dest, x) in dests.iter().zip([-0.3, -0.6, -0.9]) {
                s.portal(0, dest, flat(x, DOOR), DVec3::NEG_X);
            }
        })
    };
    // The house's other portal leads to a room that exists.
    let said = codes(unknown(&["garden", "garden", "cellar"]));
    let of_rooms = said.iter().filter(|code| **code == Code::PortalUnknownRoom);
    assert_eq!(of_rooms.count(), 2, "{said:?}");
}

/// One message for several places contains the boundaries of all of them.
#[test]
fn the_message_for_a_changed_mesh_names_each_portal_and_has_each_rim() {
    let (_, problems) = said(merged().source);
    let [Problem { message, place, .. }] = all(&problems)[..] else {
        panic!("{problems}");
    };
    assert!(
        message.contains(PORTAL) && message.contains(WINDOW_PORTAL),
        "{message}"
    );
    let edges = &place.as_ref().unwrap().edges;
    let at_ceiling = edges.iter().flatten().filter(|p| p.0.y > 2.9);
    assert!(at_ceiling.count() >= 8, "{edges:?}");
}

/// Regression test: a box as a portal was reported as having no area, and walls with thickness as inside out.
#[test]
fn the_cure_is_that_of_the_mistake() {
    for (what, cure) in [
        ("a portal that is a box", "keep one face"),
        ("a portal with another face at its back", "keep one face"),
        (
            "walls that were given a thickness",
            "delete the faces that look outwards",
        ),
    ] {
        let mistake = mistakes().into_iter().find(|mistake| mistake.what == what);
        let (_, problems) = said((mistake.unwrap().level)());
        let message = &all(&problems)[0].message;
        assert!(message.contains(cure), "{what}: {message}");
    }
}

/// A hall without a floor, with doorways to rooms at its sides.
fn hall_without_floor(rng: &mut Rng) -> LevelSource {
    let mut sketch = Sketch::new("no floor");
    let half = [rng.between(3.0, 6.0), rng.between(3.0, 6.0)];
    let outs = [DVec3::X, DVec3::Z, DVec3::NEG_X, DVec3::NEG_Z];
    let mut doorways = Vec::new();
    for out in outs {
        if doorways.len() < 2 || rng.one_in(2) {
            let at = out * v(half[0], 0.0, half[1]);
            let side = v(out.z.abs(), 0.0, out.x.abs());
            let middle = at + side * rng.between(-1.5, 1.5);
            let half_width = side * rng.between(0.4, 0.7);
            let [from, to] = [middle - half_width, middle + half_width + DVec3::Y * 2.1];
            doorways.push((out, cuboid(from.to_array(), to.to_array())));
        }
    }
    let holes: Vec<Aabb> = doorways.iter().map(|(_, doorway)| *doorway).collect();
    let inside = cuboid([-half[0], 0.0, -half[1]], [half[0], 3.0, half[1]]);
    let hall = sketch.box_room("hall", inside, &holes);
    for (index, (out, doorway)) in doorways.into_iter().enumerate() {
        let centre = doorway.centre().with_y(1.5) + out * 2.0;
        let half = out.abs() * 2.0 + v(out.z.abs(), 0.0, out.x.abs()) * 2.5 + DVec3::Y * 1.5;
        let inside = Aabb {
            min: centre - half,
            max: centre + half,
        };
        sketch.box_room(&format!("side{index}"), inside, &[doorway]);
        sketch.portal(hall, &format!("side{index}"), doorway, out);
    }
    sketch.spawn(hall, DVec3::ZERO, DVec3::X);
    let mesh = &mut sketch.source.meshes[0];
    let positions = &mesh.positions;
    let is_floor = |t: &[u32; 3]| t.iter().all(|&i| positions[i as usize].y == 0.0);
    mesh.triangles.retain(|t| !is_floor(t));
    sketch.source
}

/// The boundary of the missing floor is interrupted at each doorway.
#[test]
fn a_missing_floor_is_named_once_whatever_doorways_are_in_its_walls() {
    let mut rng = Rng::new(6);
    for trial in 0..40 {
        let (_, problems) = said(hall_without_floor(&mut rng));
        let holes = problems.warnings.iter();
        let holes = holes.filter(|p| p.code == Code::RoomHole).count();
        assert_eq!(holes, 1, "trial {trial}: {problems}");
    }
}
