//! FNV-1a (Fowler, Noll, Vo): the same hash on every machine and in every version.

use glam::DVec3;

/// The 64-bit hash.
pub(crate) struct Fnv64(pub(crate) u64);

/// The 128-bit hash, for keys and file names whose collisions are not checked.
pub(crate) struct Fnv128(pub(crate) u128);

impl Fnv64 {
    /// The hash of no bytes.
    pub(crate) const EMPTY: Self = Self(0xcbf2_9ce4_8422_2325);

    /// Adds bytes to the hash.
    pub(crate) fn bytes(self, bytes: &[u8]) -> Self {
        Self(bytes.iter().fold(self.0, |hash, &byte| {
            (hash ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3)
        }))
    }

    /// Adds the bits of a number; both zeros, which compare equal, have the same hash.
    pub(crate) fn number(self, x: f64) -> Self {
        self.bytes(&(x + 0.0).to_bits().to_le_bytes())
    }

    /// Adds the components of a vector.
    pub(crate) fn vector(self, v: DVec3) -> Self {
        self.number(v.x).number(v.y).number(v.z)
    }

    /// Adds a name and a terminator, so that `ab` `c` differs from `a` `bc`.
    pub(crate) fn name(self, name: &str) -> Self {
        self.bytes(name.as_bytes()).bytes(&[0xff])
    }
}

impl Fnv128 {
    const PRIME: u128 = 0x0100_0000_0000_0000_0000_013b;

    /// Adds the bits of numbers, and their length in bytes. It processes eight bytes at a time, so the result differs from the
    /// published hash.
    pub(crate) fn words<T: bytemuck::NoUninit>(self, numbers: &[T]) -> Self {
        let bytes: &[u8] = bytemuck::cast_slice(numbers);
        let (words, rest) = bytes.as_chunks::<8>();
        let mut last = [0; 8];
        last[..rest.len()].copy_from_slice(rest);
        let words = words
            .iter()
            .chain([&last])
            .map(|word| u64::from_le_bytes(*word));
        let hash = [bytes.len() as u64]
            .into_iter()
            .chain(words)
            .fold(self.0, |hash, word| {
                let hash = (hash ^ u128::from(word)).wrapping_mul(Self::PRIME);
                // Otherwise the upper half would hardly affect the lower half.
                hash ^ hash >> 64
            });
        Self(hash)
    }

    /// The hash of no bytes.
    pub(crate) const EMPTY: Self = Self(0x6c62_272e_07bb_0142_62b8_2175_6295_c58d);

    /// Adds bytes to the hash.
    pub(crate) fn bytes(self, bytes: &[u8]) -> Self {
        Self(bytes.iter().fold(self.0, |hash, &byte| {
            (hash ^ u128::from(byte)).wrapping_mul(Self::PRIME)
        }))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lists_that_differ_anywhere_have_different_hashes() {
        let mut hashes = std::collections::BTreeSet::new();
        let mut count = 0;
        let mut add = |numbers: &[f64]| {
            hashes.insert(Fnv128::EMPTY.words(numbers).0);
            count += 1;
        };
        for len in 0..5 {
            let zeros = vec![0.0; len];
            add(&zeros);
            // Single bits, and pairs of bits, also in different numbers.
            for a in 0..64 * len {
                for b in 0..=a {
                    let mut numbers: Vec<u64> = vec![0; len];
                    numbers[a / 64] |= 1 << (a % 64);
                    numbers[b / 64] |= 1 << (b % 64);
                    add(bytemuck::cast_slice(&numbers));
                }
            }
        }
        assert_eq!(hashes.len(), count);
        let [a, b] = [[1u32, 2].as_slice(), &[3]].map(|rest| Fnv128::EMPTY.words(rest));
        assert_ne!(a.words(&[3u32]).0, b.words(&[1u32, 2]).0);
    }

    #[test]
    fn the_hashes_are_those_of_the_published_test_vectors() {
        let hashes = |text: &str| {
            let bytes = text.as_bytes();
            (Fnv64::EMPTY.bytes(bytes).0, Fnv128::EMPTY.bytes(bytes).0)
        };
        let of_a = (
            0xaf63_dc4c_8601_ec8c,
            0xd228_cb69_6f1a_8caf_7891_2b70_4e4a_8964,
        );
        assert_eq!(hashes("a"), of_a);
        let of_foobar = (
            0x8594_4171_f739_67e8,
            0x343e_1662_793c_64bf_6f0d_3597_ba44_6f18,
        );
        assert_eq!(hashes("foobar"), of_foobar);
    }
}
