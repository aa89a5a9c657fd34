//! One number for the whole state, to compare runs bit for bit.

use super::state::{Game, Standing};
use crate::hash::Fnv64;
use crate::level::Level;

impl Fnv64 {
    /// The bits of a number; the two zeros, which compare equal, count as one.
    fn number(self, x: f64) -> Self {
        self.bytes(&(x + 0.0).to_bits().to_le_bytes())
    }

    /// A name and its end, so that `ab` `c` differs from `a` `bc`.
    fn name(self, name: &str) -> Self {
        self.bytes(name.as_bytes()).bytes(&[0xff])
    }
}

impl Game {
    /// A number that is equal for equal states. It holds names and coordinates, and no index of
    /// anything, so that the order of a file cannot show in it.
    pub fn state_hash(&self, level: &Level) -> u64 {
        let state = &self.actor.state;
        let vectors = [state.at.point, state.walk, state.fall];
        let mut hash = Fnv64::EMPTY.name(&level.room(state.at.room).name);
        for number in vectors.iter().flat_map(|v| v.to_array()) {
            hash = hash.number(number);
        }
        hash = hash
            .number(self.yaw)
            .number(self.pitch)
            .bytes(&[u8::from(state.grounded)]);
        if self.crouched {
            hash = hash.name("crouched");
        }
        if self.actor.body.segment_length != self.standing_segment_length {
            hash = hash.number(self.actor.body.segment_length);
        }
        if self.times_left > 0 {
            // Where the body was put back, it will be again.
            let Standing {
                state,
                segment_length,
            } = &self.last_standing;
            hash = hash
                .name(&level.room(state.at.room).name)
                .bytes(&self.times_left.to_le_bytes())
                .number(*segment_length);
            for number in state.at.point.to_array() {
                hash = hash.number(number);
            }
        }
        // A sum, so that the order of the links does not matter.
        let closed = self.world.closed().map(|id| {
            let link = level.link(id);
            Fnv64::EMPTY
                .name(&link.name)
                .name(&level.room(link.near).name)
                .name(&level.room(link.far).name)
                .0
        });
        let closed = closed.fold(0, u64::wrapping_add);
        hash.bytes(&closed.to_le_bytes()).0
    }
}
