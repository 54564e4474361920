//! Where the corrected metric of OfficeQA differs from the published one, and why.
//!
//! Always holds: the corrected scoring differs from the reference in this list and in nothing else, which the conformance
//! check holds it to.

use textualrl_model::settings::Scoring;

use super::tokens::{Token, tokens};
use super::{fields, queries, score};
use crate::conformance::Case;

/// Something that the corrected scoring does otherwise.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Difference {
    /// Which tag counts, and replies without one.
    Tags,
    /// Several numbers.
    Lists,
    /// Accounting negatives, minus signs and currencies.
    Signs,
    /// Words such as `million`.
    Scales,
    /// Percent signs.
    Percent,
    /// Zeros, points and exponents.
    Values,
    /// Names of files with commas between them.
    FileLists,
    /// Search queries with commas in them.
    Queries,
}

impl Difference {
    /// All of them.
    pub const ALL: [Self; 8] = [
        Self::Tags,
        Self::Lists,
        Self::Signs,
        Self::Scales,
        Self::Percent,
        Self::Values,
        Self::FileLists,
        Self::Queries,
    ];

    /// What the corrected scoring does, and why.
    pub fn reason(self) -> &'static str {
        match self {
            Self::Tags => {
                "the last answer tag counts and not the first, a tag that is not closed holds the rest of its line, and \
                 the last line of a final reply counts if it has no tag, as everywhere"
            }
            Self::Lists => {
                "numbers with commas between them are several and not one, and are compared one by one; an answer of \
                 which nothing is left is never right"
            }
            Self::Signs => {
                "a number in brackets is negative, a minus sign is one however it is encoded, and a currency sign \
                 counts only if answer and gold have different ones"
            }
            Self::Scales => {
                "thousand, million, billion and trillion multiply: a gold that names one is met by the same amount \
                 only, written in any way, and a gold that names none also by the number before such a word"
            }
            Self::Percent => {
                "an answer needs a percent sign only if the gold has one, and a blank before it does not count"
            }
            Self::Values => {
                "numbers are equal if their values are, so that trailing zeros, a bare point, an exponent and the sign \
                 of zero do not count"
            }
            Self::FileLists => "names of documents with commas between them are several names",
            Self::Queries => "a search query is not cut at its commas",
        }
    }

    /// Whether a case has what the difference is about.
    pub fn concerns(self, case: &Case) -> bool {
        let Some(text) = case.prediction.as_str() else { return false };
        let answered = matches!(case.scorer.as_str(), "evaluate" | "rollout_score");
        let texts = [text, case.gold.as_str().unwrap_or_default()];
        let holds = |marks: &[char]| answered && texts.iter().any(|text| text.contains(marks));
        let found = texts.map(tokens);
        let quantities = |all: &[Token]| all.iter().filter(|one| matches!(one, Token::Quantity(_))).count();
        match self {
            Self::Tags => {
                case.scorer != "extract_search_queries" && {
                    let [reference, corrected] = both(|scoring| score::answer(text, scoring).text);
                    reference != corrected
                }
            }
            Self::Lists => {
                answered && found.iter().any(|all| all.is_empty() || (quantities(all) > 1 && all.len() > 1))
            }
            Self::Signs => holds(&['(', '\u{2212}', '$', '€', '£', '¥']),
            Self::Scales => answered && found.iter().flatten().any(is_scaled),
            Self::Percent => {
                let [answer, gold] = texts.map(|text| text.contains('%'));
                answered && (answer != gold || texts.iter().any(|text| text.contains(" %")))
            }
            Self::Values => answered && found.iter().all(|all| quantities(all) > 0),
            Self::FileLists => {
                let [reference, corrected] = both(|scoring| fields::list(&case.prediction, scoring));
                case.scorer == "parse_list_field" && reference != corrected
            }
            Self::Queries => {
                let [reference, corrected] = both(|scoring| queries::of_reply(text, scoring));
                reference != corrected
            }
        }
    }
}

fn is_scaled(token: &Token) -> bool {
    matches!(token, Token::Quantity(quantity) if quantity.scale().is_some())
}

fn both<T>(make: impl Fn(Scoring) -> T) -> [T; 2] {
    [make(Scoring::Reference), make(Scoring::Corrected)]
}

#[cfg(test)]
mod tests {
    use serde_json::{Value, json};

    use super::*;

    #[test]
    fn a_difference_concerns_what_it_is_about() {
        for (scorer, prediction, gold, expected) in [
            ("evaluate", "<answer>1</answer><answer>2</answer>", "x", vec![Difference::Tags]),
            ("evaluate", "4,5", "45 km", vec![Difference::Lists, Difference::Values]),
            ("evaluate", "(x)", "y", vec![Difference::Signs]),
            ("evaluate", "5 thousand", "x", vec![Difference::Scales]),
            ("evaluate", "x%", "x", vec![Difference::Percent]),
            ("evaluate", "7.0", "7", vec![Difference::Values]),
            ("evaluate", "plain", "words", vec![]),
            ("normalize", "7.0", "7", vec![]),
            ("parse_list_field", "x.txt, y.txt", "", vec![Difference::FileLists]),
            (
                "extract_search_queries",
                "<search_queries>a, b</search_queries>",
                "",
                vec![Difference::Queries],
            ),
        ] {
            let case = json!({"id": "x", "benchmark": "officeqa", "scorer": scorer, "prediction": prediction,
                "gold": gold, "extra": {}, "expected": Value::Null, "quirk": false});
            let case: Case = serde_json::from_value(case).unwrap();
            let found: Vec<_> = Difference::ALL.into_iter().filter(|one| one.concerns(&case)).collect();
            assert_eq!(found, expected, "{prediction}");
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
