//! The summary at the end of a run: scores of each arm, what each step did, calls and tokens, where the result is.
//!
//! Always holds: a score stands beside the tasks that it is of; a missing score is a dash, never 0.

use serde::Serialize;
use textualrl_artifact::RoleUsage;
use textualrl_model::{Decision, StepId, UsageTotal, ValidationScore};

use crate::layout::{Column, grouped, table};

/// The scores of one context.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct ArmScores {
    /// What the context is: `no context`, `initial context`, `best context`.
    pub arm: String,
    /// Its score on the validation tasks.
    pub validation: Option<ValidationScore>,
    /// Its score on the test tasks.
    pub test: Option<ValidationScore>,
}

/// What one step did.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct StepLine {
    /// The step.
    pub step: StepId,
    /// Task groups that were mixed, all-success and all-failure.
    pub routes: [u32; 3],
    /// Edits proposed by critics.
    pub proposals: u32,
    /// Evidence cards kept.
    pub cards: u32,
    /// Edits that made up the candidate.
    pub edits: u32,
    /// The candidate's validation score.
    pub candidate: Option<ValidationScore>,
    /// The score that had to be beaten.
    pub reference: ValidationScore,
    /// What the gate decided.
    pub decision: Decision,
}

/// Everything that the summary shows. Also what `--json` prints.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct RunSummary {
    /// The run folder.
    pub run: String,
    /// The models by role that were simulated or recorded; empty if none was.
    pub simulated: Vec<String>,
    /// The scores, in the order of the arms.
    pub arms: Vec<ArmScores>,
    /// The steps, in order.
    pub steps: Vec<StepLine>,
    /// Calls and tokens by role, over the whole run.
    pub usage: RoleUsage,
    /// Where the best context is.
    pub best_context: String,
    /// Tasks left out because they can never be scored.
    pub excluded_tasks: u32,
    /// What must be said beside every number, such as that pages were read as text.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub caveats: Vec<String>,
}

impl RunSummary {
    /// The summary as text for a terminal.
    pub fn text(&self) -> String {
        let mut text = String::new();
        text.push_str(&self.scores());
        text.push('\n');
        text.push_str(&self.step_table());
        text.push('\n');
        text.push_str(&usage_table(&self.usage));
        if self.excluded_tasks > 0 {
            text.push_str(&format!(
                "\n{} tasks can never be scored and were left out; `textualrl check` names them.\n",
                self.excluded_tasks
            ));
        }
        text.push_str(&format!("\nBest context: {}\n", self.best_context));
        for caveat in &self.caveats {
            text.push_str(&format!("\nNote: {caveat}.\n"));
        }
        if !self.simulated.is_empty() {
            text.push_str(&format!("\n{}\n", simulation_notice(&self.simulated)));
        }
        text
    }

    fn scores(&self) -> String {
        let columns = [
            Column::text("context"),
            Column::number("validation"),
            Column::number("test"),
            Column::number("solved (validation, test)"),
        ];
        let rows = self.arms.iter().map(|arm| {
            let counts = [arm.validation, arm.test].map(|score| score.map_or("–".to_owned(), counts));
            vec![arm.arm.clone(), percent(arm.validation), percent(arm.test), counts.join(", ")]
        });
        table(&columns, rows.collect())
    }

    fn step_table(&self) -> String {
        let columns = [
            Column::text("step"),
            Column::number("mixed/success/failure"),
            Column::number("proposals"),
            Column::number("cards"),
            Column::number("edits accepted"),
            Column::number("edits rejected"),
            Column::number("candidate"),
            Column::number("to beat"),
            Column::text("gate"),
        ];
        table(&columns, self.steps.iter().map(step_row).collect())
    }
}

/// The sentence that keeps a simulated run from being taken for evidence.
pub fn simulation_notice(simulated: &[String]) -> String {
    format!(
        "Simulated: {} answered by rules, not by a language model. These numbers show that the loop works; they say \
         nothing about real models.",
        simulated.join(" and ")
    )
}

fn step_row(line: &StepLine) -> Vec<String> {
    let (accepted, rejected, gate) = match line.decision {
        Decision::Accepted { new_best: true } => (line.edits, 0, "accepted, new best".to_owned()),
        Decision::Accepted { new_best: false } => (line.edits, 0, "accepted".to_owned()),
        Decision::Rejected => (0, line.edits, "rejected".to_owned()),
        Decision::Skipped { reason } => (0, 0, format!("skipped: {}", reason.words())),
    };
    vec![
        line.step.to_string(),
        line.routes.map(|count| count.to_string()).join("/"),
        line.proposals.to_string(),
        line.cards.to_string(),
        accepted.to_string(),
        rejected.to_string(),
        percent(line.candidate),
        percent(Some(line.reference)),
        gate,
    ]
}

fn usage_table(usage: &RoleUsage) -> String {
    let columns = [
        Column::text("role"),
        Column::number("calls"),
        Column::number("input tokens"),
        Column::number("output tokens"),
        Column::number("calls without token counts"),
    ];
    let row = |role: &str, total: &UsageTotal| {
        vec![
            role.to_owned(),
            grouped(total.calls),
            grouped(total.input),
            grouped(total.output),
            grouped(total.unknown),
        ]
    };
    table(&columns, vec![row("target", &usage.target), row("optimizer", &usage.optimizer)])
}

/// A score in percent with one decimal.
pub(crate) fn percent(score: Option<ValidationScore>) -> String {
    score.map_or("–".to_owned(), |score| format!("{:.1} %", score.mean() * 100.0))
}

fn counts(score: ValidationScore) -> String {
    format!("{}/{}", score.solved, score.tasks)
}

#[cfg(test)]
mod tests {
    use super::*;
    use textualrl_model::SkipReason;

    fn score(solved: u32, tasks: u32) -> ValidationScore {
        ValidationScore { solved, tasks }
    }

    fn step(number: u32, candidate: Option<ValidationScore>, decision: Decision) -> StepLine {
        StepLine {
            step: StepId::new(1, number),
            routes: [3, 2, 3],
            proposals: 5,
            cards: 14,
            edits: if candidate.is_some() { 3 } else { 0 },
            candidate,
            reference: score(6, 16),
            decision,
        }
    }

    #[test]
    fn a_simulated_run_says_so() {
        let arm = |name: &str, validation, test| ArmScores { arm: name.to_owned(), validation, test };
        let total = UsageTotal { calls: 12_345, from_journal: 0, input: 1_234_567, output: 890, unknown: 2 };
        let summary = RunSummary {
            run: "runs/quickstart".to_owned(),
            simulated: vec!["the target".to_owned(), "the optimizer".to_owned()],
            arms: vec![
                arm("no context", Some(score(4, 16)), None),
                arm("initial context", Some(score(6, 16)), Some(score(9, 24))),
                arm("best context", Some(score(11, 16)), Some(score(18, 24))),
            ],
            steps: vec![
                step(1, Some(score(11, 16)), Decision::Accepted { new_best: true }),
                step(2, Some(score(6, 16)), Decision::Rejected),
                step(3, None, Decision::Skipped { reason: SkipReason::NoProposals }),
            ],
            usage: RoleUsage { target: total, optimizer: UsageTotal::default() },
            best_context: "runs/quickstart/best_context.md".to_owned(),
            excluded_tasks: 2,
            caveats: vec!["pages were read as text, not seen".to_owned()],
        };
        insta::assert_snapshot!(summary.text());
    }
}
