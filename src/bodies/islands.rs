//! Islands: connected components of bodies that touch each other.
//!
//! Union-find with path halving (R. Tarjan, J. van Leeuwen, "Worst-Case Analysis of Set Union Algorithms", 1984).

use super::contacts::BodyContact;

/// Islands of bodies by their indices. The lowest body of an island identifies it.
#[derive(Debug, Default)]
pub(super) struct Islands {
    /// A body with a lower index in the same island, for each body; the body itself if it is the lowest.
    lower: Vec<u32>,
    /// The buffer of `count`.
    counted: Vec<bool>,
}

impl Islands {
    /// Makes an island of each of `count` bodies.
    pub(super) fn reset(&mut self, count: usize) {
        self.lower.clear();
        self.add(count);
    }

    /// Finds the islands of `count` bodies.
    pub(super) fn find<'c>(
        &mut self,
        count: usize,
        contacts: impl Iterator<Item = &'c BodyContact>,
    ) {
        self.reset(count);
        for contact in contacts {
            if let Some(b) = contact.b {
                self.unite(contact.a, b);
            }
        }
    }

    /// The number of islands that contain these bodies.
    pub(super) fn count(&mut self, bodies: impl Iterator<Item = u32>) -> usize {
        self.counted.clear();
        self.counted.resize(self.lower.len(), false);
        let mut count = 0;
        for body in bodies {
            let root = self.root_of(body) as usize;
            count += usize::from(!std::mem::replace(&mut self.counted[root], true));
        }
        count
    }

    /// Adds bodies without contacts, so that there are `count`.
    pub(super) fn add(&mut self, count: usize) {
        self.lower.extend(self.lower.len() as u32..count as u32);
    }

    /// Merges the islands of two bodies. Returns the lowest body index of each of the two former islands, in ascending
    /// order. The first is also the lowest of the merged island.
    pub(super) fn unite(&mut self, a: u32, b: u32) -> [u32; 2] {
        let roots = [a, b].map(|index| self.root_of(index));
        let [low, high] = [roots[0].min(roots[1]), roots[0].max(roots[1])];
        self.lower[high as usize] = low;
        [low, high]
    }

    /// The lowest body index in the island of a body.
    pub(super) fn root_of(&mut self, mut index: u32) -> u32 {
        while self.lower[index as usize] != index {
            let lower = self.lower[index as usize];
            self.lower[index as usize] = self.lower[lower as usize];
            index = self.lower[index as usize];
        }
        index
    }
}
