//! Where many texts occur in one text.
//!
//! Always holds: all occurrences count, overlapping ones too; the cost is one pass over the text for many patterns,
//! or one fast pass for each of a few.

use aho_corasick::{AhoCorasick, MatchKind};
use memchr::memmem;

/// Up to this many patterns are searched for one by one, which is faster than together.
const FEW: usize = 12;

/// The occurrences of one pattern.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(crate) struct Hits {
    /// Where it occurs, ascending: all places, or the first few if not all were asked for.
    pub(crate) places: Vec<usize>,
    /// How often it occurs.
    pub(crate) count: usize,
}

/// How many places are kept of a pattern that is expected once: enough for a message.
pub(crate) const SHOWN: usize = 10;

/// A pattern, and whether all its places are needed.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Pattern<'a> {
    pub(crate) text: &'a str,
    pub(crate) all: bool,
}

impl Hits {
    fn add(&mut self, place: usize, all: bool) {
        self.count += 1;
        if all || self.places.len() < SHOWN {
            self.places.push(place);
        }
    }
}

/// The occurrences of each pattern in `text`. An empty pattern occurs nowhere.
pub(crate) fn occurrences(text: &str, patterns: &[Pattern<'_>]) -> Vec<Hits> {
    if patterns.len() > FEW
        && let Some(hits) = together(text, patterns)
    {
        return hits;
    }
    patterns.iter().map(|pattern| alone(text, *pattern)).collect()
}

fn alone(text: &str, pattern: Pattern<'_>) -> Hits {
    let mut hits = Hits::default();
    if pattern.text.is_empty() {
        return hits;
    }
    let finder = memmem::Finder::new(pattern.text);
    let bytes = text.as_bytes();
    let mut from = 0;
    while let Some(distance) = bytes.get(from..).and_then(|rest| finder.find(rest)) {
        hits.add(from + distance, pattern.all);
        from += distance + 1;
    }
    hits
}

fn together(text: &str, patterns: &[Pattern<'_>]) -> Option<Vec<Hits>> {
    let named: Vec<usize> =
        (0..patterns.len()).filter(|&index| !text_of(patterns, index).is_empty()).collect();
    let automaton = AhoCorasick::builder()
        .match_kind(MatchKind::Standard)
        .build(named.iter().map(|&index| text_of(patterns, index)))
        .ok()?;
    let mut hits = vec![Hits::default(); patterns.len()];
    for found in automaton.find_overlapping_iter(text) {
        let Some(&index) = named.get(found.pattern().as_usize()) else { continue };
        if let (Some(hits), Some(pattern)) = (hits.get_mut(index), patterns.get(index)) {
            hits.add(found.start(), pattern.all);
        }
    }
    Some(hits)
}

fn text_of<'a>(patterns: &[Pattern<'a>], index: usize) -> &'a str {
    patterns.get(index).map_or("", |pattern| pattern.text)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn one_by_one_and_together_find_the_same() {
        let text = "aaa ab ba abab é aé";
        let texts = ["a", "aa", "ab", "ba", "abab", "é", "", "x", "aé", " ", "b", "aaa", "bab", "a ", "ab "];
        let patterns: Vec<Pattern<'_>> = texts.iter().map(|&text| Pattern { text, all: true }).collect();
        let one_by_one: Vec<Hits> = patterns.iter().map(|pattern| alone(text, *pattern)).collect();
        assert_eq!(occurrences(text, &patterns), one_by_one);
        assert_eq!(one_by_one[1].places, [0, 1]);
    }
}
