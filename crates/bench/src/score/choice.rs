//! The label of a choice in an answer.
//!
//! Always holds: the article at the head of a sentence, and the `I` of a speaker, are never taken for a choice; where
//! an answer weighs several labels and settles on none, it has none.

use std::sync::LazyLock;

use regex::Regex;

/// The sides of a label: `(B)`, `**B**`, `**(B)**`, `"B"`, `$B$`.
const OPEN: &str = r#"[\s*_`"'$(\[]*"#;
/// What may follow a label: an end, a mark, or a word that goes on after a choice. Never a word that `a` could belong to.
const END: &str =
    r#"(?:[*_`"'$)\].:,;!]|\s*$|\s*\n|\s+(?:is|was|as|because|since|and|which|but|not|with)\b)"#;

/// How a sentence settles on a choice.
const SETTLES: &str =
    r"(?i:\b(?:answer|choice|option)(?:\s*(?:is|would be|:|=))+(?:\s*(?:option|choice)\b)?)";

/// Forms that settle on a label, of which the last counts; the surest form first.
static SETTLED: LazyLock<Vec<Regex>> = LazyLock::new(|| {
    compiled(&[
        r"\\boxed\s*\{\s*(?:\\(?:text|textbf|mathrm|mathbf)\s*\{)?\s*\(?([A-Za-z])\)?\s*\}".to_owned(),
        format!("{SETTLES}{OPEN}([A-Z]){END}"),
        // Lower case, where no word follows that it could be the article of.
        format!(r#"{SETTLES}{OPEN}([a-z])[*_`"'$)\].]*\s*(?:$|\n)"#),
    ])
});

/// Forms that mention a label; different ones settle nothing.
static MENTIONED: LazyLock<Vec<Regex>> = LazyLock::new(|| {
    compiled(&[
        format!(r"(?i:\b(?:option|choice))\s+{OPEN}([A-Z]){END}"),
        r"(?:\*\*|__)\(?([A-Z])\)?[.:]?(?:\*\*|__)".to_owned(),
        r"\(([A-Z])\)".to_owned(),
        r"(?m)^\s*\(?([A-Za-z])[).:](?:\s|$)".to_owned(),
        // The `I` of a speaker is no label.
        format!(r#"^{OPEN}([A-HJ-Z])[*_`"'$)\]]*\s+(?:is|was|because|since)\b"#),
    ])
});

/// A text that is nothing but a label; then one that is a label and the text of its choice.
static ALONE: LazyLock<Vec<Regex>> = LazyLock::new(|| {
    compiled(&[
        format!(r#"^{OPEN}([A-Za-z])[\s*_`"'$)\].:]*$"#),
        r"^\s*(?:\(([A-Za-z])\)|([A-Z])[).:])\s".to_owned(),
    ])
});

fn compiled(forms: &[String]) -> Vec<Regex> {
    forms.iter().filter_map(|form| Regex::new(form).ok()).collect()
}

/// The label that the answer settles on, upper case.
pub fn label(answer: &str) -> Option<char> {
    let plain = half_width(answer);
    let alone = ALONE.first().and_then(|form| labels(form, &plain).pop());
    alone.or_else(|| SETTLED.iter().find_map(|form| labels(form, &plain).pop())).or_else(|| {
        let mentioned =
            MENTIONED.iter().map(|form| labels(form, &plain)).find(|labels| !labels.is_empty())?;
        let first = mentioned.first().copied();
        first.filter(|first| mentioned.iter().all(|label| label == first))
    })
}

/// The label that a gold is: a text that merely mentions one, such as "Vitamin (C)", is none.
pub fn gold_label(gold: &str) -> Option<char> {
    let plain = half_width(gold);
    ALONE.iter().find_map(|form| labels(form, &plain).pop())
}

fn labels(form: &Regex, text: &str) -> Vec<char> {
    let label =
        |captures: regex::Captures<'_>| captures.iter().skip(1).flatten().next()?.as_str().chars().next();
    form.captures_iter(text).filter_map(label).map(|label| label.to_ascii_uppercase()).collect()
}

/// Whether the answer settles on the gold's label, or its last line repeats a gold that is a text.
pub fn matches(answer: &str, gold: &str) -> bool {
    if gold_label(gold).is_some_and(|gold| label(answer) == Some(gold)) {
        return true;
    }
    let last = answer.lines().rfind(|line| !line.trim().is_empty()).unwrap_or_default();
    let gold = bare(gold);
    !gold.is_empty() && (bare(answer) == gold || bare(last) == gold)
}

/// Lower case, white space collapsed, without quotes, emphasis and a full stop around.
fn bare(text: &str) -> String {
    let around = |character: char| character.is_whitespace() || "\"'`*_.“”‘’".contains(character);
    text.trim_matches(around).to_lowercase().split_whitespace().collect::<Vec<_>>().join(" ")
}

/// Full-width letters and marks as their usual forms.
fn half_width(text: &str) -> String {
    let half = |character: char| match u32::from(character) {
        code @ 0xff01..=0xff5e => char::from_u32(code - 0xfee0).unwrap_or(character),
        _ => character,
    };
    text.chars().map(half).collect()
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    #[test]
    fn labels_are_found_in_their_usual_forms() {
        for (answer, expected) in [
            ("B", Some('B')),
            ("b", Some('B')),
            ("(B)", Some('B')),
            ("**B**", Some('B')),
            ("**(B)**", Some('B')),
            (r"\boxed{B}", Some('B')),
            (r"so $\boxed{\text{C}}$", Some('C')),
            (r"$\boxed{\mathrm{(D)}}$", Some('D')),
            ("（Ｂ）", Some('B')),
            ("B.", Some('B')),
            ("B) the second one", Some('B')),
            ("(b) the second one", Some('B')),
            ("The answer is C.", Some('C')),
            ("The answer is **A**", Some('A')),
            ("The answer is A because it fits", Some('A')),
            ("Answer: (D)", Some('D')),
            ("answer: b", Some('B')),
            ("The correct option is \"E\".", Some('E')),
            (r"Energy $\Delta E$. Answer: B", Some('B')),
            ("Option A is wrong and option B is wrong. The answer is C.", Some('C')),
            ("First I thought the answer is A. Now: the answer is B.", Some('B')),
            ("Option A is wrong, so the answer is option B", Some('B')),
            ("So option D.", Some('D')),
            ("I weighed them.\nC) is right", Some('C')),
            ("B because it fits", Some('B')),
            ("**A** is right", Some('A')),
        ] {
            assert_eq!(label(answer), expected, "{answer:?}");
        }
    }

    #[test]
    fn articles_and_speakers_are_no_labels() {
        for answer in [
            "A good choice would be to wait",
            "A cat sat down",
            "A careful analysis gives C",
            "The answer is a matter of taste",
            "The answer is A matter of taste",
            "The answer: a cat",
            "My answer I keep to myself",
            "I was right",
            "(A) or (B)",
            "Option A is as good as option B.",
            "",
        ] {
            assert_eq!(label(answer), None, "{answer:?}");
        }
    }

    #[test]
    fn a_gold_may_be_a_text() {
        for (answer, gold, right) in [
            ("Refund_not_showing_up", "refund_not_showing_up", true),
            ("I looked at it.\n\n`card arrival`.", "card arrival", true),
            ("drug  Reaction", "drug reaction", true),
            ("reverted_card_payment?", "reverted_card_payment?", true),
            ("card", "card arrival", false),
            ("The answer is B", "(B)", true),
            ("A cat", "(A)", false),
            ("C", "Vitamin (C)", false),
            ("", "x", false),
        ] {
            assert_eq!(matches(answer, gold), right, "{answer:?} {gold:?}");
        }
    }

    proptest! {
        #[test]
        fn a_label_is_an_upper_case_letter(answer in "(answer is |\\(|\\*\\*|[A-Ea-e]|\\\\boxed\\{|\\}|\\PC|\n| ){0,12}") {
            prop_assert!(label(&answer).is_none_or(|label| label.is_ascii_uppercase()));
        }
    }
}
