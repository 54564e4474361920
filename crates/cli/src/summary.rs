//! The summary of a run, gathered from its records.
//!
//! Always holds: only stage records are read, so that it costs the same however many trajectories there are.

use std::collections::BTreeMap;

use textualrl_artifact::{Manifest, Projection, RoleUsage, Slot, StageSummary};
use textualrl_model::{Arm, Split, Stage, ValidationScore};
use textualrl_pipeline::{PlannedStep, Records};
use textualrl_report::{ArmScores, RunSummary, StepLine};

use crate::models::simulated_roles;
use crate::opened::Opened;

/// The summary of a run.
pub(crate) fn summary(opened: &Opened, records: &Records) -> RunSummary {
    let score = |arm, split| evaluated(records, Slot::Evaluation { arm, split });
    let arms = Arm::ALL.into_iter().map(|arm| ArmScores {
        arm: arm_words(arm).to_owned(),
        validation: score(arm, Split::Validation),
        test: score(arm, Split::Test),
    });
    let mut usage = RoleUsage::default();
    for record in records.values() {
        usage.target.add(&record.usage.target);
        usage.optimizer.add(&record.usage.optimizer);
    }
    let excluded: usize = opened.manifest.data.values().map(|split| split.excluded.len()).sum();
    RunSummary {
        run: opened.run.path().to_string(),
        simulated: simulated(&opened.manifest),
        arms: arms.collect(),
        steps: opened.plan.steps().iter().filter_map(|planned| line(records, planned)).collect(),
        usage,
        best_context: opened.run.projection(&Projection::BestContext).to_string(),
        excluded_tasks: u32::try_from(excluded).unwrap_or(u32::MAX),
        caveats: opened.manifest.caveats.clone(),
    }
}

/// The roles of a run that are simulated, in words.
pub(crate) fn simulated(manifest: &Manifest) -> Vec<String> {
    simulated_roles(&BTreeMap::from([
        ("target", manifest.target.simulated),
        ("optimizer", manifest.optimizer.simulated),
    ]))
}

fn arm_words(arm: Arm) -> &'static str {
    match arm {
        Arm::None => "no context",
        Arm::Initial => "initial context",
        Arm::Best => "best context",
    }
}

/// The score that a slot's evaluation came to.
fn evaluated(records: &Records, slot: Slot) -> Option<ValidationScore> {
    match &records.get(&slot)?.summary {
        StageSummary::Evaluation { score, .. } => *score,
        _ => None,
    }
}

/// What a judged step did.
fn line(records: &Records, planned: &PlannedStep) -> Option<StepLine> {
    let step = planned.step;
    let of = |stage| records.get(&Slot::Step { step, stage }).map(|record| &record.summary);
    let StageSummary::Gate { decision } = of(Stage::Gate)? else { return None };
    let routes = match of(Stage::Rollout) {
        Some(StageSummary::Rollout { mixed, all_success, all_failure, .. }) => {
            [*mixed, *all_success, *all_failure]
        }
        _ => [0; 3],
    };
    let (proposals, cards) = match of(Stage::Critique) {
        Some(StageSummary::Critique { proposals, cards, .. }) => (*proposals, *cards),
        _ => (0, 0),
    };
    let edits = match of(Stage::Patch) {
        Some(StageSummary::Patch { applied, .. }) => *applied,
        _ => 0,
    };
    Some(StepLine {
        step,
        routes,
        proposals,
        cards,
        edits,
        candidate: decision.candidate_score,
        reference: decision.reference_score,
        decision: decision.decision,
    })
}
