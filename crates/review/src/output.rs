//! What the review stage leaves: the merge tree, the unreviewed and the reviewed edits, the ranking.
//!
//! Always holds: a failed merge, review or ranking is visible with its reason; where a reply came from is no part of
//! any record.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};
use textualrl_llm::{AskRecord, ChatError};
use textualrl_model::{CardId, EditId, EditProposal, MergeId, ReviewDecision, ReviewRecord, UsageTotal};

use crate::bundle::Branch;

/// How a merge ended.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case", tag = "kind")]
pub enum MergeStatus {
    /// The optimizer merged the bundles.
    Merged,
    /// The merge failed: the edits of its bundles go on one after the other.
    Concatenated {
        /// Why.
        because: String,
    },
}

/// One merge call.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct MergeRecord {
    /// The merge.
    pub merge: MergeId,
    /// Its branch.
    pub branch: Branch,
    /// The bundles that went in: analysis groups or earlier merges.
    pub bundles: Vec<String>,
    /// The edits that went in.
    pub inputs: Vec<EditId>,
    /// The edits that came out, each with the inputs that it was made from.
    pub outputs: Vec<MergedEdit>,
    /// Inputs that no output was made from.
    pub left_out: Vec<EditId>,
    /// How it ended.
    pub status: MergeStatus,
    /// The optimizer's reasoning.
    pub reasoning: String,
    /// What was wrong with the reply that counts.
    pub problems: Vec<String>,
    /// The replies as they came.
    pub replies: AskRecord,
    /// The endpoint's failure, if that is why the merge failed.
    #[serde(skip)]
    pub endpoint: Option<ChatError>,
}

/// An edit that came out of a merge.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct MergedEdit {
    /// The edit's id in the merge tree.
    pub id: EditId,
    /// The inputs of this merge that it was made from.
    pub from: Vec<EditId>,
}

/// How the review as a whole ended.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case", tag = "kind")]
pub enum ReviewStatus {
    /// Every edit was reviewed.
    Reviewed,
    /// Some edits were not reviewed and went on as they were.
    PartlyReviewed {
        /// How many.
        not_reviewed: usize,
    },
    /// No edit could be reviewed: the unreviewed edits went on.
    Failed {
        /// Why.
        because: String,
    },
    /// There was no card to review by, which is no failure.
    NoCards,
    /// The configuration says not to review (ablation).
    Disabled,
    /// There was no edit.
    NoEdits,
}

/// One review call.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct ReviewCall {
    /// The edits in it.
    pub edits: Vec<EditId>,
    /// The cards in it.
    pub cards: Vec<CardId>,
    /// Characters cut from the cards, because the prompt outgrew the window.
    pub cut_characters: usize,
    /// Why it gave nothing, if it failed.
    pub failed: Option<String>,
    /// What was wrong with the reply that counts.
    pub problems: Vec<String>,
    /// Edits in the reply that no candidate asked for, and other things not taken.
    pub refused: Vec<String>,
    /// The replies as they came, the raw first one among them.
    pub replies: AskRecord,
    /// The endpoint's failure, if that is why the call failed.
    #[serde(skip)]
    pub endpoint: Option<ChatError>,
}

/// How the order of the edits came about.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case", tag = "kind")]
pub enum RankingStatus {
    /// There are no more edits than the budget: merge order, without a call.
    WithinBudget,
    /// The optimizer ranked them.
    Ranked,
    /// The ranking failed: merge order.
    Failed {
        /// Why.
        because: String,
    },
}

/// The order in which the edits are tried.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Ranking {
    /// The edit budget L.
    pub edit_budget: u32,
    /// All edits, the first to try at the front.
    pub order: Vec<EditId>,
    /// How the order came about.
    pub status: RankingStatus,
    /// What of the reply was not taken, and what was added to it.
    pub notes: Vec<String>,
    /// The replies as they came.
    pub replies: AskRecord,
    /// The endpoint's failure, if that is why the ranking failed.
    #[serde(skip)]
    pub endpoint: Option<ChatError>,
}

/// The output of the stage (Algorithm 1, line 6, and the ranking of line 7).
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct ReviewOutput {
    /// The merge calls: corrective, preservation, final; by level.
    pub merges: Vec<MergeRecord>,
    /// Which edit of the merge tree each merged edit is.
    pub origins: BTreeMap<EditId, EditId>,
    /// The merged edits before the review, in merge order.
    pub unreviewed: Vec<EditProposal>,
    /// The merged edits after it, in the same order.
    pub reviewed: Vec<EditProposal>,
    /// One record an edit, in the same order.
    pub records: Vec<ReviewRecord>,
    /// How the review ended.
    pub status: ReviewStatus,
    /// The review calls.
    pub calls: Vec<ReviewCall>,
    /// The ranking.
    pub ranking: Ranking,
    /// Calls and tokens.
    #[serde(skip)]
    pub usage: UsageTotal,
}

impl ReviewOutput {
    /// The reviewed edits in ranked order.
    pub fn ranked(&self) -> Vec<&EditProposal> {
        let order = self.ranking.order.iter();
        order.filter_map(|id| self.reviewed.iter().find(|proposal| proposal.id == *id)).collect()
    }

    /// Edits by decision, under the decisions' names.
    pub fn decisions(&self) -> BTreeMap<String, u32> {
        let mut decisions = BTreeMap::new();
        for record in &self.records {
            *decisions.entry(record.decision.name().to_owned()).or_insert(0) += 1;
        }
        decisions
    }

    /// Whether the review was to be made and failed for all edits.
    pub fn review_failed(&self) -> bool {
        matches!(self.status, ReviewStatus::Failed { .. })
    }
}

/// The record of an edit that was not reviewed.
pub fn not_reviewed(edit: &EditId, reason: impl Into<String>) -> ReviewRecord {
    ReviewRecord {
        edit: edit.clone(),
        decision: ReviewDecision::NotReviewed,
        reason: reason.into(),
        citations: Vec::new(),
        refused: Vec::new(),
    }
}
