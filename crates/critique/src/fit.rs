//! Prompts that outgrow the window are split by task blocks.
//!
//! Always holds: no part has a single block, each may propose at least one edit, and the blocks of the parts are the
//! blocks of the whole.

use crate::batch::AnalysisGroup;

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
