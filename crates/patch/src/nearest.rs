//! The line that a missing target most likely meant, and how it differs.
//!
//! Always holds: this only words a message; nothing is ever applied to the nearest line.

use std::collections::BTreeSet;
use std::fmt;

use crate::text::preview;

/// A line must share at least this part of its words with the target to be named.
const LEAST_SHARED: f64 = 0.4;

/// The nearest line of a text.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Nearest {
    /// Its number, from 1.
    line: usize,
    text: String,
    difference: String,
}

impl fmt::Display for Nearest {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "nearest is line {}, {:?}: {}", self.line, preview(&self.text, 80), self.difference)
    }
}

/// The line of `text` that shares most words with the first line of `target` that is not blank.
pub(crate) fn nearest_line(text: &str, target: &str) -> Option<Nearest> {
    let wanted = target.lines().find(|line| !line.trim().is_empty())?.trim();
    let words: BTreeSet<String> = words_of(wanted).collect();
    let mut best: Option<(f64, usize, &str)> = None;
    for (index, line) in text.lines().enumerate() {
        let score = shared(&words, line);
        if score >= LEAST_SHARED && best.is_none_or(|(highest, _, _)| score > highest) {
            best = Some((score, index + 1, line));
        }
    }
    let (_, line, found) = best?;
    let difference = difference(wanted, found.trim());
    Some(Nearest { line, text: found.trim().to_owned(), difference })
}

fn words_of(line: &str) -> impl Iterator<Item = String> {
    line.split(|character: char| !character.is_alphanumeric())
        .filter(|word| !word.is_empty())
        .map(str::to_lowercase)
}

/// Twice the words of the line that the target has too over all words of both, at most 1.
fn shared(words: &BTreeSet<String>, line: &str) -> f64 {
    let (mut count, mut both) = (0_usize, 0_usize);
    for word in words_of(line) {
        count += 1;
        both += usize::from(words.contains(&word));
    }
    if count == 0 {
        0.0
    } else {
        ((2 * both.min(words.len())) as f64 / (words.len() + count) as f64).min(1.0)
    }
}

fn difference(wanted: &str, found: &str) -> String {
    let spaced = |text: &str| text.split_whitespace().collect::<Vec<_>>().join(" ");
    if wanted == found {
        return "the first line is the same, later lines differ".to_owned();
    }
    if spaced(wanted) == spaced(found) {
        return "it differs in white space".to_owned();
    }
    if wanted.to_lowercase() == found.to_lowercase() {
        return "it differs in upper and lower case".to_owned();
    }
    if words_of(wanted).eq(words_of(found)) {
        return "it differs in punctuation or markup".to_owned();
    }
    let mut pairs = words_of(wanted).zip(words_of(found));
    match pairs.find(|(a, b)| a != b) {
        Some((wanted, found)) => format!("it has {found:?} where the target has {wanted:?}"),
        None if words_of(wanted).count() < words_of(found).count() => {
            "it goes on after the target".to_owned()
        }
        None => "it ends before the target does".to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_difference_is_named() {
        let text = "# Rules\n- Be brief and exact.\n- Cite sources.\n";
        for (target, line, difference) in [
            ("- be brief and exact.", 2, "upper and lower case"),
            ("- Be  brief and exact.", 2, "white space"),
            ("* Be brief and exact", 2, "punctuation or markup"),
            ("- Be short and exact.", 2, "\"brief\" where the target has \"short\""),
            ("- Cite sources.\n- Be kind.", 3, "later lines differ"),
            ("- Be brief", 2, "goes on"),
        ] {
            let nearest = nearest_line(text, target).unwrap();
            assert_eq!(nearest.line, line, "{target}");
            assert!(nearest.difference.contains(difference), "{target}: {}", nearest.difference);
        }
        assert_eq!(nearest_line(text, "nothing alike"), None);
    }
}
