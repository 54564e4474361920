//! What the critique stage leaves.
//!
//! Always holds: records, proposals and cards stand in the order of their analysis groups, whichever call returned
//! first; a call that gave nothing says why.

use serde::{Deserialize, Serialize};
use textualrl_llm::AskRecord;
use textualrl_model::{
    CardId, EditId, EditProposal, EvidencePool, FailurePattern, GroupId, Reward, RolloutIndex, Route, TaskId,
    UsageTotal,
};

use crate::batch::SkippedRoute;
use crate::card::RejectedCard;
use crate::route::LeftOutGroup;

/// A trajectory that a critic was shown.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct ShownReference {
    /// The task.
    pub task: TaskId,
    /// The rollout that was shown.
    pub rollout: RolloutIndex,
    /// Its outcome.
    pub outcome: Reward,
    /// The rollouts it stands for; their number is the multiplicity.
    pub references: Vec<RolloutIndex>,
}

/// One critic call.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct GroupRecord {
    /// The analysis group.
    pub group: GroupId,
    /// Its route. None under the ablation without routing.
    pub route: Option<Route>,
    /// Its tasks, in the order shown.
    pub tasks: Vec<TaskId>,
    /// The tasks among them of which some rollouts were not scored.
    pub incomplete: Vec<TaskId>,
    /// What was shown.
    pub shown: Vec<ShownReference>,
    /// Characters cut from what was shown, because the prompt outgrew the window.
    pub cut_characters: usize,
    /// The edits that the critic was told it may propose.
    pub max_edits: u32,
    /// The critic's reasoning.
    pub reasoning: String,
    /// Its valid edits.
    pub proposals: Vec<EditId>,
    /// Its cards in the pool.
    pub cards: Vec<CardId>,
    /// Valid cards that were dropped because the call had no valid edit (ablation).
    pub dropped_cards: u32,
    /// What was wrong with the reply that counts.
    pub problems: Vec<String>,
    /// Why there is no proposal and no card, if the call failed.
    pub failed: Option<String>,
    /// The replies as they came, the first and perhaps a re-asked one.
    pub replies: AskRecord,
}

/// The two independent products of the critics (Equations 4 and 5), and how they came about.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct CritiqueOutput {
    /// One record a call.
    pub groups: Vec<GroupRecord>,
    /// The proposals P.
    pub proposals: Vec<EditProposal>,
    /// The evidence E.
    pub pool: EvidencePool,
    /// Cards that were not taken.
    pub rejected_cards: Vec<RejectedCard>,
    /// Homogeneous routes of a single task.
    pub skipped_routes: Vec<SkippedRoute>,
    /// Rollout groups with too few scored rollouts.
    pub left_out: Vec<LeftOutGroup>,
    /// The failure patterns of the step, for the step buffer.
    pub failure_patterns: Vec<FailurePattern>,
    /// Calls and tokens. Where a reply came from is no part of the record, so neither is this sum.
    #[serde(skip)]
    pub usage: UsageTotal,
}

/// What was said about groups beside the calls (`routing.json`).
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Routing {
    /// Homogeneous routes of a single task, which are not critiqued.
    pub skipped_routes: Vec<SkippedRoute>,
    /// Rollout groups with too few scored rollouts.
    pub left_out: Vec<LeftOutGroup>,
    /// The failure patterns of the step, for the step buffer.
    pub failure_patterns: Vec<FailurePattern>,
}

impl CritiqueOutput {
    /// What was said about groups beside the calls.
    pub fn routing(&self) -> Routing {
        Routing {
            skipped_routes: self.skipped_routes.clone(),
            left_out: self.left_out.clone(),
            failure_patterns: self.failure_patterns.clone(),
        }
    }

    /// Calls that gave nothing usable.
    pub fn failed_calls(&self) -> usize {
        self.groups.iter().filter(|group| group.failed.is_some()).count()
    }
}
