//! Comparing a workbook with the golden one over the cells of the answer.
//!
//! Always holds: nothing passes that could not be read; the first cell that differs decides, part by part and column by
//! column.

use std::path::Path;

use textualrl_model::settings::Scoring;

use super::cell::CellValue;
use super::position::{Area, Position, PositionError, cell_name};
use super::workbook::{Contents, Limits, Place, Sheet, Workbook, WorkbookError};

/// Why an output is not the golden one. The texts are the published ones.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum Mismatch {
    /// A cell differs.
    #[error("value@{sheet}!{cell}: gt={gold} pred={found}")]
    Value {
        /// The sheet.
        sheet: String,
        /// The cell's name.
        cell: String,
        /// The golden value.
        gold: String,
        /// The value found.
        found: String,
    },
    /// The output has no such sheet.
    #[error("worksheet not found: {0}")]
    NoSheet(String),
    /// The golden workbook has no such sheet.
    #[error("eval-exception: KeyError: 'Worksheet {0} does not exist.'")]
    NoGoldenSheet(String),
    /// A part of the position names no cells.
    #[error("eval-exception: {0}")]
    Position(#[from] PositionError),
    /// The golden workbook has a formula there that nobody computed.
    #[error("the golden formula of {sheet}!{cell} has no value")]
    NotComputed {
        /// The sheet.
        sheet: String,
        /// The cell's name.
        cell: String,
    },
    /// The position names no cells at all.
    #[error("the position names no cells")]
    NoCells,
}

impl Mismatch {
    /// Whether the golden workbook or the position is to blame, so that no output can pass.
    pub fn is_of_the_task(&self) -> bool {
        !matches!(self, Self::Value { .. } | Self::NoSheet(_))
    }
}

/// A cell of the answer.
#[derive(Debug, Clone, PartialEq)]
pub struct ComparedCell<'a> {
    /// The sheet.
    pub sheet: &'a str,
    /// The cell's name.
    pub cell: String,
    /// The cell's row and column.
    pub place: Place,
    /// The golden value.
    pub gold: &'a CellValue,
    /// The value found.
    pub found: &'a CellValue,
    /// Whether they count as equal.
    pub equal: bool,
}

/// Compares a workbook with the golden one.
///
/// # Errors
/// The first difference.
pub fn workbooks(
    output: &Workbook,
    golden: &Workbook,
    position: &Position,
    scoring: Scoring,
) -> Result<(), Mismatch> {
    let mut any = false;
    for part in parts(output, golden, position) {
        let (found, gold, area) = part?;
        for place in area.cells() {
            any = true;
            let (value, golden) = (found.value(place), gold.value(place));
            let (sheet, cell) = (|| gold.name.clone(), || cell_name(place));
            if scoring == Scoring::Corrected && *golden == CellValue::Empty && gold.formula(place).is_some() {
                return Err(Mismatch::NotComputed { sheet: sheet(), cell: cell() });
            }
            if !value.equals(golden, scoring) {
                let (gold, found) = (golden.repr(), value.repr());
                return Err(Mismatch::Value { sheet: sheet(), cell: cell(), gold, found });
            }
        }
    }
    if any || scoring == Scoring::Reference { Ok(()) } else { Err(Mismatch::NoCells) }
}

/// All cells of the answer with both values, for telling which are wrong.
///
/// # Errors
/// If a part cannot be compared.
pub fn cells<'a>(
    output: &'a Workbook,
    golden: &'a Workbook,
    position: &Position,
    scoring: Scoring,
) -> Result<Vec<ComparedCell<'a>>, Mismatch> {
    let mut cells = Vec::new();
    for part in parts(output, golden, position) {
        let (found, gold, area) = part?;
        cells.extend(area.cells().map(|place| {
            let (found, golden) = (found.value(place), gold.value(place));
            let equal = found.equals(golden, scoring);
            ComparedCell { sheet: &gold.name, cell: cell_name(place), place, gold: golden, found, equal }
        }));
    }
    Ok(cells)
}

type Pair<'a> = (&'a Sheet, &'a Sheet, Area);

/// The sheets and the area of each part. The output's sheet is looked for first, as published.
fn parts<'a>(
    output: &'a Workbook,
    golden: &'a Workbook,
    position: &Position,
) -> impl Iterator<Item = Result<Pair<'a>, Mismatch>> {
    position.parts.iter().map(|part| {
        let first = || golden.sheets.first().map(|sheet| sheet.name.as_str());
        let name = part.sheet.as_deref().or_else(first).unwrap_or_default();
        let found = output.sheet(name).filter(|sheet| sheet.has_cells);
        let found = found.ok_or_else(|| Mismatch::NoSheet(name.to_owned()))?;
        let gold = golden.sheet(name).filter(|sheet| sheet.has_cells);
        let gold = gold.ok_or_else(|| Mismatch::NoGoldenSheet(name.to_owned()))?;
        Ok((found, gold, part.area.clone()?))
    })
}

/// Reads a golden workbook, with what the scoring looks at.
///
/// # Errors
/// If it cannot be read.
pub fn read_golden(path: &Path, scoring: Scoring) -> Result<Workbook, WorkbookError> {
    let contents = match scoring {
        Scoring::Reference => Contents::Values,
        Scoring::Corrected => Contents::Formulas,
    };
    Workbook::read(path, contents, Limits::DEFAULT)
}

/// Reads the workbook that a program wrote.
///
/// # Errors
/// If it cannot be read.
pub fn read_output(path: &Path) -> Result<Workbook, WorkbookError> {
    Workbook::read(path, Contents::Values, Limits::DEFAULT)
}
