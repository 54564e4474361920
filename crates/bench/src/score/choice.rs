//! The label of a choice in an answer.
//!
//! Always holds: the article at the head of a sentence is never taken for a choice; two different labels are none.

use std::sync::LazyLock;

use regex::Regex;

/// Forms that name a label on purpose, from the surest on.
static MARKED: LazyLock<Vec<Regex>> = LazyLock::new(|| {
    let forms = [
        r"\\boxed\{\s*(?:\\text\{)?\s*\(?([A-Za-z])\)?\s*\}",
        r"(?i)\b(?:answer|option|choice)\s*(?:is|:|=)?\s*\**\(?([A-Z])\)?\**(?:[^A-Za-z]|$)",
        r"\*\*\(?([A-Z])\)?[.:]?\*\*",
        r"\(([A-Z])\)",
        r"^\(?([A-Za-z])[).:](?:\s|$)",
    ];
    forms.iter().filter_map(|form| Regex::new(form).ok()).collect()
});

/// The label that the answer names, upper case.
pub fn label(answer: &str) -> Option<char> {
    let plain: String = answer.chars().map(half_width).collect();
    let plain = plain.trim();
    let mut characters = plain.chars();
    if let (Some(only), None) = (characters.next(), characters.next()) {
        return only.is_ascii_alphabetic().then(|| only.to_ascii_uppercase());
    }
    for form in MARKED.iter() {
        let mut labels: Vec<char> = form
            .captures_iter(plain)
            .filter_map(|captures| captures.get(1)?.as_str().chars().next())
            .map(|label| label.to_ascii_uppercase())
            .collect();
        labels.dedup();
        match labels.as_slice() {
            [] => {}
            [only] => return Some(*only),
            _ => return None,
        }
    }
    None
}

/// Whether the answer names the gold's label, or repeats a gold that is a text.
pub fn matches(answer: &str, gold: &str) -> bool {
    match label(gold) {
        Some(gold) if is_label(gold, answer) => true,
        _ => answer.trim().to_lowercase() == gold.trim().to_lowercase(),
    }
}

fn is_label(gold: char, answer: &str) -> bool {
    label(answer) == Some(gold)
}

/// A full-width letter or bracket as its usual form.
fn half_width(character: char) -> char {
    let code = character as u32;
    match code {
        0xff01..=0xff5e => char::from_u32(code - 0xfee0).unwrap_or(character),
        _ => character,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn labels_are_found_in_their_usual_forms() {
        for (answer, expected) in [
            ("B", Some('B')),
            ("b", Some('B')),
            ("(B)", Some('B')),
            ("**B**", Some('B')),
            (r"\boxed{B}", Some('B')),
            (r"so $\boxed{\text{C}}$", Some('C')),
            ("（Ｂ）", Some('B')),
            ("B.", Some('B')),
            ("B) the second one", Some('B')),
            ("The answer is C.", Some('C')),
            ("Answer: (D)", Some('D')),
            ("A good choice would be to wait", None),
            ("A cat sat down", None),
            ("(A) or (B)", None),
            ("", None),
        ] {
            assert_eq!(label(answer), expected, "{answer:?}");
        }
    }

    #[test]
    fn a_gold_may_be_a_text() {
        assert!(matches("Refund_not_showing_up", "refund_not_showing_up"));
        assert!(matches("The answer is B", "(B)"));
        assert!(!matches("A cat", "(A)"));
    }
}
