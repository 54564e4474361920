//! What can be told from the records of a run: its history, its adopted contexts, its best context.
//!
//! Always holds: these are pure functions of the records and can be made again at any time; they follow the gates only as
//! far as each starts from the context that the one before left.

use serde::{Deserialize, Serialize};
use textualrl_artifact::{RoleUsage, Slot, StageSummary};
use textualrl_model::{Decision, Fingerprint, GateDecision, Stage, Standing, StepId, ValidationScore};

use crate::plan::{Records, standing_after};

/// One line of `history.jsonl`.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct HistoryLine {
    /// The step.
    pub step: StepId,
    /// What was decided.
    pub decision: Decision,
    /// Why, in a sentence with the numbers.
    pub reason: String,
    /// The context that the step started from.
    pub base: Fingerprint,
    /// The candidate, if there was one.
    pub candidate: Option<Fingerprint>,
    /// The candidate's score; null if it was not validated.
    pub candidate_score: Option<ValidationScore>,
    /// The score that had to be beaten.
    pub reference_score: ValidationScore,
    /// The context after the step.
    pub active: Fingerprint,
    /// The best context after the step.
    pub best: Fingerprint,
    /// Its score.
    pub best_score: ValidationScore,
    /// Training rollouts with reward 1.
    pub solved: u32,
    /// Training rollouts.
    pub rollouts: u32,
    /// Edits proposed.
    pub proposals: u32,
    /// Evidence cards.
    pub cards: u32,
    /// Edits applied.
    pub applied: u32,
    /// Calls and tokens of all stages of the step.
    pub usage: RoleUsage,
}

/// A context that was active at some time.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct AdoptedContext {
    /// 0 for the initial context, then one more for each accepted candidate.
    pub number: u32,
    /// The context.
    pub context: Fingerprint,
    /// The step whose candidate it was; none for the initial context.
    pub from: Option<StepId>,
}

/// The decided steps, oldest first.
pub fn history(records: &Records) -> Vec<HistoryLine> {
    decided(records).into_iter().map(|(step, decision)| line(records, step, decision)).collect()
}

/// The contexts that were active, oldest first. Empty before the baseline.
pub fn adopted_contexts(records: &Records) -> Vec<AdoptedContext> {
    let Some(initial) = records.get(&Slot::Baseline).and_then(standing_after) else { return Vec::new() };
    let accepted = decided(records)
        .into_iter()
        .filter(|(_, decision)| matches!(decision.decision, Decision::Accepted { .. }))
        .map(|(step, decision)| (Some(step), decision.active.clone()));
    (0..)
        .zip(std::iter::once((None, initial.active)).chain(accepted))
        .map(|(number, (from, context))| AdoptedContext { number, context, from })
        .collect()
}

/// Where the run stands: its active, reference and best. Nothing before the baseline.
pub fn standing(records: &Records) -> Option<Standing> {
    let initial = records.get(&Slot::Baseline).and_then(standing_after)?;
    Some(decided(records).last().map_or(initial, |(_, decision)| Standing::after(decision)))
}

/// The best context and the step whose candidate it was (none for the initial context).
pub fn best_context(records: &Records) -> Option<AdoptedContext> {
    let best = standing(records)?.best;
    // A context may be adopted twice; the first time is where its text lies.
    adopted_contexts(records).into_iter().find(|adopted| adopted.context == best)
}

/// The gates' decisions, as far as they follow from each other.
fn decided(records: &Records) -> Vec<(StepId, &GateDecision)> {
    let Some(mut standing) = records.get(&Slot::Baseline).and_then(standing_after) else { return Vec::new() };
    let gates = records.iter().filter_map(|(slot, record)| match (slot, &record.summary) {
        (Slot::Step { step, stage: Stage::Gate }, StageSummary::Gate { decision }) => Some((*step, decision)),
        _ => None,
    });
    gates
        .take_while(|(_, decision)| {
            let follows = decision.base == standing.active && decision.reference_score == standing.reference;
            standing = Standing::after(decision);
            follows
        })
        .collect()
}

fn line(records: &Records, step: StepId, decision: &GateDecision) -> HistoryLine {
    let summary = |stage| records.get(&Slot::Step { step, stage }).map(|record| &record.summary);
    let (solved, rollouts) = match summary(Stage::Rollout) {
        Some(StageSummary::Rollout { solved, rollouts, .. }) => (*solved, *rollouts),
        _ => (0, 0),
    };
    let (proposals, cards) = match summary(Stage::Critique) {
        Some(StageSummary::Critique { proposals, cards, .. }) => (*proposals, *cards),
        _ => (0, 0),
    };
    let applied = match summary(Stage::Patch) {
        Some(StageSummary::Patch { applied, .. }) => *applied,
        _ => 0,
    };
    let decision = decision.clone();
    HistoryLine {
        step,
        decision: decision.decision,
        reason: decision.reason,
        base: decision.base,
        candidate: decision.candidate,
        candidate_score: decision.candidate_score,
        reference_score: decision.reference_score,
        active: decision.active,
        best: decision.best,
        best_score: decision.best_score,
        solved,
        rollouts,
        proposals,
        cards,
        applied,
        usage: step_usage(records, step),
    }
}

fn step_usage(records: &Records, step: StepId) -> RoleUsage {
    let mut usage = RoleUsage::default();
    for record in Stage::ALL.iter().filter_map(|stage| records.get(&Slot::Step { step, stage: *stage })) {
        usage.target.add(&record.usage.target);
        usage.optimizer.add(&record.usage.optimizer);
    }
    usage
}
