//! The participants of a tick of bodies, and the keys of their contacts.

use crate::level::BodyId;
use crate::save::{Saved, StateReader};

/// A body of the level or a character: both take part in a tick as bodies. Bodies come before characters.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Participant {
    Body(BodyId),
    /// The index among the characters.
    Character(u32),
}

impl Participant {
    /// The body; `None` for a character.
    pub(crate) fn body(self) -> Option<BodyId> {
        match self {
            Self::Body(id) => Some(id),
            Self::Character(_) => None,
        }
    }

    pub(crate) fn is_character(self) -> bool {
        self.body().is_none()
    }

    /// The index in lists of all bodies of a level, followed by the characters.
    pub(crate) fn slot(self, body_count: usize) -> usize {
        match self {
            Self::Body(BodyId(index)) => index as usize,
            Self::Character(index) => body_count + index as usize,
        }
    }
}

/// A key for a pair in contact that stays the same from tick to tick. In the world's state, and so in saved games,
/// the first side is a body.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct ContactKey {
    /// The first side; of two participants the lower one, but not a kinematic body.
    pub first: Participant,
    /// The other side: its kind in the upper half, its index in the lower half. Kinds of surfaces are lower than those of
    /// participants.
    pub other: u64,
}

/// The kind of bodies in [`ContactKey::other`].
const KIND_OF_BODY: u64 = 3;
/// The kind of characters in [`ContactKey::other`].
const KIND_OF_CHARACTER: u64 = 4;

impl Saved for ContactKey {
    fn save(&self, to: &mut Vec<u8>) {
        self.first.body().save(to);
        self.other.save(to);
    }

    /// Rejects contacts with bodies that the level does not have.
    fn load(from: &mut StateReader) -> Option<Self> {
        let count = from.level?.bodies.len();
        let key = Self {
            first: Participant::Body(Option::load(from)??),
            other: u64::load(from)?,
        };
        let other = key.other_body();
        let has_other = other.is_none_or(|BodyId(index)| (index as usize) < count);
        has_other.then_some(key)
    }
}

impl ContactKey {
    /// The value of [`Self::other`] for a participant.
    pub(crate) fn code_of(participant: Participant) -> u64 {
        match participant {
            Participant::Body(BodyId(index)) => KIND_OF_BODY << 32 | u64::from(index),
            Participant::Character(index) => KIND_OF_CHARACTER << 32 | u64::from(index),
        }
    }

    /// The other side, if it is a body.
    pub(crate) fn other_body(&self) -> Option<BodyId> {
        (self.other >> 32 == KIND_OF_BODY).then_some(BodyId(self.other as u32))
    }

    /// Whether the other side is a body or a character.
    pub(crate) fn has_other_participant(&self) -> bool {
        self.other >> 32 >= KIND_OF_BODY
    }

    /// Whether a side is a character.
    pub(crate) fn has_character(&self) -> bool {
        self.first.is_character() || self.other >> 32 == KIND_OF_CHARACTER
    }

    /// The bodies in contact.
    pub(crate) fn bodies(&self) -> impl Iterator<Item = BodyId> {
        [self.first.body(), self.other_body()].into_iter().flatten()
    }
}
