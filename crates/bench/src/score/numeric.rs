//! Numbers as people write them.
//!
//! Always holds: what cannot be read as one finite number is no number; nothing is guessed.

use std::sync::LazyLock;

use regex::Regex;

/// A sign, digits with or without thousands separators, decimals, an exponent.
static NUMBER: LazyLock<Option<Regex>> = LazyLock::new(|| {
    let separated = r"\d{1,3}(?:[,\u{a0}\u{2009}\u{202f}]\d{3})+";
    Regex::new(&format!(
        r"(?:[-+−]?\p{{Sc}}\s?)?[-+−]?(?:(?:{separated}|\d+)(?:\.\d+)?|\.\d+)(?:[eE][-+−]?\d+)?"
    ))
    .ok()
});

/// Words behind a number that multiply it.
const SCALES: [(&str, f64); 4] = [("thousand", 1e3), ("million", 1e6), ("billion", 1e9), ("trillion", 1e12)];

/// The only number of a text. Thousands separators, currency signs, units behind it and words such as `million` are
/// understood; a percent sign does not scale; a number in brackets is negative, as in accounts.
pub fn number(text: &str) -> Option<f64> {
    let mut found = NUMBER.as_ref()?.find_iter(text);
    let only = found.next()?;
    if found.next().is_some() {
        return None;
    }
    let before = text.get(..only.start()).unwrap_or_default();
    let behind = text.get(only.end()..).unwrap_or_default();
    let plain: String = only.as_str().chars().filter_map(plain_character).collect();
    // A hyphen behind a letter, as in "COVID-19", joins and is no sign.
    let joined = before.ends_with(char::is_alphanumeric);
    let number: f64 = if joined { plain.trim_start_matches('-') } else { &plain }.parse().ok()?;
    let word: String =
        behind.trim_start().chars().take_while(|character| character.is_alphabetic()).collect();
    let word = word.to_lowercase();
    let scale = SCALES.iter().find(|(name, _)| *name == word).map_or(1.0, |(_, scale)| *scale);
    let in_brackets = before.trim() == "(" && behind.trim_matches(['%', ' ']) == ")" && number > 0.0;
    let number = if in_brackets { -number * scale } else { number * scale };
    number.is_finite().then_some(number)
}

/// A character of a number as Rust reads numbers; separators and currency signs are left out.
fn plain_character(character: char) -> Option<char> {
    match character {
        '−' => Some('-'),
        '0'..='9' | '-' | '+' | '.' | 'e' | 'E' => Some(character),
        _ => None,
    }
}

/// Whether both are numbers and differ by at most `tolerance`.
pub fn close(answer: &str, gold: &str, tolerance: f64) -> bool {
    match (number(answer), number(gold)) {
        // The smallest slack keeps 0.1 + 0.2 equal to 0.3.
        (Some(answer), Some(gold)) => (answer - gold).abs() <= tolerance + gold.abs() * 1e-12,
        _ => false,
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    #[test]
    fn numbers_are_read_as_written() {
        for (text, expected) in [
            ("18", Some(18.0)),
            ("It is 18.", Some(18.0)),
            ("$1,234.50", Some(1234.5)),
            ("1\u{a0}234\u{202f}567", Some(1_234_567.0)),
            ("-3", Some(-3.0)),
            ("−3", Some(-3.0)),
            ("-$5", Some(-5.0)),
            ("$-5", Some(-5.0)),
            ("+5 €", Some(5.0)),
            ("£ 5", Some(5.0)),
            ("(5)", Some(-5.0)),
            ("($1,200)", Some(-1200.0)),
            ("12 %", Some(12.0)),
            ("1e3 m", Some(1000.0)),
            ("2.5E−3", Some(0.0025)),
            (".5", Some(0.5)),
            ("5 million", Some(5e6)),
            ("$5 Billion dollars", Some(5e9)),
            ("COVID-19", Some(19.0)),
            ("- 5 apples", Some(5.0)),
            ("(12%)", Some(-12.0)),
            ("(a) 5 (b)", Some(5.0)),
            ("007", Some(7.0)),
            ("between 3 and 4", None),
            ("12,34", None),
            ("1.2.3", None),
            ("3/4", None),
            ("1e999", None),
            ("none", None),
            ("", None),
        ] {
            assert_eq!(number(text), expected, "{text:?}");
        }
    }

    #[test]
    fn the_tolerance_is_absolute() {
        assert!(close("18.0", "18", 0.0) && close("0.30000000000000004", "0.3", 0.0));
        assert!(close("17.6", "18", 0.5) && !close("17.4", "18", 0.5) && !close("x", "18", 99.0));
        assert!(!close("5 million", "5 billion", 0.0) && close("5 billion", "5,000,000,000", 0.0));
    }

    proptest! {
        #[test]
        fn what_rust_writes_is_read_back(value in -1e12_f64..1e12) {
            prop_assert_eq!(number(&value.to_string()), Some(value));
            prop_assert_eq!(number(&format!("The total is {value} kg")), Some(value));
        }

        #[test]
        fn any_text_is_a_finite_number_or_none(text in "([0-9]|[-+−.,$%()eE]| |\\PC){0,20}") {
            prop_assert!(number(&text).is_none_or(f64::is_finite));
        }
    }
}
