//! Review: reads proposals and evidence, merges, reviews and ranks, writes both the unreviewed and the reviewed edits.
//!
//! Always holds: the unreviewed edits stay on disk for comparison.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};
use textualrl_artifact::{Kind, Slot, StageSummary, TextKind};
use textualrl_llm::ModelRole;
use textualrl_model::{EditId, EditProposal, EvidencePool, ExitCode, ReviewRecord, Stage, StepId};
use textualrl_review::{
    MergeRecord, ReviewCall, ReviewError, ReviewInput, ReviewOutput, ReviewStatus, report,
    review as review_edits,
};

use super::rollout::planned;
use super::{Done, Work, tell_journal, unread, until_interrupted, unwritten, usage_of};
use crate::failure::Failure;

/// The merge tree and which of its edits became which merged edit (`merge-tree.json`).
#[derive(Debug, Serialize)]
struct MergeTree<'a> {
    merges: &'a [MergeRecord],
    origins: &'a BTreeMap<EditId, EditId>,
}

/// The reviewed edits with their records (`reviewed.json`).
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub(super) struct Reviewed {
    /// How the review ended.
    pub(super) status: ReviewStatus,
    /// The edits after the review, in merge order.
    pub(super) edits: Vec<EditProposal>,
    /// One record an edit, in the same order.
    pub(super) records: Vec<ReviewRecord>,
    /// The review calls.
    pub(super) calls: Vec<ReviewCall>,
}

/// Fills the review slot of a step.
pub(super) fn review(work: &Work<'_>, step: StepId) -> Result<Done, Failure> {
    let connected = work.connect(ModelRole::Optimizer)?;
    let config = work.opened.config();
    let critique = Slot::Step { step, stage: Stage::Critique };
    let proposals: Vec<EditProposal> =
        work.opened.run.read_json(critique, Kind::Proposals).map_err(unread)?;
    let pool: EvidencePool = work.opened.run.read_json(critique, Kind::Evidence).map_err(unread)?;
    let context = work.opened.context(&work.records, &work.context_input()?)?;
    let input = ReviewInput {
        context: &context,
        proposals: &proposals,
        pool: &pool,
        settings: &config.review,
        edit_budget: planned(work, step)?.edit_budget,
        window_tokens: config.optimizer.window_tokens,
        step,
        generation: work.generation,
        concurrency: usize::try_from(config.optimizer.concurrency).unwrap_or(1),
    };
    let output = until_interrupted(review_edits(&input, connected.model.as_ref(), &work.opened.templates))?
        .map_err(|error| failed(&error))?;
    tell_journal(work.slot, &connected);
    write(work, step, output, &pool, connected.model.describe().simulated)
}

fn write(
    work: &Work<'_>,
    step: StepId,
    output: ReviewOutput,
    pool: &EvidencePool,
    simulated: bool,
) -> Result<Done, Failure> {
    let mut draft = work.opened.run.begin(work.slot).map_err(unwritten)?;
    draft.write_text(TextKind::Review, &report(step, &output, pool)).map_err(unwritten)?;
    let tree = MergeTree { merges: &output.merges, origins: &output.origins };
    draft.write_json(Kind::MergeTree, &tree).map_err(unwritten)?;
    draft.write_json(Kind::Unreviewed, &output.unreviewed).map_err(unwritten)?;
    draft.write_json(Kind::Ranking, &output.ranking).map_err(unwritten)?;
    let summary = StageSummary::Review {
        merged: u32::try_from(output.unreviewed.len()).unwrap_or(u32::MAX),
        decisions: output.decisions(),
        failed: output.review_failed(),
    };
    let usage = usage_of(ModelRole::Optimizer, output.usage);
    let reviewed = Reviewed {
        status: output.status,
        edits: output.reviewed,
        records: output.records,
        calls: output.calls,
    };
    draft.write_json(Kind::Reviewed, &reviewed).map_err(unwritten)?;
    Ok(Done { draft, usage, simulated, summary })
}

fn failed(error: &ReviewError) -> Failure {
    let code = match error {
        ReviewError::Template(_) => ExitCode::BadInput,
        ReviewError::Journal(_) => ExitCode::Storage,
        ReviewError::AllCallsFailed { .. } => ExitCode::Provider,
    };
    Failure::of(code, error).hint("mend the cause, then try again; completed calls are kept")
}
