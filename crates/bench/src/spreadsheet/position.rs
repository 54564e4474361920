//! `answer_position`: the cells in which the answer stands, such as `'Data'!A2:C9,E1`.
//!
//! Always holds: a part that cannot be read is kept as an error in its place, because the published comparison meets it
//! only after the parts before it; cells are listed column by column.

use textualrl_model::settings::Scoring;

use crate::python::text::strip;

/// The last column that a cell may be named by, `ZZZ`.
const LAST_COLUMN: u32 = 18_278;
/// Cells of a part at most, far above any real answer.
const MOST_CELLS: u64 = 20_000_000;

/// Why a part names no cells. The texts are what the published evaluator reports where it has a text of its own.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum PositionError {
    /// A corner without a row, as in `A:B`.
    #[error("ValueError: invalid literal for int() with base 10: ''")]
    NoRow,
    /// A column or a row by itself, as in `A`.
    #[error("AttributeError: 'tuple' object has no attribute 'value'")]
    WholeLine,
    /// Anything else.
    #[error("ValueError: {0:?} is not a valid coordinate or range")]
    NoRange(String),
    /// A range of more cells than are compared.
    #[error("{0:?} has too many cells")]
    TooLarge(String),
}

/// A rectangle of cells, counted from 1; it holds nothing if it ends before it begins.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Area {
    /// The first row and column.
    pub first: (u32, u32),
    /// The last row and column.
    pub last: (u32, u32),
}

impl Area {
    /// The cells as (row, column), column by column.
    pub fn cells(self) -> impl Iterator<Item = (u32, u32)> {
        let rows = self.first.0..=self.last.0;
        (self.first.1..=self.last.1).flat_map(move |column| rows.clone().map(move |row| (row, column)))
    }
}

/// One part of a position.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Part {
    /// The sheet; none is the first one of the golden workbook.
    pub sheet: Option<String>,
    /// Its cells.
    pub area: Result<Area, PositionError>,
}

/// A position.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Position {
    /// Its parts in order.
    pub parts: Vec<Part>,
}

impl Position {
    /// Reads a position as a scoring understands it.
    pub fn parse(text: &str, scoring: Scoring) -> Self {
        let published =
            Self { parts: text.split(',').filter_map(|part| Part::parse(part, scoring)).collect() };
        if scoring == Scoring::Reference || published.error().is_none() {
            return published;
        }
        let parts = split_outside_quotes(text);
        let quoted = Self { parts: parts.iter().filter_map(|part| Part::parse(part, scoring)).collect() };
        if quoted.error().is_none() { quoted } else { published }
    }

    /// The first part that cannot be read.
    pub fn error(&self) -> Option<&PositionError> {
        self.parts.iter().find_map(|part| part.area.as_ref().err())
    }
}

impl Part {
    fn parse(text: &str, scoring: Scoring) -> Option<Self> {
        let text = strip(text);
        if text.is_empty() {
            return None;
        }
        let (sheet, range) = match text.split_once('!') {
            Some((sheet, range)) => (Some(unquoted(sheet, scoring)), range),
            None => (None, text),
        };
        let range = strip(range).trim_matches(['\'', '"']);
        Some(Self { sheet, area: area(range, scoring) })
    }
}

/// A sheet's name; released positions also quote one side only, or the exclamation mark with the name.
fn unquoted(sheet: &str, scoring: Scoring) -> String {
    let name = strip(sheet).trim_matches(['\'', '"']);
    if scoring == Scoring::Corrected { name.replace("''", "'") } else { name.to_owned() }
}

/// The parts of a position in which a quoted name may hold a comma.
fn split_outside_quotes(text: &str) -> Vec<String> {
    let (mut parts, mut part, mut quoted) = (Vec::new(), String::new(), false);
    for character in text.chars() {
        if character == '\'' {
            quoted = !quoted;
        }
        if character == ',' && !quoted {
            parts.push(std::mem::take(&mut part));
        } else {
            part.push(character);
        }
    }
    parts.push(part);
    parts
}

/// Reads `A1` or `A1:B2`.
///
/// # Errors
/// If it names no cells.
pub fn area(range: &str, scoring: Scoring) -> Result<Area, PositionError> {
    let malformed = || PositionError::NoRange(range.to_owned());
    let plain = range.replace('$', "");
    let Some((first, last)) = plain.split_once(':') else {
        // A single cell is looked up by a reader that takes small letters.
        let cell = corner(&plain.to_ascii_uppercase()).ok_or_else(malformed)?;
        return match cell {
            (Some(row), Some(column)) => within(Area { first: (row, column), last: (row, column) }, range),
            _ => Err(PositionError::WholeLine),
        };
    };
    let read = |text: &str| match scoring {
        Scoring::Reference => corner(text),
        Scoring::Corrected => corner(&text.to_ascii_uppercase()),
    };
    let (first, last) = (read(first).ok_or_else(malformed)?, read(last).ok_or_else(malformed)?);
    let ((Some(top), left), (Some(bottom), right)) = (first, last) else { return Err(PositionError::NoRow) };
    let (Some(left), Some(right)) = (left, right) else { return Err(PositionError::WholeLine) };
    let area = match scoring {
        Scoring::Reference => Area { first: (top, left), last: (bottom, right) },
        Scoring::Corrected => {
            Area { first: (top.min(bottom), left.min(right)), last: (top.max(bottom), left.max(right)) }
        }
    };
    within(area, range)
}

/// Refuses an area that no sheet has or that is too large to compare.
fn within(area: Area, range: &str) -> Result<Area, PositionError> {
    if area.last.1 > LAST_COLUMN || area.first.0 == 0 {
        return Err(PositionError::NoRange(range.to_owned()));
    }
    let side = |first: u32, last: u32| (u64::from(last) + 1).saturating_sub(u64::from(first));
    match side(area.first.0, area.last.0).saturating_mul(side(area.first.1, area.last.1)) {
        0..=MOST_CELLS => Ok(area),
        _ => Err(PositionError::TooLarge(range.to_owned())),
    }
}

/// The row and the column of a corner, each if it is there. None if it is neither letters nor digits.
fn corner(text: &str) -> Option<(Option<u32>, Option<u32>)> {
    let digits = text.find(|character: char| character.is_ascii_digit()).unwrap_or(text.len());
    let (letters, digits) = text.split_at(digits);
    if text.is_empty() || letters.len() > 5 || !letters.bytes().all(|letter| letter.is_ascii_alphabetic()) {
        return None;
    }
    let row = if digits.is_empty() { None } else { Some(digits.parse().ok()?) };
    // As published, a small letter counts on from the capital ones, so that `a` is the column AG.
    let column = letters.bytes().fold(0, |column, letter| column * 26 + u32::from(letter - b'A') + 1);
    Some((row, (!letters.is_empty()).then_some(column)))
}

/// A cell's name, such as `AB12`.
pub fn cell_name((row, column): (u32, u32)) -> String {
    format!("{}{row}", column_name(column))
}

/// A column's letters; the first column is 1.
pub fn column_name(mut column: u32) -> String {
    let mut letters = Vec::new();
    while column > 0 {
        let letter = u8::try_from((column - 1) % 26).unwrap_or(0);
        letters.push(char::from(b'A' + letter));
        column = (column - 1) / 26;
    }
    letters.iter().rev().collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn names(range: &str, scoring: Scoring) -> Vec<String> {
        area(range, scoring).unwrap().cells().map(cell_name).collect()
    }

    #[test]
    fn ranges_are_listed_column_by_column() {
        for (range, reference, corrected) in [
            ("A1", vec!["A1"], vec!["A1"]),
            ("a1", vec!["A1"], vec!["A1"]),
            ("$B$2", vec!["B2"], vec!["B2"]),
            ("A1:B2", vec!["A1", "A2", "B1", "B2"], vec!["A1", "A2", "B1", "B2"]),
            ("$Z$1:AB1", vec!["Z1", "AA1", "AB1"], vec!["Z1", "AA1", "AB1"]),
            ("B2:A1", vec![], vec!["A1", "A2", "B1", "B2"]),
            ("a1:b1", vec!["AG1", "AH1"], vec!["A1", "B1"]),
        ] {
            assert_eq!(names(range, Scoring::Reference), reference, "{range}");
            assert_eq!(names(range, Scoring::Corrected), corrected, "{range}");
        }
    }

    #[test]
    fn what_is_no_range_is_an_error() {
        for (range, error) in [
            ("A:B", PositionError::NoRow),
            ("A", PositionError::WholeLine),
            ("3", PositionError::WholeLine),
            ("1:2", PositionError::WholeLine),
            ("A0", PositionError::NoRange("A0".to_owned())),
            ("Some words", PositionError::NoRange("Some words".to_owned())),
            ("A1:XFD9999999", PositionError::TooLarge("A1:XFD9999999".to_owned())),
            ("A99999999999", PositionError::NoRange("A99999999999".to_owned())),
        ] {
            for scoring in [Scoring::Reference, Scoring::Corrected] {
                assert_eq!(area(range, scoring), Err(error.clone()), "{range}");
            }
        }
    }

    #[test]
    fn quotes_of_released_positions_are_read() {
        let sheets = |text: &str, scoring| -> Vec<Option<String>> {
            let position = Position::parse(text, scoring);
            assert_eq!(position.error(), None, "{text}");
            position.parts.into_iter().map(|part| part.sheet).collect()
        };
        let some = |name: &str| Some(name.to_owned());
        for (text, expected) in [
            ("'Main!'A2:M70", vec![some("Main")]),
            ("Sheet1'!A1:F14", vec![some("Sheet1")]),
            ("\u{a0}'Sheet1'!C2:C3", vec![some("Sheet1")]),
            ("OUT CAS'!A2:C9,'OUT CAS'!E2:G5,B1", vec![some("OUT CAS"), some("OUT CAS"), None]),
            ("", vec![]),
        ] {
            assert_eq!(sheets(text, Scoring::Reference), expected, "{text}");
            assert_eq!(sheets(text, Scoring::Corrected), expected, "{text}");
        }
        assert_eq!(sheets("'It''s'!A1", Scoring::Reference), [some("It''s")]);
        assert_eq!(sheets("'It''s'!A1", Scoring::Corrected), [some("It's")]);
        assert_eq!(sheets("'A,B'!A1,C1", Scoring::Corrected), [some("A,B"), None]);
        assert!(Position::parse("'A,B'!A1", Scoring::Reference).error().is_some());
    }
}
