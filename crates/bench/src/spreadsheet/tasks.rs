//! SpreadsheetBench's tasks as the data has them.
//!
//! Always holds: the golden workbook of a task was read over its whole answer and holds something there; other tasks are
//! excluded and named. A path of the data never leaves the data folder.

use std::path::{Path, PathBuf};

use serde::{Deserialize, Serialize};
use textualrl_model::TaskId;
use textualrl_model::settings::{DataSettings, Scoring};

use super::cases::{self, CasesError, TestCase};
use super::compare;
use super::position::Position;
use crate::benchmark::ExcludedTask;
use crate::data::row::{self, Row};
use crate::data::split::{Located, Splits, Tasks};
use crate::data::{LoadError, folder};

/// What a task is about.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum TaskKind {
    /// Single cells.
    CellLevel,
    /// Whole sheets.
    SheetLevel,
    /// Something else.
    Other,
}

/// A task.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct SpreadsheetTask {
    /// Its id.
    pub id: TaskId,
    /// What the user asks for.
    pub instruction: String,
    /// What kind of request it is, in the data's words.
    pub instruction_type: String,
    /// The kind that these words stand for.
    pub kind: TaskKind,
    /// Where the answer stands, with the sheet if the data names one.
    pub answer_position: String,
    /// Its test cases; at least one.
    pub cases: Vec<TestCase>,
    #[serde(skip)]
    input: String,
    #[serde(skip)]
    place: String,
}

/// A test case as our own layout names it.
#[derive(Deserialize)]
struct NamedCase {
    input: String,
    answer: String,
}

/// Loads the tasks of a folder with `train`, `val` and `test`, and the workbooks below `workbooks` or the folder itself.
///
/// # Errors
/// If a file is missing or a row cannot be used.
pub fn load(settings: &DataSettings) -> Result<Splits<Tasks<SpreadsheetTask>>, LoadError> {
    if settings.dir.is_empty() {
        return Err(LoadError::NoFolder);
    }
    let folder = Path::new(&settings.dir);
    let inner = folder.join("workbooks");
    let workbooks = if inner.is_dir() { inner } else { folder.to_owned() };
    Splits::make(|split| {
        let rows = row::read(&folder::split_file(folder, split)?)?;
        Tasks::of(&rows, settings.limit, |row| SpreadsheetTask::of(row, &workbooks, settings.scoring))
    })
}

impl SpreadsheetTask {
    /// Reads a row; the inner error is a task that can never be scored.
    fn of(row: &Row, workbooks: &Path, scoring: Scoring) -> Result<Result<Self, ExcludedTask>, LoadError> {
        let id = row.released_id()?;
        let instruction = row.text("instruction")?.to_owned();
        let instruction_type = row.text("instruction_type")?.to_owned();
        let answer_position = answer_position(row)?;
        let cases = test_cases(row, workbooks)?;
        if let Some(reason) = unusable(&cases, &answer_position, scoring) {
            return Ok(Err(ExcludedTask { task: id, reason: format!("{}: {reason}", row.place_in_file()) }));
        }
        // The same request about other workbooks is another task.
        let contents = cases.iter().map(|case| case.input_content.as_str());
        let input = std::iter::once(instruction.as_str()).chain(contents).collect::<Vec<_>>().join("\n");
        let (kind, place) = (TaskKind::of(&instruction_type), row.place.clone());
        Ok(Ok(Self { id, instruction, instruction_type, kind, answer_position, cases, input, place }))
    }

    /// A task of these cases, for tests.
    #[cfg(test)]
    pub(super) fn of_cases(cases: Vec<TestCase>, answer_position: &str) -> Self {
        Self {
            id: TaskId::new("7").unwrap(),
            instruction: "Add up the column.".to_owned(),
            instruction_type: "Cell-Level Manipulation".to_owned(),
            kind: TaskKind::CellLevel,
            answer_position: answer_position.to_owned(),
            cases,
            input: String::new(),
            place: String::new(),
        }
    }

    /// The cells of the answer.
    pub fn position(&self, scoring: Scoring) -> Position {
        Position::parse(&self.answer_position, scoring)
    }
}

impl TaskKind {
    fn of(words: &str) -> Self {
        let words = words.to_lowercase();
        if words.contains("cell") {
            Self::CellLevel
        } else if words.contains("sheet") {
            Self::SheetLevel
        } else {
            Self::Other
        }
    }
}

/// The position, with the sheet of its own field where it names none.
fn answer_position(row: &Row) -> Result<String, LoadError> {
    let position = row.text("answer_position")?;
    let sheet = match row.get("answer_sheet") {
        Some(_) => row.text_or_blank("answer_sheet")?,
        None => "",
    };
    let prefixed = !sheet.is_empty() && !position.contains('!');
    Ok(if prefixed { format!("{sheet}!{position}") } else { position.to_owned() })
}

/// The cases that the row lists, or those in its folder.
fn test_cases(row: &Row, workbooks: &Path) -> Result<Vec<TestCase>, LoadError> {
    let problem = |error: CasesError| LoadError::row(&row.place, error.to_string());
    let Some(listed) = row.get("cases") else {
        let folder = below(workbooks, row.text("spreadsheet_path")?, row)?;
        return cases::discover(&folder).map_err(problem);
    };
    let listed: Vec<NamedCase> = serde_json::from_value(listed.clone()).map_err(|error| {
        LoadError::row(&row.place, format!("field `cases` must be a list of {{input, answer}} ({error})"))
    })?;
    if listed.is_empty() {
        return Err(LoadError::row(&row.place, "field `cases` is empty; name an input and its answer"));
    }
    let case = |(number, case): (usize, &NamedCase)| {
        let (input, golden) = (below(workbooks, &case.input, row)?, below(workbooks, &case.answer, row)?);
        TestCase::of(number.to_string(), input, golden).map_err(problem)
    };
    (1..).zip(&listed).map(case).collect()
}

/// A path of the data, which must stay below the folder.
fn below(root: &Path, path: &str, row: &Row) -> Result<PathBuf, LoadError> {
    let plain = Path::new(path);
    if !folder::stays_inside(plain.strip_prefix(".").unwrap_or(plain)) {
        let problem =
            format!("the path {path:?} leaves the data folder; name one relative to it, without `..`");
        return Err(LoadError::row(&row.place, problem));
    }
    Ok(root.join(path))
}

/// Why no program can ever solve the task, or every one does.
fn unusable(cases: &[TestCase], position: &str, scoring: Scoring) -> Option<String> {
    let cells = Position::parse(position, scoring);
    let mut anything = false;
    for case in cases {
        let golden = match compare::read_golden(&case.golden, scoring) {
            Ok(golden) => golden,
            Err(error) => return Some(format!("the golden workbook of case {}: {error}", case.number)),
        };
        if let Err(mismatch) = compare::workbooks(&golden, &golden, &cells, scoring) {
            return Some(format!("its answer at {position} cannot be read: {mismatch}"));
        }
        let compared = compare::cells(&golden, &golden, &cells, scoring).unwrap_or_default();
        anything |= compared.iter().any(|cell| !cell.gold.is_nothing());
    }
    (!anything).then(|| format!("its answer at {position} is empty in the golden workbook"))
}

impl Located for SpreadsheetTask {
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
