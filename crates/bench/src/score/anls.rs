//! ANLS: the normalised edit similarity of document question answering.
//!
//! Always holds: a similarity of one half or less counts as 0; the best gold counts; case, and how much white space
//! there is, do not.

/// The largest similarity over the golds, 0 to 1; 0 without golds.
pub fn anls(answer: &str, golds: &[String]) -> f64 {
    let answer = folded(answer);
    golds.iter().map(|gold| similarity(&answer, &folded(gold))).fold(0.0, f64::max)
}

/// One minus the edits per character of the longer text; half of them wrong is no similarity at all.
fn similarity(answer: &str, gold: &str) -> f64 {
    let length = answer.chars().count().max(gold.chars().count());
    let edits = strsim::levenshtein(answer, gold);
    if length == 0 {
        return 1.0;
    }
    // Compared as whole numbers, so that exactly one half is no matter of rounding.
    if 2 * edits >= length { 0.0 } else { 1.0 - edits as f64 / length as f64 }
}

fn folded(text: &str) -> String {
    text.to_lowercase().split_whitespace().collect::<Vec<_>>().join(" ")
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    #[test]
    fn close_answers_count_in_part() {
        for (answer, gold, expected) in [
            ("Paris", "paris ", 1.0),
            ("Pariss", "Paris", 5.0 / 6.0),
            ("  kitten ", "sitting", 4.0 / 7.0),
            ("ITC   Limited", "itc limited", 1.0),
            ("東京都", "東京", 2.0 / 3.0),
            ("ab", "a", 0.0),
            ("abcd", "abef", 0.0),
            ("Rome", "Paris", 0.0),
            ("", "Paris", 0.0),
        ] {
            assert!((anls(answer, &[gold.to_owned()]) - expected).abs() < 1e-9, "{answer}");
        }
        assert!(anls("x", &[]).abs() < 1e-9);
    }

    proptest! {
        #[test]
        fn a_score_is_0_or_above_one_half(answer in "[ab ]{0,6}", gold in "[ab ]{0,6}") {
            let score = anls(&answer, &[gold]);
            prop_assert!(score == 0.0 || (score > 0.5 && score <= 1.0));
        }
    }
}
