//! CPython's random numbers: the Mersenne Twister as `random.Random(seed)` seeds it, and its `shuffle`.
//!
//! Always holds: a seed gives the order that CPython 3 gives, so that released splits and option orders can be made
//! again. Nothing of ours is drawn from it.

const SIZE: usize = 624;
const MIDDLE: usize = 397;

/// `random.Random(seed)` for a non-negative integer.
#[derive(Debug, Clone)]
pub struct PythonRandom {
    state: Vec<u32>,
    next: usize,
}

impl PythonRandom {
    /// Seeds as CPython does: by the 32-bit digits of the number, lowest first.
    pub fn new(seed: u64) -> Self {
        let digits = match (low(seed), low(seed >> 32)) {
            (digit, 0) => vec![digit],
            (digit, high) => vec![digit, high],
        };
        let mut random = Self { state: seeded(19_650_218), next: SIZE };
        random.mix(&digits);
        random
    }

    fn at(&self, index: usize) -> u32 {
        self.state.get(index).copied().unwrap_or(0)
    }

    fn set(&mut self, index: usize, value: u32) {
        if let Some(place) = self.state.get_mut(index) {
            *place = value;
        }
    }

    /// `init_by_array`.
    fn mix(&mut self, digits: &[u32]) {
        let (mut i, mut j) = (1, 0);
        for _ in 0..SIZE.max(digits.len()) {
            let before = self.at(i - 1);
            let mixed = (self.at(i) ^ (before ^ (before >> 30)).wrapping_mul(1_664_525))
                .wrapping_add(digits.get(j).copied().unwrap_or(0))
                .wrapping_add(low(j as u64));
            self.set(i, mixed);
            i = self.following(i);
            j = (j + 1) % digits.len().max(1);
        }
        for _ in 0..SIZE - 1 {
            let before = self.at(i - 1);
            let mixed = (self.at(i) ^ (before ^ (before >> 30)).wrapping_mul(1_566_083_941))
                .wrapping_sub(low(i as u64));
            self.set(i, mixed);
            i = self.following(i);
        }
        self.set(0, 0x8000_0000);
    }

    /// The index after `i`; behind the last one the state wraps and starts at 1.
    fn following(&mut self, i: usize) -> usize {
        if i + 1 < SIZE {
            return i + 1;
        }
        self.set(0, self.at(SIZE - 1));
        1
    }

    fn twist(&mut self) {
        for i in 0..SIZE {
            let bits = (self.at(i) & 0x8000_0000) | (self.at((i + 1) % SIZE) & 0x7fff_ffff);
            let odd = if bits & 1 == 1 { 0x9908_b0df } else { 0 };
            self.set(i, self.at((i + MIDDLE) % SIZE) ^ (bits >> 1) ^ odd);
        }
        self.next = 0;
    }

    fn next_u32(&mut self) -> u32 {
        if self.next >= SIZE {
            self.twist();
        }
        let mut bits = self.at(self.next);
        self.next += 1;
        bits ^= bits >> 11;
        bits ^= (bits << 7) & 0x9d2c_5680;
        bits ^= (bits << 15) & 0xefc6_0000;
        bits ^ (bits >> 18)
    }

    /// `_randbelow`: a number below `bound`, by rejection.
    fn below(&mut self, bound: u32) -> u32 {
        let bits = 32 - bound.leading_zeros();
        if bits == 0 {
            return 0;
        }
        loop {
            let number = self.next_u32() >> (32 - bits);
            if number < bound {
                return number;
            }
        }
    }

    /// `random.shuffle`. Lists longer than 2^32 - 1 stay as they are behind that place.
    pub fn shuffle<T>(&mut self, items: &mut [T]) {
        for i in (1..items.len()).rev() {
            let Ok(bound) = u32::try_from(i + 1) else { continue };
            let j = self.below(bound) as usize;
            items.swap(i, j);
        }
    }
}

/// The low 32 bits.
fn low(number: u64) -> u32 {
    u32::try_from(number & 0xffff_ffff).unwrap_or(0)
}

/// `init_genrand`.
fn seeded(seed: u32) -> Vec<u32> {
    let mut state = Vec::with_capacity(SIZE);
    let mut last = seed;
    state.push(last);
    for i in 1..SIZE as u64 {
        last = (last ^ (last >> 30)).wrapping_mul(1_812_433_253).wrapping_add(low(i));
        state.push(last);
    }
    state
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn shuffled(count: u32, seed: u64) -> Vec<u32> {
        let mut items: Vec<u32> = (0..count).collect();
        PythonRandom::new(seed).shuffle(&mut items);
        items
    }

    #[test]
    fn shuffles_as_cpython_does() {
        assert_eq!(shuffled(10, 42), [7, 3, 2, 8, 5, 6, 9, 4, 0, 1]);
        assert_eq!(shuffled(10, 1042), [6, 4, 1, 9, 7, 8, 0, 5, 2, 3]);
        assert_eq!(shuffled(8, 43), [6, 7, 4, 3, 1, 5, 2, 0]);
        assert_eq!(shuffled(1, 7), [0]);
    }

    proptest! {
        #[test]
        fn a_shuffle_is_a_permutation(count in 0_u32..300, seed: u64) {
            let mut items = shuffled(count, seed);
            items.sort_unstable();
            prop_assert_eq!(items, (0..count).collect::<Vec<_>>());
        }
    }
}
