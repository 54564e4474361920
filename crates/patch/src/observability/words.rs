//! The words of a text, as the filter compares them.
//!
//! Always holds: contractions are written out, possessives, plurals, hyphens, underscores and humps are undone, and
//! each word knows its bytes and what stands before it.

use std::ops::Range;

/// What stands between a word and the one before it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Break {
    /// Nothing that matters.
    None,
    /// A comma.
    Comma,
    /// A colon, perhaps with a line break.
    Colon,
    /// The end of a sentence, a semicolon, a dash or a line break.
    Hard,
}

/// A word.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Word {
    /// In lower case.
    pub(super) text: String,
    /// Without plural ending.
    pub(super) singular: String,
    pub(super) bytes: Range<usize>,
    pub(super) before: Break,
}

/// The words of `text` in order.
pub(super) fn words_of(text: &str) -> Vec<Word> {
    let mut words = Vec::new();
    let mut before = Break::Hard;
    let mut characters = text.char_indices().peekable();
    while let Some((start, character)) = characters.next() {
        if !character.is_alphanumeric() {
            let next = characters.peek().map(|&(_, next)| next);
            before = before.max(break_of(character, next));
            continue;
        }
        let mut end = start + character.len_utf8();
        let mut last = character;
        while let Some(&(at, next)) = characters.peek() {
            let hump = last.is_lowercase() && next.is_uppercase();
            if !(next.is_alphanumeric() && !hump || is_apostrophe(next)) {
                break;
            }
            end = at + next.len_utf8();
            last = next;
            characters.next();
        }
        add(&mut words, text.get(start..end).unwrap_or(""), start..end, before);
        before = Break::None;
    }
    words
}

fn is_apostrophe(character: char) -> bool {
    matches!(character, '\'' | '\u{2019}')
}

fn break_of(character: char, next: Option<char>) -> Break {
    match character {
        '.' if next.is_some_and(char::is_alphanumeric) => Break::None,
        '.' | '!' | '?' | ';' | '\n' | '\u{2014}' | '\u{2013}' => Break::Hard,
        ':' => Break::Colon,
        ',' | '(' | ')' => Break::Comma,
        _ => Break::None,
    }
}

fn add(words: &mut Vec<Word>, found: &str, bytes: Range<usize>, before: Break) {
    let lower = found.to_lowercase().replace('\u{2019}', "'");
    let lower = lower.trim_end_matches('\'');
    let parts: Vec<&str> = match lower {
        "can't" | "cannot" => vec!["can", "not"],
        "won't" => vec!["will", "not"],
        "shan't" => vec!["shall", "not"],
        "groundtruth" | "groundtruths" => vec!["ground", "truth"],
        "heldout" => vec!["held", "out"],
        "testset" => vec!["test", "set"],
        _ => match lower.strip_suffix("n't") {
            Some(stem) => vec![stem, "not"],
            None => vec![lower.split('\'').next().unwrap_or(lower)],
        },
    };
    for (index, part) in parts.into_iter().enumerate() {
        let before = if index == 0 { before } else { Break::None };
        words.push(Word { text: part.to_owned(), singular: singular(part), bytes: bytes.clone(), before });
    }
}

fn singular(word: &str) -> String {
    let stem = if let Some(stem) = word.strip_suffix("ies").filter(|stem| stem.len() > 1) {
        return format!("{stem}y");
    } else if word == "criteria" {
        "criterion"
    } else if ["ches", "shes", "sses", "xes"].iter().any(|ending| word.ends_with(ending)) {
        word.get(..word.len() - 2).unwrap_or(word)
    } else if word.len() > 3
        && word.ends_with('s')
        && !["ss", "us", "is"].iter().any(|end| word.ends_with(end))
    {
        word.get(..word.len() - 1).unwrap_or(word)
    } else {
        word
    };
    stem.to_owned()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_are_brought_to_one_form() {
        for (text, expected) in [
            ("Don't use gold_answers", "do not use gold answer"),
            ("the evaluator\u{2019}s scores", "the evaluator score"),
            ("the graders' verdicts", "the grader verdict"),
            ("goldAnswer ground-truths GROUNDTRUTH", "gold answer ground truth ground truth"),
            ("You cannot open answers.json", "you can not open answer json"),
            ("matches trajectories criteria", "match trajectory criterion"),
        ] {
            let words: Vec<String> = words_of(text).into_iter().map(|word| word.singular).collect();
            assert_eq!(words.join(" "), expected);
        }
    }
}
