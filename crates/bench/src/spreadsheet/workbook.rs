//! Reading workbooks.
//!
//! Always holds: a file that is no workbook, is damaged or is larger than the limits is an error and never an empty
//! workbook; values are typed as the published reader types them.

use std::fs::File;
use std::io::{Cursor, Read};
use std::panic::catch_unwind;
use std::path::Path;

use calamine::{Cell, DataRef, Dimensions, Reader, SheetType, Xlsx, XlsxError};

use super::cell::CellValue;
use super::container;
use super::format::NumberKind;
use super::moment;

/// What a workbook may have at most.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Limits {
    /// Bytes of the file.
    pub file_bytes: u64,
    /// Bytes that it unpacks to.
    pub content_bytes: u64,
    /// Cells of all sheets together.
    pub cells: usize,
    /// Rows of a sheet.
    pub rows: u32,
}

impl Limits {
    /// Far above any workbook of the released data, and far below what would hurt.
    pub const DEFAULT: Self =
        Self { file_bytes: 64 << 20, content_bytes: 512 << 20, cells: 4_000_000, rows: 1 << 20 };
}

/// What is read of the cells.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Contents {
    /// Values only.
    Values,
    /// Values and formulas.
    Formulas,
}

/// Why a workbook cannot be read.
#[derive(Debug, thiserror::Error)]
pub enum WorkbookError {
    /// There is no such file, or it cannot be opened.
    #[error("the workbook cannot be opened: {0}")]
    Open(#[from] std::io::Error),
    /// It is no workbook, or a damaged one.
    #[error("the file is no readable xlsx workbook: {0}")]
    Damaged(String),
    /// It is larger than the limits.
    #[error("the workbook has more than {most} {what}")]
    TooLarge {
        /// The limit.
        most: u64,
        /// What it counts.
        what: &'static str,
    },
}

impl From<XlsxError> for WorkbookError {
    fn from(error: XlsxError) -> Self {
        Self::Damaged(error.to_string())
    }
}

/// A place: row and column, counted from 1.
pub type Place = (u32, u32);

/// The sheets of a workbook in order.
#[derive(Debug, Clone, PartialEq)]
pub struct Workbook {
    /// The sheets.
    pub sheets: Vec<Sheet>,
}

/// A sheet.
#[derive(Debug, Clone, PartialEq)]
pub struct Sheet {
    /// Its name.
    pub name: String,
    /// Whether it has cells at all; a chart has none.
    pub has_cells: bool,
    /// The corners of all cells that the file has, blank ones too.
    pub extent: Option<(Place, Place)>,
    /// The cells that hold something, by place.
    values: Vec<(Place, CellValue)>,
    /// The formulas, by place, if they were asked for.
    formulas: Vec<(Place, String)>,
}

impl Workbook {
    /// Reads a file.
    ///
    /// # Errors
    /// If it cannot be opened, is no workbook, or exceeds the limits.
    pub fn read(path: &Path, contents: Contents, limits: Limits) -> Result<Self, WorkbookError> {
        let mut file = File::open(path)?;
        if file.metadata()?.len() > limits.file_bytes {
            return Err(WorkbookError::TooLarge { most: limits.file_bytes, what: "bytes" });
        }
        let mut bytes = Vec::new();
        file.read_to_end(&mut bytes)?;
        Self::parse(&bytes, contents, limits)
    }

    /// Reads the bytes of a file.
    ///
    /// # Errors
    /// If they are no workbook, or exceed the limits.
    pub fn parse(bytes: &[u8], contents: Contents, limits: Limits) -> Result<Self, WorkbookError> {
        let too_large = |most, what| Err(WorkbookError::TooLarge { most, what });
        if u64::try_from(bytes.len()).is_ok_and(|length| length > limits.file_bytes) {
            return too_large(limits.file_bytes, "bytes");
        }
        match container::declared_size(bytes) {
            None => return Err(WorkbookError::Damaged("it is no zip archive".to_owned())),
            Some(size) if size > limits.content_bytes => {
                return too_large(limits.content_bytes, "bytes unpacked");
            }
            Some(_) => {}
        }
        // The libraries that unpack and parse are not written for hostile files in every corner.
        let read = catch_unwind(|| read_sheets(bytes, contents, limits));
        read.unwrap_or_else(|_| Err(WorkbookError::Damaged("its parts contradict each other".to_owned())))
    }

    /// A sheet by its exact name.
    pub fn sheet(&self, name: &str) -> Option<&Sheet> {
        self.sheets.iter().find(|sheet| sheet.name == name)
    }

    /// Whether any cell has a formula, if formulas were read.
    pub fn has_formulas(&self) -> bool {
        self.sheets.iter().any(|sheet| !sheet.formulas.is_empty())
    }
}

impl Sheet {
    /// A sheet of these cells and formulas, in any order.
    pub fn of(name: String, mut values: Vec<(Place, CellValue)>, mut formulas: Vec<(Place, String)>) -> Self {
        sort(&mut values);
        sort(&mut formulas);
        let mut sheet = Self { name, has_cells: true, extent: None, values, formulas };
        let places = sheet.values.iter().map(|(place, _)| *place);
        for place in places.chain(sheet.formulas.iter().map(|(place, _)| *place)).collect::<Vec<_>>() {
            sheet.reach(place);
        }
        sheet
    }

    /// Widens the extent to a place.
    fn reach(&mut self, place: Place) {
        let (first, last) = self.extent.unwrap_or((place, place));
        self.extent =
            Some(((first.0.min(place.0), first.1.min(place.1)), (last.0.max(place.0), last.1.max(place.1))));
    }

    /// What a cell holds.
    pub fn value(&self, place: Place) -> &CellValue {
        found(&self.values, place).unwrap_or(&CellValue::Empty)
    }

    /// A cell's formula without the equals sign, if formulas were read and it has one.
    pub fn formula(&self, place: Place) -> Option<&str> {
        found(&self.formulas, place).map(String::as_str)
    }

    /// The cells that hold something, row by row.
    pub fn values(&self) -> &[(Place, CellValue)] {
        &self.values
    }
}

fn found<T>(sorted: &[(Place, T)], place: Place) -> Option<&T> {
    let index = sorted.binary_search_by_key(&place, |(place, _)| *place).ok()?;
    sorted.get(index).map(|(_, value)| value)
}

fn read_sheets(bytes: &[u8], contents: Contents, limits: Limits) -> Result<Workbook, WorkbookError> {
    let mut reader: Open<'_> = calamine::open_workbook_from_rs(Cursor::new(bytes))?;
    let mut left = limits.cells;
    let mut sheets = Vec::new();
    for sheet in reader.sheets_metadata().to_vec() {
        let has_cells = matches!(sheet.typ, SheetType::WorkSheet);
        let mut read =
            Sheet { name: sheet.name, has_cells, extent: None, values: Vec::new(), formulas: Vec::new() };
        if has_cells {
            read_values(&mut reader, &mut read, limits, &mut left)?;
            if contents == Contents::Formulas {
                read_formulas(&mut reader, &mut read)?;
            }
            leave_merged(&mut reader, &mut read)?;
        }
        sheets.push(read);
    }
    Ok(Workbook { sheets })
}

type Open<'a> = Xlsx<Cursor<&'a [u8]>>;

fn read_values(
    reader: &mut Open<'_>,
    sheet: &mut Sheet,
    limits: Limits,
    left: &mut usize,
) -> Result<(), WorkbookError> {
    let from_1904 = reader.has_1904_epoch();
    let mut cells = reader.worksheet_cells_reader(&sheet.name)?;
    let kind = |style: &calamine::Style| {
        style.number_format.as_ref().map_or(NumberKind::Plain, |format| NumberKind::of(&format.format_code))
    };
    let kinds: Vec<NumberKind> = cells.styles().iter().map(kind).collect();
    while let Some((cell, style)) = cells.next_cell_with_style_id()? {
        let kind = kinds.get(style).copied().unwrap_or(NumberKind::Plain);
        *left = left.checked_sub(1).ok_or(WorkbookError::TooLarge {
            most: limits.cells.try_into().unwrap_or(u64::MAX),
            what: "cells",
        })?;
        let place = place_of(cell.get_position());
        if place.0 > limits.rows {
            return Err(WorkbookError::TooLarge { most: limits.rows.into(), what: "rows" });
        }
        sheet.reach(place);
        let value = value_of(&cell, kind, from_1904);
        if value != CellValue::Empty {
            sheet.values.push((place, value));
        }
    }
    sort(&mut sheet.values);
    Ok(())
}

fn place_of((row, column): (u32, u32)) -> Place {
    (row.saturating_add(1), column.saturating_add(1))
}

/// Sorts by place; of cells that stand twice the last one counts.
fn sort<T>(cells: &mut Vec<(Place, T)>) {
    if cells.is_sorted_by(|(before, _), (after, _)| before < after) {
        return;
    }
    cells.reverse();
    cells.sort_by_key(|(place, _)| *place);
    cells.dedup_by_key(|(place, _)| *place);
}

/// The value as the published reader types it, which decides by the number format what is a date.
fn value_of(cell: &Cell<DataRef<'_>>, kind: NumberKind, from_1904: bool) -> CellValue {
    let number = match cell.get_value() {
        DataRef::Empty => return CellValue::Empty,
        DataRef::String(text) => return CellValue::Text(text.clone()),
        DataRef::SharedString(text) => return CellValue::Text((*text).to_owned()),
        DataRef::Bool(truth) => return CellValue::Bool(*truth),
        DataRef::Error(error) => return CellValue::Text(error.to_string()),
        DataRef::DateTimeIso(text) | DataRef::DurationIso(text) => {
            return moment::of_iso(text).unwrap_or_else(|| CellValue::Text(text.clone()));
        }
        DataRef::DateTime(serial) => serial.as_f64(),
        DataRef::Float(number) => *number,
        #[allow(clippy::cast_precision_loss)] // Files hold no whole numbers that a double does not.
        DataRef::Int(number) => *number as f64,
    };
    typed(number, kind, from_1904)
}

/// What a number is under a number format.
pub(super) fn typed(number: f64, kind: NumberKind, from_1904: bool) -> CellValue {
    let moment = match kind {
        NumberKind::Plain => return CellValue::Number(number),
        NumberKind::Date => moment::of_serial(number, from_1904),
        NumberKind::Duration => moment::duration_of_serial(number),
    };
    moment.unwrap_or_else(|| CellValue::Text("#VALUE!".to_owned()))
}

fn read_formulas(reader: &mut Open<'_>, sheet: &mut Sheet) -> Result<(), WorkbookError> {
    let mut cells = reader.worksheet_cells_reader(&sheet.name)?;
    while let Some(cell) = cells.next_formula()? {
        if !cell.get_value().is_empty() {
            sheet.formulas.push((place_of(cell.get_position()), cell.get_value().clone()));
        }
    }
    sort(&mut sheet.formulas);
    Ok(())
}

/// Leaves out what lies under a merged cell: the published reader sees the first cell of a merged range only.
fn leave_merged(reader: &mut Open<'_>, sheet: &mut Sheet) -> Result<(), WorkbookError> {
    let merged = reader.merge_cells_by_sheet_name(&sheet.name)?;
    let mut hidden = vec![false; sheet.values.len()];
    // The work of hostile files: cells in the rows of every merged range.
    let mut steps = 100_000_000_usize;
    for Dimensions { start, end } in merged {
        let ((top, left), (bottom, right)) = (place_of(start), place_of(end));
        sheet.reach((top, left));
        sheet.reach((bottom, right));
        let begin = sheet.values.partition_point(|((row, _), _)| *row < top);
        let after = sheet.values.partition_point(|((row, _), _)| *row <= bottom);
        steps = steps.checked_sub(after.saturating_sub(begin)).ok_or(WorkbookError::TooLarge {
            most: 100_000_000,
            what: "cells in the rows of merged cells",
        })?;
        let inside = sheet.values.iter().zip(hidden.iter_mut()).take(after).skip(begin);
        for (((row, column), _), hidden) in inside {
            *hidden |= (left..=right).contains(column) && (*row, *column) != (top, left);
        }
    }
    let mut hidden = hidden.into_iter();
    sheet.values.retain(|_| hidden.next() != Some(true));
    Ok(())
}
