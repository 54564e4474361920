//! The report on the cells of an answer, and what an agent in training is told of it.
//!
//! Always holds: what an agent is told names its own values and never the golden ones.

use std::fmt::Write;

use textualrl_model::settings::Scoring;

use super::compare::ComparedCell;

const RIGHT: char = '✓';
const WRONG: char = '✗';
const EXPECTED: &str = ", expected=";

/// The report: a line a cell with both values; right cells that are blank are only counted.
pub fn report(cells: &[ComparedCell<'_>]) -> String {
    let mut text = String::from("## Output Verification\n");
    let blank = |cell: &&ComparedCell<'_>| cell.equal && cell.gold.is_nothing();
    for cell in cells.iter().filter(|cell| !blank(cell)) {
        let mark = if cell.equal { RIGHT } else { WRONG };
        let (found, gold) = (cell.found.repr(), cell.gold.repr());
        // Writing into a text cannot fail.
        let _ = writeln!(text, "  {}!{}: got={found}{EXPECTED}{gold} {mark}", cell.sheet, cell.cell);
    }
    let omitted = cells.iter().filter(blank).count();
    if omitted > 0 {
        let _ = writeln!(text, "  (+{omitted} empty cells correct, omitted)");
    }
    text
}

/// The cells that a report marks as wrong, with the agent's own values, and the number of those marked as right.
/// As published, sheets with a space in their name are passed over.
pub fn wrong_cells(report: &str, scoring: Scoring) -> (Vec<(String, String)>, usize) {
    let (mut wrong, mut right) = (Vec::new(), 0);
    for line in report.lines().map(str::trim) {
        let Some((cell, values)) = line.split_once(": got=") else { continue };
        if values.ends_with(RIGHT) {
            right += 1;
        } else if values.ends_with(WRONG) {
            let value = match scoring {
                Scoring::Reference => values.split_once(EXPECTED),
                Scoring::Corrected => values.rsplit_once(EXPECTED),
            };
            let passed_over = scoring == Scoring::Reference && cell.contains(char::is_whitespace);
            if let Some((value, _)) = value.filter(|_| !passed_over) {
                wrong.push((cell.to_owned(), value.to_owned()));
            }
        }
    }
    (wrong, right)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::spreadsheet::cell::CellValue;

    #[test]
    fn a_report_is_read_back_without_the_golden_values() {
        let values = [CellValue::Text("GOLD".to_owned()), CellValue::Text("mine, expected=".to_owned())];
        let [gold, found] = &values;
        let cell = |sheet, gold, found, equal| ComparedCell {
            sheet,
            cell: "A1".to_owned(),
            place: (1, 1),
            gold,
            found,
            equal,
        };
        let cells = [
            cell("My sheet", gold, found, false),
            cell("Data", gold, gold, true),
            cell("Data", &CellValue::Empty, &CellValue::Empty, true),
            cell("Data", gold, &CellValue::Empty, false),
        ];
        let report = report(&cells);
        assert!(report.contains("(+1 empty cells correct, omitted)"), "{report}");
        let pair = |cell: &str, value: &str| (cell.to_owned(), value.to_owned());
        assert_eq!(wrong_cells(&report, Scoring::Reference), (vec![pair("Data!A1", "None")], 1));
        let corrected = vec![pair("My sheet!A1", "'mine, expected='"), pair("Data!A1", "None")];
        assert_eq!(wrong_cells(&report, Scoring::Corrected), (corrected, 1));
    }
}
