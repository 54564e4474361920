//! The review stage: from proposals and evidence to reviewed, ranked edits (Algorithm 1, lines 6 and 7).
//!
//! Always holds: a failed call loses no edit; the review is a call of its own after the merge, so that the unreviewed
//! edits stay for comparison.

use futures_util::future::join;
use textualrl_llm::prompt::{TemplateError, Templates};
use textualrl_llm::{ChatError, ChatModel};
use textualrl_model::settings::ReviewSettings;
use textualrl_model::{
    Context, EditId, EditProposal, EvidencePool, ReviewDecision, ReviewRecord, StepId, UsageTotal,
};

use crate::bundle::{Branch, Bundle, bundles};
use crate::caller::Caller;
use crate::merge::Merged;
use crate::output::{MergeRecord, ReviewCall, ReviewOutput, ReviewStatus, not_reviewed};
use crate::reviewer::review_batches;

/// What a step's review works on.
#[derive(Debug, Clone, Copy)]
pub struct ReviewInput<'a> {
    /// The context C.
    pub context: &'a Context,
    /// The critics' proposals P, in order of their groups.
    pub proposals: &'a [EditProposal],
    /// The evidence E of this step.
    pub pool: &'a EvidencePool,
    /// How proposals are merged and reviewed.
    pub settings: &'a ReviewSettings,
    /// The edit budget L of the step; above it, the edits are ranked.
    pub edit_budget: u32,
    /// Tokens that fit into one prompt of the optimizer.
    pub window_tokens: u32,
    /// The step.
    pub step: StepId,
    /// 0, or one more for each `--resample`.
    pub generation: u32,
    /// Calls made at once; at least 1.
    pub concurrency: usize,
}

/// Why the stage gives no output.
#[derive(Debug, thiserror::Error)]
pub enum ReviewError {
    /// A prompt cannot be rendered.
    #[error(transparent)]
    Template(#[from] TemplateError),
    /// The journal cannot be written, so that calls would be paid for again.
    #[error(transparent)]
    Journal(ChatError),
    /// The endpoint failed in every call.
    #[error("all {calls} calls of merge, review and ranking failed, the first with: {first}")]
    AllCallsFailed {
        /// The calls.
        calls: usize,
        /// The first failure, which names the endpoint.
        first: ChatError,
    },
}

/// Merges the proposals, reviews the merged edits against the cards, and ranks them.
///
/// # Errors
/// If a template is wrong, the journal cannot be written, or the endpoint failed in every call.
pub async fn review(
    input: &ReviewInput<'_>,
    model: &dyn ChatModel,
    templates: &Templates,
) -> Result<ReviewOutput, ReviewError> {
    let caller = Caller { input, model, templates };
    let merged = caller.merge_all().await?;
    let tree_edits = merged.bundle.map_or_else(Vec::new, |bundle| bundle.edits);
    let mut origins = Vec::new();
    let mut unreviewed = Vec::new();
    for (number, edit) in (1..).zip(tree_edits) {
        let id = EditId::merged(number);
        origins.push((id.clone(), edit.id));
        unreviewed.push(EditProposal { id, edit: edit.edit, ..edit });
    }
    let review = caller.review_all(&unreviewed).await?;
    let ranking = caller.rank(&review.edits).await?;
    let mut output = ReviewOutput {
        merges: merged.records,
        origins: origins.into_iter().collect(),
        unreviewed,
        reviewed: review.edits,
        records: review.records,
        status: review.status,
        calls: review.calls,
        ranking,
        usage: UsageTotal::default(),
    };
    check_endpoint(&output)?;
    output.usage = usage(&output);
    Ok(output)
}

/// The edits after the review.
struct ReviewedEdits {
    edits: Vec<EditProposal>,
    records: Vec<ReviewRecord>,
    status: ReviewStatus,
    calls: Vec<ReviewCall>,
}

impl Caller<'_> {
    /// Both branches side by side, then one merge of the two.
    async fn merge_all(&self) -> Result<Merged, TemplateError> {
        let branch = |branch| self.merge_branch(branch, bundles(self.input.proposals, branch));
        let (corrective, preservation) = join(branch(Branch::Corrective), branch(Branch::Preservation)).await;
        let (corrective, preservation) = (corrective?, preservation?);
        let mut records: Vec<MergeRecord> = corrective.records;
        records.extend(preservation.records);
        let named = |bundle: Option<Bundle>, branch: Branch| {
            bundle.map(|bundle| Bundle { id: branch.name().to_owned(), ..bundle })
        };
        let branches =
            [named(corrective.bundle, Branch::Corrective), named(preservation.bundle, Branch::Preservation)];
        let merged = self.merge_branch(Branch::Final, branches.into_iter().flatten().collect()).await?;
        records.extend(merged.records);
        Ok(Merged { bundle: merged.bundle, records })
    }

    /// Reviews the edits, or says why they are not reviewed.
    async fn review_all(&self, edits: &[EditProposal]) -> Result<ReviewedEdits, TemplateError> {
        if edits.is_empty() {
            return Ok(ReviewedEdits::none(edits, ReviewStatus::NoEdits, ""));
        }
        if !self.input.settings.enabled {
            return Ok(ReviewedEdits::none(edits, ReviewStatus::Disabled, "the review is switched off"));
        }
        if self.input.pool.cards.is_empty() {
            return Ok(ReviewedEdits::none(edits, ReviewStatus::NoCards, "the step has no card"));
        }
        let batches = review_batches(edits, &self.input.pool.cards, self.input.settings.evidence);
        if batches.iter().all(|batch| batch.cards.is_empty()) {
            let reason = "the groups it came from have no card";
            return Ok(ReviewedEdits::none(edits, ReviewStatus::NoCards, reason));
        }
        let mut calls = Vec::new();
        let mut judged = Vec::new();
        for reviewed in self.review(batches).await? {
            calls.extend(reviewed.call);
            judged.extend(reviewed.edits);
        }
        let (mut after, mut records) = (Vec::new(), Vec::new());
        for proposal in edits {
            let found = judged.iter().find(|(_, record)| record.edit == proposal.id).cloned();
            let (edit, record) = found
                .unwrap_or_else(|| (proposal.edit.clone(), not_reviewed(&proposal.id, "no call took it up")));
            after.push(EditProposal { edit, ..proposal.clone() });
            records.push(record);
        }
        let status = status_of(&records, &calls);
        Ok(ReviewedEdits { edits: after, records, status, calls })
    }
}

impl ReviewedEdits {
    fn none(edits: &[EditProposal], status: ReviewStatus, reason: &str) -> Self {
        let records = edits.iter().map(|edit| not_reviewed(&edit.id, reason)).collect();
        Self { edits: edits.to_vec(), records, status, calls: Vec::new() }
    }
}

fn status_of(records: &[ReviewRecord], calls: &[ReviewCall]) -> ReviewStatus {
    let not_reviewed: Vec<&ReviewRecord> =
        records.iter().filter(|record| record.decision == ReviewDecision::NotReviewed).collect();
    match not_reviewed.as_slice() {
        [] => ReviewStatus::Reviewed,
        [first, ..] if not_reviewed.len() == records.len() => {
            let failed = calls.iter().find_map(|call| call.failed.clone());
            ReviewStatus::Failed { because: failed.unwrap_or_else(|| first.reason.clone()) }
        }
        some => ReviewStatus::PartlyReviewed { not_reviewed: some.len() },
    }
}

/// A journal that fails is fatal at once, an endpoint if no call at all got through.
fn check_endpoint(output: &ReviewOutput) -> Result<(), ReviewError> {
    let outcomes = endpoint_outcomes(output);
    let failures: Vec<&ChatError> = outcomes.iter().filter_map(|outcome| *outcome).collect();
    if let Some(journal) = failures.iter().find(|cause| matches!(cause, ChatError::Journal { .. })) {
        return Err(ReviewError::Journal((*journal).clone()));
    }
    match failures.first() {
        Some(first) if failures.len() == outcomes.len() => {
            Err(ReviewError::AllCallsFailed { calls: outcomes.len(), first: (*first).clone() })
        }
        _ => Ok(()),
    }
}

/// For every call that was made, the endpoint's failure if it failed.
fn endpoint_outcomes(output: &ReviewOutput) -> Vec<Option<&ChatError>> {
    let merges = output.merges.iter().map(|merge| (merge.endpoint.as_ref(), &merge.replies));
    let calls = output.calls.iter().map(|call| (call.endpoint.as_ref(), &call.replies));
    let ranking = [(output.ranking.endpoint.as_ref(), &output.ranking.replies)];
    let all = merges.chain(calls).chain(ranking);
    let made = all.filter(|(failure, replies)| failure.is_some() || replies.calls() > 0);
    made.map(|(failure, _)| failure).collect()
}

fn usage(output: &ReviewOutput) -> UsageTotal {
    let merges = output.merges.iter().map(|merge| &merge.replies);
    let calls = output.calls.iter().map(|call| &call.replies);
    let mut total = UsageTotal::default();
    for replies in merges.chain(calls).chain([&output.ranking.replies]) {
        total.add(&replies.usage());
    }
    total
}
