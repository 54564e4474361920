//! What can be noticed about an answer from documents.
//!
//! Always holds: only what the agent called and said is looked at, never the outcome.

use std::collections::BTreeSet;

use super::super::read::Shown;
use super::{Sign, given};

/// Whether the input lists documents to look into.
pub(super) fn fits(input: &str) -> bool {
    input.lines().any(|line| line.starts_with("## Candidate"))
}

/// The signs of a trajectory.
pub(super) fn signs(shown: &Shown) -> BTreeSet<Sign> {
    let (marked, text) = given(shown.last_reply());
    let opened = shown.replies.iter().any(|reply| reply.contains("<tool_call name=\"read\">"));
    let bare = text.contains(|c: char| c.is_ascii_digit())
        && !text.contains(|c: char| c.is_alphabetic() || c == '%');
    let sign = match (marked, opened) {
        (false, _) => Sign::NoMark,
        (true, false) => Sign::Unopened,
        (true, true) if bare => Sign::Unscaled,
        (true, true) => return BTreeSet::new(),
    };
    BTreeSet::from([sign])
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn signs_are_seen() {
        assert!(fits("## Question\nQ?\n\n## Candidate Files\n- a.txt\n") && !fits("## Question\nQ?\n"));
        let (grep, read) =
            ("<tool_call name=\"grep\">\n{}\n</tool_call>", "<tool_call name=\"read\">\n{}\n</tool_call>");
        for (calls, reply, expected) in [
            (vec![grep, read], "<answer>5 thousand</answer>", None),
            (vec![grep, read], "<answer>4.5%</answer>", None),
            (vec![grep, read], "<answer>5,120</answer>", Some(Sign::Unscaled)),
            (vec![grep], "<answer>5 thousand</answer>", Some(Sign::Unopened)),
            (vec![grep, read], "It is 5.", Some(Sign::NoMark)),
        ] {
            let replies = calls.into_iter().chain([reply]).map(str::to_owned).collect();
            let shown = Shown { rollout: "1".to_owned(), success: true, multiplicity: 1.0, replies };
            assert_eq!(signs(&shown).into_iter().next(), expected, "{reply}");
        }
    }
}
