//! Answers beside the gold, as published and corrected.
//!
//! Always holds: an empty answer is never right; the corrected metric differs from the published one as
//! [`Difference`](super::difference::Difference) says and nowhere else.

use textualrl_model::settings::Scoring;

use super::normal::normalize;
use super::tokens::{Token, tokens};
use crate::answer::{Answer, Place, extract, last_line, tags};
use crate::python::text::strip;
use crate::score::tokens::{f1_of, token_f1};

/// Whether an answer is right.
pub(super) fn is_right(answer: &str, gold: &str, scoring: Scoring) -> bool {
    !answer.is_empty() && equal(answer, gold, scoring)
}

/// Whether answer and gold are the same. As published, two texts of which nothing is left are.
pub(super) fn equal(answer: &str, gold: &str, scoring: Scoring) -> bool {
    if scoring == Scoring::Reference {
        return normalize(answer) == normalize(gold);
    }
    let (answer, gold) = (tokens(answer), tokens(gold));
    !answer.is_empty()
        && answer.len() == gold.len()
        && answer.iter().zip(&gold).all(|(answer, gold)| answer.answers(gold))
}

/// The token F1 of an answer, 0 to 1. Told, and never a reward.
pub(super) fn overlap(answer: &str, gold: &str, scoring: Scoring) -> f64 {
    if scoring == Scoring::Reference {
        return token_f1(&normalize(answer), &normalize(gold));
    }
    let (answer, mut left) = (tokens(answer), tokens(gold));
    let gold = left.len();
    let mut take = |token: &Token| {
        let found = left.iter().position(|one| token.answers(one));
        found.map(|at| left.swap_remove(at)).is_some()
    };
    let common = answer.iter().filter(|token| take(token)).count();
    f1_of(common, answer.len(), gold)
}

/// The answer in a reply. As published, the first complete tag counts.
pub(super) fn answer(reply: &str, scoring: Scoring) -> Answer {
    match (scoring, tags(reply).0.first()) {
        (Scoring::Corrected, _) => extract(reply, scoring),
        (Scoring::Reference, Some(first)) => Answer::new(first, Place::Tag),
        (Scoring::Reference, None) => last_line(reply),
    }
}

/// Whether a gold can be met by any answer.
pub(super) fn can_be_met(gold: &str, scoring: Scoring) -> bool {
    match scoring {
        Scoring::Reference => !strip(gold).is_empty(),
        Scoring::Corrected => !tokens(gold).is_empty(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use Scoring::{Corrected, Reference};

    #[test]
    fn the_two_metrics_on_what_golds_look_like() {
        for (answer, gold, reference, corrected) in [
            ("1,234", "1234", true, true),
            ("$1,234 million", "1234", true, true),
            ("March 1944", "march 1944", true, true),
            ("5 million", "5 billion", true, false),
            ("5,000,000,000", "5 billion", false, true),
            ("$(426) thousand", "-426 thousand", false, true),
            ("(426)", "426", true, false),
            ("4,277", "4277 million", true, false),
            ("22,626 thousand", "22,626 thousand", true, true),
            ("1,2,3", "123", true, false),
            ("1, 2 and 3", "1, 2, 3", false, false),
            ("$24,193, $20,402 thousand", "$24,193 thousand, $20,402 thousand", false, true),
            ("2019, 2018", "2019,2018", false, true),
            ("51%, 57.0%", "51%, 57%", false, true),
            ("2.50 years", "2.5 years", false, true),
            ("million", "million", true, true),
            (".", "million", false, false),
            (",", "million", true, false),
        ] {
            assert_eq!(is_right(answer, gold, Reference), reference, "{answer} {gold}");
            assert_eq!(is_right(answer, gold, Corrected), corrected, "{answer} {gold}");
        }
        assert!(!is_right("", "million", Reference) && equal("", "million", Reference));
    }

    #[test]
    fn overlap_counts_what_meets_a_gold_once() {
        for (answer, gold, reference, corrected) in [
            ("10 10", "10", 2.0 / 3.0, 2.0 / 3.0),
            ("10.0 20", "10 20", 0.5, 1.0),
            ("x", "y", 0.0, 0.0),
            ("", "", 1.0, 0.0),
        ] {
            assert!((overlap(answer, gold, Reference) - reference).abs() < 1e-9, "{answer}");
            assert!((overlap(answer, gold, Corrected) - corrected).abs() < 1e-9, "{answer}");
        }
    }

    #[test]
    fn the_first_tag_is_published_and_the_last_corrected() {
        for (reply, reference, corrected) in [
            ("<answer>1</answer> no, <Answer> 2 </answer>", "1", "2"),
            ("<answer>1", "<answer>1", "1"),
            ("thus\n17\n", "17", "17"),
            ("", "", ""),
        ] {
            let found = [Reference, Corrected].map(|scoring| answer(reply, scoring).text);
            assert_eq!(found, [reference, corrected], "{reply}");
        }
    }
}
