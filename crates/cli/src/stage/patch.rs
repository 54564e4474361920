//! The patch stage: reads the ranked edits, composes the patch, writes the candidate and the fate of every edit.
//!
//! Always holds: no model is called.

use std::collections::BTreeSet;

use textualrl_artifact::{Kind, RoleUsage, Slot, StageSummary, TextKind};
use textualrl_model::{Context, EditId, EvidencePool, Stage, StepId};
use textualrl_patch::{ComposeInput, ComposeOutcome, Composition, RankedEdit, StageFate, compose, families};
use textualrl_review::Ranking;

use super::gate::{judged_before, past_candidates};
use super::review::Reviewed;
use super::rollout::planned;
use super::{Done, Work, unread, unwritten};
use crate::failure::Failure;

/// Fills the patch slot of a step.
pub(super) fn patch(work: &Work<'_>, step: StepId) -> Result<Done, Failure> {
    let review = Slot::Step { step, stage: Stage::Review };
    let reviewed: Reviewed = work.opened.run.read_json(review, Kind::Reviewed).map_err(unread)?;
    let ranking: Ranking = work.opened.run.read_json(review, Kind::Ranking).map_err(unread)?;
    let base = work.opened.context(&work.records, &work.context_input()?)?;
    let settings = &work.opened.config().patch;
    let history = judged_before(work, step)?;
    let rejected: Vec<_> = history.rejected_in(step.epoch).map(<[_]>::to_vec).collect();
    let blocked: Vec<_> = families(&past_candidates(&history), settings)
        .into_iter()
        .filter(|family| family.blocked)
        .map(|family| family.variants)
        .collect();
    let composition = compose(&ComposeInput {
        base: &base,
        ranked: &ranked(&reviewed, &ranking),
        budget: planned(work, step)?.edit_budget,
        rejected: &rejected,
        blocked_families: &blocked,
        identifiers: &identifiers(work, step)?,
        settings,
    });
    let simulated = work.simulated_in(step, &[Stage::Rollout, Stage::Critique, Stage::Review]);
    write(work, &base, &composition, simulated)
}

/// The reviewed edits, the best first.
fn ranked(reviewed: &Reviewed, ranking: &Ranking) -> Vec<RankedEdit> {
    let find = |id: &EditId| reviewed.edits.iter().find(|proposal| proposal.id == *id);
    let ranked = ranking.order.iter().filter_map(find);
    ranked.map(|proposal| RankedEdit { id: proposal.id.clone(), edit: proposal.edit.clone() }).collect()
}

/// Ids of the step's tasks, rollouts and cards, which no edit may name. Ids so short that any text may hold them by
/// chance are left out.
fn identifiers(work: &Work<'_>, step: StepId) -> Result<Vec<String>, Failure> {
    let critique = Slot::Step { step, stage: Stage::Critique };
    let pool: EvidencePool = work.opened.run.read_json(critique, Kind::Evidence).map_err(unread)?;
    let mut ids: BTreeSet<String> = planned(work, step)?.tasks.iter().map(ToString::to_string).collect();
    ids.extend(pool.cards.iter().map(|card| card.id.to_string()));
    Ok(ids.into_iter().filter(|id| id.chars().count() > 3).collect())
}

fn write(
    work: &Work<'_>,
    base: &Context,
    composition: &Composition,
    simulated: bool,
) -> Result<Done, Failure> {
    let mut draft = work.opened.run.begin(work.slot).map_err(unwritten)?;
    draft.write_json(Kind::Fates, &composition.fates).map_err(unwritten)?;
    draft.write_json(Kind::Patch, &composition.patch).map_err(unwritten)?;
    draft.write_text(TextKind::Context, base.text()).map_err(unwritten)?;
    let (candidate, skip) = match &composition.outcome {
        ComposeOutcome::Candidate { context, diff, inverse } => {
            draft.write_text(TextKind::CandidateContext, context.text()).map_err(unwritten)?;
            draft.write_text(TextKind::Change, diff).map_err(unwritten)?;
            draft.write_json(Kind::Inverse, inverse).map_err(unwritten)?;
            (Some(context.fingerprint()), None)
        }
        ComposeOutcome::Skipped { reason } => (None, Some(*reason)),
    };
    let count = |number: usize| u32::try_from(number).unwrap_or(u32::MAX);
    let taken = composition.fates.iter().filter(|one| matches!(one.fate, StageFate::Taken { .. })).count();
    let summary = StageSummary::Patch {
        applied: count(taken),
        not_taken: count(composition.fates.len() - taken),
        candidate,
        skip,
    };
    Ok(Done { draft, usage: RoleUsage::default(), simulated, summary })
}
