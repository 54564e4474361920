//! The filter on labelled sentences.

use textualrl_patch::observability::dependency;

use crate::table::{Tally, rows};

fn tally(table: &str) -> Tally {
    let mut tally = Tally::default();
    for row in rows(table) {
        let [label, sentence] = row[..] else { panic!("{row:?} has not two fields") };
        assert!(matches!(label, "depends" | "free"), "{label:?} is no label");
        let found = dependency(sentence);
        let said =
            found.as_ref().map_or(String::new(), |found| format!(" [{}: {}]", found.family, found.phrase));
        tally.add(label == "depends", found.is_some(), &format!("{sentence}{said}"));
    }
    tally
}

#[test]
fn labelled_sentences_are_told_apart() {
    let tally = tally(include_str!("observability.tsv"));
    tally.print("observability.tsv");
    assert!(tally.total() >= 120);
    assert!(tally.misses.is_empty() && tally.false_alarms.is_empty(), "{tally:#?}");
}

#[test]
fn unseen_sentences_are_mostly_told_apart() {
    let tally = tally(include_str!("observability-unseen.tsv"));
    tally.print("observability-unseen.tsv");
    assert!(tally.total() == 0 || tally.right() >= 0.9, "{tally:#?}");
}
