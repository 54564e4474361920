//! Splitting one list by ratio.
//!
//! Always holds: the parts are disjoint and hold everything; they are as near to the ratio as whole tasks allow.

use rand::seq::SliceRandom;
use rand_chacha::ChaCha8Rng;
use rand_chacha::rand_core::SeedableRng;

use crate::python::random::PythonRandom;

/// How many of `total` go to each part, by largest remainder; the earlier of equal remainders of equal weight wins,
/// the heavier one before that.
pub fn counts(total: usize, ratio: [f64; 3]) -> [usize; 3] {
    let sum: f64 = ratio.iter().sum();
    let exact = ratio.map(|share| total as f64 * share / sum);
    // Truncation is meant: the remainders are dealt out below.
    let mut counts = exact.map(|count| count.floor() as usize);
    let mut order = [0, 1, 2];
    let remainder = |index: usize| exact.get(index).map_or(0.0, |count| count - count.floor());
    let weight = |index: usize| ratio.get(index).copied().unwrap_or(0.0);
    order.sort_by(|a, b| {
        remainder(*b).total_cmp(&remainder(*a)).then(weight(*b).total_cmp(&weight(*a))).then(a.cmp(b))
    });
    let left = total.saturating_sub(counts.iter().sum());
    for index in order.into_iter().take(left) {
        if let Some(count) = counts.get_mut(index) {
            *count += 1;
        }
    }
    counts
}

/// Shuffles by seed and deals out.
pub fn split<T>(mut items: Vec<T>, ratio: [f64; 3], seed: u64) -> [Vec<T>; 3] {
    items.shuffle(&mut ChaCha8Rng::seed_from_u64(seed));
    dealt(items, ratio)
}

/// Shuffles as CPython does, by seed, and deals out: the released split of a list without splits.
pub fn split_as_python<T>(mut items: Vec<T>, ratio: [f64; 3], seed: u64) -> [Vec<T>; 3] {
    PythonRandom::new(seed).shuffle(&mut items);
    dealt(items, ratio)
}

fn dealt<T>(mut items: Vec<T>, ratio: [f64; 3]) -> [Vec<T>; 3] {
    let [first, second, _] = counts(items.len(), ratio);
    let test = items.split_off((first + second).min(items.len()));
    let validation = items.split_off(first.min(items.len()));
    [items, validation, test]
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    #[test]
    fn remainders_go_to_the_largest() {
        for (total, expected) in
            [(177, [35, 18, 124]), (3, [1, 0, 2]), (246, [49, 25, 172]), (1, [0, 0, 1]), (0, [0, 0, 0])]
        {
            assert_eq!(counts(total, [2.0, 1.0, 7.0]), expected);
        }
    }

    proptest! {
        #[test]
        fn the_parts_hold_everything_once(total in 0_usize..200, seed: u64, a in 0.1_f64..9.0, b in 0.1_f64..9.0) {
            let parts = split((0..total).collect(), [a, b, 1.0], seed);
            let mut all: Vec<usize> = parts.into_iter().flatten().collect();
            all.sort_unstable();
            prop_assert_eq!(all, (0..total).collect::<Vec<_>>());
        }
    }
}
