//! Door panels: which portal each closes, and whether it hides what is behind.

use std::ops::Range;

use glam::DVec3;

use super::meshes::{append_draws, append_solids, to_level};
use crate::geometry::{Aabb, Triangle};
use crate::level::{
    Alpha, DoorPanel, DoorSource, Draw, Level, LevelSource, Link, LinkId, MeshSource, Problems,
};

/// A panel may end this far from the sides of its opening, metres: the play that a door has.
const PLAY: f64 = 0.02;
/// A panel stands in an opening that it comes so near to, metres.
const TOUCH: f64 = 0.05;
/// What is nearer than this to the plane through a panel's middle, metres, lies on neither side.
const IN_MIDDLE: f64 = 1e-3;
/// A face that turns less than this towards an opening, the cosine of the angle, hides nothing.
const EDGE_ON: f64 = 0.01;

/// Gives each door panel to the link that it stands in.
pub(super) fn add_doors(level: &mut Level, source: &LevelSource, problems: &mut Problems) {
    let mut doors: Vec<&DoorSource> = source.doors.iter().collect();
    doors.sort_by(|a, b| a.node.cmp(&b.node));
    let openings = Openings::of(level);
    let mut panels: Vec<(usize, &DoorSource)> = Vec::new();
    let mut leaf_of: Vec<Option<&str>> = vec![None; level.links.len()];
    for door in doors {
        let Some(link) = link_through(level, &openings, door) else {
            let message = "no portal of its room passes through this door panel; put the panel into the opening, touching the portal, or give a door that never opens another name";
            problems.error("door-without-portal", &door.node, message);
            continue;
        };
        if let Some(other) = leaf_of[link] {
            let message = format!("the portal already has the panel `{other}`; join the two");
            problems.error("door-twice", &door.node, message);
            continue;
        }
        leaf_of[link] = Some(&door.node);
        panels.push((link, door));
    }
    let meshes = panels.iter().map(|(_, door)| door.meshes.iter().collect());
    let meshes: Vec<Vec<&MeshSource>> = meshes.collect();
    let sets: Vec<&[&MeshSource]> = meshes.iter().map(Vec::as_slice).collect();
    let packed = append_solids(level, &sets);
    for (((link, door), meshes), packed) in panels.into_iter().zip(sets).zip(packed) {
        let [near, far] = sides_of_leaf(level, link, meshes);
        let (near, near_bounds) = append_draws(level, &near.iter().collect::<Vec<_>>());
        let (far, far_bounds) = append_draws(level, &far.iter().collect::<Vec<_>>());
        let drawn_bounds = near_bounds.union(far_bounds);
        for room in [level.links[link].near, level.links[link].far] {
            let room = &mut level.rooms[room.0 as usize];
            room.bounds = room.bounds.union(drawn_bounds);
        }
        let draws = near.start..far.end;
        let gap = gap(level, &level.links[link], draws.clone());
        if let Some(gap) = &gap {
            problems.warn("door-with-gap", &door.node, gap.clone());
        }
        level.links[link].panel = Some(DoorPanel {
            name: door.node.clone(),
            index: 0,
            solids: packed.set,
            see_through: gap.is_some() || is_clear(level, draws.clone()),
            draws,
            far_draws: far.start,
        });
    }
    let mut index = 0;
    for (id, link) in (0..).map(LinkId).zip(&mut level.links) {
        let Some(panel) = &mut link.panel else {
            continue;
        };
        panel.index = index;
        index += 1;
        for room in [link.near, link.far] {
            level.rooms[room.0 as usize].doors.push(id);
        }
    }
    for link in level.measure_barriers() {
        let message = "the door panel reaches into more than 64 rooms; make it no larger than its opening, or give it another name";
        let node = level
            .link(link)
            .panel
            .as_ref()
            .map_or("", |panel| &panel.name);
        problems.error("door-too-large", node, message);
    }
}

/// The openings of the links at each room, in order along the axis in which they spread the most:
/// many door panels find their own without a look at every opening for each.
struct Openings {
    /// Box around each link's opening, as far as a panel touches it.
    bounds: Vec<Aabb>,
    rooms: Vec<OpeningsOfRoom>,
}

#[derive(Clone, Default)]
struct OpeningsOfRoom {
    axis: usize,
    /// Index of each link, where its box starts and where the last of the boxes up to it ends.
    links: Vec<(usize, f64, f64)>,
}

impl Openings {
    fn of(level: &Level) -> Self {
        let polygon = |link: &Link| level.portal(link.portal).polygon.bounds().grown(TOUCH);
        let bounds: Vec<Aabb> = level.links.iter().map(polygon).collect();
        let mut rooms = vec![OpeningsOfRoom::default(); level.rooms.len()];
        for (index, link) in level.links.iter().enumerate() {
            for room in [link.near, link.far] {
                rooms[room.0 as usize].links.push((index, 0.0, 0.0));
            }
        }
        for OpeningsOfRoom { axis, links } in &mut rooms {
            let all = links.iter().map(|(link, ..)| bounds[*link]);
            let around = all.fold(Aabb::EMPTY, Aabb::union);
            *axis = (around.max - around.min).max_position();
            for (link, start, _) in links.iter_mut() {
                *start = bounds[*link].min[*axis];
            }
            links.sort_by(|a, b| a.1.total_cmp(&b.1));
            let mut last = f64::NEG_INFINITY;
            for (link, _, end) in links {
                last = last.max(bounds[*link].max[*axis]);
                *end = last;
            }
        }
        Self { bounds, rooms }
    }

    /// The links at a room whose opening a box touches.
    fn touching(&self, room: usize, panel: Aabb) -> impl Iterator<Item = usize> + '_ {
        let OpeningsOfRoom { axis, links } = &self.rooms[room];
        let started = links.partition_point(|(_, start, _)| *start <= panel.max[*axis]);
        let near = links[..started].iter().rev();
        let near = near.take_while(move |(.., end)| *end >= panel.min[*axis]);
        let near = near.map(|(link, ..)| *link);
        near.filter(move |&link| self.bounds[link].overlaps(&panel))
    }
}

/// The link whose opening has its middle nearest to that of a door panel, among those of its room
/// that the panel touches.
fn link_through(level: &Level, openings: &Openings, door: &DoorSource) -> Option<usize> {
    let corners = door.meshes.iter().flat_map(|mesh| &mesh.positions);
    let bounds = Aabb::around(corners.map(|&p| to_level(p, level.origin).as_dvec3()));
    let touched = openings.touching(door.meshes.first()?.room, bounds);
    let off = |link: usize| {
        let polygon = &level.portal(level.links[link].portal).polygon;
        (polygon.centre() - bounds.centre()).length()
    };
    let by_distance = touched.map(|link| (off(link), link));
    by_distance
        .min_by(|a, b| a.0.total_cmp(&b.0).then(a.1.cmp(&b.1)))
        .map(|(_, link)| link)
}

/// The meshes of a panel parted into what lies on the side of the room that its portal leaves and
/// what lies on the other, by the plane through its middle: each side has its own room's light.
/// What lies in that plane belongs to the side that it faces.
fn sides_of_leaf(level: &Level, link: usize, meshes: &[&MeshSource]) -> [Vec<MeshSource>; 2] {
    let corners = meshes.iter().flat_map(|mesh| &mesh.positions).copied();
    let middle = Aabb::around(corners).centre();
    let outwards = level.portal(level.links[link].portal).polygon.plane.normal;
    let is_near = |mesh: &MeshSource, corners: &[u32; 3]| {
        let triangle = Triangle {
            corners: corners.map(|i| mesh.positions[i as usize]),
        };
        let centre = triangle.corners.iter().sum::<DVec3>() / 3.0;
        let height = outwards.dot(centre - middle);
        if height.abs() > IN_MIDDLE {
            height < 0.0
        } else {
            outwards.dot(triangle.cross()) < 0.0
        }
    };
    [true, false].map(|near| {
        let of_side = meshes.iter().map(|mesh| {
            let triangles = mesh.triangles.iter().copied();
            MeshSource {
                triangles: triangles.filter(|t| is_near(mesh, t) == near).collect(),
                ..(*mesh).clone()
            }
        });
        of_side.collect()
    })
}

/// Whether a panel has parts that blend or holes in its texture.
fn is_clear(level: &Level, draws: Range<u32>) -> bool {
    let mut draws = level.draws[draws.start as usize..draws.end as usize].iter();
    draws.any(|draw| level.materials[draw.material as usize].alpha != Alpha::Opaque)
}

/// Where one can see past a panel, with the cure, if that is plain. What a panel covers is told from
/// its reach alone: all that is said is true, but a panel with a hole in its middle goes unnoticed.
fn gap(level: &Level, link: &Link, draws: Range<u32>) -> Option<String> {
    let draws = &level.draws[draws.start as usize..draws.end as usize];
    let material = |draw: &Draw| &level.materials[draw.material as usize];
    let polygon = &level.portal(link.portal).polygon;
    for (side, room) in [(1.0, link.far), (-1.0, link.near)] {
        let mut corners: Vec<DVec3> = Vec::new();
        for draw in draws {
            let indices = draw.indices.start as usize..draw.indices.end as usize;
            for triangle in level.indices[indices].as_chunks::<3>().0 {
                let triangle = Triangle {
                    corners: triangle.map(|i| level.vertices[i as usize].position.as_dvec3()),
                };
                let (cross, two_sided) = (triangle.cross(), material(draw).double_sided);
                let turned = side * cross.dot(polygon.plane.normal);
                let turned = if two_sided { turned.abs() } else { turned };
                if turned > EDGE_ON * cross.length() {
                    corners.extend(triangle.corners);
                }
            }
        }
        let sides = polygon
            .vertices
            .iter()
            .zip(polygon.vertices.iter().cycle().skip(1));
        for (&from, &to) in sides {
            let out = (to - from).cross(polygon.plane.normal).normalize_or_zero();
            let beyond = corners.iter().map(|&p| out.dot(p - from));
            if beyond.fold(f64::NEG_INFINITY, f64::max) < -PLAY {
                let at = (from + to) * 0.5 + level.origin;
                return Some(format!(
                    "seen from room `{}` this panel panels a gap at the side of the opening around ({:.2}, {:.2}, {:.2}), so that it hides nothing and lets light through; make it fill the opening, with faces towards both rooms",
                    level.room(room).name,
                    at.x,
                    at.y,
                    at.z
                ));
            }
        }
    }
    None
}
