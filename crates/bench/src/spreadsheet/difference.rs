//! Where the corrected metric of SpreadsheetBench differs from the published one, and why.
//!
//! Always holds: the corrected scoring differs from the reference in this list and in nothing else, which the conformance
//! check holds it to.

use serde_json::Value;
use textualrl_model::settings::Scoring;

use super::position::Position;
use super::program;
use super::verification;
use crate::conformance::Case;
use crate::python::number;

/// Something that the corrected scoring does otherwise.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Difference {
    /// Letters, corners and quotes of positions.
    Positions,
    /// Positions that name no cells.
    NoCells,
    /// Golden formulas without a value.
    NotComputed,
    /// Times and dates with times.
    Seconds,
    /// The text `nan`.
    NotANumber,
    /// Fences that are not closed and assignments of paths.
    Programs,
    /// Sheets with spaces, and values like parts of a report.
    Reports,
}

impl Difference {
    /// All of them.
    pub const ALL: [Self; 7] = [
        Self::Positions,
        Self::NoCells,
        Self::NotComputed,
        Self::Seconds,
        Self::NotANumber,
        Self::Programs,
        Self::Reports,
    ];

    /// What the corrected scoring does, and why.
    pub fn reason(self) -> &'static str {
        match self {
            Self::Positions => {
                "small letters name the columns that they name everywhere else, a range may begin at any of its \
                 corners, and the quoted name of a sheet may hold commas and doubled apostrophes"
            }
            Self::NoCells => "a position that names no cells compares nothing, and nothing is no pass",
            Self::NotComputed => {
                "a golden formula that nobody computed is unknown and not empty, so that an empty cell does not pass \
                 for it"
            }
            Self::Seconds => {
                "two times, or two dates with times, are compared to the second and not to the minute or the day"
            }
            Self::NotANumber => "the text nan is a text and equals itself",
            Self::Programs => {
                "a fence that is not closed holds the rest of the reply, and only whole assignments of the paths are \
                 replaced, by a statement that does nothing"
            }
            Self::Reports => {
                "a wrong cell is told whatever its sheet is called and whatever text stands in it"
            }
        }
    }

    /// Whether a case has what the difference is about.
    pub fn concerns(self, case: &Case) -> bool {
        let position = case.extra.get("answer_position").unwrap_or(&case.prediction).as_str();
        let text = case.prediction.as_str();
        match self {
            Self::Positions => position.is_some_and(|position| {
                let [reference, corrected] = both(|scoring| Position::parse(position, scoring));
                reference != corrected
            }),
            Self::NoCells => position.is_some_and(|position| {
                let parts = Position::parse(position, Scoring::Reference).parts;
                parts.iter().all(|part| part.area.as_ref().is_ok_and(|area| area.cells().next().is_none()))
            }),
            Self::NotComputed => any_text(&case.gold, &|text| text.starts_with('=')),
            Self::Seconds => {
                any_text(&case.gold, &|text| matches!(text, "time" | "datetime") || text.contains('h'))
            }
            Self::NotANumber => any_text(&case.gold, &|text| number::parse(text).is_some_and(f64::is_nan)),
            Self::Programs => text.is_some_and(|text| {
                let [fence, others] = both(|scoring| program::extract_code(text, scoring));
                let [paths, kept] = both(|scoring| program::strip_path_assignments(text, scoring));
                fence != others || paths != kept
            }),
            Self::Reports => text.is_some_and(|text| {
                let [reference, corrected] = both(|scoring| verification::wrong_cells(text, scoring));
                reference != corrected
            }),
        }
    }
}

fn both<T>(make: impl Fn(Scoring) -> T) -> [T; 2] {
    [make(Scoring::Reference), make(Scoring::Corrected)]
}

/// Whether any text within a value is such a one.
fn any_text(value: &Value, is: &dyn Fn(&str) -> bool) -> bool {
    match value {
        Value::String(text) => is(text),
        Value::Array(items) => items.iter().any(|item| any_text(item, is)),
        Value::Object(fields) => fields.values().any(|field| any_text(field, is)),
        _ => false,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_documentation_lists_every_difference() {
        let page = include_str!("../../../../docs/scoring.md");
        let page = page.split_whitespace().collect::<Vec<_>>().join(" ");
        for difference in Difference::ALL {
            assert!(page.contains(difference.reason()), "{difference:?}");
        }
    }
}
