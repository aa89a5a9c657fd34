//! Mends a file where the mend is certain: its text and its buffers are changed in place, so that all else of it,
//! whether we know it or not, comes through as it was.
//!
//! - `package` makes one .glb of a file and what lies beside it;
//! - `text` changes elements of the JSON text, `geometry` the `numbers` of the buffer.

mod geometry;
mod numbers;
mod package;
mod text;

use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;

use super::scene::{Origin, Origins};
use super::{Inspection, container, document, finish, folder_of, name_of, read, read_level};
use crate::level::checks::check;
use crate::level::mend::Mend;
use crate::level::{Problem, ProblemCode, Problems};
use numbers::Numbers;
use text::Changes;

/// Times that a file is mended and checked again, at most: a mend can bring to light what was hidden behind it, and of
/// many mends one that brings a new problem is looked for.
const MAX_ROUNDS: usize = 100;

/// A level file after mending.
#[derive(Debug)]
#[non_exhaustive]
pub struct Fixed {
    /// The file as a .glb that needs no other; `None` if it is too broken to be written again.
    pub glb: Option<Vec<u8>>,
    /// What was mended: the problems that are gone.
    pub fixed: Vec<Problem>,
    /// What [`super::inspect`] finds in the mended file.
    pub inspection: Inspection,
}

/// Mends what of the file can be mended for certain: what looks the wrong way is turned over, corners that nearly
/// meet are welded, portals that are nearly flat or cross themselves are put right, names that are almost right are
/// written right. A mend after which its problem is still there, or a
/// new one is, is taken back.
pub fn fix(path: &Path) -> Fixed {
    let (name, folder) = (name_of(path), folder_of(path));
    let bytes = read_level(path).ok().and_then(Result::ok);
    match bytes.and_then(|bytes| package::of(bytes, folder)) {
        Some(bytes) => mend(&name, bytes, Some(folder)),
        None => Fixed {
            glb: None,
            fixed: Vec::new(),
            inspection: super::inspect(path),
        },
    }
}

/// Mends the level in the bytes of a .glb that needs no other file, as [`fix`] does.
pub fn fix_bytes(name: &str, bytes: &[u8]) -> Fixed {
    mend(name, bytes.to_vec(), None)
}

fn mend(name: &str, mut bytes: Vec<u8>, folder: Option<&Path>) -> Fixed {
    let (mut fixed, mut given_up) = (Vec::new(), BTreeSet::new());
    let mut now = look(name, &bytes, folder);
    // Mends that are tried together: fewer where they bring a new problem, until it is known which of them does.
    let mut together = usize::MAX;
    for _ in 0..MAX_ROUNDS {
        let mut mends = mends(&now, &given_up);
        mends.truncate(together);
        let Some(mended) = apply(&bytes, &mends, &now.places) else {
            break;
        };
        let then = look(name, &mended, folder);
        let remaining: BTreeSet<Key> = then.all().map(key).collect();
        let failed = mends.iter().map(key).filter(|key| remaining.contains(key));
        let failed: Vec<Key> = failed.collect();
        if !failed.is_empty() {
            given_up.extend(failed);
        } else if !brings_new(&now, &then, &mends) {
            fixed.extend(mends);
            (bytes, now) = (mended, then);
            together = together.saturating_mul(2);
        } else if let [mend] = mends.as_slice() {
            given_up.insert(key(mend));
        } else {
            together = mends.len() / 2;
        }
    }
    Fixed {
        glb: Some(bytes),
        fixed,
        inspection: now.inspection,
    }
}

/// What a problem is known by.
type Key = (ProblemCode, String);

fn key(problem: &Problem) -> Key {
    (problem.code, problem.node.clone())
}

/// What a mend can bring to light that was there before. Mends of the first kind are made first, and those of a kind
/// together.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Reveals {
    /// A part of the file was not read as it is meant: anything.
    Anything,
    /// A room looked outwards: problems of its surface, which are looked for in rooms that look inwards.
    Surface,
    Nothing,
}

impl Reveals {
    fn of(problem: &Problem) -> Self {
        match (&problem.mend, problem.code) {
            (Some(Mend::Rename { .. } | Mend::MovePortal(_) | Mend::TurnPortal(_)), _) => {
                Self::Anything
            }
            (_, ProblemCode::RoomInsideOut) => Self::Surface,
            _ => Self::Nothing,
        }
    }

    fn includes(self, code: ProblemCode) -> bool {
        match self {
            Self::Anything => true,
            Self::Surface => is_of_surface(code),
            Self::Nothing => false,
        }
    }
}

/// Whether mends bring problems that were not there before: more of a code than should be left of it.
fn brings_new(before: &Look, after: &Look, mends: &[Problem]) -> bool {
    let counts = |look: &Look| {
        let mut counts: BTreeMap<ProblemCode, usize> = BTreeMap::new();
        let Problems {
            errors, warnings, ..
        } = &look.inspection.problems;
        for (code, found) in errors.counts().chain(warnings.counts()) {
            *counts.entry(code).or_default() += found;
        }
        counts
    };
    let known = counts(before);
    counts(after).into_iter().any(|(code, found)| {
        let is_revealed = mends.iter().any(|mend| Reveals::of(mend).includes(code));
        let mended = mends.iter().filter(|mend| mend.code == code).count();
        !is_revealed && found + mended > known.get(&code).copied().unwrap_or(0)
    })
}

/// Whether problems of a code are looked for only in rooms that look inwards: those of their faces, and of the side of
/// portals.
fn is_of_surface(code: ProblemCode) -> bool {
    use ProblemCode as Code;
    matches!(
        code,
        Code::RoomHole
            | Code::RoomCrack
            | Code::MeshHole
            | Code::MeshInsideOut
            | Code::FacesTurned
            | Code::DuplicateTriangles
            | Code::CoplanarFaces
            | Code::PortalBackwards
            | Code::PortalGap
            | Code::PortalTooLarge
            | Code::PortalWallNotCut
            | Code::DoorwayBlocked
    )
}

/// The problems that can be mended, but those that were tried in vain: all of the kind that is made first.
fn mends(look: &Look, given_up: &BTreeSet<Key>) -> Vec<Problem> {
    let mendable = look.all();
    let mendable = mendable.filter(|p| p.mend.is_some() && !given_up.contains(&key(p)));
    let mendable: Vec<&Problem> = mendable.collect();
    let first = mendable.iter().map(|p| Reveals::of(p)).min();
    let is_first = |p: &&&Problem| Some(Reveals::of(p)) == first;
    mendable.iter().filter(is_first).copied().cloned().collect()
}

/// What is wrong with a level.
struct Look {
    inspection: Inspection,
    /// The problems with a mend that are too many to be listed.
    unlisted: Vec<Problem>,
    places: Places,
}

impl Look {
    fn all(&self) -> impl Iterator<Item = &Problem> {
        let Problems {
            errors, warnings, ..
        } = &self.inspection.problems;
        errors.iter().chain(warnings).chain(&self.unlisted)
    }
}

/// Where what mends are about stands in a file.
struct Places {
    origins: Origins,
    /// The nodes of the portals of the source.
    portals: Vec<String>,
}

/// What is wrong with a level of these bytes.
fn look(name: &str, bytes: &[u8], folder: Option<&Path>) -> Look {
    let mut problems = Problems::with_all_mends();
    let mut reading = read(name, bytes, (folder, None), &mut problems);
    let portals = reading.source.portals.iter();
    let places = Places {
        portals: portals.map(|portal| portal.node.clone()).collect(),
        origins: std::mem::take(&mut reading.origins),
    };
    let mut inspection = finish(reading, None, problems, check);
    Look {
        unlisted: inspection.problems.take_unlisted(),
        inspection,
        places,
    }
}

impl Places {
    /// Triangles of the portal of a node, each with its index in its primitive; none if several have that name.
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

/// The bytes of a .glb after mending; `None` if nothing of it changes.
fn apply(glb: &[u8], mends: &[Problem], places: &Places) -> Option<Vec<u8>> {
    let chunks = container::split(glb).ok()?;
    let document = document::parse(chunks.json, &mut Problems::default())?;
    let text = std::str::from_utf8(chunks.json).ok()?;
    let mut names = Changes::default();
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
