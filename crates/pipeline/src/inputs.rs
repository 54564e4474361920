//! What decides a slot's result: the names and fingerprints that its record must carry to be reused.
//!
//! Always holds: everything that a stage reads is named here, and nothing that cannot change its result; an input that
//! comes from another slot says from which.

use std::collections::BTreeMap;

use textualrl_artifact::{Kind, Slot, StageRecord, StageSummary};
use textualrl_model::settings::HistoryScope;
use textualrl_model::{Arm, Context, Fingerprint, Split, Stage, StepId};

use crate::config::settings_fingerprint;
use crate::plan::{Plan, Records, standing_after};

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

    fn data(&mut self, split: Split) {
        // A split that the data lacks is an input of its own kind, so that adding it is noticed.
        let none = Fingerprint::of(b"no such split");
        self.fixed("data", self.plan.facts.data.get(&split).cloned().unwrap_or(none));
    }

    fn target(&mut self) {
        self.fixed("target", self.plan.facts.target.clone());
        self.fixed("target_settings", settings_fingerprint("target", &self.plan.config.target));
    }

    fn optimizer(&mut self) {
        self.fixed("optimizer", self.plan.facts.optimizer.clone());
        self.fixed("optimizer_settings", settings_fingerprint("optimizer", &self.plan.config.optimizer));
        self.fixed("prompts", self.plan.facts.prompts.clone());
    }

    /// What every evaluation depends on beside its context.
    fn evaluation(&mut self, split: Split) {
        self.target();
        self.fixed("settings", settings_fingerprint("evaluation", &self.plan.config.evaluation));
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
            Stage::Rollout => self.rollout(step, before)?,
            Stage::Critique => self.critique(step, before),
            Stage::Review => self.review(step, before),
            Stage::Patch => self.patch(step, before)?,
            Stage::Validation => self.validation(step),
            Stage::Gate => self.gate(step, before),
        }
        Some(())
    }

    fn active_context(&mut self, before: Slot) {
        self.made("context", before, |record| standing_after(record).map(|standing| standing.active));
    }

    fn rollout(&mut self, step: StepId, before: Slot) -> Option<()> {
        let planned = self.plan.step(step)?;
        let tasks = planned.tasks.iter().map(|task| task.as_str().as_bytes());
        let name = step.to_string();
        let seed = format!("{} {}", self.plan.config.run.seed, planned.seed);
        self.fixed(
            "batch",
            Fingerprint::of_parts([name.as_bytes(), seed.as_bytes()].into_iter().chain(tasks)),
        );
        self.active_context(before);
        self.target();
        self.fixed("settings", settings_fingerprint("rollout", &self.plan.config.rollout));
        self.data(Split::Train);
        Some(())
    }

    fn critique(&mut self, step: StepId, before: Slot) {
        self.output_of(step, Stage::Rollout);
        self.active_context(before);
        self.optimizer();
        self.fixed("settings", settings_fingerprint("critique", &self.plan.config.critique));
        self.history(step, before);
    }

    /// The step buffer that critics read.
    fn history(&mut self, step: StepId, before: Slot) {
        let settings = &self.plan.config.history;
        let cleared = settings.scope == HistoryScope::Epoch && step.step == 1;
        if cleared || before == Slot::Baseline {
            self.fixed("step_buffer", Fingerprint::of(b"empty"));
        } else {
            self.made("step_buffer", before, |record| artifact(record, Kind::StepBuffer));
        }
    }

    fn review(&mut self, step: StepId, before: Slot) {
        self.output_of(step, Stage::Critique);
        self.active_context(before);
        self.optimizer();
        self.fixed("settings", settings_fingerprint("review", &self.plan.config.review));
        self.edit_budget(step);
    }

    /// More edits than this are ranked, and no more than this are taken.
    fn edit_budget(&mut self, step: StepId) {
        let budget = self.plan.step(step).map_or(0, |planned| planned.edit_budget);
        self.fixed("edit_budget", Fingerprint::of(format!("{budget}").as_bytes()));
    }

    fn patch(&mut self, step: StepId, before: Slot) -> Option<()> {
        self.output_of(step, Stage::Review);
        self.active_context(before);
        // The first and last budgets are in the settings, but only a step's own budget decides.
        let settings = textualrl_model::settings::PatchSettings {
            max_edits: 0,
            min_edits: 0,
            ..self.plan.config.patch.clone()
        };
        self.fixed("settings", settings_fingerprint("patch", &settings));
        self.edit_budget(step);
        // An edit that names a task or its gold is dropped, so the batch is read as well.
        self.made("rollout", Slot::Step { step, stage: Stage::Rollout }, |record| Some(record.output()));
        if before == Slot::Baseline {
            self.fixed("judged", Fingerprint::of(b"none"));
        } else {
            self.made("judged", before, |record| artifact(record, Kind::Families));
        }
        Some(())
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
        self.fixed("settings", settings_fingerprint("history", &self.plan.config.history));
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
