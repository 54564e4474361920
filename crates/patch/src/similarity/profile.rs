//! A text made ready for comparisons.
//!
//! Always holds: a profile depends on the text alone, and comparing two costs about the product of their short word
//! lists in the worst case, and their sum when they share nothing.

use std::collections::{BTreeMap, BTreeSet};

use super::lexicon::{is_filler, is_limit, is_negation, representative, stem};

/// The highest score of two texts that differ in something decisive; below every sensible threshold.
pub const DECISIVE_CAP: f64 = 0.6;

/// Longer texts are compared by their sets of words only, without the guards that need an alignment.
const LONGEST_ALIGNED: usize = 400;

/// Words around which the sides matter.
const PIVOTS: &[&str] =
    &["over", "than", "before", "after", "not", "instead", "from", "into", "to", "above", "below"];

/// A text as a list of telling words.
#[derive(Debug, Clone, Default)]
pub struct Profile {
    /// Stems or group names of the words that are no filler, in order.
    words: Vec<String>,
    /// How often each occurs.
    counts: BTreeMap<String, usize>,
    /// How many words deny.
    /// Words that say how much or how often.
    limits: BTreeSet<String>,
    negations: usize,
    /// What stands before and after each pivot.
    sides: Vec<Sides>,
    /// Enumerations of three or more single words, whose order may matter.
    lists: Vec<Vec<String>>,
    /// All words, filler too: texts without any telling word are compared by these.
    plain: String,
}

#[derive(Debug, Clone, PartialEq, Eq)]
struct Sides {
    pivot: &'static str,
    before: String,
    after: String,
}

impl Profile {
    /// The profile of a text.
    pub fn of(text: &str) -> Self {
        let raw = raw_words(text);
        let mut profile = Self { plain: raw.join(" "), lists: lists(text), ..Self::default() };
        let mut pending: Option<(&'static str, Option<String>)> = None;
        for word in &raw {
            if let Some(pivot) = PIVOTS.iter().find(|pivot| *pivot == word) {
                pending = Some((pivot, profile.words.last().cloned()));
            }
            if is_negation(word) {
                profile.negations += 1;
                continue;
            }
            if is_limit(word) {
                profile.limits.insert(word.to_owned());
                continue;
            }
            if is_filler(word) {
                continue;
            }
            let telling = stem(representative(&stem_of_group(word)));
            if let Some((pivot, Some(before))) = pending.take() {
                profile.sides.push(Sides { pivot, before, after: telling.clone() });
            }
            *profile.counts.entry(telling.clone()).or_default() += 1;
            profile.words.push(telling);
        }
        profile
    }

    /// How alike two texts are, from 0 to 1.
    pub fn similarity(&self, other: &Self) -> f64 {
        if self.plain == other.plain {
            return 1.0;
        }
        let total = self.words.len() + other.words.len();
        if total == 0 {
            return 0.0;
        }
        let shared: usize = self
            .counts
            .iter()
            .map(|(word, count)| other.counts.get(word).map_or(0, |found| *found.min(count)))
            .sum();
        let score = (2 * shared) as f64 / total as f64;
        if score > DECISIVE_CAP && self.differs_decisively(other) { DECISIVE_CAP } else { score }
    }

    fn differs_decisively(&self, other: &Self) -> bool {
        (self.negations == 0) != (other.negations == 0)
            || self.limits != other.limits
            || self.numbers().ne(other.numbers())
            || self.has_exchanged_sides(other)
            || self.has_reordered_list(other)
            || (self.words.len().max(other.words.len()) <= LONGEST_ALIGNED && self.has_substitution(other))
    }

    fn numbers(&self) -> impl Iterator<Item = (&String, &usize)> {
        self.counts.iter().filter(|(word, _)| word.bytes().all(|byte| byte.is_ascii_digit()))
    }

    fn has_exchanged_sides(&self, other: &Self) -> bool {
        self.sides.iter().any(|sides| {
            let exchanged =
                Sides { pivot: sides.pivot, before: sides.after.clone(), after: sides.before.clone() };
            sides.before != sides.after && other.sides.contains(&exchanged)
        })
    }

    fn has_reordered_list(&self, other: &Self) -> bool {
        let sorted = |list: &Vec<String>| {
            let mut list = list.clone();
            list.sort_unstable();
            list
        };
        self.lists.iter().any(|list| {
            other
                .lists
                .iter()
                .any(|found| found != list && found.len() == list.len() && sorted(found) == sorted(list))
        })
    }

    /// Whether a word that only the one text has stands where a word stands that only the other has.
    fn has_substitution(&self, other: &Self) -> bool {
        let mine = |word: &&String| !other.counts.contains_key(*word);
        let theirs = |word: &&String| !self.counts.contains_key(*word);
        if !self.words.iter().any(|word| mine(&word)) || !other.words.iter().any(|word| theirs(&word)) {
            return false;
        }
        replaced(&self.words, &other.words)
            .any(|(taken, put)| taken.iter().any(|word| mine(&word)) && put.iter().any(|word| theirs(&word)))
    }
}

/// The stretches of `first` in whose place stretches of `second` stand, by a longest common subsequence.
fn replaced<'a>(
    first: &'a [String],
    second: &'a [String],
) -> impl Iterator<Item = (&'a [String], &'a [String])> {
    let operations = similar::capture_diff_slices(similar::Algorithm::Myers, first, second);
    operations.into_iter().filter_map(|operation| match operation {
        similar::DiffOp::Replace { old_index, old_len, new_index, new_len } => {
            Some((first.get(old_index..old_index + old_len)?, second.get(new_index..new_index + new_len)?))
        }
        _ => None,
    })
}

/// Enumerations of at least three single words between commas: "day, month, year".
fn lists(text: &str) -> Vec<Vec<String>> {
    if !text.contains(',') {
        return Vec::new();
    }
    let chunks: Vec<Vec<String>> = text
        .split(',')
        .map(|chunk| {
            raw_words(chunk).into_iter().filter(|word| !matches!(word.as_str(), "and" | "or")).collect()
        })
        .collect();
    let mut lists = Vec::new();
    let mut list: Vec<String> = Vec::new();
    for (index, chunk) in chunks.iter().enumerate() {
        let single = chunk.len() == 1 && index > 0 && index + 1 < chunks.len();
        if single {
            if list.is_empty() {
                list.extend(
                    index
                        .checked_sub(1)
                        .and_then(|before| chunks.get(before))
                        .and_then(|words| words.last().cloned()),
                );
            }
            list.extend(chunk.first().cloned());
        } else if !list.is_empty() {
            list.extend(chunk.first().cloned());
            lists.push(std::mem::take(&mut list));
        }
    }
    lists
}

/// The group's word is looked up by the word itself and by its stem.
fn stem_of_group(word: &str) -> String {
    if representative(word) != word {
        return word.to_owned();
    }
    let stem = stem(word);
    for candidate in [stem.clone(), format!("{stem}e"), format!("{stem}y")] {
        if representative(&candidate) != candidate {
            return candidate;
        }
    }
    word.to_owned()
}

/// Words in lower case, contractions written out, possessives undone.
fn raw_words(text: &str) -> Vec<String> {
    let lower = text.to_lowercase().replace(['\u{2019}', '\u{2018}'], "'");
    let mut words = Vec::new();
    for word in lower.split(|character: char| !(character.is_alphanumeric() || character == '\'')) {
        let word = word.trim_matches('\'');
        if word.is_empty() {
            continue;
        }
        match (word, word.strip_suffix("n't")) {
            ("can't" | "cannot" | "won't", _) => words.push("not".to_owned()),
            (_, Some(_)) => words.push("not".to_owned()),
            ("leave" | "left", None) => words.push("leave".to_owned()),
            ("out", None) if words.last().is_some_and(|last| last == "leave") => {
                words.pop();
                words.push("omit".to_owned());
            }
            _ => words.push(word.split('\'').next().unwrap_or(word).to_owned()),
        }
    }
    words
}
