//! A synthetic run: records made by a rule instead of by stages.

use std::collections::BTreeMap;

use textualrl_artifact::{Kind, RoleUsage, Slot, StageRecord, StageSummary};
use textualrl_model::{
    Decision, Fingerprint, GateDecision, SkipReason, Split, Stage, Standing, TaskId, ValidationScore,
};
use textualrl_pipeline::{Facts, Plan, Records, RunConfig, Runner, Sources, standing};

/// A plan over `tasks` train tasks with these keys set.
pub(crate) fn plan(tasks: usize, set: &[&str]) -> Plan {
    let sources = Sources {
        preset: Some("quickstart".to_owned()),
        set: set.iter().map(|text| (*text).to_owned()).collect(),
        ..Sources::default()
    };
    let fact = |text: &str| Fingerprint::of(text.as_bytes());
    let facts = Facts {
        prompts: fact("prompts"),
        data: Split::ALL.into_iter().map(|split| (split, fact(split.name()))).collect(),
        target: fact("target"),
        optimizer: fact("optimizer"),
        train_tasks: (0..tasks).map(|number| TaskId::new(format!("t{number}")).unwrap()).collect(),
        initial_context: fact("initial"),
    };
    Plan::new(facts, RunConfig::resolve(&sources).unwrap())
}

/// A rule that makes records: what a slot gives depends on its inputs and on `salt`.
pub(crate) struct World<'a> {
    pub(crate) plan: &'a Plan,
    pub(crate) records: Records,
    /// The slots that were run, in order.
    pub(crate) sequence: Vec<Slot>,
    /// A slot that leaves a task unscored for as many runs.
    pub(crate) unscored: Option<(Slot, u32)>,
}

impl<'a> World<'a> {
    pub(crate) fn new(plan: &'a Plan, records: Records) -> Self {
        Self { plan, records, sequence: Vec::new(), unscored: None }
    }

    /// The record that `slot` would leave. Another salt gives another output.
    pub(crate) fn record(&self, slot: Slot, salt: u32) -> StageRecord {
        let inputs = self.plan.expected_inputs(&self.records, slot).expect("the inputs are there");
        let seed = Fingerprint::of(format!("{slot} {inputs:?} {salt}").as_bytes());
        let kinds = [Kind::StepBuffer, Kind::Families, Kind::Decision];
        let outputs = kinds.map(|kind| {
            (kind.file().to_owned(), Fingerprint::of(format!("{seed} {}", kind.name()).as_bytes()))
        });
        StageRecord {
            slot,
            inputs,
            outputs: BTreeMap::from(outputs),
            generation: 0,
            simulated: true,
            usage: RoleUsage::default(),
            summary: self.summary(slot, &seed),
        }
    }

    fn summary(&self, slot: Slot, seed: &Fingerprint) -> StageSummary {
        let draw = |below: u32| u32::from_str_radix(&seed.as_str()[..6], 16).unwrap() % below;
        let evaluation = |context: Fingerprint| {
            let open = self.unscored.is_some_and(|(other, left)| other == slot && left > 0);
            let score = (!open).then(|| ValidationScore { solved: draw(17), tasks: 16 });
            StageSummary::Evaluation { context, score, not_scored: u32::from(open) }
        };
        match slot {
            Slot::Baseline | Slot::Evaluation { .. } => evaluation(self.plan.facts().initial_context.clone()),
            Slot::Step { stage: Stage::Rollout, .. } => StageSummary::Rollout {
                mixed: 1,
                all_success: 1,
                all_failure: 1,
                left_out: 0,
                rollouts: 12,
                solved: 6,
                not_scored: 0,
            },
            Slot::Step { stage: Stage::Critique, .. } => StageSummary::Critique {
                calls: 1,
                failed_calls: 0,
                proposals: 2,
                cards: 3,
                rejected_cards: 0,
            },
            Slot::Step { stage: Stage::Review, .. } => {
                StageSummary::Review { merged: 1, decisions: BTreeMap::new(), failed: false }
            }
            Slot::Step { stage: Stage::Patch, .. } => match draw(4) {
                0 => patch(None),
                _ => patch(Some(Fingerprint::of(format!("candidate {seed}").as_bytes()))),
            },
            Slot::Step { step, stage: Stage::Validation } => {
                let patch = &self.records[&Slot::Step { step, stage: Stage::Patch }].summary;
                let StageSummary::Patch { candidate: Some(candidate), .. } = patch else {
                    panic!("no candidate")
                };
                evaluation(candidate.clone())
            }
            Slot::Step { step, stage: Stage::Gate } => {
                let before = self.plan.before(step).unwrap();
                let before = textualrl_pipeline::standing_after(&self.records[&before]).unwrap();
                let validation = self.records.get(&Slot::Step { step, stage: Stage::Validation });
                StageSummary::Gate { decision: decide(&before, validation.map(|record| &record.summary)) }
            }
        }
    }

    /// Where the run stands.
    pub(crate) fn standing(&self) -> Standing {
        standing(&self.records).unwrap()
    }
}

fn patch(candidate: Option<Fingerprint>) -> StageSummary {
    let skip = candidate.is_none().then_some(SkipReason::NoEditsLeft);
    StageSummary::Patch { applied: u32::from(candidate.is_some()), not_taken: 1, candidate, skip }
}

fn decide(before: &Standing, validation: Option<&StageSummary>) -> GateDecision {
    let validated = match validation {
        Some(StageSummary::Evaluation { context, score, .. }) => Some((context.clone(), score.unwrap())),
        _ => None,
    };
    let accepted = validated.as_ref().filter(|(_, score)| score.beats(before.reference));
    let new_best = accepted.is_some_and(|(_, score)| score.beats(before.best_score));
    let (active, next_reference) = accepted.cloned().unwrap_or((before.active.clone(), before.reference));
    let best =
        if new_best { (active.clone(), next_reference) } else { (before.best.clone(), before.best_score) };
    let decision = match (&validated, accepted) {
        (None, _) => Decision::Skipped { reason: SkipReason::NoEditsLeft },
        (Some(_), None) => Decision::Rejected,
        (Some(_), Some(_)) => Decision::Accepted { new_best },
    };
    GateDecision {
        decision,
        reason: "by the rule of the test".to_owned(),
        base: before.active.clone(),
        candidate: validated.as_ref().map(|(candidate, _)| candidate.clone()),
        candidate_score: validated.map(|(_, score)| score),
        reference_score: before.reference,
        active,
        next_reference,
        best: best.0,
        best_score: best.1,
    }
}

impl Runner for World<'_> {
    type Error = std::convert::Infallible;

    fn run(&mut self, slot: Slot, _generation: u32) -> Result<StageRecord, Self::Error> {
        let record = self.record(slot, 0);
        if let Some((open, left)) = &mut self.unscored
            && *open == slot
        {
            *left = left.saturating_sub(1);
        }
        self.sequence.push(slot);
        self.records.insert(slot, record.clone());
        Ok(record)
    }

    fn after(&mut self, _slot: Slot, records: &Records) -> Result<(), Self::Error> {
        assert_eq!(records, &self.records);
        Ok(())
    }
}
