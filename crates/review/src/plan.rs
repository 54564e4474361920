//! The shape of a hierarchical merge (Appendix B.2).
//!
//! Always holds: each level takes every bundle of the one before exactly once, and the last level has one; whatever
//! the size of a merge, the levels end.

/// The levels of the merge of `bundles` bundles, up to `size` a call: how many consecutive bundles of the level before
/// each node takes. A node of one is no call; the bundle passes up. No level for one bundle or none.
pub fn merge_levels(bundles: usize, size: usize) -> Vec<Vec<usize>> {
    let size = size.max(2);
    let mut levels = Vec::new();
    let mut left = bundles;
    while left > 1 {
        let full = left / size;
        let mut level = vec![size; full];
        level.extend(Some(left % size).filter(|rest| *rest > 0));
        left = level.len();
        levels.push(level);
    }
    levels
}
