//! The bodies in the hands of characters.

use glam::DVec3;

use crate::level::BodyId;
use crate::save::{Saved, StateReader, saved};

/// A body in the hands of a character. It passes through all characters.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Held {
    pub body: BodyId,
    /// The grip point, in coordinates of the body, metres.
    pub grip: DVec3,
    /// Whether the body is released but still overlaps a character. A released body is not carried; once it is clear
    /// of all characters, it becomes solid to them again.
    pub is_released: bool,
}

saved!(Held {
    body,
    grip,
    is_released
});

/// Per character: the body in its hands. No two characters hold the same body.
#[derive(Debug, Default, PartialEq)]
pub(super) struct Hands(Vec<Option<Held>>);

impl Clone for Hands {
    fn clone(&self) -> Self {
        Self(self.0.clone())
    }

    /// Allocates nothing if both have the same number of characters.
    fn clone_from(&mut self, source: &Self) {
        self.0.clone_from(&source.0);
    }
}

impl Saved for Hands {
    fn save(&self, to: &mut Vec<u8>) {
        self.0.save(to);
    }

    fn load(from: &mut StateReader) -> Option<Self> {
        let hands = Self(Vec::load(from)?);
        hands.are_apart().then_some(hands)
    }
}

impl Hands {
    /// The number of characters.
    pub(super) fn count(&self) -> usize {
        self.0.len()
    }

    /// The body in the hands of a character.
    pub(super) fn of(&self, character: usize) -> Option<Held> {
        self.0.get(character).copied().flatten()
    }

    /// The bodies in the hands of all characters.
    pub(super) fn bodies(&self) -> impl Iterator<Item = BodyId> {
        self.0.iter().flatten().map(|held| held.body)
    }

    /// Whether no body is in the hands of two characters.
    fn are_apart(&self) -> bool {
        let mut bodies = self.bodies().enumerate();
        bodies.all(|(index, body)| self.bodies().take(index).all(|other| other != body))
    }

    /// Sets or clears the body in the hands of a character. A new character is added.
    pub(super) fn set(&mut self, character: usize, held: Option<Held>) {
        if self.0.len() <= character {
            self.0.resize(character + 1, None);
        }
        self.0[character] = held;
    }

    /// Removes a body from all hands.
    pub(super) fn drop_body(&mut self, id: BodyId) {
        for held in &mut self.0 {
            *held = held.filter(|held| held.body != id);
        }
    }

    /// Removes a character; the characters after it move up by one.
    pub(super) fn remove(&mut self, character: usize) {
        self.0.remove(character);
    }
}
