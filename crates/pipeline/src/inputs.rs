//! What decides a slot's result: the names and fingerprints that its record must carry to be reused.
//!
//! Always holds: everything that a stage reads is named here, and nothing that cannot change its result; an input that
//! comes from another slot says from which.

use std::collections::BTreeMap;

use textualrl_artifact::{Kind, Slot, StageRecord, StageSummary};
use textualrl_model::settings::{HistoryScope, PatchSettings};
use textualrl_model::{Arm, Context, Fingerprint, Split, Stage, StepId};

use crate::batch::PlannedStep;
use crate::config::{RunConfig, settings_fingerprint};
use crate::plan::{Facts, Plan, Records, standing_after};

/// One input of a slot.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Input {
    /// What it is, or nothing if the slot that makes it is not filled.
    pub fingerprint: Option<Fingerprint>,
    /// The slot that makes it; none if it is fixed for the run.
    pub from: Option<Slot>,
}

/// The inputs of a slot by name.
pub type Inputs = BTreeMap<String, Input>;

/// The fingerprints of a plan that no record changes, made once.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Fixed {
    sections: BTreeMap<&'static str, Fingerprint>,
    batches: Vec<Fingerprint>,
    budgets: Vec<Fingerprint>,
}

impl Fixed {
    pub(crate) fn new(facts: &Facts, config: &RunConfig, steps: &[PlannedStep]) -> Self {
        // The first and last budgets are patch settings, but only a step's own budget decides about its patch.
        let patch = PatchSettings { max_edits: 0, min_edits: 0, ..config.patch.clone() };
        let sections = BTreeMap::from([
            ("target", settings_fingerprint("target", &config.target)),
            ("optimizer", settings_fingerprint("optimizer", &config.optimizer)),
            ("evaluation", settings_fingerprint("evaluation", &config.evaluation)),
            ("rollout", settings_fingerprint("rollout", &config.rollout)),
            ("critique", settings_fingerprint("critique", &config.critique)),
            ("review", settings_fingerprint("review", &config.review)),
            ("patch", settings_fingerprint("patch", &patch)),
            ("history", settings_fingerprint("history", &config.history)),
            ("no data", Fingerprint::of(b"no such split")),
            ("nothing", Fingerprint::of(b"nothing")),
            ("prompts", facts.prompts.clone()),
        ]);
        let batches = steps.iter().map(|planned| batch_fingerprint(config.run.seed, planned)).collect();
        let budget = |planned: &PlannedStep| Fingerprint::of(planned.edit_budget.to_string().as_bytes());
        Self { sections, batches, budgets: steps.iter().map(budget).collect() }
    }

    fn section(&self, name: &str) -> Option<Fingerprint> {
        self.sections.get(name).cloned()
    }
}

/// Step, seeds and tasks: what a batch is, whatever context it runs under.
fn batch_fingerprint(run_seed: u64, planned: &PlannedStep) -> Fingerprint {
    let head = format!("{} {run_seed} {}", planned.step, planned.seed);
    let tasks = planned.tasks.iter().map(|task| task.as_str().as_bytes());
    Fingerprint::of_parts(std::iter::once(head.as_bytes()).chain(tasks))
}

impl Plan {
    /// Everything that decides the result of `slot`, as far as `records` tell. Nothing if the plan has no such slot.
    pub fn inputs(&self, records: &Records, slot: Slot) -> Option<Inputs> {
        let mut draft = Draft { plan: self, records, inputs: Inputs::new() };
        match slot {
            Slot::Baseline => {
                draft.fixed("context", self.facts.initial_context.clone());
                draft.evaluation(Split::Validation);
            }
            Slot::Step { step, stage } => draft.stage(step, stage)?,
            Slot::Evaluation { arm, split } => draft.arm(arm, split)?,
        }
        Some(draft.inputs)
    }

    /// The inputs that a record of `slot` must carry, or nothing while one of them is not there yet.
    pub fn expected_inputs(&self, records: &Records, slot: Slot) -> Option<BTreeMap<String, Fingerprint>> {
        let inputs = self.inputs(records, slot)?;
        inputs.into_iter().map(|(name, input)| Some((name, input.fingerprint?))).collect()
    }
}

/// Inputs while they are collected.
struct Draft<'a> {
    plan: &'a Plan,
    records: &'a Records,
    inputs: Inputs,
}

impl Draft<'_> {
    fn fixed(&mut self, name: &str, fingerprint: Fingerprint) {
        self.inputs.insert(name.to_owned(), Input { fingerprint: Some(fingerprint), from: None });
    }

    /// An input that `find` takes from the record of `slot`.
    fn made(&mut self, name: &str, slot: Slot, find: impl FnOnce(&StageRecord) -> Option<Fingerprint>) {
        let fingerprint = self.records.get(&slot).and_then(find);
        self.inputs.insert(name.to_owned(), Input { fingerprint, from: Some(slot) });
    }

    fn output_of(&mut self, step: StepId, stage: Stage) {
        self.made(stage.name(), Slot::Step { step, stage }, |record| Some(record.output()));
    }

    /// An input that is the same for the whole run.
    fn section(&mut self, name: &str, section: &str) {
        let fingerprint = self.plan.fixed.section(section);
        self.inputs.insert(name.to_owned(), Input { fingerprint, from: None });
    }

    fn data(&mut self, split: Split) {
        match self.plan.facts.data.get(&split) {
            Some(data) => self.fixed("data", data.clone()),
            // A split that the data lacks is an input as well, so that adding it is noticed.
            None => self.section("data", "no data"),
        }
    }

    fn target(&mut self) {
        self.fixed("target", self.plan.facts.target.clone());
        self.section("target_settings", "target");
    }

    fn optimizer(&mut self) {
        self.fixed("optimizer", self.plan.facts.optimizer.clone());
        self.section("optimizer_settings", "optimizer");
        self.section("prompts", "prompts");
    }

    /// What every evaluation depends on beside its context.
    fn evaluation(&mut self, split: Split) {
        self.target();
        self.section("settings", "evaluation");
        self.data(split);
    }

    fn arm(&mut self, arm: Arm, split: Split) -> Option<()> {
        match arm {
            Arm::None => self.fixed("context", Context::default().fingerprint()),
            Arm::Initial => self.fixed("context", self.plan.facts.initial_context.clone()),
            Arm::Best => self.made("context", self.plan.last_gate(), |record| {
                standing_after(record).map(|standing| standing.best)
            }),
        }
        self.evaluation(split);
        (split != Split::Train).then_some(())
    }

    fn stage(&mut self, step: StepId, stage: Stage) -> Option<()> {
        let before = self.plan.before(step)?;
        match stage {
            Stage::Rollout => self.rollout(step, before),
            Stage::Critique => self.critique(step, before),
            Stage::Review => self.review(step, before),
            Stage::Patch => self.patch(step, before),
            Stage::Validation => self.validation(step),
            Stage::Gate => self.gate(step, before),
        }
        Some(())
    }

    fn active_context(&mut self, before: Slot) {
        self.made("context", before, |record| standing_after(record).map(|standing| standing.active));
    }

    fn batch(&mut self, step: StepId) {
        let fingerprint = self.plan.place(step).and_then(|place| self.plan.fixed.batches.get(place)).cloned();
        self.inputs.insert("batch".to_owned(), Input { fingerprint, from: None });
    }

    /// More edits than this are ranked, and no more than this are taken.
    fn edit_budget(&mut self, step: StepId) {
        let fingerprint = self.plan.place(step).and_then(|place| self.plan.fixed.budgets.get(place)).cloned();
        self.inputs.insert("edit_budget".to_owned(), Input { fingerprint, from: None });
    }

    fn rollout(&mut self, step: StepId, before: Slot) {
        self.batch(step);
        self.active_context(before);
        self.target();
        self.section("settings", "rollout");
        self.data(Split::Train);
    }

    fn critique(&mut self, step: StepId, before: Slot) {
        self.output_of(step, Stage::Rollout);
        self.active_context(before);
        self.optimizer();
        self.section("settings", "critique");
        // The step buffer that critics read.
        let cleared = self.plan.config.history.scope == HistoryScope::Epoch && step.step == 1;
        if cleared || before == Slot::Baseline {
            self.section("step_buffer", "nothing");
        } else {
            self.made("step_buffer", before, |record| artifact(record, Kind::StepBuffer));
        }
    }

    fn review(&mut self, step: StepId, before: Slot) {
        self.output_of(step, Stage::Critique);
        self.active_context(before);
        self.optimizer();
        self.section("settings", "review");
        self.edit_budget(step);
    }

    fn patch(&mut self, step: StepId, before: Slot) {
        self.output_of(step, Stage::Review);
        self.active_context(before);
        self.section("settings", "patch");
        self.edit_budget(step);
        // An edit that names a task of the step is dropped.
        self.batch(step);
        // The candidates that were judged so far, by which repetitions are screened and families blocked.
        if before == Slot::Baseline {
            self.section("judged", "nothing");
        } else {
            self.made("judged", before, |record| artifact(record, Kind::Families));
        }
    }

    fn validation(&mut self, step: StepId) {
        let patch = Slot::Step { step, stage: Stage::Patch };
        self.made("context", patch, |record| match &record.summary {
            StageSummary::Patch { candidate, .. } => candidate.clone(),
            _ => None,
        });
        self.evaluation(Split::Validation);
    }

    fn gate(&mut self, step: StepId, before: Slot) {
        for stage in [Stage::Rollout, Stage::Critique, Stage::Patch] {
            self.output_of(step, stage);
        }
        let patch = self.records.get(&Slot::Step { step, stage: Stage::Patch });
        if patch.is_none_or(has_candidate) {
            self.output_of(step, Stage::Validation);
        }
        self.made("before", before, |record| Some(record.output()));
        self.section("settings", "history");
    }
}

/// Whether a patch left a candidate to validate.
pub(crate) fn has_candidate(patch: &StageRecord) -> bool {
    matches!(&patch.summary, StageSummary::Patch { candidate: Some(_), .. })
}

/// One artifact of a slot; a record that does not list it stands for itself as a whole.
fn artifact(record: &StageRecord, kind: Kind) -> Option<Fingerprint> {
    Some(record.outputs.get(kind.file()).cloned().unwrap_or_else(|| record.output()))
}
