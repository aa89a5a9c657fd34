//! Fixes a file where the fix is certain, repeatedly, until nothing more can be fixed.

use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;

use super::inspection::{Inspection, finish, inspect};
use crate::gltf::edit::{Places, apply, package};
use crate::gltf::read::{folder_of, name_of, read, read_level};
use crate::memo::Memo;
use crate::problems::{Mend, Problem, ProblemCode, Problems};

/// Maximum number of rounds of fixing and checking. Several are needed because a fix can reveal further problems, and
/// because a set of fixes with a bad one among them is halved until that one is isolated.
const MAX_ROUNDS: usize = 100;

/// A level file after fixing.
#[derive(Debug)]
#[non_exhaustive]
pub struct Fixed {
    /// The file as a .glb that needs no other file; `None` if it is too broken to be written again.
    pub glb: Option<Vec<u8>>,
    /// The problems that were fixed.
    pub fixed: Vec<Problem>,
    /// The result of [`super::inspect`] for the fixed file.
    pub inspection: Inspection,
}

/// Applies all certain fixes to a file: flips reversed faces, welds corners that nearly meet, corrects portals that are
/// nearly flat or self-intersecting, and corrects misspelt names. A fix is undone if its problem remains, or if it
/// causes a new problem.
pub fn fix(path: &Path) -> Fixed {
    let (name, folder) = (name_of(path), folder_of(path));
    let bytes = read_level(path).ok().and_then(Result::ok);
    match bytes.and_then(|bytes| package::of(bytes, folder)) {
        Some(bytes) => mend(&name, bytes, Some(folder)),
        None => Fixed {
            glb: None,
            fixed: Vec::new(),
            inspection: inspect(path),
        },
    }
}

/// Fixes the level in the bytes of a .glb that needs no other file, as [`fix`] does.
pub fn fix_bytes(name: &str, bytes: &[u8]) -> Fixed {
    mend(name, bytes.to_vec(), None)
}

fn mend(name: &str, mut bytes: Vec<u8>, folder: Option<&Path>) -> Fixed {
    let (mut fixed, mut given_up) = (Vec::new(), BTreeSet::new());
    let mut now = look(name, &bytes, folder);
    // Number of fixes to try together. If they cause a new problem, fewer are tried, until the fix that causes it is
    // isolated.
    let mut together = usize::MAX;
    for _ in 0..MAX_ROUNDS {
        let mut mends = mends(&now, &given_up);
        mends.truncate(together);
        let Some(mended) = apply(&bytes, &mends, &now.places) else {
            break;
        };
        let then = look(name, &mended, folder);
        let remaining: BTreeSet<ProblemKey> = then.all().map(key).collect();
        let failed = mends.iter().map(key).filter(|key| remaining.contains(key));
        let failed: Vec<ProblemKey> = failed.collect();
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

/// The identity of a problem.
type ProblemKey = (ProblemCode, String);

fn key(problem: &Problem) -> ProblemKey {
    (problem.code, problem.node.clone())
}

/// The existing problems that a fix can reveal, in the order of fixing: all fixes of the first kind are made together,
/// then those of the next.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum RevealedProblems {
    /// Any problem: a part of the file was not read as intended.
    Anything,
    /// Problems of a room's surface: the room faced outwards, and they are searched only in rooms that face inwards.
    Surface,
    Nothing,
}

impl RevealedProblems {
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

/// Whether fixes cause new problems: a code has more problems after the fixes than it had before, minus the fixed ones.
fn brings_new(before: &CheckResult, after: &CheckResult, mends: &[Problem]) -> bool {
    let counts = |look: &CheckResult| {
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
        let is_revealed = mends
            .iter()
            .any(|mend| RevealedProblems::of(mend).includes(code));
        let mended = mends.iter().filter(|mend| mend.code == code).count();
        !is_revealed && found + mended > known.get(&code).copied().unwrap_or(0)
    })
}

/// Whether problems of a code are searched only in rooms that face inwards. They concern the rooms' faces, and the
/// direction of portals.
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

/// The fixes to make next: all of the first kind, without those that failed before.
fn mends(look: &CheckResult, given_up: &BTreeSet<ProblemKey>) -> Vec<Problem> {
    let mendable = look.all();
    let mendable = mendable.filter(|p| p.mend.is_some() && !given_up.contains(&key(p)));
    let mendable: Vec<&Problem> = mendable.collect();
    let first = mendable.iter().map(|p| RevealedProblems::of(p)).min();
    let is_first = |p: &&&Problem| Some(RevealedProblems::of(p)) == first;
    mendable.iter().filter(is_first).copied().cloned().collect()
}

/// The result of checking a level.
struct CheckResult {
    inspection: Inspection,
    /// The fixable problems that are counted but not listed because there are too many.
    unlisted: Vec<Problem>,
    places: Places,
}

impl CheckResult {
    fn all(&self) -> impl Iterator<Item = &Problem> {
        let Problems {
            errors, warnings, ..
        } = &self.inspection.problems;
        errors.iter().chain(warnings).chain(&self.unlisted)
    }
}

/// Checks the level in these bytes.
fn look(name: &str, bytes: &[u8], folder: Option<&Path>) -> CheckResult {
    let mut problems = Problems::with_all_mends();
    let mut reading = read(name, bytes, (folder, &Memo::default()), &mut problems);
    let places = Places::take_from(&mut reading);
    let mut inspection = finish(reading, problems);
    CheckResult {
        unlisted: inspection.problems.take_unlisted(),
        inspection,
        places,
    }
}
