//! OfficeQA's tasks as the data has them.
//!
//! Always holds: a task has a gold that some answer meets; others are excluded and named. An id or a name in a row is
//! never a path: documents are looked up among those that the folder has.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use serde::Serialize;
use serde_json::Value;
use textualrl_model::TaskId;
use textualrl_model::settings::{DataSettings, Scoring};

use super::documents::Documents;
use super::{fields, pages, score};
use crate::benchmark::ExcludedTask;
use crate::data::row::{self, Row};
use crate::data::split::{Located, Splits, Tasks};
use crate::data::{LoadError, released};

/// The official table of all questions, from which rows that only name theirs are completed.
const OFFICIAL: &str = "officeqa_full.csv";

/// A question about documents.
#[derive(Debug, Clone, Serialize)]
pub(super) struct OfficeQaTask {
    pub(super) id: TaskId,
    pub(super) question: String,
    pub(super) gold: String,
    /// The names of its source documents that are there.
    pub(super) sources: Vec<String>,
    /// The addresses of its sources.
    pub(super) hints: Vec<String>,
    /// The pages that hold the answer, if they are parsed and asked for.
    pub(super) pages: String,
    /// What kind of question the data say that it is.
    #[serde(skip)]
    pub(super) category: String,
    /// The places of its source documents in the list.
    #[serde(skip)]
    pub(super) places: Vec<usize>,
    /// Question and sources, by which a copy under another id is found.
    #[serde(skip)]
    input: String,
    #[serde(skip)]
    place: String,
}

/// What rows are read with.
struct Reader<'a> {
    documents: &'a Documents,
    /// The folders of parsed pages; none if they are not asked for.
    parsed: Vec<PathBuf>,
    scoring: Scoring,
}

/// Loads the tasks of a folder. `documents` lie in the folder `below`.
///
/// # Errors
/// If a file is missing or a row cannot be used.
pub(super) fn load(
    settings: &DataSettings,
    documents: &Documents,
    below: &Path,
) -> Result<Splits<Tasks<OfficeQaTask>>, LoadError> {
    let folder = Path::new(&settings.dir);
    let official = Official::read(&folder.join(OFFICIAL))?;
    let parsed = if settings.officeqa.oracle_pages { pages::folders(below) } else { Vec::new() };
    let reader = Reader { documents, parsed, scoring: settings.scoring };
    let rows = released::rows(folder)?;
    Splits::make(|split| match rows.of(split) {
        None => Ok(Tasks::absent()),
        Some(rows) => Tasks::of(rows, settings.limit, |row| reader.task(&official.completed(row)?)),
    })
}

impl Reader<'_> {
    /// Reads a row; the inner error is a task that can never be scored.
    fn task(&self, row: &Row) -> Result<Result<OfficeQaTask, ExcludedTask>, LoadError> {
        let id = row.released_id()?;
        let question = row.text("question")?.trim().to_owned();
        let gold = gold(row)?;
        if !score::can_be_met(&gold, self.scoring) {
            let reason = format!("{}: its gold answer is blank", row.place_in_file());
            return Ok(Err(ExcludedTask { task: id, reason }));
        }
        let list =
            |field: &str| row.get(field).map(|field| fields::list(field, self.scoring)).unwrap_or_default();
        let (named, hints) = (list("source_files"), list("source_docs"));
        let places: Vec<usize> = named.iter().filter_map(|named| self.documents.place(named)).collect();
        let names = places.iter().filter_map(|place| self.documents.name(*place));
        Ok(Ok(OfficeQaTask {
            pages: pages::shown(&self.parsed, &named, &hints)?,
            sources: names.map(str::to_owned).collect(),
            input: format!("{question}\n{}", named.join("\n")),
            category: category(row)?,
            place: row.place.clone(),
            id,
            question,
            gold,
            hints,
            places,
        }))
    }
}

/// The one gold in `ground_truth` or `answer`: a text, a number, or a list of one.
fn gold(row: &Row) -> Result<String, LoadError> {
    let missing =
        || LoadError::row(&row.place, "neither field `ground_truth` nor `answer` is there; add one");
    let found = row.get("ground_truth").or_else(|| row.get("answer")).ok_or_else(missing)?;
    let one = match found {
        Value::Array(items) => match items.as_slice() {
            [one] => one,
            _ => return Err(LoadError::row(&row.place, "there must be one gold answer, not a list of them")),
        },
        one => one,
    };
    match one {
        Value::String(text) => Ok(text.trim().to_owned()),
        Value::Number(_) | Value::Bool(_) => Ok(one.to_string()),
        other => {
            let problem = format!("the gold answer must be a text or a number, not {}", row::kind(other));
            Err(LoadError::row(&row.place, problem))
        }
    }
}

/// What kind of question it is, in `category` or `difficulty`.
fn category(row: &Row) -> Result<String, LoadError> {
    for field in ["category", "difficulty"] {
        if row.get(field).is_some() {
            let named = row.text_or_blank(field)?.trim();
            if !named.is_empty() {
                return Ok(named.to_owned());
            }
        }
    }
    Ok("officeqa".to_owned())
}

/// The rows of the official table by their ids, if it is there.
struct Official(BTreeMap<TaskId, Row>);

impl Official {
    fn read(file: &Path) -> Result<Self, LoadError> {
        let rows = if file.is_file() { row::read(file)? } else { Vec::new() };
        rows.into_iter().map(|row| Ok((row.released_id()?, row))).collect::<Result<_, _>>().map(Self)
    }

    /// A row of a split, with the fields of the official row where it has no question.
    fn completed(&self, row: &Row) -> Result<Row, LoadError> {
        if row.get("question").is_some() || self.0.is_empty() {
            return Ok(row.clone());
        }
        let id = row.released_id()?;
        let official = self.0.get(&id).ok_or_else(|| {
            let rows = self.0.len();
            LoadError::row(
                &row.place,
                format!("{OFFICIAL} has no row {id:?} among its {rows}; is it another version?"),
            )
        })?;
        let mut fields = official.fields.clone();
        let own = row.fields.iter().filter(|(_, value)| !value.is_null());
        fields.extend(own.map(|(name, value)| (name.clone(), value.clone())));
        Ok(Row { place: row.place.clone(), fields })
    }
}

impl Located for OfficeQaTask {
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
