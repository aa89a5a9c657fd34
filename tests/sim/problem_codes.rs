//! The codes of problems: each is caused by some level, and each is in the table for authors.

use std::path::Path;

use base64::prelude::{BASE64_STANDARD, Engine};
use glam::{DMat3, DVec3};
use opendoor::author::sketch::{Sketch, cuboid};
use opendoor::build::build;
use opendoor::geometry::{Aabb, Rigid};
use opendoor::level::{self, Track};
use opendoor::lint::check_movers;
use opendoor::load::load_bytes;
use opendoor::problems::{ProblemCode, Problems};
use opendoor::source::{
    BodyShape, BodySource, BoundSource, LevelSource, MoverSource, PortalTarget,
};
use serde_json::{Value, json};

use crate::gltf_file::png;
use crate::hostile::{cases, folder};

/// A problem, and the change of a good level that causes it.
type Fixture<T> = (ProblemCode, fn(&mut T));

/// Rooms of 1 x 3 x 4 m in a row, each with a doorway into the next.
fn row(count: u32) -> LevelSource {
    let mut sketch = Sketch::new("row");
    let door = |x: u32| cuboid([x.into(), 0., 1.], [x.into(), 2., 2.]);
    for i in 0..count {
        let inside = cuboid([i.into(), 0., 0.], [f64::from(i) + 1., 3., 4.]);
        let holes: Vec<_> = (i.max(1)..(i + 2).min(count)).map(door).collect();
        let room = sketch.box_room(&format!("r{i:02}"), inside, &holes);
        if i + 1 < count {
            sketch.portal(room, &format!("r{:02}", i + 1), door(i + 1), DVec3::X);
        }
    }
    sketch.spawn(0, DVec3::new(0.5, 0.5, 0.5), DVec3::X);
    sketch.source
}

fn add_door(source: &mut LevelSource, x: [f64; 2]) {
    let mut sketch = Sketch {
        source: std::mem::take(source),
    };
    sketch.furniture(0, 0, cuboid([x[0], 0., 1.], [x[1], 2., 1.5]));
    *source = sketch.source;
    let node = format!("{}-door", source.movers.len());
    let meshes = source.meshes.pop().into_iter().collect();
    source
        .movers
        .push(MoverSource::vanishing_door(node, meshes));
}

fn add_copy(source: &mut LevelSource, room: usize, name: &str) {
    let (mut copy, mut mesh) = (source.rooms[room].clone(), source.meshes[room].clone());
    copy.name = name.to_owned();
    mesh.room = source.rooms.len();
    source.rooms.push(copy);
    source.meshes.push(mesh);
}

/// A mover that moves a room.
fn moves(room: usize, track: Track) -> MoverSource {
    MoverSource {
        is_door: false,
        track,
        moved_rooms: vec![room],
        ..MoverSource::vanishing_door("cabin-room", Vec::new())
    }
}

fn tilt() -> Track {
    Track::Turn {
        pivot: DVec3::ZERO,
        axis: DVec3::X,
        angle: 0.5,
    }
}

fn sketched() -> Vec<Fixture<LevelSource>> {
    vec![
        (ProblemCode::NoRooms, |s| *s = LevelSource::default()),
        (ProblemCode::NoSpawn, |s| s.spawns.clear()),
        (ProblemCode::SpawnOutside, |s| {
            s.spawns[0].position.0.y = -9.
        }),
        (ProblemCode::LevelTooLarge, |s| {
            s.meshes[0].positions[0].x = 2e5
        }),
        (ProblemCode::MeshOutOfBounds, |s| {
            s.meshes[0].positions[0].x = 1e13
        }),
        (ProblemCode::DegenerateTriangles, |s| {
            s.meshes[0].triangles[0] = [0; 3]
        }),
        (ProblemCode::BoundTooSmall, |s| {
            s.bounds.push(BoundSource {
                room: 0,
                node: "r00-bound".to_owned(),
                triangles: vec![[DVec3::ZERO, DVec3::X, DVec3::Y]],
            });
        }),
        (ProblemCode::PortalPolygon, |s| {
            s.portals[0].triangles.clear()
        }),
        // The portal belongs to the first room, which does not move.
        (ProblemCode::PortalOfMovedRoom, |s| {
            s.movers.push(moves(1, Track::Slide(DVec3::Y)))
        }),
        (ProblemCode::RoomTilts, |s| {
            s.movers.push(moves(0, tilt()));
        }),
        (ProblemCode::PortalTransform, |s| {
            s.portals[0].far_from_near = Rigid::new(DMat3::IDENTITY * 2.0, DVec3::ZERO);
        }),
        (ProblemCode::PortalLeadsTo, |s| {
            s.portals[0].leads_to = Some(PortalTarget {
                node: "nowhere".to_owned(),
                roll_deg: None,
            });
        }),
        (ProblemCode::PortalUnknownRoom, |s| {
            s.portals[0].dest = "r99".to_owned()
        }),
        (ProblemCode::PortalLeadsNowhere, |s| {
            let portal = &mut s.portals[0];
            portal.dest.clear();
            portal
                .triangles
                .iter_mut()
                .flatten()
                .for_each(|p| p.x += 9.);
        }),
        (ProblemCode::PortalAmbiguous, |s| {
            add_copy(s, 1, "copy");
            s.portals[0].dest.clear();
        }),
        (ProblemCode::PortalFar, |s| {
            s.meshes[1].positions.iter_mut().for_each(|p| p.x += 9.);
        }),
        (ProblemCode::PortalBackwards, |s| {
            s.portals[0].triangles.iter_mut().for_each(|t| t.reverse());
        }),
        (ProblemCode::DoorWithoutPortal, |s| add_door(s, [0.2, 0.4])),
        (ProblemCode::DoorTwice, |s| {
            [(); 2].iter().for_each(|()| add_door(s, [0.9, 1.1]))
        }),
        (ProblemCode::DoorTooLarge, |s| {
            *s = row(70);
            add_door(s, [0.5, 69.5]);
        }),
        (ProblemCode::DoorWithGap, |s| add_door(s, [0.9, 1.1])),
        (ProblemCode::DoorWithHole, |s| {
            add_door(s, [0.9, 1.1]);
            let mesh = s.movers[0].meshes[0].clone();
            // The upper half of the opening, and a lower part with a slit between the two.
            for (low, high) in [(0., 0.9), (1.1, 2.)] {
                let mut part = mesh.clone();
                for p in &mut part.positions {
                    p.y = if p.y > 1. { high } else { low };
                    p.z = if p.z > 1.2 { 2. } else { 1. };
                }
                s.movers[0].meshes.push(part);
            }
            s.movers[0].meshes.remove(0);
        }),
        (ProblemCode::BodyOutside, |s| {
            add_body(s, cuboid([0., 9., 0.], [1., 10., 1.]));
        }),
        (ProblemCode::BodyDegenerate, |s| {
            add_body(s, cuboid([0.2, 1., 0.2], [0.8, 1., 0.8]));
        }),
        (ProblemCode::MoverThroughWall, |s| {
            add_door(s, [0.5, 0.6]);
            s.movers[0].is_door = false;
            s.movers[0].track = Track::Slide(DVec3::Y * 2.);
        }),
        (ProblemCode::MoverNeverStarts, |s| {
            add_door(s, [0.5, 0.6]);
            s.movers[0].is_door = false;
            s.movers[0].track = Track::Slide(DVec3::Y * 0.5);
            s.movers[0].drive.locked = true;
        }),
        (ProblemCode::MoverTooLarge, |s| {
            *s = row(70);
            add_door(s, [0.5, 0.6]);
            s.movers[0].is_door = false;
            s.movers[0].track = Track::Slide(DVec3::X * 69.);
        }),
    ]
}

/// Adds a body with the mesh of a box to the first room.
fn add_body(source: &mut LevelSource, outside: Aabb) {
    let mut sketch = Sketch {
        source: std::mem::take(source),
    };
    sketch.furniture(0, 0, outside);
    *source = sketch.source;
    source.bodies.push(BodySource {
        node: "crate-body".to_owned(),
        meshes: source.meshes.pop().into_iter().collect(),
        shape: BodyShape::Box,
        axes: DMat3::IDENTITY,
        mass: None,
        friction: None,
        bounce: None,
    });
}

/// The problems of files, each with the change of `good.gltf` that causes it.
fn written() -> Vec<Fixture<Value>> {
    vec![
        (ProblemCode::BufferShort, |file| {
            file["buffers"][0]["byteLength"] = json!(9999)
        }),
        (ProblemCode::MeshOdd, |file| {
            file["accessors"][11]["count"] = json!(5)
        }),
        (ProblemCode::TextureTransform, |file| {
            let transform = json!({"KHR_texture_transform": {"rotation": 1e39}});
            let texture = json!({"index": 0, "extensions": transform});
            let picture = BASE64_STANDARD.encode(png());
            file["images"] = json!([{"uri": format!("data:image/png;base64,{picture}")}]);
            file["textures"] = json!([{"source": 0}]);
            file["materials"][0]["pbrMetallicRoughness"] = json!({"baseColorTexture": texture});
        }),
        (ProblemCode::BodyProperty, |file| {
            file["nodes"][2]["name"] = json!("crate-body");
            file["nodes"][2]["extras"] = json!({"shape": "round"});
        }),
        (ProblemCode::JointBodies, |file| {
            let nodes = file["nodes"].as_array_mut().unwrap();
            nodes.push(json!({"name": "lamp-joint", "extras": {"bodies": "lamp"}}));
            let index = nodes.len() - 1;
            file["scenes"][0]["nodes"]
                .as_array_mut()
                .unwrap()
                .push(json!(index));
        }),
        (ProblemCode::JointProperty, |file| {
            let nodes = file["nodes"].as_array_mut().unwrap();
            nodes.push(json!({"name": "lamp-joint", "extras": {"joint": "glue"}}));
            let index = nodes.len() - 1;
            file["scenes"][0]["nodes"]
                .as_array_mut()
                .unwrap()
                .push(json!(index));
        }),
        (ProblemCode::BodyExtension, |file| {
            let kinematic = json!({"motion": {"type": "kinematic"}});
            file["nodes"][2]["extensions"] = json!({"OMI_physics_body": kinematic});
        }),
        (ProblemCode::BodyOutsideRoom, |file| {
            let nodes = file["nodes"].as_array_mut().unwrap();
            nodes.push(json!({"name": "crate-body"}));
            let index = nodes.len() - 1;
            file["scenes"][0]["nodes"]
                .as_array_mut()
                .unwrap()
                .push(json!(index));
        }),
        (ProblemCode::SceneProperty, |file| {
            file["scenes"][0]["extras"] = json!({"exposure": "bright"});
        }),
        (ProblemCode::RoomOpen, |file| {
            file["nodes"][5]["extras"] = json!({"open": "wide"})
        }),
        (ProblemCode::SkinIgnored, |file| {
            file["skins"] = json!([{"joints": [2]}]);
            file["nodes"][2]["skin"] = json!(0);
        }),
        (ProblemCode::MoverOutsideRoom, |file| {
            let nodes = file["nodes"].as_array_mut().unwrap();
            nodes.push(json!({"name": "lost-mover", "mesh": 3}));
            file["scenes"][0]["nodes"] = json!([5, 6, 7]);
        }),
        (ProblemCode::TriggerOutsideRoom, |file| {
            let nodes = file["nodes"].as_array_mut().unwrap();
            nodes.push(json!({"name": "lost-trigger", "mesh": 3}));
            file["scenes"][0]["nodes"] = json!([5, 6, 7]);
        }),
        (ProblemCode::TriggerProperty, |file| {
            let nodes = file["nodes"].as_array_mut().unwrap();
            let extras = json!({"delay": "soon"});
            nodes.push(json!({"name": "odd-switch", "mesh": 3, "extras": extras}));
            let children = nodes[5]["children"].as_array_mut().unwrap();
            children.push(json!(7));
        }),
        (ProblemCode::MaterialOpaque, |file| {
            let colour = json!({"baseColorFactor": [1.0, 1.0, 1.0, 0.2]});
            file["materials"][0]["pbrMetallicRoughness"] = colour;
        }),
        (ProblemCode::MaterialProperty, |file| {
            let nodes = file["nodes"].as_array_mut().unwrap();
            nodes[2]["extras"] = json!({"friction": 0.1});
        }),
        (ProblemCode::TriggerVolume, |file| {
            let nodes = file["nodes"].as_array_mut().unwrap();
            nodes.push(json!({"name": "odd-trigger", "mesh": 3}));
            let children = nodes[5]["children"].as_array_mut().unwrap();
            children.push(json!(7));
        }),
        (ProblemCode::TriggerTarget, |file| {
            let nodes = file["nodes"].as_array_mut().unwrap();
            let extras = json!({"target": "nothing"});
            nodes.push(json!({"name": "odd-trigger", "mesh": 3, "extras": extras}));
            let children = nodes[5]["children"].as_array_mut().unwrap();
            children.push(json!(7));
        }),
        (ProblemCode::NoCustomProperties, |file| {
            let nodes = file["nodes"].as_array_mut().unwrap();
            nodes.push(json!({"name": "a-switch", "mesh": 3}));
            nodes.push(json!({"name": "b-switch", "mesh": 3}));
            nodes
                .iter_mut()
                .for_each(|node| _ = node.as_object_mut().unwrap().remove("extras"));
            let children = nodes[5]["children"].as_array_mut().unwrap();
            children.extend([json!(7), json!(8)]);
        }),
        (ProblemCode::MoverProperty, |file| {
            let nodes = file["nodes"].as_array_mut().unwrap();
            let extras = json!({"motion": "sideways"});
            nodes.push(json!({"name": "odd-mover", "mesh": 3, "extras": extras}));
            let children = nodes[5]["children"].as_array_mut().unwrap();
            children.push(json!(7));
        }),
        (ProblemCode::BoundIgnored, |file| {
            let nodes = file["nodes"].as_array_mut().unwrap();
            nodes.push(json!({"name": "lost-bound", "mesh": 3}));
            file["scenes"][0]["nodes"] = json!([5, 6, 7]);
        }),
    ]
}

fn codes_of(result: Result<(level::Level, Problems), Problems>) -> Vec<ProblemCode> {
    let problems = result.map_or_else(
        |problems| problems,
        |(level, mut problems)| {
            check_movers(&level, &mut problems);
            problems
        },
    );
    let all = problems.errors.iter().chain(&problems.warnings);
    all.map(|problem| problem.code).collect()
}

#[test]
fn every_code_is_made_by_some_level() {
    let finds = cases().into_iter();
    let finds = finds.filter_map(|case| Some(case.finds.split_once(' ')?.1.to_owned()));
    let mut made: Vec<String> = finds.collect();
    let mut add = |code: ProblemCode, found: Vec<ProblemCode>| {
        assert!(found.contains(&code), "{code}: {found:?}");
        assert!(
            !made.iter().any(|known| code == **known),
            "{code} is made by a file"
        );
        made.push(code.as_str().to_owned());
    };
    let missing = codes_of(opendoor::load::load(Path::new("none.glb")));
    add(ProblemCode::File, missing);
    for (code, change) in sketched() {
        let mut source = row(2);
        change(&mut source);
        add(code, codes_of(build(source)));
    }
    let good = std::fs::read(folder().join("good.gltf")).unwrap();
    for (code, change) in written() {
        let mut file = serde_json::from_slice(&good).unwrap();
        change(&mut file);
        add(
            code,
            codes_of(load_bytes("test", file.to_string().as_bytes())),
        );
    }
    // The tests of these modules cause these codes.
    made.extend(crate::checks::codes().map(|code| code.as_str().to_owned()));
    made.extend(crate::authors::codes().map(str::to_owned));
    made.extend(crate::out_of_place::codes().map(str::to_owned));
    made.extend(crate::near_names::codes().map(str::to_owned));
    made.sort();
    made.dedup();
    let mut all: Vec<&str> = ProblemCode::ALL.iter().map(|code| code.as_str()).collect();
    all.sort_unstable();
    assert_eq!(made, all);
}
