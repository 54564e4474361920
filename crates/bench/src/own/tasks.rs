//! Own tasks as their file has them.
//!
//! Always holds: a task without an id gets one from its content, so that it is the same in every run.

use serde::Serialize;
use serde_json::{Map, Value};
use textualrl_model::{Fingerprint, TaskId};

use super::scorer::{Golds, Scorer};
use super::template::Template;
use crate::benchmark::ExcludedTask;
use crate::data::LoadError;
use crate::data::row::Row;
use crate::data::split::Located;

/// An own task, ready to be asked and scored.
#[derive(Debug, Clone, Serialize)]
pub(super) struct OwnTask {
    pub(super) id: TaskId,
    /// What the agent is asked.
    pub(super) question: String,
    pub(super) golds: Golds,
    /// The row, for an external scorer.
    pub(super) fields: Map<String, Value>,
    #[serde(skip)]
    place: String,
}

impl OwnTask {
    /// Reads a row; the inner error is a task that can never be scored.
    pub(super) fn of(
        row: &Row,
        template: &Template,
        scorer: &Scorer,
    ) -> Result<Result<Self, ExcludedTask>, LoadError> {
        let question = template.render(row)?;
        let id = match row.id()? {
            Some(id) => id,
            None => content_id(row)?,
        };
        Ok(match scorer.golds(row)? {
            Ok(golds) => {
                Ok(Self { id, question, golds, fields: row.fields.clone(), place: row.place.clone() })
            }
            Err(reason) => {
                Err(ExcludedTask { task: id, reason: format!("{}: {reason}", row.place_in_file()) })
            }
        })
    }
}

/// An id from what the row holds: 64 bits, so that no two of a million rows share one by chance.
fn content_id(row: &Row) -> Result<TaskId, LoadError> {
    let fingerprint =
        Fingerprint::of_json(&row.fields).map_err(|error| LoadError::row(&row.place, error.to_string()))?;
    let digits: String = fingerprint.as_str().chars().take(16).collect();
    TaskId::new(format!("t-{digits}")).map_err(|error| LoadError::row(&row.place, error.to_string()))
}

impl Located for OwnTask {
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
