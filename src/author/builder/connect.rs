//! Cuts an opening through the walls of two rooms.

use glam::DVec3;

use super::opening::{Door, Opening};
use super::polygon::{FlatFace, Loop, TOLERANCE, area, edges, is_convex, normal_of, snapped};
use super::{BuilderError, LevelBuilder, RoomKey, RoomShell, meshes};
use crate::level::Track;
use crate::source::{MoverSource, PortalSource};

/// Maximum thickness of a wall, and maximum distance between an opening and the wall, metres.
const MAX_WALL: f64 = 4.0;
/// Maximum difference between 1 and the cosine of the angle between parallel walls.
const PARALLEL: f64 = 1e-9;

/// Width of the step in the reveal against which a door closes, metres. The near room's half of the doorway is narrower
/// by this width on each side.
const DOOR_STEP: f64 = 0.012;
/// Gap between the panel and the reveal around it, metres.
const PANEL_PLAY: f64 = 0.004;
/// Gap between the panel and the step, metres.
const PANEL_GAP: f64 = 0.003;
/// Thickness of the panel, metres.
const PANEL_THICKNESS: f64 = 0.04;
/// Minimum width and height of a doorway with a door, metres.
const MIN_DOOR: f64 = 0.3;

impl LevelBuilder {
    /// Cuts an opening through the walls between two rooms, gives each room half of the reveal, and places a portal in
    /// the middle. The opening may lie anywhere between the walls, which must be parallel and at most 4 m apart. Walls
    /// that touch have no reveal.
    ///
    /// # Errors
    /// If no flat part of a wall contains the whole opening, or the opening's shape is invalid. Then nothing is cut.
    pub fn connect(
        &mut self,
        near: RoomKey,
        far: RoomKey,
        opening: &Opening,
    ) -> Result<(), BuilderError> {
        let [near, far] = [
            self.room_index(near, "opening")?,
            self.room_index(far, "opening")?,
        ];
        let names = [near, far].map(|room| self.parts.rooms[room].name.clone());
        if near == far {
            let [room, _] = names;
            return Err(BuilderError::IntoItself { room });
        }
        let cut = WallCuts::find(&self.rooms[near], &self.rooms[far], opening, &names)?;
        if let Some(door) = &opening.door {
            let material = self.material_index(door.material, &door.name)?;
            let panel = cut.panel(door, far, material)?;
            self.take_name(&door.name, "door")?;
            self.parts.movers.push(panel);
        }
        let portal = cut.portal();
        let [near_name, far_name] = names;
        self.parts.portals.push(PortalSource {
            node: format!("{far_name}*{near_name}_{}-portal", self.parts.portals.len()),
            room: near,
            dest: far_name,
            two_way: opening.two_way,
            far_from_near: opening.far_from_near,
            leads_to: None,
            triangles: (2..portal.len())
                .map(|i| [portal[0], portal[i - 1], portal[i]])
                .collect(),
        });
        cut.near.apply(&mut self.rooms[near]);
        cut.far.apply(&mut self.rooms[far]);
        Ok(())
    }
}

/// The holes to cut in the walls of two rooms.
struct WallCuts {
    near: WallHole,
    far: WallHole,
}

/// A hole in the wall of a room. All coordinates are those of the room.
struct WallHole {
    /// The index of the face.
    face: usize,
    /// The pieces of the face that remain around the hole.
    left: Vec<Loop>,
    /// Unit normal of the wall, pointing into the room.
    normal: DVec3,
    /// The outline of the hole in the wall, counter-clockwise seen from inside the room.
    rim: Loop,
    /// The outline of the hole in the plane midway between the walls.
    middle: Loop,
    /// If the other room's half of the opening is narrower: the part of the midway plane around it, which closes the
    /// gap.
    step: Option<FlatFace>,
}

impl WallCuts {
    /// Finds the walls and the holes to cut. `names` are the names of the rooms, for messages.
    fn find(
        near: &RoomShell,
        far: &RoomShell,
        opening: &Opening,
        names: &[String; 2],
    ) -> Result<Self, BuilderError> {
        let [near_name, far_name] = names;
        let far_from_near = opening.far_from_near;
        let at = opening.corners.iter().sum::<DVec3>() / opening.corners.len().max(1) as f64;
        let no_wall = |room: &String| BuilderError::NoWall {
            room: room.clone(),
            near: near_name.clone(),
            far: far_name.clone(),
            at,
        };
        let bad_shape = || BuilderError::OpeningShape {
            near: near_name.clone(),
            far: far_name.clone(),
        };
        let mut corners = opening.corners.clone();
        corners.dedup();
        let normal = normal_of(&corners);
        let first = *corners.first().ok_or_else(bad_shape)?;
        let is_flat = |p: &DVec3| normal.dot(*p - first).abs() <= 1e-4;
        let is_good = at.is_finite() && is_convex(&corners, normal) && corners.iter().all(is_flat);
        if !is_good || area(&corners, normal) < TOLERANCE {
            return Err(bad_shape());
        }

        // With a door, the hole in the near room is narrower.
        let door = opening.door.as_ref();
        let narrow = match door {
            Some(door) => inset_doorway(&corners, DOOR_STEP).ok_or_else(|| door_shape(door))?,
            None => corners.clone(),
        };
        let near_wall = HostWall::find(near, &narrow, normal, |_, face| face.distance(at).abs());
        let near_wall = near_wall.ok_or_else(|| no_wall(near_name))?;
        let out = -near.faces[near_wall.face].normal;
        let project_near = |p: &DVec3| near.faces[near_wall.face].project(*p);

        let wide: Loop = corners.iter().map(project_near).collect();
        let wide_far: Loop = wide.iter().map(|p| far_from_near.point(*p)).collect();
        let out_far = far_from_near.vector(out);
        let far_wall = HostWall::find(far, &wide_far, out_far, |corner, face| {
            let ahead = face.normal.dot(out_far) > 0.0;
            let behind = -face.distance(corner);
            if ahead && behind >= -TOLERANCE {
                behind
            } else {
                f64::INFINITY
            }
        });
        let far_wall = far_wall.ok_or_else(|| no_wall(far_name))?;
        let to_near = far_from_near.inverse();
        let project_far = |p: DVec3| {
            let face = &far.faces[far_wall.face];
            to_near.point(face.project(far_from_near.point(p)))
        };
        let to_middle = |p: &DVec3| 0.5 * (*p + project_far(*p));
        let into_far = |p: DVec3| far_from_near.point(p);

        let middle: Loop = near_wall.rim.iter().map(to_middle).collect();
        // The portal's corners in the far room. They replace the equal corners of the far half, so that both match bit
        // for bit.
        let portal: Loop = middle.iter().map(|p| into_far(*p)).collect();
        let far_middle = far_wall.rim.iter().map(|p| {
            let corner = into_far(to_middle(&project_near(&to_near.point(*p))));
            snapped(corner, &portal)
        });
        let far_middle: Loop = far_middle.collect();
        let step = door.and_then(|_| {
            let mut face = FlatFace::new(far_middle.clone());
            let hole: Loop = portal.iter().rev().copied().collect();
            face.pieces = face.without(&hole)?;
            Some(face)
        });
        Ok(Self {
            near: near_wall.into_hole(near, middle, None),
            far: far_wall.into_hole(far, far_middle, step),
        })
    }

    /// The portal polygon; its front faces out of the near room.
    fn portal(&self) -> Loop {
        self.near.middle.iter().rev().copied().collect()
    }

    /// The panel of a door, in the far room.
    fn panel(&self, door: &Door, far: usize, material: usize) -> Result<MoverSource, BuilderError> {
        // This normal points in the direction of passage. Seen along it, right and left are exchanged, compared with
        // the view from inside the far room.
        let out = self.far.normal;
        let outline =
            inset_doorway(&self.far.middle, PANEL_PLAY).ok_or_else(|| door_shape(door))?;
        let front: Loop = outline.iter().map(|p| *p + out * PANEL_GAP).collect();
        let shape = super::BuilderShape::extrusion(&front, out * PANEL_THICKNESS);
        let faces = shape.faces(&door.name, false)?;
        let faces = faces.into_iter().map(|face| (face, material)).collect();
        let node = format!("{}-door", door.name);
        let right = out.cross(DVec3::Y);
        let side = if door.hinge_right { right } else { -right };
        let hinge = front.iter().copied().max_by(|a, b| {
            let along = |p: &DVec3| side.dot(*p) - TOLERANCE * p.y;
            along(a).total_cmp(&along(b))
        });
        let quarter = std::f64::consts::FRAC_PI_2;
        Ok(MoverSource {
            meshes: meshes(far, &node, faces),
            node,
            is_door: true,
            track: Track::Turn {
                pivot: hinge.unwrap_or_default() + out * PANEL_THICKNESS,
                axis: if door.hinge_right {
                    DVec3::NEG_Y
                } else {
                    DVec3::Y
                },
                angle: quarter,
            },
            drive: door.drive.clone(),
            moved_rooms: Vec::new(),
            moves_with: None,
        })
    }
}

impl WallHole {
    /// Cuts the hole, and adds the room's part of the reveal.
    fn apply(self, shell: &mut RoomShell) {
        shell.faces[self.face].pieces = self.left;
        let sides = edges(&self.rim).zip(edges(&self.middle));
        let reveal = sides.filter(|((a, _), (c, _))| a.distance(*c) > TOLERANCE);
        let reveal = reveal.map(|((a, b), (c, d))| FlatFace::new(vec![a, b, d, c]));
        shell.faces.extend(reveal);
        shell.faces.extend(self.step);
    }
}

/// A wall that contains the whole opening.
struct HostWall {
    face: usize,
    left: Vec<Loop>,
    rim: Loop,
}

impl HostWall {
    /// The nearest face that is parallel to an opening and contains it. `distance` is measured from the opening's first
    /// corner.
    fn find(
        shell: &RoomShell,
        opening: &[DVec3],
        normal: DVec3,
        distance: impl Fn(DVec3, &FlatFace) -> f64,
    ) -> Option<Self> {
        let first = *opening.first()?;
        let walls = shell.faces.iter().enumerate().filter_map(|(index, face)| {
            let is_parallel = face.normal.dot(normal).abs() >= 1.0 - PARALLEL;
            let distance = distance(first, face);
            if !is_parallel || distance > MAX_WALL {
                return None;
            }
            let mut rim: Loop = opening.iter().map(|p| face.project(*p)).collect();
            if normal_of(&rim).dot(face.normal) < 0.0 {
                rim.reverse();
            }
            let left = face.without(&rim)?;
            let face = index;
            Some((distance, Self { face, left, rim }))
        });
        let nearest = walls.min_by(|(a, _), (b, _)| a.total_cmp(b));
        nearest.map(|(_, wall)| wall)
    }

    fn into_hole(self, shell: &RoomShell, middle: Loop, step: Option<FlatFace>) -> WallHole {
        WallHole {
            normal: shell.faces[self.face].normal,
            face: self.face,
            left: self.left,
            rim: self.rim,
            middle,
            step,
        }
    }
}

/// An upright rectangle, made smaller on all sides by `by`; its corners keep their order. `None` if the polygon is not
/// an upright rectangle, or is too small.
fn inset_doorway(corners: &[DVec3], by: f64) -> Option<Loop> {
    let centre = corners.iter().sum::<DVec3>() / 4.0;
    let sides: Vec<DVec3> = edges(corners).map(|(a, b)| b - a).collect();
    let is_straight = sides
        .iter()
        .all(|e| e.y.abs() < TOLERANCE || (e.x.abs() < TOLERANCE && e.z.abs() < TOLERANCE));
    let is_large = sides.iter().all(|e| e.length() >= MIN_DOOR);
    if corners.len() != 4 || !is_straight || !is_large {
        return None;
    }
    let across = sides
        .iter()
        .map(|e| DVec3::new(e.x, 0.0, e.z))
        .find(|e| e.length() >= MIN_DOOR)?;
    let across = across / across.length();
    let inset = corners.iter().map(|p| {
        let from_centre = *p - centre;
        *p - across * (by * across.dot(from_centre).signum())
            - DVec3::Y * (by * from_centre.y.signum())
    });
    Some(inset.collect())
}

fn door_shape(door: &Door) -> BuilderError {
    BuilderError::DoorShape {
        node: format!("{}-door", door.name),
    }
}
