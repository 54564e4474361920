//! The normalisation of question answering: case, punctuation, articles and white space do not count.
//!
//! Always holds: the reference form is the published one, quirks included; the corrected form differs as
//! [`Difference`](super::difference::Difference) says and nowhere else; normalising twice changes nothing.

use textualrl_model::settings::Scoring;
use unicode_normalization::UnicodeNormalization;
use unicode_normalization::char::is_combining_mark;

use super::difference::folded;
use crate::python::text::{is_word, words};

/// Lower-cased, without punctuation and articles, white space collapsed.
pub fn normalize(text: &str, scoring: Scoring) -> String {
    match scoring {
        Scoring::Reference => collapsed(&without_articles(&without_punctuation(text), is_word)),
        Scoring::Corrected => {
            // Composed again, as letters grow together where a mark between them goes.
            let plain: String = without_punctuation(&folded(text)).nfc().collect();
            let in_word = |character| is_word(character) || is_combining_mark(character);
            let bare = collapsed(&without_articles(&plain, in_word));
            if bare.is_empty() { collapsed(&plain) } else { bare }
        }
    }
}

fn without_punctuation(text: &str) -> String {
    text.to_lowercase().chars().filter(|character| !character.is_ascii_punctuation()).collect()
}

fn collapsed(text: &str) -> String {
    words(text).collect::<Vec<_>>().join(" ")
}

/// Whole words `a`, `an`, `the` become a blank.
fn without_articles(text: &str, in_word: impl Fn(char) -> bool) -> String {
    let mut result = String::with_capacity(text.len());
    let mut word = String::new();
    let flush = |word: &mut String, result: &mut String| {
        result.push_str(if matches!(word.as_str(), "a" | "an" | "the") { " " } else { word });
        word.clear();
    };
    for character in text.chars() {
        if in_word(character) {
            word.push(character);
        } else {
            flush(&mut word, &mut result);
            result.push(character);
        }
    }
    flush(&mut word, &mut result);
    result
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;
    use Scoring::{Corrected, Reference};

    #[test]
    fn case_punctuation_articles_and_space_do_not_count() {
        for (text, expected) in [
            ("The Eiffel Tower", "eiffel tower"),
            ("  An   Apple  a day ", "apple day"),
            ("U.S.A.", "usa"),
            ("rock-and-roll", "rockandroll"),
            ("theater", "theater"),
            ("$1,000.50", "100050"),
            ("tab\tnew\nline", "tab new line"),
            ("x\u{1f}y", "x y"),
            ("The_A", "thea"),
            ("ΟΔΟΣ", "οδος"),
            ("İstanbul", "i̇stanbul"),
        ] {
            assert_eq!(normalize(text, Reference), expected, "{text:?}");
            assert_eq!(normalize(text, Corrected), expected.nfc().collect::<String>(), "{text:?}");
        }
    }

    #[test]
    fn the_corrected_form_differs_as_listed() {
        for (text, reference, corrected) in [
            ("don’t", "don’t", "dont"),
            ("“Hamlet”", "“hamlet”", "hamlet"),
            ("cafe\u{301}", "cafe\u{301}", "café"),
            ("A\u{331}x", "\u{331}x", "a\u{331}x"),
            ("The", "", "the"),
            ("A An The", "", "a an the"),
            ("!?", "", ""),
        ] {
            assert_eq!(
                (normalize(text, Reference).as_str(), normalize(text, Corrected).as_str()),
                (reference, corrected)
            );
        }
    }

    proptest! {
        #[test]
        fn white_space_around_never_counts(text in "\\PC{0,30}") {
            let padded = format!("  {text}\t");
            for scoring in [Reference, Corrected] {
                prop_assert_eq!(normalize(&padded, scoring), normalize(&text, scoring));
            }
        }

        #[test]
        fn normalising_twice_changes_nothing(text in "(The|a|an|['’“.-]|[\u{301}\u{327}]|İ|Σ|\\PC| ){0,20}") {
            for scoring in [Reference, Corrected] {
                let once = normalize(&text, scoring);
                prop_assert_eq!(normalize(&once, scoring), once);
            }
        }
    }
}
