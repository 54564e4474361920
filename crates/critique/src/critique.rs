//! The critique stage: from rollout groups to proposals and evidence (Algorithm 1, lines 2 to 5).
//!
//! Always holds: one bad reply or failed call costs its own group only and is recorded; results stand in the order of
//! the groups, however the calls return.

use futures_util::{StreamExt, stream};
use textualrl_llm::prompt::{TemplateError, Templates};
use textualrl_llm::{AskError, ChatError, ChatModel};
use textualrl_model::settings::{CardsKept, CritiqueSettings};
use textualrl_model::{
    Context, EditId, EditProposal, EvidencePool, RolloutGroup, StepBuffer, StepId, UsageTotal,
};

use crate::answer::CriticAnswer;
use crate::batch::batch;
use crate::call::{Called, Caller};
use crate::history::history_text;
use crate::output::{CritiqueOutput, GroupRecord, ShownReference};
use crate::pattern::failure_patterns;
use crate::route::route;

/// What the critics of a step work on.
#[derive(Debug, Clone, Copy)]
pub struct CritiqueInput<'a> {
    /// The rollout groups of the step.
    pub groups: &'a [RolloutGroup],
    /// The context C that they ran under.
    pub context: &'a Context,
    /// The history H.
    pub buffer: &'a StepBuffer,
    /// How critics are called.
    pub settings: &'a CritiqueSettings,
    /// Tokens that fit into one prompt of the optimizer.
    pub window_tokens: u32,
    /// The run's seed.
    pub seed: u64,
    /// The step.
    pub step: StepId,
    /// 0, or one more for each `--resample`.
    pub generation: u32,
    /// Critics asked at once; at least 1.
    pub concurrency: usize,
}

/// Why the stage gives no output.
#[derive(Debug, thiserror::Error)]
pub enum CritiqueError {
    /// A prompt cannot be rendered.
    #[error(transparent)]
    Template(#[from] TemplateError),
    /// The journal cannot be written, so that calls would be paid for again.
    #[error(transparent)]
    Journal(ChatError),
    /// The endpoint failed in every call, so that nothing can be said about the step.
    #[error("all {calls} critic calls failed, the first with: {first}")]
    AllCallsFailed {
        /// The calls.
        calls: usize,
        /// The first failure, which names the endpoint.
        first: ChatError,
    },
}

/// Routes, deduplicates and batches the groups, asks the critics, and checks what they say.
///
/// # Errors
/// If a template is wrong, the journal cannot be written, or the endpoint failed in every call.
pub async fn critique(
    input: &CritiqueInput<'_>,
    model: &dyn ChatModel,
    templates: &Templates,
) -> Result<CritiqueOutput, CritiqueError> {
    let routed = route(input.groups, input.settings.feedback);
    let batches = batch(routed.blocks, input.settings, input.seed, input.step);
    let history = history_text(input.buffer);
    let caller = Caller { input, history: &history, model, templates };
    let mut calls = Vec::new();
    for (number, group) in (1..).zip(batches.groups) {
        calls.push(caller.analyse(number, group));
    }
    let answers: Vec<_> = stream::iter(calls).buffered(input.concurrency.max(1)).collect().await;
    let mut called = Vec::new();
    for answer in answers {
        called.extend(answer?);
    }
    check_endpoint(&called)?;
    let mut output = CritiqueOutput {
        groups: Vec::new(),
        proposals: Vec::new(),
        pool: EvidencePool::default(),
        rejected_cards: Vec::new(),
        skipped_routes: batches.skipped,
        left_out: routed.left_out,
        failure_patterns: Vec::new(),
        usage: UsageTotal::default(),
    };
    for call in called {
        output.take(call, input.settings.cards);
    }
    output.failure_patterns = failure_patterns(input.groups, &output.pool, input.settings.feedback);
    Ok(output)
}

/// A journal that fails is fatal at once, an endpoint if no call at all got through.
fn check_endpoint(called: &[Called]) -> Result<(), CritiqueError> {
    let failures: Vec<&ChatError> = called
        .iter()
        .filter_map(|call| match &call.answer {
            Err(AskError::Call { cause, .. }) => Some(cause),
            _ => None,
        })
        .collect();
    if let Some(journal) = failures.iter().find(|cause| matches!(cause, ChatError::Journal { .. })) {
        return Err(CritiqueError::Journal((*journal).clone()));
    }
    match failures.first() {
        Some(first) if failures.len() == called.len() => {
            Err(CritiqueError::AllCallsFailed { calls: called.len(), first: (*first).clone() })
        }
        _ => Ok(()),
    }
}

impl CritiqueOutput {
    /// Adds what a call gave, and its record.
    fn take(&mut self, call: Called, kept: CardsKept) {
        let mut record = record_of(&call);
        match call.answer {
            Ok(asked) => {
                record.problems = asked.problems;
                record.replies = asked.record;
                self.take_answer(asked.value, &mut record, kept);
            }
            Err(error) => {
                record.failed = Some(format!("no proposal, because {error}"));
                record.replies = error.record().clone();
            }
        }
        self.usage.add(&record.replies.usage());
        self.groups.push(record);
    }

    fn take_answer(&mut self, answer: CriticAnswer, record: &mut GroupRecord, kept: CardsKept) {
        for (number, supported) in (1..).zip(answer.edits) {
            let id = EditId::proposed(&record.group, number);
            record.proposals.push(id.clone());
            self.proposals.push(EditProposal {
                id: id.clone(),
                edit: supported.edit,
                groups: vec![record.group.clone()],
                routes: record.route.into_iter().collect(),
                support: supported.support,
                from: vec![id],
                reasoning: answer.reasoning.clone(),
            });
        }
        record.reasoning = answer.reasoning;
        self.rejected_cards.extend(answer.cards.rejected);
        if kept == CardsKept::OnlyWithEdits && record.proposals.is_empty() {
            record.dropped_cards = u32::try_from(answer.cards.cards.len()).unwrap_or(u32::MAX);
            return;
        }
        record.cards = answer.cards.cards.iter().map(|card| card.id.clone()).collect();
        self.pool.cards.extend(answer.cards.cards);
    }
}

/// The record of a call, before what its answer adds.
fn record_of(call: &Called) -> GroupRecord {
    let shown = call.display.blocks.iter().flat_map(|block| {
        block.trajectories.iter().map(|trajectory| ShownReference {
            task: block.task.clone(),
            rollout: trajectory.rollout,
            outcome: trajectory.outcome,
            references: trajectory.references.clone(),
        })
    });
    let blocks = &call.group.blocks;
    GroupRecord {
        group: call.id.clone(),
        route: call.group.route,
        tasks: blocks.iter().map(|block| block.task.clone()).collect(),
        incomplete: blocks.iter().filter(|block| block.incomplete).map(|block| block.task.clone()).collect(),
        shown: shown.collect(),
        cut_characters: call.display.cut,
        max_edits: call.group.max_edits,
        reasoning: String::new(),
        proposals: Vec::new(),
        cards: Vec::new(),
        dropped_cards: 0,
        problems: Vec::new(),
        failed: None,
        replies: Default::default(),
    }
}
