//! Edits of a file. Its text and its buffers are changed in place, so that all other content is preserved, even
//! content that is unknown to us.
//!
//! - `package` packs a file and the files beside it into one .glb;
//! - `text` changes elements of the JSON text;
//! - `geometry` changes triangles and corners, with `numbers`, which reads and writes the buffer.

mod geometry;
mod numbers;
pub(crate) mod package;
mod text;

use crate::gltf::read::scene::{Origin, Origins};
use crate::gltf::read::{Reading, container, document};
use crate::problems::{Mend, Problem, Problems};
use numbers::Numbers;
use text::TextChanges;

/// Where in a file the triangles and portals are that fixes refer to.
pub(crate) struct Places {
    origins: Origins,
    /// For each portal of the source its node.
    portals: Vec<String>,
}

impl Places {
    /// Takes the origins out of what was read from a file; afterwards `reading` has none.
    pub(crate) fn take_from(reading: &mut Reading) -> Self {
        let portals = reading.source.portals.iter();
        Self {
            portals: portals.map(|portal| portal.node.clone()).collect(),
            origins: std::mem::take(&mut reading.origins),
        }
    }

    /// The triangles of a node's portal, each with its index in its primitive. None if several portals have this node
    /// name.
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

/// The bytes of a .glb with the fixes; `None` if nothing changes.
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
