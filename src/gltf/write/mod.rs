//! Writes sources that were made in code as files.

mod bodies;
mod error;
pub(crate) mod glb;
mod joints;
mod nodes;

mod looks;
mod movers;
mod triggers;

pub use error::WriteError;

use glam::DVec3;
use serde_json::{Value, json};

use crate::geometry::roll_of;
use crate::gltf::write::glb::Glb;
use crate::level::{LightKind, Stiffness};
use crate::source::{LevelSource, LightSource, PortalSource, PortalTarget};
use nodes::{GltfWriter, NodeFrame, below};

/// A glTF binary file of a source; reading it gives the same level. Corners are stored in f32, relative to an origin
/// near their room. Those that f32 represents exactly are read back bit for bit, and the others are rounded once.
/// The motion of a mover about or along an axis that is not one of the author's is read back to f64 precision, and key
/// frames to f32 precision.
///
/// # Errors
/// When the level contains something that cannot be written: see [`WriteError`].
pub fn write_glb(source: &LevelSource) -> Result<Vec<u8>, WriteError> {
    let mut writer = GltfWriter {
        glb: Glb::default(),
        source,
        origins: origins(source),
        children: vec![Vec::new(); source.rooms.len()],
        frames: vec![NodeFrame::default(); source.rooms.len()],
        own: vec![Vec::new(); source.rooms.len()],
        animations: Vec::new(),
        switches: triggers::switches(source),
        lights: Vec::new(),
        roots: Vec::new(),
    };
    let looks = looks::write(source, &mut writer.glb)?;
    writer.meshes();
    for portal in &source.portals {
        writer.portal(portal)?;
    }
    for mover in &source.movers {
        writer.mover(mover)?;
    }
    for body in &source.bodies {
        writer.body(body);
    }
    for joint in &source.joints {
        writer.joint(joint);
    }
    for light in &source.lights {
        writer.light(light);
    }
    writer.bounds_and_spawns();
    writer.triggers();
    Ok(writer.finish(looks))
}

/// For each room the origin of its corners: whole metres, near its least corner.
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

impl GltfWriter<'_> {
    /// Writes the meshes of rooms, grouped by node and kind. The meshes of a room's own node are kept for that node.
    fn meshes(&mut self) {
        let source = self.source;
        for ((room, name), meshes) in self.by_node(source.meshes.iter()) {
            if name == source.rooms[room].node {
                self.own[room] = meshes;
                continue;
            }
            let node = self.mesh_node(room, &name, &meshes);
            let node = self.glb.node(node);
            self.children[room].push(node);
        }
    }

    fn portal(&mut self, portal: &PortalSource) -> Result<(), WriteError> {
        let mut leads_to = portal.leads_to.clone();
        if leads_to.is_none() && !portal.far_from_near.is_identity() {
            leads_to = Some(self.arrival(portal)?);
        }
        let mesh = self.bare_mesh(&portal.triangles, self.origins[portal.room]);
        let mut node = json!({"name": portal.node, "mesh": mesh});
        if !portal.two_way {
            node["extras"]["two_way"] = json!(false);
        }
        if let Some(target) = leads_to {
            node["extras"]["leads_to"] = json!(target.node);
            if let Some(roll) = target.roll_deg {
                node["extras"]["roll"] = json!(roll);
            }
        }
        let node = self.glb.node(node);
        self.children[portal.room].push(node);
        Ok(())
    }

    /// Writes the portal at which one arrives that passes a portal with a transform, and returns it as the target.
    fn arrival(&mut self, portal: &PortalSource) -> Result<PortalTarget, WriteError> {
        let mut rooms = self.source.rooms.iter();
        let far = rooms.position(|room| room.name == portal.dest);
        let far = far.ok_or_else(|| WriteError::NoArrival {
            node: portal.node.clone(),
        })?;
        let stem = portal.node.strip_suffix("-portal").unwrap_or(&portal.node);
        let node = format!("{stem}*arrival-portal");
        let transform = &portal.far_from_near;
        let turned = |&[a, b, c]: &[DVec3; 3]| [a, c, b].map(|corner| transform.point(corner));
        let triangles: Vec<[DVec3; 3]> = portal.triangles.iter().map(turned).collect();
        let mesh = self.bare_mesh(&triangles, self.origins[far]);
        let written = self.glb.node(json!({"name": node, "mesh": mesh}));
        self.children[far].push(written);
        let normals = portal.triangles.iter();
        let normals = normals.map(|&[a, b, c]| (b - a).cross(c - a));
        let forward = normals.sum::<DVec3>().normalize_or(DVec3::Y);
        let roll_deg = Some(roll_of(forward, transform).to_degrees());
        Ok(PortalTarget { node, roll_deg })
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
        if light.radius != LightSource::default_radius(light.kind) {
            written["extras"] = match light.kind {
                LightKind::Directional => json!({"angle": light.radius.to_degrees() * 2.0}),
                LightKind::Point | LightKind::Spot { .. } => json!({"radius": light.radius}),
            };
        }
        let known = self.lights.iter().position(|known| *known == written);
        let index = known.unwrap_or_else(|| {
            self.lights.push(written);
            self.lights.len() - 1
        });
        let extensions = json!({"KHR_lights_punctual": {"light": index}});
        let placed = (light.position.0, light.direction);
        let mut extras = json!({});
        if !light.starts_lit {
            extras["off"] = json!(true);
        }
        if light.flicker > 0.0 {
            extras["flicker"] = json!(light.flicker);
        }
        let mut more = json!({"extensions": extensions});
        if extras != json!({}) {
            more["extras"] = extras;
        }
        self.place(&light.node, light.room, placed, more);
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
                json!({}),
            );
        }
    }

    /// Adds an empty at a position, with its -Z along a direction.
    fn place(
        &mut self,
        name: &str,
        room: Option<usize>,
        (position, forward): (DVec3, DVec3),
        more: Value,
    ) {
        let origin = room.map_or(DVec3::ZERO, |room| self.origins[room]);
        let place = position - origin;
        let mut node = json!({"name": name});
        if forward == DVec3::NEG_Z {
            node["translation"] = json!(place.to_array());
        } else {
            node["matrix"] = json!(facing(forward, place));
        }
        if let (Value::Object(node), Value::Object(more)) = (&mut node, more) {
            node.extend(more);
        }
        let node = self.glb.node(node);
        match room {
            Some(room) => self.children[room].push(node),
            None => self.roots.push(node),
        }
    }

    fn finish(mut self, looks: Value) -> Vec<u8> {
        for (index, room) in self.source.rooms.iter().enumerate() {
            let mut frame = std::mem::take(&mut self.frames[index]);
            if room.open_to_sky {
                frame.extras.insert("open".to_owned(), true.into());
            }
            let own = std::mem::take(&mut self.own[index]);
            let mut mesh = None;
            if !own.is_empty() {
                if self.stands_at_origin(index, &frame) {
                    mesh = Some(self.mesh(&own, self.origins[index]));
                } else {
                    let node = self.mesh_node(index, &below(&room.node), &own);
                    let node = self.glb.node(node);
                    self.children[index].push(node);
                }
            }
            let children = std::mem::take(&mut self.children[index]);
            let node = self.framed(index, &room.node, frame, (mesh, children));
            self.roots.push(node);
        }
        let sky = &self.source.sky;
        let mut top = json!({
            "scene": 0,
            "scenes": [{"nodes": self.roots, "extras": {
                "sky_zenith": sky.zenith, "sky_horizon": sky.horizon, "sky_ground": sky.ground,
                "exposure": self.source.exposure_stops,
            }}],
        });
        if sky.clouds > 0.0 {
            top["scenes"][0]["extras"]["clouds"] = json!(sky.clouds);
        }
        if self.source.stiffness != Stiffness::default() {
            let substeps = self.source.stiffness.substeps();
            top["scenes"][0]["extras"]["stiffness"] = json!(substeps);
        }
        if !self.animations.is_empty() {
            top["animations"] = json!(self.animations);
        }
        if !self.lights.is_empty() {
            top["extensions"] = json!({"KHR_lights_punctual": {"lights": self.lights}});
        }
        if let (Value::Object(top), Value::Object(looks)) = (&mut top, looks) {
            top.extend(looks);
        }
        self.glb.finish(top)
    }
}

/// The matrix of a node at `place` whose -Z axis is the unit vector `forward`. A quaternion would not be read back bit
/// for bit.
fn facing(forward: DVec3, place: DVec3) -> [f64; 16] {
    let back = -forward;
    let up = if back.y.abs() < 0.9 {
        DVec3::Y
    } else {
        DVec3::Z
    };
    let right = up.cross(back).normalize_or(DVec3::X);
    let up = back.cross(right);
    let columns = [right, up, back, place].map(|column| column + DVec3::ZERO);
    std::array::from_fn(|i| match i % 4 {
        3 => f64::from(u8::from(i == 15)),
        row => columns[i / 4][row],
    })
}
