//! Prompts that outgrow the window: split by task blocks, then shortened.
//!
//! Always holds: no part has a single block, each may propose at least one edit, and the blocks of the parts are the
//! blocks of the whole; what is cut is marked and counted, and nothing else is left out.

use crate::batch::AnalysisGroup;

/// A text is never shortened below this many characters.
const SHORTEST: usize = 120;

/// Splits a group in two, or not if one half would have a single block. A mixed task is never split.
pub fn split(group: &AnalysisGroup) -> Option<(AnalysisGroup, AnalysisGroup)> {
    let middle = group.blocks.len() / 2;
    if middle < 2 {
        return None;
    }
    let (first, second) = group.blocks.split_at_checked(middle)?;
    let share = (group.max_edits / 2).max(1);
    let rest = group.max_edits.saturating_sub(share).max(1);
    let part =
        |blocks: &[_], max_edits| AnalysisGroup { route: group.route, blocks: blocks.to_vec(), max_edits };
    Some((part(first, share), part(second, rest)))
}

/// The largest allowed text length, at most `longest`, with which the prompt has no more than `window` tokens, if it
/// has `tokens(length)` with texts of at most `length` characters. The shortest allowed length if none is enough.
pub fn longest_that_fits(longest: usize, window: usize, tokens: impl Fn(usize) -> usize) -> usize {
    let (mut fits, mut too_long) = (SHORTEST, longest.max(SHORTEST));
    while too_long - fits > fits / 16 {
        let middle = fits.midpoint(too_long);
        if tokens(middle) <= window { fits = middle } else { too_long = middle }
    }
    fits
}
