//! Writes movers and the rooms that they move. The motion is written as custom properties or as an animation.

use glam::{DQuat, DVec3};
use serde_json::{Map, Value, json};

use super::error::WriteError;
use super::nodes::{GltfWriter, KeyPoses, NodeFrame, below, ending};
use crate::level::{Cycle, Drive, StartedBy, TICKS_PER_SECOND, Track, WhenBlocked};
use crate::naming::plain_name;
use crate::source::{MeshSource, MoverSource};

impl GltfWriter<'_> {
    /// Writes a mover as a node in its room, or as the node of the room that it moves.
    pub(super) fn mover(&mut self, mover: &MoverSource) -> Result<(), WriteError> {
        let unwritten = |what| WriteError::Mover {
            node: mover.node.clone(),
            what,
        };
        let source = self.source;
        let mut frame = frame(mover)?;
        if let Some(other) = &mover.moves_with {
            let other = other.clone();
            frame.extras.insert("moves_with".to_owned(), other.into());
        }
        let own_room = |room: &&usize| source.rooms[**room].node == mover.node;
        let carrier = mover.moved_rooms.iter().find(own_room);
        for &room in &mover.moved_rooms {
            if Some(&room) != carrier {
                let leader = mover.node.clone();
                let extras = [("moves_with".to_owned(), leader.into())];
                self.frames[room].extras = extras.into_iter().collect();
            }
        }
        let room = mover.meshes.first().map(|mesh| mesh.room);
        if mover.meshes.iter().any(|mesh| Some(mesh.room) != room) {
            let what = "has meshes in several rooms; make them movers that move with it";
            return Err(unwritten(what));
        }
        match (carrier, room) {
            (Some(&moved), None) => {
                self.frames[moved] = frame;
                Ok(())
            }
            (Some(&moved), Some(room)) => {
                self.frames[moved] = frame;
                let name = format!("{}_parts-mover", plain_name(&mover.node));
                self.follower(room, &name, mover);
                Ok(())
            }
            (None, Some(room)) => {
                self.mover_node(room, mover, frame);
                Ok(())
            }
            (None, None) => Err(unwritten(
                "has no mesh and is not the node of a room; name it as the room that it moves",
            )),
        }
    }

    /// Adds a node for the meshes that move with a room.
    fn follower(&mut self, room: usize, name: &str, mover: &MoverSource) {
        let leader = mover.node.clone();
        let frame = NodeFrame {
            extras: [("moves_with".to_owned(), leader.into())]
                .into_iter()
                .collect(),
            ..NodeFrame::default()
        };
        let children = self.mesh_nodes(mover.meshes.iter(), name);
        self.add_framed(room, name, frame, (None, children));
    }

    /// The nodes of the meshes below the mover or body with this name.
    pub(super) fn mesh_nodes<'m>(
        &mut self,
        meshes: impl Iterator<Item = &'m MeshSource>,
        above: &str,
    ) -> Vec<usize> {
        let mut nodes = Vec::new();
        for ((room, name), meshes) in self.by_node(meshes) {
            let name = if name == above { below(above) } else { name };
            let node = self.mesh_node(room, &name, &meshes);
            nodes.push(self.glb.node(node));
        }
        nodes
    }

    /// Adds the node of a mover. The meshes are on this node if f32 represents their corners exactly relative to the
    /// node, otherwise on child nodes.
    fn mover_node(&mut self, room: usize, mover: &MoverSource, frame: NodeFrame) {
        let source = self.source;
        let at_origin = (self.origins[room], DQuat::IDENTITY);
        let place = frame.pivot.unwrap_or(at_origin);
        let is_own = |mesh: &&MeshSource| {
            *mesh.node == *mover.node
                && ending(mesh, &source.materials[mesh.material]) == mover.node
        };
        let own: Vec<&MeshSource> = mover.meshes.iter().filter(is_own).collect();
        let keeps = place.1 == DQuat::IDENTITY && own.iter().all(|mesh| is_exact(mesh, place.0));
        let is_direct = !own.is_empty() && (keeps || self.stands_at_origin(room, &frame));
        let mesh = is_direct.then(|| self.mesh(&own, place.0));
        let below = mover
            .meshes
            .iter()
            .filter(|mesh| !is_direct || !is_own(mesh));
        let children = self.mesh_nodes(below, &mover.node);
        self.add_framed(room, &mover.node, frame, (mesh, children));
    }
}

/// Whether f32 represents all corners exactly relative to an origin.
fn is_exact(mesh: &MeshSource, origin: DVec3) -> bool {
    let mut corners = mesh.positions.iter();
    corners.all(|p| origin + (*p - origin).as_vec3().as_dvec3() == *p)
}

/// The frame of a mover's node, and the properties of its motion.
fn frame(mover: &MoverSource) -> Result<NodeFrame, WriteError> {
    let unwritten = |what| WriteError::Mover {
        node: mover.node.clone(),
        what,
    };
    let mut keyed = None;
    let (pivot, extras) = match &mover.track {
        Track::Vanish => (None, json!({"motion": "vanish"})),
        Track::Turn { pivot, axis, angle } => {
            let (turn, word) = along(*axis);
            let extras = json!({"motion": "turn", "axis": word, "angle": angle.to_degrees()});
            (Some((*pivot, turn)), extras)
        }
        Track::Slide(by) if by.length() == 0.0 => (None, json!({"motion": "none"})),
        Track::Slide(by) => {
            let (turn, word) = along(*by);
            let extras = json!({"motion": "slide", "axis": word, "distance": by.length()});
            // Any position will do; only the rotation matters.
            let start = mover.meshes.iter().flat_map(|mesh| &mesh.positions).next();
            let start = start.map_or(DVec3::ZERO, |corner| corner.floor());
            let is_turned = turn != DQuat::IDENTITY;
            (is_turned.then_some((start, turn)), extras)
        }
        Track::Keys(keys) => {
            let Some(first) = keys.first() else {
                return Err(unwritten("has no poses to go to; give it a track"));
            };
            if keys.iter().any(|key| key.pivot != first.pivot) {
                return Err(unwritten(
                    "turns about several points; let it turn about one",
                ));
            }
            if mover.drive.surface_velocity != DVec3::ZERO {
                return Err(unwritten(
                    "goes from pose to pose and has a surface that moves; leave one out",
                ));
            }
            keyed = Some(KeyPoses {
                keys: keys.clone(),
                seconds: f64::from(mover.drive.ticks) / TICKS_PER_SECOND,
            });
            (Some((first.pivot, DQuat::IDENTITY)), json!({}))
        }
    };
    let turn = pivot.map_or(DQuat::IDENTITY, |(_, turn)| turn);
    let mut all = drive(&mover.drive, turn);
    if let Value::Object(extras) = extras {
        all.extend(extras);
    }
    Ok(NodeFrame {
        pivot,
        extras: all,
        keys: keyed,
    })
}

/// A rotation that turns one of a node's axes to a direction, and this axis in Blender's notation. If one of the
/// author's axes has the direction, no rotation is needed.
fn along(direction: DVec3) -> (DQuat, &'static str) {
    let words = [
        (DVec3::Y, "z"),
        (DVec3::NEG_Y, "-z"),
        (DVec3::X, "x"),
        (DVec3::NEG_X, "-x"),
        (DVec3::NEG_Z, "y"),
        (DVec3::Z, "-y"),
    ];
    let unit = direction.normalize_or(DVec3::Y);
    let word = words.iter().find(|(axis, _)| *axis == unit);
    word.map_or((rotation_to(DVec3::Y, unit), "z"), |(_, word)| {
        (DQuat::IDENTITY, *word)
    })
}

/// The shortest rotation from a unit vector to a direction; the identity if they are equal.
fn rotation_to(from: DVec3, to: DVec3) -> DQuat {
    let to = to.normalize_or(from);
    if from == to {
        DQuat::IDENTITY
    } else {
        DQuat::from_rotation_arc(from, to)
    }
}

/// The custom properties of a drive.
fn drive(drive: &Drive, author_from_node: DQuat) -> Map<String, Value> {
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
    // Doors and movers name this property differently.
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
    extras
}
