//! How many calls what is left to do will make.
//!
//! Always holds: the numbers are of episodes for the target (one call each where an agent answers once) and of first
//! requests for the optimizer, without re-asks; the most is never exceeded unless prompts outgrow the window.

use std::ops::Add;

use textualrl_artifact::Slot;
use textualrl_model::settings::{ReviewEvidence, Routing};
use textualrl_model::{Arm, Split, Stage};

use crate::batch::PlannedStep;
use crate::config::RunConfig;
use crate::plan::Plan;
use crate::status::Pending;

/// A number of calls that is not known exactly.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Range {
    /// The fewest.
    pub least: u64,
    /// The most.
    pub most: u64,
}

impl Range {
    fn exactly(number: u64) -> Self {
        Self { least: number, most: number }
    }

    fn up_to(number: u64) -> Self {
        Self { least: 0, most: number }
    }
}

impl Add for Range {
    type Output = Self;
    fn add(self, other: Self) -> Self {
        Self { least: self.least + other.least, most: self.most + other.most }
    }
}

/// The tasks of the splits that are evaluated.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Sizes {
    /// Validation tasks.
    pub validation: u32,
    /// Test tasks.
    pub test: u32,
}

/// Calls by role.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct CallEstimate {
    /// Episodes of the target.
    pub target: Range,
    /// Requests to the optimizer.
    pub optimizer: Range,
}

impl Plan {
    /// The calls that what is pending will make. A stale slot may find some of its calls in the journal, and so may
    /// the evaluation of a context that was validated before.
    pub fn calls(&self, pending: &Pending, sizes: Sizes) -> CallEstimate {
        let mut sum = CallEstimate::default();
        for slot in &pending.missing {
            let calls = self.slot_calls(*slot, sizes);
            sum = CallEstimate {
                target: sum.target + calls.target,
                optimizer: sum.optimizer + calls.optimizer,
            };
        }
        for slot in pending.stale.iter().chain(&pending.open) {
            let calls = self.slot_calls(*slot, sizes);
            sum.target = sum.target + Range::up_to(calls.target.most);
            sum.optimizer = sum.optimizer + Range::up_to(calls.optimizer.most);
        }
        sum
    }

    fn slot_calls(&self, slot: Slot, sizes: Sizes) -> CallEstimate {
        let config = self.config();
        let target = |target| CallEstimate { target, optimizer: Range::default() };
        let optimizer = |optimizer| CallEstimate { target: Range::default(), optimizer };
        match slot {
            Slot::Baseline => target(Range::exactly(sizes.validation.into())),
            Slot::Evaluation { arm, split } => target(evaluation_calls(arm, split, sizes)),
            Slot::Step { step, stage } => {
                let Some(planned) = self.step(step) else { return CallEstimate::default() };
                match stage {
                    Stage::Rollout => target(Range::exactly(tasks(planned) * u64::from(config.rollout.k))),
                    Stage::Critique => optimizer(critique_calls(config, planned)),
                    Stage::Review => optimizer(Range::up_to(review_calls(config, planned))),
                    Stage::Validation => target(Range::up_to(sizes.validation.into())),
                    Stage::Patch | Stage::Gate => CallEstimate::default(),
                }
            }
        }
    }
}

/// Validation calls are shared by context, so only what was never validated in the run is new.
fn evaluation_calls(arm: Arm, split: Split, sizes: Sizes) -> Range {
    match (arm, split) {
        (_, Split::Train) | (Arm::Initial | Arm::Best, Split::Validation) => Range::default(),
        (Arm::None, Split::Validation) => Range::up_to(sizes.validation.into()),
        (Arm::None, Split::Test) => Range::exactly(sizes.test.into()),
        // An empty initial context is no context, and the best one may be the initial one.
        (Arm::Initial | Arm::Best, Split::Test) => Range::up_to(sizes.test.into()),
    }
}

fn tasks(planned: &PlannedStep) -> u64 {
    planned.tasks.len() as u64
}

fn critique_calls(config: &RunConfig, planned: &PlannedStep) -> Range {
    let (tasks, size) = (tasks(planned), u64::from(config.critique.group_size));
    if config.critique.routing == Routing::Off {
        let most = analysis_groups(tasks * u64::from(config.rollout.k), size).max(1);
        return Range { least: analysis_groups(tasks, size).max(1), most };
    }
    // All tasks homogeneous, some all-success and the others all-failure.
    let uniform =
        || (0..=tasks).map(|some| analysis_groups(some, size) + analysis_groups(tasks - some, size));
    let most = if config.rollout.k == 1 { uniform().max().unwrap_or(0) } else { tasks };
    Range { least: uniform().min().unwrap_or(0), most }
}

/// Groups of `size`; a last one of one joins the one before, and one alone is none.
fn analysis_groups(members: u64, size: u64) -> u64 {
    let size = size.max(2);
    members / size + u64::from(members % size > 1)
}

/// Merges of both branches and of the two results, one review (or one an edit), one ranking.
fn review_calls(config: &RunConfig, planned: &PlannedStep) -> u64 {
    let bundles = critique_calls(config, planned).most;
    let size = u64::from(config.review.merge_size);
    let merges = (0..=bundles).map(|corrective| {
        let both = corrective > 0 && corrective < bundles;
        merge_calls(corrective, size) + merge_calls(bundles - corrective, size) + u64::from(both)
    });
    let reviews = match (config.review.enabled, config.review.evidence) {
        (false, _) => 0,
        (true, ReviewEvidence::AllGroups) => 1,
        (true, ReviewEvidence::IntraGroup) => bundles * u64::from(config.critique.max_edits),
    };
    merges.max().unwrap_or(0) + reviews + 1
}

/// The calls of a merge tree over `bundles`.
fn merge_calls(bundles: u64, size: u64) -> u64 {
    let (mut left, mut calls) = (bundles, 0);
    while left > 1 {
        left = left.div_ceil(size.max(2));
        calls += left;
    }
    calls
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_last_group_of_one_joins_and_one_alone_is_none() {
        for (members, expected) in
            [(0, 0), (1, 0), (2, 1), (8, 1), (9, 1), (10, 2), (16, 2), (17, 2), (40, 5)]
        {
            assert_eq!(analysis_groups(members, 8), expected, "{members}");
        }
    }

    #[test]
    fn merge_trees_are_counted_level_by_level() {
        for (bundles, expected) in [(0, 0), (1, 0), (2, 1), (8, 1), (9, 3), (40, 6), (64, 9)] {
            assert_eq!(merge_calls(bundles, 8), expected, "{bundles}");
        }
    }
}
