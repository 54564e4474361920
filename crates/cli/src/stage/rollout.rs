//! Training rollouts: K trajectories for each task of the step's batch.
//!
//! Always holds: the trajectories are written in the order of the plan.

use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Instant;

use textualrl_artifact::{Kind, StageSummary, TextKind};
use textualrl_llm::ModelRole;
use textualrl_model::{Context, ExitCode, StepId, Trajectory};
use textualrl_pipeline::PlannedStep;
use textualrl_rollout::{
    CollectError, CollectProgress, Collected, Collection, GroupsArtifact, RolloutPlan, Sampling,
    collect as collect_all, group,
};

use super::{Done, Work, block_on, tell_journal, unwritten, usage_of};
use crate::failure::Failure;
use crate::interrupt::interrupted;
use crate::models::Connected;
use crate::progress::Progress;

/// Fills the rollout slot of a step.
pub(super) fn collect(work: &Work<'_>, step: StepId) -> Result<Done, Failure> {
    let connected = work.connect(ModelRole::Target)?;
    let planned = planned(work, step)?;
    let context = work.opened.context(&work.records, &work.context_input()?)?;
    let batch = planned.under(context.fingerprint());
    work.opened.run.write_step_json(step, Kind::Batch, &batch).map_err(unwritten)?;
    let plan = plan(work, planned)?;
    let collected = gather(work, &plan, &context, training(work), &connected)?;
    tell_journal(work.slot, &connected);
    finish(work, &context, collected.trajectories, usage_of(ModelRole::Target, collected.usage), &connected)
}

/// The step as it is planned.
pub(super) fn planned<'a>(work: &'a Work<'_>, step: StepId) -> Result<&'a PlannedStep, Failure> {
    let missing = || Failure::new(ExitCode::Usage, format!("the run has no step {step}"));
    work.opened.plan.step(step).ok_or_else(missing)
}

/// The rollouts of a training step.
pub(super) fn plan(work: &Work<'_>, planned: &PlannedStep) -> Result<RolloutPlan, Failure> {
    let config = work.opened.config();
    RolloutPlan::training(planned.step, &planned.tasks, config.rollout.k, config.run.seed)
        .map_err(|error| Failure::of(ExitCode::BadInput, &error))
}

/// How training rollouts are sampled.
pub(super) fn training(work: &Work<'_>) -> Sampling {
    let config = work.opened.config();
    let sampling = Sampling::training(&config.rollout, config.target.seed);
    Sampling { temperature: config.target.temperature.sent(sampling.temperature), ..sampling }
}

/// Collects the rollouts of a plan.
pub(super) fn gather(
    work: &Work<'_>,
    plan: &RolloutPlan,
    context: &Context,
    sampling: Sampling,
    connected: &Connected,
) -> Result<Collected, Failure> {
    let config = work.opened.config();
    let collection = Collection {
        plan,
        context,
        benchmark: work.opened.benchmark.as_ref(),
        sampling,
        generation: work.generation,
        concurrency: config.target.concurrency,
        limits: &config.limits,
    };
    let line = Progress::new(work.slot.to_string());
    let shown = AtomicU64::new(0);
    let began = Instant::now();
    let progress = |now: CollectProgress| {
        // A few times a second is enough for eyes, and costs no time where thousands are under way.
        let tick = u64::try_from(began.elapsed().as_millis() / 200).unwrap_or(u64::MAX);
        if shown.swap(tick, Ordering::Relaxed) != tick {
            line.show(now.done, now.of);
        }
    };
    let collected =
        block_on(collect_all(collection, std::sync::Arc::clone(&connected.model), &progress, interrupted()))?;
    line.end();
    let (rollouts, seconds) = (plan.keys().len(), began.elapsed().as_secs_f64());
    tracing::info!(slot = %work.slot, rollouts, seconds, "rollouts collected");
    collected.map_err(uncollected)
}

/// Writes collected training trajectories and what they come to.
pub(super) fn finish(
    work: &Work<'_>,
    context: &Context,
    trajectories: Vec<Trajectory>,
    usage: textualrl_artifact::RoleUsage,
    connected: &Connected,
) -> Result<Done, Failure> {
    let mut draft = work.opened.run.begin(work.slot).map_err(unwritten)?;
    draft.write_text(TextKind::Context, context.text()).map_err(unwritten)?;
    draft.write_trajectories(&trajectories).map_err(unwritten)?;
    let k = work.opened.config().rollout.k;
    let groups = GroupsArtifact::of(&group(trajectories, k), k);
    draft.write_json(Kind::Groups, &groups).map_err(unwritten)?;
    Ok(Done { draft, usage, simulated: connected.model.describe().simulated, summary: summary(&groups) })
}

/// What the groups come to.
pub(super) fn summary(groups: &GroupsArtifact) -> StageSummary {
    StageSummary::Rollout {
        mixed: groups.mixed,
        all_success: groups.all_success,
        all_failure: groups.all_failure,
        left_out: groups.left_out,
        rollouts: groups.rollouts(),
        solved: groups.solved,
        not_scored: groups.not_scored,
    }
}

/// Why the collection stopped, with the remedy.
fn uncollected(error: CollectError) -> Failure {
    let (code, hint) = match &error {
        CollectError::Endpoint(textualrl_llm::ChatError::Journal { .. }) => {
            (ExitCode::Storage, "make room on the disk, then try again")
        }
        CollectError::Endpoint(_) => {
            (ExitCode::Provider, "check base_url, model and key, then try again; completed calls are kept")
        }
        CollectError::TooManyNotScored { .. } => {
            (ExitCode::Provider, "mend the cause, then try again; completed calls are kept")
        }
        CollectError::Episode(_) => (ExitCode::BadInput, "mend the task's files, then try again"),
        CollectError::Interrupted => (ExitCode::Interrupted, "the same stage goes on from there"),
    };
    Failure::of(code, &error).hint(hint)
}
