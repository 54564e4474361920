//! What can be noticed about a choice.
//!
//! Always holds: only the listed choices and the reply are looked at, never the outcome.

use std::collections::BTreeSet;

use super::{Sign, given};

/// The heading over the choices.
const HEADING: &str = "## Choices";

/// Whether the input lists choices.
pub(super) fn fits(input: &str) -> bool {
    input.lines().any(|line| line == HEADING)
}

/// The signs of a reply.
pub(super) fn signs(input: &str, reply: &str) -> BTreeSet<Sign> {
    let (marked, text) = given(reply);
    if !marked {
        return BTreeSet::from([Sign::NoMark]);
    }
    let mut signs = BTreeSet::new();
    if text.chars().count() != 1 {
        signs.insert(Sign::Bracketed);
    }
    let length = |(_, text): &(char, String)| text.chars().count();
    let longest = listed(input).into_iter().max_by_key(length);
    if longest.is_some_and(|(label, _)| text.chars().eq([label])) {
        signs.insert(Sign::Lengthy);
    }
    signs
}

/// The choices by label.
fn listed(input: &str) -> Vec<(char, String)> {
    let below = input.lines().skip_while(|line| *line != HEADING).skip(1);
    let mut found: Vec<(char, String)> = Vec::new();
    for line in below.take_while(|line| !line.starts_with("## ")) {
        let mut start = line.chars();
        match (start.next(), start.next(), found.last_mut()) {
            (Some(label @ 'A'..='Z'), Some('.'), _) => found.push((label, start.collect())),
            (_, _, Some((_, text))) => text.push_str(line),
            _ => {}
        }
    }
    found
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn signs_are_seen() {
        let input = "## Question\nWhich?\n\n## Choices\nA. a few words\nB. one\nC. two";
        assert!(fits(input) && !fits("Which?"));
        let cases: [(&str, &[Sign]); 5] = [
            ("I take B.", &[Sign::NoMark]),
            ("<answer>B</answer>", &[]),
            ("<answer>A</answer>", &[Sign::Lengthy]),
            ("<answer>(B)</answer>", &[Sign::Bracketed]),
            ("<answer>Option A</answer>", &[Sign::Bracketed]),
        ];
        for (reply, expected) in cases {
            assert_eq!(signs(input, reply).into_iter().collect::<Vec<_>>(), expected, "{reply}");
        }
    }
}
