//! Dates as they are written in passages.
//!
//! Always holds: a date found is a run of words of one sentence.

use super::passage::Word;

/// The months, in order.
const MONTHS: [&str; 12] = [
    "january",
    "february",
    "march",
    "april",
    "may",
    "june",
    "july",
    "august",
    "september",
    "october",
    "november",
    "december",
];

/// The month's number, from 1.
pub(crate) fn month(word: &str) -> Option<usize> {
    MONTHS.iter().position(|month| *month == word.to_lowercase()).map(|at| at + 1)
}

/// Whether the word is a year between 1000 and 2100.
pub(crate) fn is_year(word: &str) -> bool {
    word.len() == 4 && word.parse::<u32>().is_ok_and(|year| (1000..2100).contains(&year))
}

fn is_day(word: &str) -> bool {
    word.trim_end_matches(|c: char| c.is_alphabetic()).parse::<u32>().is_ok_and(|day| (1..=31).contains(&day))
}

/// How many words from `at` on are a date: day month year, month day year, month year, day month, month day, year.
pub(crate) fn date_length(words: &[Word], at: usize) -> Option<usize> {
    let get = |ahead: usize| words.get(at + ahead).map_or("", |word| word.text.as_str());
    let (a, b, c) = (get(0), get(1), get(2));
    let capital_month = |word: &str| month(word).is_some() && word.starts_with(char::is_uppercase);
    let full = (is_day(a) && capital_month(b) || capital_month(a) && is_day(b)) && is_year(c);
    let pair = (is_day(a) && capital_month(b)) || (capital_month(a) && (is_year(b) || is_day(b)));
    if full {
        Some(3)
    } else if pair {
        Some(2)
    } else {
        is_year(a).then_some(1)
    }
}

/// The date with slashes, month first; nothing if it has no month.
pub(crate) fn with_slashes(date: &str) -> Option<String> {
    let words: Vec<&str> = date.split([' ', ',']).filter(|word| !word.is_empty()).collect();
    let month = words.iter().find_map(|word| month(word))?;
    let day = words.iter().find(|word| is_day(word)).map(|day| day.trim_end_matches(char::is_alphabetic));
    let year = words.iter().find(|word| is_year(word));
    let parts =
        [Some(format!("{month:02}")), day.map(|day| format!("{day:0>2}")), year.map(|y| (*y).to_owned())];
    Some(parts.into_iter().flatten().collect::<Vec<_>>().join("/"))
}

/// The year of a date.
pub(crate) fn year(date: &str) -> Option<String> {
    date.split([' ', ',']).find(|word| is_year(word)).map(str::to_owned)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn dates_are_written_with_slashes() {
        let cases = [
            ("14 March 1902", Some("03/14/1902")),
            ("March 4, 1902", Some("03/04/1902")),
            ("June 1811", Some("06/1811")),
            ("3 May", Some("05/03")),
            ("1902", None),
        ];
        for (date, expected) in cases {
            assert_eq!(with_slashes(date).as_deref(), expected, "{date}");
        }
    }
}
