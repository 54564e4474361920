//! Judging what a program left for one test case.
//!
//! Always holds: only the bytes that this run wrote are looked at; what is said to be safe counts cells and names none of
//! the golden values; a golden workbook that cannot be used is never the agent's fault.

use textualrl_model::settings::Scoring;
use textualrl_sandbox::Run;

use super::cases::TestCase;
use super::compare::{self, ComparedCell, Mismatch};
use super::position::Position;
use super::recalculate::{RecalculationError, Soffice};
use super::runner::problem;
use super::verification;
use super::workbook::{Contents, Limits, Workbook, WorkbookError};

/// The most characters of a report, and of its head and its tail if it is cut, as released.
const MOST_REPORTED: usize = 12_000;
const HEAD: usize = 6_000;
/// The most cells of an answer that are told of.
const MOST_ANSWERED: usize = 8;

/// What a run is judged by.
#[derive(Debug, Clone, Copy)]
pub(super) struct Rules<'a> {
    /// Which metric scores.
    pub(super) scoring: Scoring,
    /// Where the answer stands.
    pub(super) position: &'a Position,
    /// Who computes formulas.
    pub(super) soffice: Option<&'a Soffice>,
}

/// What became of a test case.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub(super) struct Judged {
    /// The first cells of the answer as the agent's workbook has them.
    pub(super) answer: Option<String>,
    /// What is wrong; none if the case passes.
    pub(super) wrong: Option<Wrong>,
}

/// What is wrong with an output.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Wrong {
    /// In words without golden values.
    pub(super) safe: String,
    /// The cells with their golden values.
    pub(super) expected: Option<String>,
}

/// Why a run cannot be judged.
#[derive(Debug, thiserror::Error)]
pub(super) enum JudgeError {
    /// The golden workbook cannot be read any more.
    #[error("the golden workbook of case {case}: {source}")]
    Golden {
        /// The case.
        case: String,
        /// Why.
        source: WorkbookError,
    },
    /// The answer cannot be compared in the golden workbook.
    #[error("the golden workbook of case {case}: {mismatch}")]
    Task {
        /// The case.
        case: String,
        /// Why.
        mismatch: Mismatch,
    },
    /// The formulas cannot be computed.
    #[error(transparent)]
    Recalculation(#[from] RecalculationError),
}

/// Judges a run on a test case.
///
/// # Errors
/// If that cannot be done, whatever the program did.
pub(super) fn judge(run: &Run, case: &TestCase, rules: Rules<'_>) -> Result<Judged, JudgeError> {
    if let Some(problem) = problem(run) {
        return Ok(Judged::wrong(problem));
    }
    let saved = run.output.as_deref().unwrap_or_default();
    let mut output = match Workbook::parse(saved, Contents::Values, Limits::DEFAULT) {
        Ok(output) => output,
        Err(error) => return Ok(Judged::wrong(format!("the saved workbook cannot be used: {error}"))),
    };
    // Formulas decide nothing by themselves, so that one that cannot be read is none.
    let formulas = Workbook::parse(saved, Contents::Formulas, Limits::DEFAULT).ok();
    if let Some(soffice) = rules.soffice.filter(|_| formulas.as_ref().is_some_and(Workbook::has_formulas)) {
        let computed = soffice.recalculate(saved)?;
        output = Workbook::parse(&computed, Contents::Values, Limits::DEFAULT)
            .map_err(|error| RecalculationError::Output(error.to_string()))?;
    }
    let golden = compare::read_golden(&case.golden, rules.scoring)
        .map_err(|source| JudgeError::Golden { case: case.number.clone(), source })?;
    compared(&output, &golden, formulas.as_ref(), rules)
        .map_err(|mismatch| JudgeError::Task { case: case.number.clone(), mismatch })
}

/// Compares an output, or says why the golden workbook cannot be compared with.
fn compared(
    output: &Workbook,
    golden: &Workbook,
    formulas: Option<&Workbook>,
    rules: Rules<'_>,
) -> Result<Judged, Mismatch> {
    let mismatch = match compare::workbooks(output, golden, rules.position, rules.scoring) {
        Err(mismatch) if mismatch.is_of_the_task() => return Err(mismatch),
        result => result.err(),
    };
    // Without the sheet of the answer there are no cells to tell of.
    let cells = compare::cells(output, golden, rules.position, rules.scoring).unwrap_or_default();
    let answer = (!cells.is_empty()).then(|| answer(&cells));
    let wrong = mismatch.map(|mismatch| Wrong {
        safe: match mismatch {
            Mismatch::NoSheet(_) => "the saved workbook lacks the sheet of the answer".to_owned(),
            _ => count(&cells, formulas),
        },
        expected: Some(format!("{mismatch}\n{}", cut(&verification::report(&cells)))),
    });
    Ok(Judged { answer, wrong })
}

impl Judged {
    fn wrong(safe: String) -> Self {
        Self { answer: None, wrong: Some(Wrong { safe, expected: None }) }
    }
}

/// How many cells differ, and what can be seen of them without the golden values.
fn count(cells: &[ComparedCell<'_>], formulas: Option<&Workbook>) -> String {
    let wrong: Vec<_> = cells.iter().filter(|cell| !cell.equal).collect();
    let blank: Vec<_> = wrong.iter().filter(|cell| cell.found.is_nothing()).collect();
    let sheet = |cell: &ComparedCell<'_>| formulas.and_then(|formulas| formulas.sheet(cell.sheet));
    let has_formula =
        |cell: &ComparedCell<'_>| sheet(cell).is_some_and(|sheet| sheet.formula(cell.place).is_some());
    let uncomputed = blank.iter().filter(|cell| has_formula(cell)).count();
    let empty = blank.len() - uncomputed;
    let mut said = format!("{} of {} answer cells are wrong", wrong.len(), cells.len());
    if uncomputed > 0 {
        said.push_str(&format!(
            "; {uncomputed} of them hold a formula without a value, as nobody computed it"
        ));
    }
    if empty > 0 {
        said.push_str(&format!("; {empty} of them are empty"));
    }
    said
}

/// The first cells of the answer, as the agent's workbook has them.
fn answer(cells: &[ComparedCell<'_>]) -> String {
    let shown = cells.iter().take(MOST_ANSWERED);
    let mut shown: Vec<String> = shown.map(|cell| format!("{}={}", cell.cell, cell.found.repr())).collect();
    if let Some(more) = cells.len().checked_sub(MOST_ANSWERED).filter(|more| *more > 0) {
        shown.push(format!("and {more} more cells"));
    }
    shown.join(", ")
}

/// The head and the tail of a report that is too long.
fn cut(report: &str) -> String {
    let length = report.chars().count();
    if length <= MOST_REPORTED {
        return report.to_owned();
    }
    let head: String = report.chars().take(HEAD).collect();
    let tail: String = report.chars().skip(length - (MOST_REPORTED - HEAD)).collect();
    format!("{head}\n[{} characters left out]\n{tail}", length - MOST_REPORTED)
}

#[cfg(test)]
mod tests {
    use super::super::cell::CellValue;
    use super::super::workbook::Sheet;
    use super::*;

    fn book(values: &[((u32, u32), f64)], formulas: &[(u32, u32)]) -> Workbook {
        let values = values.iter().map(|(place, number)| (*place, CellValue::Number(*number))).collect();
        let formulas = formulas.iter().map(|place| (*place, "B1*2".to_owned())).collect();
        Workbook { sheets: vec![Sheet::of("Data".to_owned(), values, formulas)] }
    }

    #[test]
    fn what_is_wrong_is_counted_without_golden_values() {
        let golden = book(&[((1, 1), 71.0), ((2, 1), 72.0), ((3, 1), 73.0)], &[]);
        for (found, formulas, said) in [
            (vec![((1, 1), 71.0), ((2, 1), 72.0), ((3, 1), 73.0)], vec![], None),
            (
                vec![((1, 1), 71.0), ((2, 1), 5.0), ((3, 1), 6.0)],
                vec![],
                Some("2 of 3 answer cells are wrong"),
            ),
            (
                vec![((1, 1), 71.0)],
                vec![(2, 1)],
                Some(
                    "2 of 3 answer cells are wrong; 1 of them hold a formula without a value, as nobody computed it; \
                     1 of them are empty",
                ),
            ),
            // A formula with a value counts by it.
            (
                vec![((1, 1), 1.0), ((2, 1), 72.0), ((3, 1), 73.0)],
                vec![(1, 1)],
                Some("1 of 3 answer cells are wrong"),
            ),
        ] {
            let position = Position::parse("A1:A3", Scoring::Reference);
            let rules = Rules { scoring: Scoring::Reference, position: &position, soffice: None };
            let output = book(&found, &formulas);
            let judged = compared(&output, &golden, Some(&output), rules).unwrap();
            assert_eq!(judged.wrong.map(|wrong| wrong.safe).as_deref(), said, "{found:?}");
        }
    }

    #[test]
    fn an_output_without_the_sheet_fails_and_a_golden_one_without_it_is_no_fault() {
        let position = Position::parse("Data!A1", Scoring::Reference);
        let rules = Rules { scoring: Scoring::Reference, position: &position, soffice: None };
        let (full, empty) = (book(&[((1, 1), 1.0)], &[]), Workbook { sheets: Vec::new() });
        let judged = compared(&empty, &full, None, rules).unwrap();
        assert!(judged.wrong.is_some_and(|wrong| wrong.safe.contains("lacks the sheet")));
        assert_eq!(
            compared(&full, &empty, None, rules).unwrap_err(),
            Mismatch::NoGoldenSheet("Data".to_owned())
        );
    }

    #[test]
    fn a_long_report_keeps_head_and_tail() {
        for (length, expected) in [(MOST_REPORTED, MOST_REPORTED), (MOST_REPORTED + 5, MOST_REPORTED + 25)] {
            let report = format!("<{}>", "é".repeat(length - 2));
            let cut = cut(&report);
            assert!(cut.starts_with('<') && cut.ends_with('>'));
            assert_eq!(cut.chars().count(), expected);
        }
    }
}
