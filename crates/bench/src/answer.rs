//! Finding the answer in a reply.
//!
//! Always holds: the last complete `<answer>` tag counts; without one, the last line that is not blank. The corrected
//! form passes over blank tags and takes what a last line that is never closed holds.

use textualrl_model::settings::Scoring;

use crate::python::text::{lines, strip};

/// Where an answer was found.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Place {
    /// In a complete tag.
    Tag,
    /// Behind a tag in the last line that is never closed.
    OpenTag,
    /// In the last line, as there is no complete tag.
    LastLine,
    /// The whole reply, as there is no complete tag and the scorer takes several lines.
    WholeReply,
    /// Nowhere: the reply is blank.
    Nowhere,
}

/// An answer and where it was found.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Answer {
    /// The answer without white space around it; empty if there is none.
    pub text: String,
    /// Where it was found.
    pub place: Place,
}

impl Answer {
    pub(crate) fn new(text: &str, place: Place) -> Self {
        Self { text: strip(text).to_owned(), place }
    }
}

pub(crate) const OPEN: &str = "<answer>";
pub(crate) const CLOSE: &str = "</answer>";

/// The answer in a reply.
pub fn extract(reply: &str, scoring: Scoring) -> Answer {
    let (tags, rest) = tags(reply);
    let filled = |tag: &&&str| scoring == Scoring::Reference || !strip(tag).is_empty();
    if scoring == Scoring::Corrected
        && let Some(open) = open_tag(rest)
    {
        return Answer::new(open, Place::OpenTag);
    }
    if let Some(tag) = tags.iter().rfind(filled).or(tags.last()) {
        return Answer::new(tag, Place::Tag);
    }
    last_line(reply)
}

/// The last line that is not blank, as the answer of a reply without tags.
pub(crate) fn last_line(reply: &str) -> Answer {
    match lines(reply).into_iter().rfind(|line| !strip(line).is_empty()) {
        Some(line) => Answer::new(line, Place::LastLine),
        None => Answer::new("", Place::Nowhere),
    }
}

/// The contents of all complete tags, and what follows the last of them. An opening tag belongs to the next closing one.
pub(crate) fn tags(reply: &str) -> (Vec<&str>, &str) {
    // ASCII lower-casing keeps every byte in its place.
    let lower = reply.to_ascii_lowercase();
    let mut found = Vec::new();
    let mut from = 0;
    while let Some(open) = lower.get(from..).and_then(|rest| rest.find(OPEN)) {
        let start = from + open + OPEN.len();
        let Some(length) = lower.get(start..).and_then(|rest| rest.find(CLOSE)) else { break };
        found.extend(reply.get(start..start + length));
        from = start + length + CLOSE.len();
    }
    (found, reply.get(from..).unwrap_or_default())
}

/// What stands behind a tag that the last line opens, if it is anything.
fn open_tag(rest: &str) -> Option<&str> {
    let last = lines(rest).into_iter().rfind(|line| !strip(line).is_empty())?;
    let start = last.to_ascii_lowercase().rfind(OPEN)? + OPEN.len();
    last.get(start..).filter(|content| !strip(content).is_empty())
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;
    use Scoring::{Corrected, Reference};

    #[test]
    fn the_last_complete_tag_counts() {
        for (reply, answer, place) in [
            ("<answer>The Beatles</answer>", "The Beatles", Place::Tag),
            ("<answer>a</answer> no, <ANSWER> b </Answer>", "b", Place::Tag),
            ("<answer>line1\nline2</answer>", "line1\nline2", Place::Tag),
            ("<answer>a<answer>b</answer></answer>", "a<answer>b", Place::Tag),
            ("<answer></answer>", "", Place::Tag),
            ("in <answer> tags, as told.\nOslo", "Oslo", Place::LastLine),
            ("reasoning\n\nFinal: Oslo\n\n", "Final: Oslo", Place::LastLine),
            ("foo\u{b}bar", "bar", Place::LastLine),
            ("   \n  ", "", Place::Nowhere),
        ] {
            for scoring in [Reference, Corrected] {
                let expected = Answer { text: answer.to_owned(), place };
                assert_eq!(extract(reply, scoring), expected, "{reply:?}");
            }
        }
    }

    #[test]
    fn the_corrected_form_mends_broken_tags() {
        for (reply, reference, corrected) in [
            ("<answer>Paris</answer>\nI wrapped it in <answer></answer>.", "", "Paris"),
            ("<answer>Paris", "<answer>Paris", "Paris"),
            ("<answer>A</answer> then <answer>B", "A", "B"),
            ("<answer>A</answer> <answer>", "A", "A"),
            ("<answer>", "<answer>", "<answer>"),
        ] {
            let found = [Reference, Corrected].map(|scoring| extract(reply, scoring).text);
            assert_eq!(found, [reference, corrected], "{reply:?}");
        }
    }

    proptest! {
        #[test]
        fn any_reply_has_an_answer_or_none(reply in "(<answer>|</answer>|<ANSWER>|İ|\\PC|\n){0,40}") {
            for scoring in [Reference, Corrected] {
                let answer = extract(&reply, scoring);
                prop_assert!(reply.contains(&answer.text));
                prop_assert_eq!(strip(&answer.text), answer.text.as_str());
            }
        }
    }
}
