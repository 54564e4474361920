//! Rollouts in parts: `--shard i/n` collects one part, `--collect n` puts the parts together.
//!
//! Always holds: every rollout is in exactly one part; a part locks itself only, so that parts can be collected at the
//! same time, on one machine or on several.

use std::collections::BTreeMap;

use textualrl_artifact::{Access, Kind, RoleUsage, Shard, Slot, StageRecord, StageSummary, TextKind};
use textualrl_llm::ModelRole;
use textualrl_model::{Context, ExitCode, Split, Stage};
use textualrl_rollout::{GroupsArtifact, RolloutPlan, Sampling, ScoresArtifact, group, merge_shards};

use super::{Work, evaluation, rollout, tell_journal, unread, unwritten, usage_of};
use crate::arguments::RolloutArguments;
use crate::failure::Failure;
use crate::opened::Opened;
use crate::{logging, output};

/// Runs a part, or puts the parts together.
pub(crate) fn shard_or_collect(slot: Slot, arguments: &RolloutArguments, verbose: u8) -> Result<(), Failure> {
    match (&arguments.shard, arguments.collect) {
        (Some(text), _) => run_shard(parse(slot, text)?, arguments, verbose),
        (None, Some(of)) => collect(slot, of, arguments, verbose),
        (None, None) => Ok(()),
    }
}

/// Reads `i/n`, with i from 0 to n - 1.
fn parse(slot: Slot, text: &str) -> Result<Shard, Failure> {
    let numbers = text.split_once('/').and_then(|(i, n)| Some((i.parse().ok()?, n.parse().ok()?)));
    let Some((number, of)) = numbers else {
        return Err(Failure::new(ExitCode::Usage, format!("{text:?} is no part"))
            .hint("write 0/4 to 3/4 for four parts"));
    };
    Shard::new(slot, number, of).map_err(|error| Failure::of(ExitCode::Usage, &error))
}

struct Parts {
    plan: RolloutPlan,
    sampling: Sampling,
    context: Context,
}

fn parts(work: &Work<'_>) -> Result<Parts, Failure> {
    let context = work.opened.context(&work.records, &work.context_input()?)?;
    let (plan, sampling) = match work.slot {
        Slot::Step { step, stage: Stage::Rollout } => {
            (rollout::plan(work, rollout::planned(work, step)?)?, rollout::training(work))
        }
        _ => (evaluation::plan(work)?, evaluation::sampling(work)),
    };
    Ok(Parts { plan, sampling, context })
}

fn run_shard(shard: Shard, arguments: &RolloutArguments, verbose: u8) -> Result<(), Failure> {
    let stage = &arguments.stage;
    let opened = Opened::open(&stage.run, Access::Shard(shard), stage.prompts.as_deref())?;
    logging::start(verbose, None);
    let work = Work::new(&opened, shard.slot(), stage.resample)?;
    let parts = parts(&work)?;
    let plan = parts.plan.shard(shard.number(), shard.of());
    // One journal for all parts and the whole: each process writes a segment of its own.
    let connected = work.connect(ModelRole::Target)?;
    super::tell_interrupted(work.slot, &connected);
    let collected = rollout::gather(&work, &plan, &parts.context, parts.sampling, &connected)?;
    tell_journal(work.slot, &connected);
    let mut draft = opened.run.begin_shard(shard).map_err(unwritten)?;
    draft.write_trajectories(&collected.trajectories).map_err(unwritten)?;
    let solved = collected
        .trajectories
        .iter()
        .filter_map(|one| one.outcome.reward())
        .filter(|reward| reward.is_success());
    let count = |number: usize| u32::try_from(number).unwrap_or(u32::MAX);
    let summary = StageSummary::Rollout {
        mixed: 0,
        all_success: 0,
        all_failure: 0,
        left_out: 0,
        rollouts: count(collected.trajectories.len()),
        solved: count(solved.count()),
        not_scored: collected.not_scored,
    };
    let record = StageRecord {
        slot: shard.slot(),
        inputs: work.inputs.clone(),
        outputs: BTreeMap::new(),
        generation: work.generation,
        simulated: connected.model.describe().simulated,
        usage: super::recorded(usage_of(ModelRole::Target, collected.usage)),
        summary,
    };
    let record = draft.commit(record).map_err(unwritten)?;
    let message = format!(
        "{}: part {} of {}, {} rollouts",
        shard.slot(),
        shard.number(),
        shard.of(),
        plan.keys().len()
    );
    output::say(&message);
    if stage.json { output::json(&record) } else { Ok(()) }
}

fn collect(slot: Slot, of: u32, arguments: &RolloutArguments, verbose: u8) -> Result<(), Failure> {
    if of == 0 {
        return Err(Failure::new(ExitCode::Usage, "nothing is collected from 0 parts")
            .hint("name the number of parts, such as --collect 4"));
    }
    let stage = &arguments.stage;
    let access = if stage.under_loop { Access::UnderLoop } else { Access::Write };
    let opened = Opened::open(&stage.run, access, stage.prompts.as_deref())?;
    logging::start(verbose, opened.run.open_log().ok());
    let work = Work::new(&opened, slot, false)?;
    let parts = parts(&work)?;
    let mut shards = Vec::new();
    let mut usage = RoleUsage::default();
    let mut simulated = false;
    for number in 0..of {
        let shard = Shard::new(slot, number, of).map_err(|error| Failure::of(ExitCode::Usage, &error))?;
        let record = finished(&work, shard)?;
        usage.target.add(&record.usage.target);
        simulated |= record.simulated;
        shards.push(
            opened.run.shard_trajectories(shard).and_then(|mut reader| reader.read_all()).map_err(unread)?,
        );
    }
    let trajectories =
        merge_shards(shards, &parts.plan).map_err(|error| Failure::of(ExitCode::RunFolder, &error))?;
    let mut draft = opened.run.begin(slot).map_err(unwritten)?;
    draft.write_text(TextKind::Context, parts.context.text()).map_err(unwritten)?;
    draft.write_trajectories(&trajectories).map_err(unwritten)?;
    let summary = if parts.plan.split() == Split::Train {
        if let Slot::Step { step, .. } = slot {
            let batch = rollout::planned(&work, step)?.under(parts.context.fingerprint());
            opened.run.write_step_json(step, Kind::Batch, &batch).map_err(unwritten)?;
        }
        let k = opened.config().rollout.k;
        let groups = GroupsArtifact::of(&group(trajectories, k), k);
        draft.write_json(Kind::Groups, &groups).map_err(unwritten)?;
        rollout::summary(&groups)
    } else {
        let scores = ScoresArtifact::of(parts.context.fingerprint(), parts.plan.split(), &trajectories);
        draft.write_json(Kind::Scores, &scores).map_err(unwritten)?;
        evaluation::summary(&scores)
    };
    let record = work.commit(super::Done { draft, usage, simulated, summary })?;
    output::say(&format!("{slot}: {} rollouts from {of} parts", parts.plan.keys().len()));
    if stage.json { output::json(&record) } else { Ok(()) }
}

/// The record of a finished part, if it was made from the inputs that the run gives now.
fn finished(work: &Work<'_>, shard: Shard) -> Result<StageRecord, Failure> {
    let name = format!("part {} of {}", shard.number(), shard.of());
    let command = format!("collect it with --shard {}/{}", shard.number(), shard.of());
    let record = work.opened.run.shard_record(shard).map_err(unread)?;
    let Some(record) = record else {
        return Err(Failure::new(ExitCode::RunFolder, format!("{} lacks {name}", work.slot)).hint(command));
    };
    if record.inputs != work.inputs {
        let message = format!("{name} of {} was collected from other inputs", work.slot);
        return Err(Failure::new(ExitCode::RunFolder, message).hint(command));
    }
    Ok(record)
}
