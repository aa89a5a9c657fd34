//! Sources written as files, for levels made in code.

use std::collections::BTreeMap;

use glam::{DQuat, DVec3};
use serde_json::{Map, Value, json};

use super::names::{Role, parse};
use super::writer::{Glb, Part};
use crate::level::{
    Alpha, Cycle, Drive, LevelSource, LightKind, LightSource, Material, MeshSource, MoverSource,
    PortalSource, StartedBy, TICKS_PER_SECOND, Track, WhenBlocked,
};

/// Why a level cannot be written as a file; each names the node and says the cure.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum WriteError {
    /// glTF files have no portals that bend space.
    #[error(
        "{node}: bends space, for which files have no words; keep this level in code, or lead straight on"
    )]
    BentPortal {
        /// The portal.
        node: String,
    },
    /// Pictures are not written.
    #[error(
        "{material}: has a texture, and pictures are not written; leave it out, or add it in Blender"
    )]
    Texture {
        /// The material.
        material: String,
    },
    /// Only doors and movers that turn, slide or vanish are written.
    #[error(
        "{node}: a mover that goes from pose to pose, moves rooms or goes with another is not written; let it turn or slide, or add it in Blender"
    )]
    Mover {
        /// The mover.
        node: String,
    },
    /// Triggers are not written.
    #[error("{node}: triggers and switches are not written; add it in Blender")]
    Trigger {
        /// The trigger.
        node: String,
    },
}

/// A source as a glTF binary file that reads back as the same level. Corners are stored in f32, relative to the box
/// around their room.
///
/// # Errors
/// When the level has something that is not written: see [`WriteError`].
pub fn write_glb(source: &LevelSource) -> Result<Vec<u8>, WriteError> {
    if let Some(trigger) = source.triggers.first() {
        let node = trigger.node.clone();
        return Err(WriteError::Trigger { node });
    }
    let materials = source.materials.iter().map(material);
    let materials = materials.collect::<Result<Vec<Value>, WriteError>>()?;
    let mut writer = Writer {
        glb: Glb::default(),
        source,
        origins: origins(source),
        children: vec![Vec::new(); source.rooms.len()],
        lights: Vec::new(),
        roots: Vec::new(),
    };
    writer.meshes();
    for portal in &source.portals {
        writer.portal(portal)?;
    }
    for mover in &source.movers {
        writer.mover(mover)?;
    }
    for light in &source.lights {
        writer.light(light);
    }
    writer.bounds_and_spawns();
    Ok(writer.finish(materials))
}

/// Whole metres near each room's least corner: what its corners are relative to.
fn origins(source: &LevelSource) -> Vec<DVec3> {
    let mut least = vec![DVec3::INFINITY; source.rooms.len()];
    for mesh in &source.meshes {
        let corners = mesh.positions.iter();
        least[mesh.room] = corners.fold(least[mesh.room], |least, p| least.min(*p));
    }
    let whole = |p: DVec3| {
        if p.is_finite() {
            p.floor()
        } else {
            DVec3::ZERO
        }
    };
    least.into_iter().map(whole).collect()
}

struct Writer<'a> {
    glb: Glb,
    source: &'a LevelSource,
    origins: Vec<DVec3>,
    /// Nodes below each room.
    children: Vec<Vec<usize>>,
    lights: Vec<Value>,
    /// Nodes that are in no room, and the rooms.
    roots: Vec<usize>,
}

impl Writer<'_> {
    /// The meshes of rooms, those of one node and kind together.
    fn meshes(&mut self) {
        let mut nodes: BTreeMap<(usize, String), Vec<&MeshSource>> = BTreeMap::new();
        for mesh in &self.source.meshes {
            let node = ending(mesh, &self.source.materials[mesh.material]);
            nodes.entry((mesh.room, node)).or_default().push(mesh);
        }
        for ((room, name), meshes) in nodes {
            let mesh = self.mesh(&meshes, self.origins[room]);
            let node = self.glb.node(json!({"name": name, "mesh": mesh}));
            self.children[room].push(node);
        }
    }

    fn mesh(&mut self, meshes: &[&MeshSource], origin: DVec3) -> usize {
        self.glb.indexed_mesh(meshes.iter().map(|mesh| Part {
            material: mesh.material,
            positions: mesh.positions.iter().map(|p| *p - origin).collect(),
            normals: &mesh.normals,
            colours: &mesh.colours,
            triangles: &mesh.triangles,
        }))
    }

    /// A mesh without a look: of a portal, of bounds.
    fn bare_mesh(&mut self, triangles: &[[DVec3; 3]], origin: DVec3) -> usize {
        let moved = triangles.iter().map(|t| t.map(|p| p - origin)).collect();
        self.glb.mesh(&[(0, moved)])
    }

    fn portal(&mut self, portal: &PortalSource) -> Result<(), WriteError> {
        if !portal.far_from_near.is_identity() {
            let node = portal.node.clone();
            return Err(WriteError::BentPortal { node });
        }
        let mesh = self.bare_mesh(&portal.triangles, self.origins[portal.room]);
        let mut node = json!({"name": portal.node, "mesh": mesh});
        if !portal.two_way {
            node["extras"] = json!({"two_way": false});
        }
        let node = self.glb.node(node);
        self.children[portal.room].push(node);
        Ok(())
    }

    fn mover(&mut self, mover: &MoverSource) -> Result<(), WriteError> {
        let unwritten = || WriteError::Mover {
            node: mover.node.clone(),
        };
        if !mover.moved_rooms.is_empty() || mover.moves_with.is_some() {
            return Err(unwritten());
        }
        let room = mover
            .meshes
            .first()
            .map(|mesh| mesh.room)
            .ok_or_else(unwritten)?;
        // Its own +Y, which Blender shows as Z, is what it turns about or slides along.
        let (origin, up, mut extras) = match &mover.track {
            Track::Vanish => (self.origins[room], DVec3::Y, json!({"motion": "vanish"})),
            Track::Turn { pivot, axis, angle } => {
                let extras = json!({"motion": "turn", "axis": "z", "angle": angle.to_degrees()});
                (*pivot, *axis, extras)
            }
            Track::Slide(by) if by.length() == 0.0 => {
                (self.origins[room], DVec3::Y, json!({"motion": "none"}))
            }
            Track::Slide(by) => {
                let extras = json!({"motion": "slide", "axis": "z", "distance": by.length()});
                (self.origins[room], by.normalize_or(DVec3::Y), extras)
            }
            Track::Keys(_) => return Err(unwritten()),
        };
        let author_from_node = rotation_to(DVec3::Y, up);
        if let (Value::Object(extras), Value::Object(drive)) =
            (&mut extras, drive(&mover.drive, author_from_node))
        {
            extras.extend(drive);
        }
        let node_from_author = author_from_node.inverse();
        let parts = mover.meshes.iter().map(|mesh| Part {
            material: mesh.material,
            positions: mesh
                .positions
                .iter()
                .map(|p| turned(node_from_author, *p - origin))
                .collect(),
            normals: &[],
            colours: &mesh.colours,
            triangles: &mesh.triangles,
        });
        let mesh = self.glb.indexed_mesh(parts);
        let node = self.glb.node(json!({
            "name": mover.node, "mesh": mesh, "extras": extras,
            "translation": (origin - self.origins[room]).to_array(),
            "rotation": author_from_node.to_array(),
        }));
        self.children[room].push(node);
        Ok(())
    }

    fn light(&mut self, light: &LightSource) {
        let mut written = json!({"color": light.colour, "intensity": light.intensity});
        written["type"] = match light.kind {
            LightKind::Point => json!("point"),
            LightKind::Directional => json!("directional"),
            LightKind::Spot { inner, outer } => {
                written["spot"] = json!({"innerConeAngle": inner, "outerConeAngle": outer});
                json!("spot")
            }
        };
        if let Some(range) = light.range {
            written["range"] = json!(range);
        }
        let known = self.lights.iter().position(|known| *known == written);
        let index = known.unwrap_or_else(|| {
            self.lights.push(written);
            self.lights.len() - 1
        });
        let extensions = json!({"KHR_lights_punctual": {"light": index}});
        let placed = (light.position.0, light.direction);
        self.place(&light.node, light.room, placed, Some(extensions));
    }

    fn bounds_and_spawns(&mut self) {
        for bound in &self.source.bounds {
            let mesh = self.bare_mesh(&bound.triangles, self.origins[bound.room]);
            let node = self.glb.node(json!({"name": bound.node, "mesh": mesh}));
            self.children[bound.room].push(node);
        }
        for spawn in &self.source.spawns {
            self.place(
                &spawn.node,
                spawn.room,
                (spawn.position.0, spawn.forward),
                None,
            );
        }
    }

    /// An empty at a place, its -Z in a direction.
    fn place(
        &mut self,
        name: &str,
        room: Option<usize>,
        (position, forward): (DVec3, DVec3),
        extensions: Option<Value>,
    ) {
        let origin = room.map_or(DVec3::ZERO, |room| self.origins[room]);
        let mut node = json!({
            "name": name, "translation": (position - origin).to_array(),
            "rotation": rotation_to(DVec3::NEG_Z, forward).to_array(),
        });
        if let Some(extensions) = extensions {
            node["extensions"] = extensions;
        }
        let node = self.glb.node(node);
        match room {
            Some(room) => self.children[room].push(node),
            None => self.roots.push(node),
        }
    }

    fn finish(mut self, materials: Vec<Value>) -> Vec<u8> {
        for (index, room) in self.source.rooms.iter().enumerate() {
            let mut node = json!({
                "name": room.node, "translation": self.origins[index].to_array(),
            });
            if !self.children[index].is_empty() {
                node["children"] = json!(self.children[index]);
            }
            if room.open_to_sky {
                node["extras"] = json!({"open": true});
            }
            self.roots.push(self.glb.node(node));
        }
        let sky = &self.source.sky;
        let mut top = json!({
            "scene": 0,
            "scenes": [{"nodes": self.roots, "extras": {
                "sky_zenith": sky.zenith, "sky_horizon": sky.horizon, "sky_ground": sky.ground,
                "exposure": self.source.exposure_stops,
            }}],
            "materials": materials,
            "extensionsUsed": [
                "KHR_lights_punctual", "KHR_materials_emissive_strength", "KHR_materials_ior",
                "KHR_materials_specular", "KHR_materials_unlit",
            ],
        });
        if !self.lights.is_empty() {
            top["extensions"] = json!({"KHR_lights_punctual": {"lights": self.lights}});
        }
        self.glb.finish(top)
    }
}

/// The name of a mesh's node with the ending that says what it is.
fn ending(mesh: &MeshSource, material: &Material) -> String {
    let (role, ending) = match (material.sky, mesh.drawn, mesh.solid) {
        (true, ..) => (Role::Sky, "-sky"),
        (false, true, false) => (Role::NoCol, "-nocol"),
        (false, false, _) => (Role::ColOnly, "-colonly"),
        (false, true, true) => return mesh.node.to_string(),
    };
    match parse(&mesh.node).0 {
        found if found == role => mesh.node.to_string(),
        _ => format!("{}{ending}", mesh.node),
    }
}

/// The shortest turn from a unit vector to a direction; exact where they are the same.
fn rotation_to(from: DVec3, to: DVec3) -> DQuat {
    let to = to.normalize_or(from);
    if from == to {
        DQuat::IDENTITY
    } else {
        DQuat::from_rotation_arc(from, to)
    }
}

/// A turned point; to the bit the same if there is no turn.
fn turned(rotation: DQuat, point: DVec3) -> DVec3 {
    if rotation == DQuat::IDENTITY {
        point
    } else {
        rotation * point
    }
}

/// The custom properties of a drive.
fn drive(drive: &Drive, author_from_node: DQuat) -> Value {
    let seconds = |ticks: u32| f64::from(ticks) / TICKS_PER_SECOND;
    let mut extras = Map::new();
    let mut set = |key: &str, value: Value| drop(extras.insert(key.to_owned(), value));
    set("time", seconds(drive.ticks).into());
    set("wait", seconds(drive.wait_ticks).into());
    let cycle = match drive.cycle {
        Cycle::Call => "call",
        Cycle::Return => "return",
        Cycle::Shuttle => "shuttle",
        Cycle::Loop => "loop",
        Cycle::Once => "once",
    };
    set("cycle", cycle.into());
    let (key, starts) = match drive.started_by {
        StartedBy::Use => ("opens", "use"),
        StartedBy::Approach => ("opens", "approach"),
        StartedBy::Trigger => ("opens", "trigger"),
    };
    set(key, starts.into());
    // Doors have one word for it, movers another; each reads its own.
    if drive.started_by != StartedBy::Approach {
        set("starts", starts.into());
    }
    let blocked = match drive.when_blocked {
        WhenBlocked::Reverse => "reverse",
        WhenBlocked::Wait => "wait",
        WhenBlocked::Crush => "crush",
    };
    set("blocked", blocked.into());
    if drive.locked {
        set("locked", true.into());
    }
    if drive.first_tick > 0 {
        let part = f64::from(drive.first_tick) / f64::from(drive.ticks.max(1));
        set("ajar", part.into());
    }
    if drive.surface_velocity != DVec3::ZERO {
        let along = author_from_node.inverse() * drive.surface_velocity;
        set("conveyor", json!([along.x, -along.z, along.y]));
    }
    Value::Object(extras)
}

fn material(material: &Material) -> Result<Value, WriteError> {
    if material.textures().next().is_some() {
        let material = material.name.clone();
        return Err(WriteError::Texture { material });
    }
    let brightest = material
        .emissive
        .iter()
        .fold(1.0_f32, |most, x| most.max(*x));
    let mut extensions = json!({
        "KHR_materials_emissive_strength": {"emissiveStrength": brightest},
        "KHR_materials_ior": {"ior": material.ior},
        "KHR_materials_specular": {
            "specularFactor": material.specular, "specularColorFactor": material.specular_colour,
        },
    });
    if material.unlit {
        extensions = json!({"KHR_materials_unlit": {}});
    }
    let mut written = json!({
        "name": material.name,
        "pbrMetallicRoughness": {
            "baseColorFactor": material.base_colour, "metallicFactor": material.metallic,
            "roughnessFactor": material.roughness,
        },
        "emissiveFactor": material.emissive.map(|x| x / brightest),
        "doubleSided": material.double_sided,
        "extensions": extensions,
        "extras": {
            "friction": material.friction, "drag": material.drag, "bounce": material.bounce,
        },
    });
    match material.alpha {
        Alpha::Opaque => {}
        Alpha::Mask(cutoff) => {
            written["alphaMode"] = json!("MASK");
            written["alphaCutoff"] = json!(cutoff);
        }
        Alpha::Blend => written["alphaMode"] = json!("BLEND"),
    }
    Ok(written)
}
