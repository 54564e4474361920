//! The published normalisation of OfficeQA.
//!
//! Always holds: it is kept to the letter, quirks included; normalising twice changes nothing.

use crate::python::text::{is_word, words};

/// Words that the published normalisation leaves out.
const UNITS: [&str; 7] = ["million", "millions", "billion", "billions", "dollar", "dollars", "nominal"];

/// In lower case, without commas, ASCII punctuation other than `.`, `-` and `%`, and words of units; white space
/// collapsed.
pub(super) fn normalize(text: &str) -> String {
    let kept = |character: &char| !character.is_ascii_punctuation() || matches!(character, '.' | '-' | '%');
    let plain: String = text.to_lowercase().chars().filter(kept).collect();
    let bare = without_units(&plain);
    words(&bare).collect::<Vec<_>>().join(" ")
}

/// Whole words of units become blanks.
fn without_units(text: &str) -> String {
    let mut result = String::with_capacity(text.len());
    let mut word = String::new();
    // The blank at the end closes the last word.
    for character in text.chars().chain([' ']) {
        if is_word(character) {
            word.push(character);
            continue;
        }
        result.push_str(if UNITS.contains(&word.as_str()) { " " } else { &word });
        word.clear();
        result.push(character);
    }
    result
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    #[test]
    fn separators_signs_and_units_go_as_published() {
        for (text, expected) in [
            ("$2,345.60 Million", "2345.60"),
            ("(2,345)", "2345"),
            ("-2,345", "-2345"),
            ("\u{2212}2", "\u{2212}2"),
            ("7 %", "7 %"),
            ("nominal dollars", ""),
            ("7million", "7million"),
            ("7-million", "7-"),
            ("€7", "€7"),
            ("7\u{a0}000", "7 000"),
            ("7 thousand", "7 thousand"),
        ] {
            assert_eq!(normalize(text), expected, "{text}");
        }
    }

    proptest! {
        #[test]
        fn normalising_twice_changes_nothing(text in "(million|dollars|[-.%,$(]| |[0-9]|\\PC){0,20}") {
            let once = normalize(&text);
            prop_assert_eq!(normalize(&once), once.clone());
        }
    }
}
