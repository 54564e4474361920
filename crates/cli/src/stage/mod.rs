//! The edge between the stages and the run folder: each file here reads what earlier stages left, calls its stage, and
//! writes what it gives.
//!
//! Always holds: a stage's record names the inputs as the plan does; nothing is written before the result is whole.

mod adopt;
mod critique;
mod evaluation;
mod gate;
mod patch;
mod review;
mod rollout;
mod shard;
mod words;

use std::collections::BTreeMap;
use std::future::Future;
use std::time::Instant;

use textualrl_artifact::{Access, RoleUsage, Slot, StageDraft, StageRecord, StageSummary, WriteError};
use textualrl_llm::ModelRole;
use textualrl_model::{ExitCode, Fingerprint, Stage, StepId, UsageTotal};
use textualrl_pipeline::{Plan, Records, SlotState};

use crate::arguments::{RolloutArguments, StageArguments};
use crate::failure::Failure;
use crate::interrupt::{end_with_the_loop, interrupted};
use crate::models::Connected;
use crate::opened::Opened;
use crate::{logging, output};

pub(crate) use shard::shard_or_collect;

/// What a stage works on.
pub(crate) struct Work<'a> {
    /// The run.
    pub(crate) opened: &'a Opened,
    /// The slot to fill.
    pub(crate) slot: Slot,
    /// The records of the run when the stage began.
    pub(crate) records: Records,
    /// The inputs that decide the result.
    pub(crate) inputs: BTreeMap<String, Fingerprint>,
    /// 0, or one more for each `--resample`.
    pub(crate) generation: u32,
}

/// What a stage gives to be recorded.
pub(crate) struct Done {
    /// The output, not yet committed.
    pub(crate) draft: StageDraft,
    /// Calls and tokens.
    pub(crate) usage: RoleUsage,
    /// Whether a simulated model took part.
    pub(crate) simulated: bool,
    /// What later decisions need.
    pub(crate) summary: StageSummary,
}

/// A failure to write an artifact.
pub(crate) fn unwritten(error: WriteError) -> Failure {
    Failure::of(error.exit_code(), &error)
}

/// A failure to read an artifact.
pub(crate) fn unread(error: textualrl_artifact::ReadError) -> Failure {
    Failure::of(error.exit_code(), &error)
}

/// Runs a stage command of a step.
pub(crate) fn run_step(stage: Stage, arguments: &StageArguments, verbose: u8) -> Result<(), Failure> {
    let step = needed_step(arguments)?;
    run(Slot::Step { step, stage }, arguments, verbose)
}

/// Runs the rollout command: training, validation, baseline or evaluation.
pub(crate) fn run_rollout(arguments: &RolloutArguments, verbose: u8) -> Result<(), Failure> {
    let slot = evaluation::slot(arguments)?;
    if arguments.shard.is_some() || arguments.collect.is_some() {
        return shard_or_collect(slot, arguments, verbose);
    }
    run(slot, &arguments.stage, verbose)
}

/// The step that a command must name.
pub(crate) fn needed_step(arguments: &StageArguments) -> Result<StepId, Failure> {
    arguments.step.ok_or_else(|| {
        Failure::new(ExitCode::Usage, "this stage needs a step").hint("add --step, such as --step e1-s02")
    })
}

fn run(slot: Slot, arguments: &StageArguments, verbose: u8) -> Result<(), Failure> {
    let began = Instant::now();
    let access = if arguments.under_loop { Access::UnderLoop } else { Access::Write };
    if arguments.under_loop {
        end_with_the_loop();
    }
    let opened = Opened::open(&arguments.run, access, arguments.prompts.as_deref())?;
    logging::start(verbose, opened.run.open_log().ok());
    if let Some(other) = &arguments.from {
        adopt::adopt(&opened, other, slot)?;
    }
    let work = Work::new(&opened, slot, arguments.resample)?;
    let done = fill(&work)?;
    let record = work.commit(done)?;
    // How long it took is for people; without it the result is as good.
    let _ = opened.run.record_timing(slot, began.elapsed());
    tracing::info!(slot = %slot, seconds = began.elapsed().as_secs_f64(), "stage done");
    output::say(&words::told(&record, began.elapsed()));
    if arguments.json { output::json(&record) } else { Ok(()) }
}

fn fill(work: &Work<'_>) -> Result<Done, Failure> {
    match work.slot {
        Slot::Baseline | Slot::Evaluation { .. } | Slot::Step { stage: Stage::Validation, .. } => {
            evaluation::evaluate(work)
        }
        Slot::Step { step, stage: Stage::Rollout } => rollout::collect(work, step),
        Slot::Step { step, stage: Stage::Critique } => critique::critique(work, step),
        Slot::Step { step, stage: Stage::Review } => review::review(work, step),
        Slot::Step { step, stage: Stage::Patch } => patch::patch(work, step),
        Slot::Step { step, stage: Stage::Gate } => gate::gate(work, step),
    }
}

impl<'a> Work<'a> {
    /// Prepares the work on a slot. With `resample` it is a new generation, which no journaled call answers.
    pub(crate) fn new(opened: &'a Opened, slot: Slot, resample: bool) -> Result<Self, Failure> {
        let records = opened.records()?;
        let states = opened.plan.states(&records);
        if let Some(SlotState::NotNeeded) = states.get(&slot) {
            let message = format!("{slot} is not needed: the step has no candidate to validate");
            return Err(Failure::new(ExitCode::Usage, message).hint("run the gate of the step instead"));
        }
        let inputs = opened.plan.inputs(&records, slot).ok_or_else(|| unplanned(&opened.plan, slot))?;
        for (name, input) in &inputs {
            let Some(from) = input.from else { continue };
            if input.fingerprint.is_none() {
                let message = format!("{slot} needs {name} from {from}, which is not there");
                return Err(Failure::new(ExitCode::RunFolder, message).hint(format!("run {from} first")));
            }
            if let Some(SlotState::Stale { inputs }) = states.get(&from) {
                tracing::warn!(
                    "{slot} uses the result of {from}, which is stale: {} changed since",
                    inputs.join(", ")
                );
            }
        }
        let inputs =
            inputs.into_iter().filter_map(|(name, input)| Some((name, input.fingerprint?))).collect();
        let generation = Plan::generation(&records, slot) + u32::from(resample);
        Ok(Self { opened, slot, records, inputs, generation })
    }

    /// Connects the model of a role, with a journal partition of this slot.
    pub(crate) fn connect(&self, role: ModelRole) -> Result<Connected, Failure> {
        let connected = Connected::new(self.opened.config(), role, &self.opened.run, &self.partition())?;
        tell_interrupted(self.slot, &connected);
        Ok(connected)
    }

    /// The journal partition. Evaluations are kept by split and context, so that a context is never evaluated twice.
    fn partition(&self) -> String {
        let context = self.inputs.get("context").map_or("none", Fingerprint::short);
        match self.slot {
            Slot::Baseline | Slot::Step { stage: Stage::Validation, .. } => format!("validation-{context}"),
            Slot::Evaluation { split, .. } => format!("{split}-{context}"),
            Slot::Step { step, stage } => format!("{step}-{stage}"),
        }
    }

    /// Whether a simulated model took part in any of these stages of a step.
    fn simulated_in(&self, step: StepId, stages: &[Stage]) -> bool {
        let of = |stage: &Stage| self.records.get(&Slot::Step { step, stage: *stage });
        stages.iter().filter_map(of).any(|record| record.simulated)
    }

    /// An input that an earlier slot made.
    pub(crate) fn context_input(&self) -> Result<Fingerprint, Failure> {
        let missing =
            || Failure::new(ExitCode::Internal, format!("{} has no context among its inputs", self.slot));
        self.inputs.get("context").cloned().ok_or_else(missing)
    }

    fn commit(&self, done: Done) -> Result<StageRecord, Failure> {
        let record = StageRecord {
            slot: self.slot,
            inputs: self.inputs.clone(),
            outputs: BTreeMap::new(),
            generation: self.generation,
            simulated: done.simulated,
            usage: recorded(done.usage),
            summary: done.summary,
        };
        done.draft.commit(record).map_err(unwritten)
    }
}

fn unplanned(plan: &Plan, slot: Slot) -> Failure {
    let steps = plan.steps();
    let message = format!("the run has no {slot}");
    match (steps.first(), steps.last()) {
        (Some(first), Some(last)) => Failure::new(ExitCode::Usage, message).hint(format!(
            "its {} steps are {} to {}",
            steps.len(),
            first.step,
            last.step
        )),
        _ => Failure::new(ExitCode::Usage, message),
    }
}

/// Usage as it is recorded: which replies came from the journal depends on what was interrupted, so it is left out.
fn recorded(usage: RoleUsage) -> RoleUsage {
    let plain = |total: UsageTotal| UsageTotal { from_journal: 0, ..total };
    RoleUsage { target: plain(usage.target), optimizer: plain(usage.optimizer) }
}

/// Usage of one role alone.
pub(crate) fn usage_of(role: ModelRole, total: UsageTotal) -> RoleUsage {
    match role {
        ModelRole::Target => RoleUsage { target: total, optimizer: UsageTotal::default() },
        ModelRole::Optimizer => RoleUsage { target: UsageTotal::default(), optimizer: total },
    }
}

/// Tells beforehand which calls a killed process left open: said before they are made, so that no kill hides them.
pub(crate) fn tell_interrupted(slot: Slot, connected: &Connected) {
    let open = connected.counts().interrupted;
    if open > 0 {
        output::say(&format!("{slot}: {open} calls were in flight when an earlier process ended"));
    }
}

/// Tells what the journal spared and what had to be repeated.
pub(crate) fn tell_journal(slot: Slot, connected: &Connected) {
    let counts = connected.counts();
    if counts.replayed > 0 {
        output::say(&format!("{slot}: {} calls answered from the journal", counts.replayed));
    }
    if counts.repeats > 0 {
        output::say(&format!("{slot}: {} of the calls in flight were made again", counts.repeats));
    }
}

/// Runs a future on a runtime of its own.
pub(crate) fn block_on<T>(future: impl Future<Output = T>) -> Result<T, Failure> {
    let runtime = tokio::runtime::Builder::new_multi_thread()
        .enable_all()
        .build()
        .map_err(|error| Failure::of(ExitCode::Internal, &error))?;
    Ok(runtime.block_on(future))
}

/// Runs model calls until they are done or the person presses Ctrl-C.
pub(crate) fn until_interrupted<T>(future: impl Future<Output = T>) -> Result<T, Failure> {
    block_on(async {
        tokio::select! {
            done = future => Ok(done),
            () = interrupted() => {
                let message = "interrupted; the completed calls are kept";
                Err(Failure::new(ExitCode::Interrupted, message).hint("the same stage goes on from there"))
            }
        }
    })?
}
