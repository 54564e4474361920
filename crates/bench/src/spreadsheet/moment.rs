//! Dates and times of cells: from serial numbers as the published reader converts them, and back to text.
//!
//! Always holds: the calendar is the Gregorian one; what lies outside the years 1 to 9999 is no date.

/// A second in milliseconds.
pub const SECOND: i64 = 1000;
/// A day in milliseconds.
pub const DAY: i64 = 86_400 * SECOND;
/// 0001-01-01 and 10000-01-01, in days since 1899-12-30.
const YEARS: std::ops::Range<i64> = -693_593..2_958_466;
/// 1970-01-01 and 1904-01-01, in days since 1899-12-30.
const UNIX: i64 = 25_569;
const MACINTOSH: i64 = 1462;

use super::cell::CellValue;

/// What a number with the format of a date is: a time of day below 1, else a date with a time. None if there is no
/// such date.
pub fn of_serial(value: f64, from_1904: bool) -> Option<CellValue> {
    if !value.is_finite() || value.abs() > 1e9 {
        return None;
    }
    let day = whole(value.floor());
    let fraction = milliseconds(value - value.floor());
    if (0.0..1.0).contains(&value) && fraction < DAY {
        return Some(CellValue::Time(fraction));
    }
    // The 1900 system has a 29 February 1900, which the calendar does not have.
    let shift = if from_1904 { MACINTOSH } else { i64::from(value > 0.0 && value < 60.0) };
    let time = (day + shift) * DAY + fraction;
    YEARS.contains(&time.div_euclid(DAY)).then_some(CellValue::DateTime(time))
}

/// What a number with the format of a length of time is, to the millisecond.
pub fn duration_of_serial(value: f64) -> Option<CellValue> {
    let days = value.is_finite() && value.abs() < 1e9;
    days.then(|| CellValue::Duration(whole(value.floor()) * DAY + milliseconds(value - value.floor())))
}

/// A date, a time or both in ISO 8601, as cells of type `d` have it.
pub fn of_iso(text: &str) -> Option<CellValue> {
    let text = text.trim().trim_end_matches('Z');
    if let Some((date, time)) = text.split_once(['T', ' ']) {
        return Some(CellValue::DateTime(iso_date(date)? * DAY + iso_time(time)?));
    }
    iso_date(text).map(CellValue::Date).or_else(|| iso_time(text).map(CellValue::Time))
}

fn iso_date(text: &str) -> Option<i64> {
    let mut parts = text.splitn(3, '-').map(str::parse::<i64>);
    let (year, month, day) = (parts.next()?.ok()?, parts.next()?.ok()?, parts.next()?.ok()?);
    let days = days_of(year, month, day);
    (YEARS.contains(&days) && civil(days) == (year, month, day)).then_some(days)
}

fn iso_time(text: &str) -> Option<i64> {
    let mut parts = text.splitn(3, ':');
    let (hour, minute): (i64, i64) = (parts.next()?.parse().ok()?, parts.next()?.parse().ok()?);
    let second: f64 = parts.next().map_or(Some(0.0), |second| second.parse().ok())?;
    let valid = (0..24).contains(&hour) && (0..60).contains(&minute) && (0.0..60.0).contains(&second);
    valid.then(|| (hour * 60 + minute) * 60 * SECOND + whole((second * 1000.0).round_ties_even()))
}

#[allow(clippy::cast_possible_truncation)] // Callers bound it.
fn whole(value: f64) -> i64 {
    value as i64
}

fn milliseconds(fraction: f64) -> i64 {
    whole((fraction * 86_400.0 * 1000.0).round_ties_even())
}

/// Days since 1899-12-30 of a date.
fn days_of(year: i64, month: i64, day: i64) -> i64 {
    let year = if month <= 2 { year - 1 } else { year };
    let (era, of_era) = (year.div_euclid(400), year.rem_euclid(400));
    let of_year = (153 * ((month + 9) % 12) + 2) / 5 + day - 1;
    era * 146_097 + of_era * 365 + of_era / 4 - of_era / 100 + of_year - 719_468 + UNIX
}

/// Year, month and day.
fn civil(days: i64) -> (i64, i64, i64) {
    let days = days - UNIX + 719_468;
    let (era, of_era) = (days.div_euclid(146_097), days.rem_euclid(146_097));
    let year = (of_era - of_era / 1460 + of_era / 36_524 - of_era / 146_096) / 365;
    let of_year = of_era - (365 * year + year / 4 - year / 100);
    let month = (5 * of_year + 2) / 153;
    let day = of_year - (153 * month + 2) / 5 + 1;
    let month = if month < 10 { month + 3 } else { month - 9 };
    (year + era * 400 + i64::from(month <= 2), month, day)
}

/// Hours, minutes, seconds and microseconds of a time of day.
fn clock(time: i64) -> (i64, i64, i64, i64) {
    let seconds = time / SECOND;
    (seconds / 3600, seconds / 60 % 60, seconds % 60, time % SECOND * 1000)
}

pub(super) fn date_text(days: i64) -> String {
    let (year, month, day) = civil(days);
    format!("{year:04}-{month:02}-{day:02}")
}

pub(super) fn time_text(time: i64) -> String {
    let (hour, minute, second, micro) = clock(time);
    let fraction = if micro == 0 { String::new() } else { format!(".{micro:06}") };
    format!("{hour:02}:{minute:02}:{second:02}{fraction}")
}

pub(super) fn datetime_text(time: i64) -> String {
    format!("{} {}", date_text(time.div_euclid(DAY)), time_text(time.rem_euclid(DAY)))
}

pub(super) fn duration_text(length: i64) -> String {
    let (days, rest) = (length.div_euclid(DAY), length.rem_euclid(DAY));
    let clock = time_text(rest);
    let clock = clock.strip_prefix('0').unwrap_or(&clock);
    match days {
        0 => clock.to_owned(),
        1 | -1 => format!("{days} day, {clock}"),
        _ => format!("{days} days, {clock}"),
    }
}

pub(super) fn date_repr(days: i64) -> String {
    let (year, month, day) = civil(days);
    format!("datetime.date({year}, {month}, {day})")
}

pub(super) fn datetime_repr(time: i64) -> String {
    let (year, month, day) = civil(time.div_euclid(DAY));
    format!("datetime.datetime({year}, {month}, {day}, {})", clock_repr(time.rem_euclid(DAY)))
}

pub(super) fn time_repr(time: i64) -> String {
    format!("datetime.time({})", clock_repr(time))
}

fn clock_repr(time: i64) -> String {
    match clock(time) {
        (hour, minute, 0, 0) => format!("{hour}, {minute}"),
        (hour, minute, second, 0) => format!("{hour}, {minute}, {second}"),
        (hour, minute, second, micro) => format!("{hour}, {minute}, {second}, {micro}"),
    }
}

pub(super) fn duration_repr(length: i64) -> String {
    let (days, rest) = (length.div_euclid(DAY), length.rem_euclid(DAY));
    let parts = [("days", days), ("seconds", rest / SECOND), ("microseconds", rest % SECOND * 1000)];
    let parts: Vec<_> = parts
        .iter()
        .filter(|(_, value)| *value != 0)
        .map(|(name, value)| format!("{name}={value}"))
        .collect();
    if parts.is_empty() {
        "datetime.timedelta(0)".to_owned()
    } else {
        format!("datetime.timedelta({})", parts.join(", "))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn serial_numbers_become_what_the_published_reader_makes_of_them() {
        for (value, from_1904, expected) in [
            (0.0, false, "00:00:00"),
            (0.4375, false, "10:30:00"),
            (0.999_999_999_999, false, "1900-01-01 00:00:00"),
            (1.0, false, "1900-01-01 00:00:00"),
            (59.0, false, "1900-02-28 00:00:00"),
            (60.0, false, "1900-02-28 00:00:00"),
            (61.0, false, "1900-03-01 00:00:00"),
            (45_306.5, false, "2024-01-15 12:00:00"),
            (-1.0, false, "1899-12-29 00:00:00"),
            (1.0, true, "1904-01-02 00:00:00"),
            (2_958_465.0, false, "9999-12-31 00:00:00"),
        ] {
            assert_eq!(of_serial(value, from_1904).unwrap().shown(), expected, "{value}");
        }
        for value in [2_958_466.0, -700_000.0, 1e300, f64::NAN] {
            assert_eq!(of_serial(value, false), None, "{value}");
        }
        assert_eq!(duration_of_serial(1.25).unwrap().shown(), "1 day, 6:00:00");
    }

    #[test]
    fn iso_texts_are_read() {
        for (text, expected) in [
            ("2024-02-29T10:30:00", Some("2024-02-29 10:30:00")),
            ("2024-01-15", Some("2024-01-15")),
            ("10:30:20.5", Some("10:30:20.500000")),
            ("2023-02-29", None),
            ("soon", None),
        ] {
            assert_eq!(of_iso(text).map(|value| value.shown()).as_deref(), expected, "{text}");
        }
    }
}
