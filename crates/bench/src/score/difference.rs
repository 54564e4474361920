//! Where the corrected metric of question answering differs from the published one, and why.
//!
//! Always holds: the corrected scorers differ from the reference ones in this list and in nothing else, which the
//! conformance check holds them to.

use textualrl_model::settings::Scoring;
use unicode_normalization::UnicodeNormalization;

use super::normal::normalize;
use crate::answer::extract;
use crate::python::literal::Literal;

/// Something that the corrected metric does otherwise.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Difference {
    /// Composed and decomposed letters.
    ComposedLetters,
    /// Typographic quotes, apostrophes and dashes.
    Typography,
    /// Texts of which normalisation leaves nothing.
    NothingLeft,
    /// Answer tags that are blank or not closed.
    BrokenTags,
    /// Cells of golds that are numbers, tuples and the like.
    LiteralCells,
}

impl Difference {
    /// All of them.
    pub const ALL: [Self; 5] =
        [Self::ComposedLetters, Self::Typography, Self::NothingLeft, Self::BrokenTags, Self::LiteralCells];

    /// What the corrected metric does, and why.
    pub fn reason(self) -> &'static str {
        match self {
            Self::ComposedLetters => {
                "a letter with its accent is one letter however it is encoded, and accents belong to their word"
            }
            Self::Typography => {
                "typographic quotes, apostrophes and dashes are punctuation like their ASCII forms"
            }
            Self::NothingLeft => {
                "articles that are all of a text stay, so that \"The\" is not the gold \"A\"; an answer of which \
                 nothing is left is never right and is contained in nothing"
            }
            Self::BrokenTags => {
                "a blank answer tag does not replace an earlier one that is filled, and a tag that the last line \
                 opens and never closes holds the rest of that line"
            }
            Self::LiteralCells => {
                "a cell of golds that is a number, a tuple or the like is the text that stands there, so that 0.10, \
                 1,234 and 0x1F stay as they are written"
            }
        }
    }

    /// Whether a text (a reply, an answer or a gold) has what the difference is about.
    pub fn concerns(self, text: &str) -> bool {
        match self {
            Self::ComposedLetters => {
                text.chars().any(unicode_normalization::char::is_combining_mark)
                    || !unicode_normalization::is_nfc(text)
            }
            Self::Typography => text.chars().any(|character| plain_mark(character) != character),
            Self::NothingLeft => normalize(text, Scoring::Reference).is_empty(),
            Self::BrokenTags => {
                extract(text, Scoring::Reference).text != extract(text, Scoring::Corrected).text
            }
            Self::LiteralCells => match Literal::parse(text) {
                None | Some(Literal::Text(_) | Literal::List(_)) => false,
                Some(literal) => literal.text() != text,
            },
        }
    }
}

/// Letters composed and typographic marks as ASCII.
pub(crate) fn folded(text: &str) -> String {
    text.nfc().map(plain_mark).collect()
}

/// The ASCII form of a typographic mark; any other character as it is.
fn plain_mark(character: char) -> char {
    match character {
        '‘' | '’' | '‚' | '‛' | '′' => '\'',
        '“' | '”' | '„' | '‟' | '″' | '«' | '»' => '"',
        '‐' | '‑' | '‒' | '–' | '—' => '-',
        other => other,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_difference_concerns_what_it_is_about() {
        for (text, expected) in [
            ("cafe\u{301}", vec![Difference::ComposedLetters]),
            ("don’t", vec![Difference::Typography]),
            ("The", vec![Difference::NothingLeft]),
            ("<answer>x", vec![Difference::BrokenTags]),
            ("<answer>x</answer>", vec![]),
            ("1,234", vec![Difference::LiteralCells]),
            ("plain", vec![]),
        ] {
            let found: Vec<_> = Difference::ALL.into_iter().filter(|one| one.concerns(text)).collect();
            assert_eq!(found, expected, "{text}");
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
