//! What the prompt shows of a workbook.
//!
//! Always holds: formulas are shown and not their values; a preview is cut by the published numbers of rows, columns and
//! characters, whatever the size of the workbook.

use std::fmt::Write;
use std::path::Path;

use super::position::cell_name;
use super::workbook::{Contents, Limits, Place, Sheet, Workbook, WorkbookError};

const ROWS: u32 = 5;
const COLUMNS: u32 = 20;
/// Characters of a value, and of one that is cut.
const LONGEST: usize = 40;
const CUT: usize = 37;

/// The preview of a file.
///
/// # Errors
/// If it cannot be read.
pub fn of(path: &Path) -> Result<String, WorkbookError> {
    Ok(of_workbook(&Workbook::read(path, Contents::Formulas, Limits::DEFAULT)?))
}

/// The preview of a workbook that was read with its formulas.
pub fn of_workbook(workbook: &Workbook) -> String {
    let sheets = workbook.sheets.iter().filter(|sheet| sheet.has_cells).map(of_sheet);
    sheets.collect::<Vec<_>>().join("\n")
}

fn of_sheet(sheet: &Sheet) -> String {
    let (first, last) = sheet.extent.unwrap_or(((1, 1), (1, 1)));
    let mut text = format!(
        "## Sheet: {}  (dim={}:{}, max_row={}, max_col={})\n",
        sheet.name,
        cell_name(first),
        cell_name(last),
        last.0,
        last.1
    );
    for row in 1..=last.0.min(ROWS) {
        let cells = (1..=last.1.min(COLUMNS)).map(|column| of_cell(sheet, (row, column)));
        text.push_str(&cells.collect::<Vec<_>>().join(" | "));
        text.push('\n');
    }
    if last.0 > ROWS {
        // Writing into a text cannot fail.
        let _ = writeln!(text, "... ({} more rows)", last.0 - ROWS);
    }
    text
}

fn of_cell(sheet: &Sheet, place: Place) -> String {
    let value = match sheet.formula(place) {
        Some(formula) => format!("={formula}"),
        None => sheet.value(place).shown(),
    };
    let value = if value.chars().nth(LONGEST).is_some() {
        value.chars().take(CUT).chain("...".chars()).collect()
    } else {
        value
    };
    format!("{}={value}", cell_name(place))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::spreadsheet::cell::CellValue;

    #[test]
    fn a_preview_shows_the_first_rows_and_formulas() {
        let text = |text: &str| CellValue::Text(text.to_owned());
        let values = vec![
            ((1, 1), text("Item")),
            ((2, 1), text(&"é".repeat(41))),
            ((3, 1), text(&"é".repeat(40))),
            ((7, 2), CellValue::Number(4.0)),
        ];
        let formulas = vec![((2, 2), "SUM(B3:B9)".to_owned())];
        let sheet = Sheet::of("Stock".to_owned(), values, formulas);
        let empty = Sheet::of("Notes".to_owned(), Vec::new(), Vec::new());
        let expected = format!(
            "## Sheet: Stock  (dim=A1:B7, max_row=7, max_col=2)\nA1=Item | B1=\nA2={}... | B2==SUM(B3:B9)\n\
             A3={} | B3=\nA4= | B4=\nA5= | B5=\n... (2 more rows)\n\n\
             ## Sheet: Notes  (dim=A1:A1, max_row=1, max_col=1)\nA1=\n",
            "é".repeat(37),
            "é".repeat(40)
        );
        assert_eq!(of_workbook(&Workbook { sheets: vec![sheet, empty] }), expected);
    }
}
