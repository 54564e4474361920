//! A small language for phrases: words with alternatives, some of which may be left out.
//!
//! Always holds: a phrase is matched against singular words and never across the end of a clause.

use super::words::{Break, Word};

/// A phrase: `gold|golden answer|label` or `accepted by the|a? grader`.
#[derive(Debug)]
pub(super) struct Phrase {
    slots: Vec<Slot>,
}

#[derive(Debug)]
struct Slot {
    words: Vec<&'static str>,
    may_lack: bool,
}

impl Phrase {
    /// Reads a phrase: slots separated by blanks, alternatives by `|`, and `?` behind a slot that may lack. A word
    /// that starts with `<` stands for a list of `classes`.
    pub(super) fn new(text: &'static str, classes: &[(&'static str, &'static str)]) -> Self {
        let slots = text
            .split(' ')
            .map(|slot| {
                let (words, may_lack) = match slot.strip_suffix('?') {
                    Some(words) => (words, true),
                    None => (slot, false),
                };
                let words = words
                    .split('|')
                    .flat_map(|word| match classes.iter().find(|(name, _)| *name == word) {
                        Some((_, list)) => list.split('|').collect::<Vec<_>>(),
                        None => vec![word],
                    })
                    .collect();
                Slot { words, may_lack }
            })
            .collect();
        Self { slots }
    }

    /// Where the phrase ends if it starts at word `start`.
    pub(super) fn end_at(&self, words: &[Word], start: usize) -> Option<usize> {
        fits(&self.slots, words, start, start)
    }
}

fn fits(slots: &[Slot], words: &[Word], start: usize, at: usize) -> Option<usize> {
    let Some((slot, rest)) = slots.split_first() else { return Some(at) };
    let word = words.get(at).filter(|word| at == start || word.before < Break::Comma);
    let here = word
        .is_some_and(|word| slot.words.iter().any(|wanted| word.singular == *wanted || word.text == *wanted));
    if here && let Some(end) = fits(rest, words, start, at + 1) {
        return Some(end);
    }
    if slot.may_lack { fits(rest, words, start, at) } else { None }
}

#[cfg(test)]
mod tests {
    use super::super::words::words_of;
    use super::*;

    #[test]
    fn slots_have_alternatives_and_may_lack() {
        let phrase = Phrase::new("accepted|<more by the|a? grader", &[("<more", "liked|wanted")]);
        for (text, expected) in [
            ("accepted by the grader", Some(4)),
            ("liked by graders", Some(3)),
            ("wanted by a grader", Some(4)),
            ("liked, by graders", None),
            ("accepted by our grader", None),
        ] {
            assert_eq!(phrase.end_at(&words_of(text), 0), expected, "{text}");
        }
    }
}
