//! Which choice an answer settles on.
//!
//! Always holds: a label counts only if a choice has it; the corrected form never takes the article at the head of a
//! sentence for one, nor any label of an answer that weighs several.

use textualrl_model::settings::Scoring;

use super::item::Choice;
use crate::python::text::{strip, words};
use crate::score::choice;

/// A label as it is compared: upper case, without the marks that may end it.
pub(super) fn normalized(label: &str) -> String {
    strip(&label.to_uppercase()).trim_end_matches(['.', ')', ':']).to_owned()
}

/// The label that an answer settles on: as published whatever it begins with if nothing else is found, as corrected
/// then nothing.
pub(super) fn label(answer: &str, choices: &[Choice], scoring: Scoring) -> String {
    match scoring {
        Scoring::Reference => published(answer, choices),
        Scoring::Corrected => corrected(answer, choices).unwrap_or_default(),
    }
}

/// The choice with a label.
pub(super) fn choice_of<'a>(label: &str, choices: &'a [Choice]) -> Option<&'a Choice> {
    choices.iter().find(|choice| choice.label == label)
}

fn published(answer: &str, choices: &[Choice]) -> String {
    let whole = normalized(answer);
    if choice_of(&whole, choices).is_some() {
        return whole;
    }
    let equals = |choice: &&Choice| strip(&choice.text).to_lowercase() == strip(answer).to_lowercase();
    if let Some(choice) = choices.iter().find(equals) {
        return choice.label.clone();
    }
    let first = words(answer).next().map(normalized);
    first.filter(|first| choice_of(first, choices).is_some()).unwrap_or(whole)
}

fn corrected(answer: &str, choices: &[Choice]) -> Option<String> {
    let known = |label: char| choice_of(&label.to_string(), choices).map(|choice| choice.label.clone());
    let told = choice::label(answer).and_then(known);
    let text_of = |choice: &&Choice| {
        bare(answer) == bare(&choice.text)
            || bare(answer) == bare(&format!("{} {}", choice.label, choice.text))
    };
    told.or_else(|| choices.iter().find(text_of).map(|choice| choice.label.clone()))
}

/// Lower case, white space collapsed, without quotes and a full stop around.
fn bare(text: &str) -> String {
    let around = |character: char| character.is_whitespace() || "\"'.“”‘’".contains(character);
    text.trim_matches(around).to_lowercase().split_whitespace().collect::<Vec<_>>().join(" ")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn answers_settle_on_a_choice() {
        let choices = [("A", "x = 1"), ("B", "For all n, P(n)"), ("C", "None of these"), ("D", "B")];
        let choices = choices.map(|(label, text)| Choice { label: label.to_owned(), text: text.to_owned() });
        for (answer, reference, corrected) in [
            ("B", "B", "B"),
            ("b)", "B", "B"),
            ("B .", "B", "B"),
            ("(B)", "(B", "B"),
            ("**B**", "**B**", "B"),
            ("$B$", "$B$", "B"),
            ("\\boxed{B}", "\\BOXED{B}", "B"),
            ("Ｂ", "Ｂ", "B"),
            ("Option B", "OPTION B", "B"),
            ("B. For all n, P(n)", "B", "B"),
            ("B For all n, P(n)", "B", "B"),
            ("B because it is weaker", "B", "B"),
            ("for ALL n, p(n)", "B", "B"),
            ("For all n, P(n).", "FOR ALL N, P(N", "B"),
            ("A or B", "A", ""),
            ("A careful look shows nothing", "A", ""),
            ("E", "E", ""),
            ("B,C", "B,C", ""),
            ("", "", ""),
        ] {
            assert_eq!(label(answer, &choices, Scoring::Reference), reference, "{answer}");
            assert_eq!(label(answer, &choices, Scoring::Corrected), corrected, "{answer}");
        }
    }
}
