//! Questions as the data have them.
//!
//! Always holds: a task has its right choice among its choices; what has none is left out and named.

use serde::Serialize;
use textualrl_model::TaskId;
use textualrl_model::settings::LiveMathSettings;

use super::item::{Item, ItemError};
use super::shuffle::listed;
use crate::benchmark::ExcludedTask;
use crate::data::LoadError;
use crate::data::row::Row;
use crate::data::split::Located;

/// A question with its choices, and what may be shown beside it.
#[derive(Debug, Clone, Serialize)]
pub(super) struct LiveMathTask {
    pub(super) id: TaskId,
    pub(super) item: Item,
    /// The theorem and the sketch of its proof, as far as the settings show them.
    pub(super) theorem: Option<String>,
    pub(super) sketch: Option<String>,
    /// Question and choices, by which a copy under another id is found.
    #[serde(skip)]
    input: String,
    #[serde(skip)]
    place: String,
}

impl LiveMathTask {
    /// Reads a row; the inner error is a task that can never be scored.
    pub(super) fn of(
        row: &Row,
        settings: &LiveMathSettings,
    ) -> Result<Result<Self, ExcludedTask>, LoadError> {
        let id = row.released_id()?;
        let item = match Item::of(&row.fields) {
            Ok(item) => item,
            Err(error @ (ItemError::NoQuestion | ItemError::Choices)) => {
                return Err(LoadError::row(&row.place, error.to_string()));
            }
            Err(error) => {
                let reason = format!("{}: {error}", row.place_in_file());
                return Ok(Err(ExcludedTask { task: id, reason }));
            }
        };
        let shown = |wanted: bool, field: &'static str| {
            wanted.then(|| row.text_or_blank(field).map(|text| text.trim().to_owned())).transpose()
        };
        let theorem = shown(settings.theorem, "theorem")?.filter(|text| !text.is_empty());
        let sketch = shown(settings.sketch, "sketch")?.filter(|text| !text.is_empty());
        let input = format!("{}\n{}", item.question, listed(&item.choices));
        Ok(Ok(Self { id, item, theorem, sketch, input, place: row.place.clone() }))
    }
}

impl Located for LiveMathTask {
    fn id(&self) -> &TaskId {
        &self.id
    }

    fn input(&self) -> &str {
        &self.input
    }

    fn place(&self) -> &str {
        &self.place
    }
}
