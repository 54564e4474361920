//! The commands of a game: which operators each means.
//!
//! Always holds: commands are sorted and each stands once; an operator whose words change in play is not among them.

use std::collections::BTreeMap;

/// The commands whose words never change.
#[derive(Debug, Default)]
pub(super) struct Commands {
    words: Vec<String>,
    /// For each operator its command.
    spoken: Vec<Option<usize>>,
    /// For each command its operators.
    meant: Vec<Vec<usize>>,
    /// Whether there are operators whose words change.
    others: bool,
}

impl Commands {
    /// Sorts the commands, given for each operator if its words never change.
    pub(super) fn new(by_operator: Vec<Option<String>>) -> Self {
        let others = by_operator.iter().any(Option::is_none);
        let mut spoken = vec![None; by_operator.len()];
        let mut meant: BTreeMap<String, Vec<usize>> = BTreeMap::new();
        for (operator, words) in by_operator.into_iter().enumerate() {
            if let Some(words) = words {
                meant.entry(words).or_default().push(operator);
            }
        }
        for (number, operators) in meant.values().enumerate() {
            for &operator in operators {
                spoken.get_mut(operator).into_iter().for_each(|entry| *entry = Some(number));
            }
        }
        let (words, meant) = meant.into_iter().unzip();
        Self { words, spoken, meant, others }
    }

    /// The number of an operator's command.
    pub(super) fn of(&self, operator: usize) -> Option<usize> {
        self.spoken.get(operator).copied().flatten()
    }

    /// The words of a command. Greater numbers have greater words.
    pub(super) fn words(&self, command: usize) -> &str {
        self.words.get(command).map_or("", String::as_str)
    }

    /// The operators that some words mean.
    pub(super) fn meant(&self, words: &str) -> &[usize] {
        let found = self.words.binary_search_by(|probe| probe.as_str().cmp(words)).ok();
        found.and_then(|number| self.meant.get(number)).map_or(&[], Vec::as_slice)
    }

    /// Whether there are operators whose words change.
    pub(super) fn has_others(&self) -> bool {
        self.others
    }
}
