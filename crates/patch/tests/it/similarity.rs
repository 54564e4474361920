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

/// The documented scores are those of the measure. To renew the page, run the test with `UPDATE_SCORES=1`.
#[test]
fn the_documented_scores_are_current() {
    let mut page = String::from(
        "# Similarity of labelled pairs\n\n\
         Scores of `textualrl_patch::similarity::texts`, written by a test. Edits are one family from 0.72 and one\n\
         combination from 0.88 on. `same` pairs are one rule in two wordings, `different` pairs are two rules.\n\n\
         | score | label | first | second |\n|---|---|---|---|\n",
    );
    let mut scored: Vec<(f64, Vec<&str>)> =
        rows(include_str!("similarity.tsv")).into_iter().map(|row| (texts(row[1], row[2]), row)).collect();
    scored.sort_by(|(a, first), (b, second)| b.total_cmp(a).then_with(|| first.cmp(second)));
    for (score, row) in scored {
        page.push_str(&format!("| {score:.3} | {} | {} | {} |\n", row[0], row[1], row[2]));
    }
    let path = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("SIMILARITY.md");
    if std::env::var_os("UPDATE_SCORES").is_some() {
        std::fs::write(&path, &page).unwrap();
    }
    assert_eq!(std::fs::read_to_string(&path).unwrap(), page, "run with UPDATE_SCORES=1");
}
