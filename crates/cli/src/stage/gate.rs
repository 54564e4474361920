//! The gate: reads what the step came to, decides, and writes decision, step buffer and judged candidates.
//!
//! Always holds: no model is called; an open validation leaves the gate closed.

use serde::{Deserialize, Serialize};
use textualrl_artifact::{Kind, RoleUsage, Slot, StageSummary};
use textualrl_critique::Routing;
use textualrl_gate::{
    CandidateHistory, Comparison, JudgedCandidate, Offer, StepFacts, compare, decide, step_buffer,
};
use textualrl_model::{
    ExitCode, GateDecision, Patch, Reward, Route, SkipReason, Stage, Standing, StepBuffer, StepId, TaskId,
};
use textualrl_patch::{EditFamily, PastCandidate, families};
use textualrl_rollout::{GroupsArtifact, ScoresArtifact};

use super::{Done, Work, unread, unwritten};
use crate::failure::Failure;

/// The judged candidates of the run and the edit families that they form (`families.json`).
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub(super) struct Judged {
    /// The candidates, oldest first.
    pub(super) history: CandidateHistory,
    /// Their families, counted over the run.
    pub(super) families: Vec<EditFamily>,
}

/// The decision and what it rests on (`decision.json`).
#[derive(Debug, Serialize)]
struct DecisionArtifact<'a> {
    /// What was decided, and why.
    decision: &'a GateDecision,
    /// The candidate against the context whose score had to be beaten, task by task.
    comparison: Option<Comparison>,
}

/// Fills the gate slot of a step.
pub(super) fn gate(work: &Work<'_>, step: StepId) -> Result<Done, Failure> {
    let standing = standing_before(work, step)?;
    let validated = validated(work, step)?;
    let offer = match &validated {
        Some(scores) => offer(work, scores)?,
        None => Offer::Skipped(skip_reason(work, step)?),
    };
    let decision = decide(&standing, &offer);
    let patch: Patch = read(work, step, Stage::Patch, Kind::Patch)?;
    let facts = facts(work, step, &patch)?;
    let before = super::critique::buffer_before(work, step)?;
    let buffer: StepBuffer = step_buffer(&before, work.opened.config().history.scope, facts, &decision);
    let history = judged_before(work, step)?.with(step, &patch.edits, &decision);
    let settings = &work.opened.config().patch;
    let judged = Judged { families: families(&past_candidates(&history), settings), history };
    let comparison = comparison(work, validated.as_ref())?;
    let mut draft = work.opened.run.begin(work.slot).map_err(unwritten)?;
    draft
        .write_json(Kind::Decision, &DecisionArtifact { decision: &decision, comparison })
        .map_err(unwritten)?;
    draft.write_json(Kind::StepBuffer, &buffer).map_err(unwritten)?;
    draft.write_json(Kind::Families, &judged).map_err(unwritten)?;
    let summary = StageSummary::Gate { decision };
    let simulated =
        work.simulated_in(step, &[Stage::Rollout, Stage::Critique, Stage::Review, Stage::Validation]);
    Ok(Done { draft, usage: RoleUsage::default(), simulated, summary })
}

/// The judged candidates of the steps before, oldest first.
pub(super) fn judged_before(work: &Work<'_>, step: StepId) -> Result<CandidateHistory, Failure> {
    match work.opened.plan.before(step) {
        Some(slot @ Slot::Step { .. }) => {
            let judged: Judged = work.opened.run.read_json(slot, Kind::Families).map_err(unread)?;
            Ok(judged.history)
        }
        _ => Ok(CandidateHistory::default()),
    }
}

/// The judged candidates as the patch crate counts them.
pub(super) fn past_candidates(history: &CandidateHistory) -> Vec<PastCandidate> {
    let past = |one: &JudgedCandidate| PastCandidate { edits: one.edits.clone(), accepted: one.accepted };
    history.candidates.iter().map(past).collect()
}

fn read<T: serde::de::DeserializeOwned>(
    work: &Work<'_>,
    step: StepId,
    stage: Stage,
    kind: Kind,
) -> Result<T, Failure> {
    work.opened.run.read_json(Slot::Step { step, stage }, kind).map_err(unread)
}

/// Where the run stood before the step.
fn standing_before(work: &Work<'_>, step: StepId) -> Result<Standing, Failure> {
    let before = work.opened.plan.before(step).unwrap_or(Slot::Baseline);
    let record = work.records.get(&before);
    record.and_then(textualrl_pipeline::standing_after).ok_or_else(|| {
        let message = format!("{before} gives no reference score");
        Failure::new(ExitCode::Paused, message)
            .hint(format!("run {before} again until all its tasks are scored"))
    })
}

/// The candidate's scores, if the step has a candidate.
fn validated(work: &Work<'_>, step: StepId) -> Result<Option<ScoresArtifact>, Failure> {
    if !work.inputs.contains_key(Stage::Validation.name()) {
        return Ok(None);
    }
    read(work, step, Stage::Validation, Kind::Scores).map(Some)
}

fn offer(work: &Work<'_>, scores: &ScoresArtifact) -> Result<Offer, Failure> {
    let rewards = rewards(scores);
    let score = textualrl_gate::score(&rewards).map_err(|error| {
        Failure::of(ExitCode::Paused, &error).hint(format!("run the validation again, then {}", work.slot))
    })?;
    Ok(Offer::Validated { candidate: scores.context.clone(), score })
}

fn skip_reason(work: &Work<'_>, step: StepId) -> Result<SkipReason, Failure> {
    let patch = work.records.get(&Slot::Step { step, stage: Stage::Patch });
    match patch.map(|record| &record.summary) {
        Some(StageSummary::Patch { skip: Some(reason), .. }) => Ok(*reason),
        _ => Err(Failure::new(
            ExitCode::RunFolder,
            format!("the patch of {step} names neither candidate nor reason"),
        )
        .hint("run the patch stage again")),
    }
}

fn facts(work: &Work<'_>, step: StepId, patch: &Patch) -> Result<StepFacts, Failure> {
    let groups: GroupsArtifact = read(work, step, Stage::Rollout, Kind::Groups)?;
    let routing: Routing = read(work, step, Stage::Critique, Kind::Routing)?;
    let failed =
        groups.groups.iter().filter(|group| matches!(group.route, Some(Route::Mixed | Route::AllFailure)));
    let count = |number: usize| u32::try_from(number).unwrap_or(u32::MAX);
    Ok(StepFacts {
        step,
        failed_tasks: count(failed.count()),
        tasks: count(groups.groups.len()),
        patterns: routing.failure_patterns,
        edits: patch.edits.clone(),
    })
}

fn rewards(scores: &ScoresArtifact) -> Vec<(TaskId, Option<Reward>)> {
    scores.tasks.iter().map(|task| (task.task.clone(), task.reward)).collect()
}

/// The candidate's rewards beside those of the context whose score had to be beaten.
fn comparison(work: &Work<'_>, scores: Option<&ScoresArtifact>) -> Result<Option<Comparison>, Failure> {
    let Some(scores) = scores else { return Ok(None) };
    let Slot::Step { step, .. } = work.slot else { return Ok(None) };
    let before = work.opened.plan.before(step).and_then(|slot| work.records.get(&slot));
    let Some(active) = before.and_then(textualrl_pipeline::standing_after).map(|standing| standing.active)
    else {
        return Ok(None);
    };
    let of_active = work.records.iter().find(|(slot, record)| {
        matches!(slot, Slot::Baseline | Slot::Step { stage: Stage::Validation, .. })
            && matches!(&record.summary, StageSummary::Evaluation { context, .. } if *context == active)
    });
    let Some((slot, _)) = of_active else { return Ok(None) };
    let reference: ScoresArtifact = work.opened.run.read_json(*slot, Kind::Scores).map_err(unread)?;
    Ok(Some(compare(&rewards(scores), &rewards(&reference))))
}
