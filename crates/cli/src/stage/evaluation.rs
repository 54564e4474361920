//! Evaluations: the baseline, a candidate's validation, and the arms at the end. One rollout a task, temperature 0.
//!
//! Always holds: a task without a reward leaves the score open; nothing is decided by an open score.

use textualrl_artifact::{Kind, Slot, StageSummary, TextKind};
use textualrl_llm::ModelRole;
use textualrl_model::{Arm, ExitCode, Split, Stage};
use textualrl_rollout::{RolloutPlan, Sampling, ScoresArtifact, most_frequent_cause};

use super::{Done, Work, needed_step, tell_journal, unwritten, usage_of};
use crate::arguments::RolloutArguments;
use crate::failure::Failure;
use crate::output;

/// The slot that a rollout command fills.
pub(super) fn slot(arguments: &RolloutArguments) -> Result<Slot, Failure> {
    if arguments.baseline {
        return Ok(Slot::Baseline);
    }
    if let Some(name) = &arguments.arm {
        let arm = Arm::ALL.into_iter().find(|arm| arm.name() == name).ok_or_else(|| {
            Failure::new(ExitCode::Usage, format!("{name:?} is no arm"))
                .hint("write --arm none, initial or best")
        })?;
        if arguments.split == Split::Train {
            return Err(Failure::new(ExitCode::Usage, "an arm is evaluated on validation or test tasks")
                .hint("add --split validation or --split test"));
        }
        return Ok(Slot::Evaluation { arm, split: arguments.split });
    }
    let step = needed_step(&arguments.stage)?;
    match arguments.split {
        Split::Train => Ok(Slot::Step { step, stage: Stage::Rollout }),
        Split::Validation => Ok(Slot::Step { step, stage: Stage::Validation }),
        Split::Test => Err(Failure::new(ExitCode::Usage, "a step is never evaluated on test tasks")
            .hint("name a context instead: --split test --arm best")),
    }
}

/// The tasks of an evaluation slot.
pub(super) fn split_of(slot: Slot) -> Split {
    match slot {
        Slot::Evaluation { split, .. } => split,
        Slot::Baseline | Slot::Step { .. } => Split::Validation,
    }
}

/// The rollouts of an evaluation.
pub(super) fn plan(work: &Work<'_>) -> Result<RolloutPlan, Failure> {
    let split = split_of(work.slot);
    let tasks = &work.opened.benchmark.listing(split).tasks;
    RolloutPlan::evaluation(split, tasks, work.opened.config().evaluation.seed)
        .map_err(|error| Failure::of(ExitCode::BadInput, &error))
}

/// How evaluations are sampled.
pub(super) fn sampling(work: &Work<'_>) -> Sampling {
    let config = work.opened.config();
    let sampling = Sampling::evaluation(&config.evaluation, config.target.seed);
    Sampling { temperature: config.target.temperature.sent(sampling.temperature), ..sampling }
}

/// Fills an evaluation slot.
pub(super) fn evaluate(work: &Work<'_>) -> Result<Done, Failure> {
    let connected = work.connect(ModelRole::Target)?;
    let context = work.opened.context(&work.records, &work.context_input()?)?;
    let plan = plan(work)?;
    let collected = super::rollout::gather(work, &plan, &context, sampling(work), &connected)?;
    tell_journal(work.slot, &connected);
    if let Some((cause, times)) = most_frequent_cause(&collected.trajectories) {
        let not_scored = collected.not_scored;
        output::say(&format!(
            "{}: {not_scored} tasks not scored, most often ({times} times): {cause}",
            work.slot
        ));
    }
    let mut draft = work.opened.run.begin(work.slot).map_err(unwritten)?;
    draft.write_text(TextKind::Context, context.text()).map_err(unwritten)?;
    draft.write_trajectories(&collected.trajectories).map_err(unwritten)?;
    let scores = ScoresArtifact::of(context.fingerprint(), plan.split(), &collected.trajectories);
    draft.write_json(Kind::Scores, &scores).map_err(unwritten)?;
    let usage = usage_of(ModelRole::Target, collected.usage);
    Ok(Done { draft, usage, simulated: connected.model.describe().simulated, summary: summary(&scores) })
}

/// What the scores come to.
pub(super) fn summary(scores: &ScoresArtifact) -> StageSummary {
    StageSummary::Evaluation {
        context: scores.context.clone(),
        score: scores.score,
        not_scored: scores.not_scored,
    }
}
