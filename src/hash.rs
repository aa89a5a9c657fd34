//! FNV-1a (Fowler, Noll, Vo): the same hash on every machine and in every version.

use glam::DVec3;

/// 64 bits.
pub(crate) struct Fnv64(pub(crate) u64);

/// 128 bits, for names of files that nobody compares.
pub(crate) struct Fnv128(pub(crate) u128);

impl Fnv64 {
    /// The hash of nothing.
    pub(crate) const EMPTY: Self = Self(0xcbf2_9ce4_8422_2325);

    /// Goes on with these bytes.
    pub(crate) fn bytes(self, bytes: &[u8]) -> Self {
        Self(bytes.iter().fold(self.0, |hash, &byte| {
            (hash ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3)
        }))
    }

    /// The bits of a number; the two zeros, which compare equal, count as one.
    pub(crate) fn number(self, x: f64) -> Self {
        self.bytes(&(x + 0.0).to_bits().to_le_bytes())
    }

    /// The numbers of a vector.
    pub(crate) fn vector(self, v: DVec3) -> Self {
        self.number(v.x).number(v.y).number(v.z)
    }

    /// A name and its end, so that `ab` `c` differs from `a` `bc`.
    pub(crate) fn name(self, name: &str) -> Self {
        self.bytes(name.as_bytes()).bytes(&[0xff])
    }
}

impl Fnv128 {
    /// The hash of nothing.
    pub(crate) const EMPTY: Self = Self(0x6c62_272e_07bb_0142_62b8_2175_6295_c58d);

    /// Goes on with these bytes.
    pub(crate) fn bytes(self, bytes: &[u8]) -> Self {
        Self(bytes.iter().fold(self.0, |hash, &byte| {
            (hash ^ u128::from(byte)).wrapping_mul(0x0100_0000_0000_0000_0000_013b)
        }))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

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
