//! Pseudorandom numbers: for random players, generated levels, tests and benches.

/// SplitMix64: G. Steele, D. Lea and C. Flood, "Fast Splittable Pseudorandom Number Generators",
/// 2014, figure 17. The same seed gives the same numbers on every machine.
#[derive(Clone, Copy, Debug)]
pub struct Rng(u64);

impl Rng {
    /// A generator with this seed.
    pub fn new(seed: u64) -> Self {
        Self(seed)
    }

    /// The next 64 bits.
    pub fn bits(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let z = (self.0 ^ (self.0 >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        let z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        z ^ (z >> 31)
    }

    /// A number from 0 to `n - 1`. The slight bias of the modulo is accepted.
    pub fn below(&mut self, n: usize) -> usize {
        (self.bits() % n as u64) as usize
    }

    /// Whether an event with probability 1 / `n` happens.
    pub fn one_in(&mut self, n: usize) -> bool {
        self.below(n) == 0
    }

    /// A number in the half-open range from `min` to `max`.
    pub fn between(&mut self, min: f64, max: f64) -> f64 {
        let part = (self.bits() >> 11) as f64 / (1_u64 << 53) as f64;
        min + (max - min) * part
    }

    /// A random item; `None` if there are none.
    pub fn pick<T>(&mut self, mut items: impl Iterator<Item = T> + Clone) -> Option<T> {
        let count = items.clone().count();
        if count == 0 {
            return None;
        }
        items.nth(self.below(count))
    }

    /// Shuffles the items.
    pub fn shuffle<T>(&mut self, items: &mut [T]) {
        for i in (1..items.len()).rev() {
            items.swap(i, self.below(i + 1));
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_numbers_are_those_of_the_generators_reference_program() {
        let mut rng = Rng::new(1_234_567);
        let numbers: [u64; 3] = std::array::from_fn(|_| rng.bits());
        let published = [
            6_457_827_717_110_365_317,
            3_203_168_211_198_807_973,
            9_817_491_932_198_370_423,
        ];
        assert_eq!(numbers, published);
    }

    #[test]
    fn numbers_between_two_stay_between_them_and_fill_the_range() {
        let mut rng = Rng::new(5);
        let numbers: Vec<f64> = (0..1000).map(|_| rng.between(-2.0, 3.0)).collect();
        assert!(numbers.iter().all(|x| (-2.0..3.0).contains(x)));
        for fifth in 0..5 {
            let low = f64::from(fifth) - 2.0;
            let count = numbers.iter().filter(|&&x| x >= low && x < low + 1.0);
            assert!((150..250).contains(&count.count()), "from {low}");
        }
    }

    #[test]
    fn pick_returns_an_item_of_many_and_none_of_an_empty_list() {
        let mut rng = Rng::new(5);
        assert_eq!(rng.pick(std::iter::empty::<u8>()), None);
        let mut seen = [false; 4];
        for _ in 0..100 {
            seen[rng.pick(0..4).unwrap()] = true;
        }
        assert_eq!(seen, [true; 4]);
    }
}
