//! Exact match and token F1 over several golds.
//!
//! Always holds: the best gold counts.

use std::collections::BTreeMap;

use textualrl_model::settings::Scoring;

use crate::python::text::words;
use crate::score::normal::normalize;

/// Whether the answer equals any gold after normalisation.
pub fn exact_match(answer: &str, golds: &[String], scoring: Scoring) -> bool {
    pairs(answer, golds, scoring).any(|(answer, gold)| answer == gold)
}

/// The largest token F1 over the golds, 0 to 1; 0 without golds.
pub fn f1(answer: &str, golds: &[String], scoring: Scoring) -> f64 {
    pairs(answer, golds, scoring).map(|(answer, gold)| token_f1(&answer, &gold)).fold(0.0, f64::max)
}

/// Whether answer or any gold contains the other after normalisation (`sub_em`). Reported, never a reward.
pub fn contains_either_way(answer: &str, golds: &[String], scoring: Scoring) -> bool {
    pairs(answer, golds, scoring).any(|(answer, gold)| gold.contains(&answer) || answer.contains(&gold))
}

/// The answer with each gold, normalised. The corrected metric compares nothing with nothing.
fn pairs(answer: &str, golds: &[String], scoring: Scoring) -> impl Iterator<Item = (String, String)> {
    let answer = normalize(answer, scoring);
    let golds = golds.iter().map(move |gold| (answer.clone(), normalize(gold, scoring)));
    golds.filter(move |(answer, gold)| {
        scoring == Scoring::Reference || !(answer.is_empty() || gold.is_empty())
    })
}

/// The token F1 of two normalised texts; two empty ones agree.
pub(crate) fn token_f1(answer: &str, gold: &str) -> f64 {
    let (answer, gold): (Vec<_>, Vec<_>) = (words(answer).collect(), words(gold).collect());
    if answer.is_empty() || gold.is_empty() {
        return if answer == gold { 1.0 } else { 0.0 };
    }
    let mut left: BTreeMap<&str, usize> = BTreeMap::new();
    for word in &gold {
        *left.entry(word).or_default() += 1;
    }
    let mut common = 0_usize;
    for word in &answer {
        if let Some(count) = left.get_mut(word).filter(|count| **count > 0) {
            *count -= 1;
            common += 1;
        }
    }
    f1_of(common, answer.len(), gold.len())
}

/// The F1 of an answer and a gold with so many tokens, of which so many are common.
pub(crate) fn f1_of(common: usize, answer: usize, gold: usize) -> f64 {
    if common == 0 {
        return 0.0;
    }
    let share = |of: usize| common as f64 / of as f64;
    let (precision, recall) = (share(answer), share(gold));
    2.0 * precision * recall / (precision + recall)
}

#[cfg(test)]
mod tests {
    use super::*;
    use Scoring::{Corrected, Reference};

    #[test]
    fn the_best_gold_counts() {
        for (answer, golds, exact, overlap) in [
            ("The Beatles", vec!["Beatles"], true, 1.0),
            ("Fab four", vec!["The Beatles", "Fab Four"], true, 1.0),
            ("John Lennon", vec!["Lennon"], false, 2.0 / 3.0),
            ("Henrik Ibsen (playwright)", vec!["Henrik Ibsen"], false, 0.8),
            ("Bonham John", vec!["John Bonham"], false, 1.0),
            ("-5", vec!["5"], true, 1.0),
            ("x", vec![], false, 0.0),
            ("", vec!["x"], false, 0.0),
        ] {
            let golds: Vec<String> = golds.into_iter().map(str::to_owned).collect();
            assert_eq!(exact_match(answer, &golds, Reference), exact, "{answer}");
            assert!((f1(answer, &golds, Reference) - overlap).abs() < 1e-9, "{answer}");
        }
    }

    #[test]
    fn what_normalises_to_nothing_is_right_only_by_the_reference() {
        let golds = ["A".to_owned()];
        for (answer, reference, corrected) in [("A", true, true), ("The", true, false), ("", true, false)] {
            let found = [Reference, Corrected].map(|scoring| exact_match(answer, &golds, scoring));
            assert_eq!(found, [reference, corrected], "{answer:?}");
        }
        let golds = ["x".to_owned()];
        assert!(contains_either_way("", &golds, Reference) && !contains_either_way("", &golds, Corrected));
    }
}
