//! The step buffer: the within-epoch history H that later critics read.
//!
//! Always holds: an entry stands for a validated step; a pattern has a non-empty label and counts distinct tasks.

use serde::{Deserialize, Serialize};

use crate::edit::Edit;
use crate::id::{StepId, TaskId};

/// A kind of failure seen in a step.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct FailurePattern {
    /// What was seen; never blank.
    pub label: String,
    /// The distinct tasks it was seen in, sorted.
    pub tasks: Vec<TaskId>,
}

/// A candidate that did not beat the reference score.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Rejection {
    /// The edits that were applied together.
    pub edits: Vec<Edit>,
    /// The score to beat.
    pub reference: f64,
    /// The score reached.
    pub candidate: f64,
}

/// What later critics are told of one step.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct BufferEntry {
    /// The step.
    pub step: StepId,
    /// Whether the candidate was accepted.
    pub accepted: bool,
    /// Tasks with at least one failed rollout.
    pub failed_tasks: u32,
    /// Tasks in all.
    pub tasks: u32,
    /// The kinds of failure, most tasks first.
    pub patterns: Vec<FailurePattern>,
    /// For a rejected candidate, what was rejected.
    pub rejection: Option<Rejection>,
}

/// The history of an epoch's validated steps, oldest first.
#[derive(Debug, Clone, PartialEq, Default, Serialize, Deserialize)]
#[serde(transparent)]
pub struct StepBuffer {
    /// The entries.
    pub entries: Vec<BufferEntry>,
}
