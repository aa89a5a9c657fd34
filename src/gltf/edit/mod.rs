//! Edits of a file: its text and its buffers are changed in place, so that all other content, known to us or not, is
//! preserved.
//!
//! - `package` makes one .glb of a file and the files beside it;
//! - `text` changes elements of the JSON text, `geometry` changes the `numbers` of the buffer.

mod geometry;
mod numbers;
pub(crate) mod package;
mod text;

use crate::gltf::read::scene::{Origin, Origins};
use crate::gltf::read::{Reading, container, document};
use crate::problems::{Mend, Problem, Problems};
use numbers::Numbers;
use text::TextChanges;

/// The positions in a file of the triangles and portals that mends refer to.
pub(crate) struct Places {
    origins: Origins,
    /// The nodes of the portals of the source.
    portals: Vec<String>,
}

impl Places {
    /// Takes the origins out of the reading of a file. The reading has none afterwards.
    pub(crate) fn take_from(reading: &mut Reading) -> Self {
        let portals = reading.source.portals.iter();
        Self {
            portals: portals.map(|portal| portal.node.clone()).collect(),
            origins: std::mem::take(&mut reading.origins),
        }
    }

    /// Triangles of the portal of a node, each with its index in its primitive; none if several portals have that name.
    fn of_portal(&self, node: &str, which: Option<&[u32]>) -> Vec<(Origin, u32)> {
        let mut named = (0..).zip(&self.portals).filter(|(_, name)| *name == node);
        let (Some((portal, _)), None) = (named.next(), named.next()) else {
            return Vec::new();
        };
        let parts = self.origins.portals.iter();
        let parts = parts
            .filter(|(of, _)| *of == portal)
            .map(|(_, origin)| origin);
        let triangles = parts.flat_map(|part| (0..part.triangles as u32).map(|t| (*part, t)));
        let indexed = (0..).zip(triangles);
        let is_meant = |index: u32| which.is_none_or(|which| which.contains(&index));
        indexed
            .filter(|(index, _)| is_meant(*index))
            .map(|(_, triangle)| triangle)
            .collect()
    }
}

/// The bytes of a .glb after mending; `None` if nothing changes.
pub(crate) fn apply(glb: &[u8], mends: &[Problem], places: &Places) -> Option<Vec<u8>> {
    let chunks = container::split(glb).ok()?;
    let document = document::parse(chunks.json, &mut Problems::default())?;
    let text = std::str::from_utf8(chunks.json).ok()?;
    let mut names = TextChanges::default();
    let mesh = |index: u32| places.origins.meshes.get(index as usize);
    let mut turned = geometry::Turned::default();
    let mut moved = geometry::Moved::default();
    for problem in mends {
        match &problem.mend {
            Some(Mend::Turn(triangles)) => {
                for &[of, triangle] in triangles {
                    turned.extend(mesh(of).map(|origin| (*origin, triangle)));
                }
            }
            Some(Mend::TurnPortal(which)) => {
                turned.extend(places.of_portal(&problem.node, which.as_deref()));
            }
            Some(Mend::MovePortal(corners)) => {
                let triangles = places.of_portal(&problem.node, None);
                for &([triangle, corner], to) in corners {
                    let at = triangles.get(triangle as usize);
                    moved.extend(at.map(|(origin, triangle)| (*origin, [*triangle, corner], to)));
                }
            }
            Some(Mend::Move(corners)) => {
                for &([of, triangle, corner], to) in corners {
                    moved.extend(mesh(of).map(|origin| (*origin, [triangle, corner], to)));
                }
            }
            Some(Mend::Rename { node, name }) => {
                text::rename(&document.root, (*node, name), &mut names);
            }
            None => {}
        }
    }
    let mut numbers = Numbers::of(document.root, chunks.binary.unwrap_or_default());
    numbers.turn(turned);
    numbers.move_corners(moved);
    if names.is_empty() && !numbers.is_changed {
        return None;
    }
    let (binary, changes) = numbers.finish();
    let text = changes.applied(&names.applied(text)?)?;
    container::join(text.as_bytes(), &binary, chunks.rest)
}
