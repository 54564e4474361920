//! Values of cells and when two of them are equal.
//!
//! Always holds: under the reference scoring the rules are the published ones, quirks included; nothing, an empty text
//! and a cell that is not there are the same.

use std::borrow::Cow;

use textualrl_model::settings::Scoring;

use super::moment::{self, DAY, SECOND};
use crate::python::{literal, number};

/// What a cell holds, as the published reader types it.
#[derive(Debug, Clone, PartialEq)]
pub enum CellValue {
    /// Nothing.
    Empty,
    /// A text, or the name of an error such as `#N/A`.
    Text(String),
    /// A number.
    Number(f64),
    /// True or false.
    Bool(bool),
    /// A date with a time, in milliseconds since 1899-12-30.
    DateTime(i64),
    /// A date without a time, in days since 1899-12-30.
    Date(i64),
    /// A time of day, in milliseconds.
    Time(i64),
    /// A length of time, in milliseconds.
    Duration(i64),
}

/// What two values are compared by.
#[derive(PartialEq)]
enum Key<'a> {
    Nothing,
    Number(f64),
    Text(Cow<'a, str>),
    Date(i64),
    Duration(i64),
}

impl CellValue {
    /// Whether there is nothing to see.
    pub fn is_nothing(&self) -> bool {
        matches!(self, Self::Empty) || matches!(self, Self::Text(text) if text.is_empty())
    }

    /// Whether the value counts as the gold.
    pub fn equals(&self, gold: &Self, scoring: Scoring) -> bool {
        if scoring == Scoring::Corrected {
            match (self, gold) {
                (Self::Time(found), Self::Time(gold)) | (Self::DateTime(found), Self::DateTime(gold)) => {
                    return found.div_euclid(SECOND) == gold.div_euclid(SECOND);
                }
                (Self::Text(found), Self::Text(gold)) if found == gold => return true,
                _ => {}
            }
        }
        self.key() == gold.key()
    }

    fn key(&self) -> Key<'_> {
        match self {
            Self::Empty => Key::Nothing,
            Self::Text(text) if text.is_empty() => Key::Nothing,
            Self::Text(text) => match number::parse(text) {
                Some(value) => Key::Number(rounded(value)),
                None => Key::Text(Cow::Borrowed(text)),
            },
            Self::Number(value) => Key::Number(rounded(*value)),
            Self::Bool(truth) => Key::Number(if *truth { 1.0 } else { 0.0 }),
            Self::DateTime(time) => Key::Number(whole_days(*time)),
            Self::Date(days) => Key::Date(*days),
            Self::Time(time) => Key::Text(Cow::Owned(cut_time(*time))),
            Self::Duration(length) => Key::Duration(*length),
        }
    }

    /// `repr` of the value, as the published feedback shows it. Files do not tell 1 and 1.0 apart: a whole number is
    /// written without a point.
    pub fn repr(&self) -> String {
        match self {
            Self::Empty => "None".to_owned(),
            Self::Text(text) => literal::repr(text),
            Self::Number(value) => number::plain(*value),
            Self::Bool(truth) => if *truth { "True" } else { "False" }.to_owned(),
            Self::DateTime(time) => moment::datetime_repr(*time),
            Self::Date(days) => moment::date_repr(*days),
            Self::Time(time) => moment::time_repr(*time),
            Self::Duration(length) => moment::duration_repr(*length),
        }
    }

    /// `str` of the value, as a preview shows it; nothing is blank.
    pub fn shown(&self) -> String {
        match self {
            Self::Empty => String::new(),
            Self::Text(text) => text.clone(),
            Self::DateTime(time) => moment::datetime_text(*time),
            Self::Date(days) => moment::date_text(*days),
            Self::Time(time) => moment::time_text(*time),
            Self::Duration(length) => moment::duration_text(*length),
            Self::Number(_) | Self::Bool(_) => self.repr(),
        }
    }
}

/// Python's `round(value, 2)`.
fn rounded(value: f64) -> f64 {
    if value.fract() == 0.0 || !value.is_finite() {
        return value;
    }
    // Formatting rounds the binary value half to even, which is what Python does.
    format!("{value:.2}").parse().unwrap_or(value)
}

/// Days since 1899-12-30, rounded half to even.
#[allow(clippy::cast_precision_loss)] // Dates have fewer seconds than a double has whole numbers.
fn whole_days(time: i64) -> f64 {
    let (days, rest) = (time.div_euclid(DAY), time.rem_euclid(DAY));
    (days as f64 + (rest / SECOND) as f64 / 86_400.0).round_ties_even()
}

/// A time of day as text without its last three characters: hours and minutes, or, where there are fractions of a
/// second, all but the last three digits.
fn cut_time(time: i64) -> String {
    let mut text = moment::time_text(time);
    text.truncate(text.len().saturating_sub(3));
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    fn text(text: &str) -> CellValue {
        CellValue::Text(text.to_owned())
    }

    #[test]
    fn values_are_equal_as_published() {
        use CellValue::{Bool, Date, DateTime, Duration, Empty, Number, Time};
        let noon = 45_306 * DAY + DAY / 2;
        for (gold, found, reference, corrected) in [
            (Number(1.235), Number(1.24), true, true),
            (Number(0.375), Number(0.38), true, true),
            (Number(-0.001), Number(0.0), true, true),
            (text("1_000"), Number(1000.0), true, true),
            (text("1__000"), Number(1000.0), false, false),
            (text("٣"), Number(3.0), true, true),
            (text("inf"), text("Infinity"), true, true),
            (text("nan"), text("nan"), false, true),
            (text("a"), text("a "), false, false),
            (text(""), Empty, true, true),
            (Empty, Number(0.0), false, false),
            (Bool(true), Number(1.0), true, true),
            (Bool(true), text("TRUE"), false, false),
            (DateTime(noon), DateTime(45_306 * DAY), true, false),
            (DateTime(noon), Number(45_306.0), true, true),
            (Time(37_800_000), Time(37_820_000), true, false),
            (Time(37_800_000), text("10:30"), true, true),
            (Time(37_800_000), Number(0.4375), false, false),
            (Duration(1), Duration(1), true, true),
            (Date(1), DateTime(DAY), false, false),
        ] {
            assert_eq!(found.equals(&gold, Scoring::Reference), reference, "{gold:?} {found:?}");
            assert_eq!(found.equals(&gold, Scoring::Corrected), corrected, "{gold:?} {found:?}");
        }
    }

    #[test]
    fn values_are_written_as_python_writes_them() {
        for (value, repr, shown) in [
            (CellValue::Empty, "None", ""),
            (text("it's"), "\"it's\"", "it's"),
            (CellValue::Number(3.0), "3", "3"),
            (CellValue::Number(0.5), "0.5", "0.5"),
            (CellValue::Number(1e20), "1e+20", "1e+20"),
            (CellValue::Bool(true), "True", "True"),
            (
                CellValue::DateTime(45_306 * DAY),
                "datetime.datetime(2024, 1, 15, 0, 0)",
                "2024-01-15 00:00:00",
            ),
            (CellValue::Time(37_800_000), "datetime.time(10, 30)", "10:30:00"),
            (CellValue::Duration(108_000_000), "datetime.timedelta(days=1, seconds=21600)", "1 day, 6:00:00"),
        ] {
            assert_eq!((value.repr().as_str(), value.shown().as_str()), (repr, shown));
        }
    }
}
