//! Answers beside golds: ANLS, and whether it is near enough to 1.
//!
//! Always holds: an answer is right from an ANLS of 0.999 on, so that below a thousand characters it must equal a gold.

use textualrl_model::settings::Scoring;

use crate::answer::{Answer, CLOSE, OPEN, Place, extract, last_line};
use crate::score::anls::anls;
use crate::score::difference::folded;

/// From where on an answer is right.
const RIGHT: f64 = 0.999;

/// The similarity of an answer to its nearest gold, 0 to 1. As published, no golds count as one empty gold.
pub(super) fn similarity(answer: &str, golds: &[String], scoring: Scoring) -> f64 {
    match scoring {
        Scoring::Reference if golds.is_empty() => anls(answer, &[String::new()]),
        Scoring::Reference => anls(answer, golds),
        Scoring::Corrected => {
            let golds: Vec<String> = golds.iter().map(|gold| folded(gold)).collect();
            anls(&folded(answer), &golds)
        }
    }
}

/// Whether a similarity makes an answer right.
pub(super) fn is_right(similarity: f64) -> bool {
    similarity >= RIGHT
}

/// The answer in a reply. As published, it stands between the last opening and the last closing tag, whose places are
/// counted in the reply in lower case, where some letters take more room.
pub(super) fn answer(reply: &str, scoring: Scoring) -> Answer {
    if scoring == Scoring::Corrected {
        return extract(reply, scoring);
    }
    let lower = reply.to_lowercase();
    let place = |tag: &str| lower.rfind(tag).and_then(|at| lower.get(..at)).map(|head| head.chars().count());
    match (place(OPEN), place(CLOSE)) {
        (Some(open), Some(close)) if open < close => {
            let start = open + OPEN.len();
            let inside: String = reply.chars().skip(start).take(close.saturating_sub(start)).collect();
            Answer::new(&inside, Place::Tag)
        }
        _ => last_line(reply),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use Scoring::{Corrected, Reference};

    #[test]
    fn replies_are_read_as_published_or_mended() {
        for (reply, reference, corrected) in [
            ("<answer> Ab </answer>", "Ab", "Ab"),
            ("<answer>a</answer> or <Answer>b</ANSWER>", "b", "b"),
            ("the sum is\n17\n", "17", "17"),
            ("<answer>17</answer> no, <answer>18", "<answer>17</answer> no, <answer>18", "18"),
            // A letter that grows in lower case shifts the places.
            ("İ <answer>abc</answer>", "bc<", "abc"),
        ] {
            assert_eq!(answer(reply, Reference).text, reference, "{reply}");
            assert_eq!(answer(reply, Corrected).text, corrected, "{reply}");
        }
    }

    #[test]
    fn only_equal_answers_are_right() {
        for (text, gold, scoring, right) in [
            ("Delta  Works", "delta works", Reference, true),
            ("delta works.", "delta works", Reference, false),
            ("cafe\u{301}", "café", Reference, false),
            ("cafe\u{301}", "café", Corrected, true),
        ] {
            assert_eq!(is_right(similarity(text, &[gold.to_owned()], scoring)), right, "{text}");
        }
        assert!(is_right(similarity("", &[], Reference)) && !is_right(similarity("", &[], Corrected)));
    }
}
