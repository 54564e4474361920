//! Where the corrected metric of LiveMathematicianBench differs from the published one, and why.
//!
//! Always holds: the corrected scoring differs from the reference in this list, and in how broken answer tags are read.

use super::score::normalized;
use crate::score::choice;

/// Something that the corrected scoring does otherwise.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Difference {
    /// Labels in brackets, stars, boxes, sentences.
    DressedLabel,
    /// Answers that settle on no label, whatever they begin with.
    NoLabel,
}

impl Difference {
    /// All of them.
    pub(super) const ALL: [Self; 2] = [Self::DressedLabel, Self::NoLabel];

    /// What the corrected scoring does, and why.
    pub(super) fn reason(self) -> &'static str {
        match self {
            Self::DressedLabel => {
                "a label in brackets, stars, a box or full-width letters is that label, as is one that a sentence \
                 settles on, and the text of a choice may end in a full stop"
            }
            Self::NoLabel => {
                "the article at the head of a sentence is no label, and an answer that weighs several labels, or names \
                 one that no choice has, settles on none"
            }
        }
    }

    /// Whether an answer has what the difference is about.
    pub(super) fn concerns(self, answer: &str) -> bool {
        let told = choice::label(answer);
        match self {
            Self::DressedLabel => {
                told.map_or(answer.ends_with('.'), |label| normalized(answer) != label.to_string())
            }
            Self::NoLabel => !answer.is_empty(),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_difference_concerns_what_it_is_about() {
        for (answer, expected) in [
            ("(B)", Some(Difference::DressedLabel)),
            ("Some text.", Some(Difference::DressedLabel)),
            ("A or B", Some(Difference::NoLabel)),
            ("", None),
        ] {
            assert_eq!(Difference::ALL.into_iter().find(|one| one.concerns(answer)), expected, "{answer}");
        }
    }

    #[test]
    fn the_documentation_lists_every_difference() {
        let page = include_str!("../../../../docs/scoring.md");
        let page = page.split_whitespace().collect::<Vec<_>>().join(" ");
        for difference in Difference::ALL {
            assert!(page.contains(difference.reason()), "{difference:?}");
        }
    }
}
