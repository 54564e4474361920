//! The normalisation of question answering: case, punctuation, articles and white space do not count.
//!
//! Always holds: the reference form is the published one, quirks included; the corrected form differs in
//! [`DIFFERENCES`] and nothing else.

use textualrl_model::settings::Scoring;
use unicode_normalization::UnicodeNormalization;

use crate::python::text::{is_word, words};

/// What the corrected scoring does otherwise, and why.
pub const DIFFERENCES: &[(&str, &str)] = &[
    ("composed and decomposed letters", "are one letter: NFC before comparing"),
    ("typographic quotes, apostrophes and dashes", "count as their ASCII forms, which are punctuation"),
    ("an answer that normalises to nothing", "is never right, not even for a gold that does the same"),
    ("`sub_em` of an empty answer", "is 0: nothing contains nothing"),
];

/// Lower-cased, without punctuation and articles, white space collapsed.
pub fn normalize(text: &str, scoring: Scoring) -> String {
    let folded = match scoring {
        Scoring::Reference => text.to_owned(),
        Scoring::Corrected => text.nfc().map(ascii_punctuation).collect(),
    };
    let plain: String =
        folded.to_lowercase().chars().filter(|character| !character.is_ascii_punctuation()).collect();
    words(&without_articles(&plain)).collect::<Vec<_>>().join(" ")
}

/// The ASCII form of a typographic mark.
fn ascii_punctuation(character: char) -> char {
    match character {
        '‘' | '’' | '‚' | '‛' | '′' => '\'',
        '“' | '”' | '„' | '‟' | '″' | '«' | '»' => '"',
        '‐' | '‑' | '‒' | '–' | '—' => '-',
        other => other,
    }
}

/// Whole words `a`, `an`, `the` become a blank.
fn without_articles(text: &str) -> String {
    let mut result = String::with_capacity(text.len());
    let mut word = String::new();
    let flush = |word: &mut String, result: &mut String| {
        result.push_str(if matches!(word.as_str(), "a" | "an" | "the") { " " } else { word });
        word.clear();
    };
    for character in text.chars() {
        if is_word(character) {
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
            ("A An The", ""),
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
    fn only_the_corrected_form_folds_typography() {
        for (text, reference, corrected) in [
            ("don’t", "don’t", "dont"),
            ("“Hamlet”", "“hamlet”", "hamlet"),
            ("cafe\u{301}", "cafe\u{301}", "café"),
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
    }
}
