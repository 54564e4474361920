//! The order in which the choices are shown.
//!
//! Always holds: it is the released one, CPython's shuffle from a seed that the batch's seed and the task's id hash to;
//! labels are given anew in that order, and the right choice keeps its text.

use sha2::{Digest, Sha256};

use super::item::{Choice, Item};
use crate::python::random::PythonRandom;

/// The question with its choices in the order of a batch, labelled A, B and so on.
pub(super) fn shuffled(item: &Item, id: &str, batch_seed: u64) -> Item {
    let mut choices = item.choices.clone();
    PythonRandom::new(seed(id, batch_seed)).shuffle(&mut choices);
    let correct = choices.iter().position(|choice| choice.label == item.correct.label);
    for (choice, label) in choices.iter_mut().zip('A'..='Z') {
        choice.label = label.to_string();
    }
    // Items hold the right choice, so there is one.
    let correct = correct.and_then(|place| choices.get(place)).cloned();
    Item {
        question: item.question.clone(),
        correct: correct.unwrap_or_else(|| item.correct.clone()),
        choices,
    }
}

/// The first eight bytes of the SHA-256 of both, as a number.
pub(super) fn seed(id: &str, batch_seed: u64) -> u64 {
    let digest = Sha256::digest(format!("{batch_seed}:{id}"));
    digest.iter().take(8).fold(0, |seed, byte| seed << 8 | u64::from(*byte))
}

/// The choices as the prompt lists them.
pub(super) fn listed(choices: &[Choice]) -> String {
    let lines: Vec<String> =
        choices.iter().map(|choice| format!("{}. {}", choice.label, choice.text)).collect();
    lines.join("\n")
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn item(count: usize) -> Item {
        let choice = |label: char| Choice { label: label.to_string(), text: format!("text {label}") };
        let choices: Vec<Choice> = ('A'..='Z').take(count).map(choice).collect();
        Item { question: "q".to_owned(), correct: choices[count / 2].clone(), choices }
    }

    #[test]
    fn the_order_is_the_released_one() {
        // Known from CPython: hashlib.sha256(b"42:202511:1") and random.Random(seed).shuffle.
        assert_eq!(seed("202511:1", 42), 2_099_964_213_763_018_402);
        let shown = shuffled(&item(5), "202511:1", 42);
        assert_eq!(listed(&shown.choices), "A. text B\nB. text E\nC. text D\nD. text C\nE. text A");
        assert_eq!((shown.correct.label.as_str(), shown.correct.text.as_str()), ("D", "text C"));
    }

    proptest! {
        #[test]
        fn the_right_text_stays_right(count in 2_usize..26, id in "[a-z0-9:]{1,12}", batch in any::<u64>()) {
            let item = item(count);
            let shown = shuffled(&item, &id, batch);
            prop_assert_eq!(&shown.correct.text, &item.correct.text);
            prop_assert!(shown.choices.contains(&shown.correct));
            let mut texts: Vec<_> = shown.choices.iter().map(|choice| &choice.text).collect();
            texts.sort();
            let all: Vec<_> = item.choices.iter().map(|choice| &choice.text).collect();
            prop_assert_eq!(texts, all);
        }
    }
}
