//! Levels made in code: rooms of closed shapes, openings cut through their walls, doors, furniture, lamps.
//!
//! A [`LevelBuilder`] produces a [`LevelSource`], as reading a file does. [`build`](crate::build::build) checks the
//! source and links it to a level; [`write_glb`](crate::gltf::write_glb) writes it as a file. After that the builder
//! can still be used: a game may add rooms while it runs, and [carry](crate::game::Game::carry_to) the player over to
//! the new level. Objects without a method here (triggers, lifts, images) can be added to the source directly.
//!
//! ```
//! use opendoor::glam::DVec3;
//! use opendoor::author::builder::{BuilderShape, Door, LevelBuilder, Opening, RoomMaterials};
//! use opendoor::level::Material;
//! use opendoor::build::build;
//!
//! let mut builder = LevelBuilder::new("two rooms");
//! let oak = builder.material(Material::default());
//! let surfaces = RoomMaterials::all(oak);
//! let at = |x: f64, y: f64, z: f64| DVec3::new(x, y, z);
//! let hall = BuilderShape::cuboid(at(0.0, 0.0, 0.0), at(6.0, 3.0, 4.0));
//! let hall = builder.room("hall", &hall, surfaces)?;
//! let study = BuilderShape::cuboid(at(6.25, 0.0, 0.0), at(10.0, 3.0, 4.0));
//! let study = builder.room("study", &study, surfaces)?;
//! // Cut through both walls, with reveals, and a portal in the middle.
//! let doorway = Opening::doorway(at(6.0, 0.0, 2.0), DVec3::X, 1.2, 2.2);
//! builder.connect(hall, study, &doorway.with_door(Door::new("oak", oak)))?;
//! builder.lamp(hall, at(3.0, 2.5, 2.0), 60.0)?;
//! builder.lamp(study, at(8.0, 2.5, 2.0), 60.0)?;
//! builder.spawn(hall, "player", at(1.0, 0.0, 2.0), DVec3::X)?;
//! let (level, problems) = build(builder.source())?;
//! assert!(problems.warnings.is_empty());
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

mod body;
mod connect;
mod error;
mod mend;
mod opening;
mod polygon;
mod shape;
#[cfg(test)]
mod tests;

pub use body::BuilderBody;
pub use error::BuilderError;
pub use opening::{Door, Opening};
pub use shape::BuilderShape;

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;
use std::sync::atomic::{AtomicU32, Ordering};

use glam::DVec3;

use crate::level::{AuthorPoint, LightKind, Material};
use crate::naming::plain_name;
use crate::source::{LevelSource, LightSource, MeshSource, RoomSource, SpawnSource};
use mend::mend;
use polygon::{FlatFace, Loop, triangulate};

/// A face is a floor or a ceiling if the cosine of the angle between its normal and the vertical exceeds this.
const LEVEL_COS: f64 = 0.7;

/// The key of a room, valid for the builder that made it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct RoomKey(BuilderIndex);

/// The key of a material, valid for the builder that made it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct MaterialKey(BuilderIndex);

/// An index, and the builder that it belongs to.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
struct BuilderIndex {
    builder: u32,
    index: u32,
}

/// The materials of a room.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct RoomMaterials {
    /// Material of faces that face upwards, up to a slope of 45 degrees. Thresholds of doorways are included.
    pub floor: MaterialKey,
    /// Material of faces that face sideways.
    pub walls: MaterialKey,
    /// Material of faces that face downwards.
    pub ceiling: MaterialKey,
}

impl RoomMaterials {
    /// Uses one material for all faces.
    pub fn all(material: MaterialKey) -> Self {
        Self {
            floor: material,
            walls: material,
            ceiling: material,
        }
    }

    /// The material of a face with this normal.
    fn of(&self, normal: DVec3) -> MaterialKey {
        if normal.y > LEVEL_COS {
            self.floor
        } else if normal.y < -LEVEL_COS {
            self.ceiling
        } else {
            self.walls
        }
    }
}

/// A level under construction. All coordinates are the author's, in metres.
#[derive(Clone, Debug)]
pub struct LevelBuilder {
    id: u32,
    /// The parts that are copied into the source. The meshes of rooms are made in [`LevelBuilder::source`].
    parts: LevelSource,
    rooms: Vec<RoomShell>,
    /// Names of nodes that are in use; a new node must have another.
    taken: BTreeSet<String>,
}

/// The surface of a room, with the holes that were cut.
#[derive(Clone, Debug)]
struct RoomShell {
    surfaces: RoomMaterials,
    faces: Vec<FlatFace>,
}

impl LevelBuilder {
    /// A level without rooms.
    pub fn new(name: &str) -> Self {
        static BUILDERS: AtomicU32 = AtomicU32::new(0);
        Self {
            id: BUILDERS.fetch_add(1, Ordering::Relaxed),
            parts: LevelSource {
                name: name.to_owned(),
                ..LevelSource::default()
            },
            rooms: Vec::new(),
            taken: BTreeSet::new(),
        }
    }

    /// Adds a material.
    pub fn material(&mut self, material: Material) -> MaterialKey {
        self.parts.materials.push(material);
        MaterialKey(self.key(self.parts.materials.len() - 1))
    }

    /// Adds a room: the space inside a shape.
    ///
    /// # Errors
    /// When the name is in use or invalid, the shape is not closed, or a material belongs to another builder.
    pub fn room(
        &mut self,
        name: &str,
        inside: &BuilderShape,
        surfaces: RoomMaterials,
    ) -> Result<RoomKey, BuilderError> {
        self.add_room(name, inside, surfaces, false)
    }

    /// Adds an outdoor room: the space inside a shape, but without the faces that face downwards (the ceiling).
    ///
    /// # Errors
    /// As for [`LevelBuilder::room`].
    pub fn court(
        &mut self,
        name: &str,
        inside: &BuilderShape,
        surfaces: RoomMaterials,
    ) -> Result<RoomKey, BuilderError> {
        self.add_room(name, inside, surfaces, true)
    }

    /// Adds a closed shape that is seen from outside: furniture, stairs, a ramp, a pillar.
    ///
    /// # Errors
    /// When the name is invalid, the shape is not closed, or a key belongs to another builder.
    pub fn block(
        &mut self,
        room: RoomKey,
        name: &str,
        shape: &BuilderShape,
        material: MaterialKey,
    ) -> Result<(), BuilderError> {
        check_name(name)?;
        let room = self.room_index(room, name)?;
        let material = self.material_index(material, name)?;
        let faces = shape.faces(name, false)?;
        let faces = faces.into_iter().map(|face| (face, material)).collect();
        self.parts.meshes.extend(meshes(room, name, faces));
        Ok(())
    }

    /// Adds a point light. The intensity is in candela.
    ///
    /// # Errors
    /// When the key belongs to another builder.
    pub fn lamp(
        &mut self,
        room: RoomKey,
        position: DVec3,
        candela: f32,
    ) -> Result<(), BuilderError> {
        let room = self.room_index(room, "lamp")?;
        let lamp = LightSource {
            node: format!("{}_lamp", self.parts.rooms[room].name),
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
        };
        self.parts.lights.push(lamp);
        Ok(())
    }

    /// Adds a start position of the player, with the position of the feet and the horizontal view direction. The spawn
    /// named `player` is the default; if there is none, the first spawn is.
    ///
    /// # Errors
    /// When the name is in use or invalid, or the key belongs to another builder.
    pub fn spawn(
        &mut self,
        room: RoomKey,
        name: &str,
        feet: DVec3,
        forward: DVec3,
    ) -> Result<(), BuilderError> {
        let node = self.take_name(name, "spawn")?;
        let room = self.room_index(room, &node)?;
        self.parts.spawns.push(SpawnSource {
            node,
            room: Some(room),
            position: AuthorPoint(feet),
            forward: DVec3::new(forward.x, 0.0, forward.z).normalize_or(DVec3::NEG_Z),
        });
        Ok(())
    }

    /// The source of the level as built so far, for [`build`](crate::build::build) or
    /// [`write_glb`](crate::gltf::write_glb).
    pub fn source(&self) -> LevelSource {
        let mut source = self.parts.clone();
        for (index, shell) in self.rooms.iter().enumerate() {
            let faces = shell.faces.iter().map(|face| {
                let material = shell.surfaces.of(face.normal).0.index as usize;
                (face.clone(), material)
            });
            let node = format!("{}_walls", source.rooms[index].name);
            source.meshes.extend(meshes(index, &node, faces.collect()));
        }
        source
    }

    fn add_room(
        &mut self,
        name: &str,
        inside: &BuilderShape,
        surfaces: RoomMaterials,
        open_to_sky: bool,
    ) -> Result<RoomKey, BuilderError> {
        for material in [surfaces.floor, surfaces.walls, surfaces.ceiling] {
            self.material_index(material, name)?;
        }
        let mut faces = inside.faces(name, true)?;
        let node = self.take_name(name, "room")?;
        if open_to_sky {
            faces.retain(|face| face.normal.y >= -LEVEL_COS);
        }
        self.parts.rooms.push(RoomSource {
            name: name.to_owned(),
            node,
            open_to_sky,
        });
        self.rooms.push(RoomShell { surfaces, faces });
        Ok(RoomKey(self.key(self.rooms.len() - 1)))
    }

    /// Marks a node name as in use, and returns it: the name with the ending.
    fn take_name(&mut self, name: &str, ending: &str) -> Result<String, BuilderError> {
        check_name(name)?;
        let node = format!("{name}-{ending}");
        if !self.taken.insert(node.clone()) {
            return Err(BuilderError::NameTwice { node });
        }
        Ok(node)
    }

    fn key(&self, index: usize) -> BuilderIndex {
        BuilderIndex {
            builder: self.id,
            index: index as u32,
        }
    }

    /// The index of a room. If the key belongs to another builder, an error that names `node`.
    fn room_index(&self, room: RoomKey, node: &str) -> Result<usize, BuilderError> {
        self.index(room.0, self.rooms.len(), "room", node)
    }

    /// The index of a material. If the key belongs to another builder, an error that names `node`.
    fn material_index(&self, material: MaterialKey, node: &str) -> Result<usize, BuilderError> {
        self.index(material.0, self.parts.materials.len(), "material", node)
    }

    fn index(
        &self,
        key: BuilderIndex,
        count: usize,
        what: &'static str,
        node: &str,
    ) -> Result<usize, BuilderError> {
        let index = key.index as usize;
        // A clone of the builder has the same id, but its rooms and materials may be fewer.
        if key.builder != self.id || index >= count {
            let node = node.to_owned();
            return Err(BuilderError::ForeignKey { node, what });
        }
        Ok(index)
    }
}

/// An error if the naming convention would change the name.
fn check_name(name: &str) -> Result<(), BuilderError> {
    if name.is_empty() || plain_name(name) != name {
        let name = name.to_owned();
        return Err(BuilderError::Name { name });
    }
    Ok(())
}

/// The meshes of a closed surface, one for each material. T-junctions between faces are removed.
fn meshes(room: usize, node: &str, mut faces: Vec<(FlatFace, usize)>) -> Vec<MeshSource> {
    mend(faces.iter_mut().flat_map(|(face, _)| &mut face.pieces));
    let node: Arc<str> = node.into();
    let mut by_material: BTreeMap<usize, SharedCorners> = BTreeMap::new();
    for (face, material) in &faces {
        let corners = by_material.entry(*material).or_default();
        for piece in &face.pieces {
            corners.add(piece, face.normal);
        }
    }
    let meshes = by_material
        .into_iter()
        .map(|(material, corners)| MeshSource {
            room,
            node: node.clone(),
            positions: corners.positions,
            normals: Vec::new(),
            tangents: Vec::new(),
            uvs: [Vec::new(), Vec::new()],
            colours: Vec::new(),
            triangles: corners.triangles,
            material,
            drawn: true,
            solid: true,
        });
    meshes.collect()
}

/// Triangles with shared corners.
#[derive(Default)]
struct SharedCorners {
    known: BTreeMap<[u64; 3], u32>,
    positions: Vec<DVec3>,
    triangles: Vec<[u32; 3]>,
}

impl SharedCorners {
    fn add(&mut self, polygon: &Loop, normal: DVec3) {
        for triangle in triangulate(polygon, normal) {
            let corners = triangle.map(|i| {
                let p = polygon[i] + DVec3::ZERO;
                *self
                    .known
                    .entry(p.to_array().map(f64::to_bits))
                    .or_insert_with(|| {
                        self.positions.push(p);
                        self.positions.len() as u32 - 1
                    })
            });
            self.triangles.push(corners);
        }
    }
}
