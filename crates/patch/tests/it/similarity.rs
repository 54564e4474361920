//! The measure on labelled pairs.

use textualrl_patch::similarity::texts;

use crate::table::{Tally, rows};

/// The threshold of families, the lower of the two.
const FAMILY: f64 = 0.72;

fn tally(table: &str) -> Tally {
    let mut tally = Tally::default();
    for row in rows(table) {
        let [label, first, second] = row[..] else { panic!("{row:?} has not three fields") };
        assert!(matches!(label, "same" | "different"), "{label:?} is no label");
        let score = texts(first, second);
        assert!((score - texts(second, first)).abs() < 1e-12, "not symmetric: {first} / {second}");
        tally.add(label == "same", score >= FAMILY, &format!("{score:.3} {first} / {second}"));
    }
    tally
}

#[test]
fn decisive_words_separate_and_paraphrases_are_found() {
    let tally = tally(include_str!("similarity.tsv"));
    tally.print("similarity.tsv");
    assert!(tally.total() >= 60);
    assert!(tally.false_alarms.is_empty(), "{tally:#?}");
    assert!(tally.recall() >= 0.85, "{tally:#?}");
}

#[test]
fn unseen_pairs_are_never_wrongly_called_one() {
    let tally = tally(include_str!("similarity-unseen.tsv"));
    tally.print("similarity-unseen.tsv");
    assert!(tally.total() == 0 || tally.precision() >= 0.9, "{tally:#?}");
}
