//! The table of steps × stages: what is done, stale or missing, with scores.
//!
//! Always holds: a stale result is shown with the inputs that no longer fit, and is never shown as done.

use serde::Serialize;
use textualrl_model::{Stage, ValidationScore};

use crate::layout::{Column, table};
use crate::summary::percent;

/// What a slot of the run is.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case", tag = "kind")]
pub enum Mark {
    /// Its result fits its inputs.
    Done,
    /// Its inputs have changed since.
    Stale {
        /// The inputs that differ.
        inputs: Vec<String>,
    },
    /// Some of its tasks have no reward, so that nothing can be decided by it.
    Open {
        /// Those tasks.
        not_scored: u32,
    },
    /// There is no result yet.
    Missing,
    /// The run does not need it.
    NotNeeded,
}

impl Mark {
    fn word(&self) -> &'static str {
        match self {
            Self::Done => "done",
            Self::Stale { .. } => "stale",
            Self::Open { .. } => "open",
            Self::Missing => "missing",
            Self::NotNeeded => "–",
        }
    }
}

/// One row: a step with its six stages, or a place outside the steps with one.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct StatusRow {
    /// The step, `baseline`, or the evaluation.
    pub name: String,
    /// The marks, in the order of the stages; a single one outside the steps.
    pub marks: Vec<Mark>,
    /// The validation or test score, where there is one.
    pub score: Option<ValidationScore>,
    /// The gate's decision or what else is to be said.
    pub note: String,
}

/// The whole table.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct StatusTable {
    /// The run folder.
    pub run: String,
    /// The models that are simulated or recorded.
    pub simulated: Vec<String>,
    /// What must be said beside every number.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub caveats: Vec<String>,
    /// Baseline, steps, evaluations.
    pub rows: Vec<StatusRow>,
    /// What comes next, in words.
    pub next: String,
}

impl StatusTable {
    /// The table as text for a terminal.
    pub fn text(&self) -> String {
        let mut columns = vec![Column::text("")];
        columns.extend(Stage::ALL.map(|stage| Column::text(stage.name())));
        columns.push(Column::number("score"));
        columns.push(Column::text(""));
        let mut text = format!("{}\n\n", self.run);
        text.push_str(&table(&columns, self.rows.iter().map(row_cells).collect()));
        for row in &self.rows {
            for (mark, stage) in row.marks.iter().zip(Stage::ALL) {
                if let Mark::Stale { inputs } = mark {
                    let place =
                        if row.marks.len() == 1 { row.name.clone() } else { format!("{} {stage}", row.name) };
                    text.push_str(&format!("\n{place} is stale: {} changed since.", inputs.join(", ")));
                }
            }
        }
        text.push_str(&format!("\nNext: {}\n", self.next));
        for caveat in &self.caveats {
            text.push_str(&format!("Note: {caveat}.\n"));
        }
        if !self.simulated.is_empty() {
            text.push_str(&format!("Simulated: {}.\n", self.simulated.join(" and ")));
        }
        text
    }
}

fn row_cells(row: &StatusRow) -> Vec<String> {
    let mut cells = vec![row.name.clone()];
    if let [only] = row.marks.as_slice() {
        // Outside the steps there is one evaluation, which is what the validation column stands for.
        cells.extend(
            Stage::ALL.map(|stage| if stage == Stage::Validation { only.word() } else { "" }.to_owned()),
        );
    } else {
        cells.extend(row.marks.iter().map(|mark| mark.word().to_owned()));
    }
    cells.push(row.score.map_or(String::new(), |score| percent(Some(score))));
    cells.push(row.note.clone());
    cells
}
