//! Numbers as people write them.
//!
//! Always holds: what cannot be read as one number is no number; nothing is guessed.

use std::sync::LazyLock;

use regex::Regex;

static NUMBER: LazyLock<Option<Regex>> =
    LazyLock::new(|| Regex::new(r"[-+−]?(?:\d{1,3}(?:,\d{3})+|\d+)?(?:\.\d+)?(?:[eE][-+]?\d+)?\s*%?").ok());

/// The only number of a text. Thousands separators, currency signs, units after it and a percent sign are understood;
/// a percent sign does not scale.
pub fn number(text: &str) -> Option<f64> {
    let form = NUMBER.as_ref()?;
    let mut found =
        form.find_iter(text).filter(|part| part.as_str().bytes().any(|byte| byte.is_ascii_digit()));
    let only = found.next()?;
    if found.next().is_some() {
        return None;
    }
    let plain = only.as_str().trim_end_matches('%').trim().replace(',', "").replace('−', "-");
    let number: f64 = plain.parse().ok()?;
    // "(5)" is how accounts write -5.
    let in_brackets = text.trim().starts_with('(') && text.trim().ends_with(')') && number > 0.0;
    Some(if in_brackets { -number } else { number })
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
    use super::*;

    #[test]
    fn numbers_are_read_as_written() {
        for (text, expected) in [
            ("18", Some(18.0)),
            ("$1,234.50", Some(1234.5)),
            ("-3", Some(-3.0)),
            ("−3", Some(-3.0)),
            ("(5)", Some(-5.0)),
            ("12 %", Some(12.0)),
            ("1e3 m", Some(1000.0)),
            (".5", Some(0.5)),
            ("between 3 and 4", None),
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
    }
}
