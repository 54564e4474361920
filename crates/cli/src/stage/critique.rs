//! Critique: reads the step's trajectories and history, asks the critics, writes proposals and evidence.
//!
//! Always holds: no target call is made; every group's call is on disk, whatever it gave.

use textualrl_artifact::{Kind, Slot, StageSummary};
use textualrl_critique::{CritiqueError, CritiqueInput, CritiqueOutput, critique as ask_critics};
use textualrl_gate::visible_to;
use textualrl_llm::ModelRole;
use textualrl_model::{ExitCode, RolloutGroup, Stage, StepBuffer, StepId};
use textualrl_rollout::group;

use super::{Done, Work, tell_journal, unread, until_interrupted, unwritten, usage_of};
use crate::failure::Failure;

/// Fills the critique slot of a step.
pub(super) fn critique(work: &Work<'_>, step: StepId) -> Result<Done, Failure> {
    let connected = work.connect(ModelRole::Optimizer)?;
    let config = work.opened.config();
    let groups = rollout_groups(work, step)?;
    let context = work.opened.context(&work.records, &work.context_input()?)?;
    let buffer = buffer_before(work, step)?;
    let input = CritiqueInput {
        groups: &groups,
        context: &context,
        buffer: &buffer,
        settings: &config.critique,
        window_tokens: config.optimizer.window_tokens,
        seed: config.run.seed,
        step,
        generation: work.generation,
        concurrency: usize::try_from(config.optimizer.concurrency).unwrap_or(1),
    };
    let output = until_interrupted(ask_critics(&input, connected.model.as_ref(), &work.opened.templates))?
        .map_err(|error| failed(&error))?;
    tell_journal(work.slot, &connected);
    let usage = usage_of(ModelRole::Optimizer, output.usage);
    write(work, output).map(|(draft, summary)| Done {
        draft,
        usage,
        simulated: connected.model.describe().simulated,
        summary,
    })
}

/// The rollout groups that the rollout stage left.
pub(super) fn rollout_groups(work: &Work<'_>, step: StepId) -> Result<Vec<RolloutGroup>, Failure> {
    let slot = Slot::Step { step, stage: Stage::Rollout };
    let mut reader = work.opened.run.trajectories(slot).map_err(unread)?;
    let trajectories = reader.read_all().map_err(unread)?;
    Ok(group(trajectories, work.opened.config().rollout.k))
}

/// The history H that a step's critics read: what the gate before left, as far as the scope reaches.
pub(super) fn buffer_before(work: &Work<'_>, step: StepId) -> Result<StepBuffer, Failure> {
    let scope = work.opened.config().history.scope;
    match work.opened.plan.before(step) {
        Some(slot @ Slot::Step { .. }) => {
            let buffer: StepBuffer = work.opened.run.read_json(slot, Kind::StepBuffer).map_err(unread)?;
            Ok(visible_to(&buffer, scope, step))
        }
        _ => Ok(StepBuffer::default()),
    }
}

fn write(
    work: &Work<'_>,
    output: CritiqueOutput,
) -> Result<(textualrl_artifact::StageDraft, StageSummary), Failure> {
    let mut draft = work.opened.run.begin(work.slot).map_err(unwritten)?;
    for (number, record) in (1..).zip(&output.groups) {
        draft.write_numbered_json(Kind::AnalysisGroup, number, record).map_err(unwritten)?;
    }
    draft.write_json(Kind::Proposals, &output.proposals).map_err(unwritten)?;
    draft.write_json(Kind::Evidence, &output.pool).map_err(unwritten)?;
    draft.write_json(Kind::RejectedCards, &output.rejected_cards).map_err(unwritten)?;
    draft.write_json(Kind::Routing, &output.routing()).map_err(unwritten)?;
    let count = |number: usize| u32::try_from(number).unwrap_or(u32::MAX);
    let summary = StageSummary::Critique {
        calls: count(output.groups.len()),
        failed_calls: count(output.failed_calls()),
        proposals: count(output.proposals.len()),
        cards: count(output.pool.cards.len()),
        rejected_cards: count(output.rejected_cards.len()),
    };
    Ok((draft, summary))
}

fn failed(error: &CritiqueError) -> Failure {
    let code = match error {
        CritiqueError::Template(_) => ExitCode::BadInput,
        CritiqueError::Journal(_) => ExitCode::Storage,
        CritiqueError::AllCallsFailed { .. } => ExitCode::Provider,
    };
    Failure::of(code, error).hint("mend the cause, then try again; completed calls are kept")
}
