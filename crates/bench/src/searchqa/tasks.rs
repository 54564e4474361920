//! SearchQA's tasks as the data has them.
//!
//! Always holds: a task has at least one gold that an answer can equal; others are excluded and named.

use serde::Serialize;
use textualrl_model::TaskId;
use textualrl_model::settings::Scoring;

use super::passages::{BUDGET, cut};
use crate::benchmark::ExcludedTask;
use crate::data::LoadError;
use crate::data::row::Row;
use crate::data::split::Located;
use crate::score::normal::normalize;

/// A clue with its search results.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub(super) struct SearchQaTask {
    pub(super) id: TaskId,
    /// What the agent is asked.
    pub(super) question: String,
    pub(super) golds: Vec<String>,
    #[serde(skip)]
    place: String,
}

impl SearchQaTask {
    /// Reads a row; the inner error is a task that can never be scored.
    pub(super) fn of(row: &Row, scoring: Scoring) -> Result<Result<Self, ExcludedTask>, LoadError> {
        let id = row.released_id()?;
        let passages = cut(row.text_or_blank("context")?, BUDGET);
        let question = format!("## Context\n{passages}\n\n## Question\n{}", row.text("question")?);
        let golds = row.text_golds()?;
        let reason = if golds.is_empty() {
            "its list of gold answers is empty"
        } else if scoring == Scoring::Corrected
            && golds.iter().all(|gold| normalize(gold, scoring).is_empty())
        {
            "its gold answers are nothing but punctuation"
        } else {
            return Ok(Ok(Self { id, question, golds, place: row.place.clone() }));
        };
        Ok(Err(ExcludedTask { task: id, reason: format!("{}: {reason}", row.place_in_file()) }))
    }
}

impl Located for SearchQaTask {
    fn id(&self) -> &TaskId {
        &self.id
    }

    fn input(&self) -> &str {
        &self.question
    }

    fn place(&self) -> &str {
        &self.place
    }
}
