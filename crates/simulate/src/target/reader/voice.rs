//! How the reader words its reply.
//!
//! Always holds: a reply has a sentence or two of grounds before the answer, so that what was done can be quoted.

use super::answer::Found;
use super::dates;
use super::habit::Habit;
use super::question::Kind;
use crate::target::moment::Moment;

/// The most characters of the passage that a reply repeats.
const MOST_QUOTED: usize = 220;

/// The reply.
pub(crate) fn speak(found: &Found, habit: Option<Habit>, moment: &Moment) -> String {
    let sentence = clipped(&found.sentence);
    let grounds = match moment.choice(4, "grounds") {
        0 => format!("The passage says: \"{sentence}\" That is the place to look."),
        1 => format!("I looked for the words of the question. They lead to \"{sentence}\""),
        2 => format!("One sentence fits best: \"{sentence}\""),
        _ => format!("Going by the passage, \"{sentence}\" This settles it."),
    };
    let answer = spoilt(found, habit, moment);
    match habit {
        Some(Habit::Untagged) => match moment.choice(2, "untagged") {
            0 => format!("{grounds}\n\nSo the answer is {answer}."),
            _ => format!("{grounds}\n\nAnswer: {answer}"),
        },
        _ => format!("{grounds}\n\n<answer>{answer}</answer>"),
    }
}

fn clipped(text: &str) -> String {
    if text.chars().count() <= MOST_QUOTED {
        return text.to_owned();
    }
    text.chars().take(MOST_QUOTED).chain(['…']).collect()
}

/// The answer as the habit makes it.
fn spoilt(found: &Found, habit: Option<Habit>, moment: &Moment) -> String {
    let core = found.core.clone();
    let Some(habit) = habit else { return core };
    let variant = moment.choice(2, "variant");
    match habit {
        Habit::Untagged => core,
        Habit::Explained if variant == 0 => {
            format!("{core}, because the passage says so where it tells of this")
        }
        Habit::Explained => format!("{core} (this is what the text states about it)"),
        Habit::Sentence => found.sentence.clone(),
        Habit::Verdict => if variant == 0 { "True" } else { "Yes" }.to_owned(),
        Habit::Addressed => {
            found.honorific.as_ref().map_or(core.clone(), |address| format!("{address} {core}"))
        }
        Habit::Rounded => rounded(&core),
        Habit::Counted => found.unit.as_ref().map_or(core.clone(), |unit| format!("{core} {unit}")),
        Habit::Respelled => dates::with_slashes(&core).unwrap_or(core),
        Habit::Credited => match &found.person {
            Some(person) => format!("{core} by {person}"),
            None => format!("{core} by its maker"),
        },
        Habit::FirstOnly => core.split(", ").next().unwrap_or(&core).to_owned(),
        Habit::Classed => found.category.as_ref().map_or(core.clone(), |noun| format!("{core} {noun}")),
        Habit::OneWord => shortest(&core, found.kind),
        Habit::NumberOnly => found.number.clone().unwrap_or_else(|| "1".to_owned()),
        Habit::YearOnly => dates::year(&core).unwrap_or(core),
        Habit::GivenUp => "unknown".to_owned(),
    }
}

/// One word of the answer.
fn shortest(core: &str, kind: Kind) -> String {
    let word = match kind {
        Kind::List => core.split(", ").next(),
        _ => core.split_whitespace().next_back(),
    };
    word.unwrap_or(core).to_owned()
}

/// A number with two digits that count, "about" before it.
fn rounded(number: &str) -> String {
    let plain: String = number.chars().filter(char::is_ascii_digit).collect();
    let Ok(value) = plain.parse::<u64>() else { return format!("about {number}") };
    let unit = 10_u64.pow(u32::try_from(plain.len().saturating_sub(2)).unwrap_or(0).min(18));
    let value = (value + unit / 2) / unit * unit;
    let digits = value.to_string();
    let mut written = String::new();
    for (at, digit) in digits.chars().enumerate() {
        if at > 0 && (digits.len() - at) % 3 == 0 && number.contains(',') {
            written.push(',');
        }
        written.push(digit);
    }
    format!("about {written}")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_are_rounded_to_two_digits() {
        for (number, expected) in
            [("1,847", "about 1,800"), ("412", "about 410"), ("99", "about 99"), ("99,960", "about 100,000")]
        {
            assert_eq!(rounded(number), expected);
        }
    }
}
