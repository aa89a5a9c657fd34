//! The memory of ticks of bodies.

use std::collections::BinaryHeap;

use super::characters::CharacterBodies;
use super::contacts::Contact;
use super::impact::{Impact, Struck};
use super::moving::Moving;
use super::near::Near;
use super::pairs::{Entry, Pair};
use super::solver::{Constraint, Shift};
use crate::collision::Candidates;
use crate::level::{MoverId, Walk};
use crate::shapes::Manifold;

/// What ticks of bodies keep for later ones: nothing in it changes what they do.
#[derive(Debug, Default)]
pub struct BodyWorkspace {
    /// Per body of the level, the triangles near it.
    pub(super) near: Vec<Near>,
    pub(super) gathered: Candidates,
    pub(super) moving: Vec<Moving>,
    pub(super) walk: Walk<()>,
    pub(super) entries: Vec<Entry>,
    pub(super) pairs: Vec<Pair>,
    /// Per moving body the first of its pairs in `partners`, and one past the last.
    pub(super) pairs_of: Vec<[u32; 2]>,
    pub(super) partners: Vec<u32>,
    pub(super) contacts: Vec<Contact>,
    pub(super) constraints: Vec<Constraint>,
    pub(super) shifts: Vec<Shift>,
    pub(super) impacts: BinaryHeap<Impact>,
    pub(super) manifolds: Vec<Manifold>,
    pub(super) struck: Vec<Struck>,
    /// The characters that take part in this tick.
    pub(super) entering: Vec<Moving>,
    /// The characters of the last tick.
    pub(super) characters: CharacterBodies,
    /// How far any point of a mover has moved in this tick at most, metres.
    pub(super) moved: f64,
    /// Per moving body the mover that carries it.
    pub(super) carriers: Vec<Option<MoverId>>,
    pub(super) islands: Vec<u32>,
    pub(super) quiet: Vec<bool>,
}
