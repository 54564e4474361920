//! What can be noticed about an answer from a passage.
//!
//! Always holds: only the task's input and the reply are looked at, never the outcome.

use std::collections::BTreeSet;

use super::{Sign, given};

/// The signs of a reply.
pub(super) fn signs(input: &str, reply: &str) -> BTreeSet<Sign> {
    let (marked, text) = given(reply);
    if !marked {
        return BTreeSet::from([Sign::NoMark]);
    }
    let asked = asked(input);
    Sign::ALL.into_iter().filter(|sign| shows(*sign, &text, input, &asked)).collect()
}

/// The words of what is asked: the last paragraph, in small letters.
fn asked(input: &str) -> Vec<String> {
    let last = input.trim().rsplit("\n\n").next().unwrap_or_default();
    last.split_whitespace().map(small).collect()
}

fn small(word: &str) -> String {
    word.trim_matches(|c: char| !c.is_alphanumeric()).to_lowercase()
}

fn shows(sign: Sign, text: &str, input: &str, asked: &[String]) -> bool {
    let words: Vec<&str> = text.split_whitespace().collect();
    let first = words.first().copied().unwrap_or_default();
    let last = words.last().copied().unwrap_or_default();
    let has_digit = text.contains(|c: char| c.is_ascii_digit());
    let aside = text.contains("because") || (text.contains(" (") && text.ends_with(')'));
    match sign {
        Sign::Aside => aside,
        Sign::LongWinded => {
            let closed = text.ends_with(['.', '!', '?', '"', '…']);
            !aside && !text.contains(',') && words.len() >= 8 || (words.len() >= 5 && closed && !aside)
        }
        Sign::Assent => matches!(small(text).as_str(), "true" | "false" | "yes" | "no"),
        Sign::Courtesy => words.len() < 6 && is_courtesy(first),
        Sign::Vague => {
            has_digit && matches!(small(first).as_str(), "about" | "around" | "nearly" | "roughly")
        }
        Sign::Trailing => {
            let plain = |word: &&str| word.chars().all(char::is_lowercase);
            first.starts_with(|c: char| c.is_ascii_digit()) && words.len() == 2 && plain(&last)
        }
        Sign::Strokes => has_digit && words.len() == 1 && text.contains('/'),
        Sign::Source => words.len() < 12 && text.contains(" by ") && !input.contains(text),
        Sign::Part => !text.contains(',') && is_part(text, input, asked),
        Sign::Echo => {
            let repeated = asked.contains(&small(last)) && last.starts_with(char::is_lowercase);
            repeated && !has_digit && (2..6).contains(&words.len())
        }
        Sign::Clipped => {
            words.len() == 1 && first.starts_with(char::is_uppercase) && is_clipped(first, input)
        }
        // The answer is marked here; the others are signs of other tasks.
        Sign::NoMark | Sign::Bracketed | Sign::Lengthy => false,
        Sign::Unmarked | Sign::Seized | Sign::Fidgety | Sign::Unready => false,
        Sign::Uncomputed | Sign::Glance | Sign::Dressed | Sign::Current => false,
        Sign::Unopened | Sign::Unscaled => false,
    }
}

fn is_courtesy(word: &str) -> bool {
    let short = ["Dr", "Mr", "Mrs", "Ms", "Sir", "Prof", "Lady", "Dame", "Lord", "Capt", "Col", "Gen", "Rev"];
    let long =
        ["Captain", "Professor", "Judge", "Sister", "Brother", "Colonel", "Admiral", "General", "Doctor"];
    let bare = word.trim_end_matches('.');
    short.contains(&bare) || long.contains(&bare)
}

/// Whether the text is the head of an enumeration in the input, and several things are asked for.
fn is_part(text: &str, input: &str, asked: &[String]) -> bool {
    let several =
        asked.iter().any(|word| matches!(word.as_str(), "two" | "three" | "four" | "all" | "several"));
    let goes_on = input.split_once(text).and_then(|(_, rest)| rest.split(['.', '!', '?']).next());
    several && !text.is_empty() && goes_on.is_some_and(|rest| rest.starts_with(',') && rest.contains(" and "))
}

/// Whether the input never has the word without another capital beside it.
fn is_clipped(word: &str, input: &str) -> bool {
    let words: Vec<&str> = input.split_whitespace().collect();
    let capital = |at: usize| words.get(at).is_some_and(|word| word.starts_with(char::is_uppercase));
    let mut places = words.iter().enumerate().filter(|(_, other)| small(other) == small(word)).peekable();
    places.peek().is_some()
        && places.all(|(at, other)| {
            (at > 0 && capital(at - 1) && !words.get(at - 1).is_some_and(|before| before.ends_with('.')))
                || (other.ends_with(char::is_alphanumeric) && capital(at + 1))
        })
}

/// What a question seems to be about, in a few words.
pub(super) fn subject(input: &str) -> &'static str {
    let asked = asked(input);
    let has = |word: &str| asked.iter().any(|other| other == word);
    let question = input.trim().ends_with('?');
    if has("who") || has("whom") {
        "a person"
    } else if has("many") || has("much") {
        "a number"
    } else if has("when") || has("date") || has("year") {
        "a date"
    } else if has("three") || has("two") || has("all") {
        "several things"
    } else if ["novel", "book", "film", "song", "opera", "poem", "play", "painting"]
        .iter()
        .any(|work| has(work))
    {
        "a title"
    } else if !question {
        "a clue"
    } else {
        "a thing"
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn signs_are_seen() {
        let cases: [(&str, &str, &[Sign]); 13] = [
            ("Who?", "So it is Ada.", &[Sign::NoMark]),
            ("Who?", "<answer>Ada Lind</answer>", &[]),
            ("Who?", "<answer>Ada Lind, because it says so</answer>", &[Sign::Aside]),
            ("Who?", "<answer>Ada Lind drew the plans in May.</answer>", &[Sign::LongWinded]),
            ("This bird", "<answer>True</answer>", &[Sign::Assent]),
            ("Who?", "<answer>Dr. Ada Lind</answer>", &[Sign::Courtesy]),
            ("How many?", "<answer>about 1,800</answer>", &[Sign::Vague]),
            ("How many?", "<answer>412 looms</answer>", &[Sign::Trailing]),
            ("When?", "<answer>03/14/1902</answer>", &[Sign::Strokes]),
            ("Which book?", "<answer>Salt by Mina Hale</answer>", &[Sign::Source]),
            ("It has tin, wax and oil.\n\nWhich three?", "<answer>tin</answer>", &[Sign::Part]),
            ("The Orr.\n\nWhich river is it?", "<answer>Orr river</answer>", &[Sign::Echo]),
            ("By Ada Lind of Moor.\n\nWho?", "<answer>Lind</answer>", &[Sign::Clipped]),
        ];
        for (input, reply, expected) in cases {
            assert_eq!(signs(input, reply).into_iter().collect::<Vec<_>>(), expected, "{reply}");
        }
    }
}
