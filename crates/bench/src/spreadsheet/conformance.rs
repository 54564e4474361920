//! SpreadsheetBench's scorers and data against what others computed.
//!
//! Always holds: a case runs through the functions that score an episode.

use serde_json::{Map, Value, json};
use textualrl_model::settings::{DataSettings, Scoring};
use textualrl_model::{Split, TaskId};

use super::cell::CellValue;
use super::compare::{self, Mismatch};
use super::difference::Difference;
use super::format::NumberKind;
use super::moment;
use super::position::{self, cell_name};
use super::tasks::{self, SpreadsheetTask};
use super::workbook::{self, Sheet, Workbook};
use super::{cases, position::Position, program, verification};
use crate::conformance::Case;
use crate::data::LoadError;

/// What ours returns for a case; none if no scorer here covers it.
pub fn found(case: &Case, scoring: Scoring) -> Option<Value> {
    let text = case.prediction.as_str();
    match case.scorer.as_str() {
        "aggregate" => {
            let count = |value: &Value| usize::try_from(value.as_u64()?).ok();
            let (soft, hard) = cases::aggregate(count(&case.prediction)?, count(&case.gold)?);
            Some(json!({"soft": soft, "hard": i32::from(hard)}))
        }
        "cell_names" => {
            let area = position::area(text?, scoring).ok()?;
            Some(json!(area.cells().map(cell_name).collect::<Vec<_>>()))
        }
        "compare_cell" => Some(json!(value(&case.prediction)?.equals(&value(&case.gold)?, scoring))),
        "compare_workbooks" => {
            let (output, golden) = (workbook(&case.prediction)?, workbook(&case.gold)?);
            let position = Position::parse(case.extra.get("answer_position")?.as_str()?, scoring);
            let compared = compare::workbooks(&output, &golden, &position, scoring);
            let reason = compared.as_ref().err().map(Mismatch::to_string).unwrap_or_default();
            Some(json!({"ok": compared.is_ok(), "reason": reason}))
        }
        "eval_feedback_extract" => {
            let (wrong, right) = verification::wrong_cells(text?, scoring);
            Some(json!({"wrong_cells": wrong, "n_correct": right}))
        }
        "extract_code" => Some(json!(program::extract_code(text?, scoring))),
        "strip_path_assignments" => Some(json!(program::strip_path_assignments(text?, scoring))),
        _ => None,
    }
}

/// The listed reason for which the corrected scoring may differ in a case.
pub fn reason(case: &Case) -> Option<&'static str> {
    Difference::ALL.into_iter().find(|difference| difference.concerns(case)).map(Difference::reason)
}

/// A value as the cases write it: a type and a value.
fn value(written: &Value) -> Option<CellValue> {
    let inner = written.get("value");
    let text = || inner.and_then(Value::as_str);
    match written.get("type")?.as_str()? {
        "null" => Some(CellValue::Empty),
        "str" => Some(CellValue::Text(text()?.to_owned())),
        "int" | "float" => Some(CellValue::Number(inner?.as_f64()?)),
        "bool" => Some(CellValue::Bool(inner?.as_bool()?)),
        "datetime" | "date" | "time" => moment::of_iso(text()?),
        "timedelta" => moment::duration_of_serial(written.get("seconds")?.as_f64()? / 86_400.0),
        _ => None,
    }
}

/// A workbook as the cases write it, typed by number formats as one that is read from a file.
fn workbook(written: &Value) -> Option<Workbook> {
    let sheets = written.get("sheets")?.as_array()?.iter().map(sheet);
    Some(Workbook { sheets: sheets.collect::<Option<_>>()? })
}

fn sheet(written: &Value) -> Option<Sheet> {
    let (mut values, mut formulas) = (Vec::new(), Vec::new());
    let cells: &Map<String, Value> = written.get("cells")?.as_object()?;
    for (name, cell) in cells {
        let place = position::area(name, Scoring::Reference).ok()?.first;
        let format = cell.get("fmt").and_then(Value::as_str).unwrap_or("General");
        match cell.get("v")? {
            Value::Null => {}
            Value::Bool(truth) => values.push((place, CellValue::Bool(*truth))),
            Value::Number(number) => {
                values.push((place, workbook::typed(number.as_f64()?, NumberKind::of(format), false)));
            }
            Value::String(text) if cell.get("t").is_some() => values.push((place, moment::of_iso(text)?)),
            Value::String(text) => match text.strip_prefix('=') {
                Some(formula) => formulas.push((place, formula.to_owned())),
                None => values.push((place, CellValue::Text(text.clone()))),
            },
            Value::Array(_) | Value::Object(_) => return None,
        }
    }
    Some(Sheet::of(written.get("name")?.as_str()?.to_owned(), values, formulas))
}

/// How goldens and untouched inputs of real data score.
#[derive(Debug, Default)]
pub struct DataCheck {
    /// Tasks of train, validation and test, excluded ones too.
    pub tasks: [usize; 3],
    /// The excluded tasks, each with its reason.
    pub excluded: Vec<String>,
    /// Tasks whose goldens score 1 against themselves.
    pub goldens: usize,
    /// Tasks whose goldens do not.
    pub broken: Vec<TaskId>,
    /// Tasks that pass untouched.
    pub pass: Vec<TaskId>,
    /// How many fail untouched.
    pub fail: usize,
    /// Tasks whose input lacks the sheet of the answer.
    pub no_sheet: Vec<TaskId>,
    /// Tasks whose input cannot be read.
    pub unreadable: Vec<TaskId>,
}

/// Scores every golden workbook and every untouched input of a folder.
///
/// # Errors
/// If the data cannot be loaded.
pub fn check_data(settings: &DataSettings) -> Result<DataCheck, LoadError> {
    let splits = tasks::load(settings)?;
    let mut check = DataCheck {
        tasks: Split::ALL.map(|split| splits.of(split).kept.len() + splits.of(split).excluded.len()),
        ..DataCheck::default()
    };
    for split in Split::ALL {
        for excluded in &splits.of(split).excluded {
            check.excluded.push(format!("{} ({})", excluded.task.as_str(), excluded.reason));
        }
        for task in &splits.of(split).kept {
            check.add(task, settings.scoring);
        }
    }
    Ok(check)
}

impl DataCheck {
    fn add(&mut self, task: &SpreadsheetTask, scoring: Scoring) {
        let position = task.position(scoring);
        let (mut golden_passes, mut input) = (true, Ok(()));
        for case in &task.cases {
            let Ok(golden) = compare::read_golden(&case.golden, scoring) else {
                golden_passes = false;
                continue;
            };
            golden_passes &= compare::workbooks(&golden, &golden, &position, scoring).is_ok();
            let Ok(untouched) = compare::read_output(&case.input) else {
                self.unreadable.push(task.id.clone());
                return;
            };
            input = input.and_then(|()| compare::workbooks(&untouched, &golden, &position, scoring));
        }
        if golden_passes {
            self.goldens += 1;
        } else {
            self.broken.push(task.id.clone());
        }
        match input {
            Ok(()) => self.pass.push(task.id.clone()),
            Err(Mismatch::NoSheet(_)) => self.no_sheet.push(task.id.clone()),
            Err(_) => self.fail += 1,
        }
    }

    /// How many goldens or inputs are not as they must be.
    pub fn failed(&self) -> usize {
        self.broken.len() + self.unreadable.len()
    }

    /// A line on the tasks, one on the excluded, one on goldens and one on inputs.
    pub fn lines(&self) -> Vec<String> {
        let [train, validation, test] = self.tasks;
        let names = |ids: &[TaskId]| ids.iter().map(TaskId::as_str).collect::<Vec<_>>().join(", ");
        let mut lines = vec![
            format!(
                "spreadsheet: {train} / {validation} / {test} tasks, {} of them left out",
                self.excluded.len()
            ),
            format!(
                "spreadsheet goldens: {} score 1 against themselves, {} do not",
                self.goldens,
                self.broken.len()
            ),
            format!(
                "spreadsheet untouched inputs: {} pass ({}), {} fail, {} lack the sheet ({}), {} cannot be read",
                self.pass.len(),
                names(&self.pass),
                self.fail,
                self.no_sheet.len(),
                names(&self.no_sheet),
                self.unreadable.len()
            ),
        ];
        lines.extend(self.excluded.iter().map(|excluded| format!("spreadsheet left out: {excluded}")));
        lines
    }
}
