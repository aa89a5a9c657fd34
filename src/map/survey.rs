//! The geometry that a plan draws, collected from a built level or from the readable parts of an invalid one.

use std::collections::BTreeMap;

use glam::{DMat3, DVec2, DVec3};

use super::outlines::{body_outline, closed, flat, hull};
use crate::geometry::{Aabb, Rigid, Triangle};
use crate::level::{BodyId, Level, LightKind, Track};
use crate::problems::Problem;
use crate::source::LevelSource;

/// The geometry of a level that a plan draws.
#[derive(Debug, Default)]
pub struct Survey {
    /// The level's name.
    pub name: String,
    /// The author's coordinates of the origin of all other coordinates here.
    pub(super) origin: DVec3,
    pub(super) rooms: Vec<SurveyedRoom>,
    pub(super) openings: Vec<SurveyedOpening>,
    pub(super) movers: Vec<SurveyedMover>,
    pub(super) bodies: Vec<SurveyedBody>,
    pub(super) spawns: Vec<SurveyedSpawn>,
    pub(super) lamps: Vec<SurveyedLamp>,
    /// The room and the bounding box of each node.
    nodes: BTreeMap<String, (u32, Aabb)>,
}

/// A room and its solid triangles.
#[derive(Debug)]
pub(super) struct SurveyedRoom {
    pub(super) name: String,
    pub(super) triangles: Vec<Triangle>,
    /// The minimum and maximum height of the triangles.
    pub(super) heights: [f64; 2],
}

/// An opening and the two rooms that it joins.
#[derive(Debug)]
pub(super) struct SurveyedOpening {
    /// The index of the link. In an invalid level, the index of the portal; the second room is then the same as the first.
    pub(super) link: u32,
    pub(super) rooms: [u32; 2],
    pub(super) corners: Vec<DVec3>,
    pub(super) normal: DVec3,
}

/// A mover.
#[derive(Debug)]
pub(super) struct SurveyedMover {
    pub(super) room: u32,
    pub(super) is_door: bool,
    pub(super) triangles: Vec<Triangle>,
    pub(super) track: Track,
}

/// A rigid body.
#[derive(Debug)]
pub(super) struct SurveyedBody {
    pub(super) room: u32,
    /// The centre of the body.
    pub(super) point: DVec3,
    /// The outline seen from above, a polyline whose last point is its first.
    pub(super) outline: Vec<DVec2>,
}

#[derive(Debug)]
pub(super) struct SurveyedSpawn {
    pub(super) name: String,
    pub(super) room: u32,
    pub(super) point: DVec3,
    pub(super) forward: DVec2,
}

#[derive(Debug)]
pub(super) struct SurveyedLamp {
    pub(super) room: u32,
    pub(super) point: DVec3,
}

impl Survey {
    /// Surveys a built level in its own coordinates, with its movers in their start poses.
    pub fn of(level: &Level) -> Self {
        let mut survey = Self {
            name: level.name.clone(),
            origin: level.origin,
            ..Self::default()
        };
        for (id, room) in (0..).zip(&level.rooms) {
            let mut triangles = Vec::with_capacity(room.solids.len());
            for triangle in level.solids.of(&room.solids) {
                let corners = triangle.corners.map(|p| p.as_dvec3());
                let node = level.solids.node_name(triangle.surface);
                survey.add_node(node, id, corners);
                triangles.push(Triangle { corners });
            }
            survey.rooms.push(SurveyedRoom {
                name: room.name.clone(),
                triangles,
                heights: [0.0; 2],
            });
        }
        for (index, link) in (0..).zip(&level.links) {
            let portal = level.portal(link.portal);
            let corners = portal.polygon.vertices.clone();
            survey.add_node(&link.name, link.near.0, corners.iter().copied());
            survey.openings.push(SurveyedOpening {
                link: index,
                rooms: [link.near.0, link.far.0],
                corners,
                normal: portal.polygon.plane.normal,
            });
        }
        for mover in &level.movers {
            let triangles = level.solids.of(&mover.solids);
            let triangles = triangles.map(|t| Triangle {
                corners: t.corners.map(|p| p.as_dvec3()),
            });
            let triangles: Vec<Triangle> = triangles.collect();
            let corners = triangles.iter().flat_map(|t| t.corners);
            survey.add_node(&mover.name, mover.room.0, corners);
            survey.movers.push(SurveyedMover {
                room: mover.room.0,
                is_door: mover.link.is_some(),
                triangles,
                track: mover.track.clone(),
            });
        }
        let bodies = (0..).map(BodyId).zip(&level.bodies);
        for (_, body) in bodies.filter(|(id, _)| !level.is_copy(*id)) {
            let at = body.start;
            let pose = Rigid::new(DMat3::from_quat(body.rotation), at.point);
            survey.add_node(&body.name, at.room.0, [at.point]);
            survey.bodies.push(SurveyedBody {
                room: at.room.0,
                point: at.point,
                outline: body_outline(body, &pose),
            });
        }
        for spawn in &level.spawns {
            survey.add_node(&spawn.name, spawn.at.room.0, [spawn.at.point]);
            let (sin, cos) = libm::sincos(spawn.yaw.to_radians());
            survey.spawns.push(SurveyedSpawn {
                name: spawn.name.clone(),
                room: spawn.at.room.0,
                point: spawn.at.point,
                forward: DVec2::new(-sin, -cos),
            });
        }
        for light in &level.lights {
            let Some(at) = light.at.filter(|_| light.kind != LightKind::Directional) else {
                continue;
            };
            survey.add_node(&light.name, at.room.0, [at.point]);
            survey.lamps.push(SurveyedLamp {
                room: at.room.0,
                point: at.point,
            });
        }
        survey.add_rooms();
        survey
    }

    /// Surveys the readable parts of an invalid level, in the author's coordinates.
    pub fn of_source(source: &LevelSource) -> Self {
        let rooms = source.rooms.iter().map(|room| SurveyedRoom {
            name: room.name.clone(),
            triangles: Vec::new(),
            heights: [0.0; 2],
        });
        let mut survey = Self {
            name: source.name.clone(),
            rooms: rooms.collect(),
            ..Self::default()
        };
        let of_mesh = |mesh: &crate::source::MeshSource| -> Vec<Triangle> {
            let corners = |[a, b, c]: &[u32; 3]| [*a, *b, *c].map(|i| mesh.positions[i as usize]);
            let triangles = mesh.triangles.iter().map(corners);
            triangles.map(|corners| Triangle { corners }).collect()
        };
        for mesh in source.meshes.iter().filter(|mesh| mesh.solid) {
            let triangles = of_mesh(mesh);
            let corners = triangles.iter().flat_map(|t| t.corners);
            survey.add_node(&mesh.node, mesh.room as u32, corners);
            survey.rooms[mesh.room].triangles.extend(triangles);
        }
        for (index, portal) in (0..).zip(&source.portals) {
            let corners: Vec<DVec3> = portal.triangles.iter().flatten().copied().collect();
            let room = portal.room as u32;
            survey.add_node(&portal.node, room, corners.iter().copied());
            let crosses = portal.triangles.iter();
            let crosses = crosses.map(|corners| Triangle { corners: *corners }.cross());
            survey.openings.push(SurveyedOpening {
                link: index,
                rooms: [room; 2],
                normal: crosses.sum::<DVec3>().normalize_or_zero(),
                corners,
            });
        }
        for mover in &source.movers {
            let triangles: Vec<Triangle> = mover.meshes.iter().flat_map(of_mesh).collect();
            let room = mover.meshes.first().map_or(0, |mesh| mesh.room as u32);
            let corners = triangles.iter().flat_map(|t| t.corners);
            survey.add_node(&mover.node, room, corners);
            survey.movers.push(SurveyedMover {
                room,
                is_door: mover.is_door,
                triangles,
                track: mover.track.clone(),
            });
        }
        for body in &source.bodies {
            let corners = body.meshes.iter().flat_map(|mesh| &mesh.positions);
            let corners: Vec<DVec3> = corners.copied().collect();
            let room = body.meshes.first().map_or(0, |mesh| mesh.room as u32);
            survey.add_node(&body.node, room, corners.iter().copied());
            survey.bodies.push(SurveyedBody {
                room,
                point: Aabb::around(corners.iter().copied()).centre(),
                outline: closed(hull(corners.iter().map(|p| flat(*p)))),
            });
        }
        for spawn in &source.spawns {
            let room = spawn.room.unwrap_or(0) as u32;
            survey.add_node(&spawn.node, room, [spawn.position.0]);
            survey.spawns.push(SurveyedSpawn {
                name: spawn.node.clone(),
                room,
                point: spawn.position.0,
                forward: flat(spawn.forward).normalize_or_zero(),
            });
        }
        let lamps = source.lights.iter();
        for light in lamps.filter(|light| light.kind != LightKind::Directional) {
            let room = light.room.unwrap_or(0) as u32;
            survey.add_node(&light.node, room, [light.position.0]);
            survey.lamps.push(SurveyedLamp {
                room,
                point: light.position.0,
            });
        }
        survey.add_rooms();
        survey
    }

    /// The name of a room.
    pub fn room_name(&self, room: u32) -> &str {
        let room = self.rooms.get(room as usize);
        room.map_or("", |room| room.name.as_str())
    }

    /// Returns the room and the position of a problem: its own position if it has one, otherwise the centre of its node, if
    /// that has geometry. A room is found by its name, with or without its naming suffix.
    pub(super) fn place_of(&self, problem: &Problem) -> Option<(u32, DVec3)> {
        let name = crate::naming::plain_name(&problem.node);
        let node = self
            .nodes
            .get(&problem.node)
            .or_else(|| self.nodes.get(name));
        let own = problem.place.as_ref().map(|at| at.point.0 - self.origin);
        match (node, own) {
            (Some((room, bounds)), own) => Some((*room, own.unwrap_or(bounds.centre()))),
            (None, Some(point)) => Some((self.room_at(point)?, point)),
            (None, None) => None,
        }
    }

    /// Returns the room with the smallest bounding box that contains a point.
    fn room_at(&self, point: DVec3) -> Option<u32> {
        let boxes = (0..).zip(&self.rooms).map(|(id, room)| {
            let corners = room.triangles.iter().flat_map(|t| t.corners);
            (id, Aabb::around(corners))
        });
        let around = boxes.filter(|(_, bounds)| bounds.contains(point));
        let size = |bounds: &Aabb| (bounds.max - bounds.min).length();
        let smallest = around.min_by(|(_, a), (_, b)| size(a).total_cmp(&size(b)));
        smallest.map(|(id, _)| id)
    }

    fn add_node(&mut self, node: &str, room: u32, points: impl IntoIterator<Item = DVec3>) {
        let around = Aabb::around(points);
        if around.is_empty() {
            return;
        }
        match self.nodes.get_mut(node) {
            Some((_, bounds)) => *bounds = bounds.union(around),
            None => {
                self.nodes.insert(node.to_owned(), (room, around));
            }
        }
    }

    /// Completes the rooms: computes their heights, and adds them as nodes unless another node has the same name.
    fn add_rooms(&mut self) {
        for index in 0..self.rooms.len() {
            let room = &mut self.rooms[index];
            let bounds = Aabb::around(room.triangles.iter().flat_map(|t| t.corners));
            room.heights = [bounds.min.y, bounds.max.y];
            if !bounds.is_empty() && !self.nodes.contains_key(&room.name) {
                let place = (index as u32, bounds);
                self.nodes.insert(room.name.clone(), place);
            }
        }
    }
}
