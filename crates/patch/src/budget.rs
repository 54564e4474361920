//! Clipping to a budget.
//!
//! Always holds: order is kept, and what is cut off is returned rather than lost.

/// The first `budget` of a ranked list, and the rest.
///
/// ```
/// assert_eq!(textualrl_patch::clip(&["a", "b", "c"], 2), (&["a", "b"][..], &["c"][..]));
/// assert_eq!(textualrl_patch::clip(&["a"], 4), (&["a"][..], &[][..]));
/// ```
pub fn clip<T>(ranked: &[T], budget: u32) -> (&[T], &[T]) {
    ranked.split_at(ranked.len().min(budget as usize))
}
