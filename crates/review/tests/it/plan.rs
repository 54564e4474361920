//! The shape of the merge tree.

use proptest::prelude::*;
use textualrl_review::plan::merge_levels;

#[test]
fn levels_follow_the_count() {
    let cases: [(usize, usize, Vec<Vec<usize>>); 8] = [
        (0, 8, vec![]),
        (1, 8, vec![]),
        (2, 8, vec![vec![2]]),
        (8, 8, vec![vec![8]]),
        (9, 8, vec![vec![8, 1], vec![2]]),
        (20, 8, vec![vec![8, 8, 4], vec![3]]),
        (3, 2, vec![vec![2, 1], vec![2]]),
        (3, 1, vec![vec![2, 1], vec![2]]),
    ];
    for (bundles, size, expected) in cases {
        assert_eq!(merge_levels(bundles, size), expected, "{bundles} by {size}");
    }
}

proptest! {
    #[test]
    fn every_bundle_is_taken_once_at_each_level(bundles in 2_usize..500, size in 0_usize..20) {
        let mut left = bundles;
        for level in merge_levels(bundles, size) {
            prop_assert_eq!(level.iter().sum::<usize>(), left);
            prop_assert!(level.iter().all(|takes| (1..=size.max(2)).contains(takes)));
            prop_assert!(level.len() < left);
            left = level.len();
        }
        prop_assert_eq!(left, 1);
    }
}
