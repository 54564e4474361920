//! Finding the answer in a reply.
//!
//! Always holds: the last complete `<answer>` tag counts; without one, the last line that is not blank.

use crate::python::text::{lines, strip};

/// Where an answer was found.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Place {
    /// In a complete tag.
    Tag,
    /// In the last line, as there is no complete tag.
    LastLine,
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

const OPEN: &str = "<answer>";
const CLOSE: &str = "</answer>";

/// The answer in a reply.
pub fn extract(reply: &str) -> Answer {
    if let Some(content) = last_tag(reply) {
        return Answer { text: strip(content).to_owned(), place: Place::Tag };
    }
    let last = lines(reply).into_iter().map(strip).rfind(|line| !line.is_empty());
    match last {
        Some(line) => Answer { text: line.to_owned(), place: Place::LastLine },
        None => Answer { text: String::new(), place: Place::Nowhere },
    }
}

/// The content of the last complete tag, found from the front: an opening tag belongs to the next closing one.
pub fn last_tag(reply: &str) -> Option<&str> {
    // ASCII lower-casing keeps every byte in its place.
    let lower = reply.to_ascii_lowercase();
    let mut found = None;
    let mut from = 0;
    while let Some(open) = lower.get(from..).and_then(|rest| rest.find(OPEN)) {
        let start = from + open + OPEN.len();
        let Some(length) = lower.get(start..).and_then(|rest| rest.find(CLOSE)) else { break };
        found = reply.get(start..start + length);
        from = start + length + CLOSE.len();
    }
    found
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    #[test]
    fn the_last_complete_tag_counts() {
        for (reply, answer, place) in [
            ("<answer>The Beatles</answer>", "The Beatles", Place::Tag),
            ("<answer>a</answer> no, <ANSWER> b </Answer>", "b", Place::Tag),
            ("<answer>line1\nline2</answer>", "line1\nline2", Place::Tag),
            ("<answer>a<answer>b</answer></answer>", "a<answer>b", Place::Tag),
            ("<answer></answer>", "", Place::Tag),
            ("<answer>unclosed", "<answer>unclosed", Place::LastLine),
            ("reasoning\n\nFinal: Oslo\n\n", "Final: Oslo", Place::LastLine),
            ("foo\u{b}bar", "bar", Place::LastLine),
            ("   \n  ", "", Place::Nowhere),
        ] {
            assert_eq!(extract(reply), Answer { text: answer.to_owned(), place }, "{reply:?}");
        }
    }

    proptest! {
        #[test]
        fn any_reply_has_an_answer_or_none(reply in "(<answer>|</answer>|İ|\\PC|\n){0,40}") {
            let _ = extract(&reply);
        }
    }
}
