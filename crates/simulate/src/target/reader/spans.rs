//! The spans of a sentence that could be an answer.
//!
//! Always holds: every span is a run of words of one sentence, worded as there.

use super::dates;
use super::passage::{Sentence, Word};
use super::question::FUNCTION_WORDS;

/// What a span looks like.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Shape {
    /// Capitalised words.
    Proper,
    /// A number in digits.
    Number,
    /// A date or year.
    Date,
    /// Words between quotation marks.
    Quoted,
    /// Several short items joined by commas and "and".
    List,
    /// A word in lower case.
    Common,
}

/// A span.
#[derive(Debug, Clone)]
pub(crate) struct Span {
    /// What it looks like.
    pub(crate) shape: Shape,
    /// Its first word's place in the sentence.
    pub(crate) start: usize,
    /// How many words it has.
    pub(crate) length: usize,
    /// Its text.
    pub(crate) text: String,
    /// The title before a person's name, with its full stop.
    pub(crate) honorific: Option<String>,
}

/// What may stand before a name as a form of address.
const ADDRESSES: [&str; 24] = [
    "Dr",
    "Mr",
    "Mrs",
    "Ms",
    "Prof",
    "Professor",
    "Doctor",
    "Captain",
    "Capt",
    "Sir",
    "Lady",
    "Lord",
    "Dame",
    "Judge",
    "Colonel",
    "Col",
    "General",
    "Gen",
    "Sister",
    "Brother",
    "Rev",
    "Reverend",
    "Admiral",
    "Madame",
];
/// Small words that names may hold inside.
const JOINTS: [&str; 9] = ["of", "the", "de", "van", "von", "la", "del", "du", "di"];

/// All spans of a sentence.
pub(crate) fn spans(sentence: &Sentence) -> Vec<Span> {
    let words = &sentence.words;
    let mut spans = quoted(sentence);
    spans.extend(lists(words));
    spans.extend(numbers_and_dates(words));
    spans.extend(names(words));
    let common = words.iter().enumerate().filter(|(_, word)| {
        word.text.chars().all(|c| c.is_lowercase() || c == '-')
            && word.text.chars().count() > 2
            && !FUNCTION_WORDS.contains(&word.lower.as_str())
    });
    spans.extend(common.map(|(start, _)| span(Shape::Common, words, start, 1)));
    spans
}

fn span(shape: Shape, words: &[Word], start: usize, length: usize) -> Span {
    let texts: Vec<&str> = words.iter().skip(start).take(length).map(|word| word.text.as_str()).collect();
    Span { shape, start, length, text: texts.join(" "), honorific: None }
}

fn is_capital(word: &Word) -> bool {
    word.text.starts_with(char::is_uppercase)
}

/// Runs of capitalised words, small joints allowed inside; a form of address is split off.
fn names(words: &[Word]) -> Vec<Span> {
    let mut spans = Vec::new();
    let mut at = 0;
    while let Some(word) = words.get(at) {
        let opening = at == 0 && FUNCTION_WORDS.contains(&word.lower.as_str());
        if !is_capital(word) || opening {
            at += 1;
            continue;
        }
        let length = name_length(words, at);
        let lone = length == 1 && (word.text.len() < 2 || FUNCTION_WORDS.contains(&word.lower.as_str()));
        if !lone {
            spans.push(without_address(words, at, length));
        }
        at += length.max(1);
    }
    spans
}

fn name_length(words: &[Word], start: usize) -> usize {
    let mut length = 0;
    while let Some(word) = words.get(start + length) {
        if is_capital(word) {
            length += 1;
        } else if JOINTS.contains(&word.lower.as_str()) && capital_follows(words, start + length) {
            length += 1;
            continue;
        } else {
            break;
        }
        let next_opens = words.get(start + length).is_some_and(|next| next.opens);
        if word.ends || next_opens {
            break;
        }
    }
    length
}

fn capital_follows(words: &[Word], at: usize) -> bool {
    let following = words.iter().skip(at + 1).take(2);
    following
        .take_while(|word| !word.opens)
        .find(|word| !JOINTS.contains(&word.lower.as_str()))
        .is_some_and(is_capital)
}

fn without_address(words: &[Word], start: usize, length: usize) -> Span {
    let first = words.get(start).map_or("", |word| word.text.as_str());
    if length < 2 || !ADDRESSES.contains(&first) {
        return span(Shape::Proper, words, start, length);
    }
    let stop = if first.len() <= 4 && !matches!(first, "Sir" | "Lady" | "Lord" | "Dame") { "." } else { "" };
    let named = span(Shape::Proper, words, start + 1, length - 1);
    Span { honorific: Some(format!("{first}{stop}")), ..named }
}

fn numbers_and_dates(words: &[Word]) -> Vec<Span> {
    let mut spans = Vec::new();
    let mut at = 0;
    while let Some(word) = words.get(at) {
        if let Some(length) = dates::date_length(words, at) {
            spans.push(span(Shape::Date, words, at, length));
            at += length;
            continue;
        }
        if word.text.starts_with(|c: char| c.is_ascii_digit() || c == '$') {
            spans.push(span(Shape::Number, words, at, 1));
        }
        at += 1;
    }
    spans
}

/// What stands between double quotation marks, up to eight words.
fn quoted(sentence: &Sentence) -> Vec<Span> {
    let straight = sentence.text.replace(['“', '”'], "\"");
    let pieces: Vec<&str> = straight.split('"').collect();
    let inside = pieces.iter().skip(1).step_by(2).take(pieces.len().saturating_sub(1) / 2);
    let mut spans = Vec::new();
    for text in inside {
        let text = text.trim_matches(|c: char| c == ',' || c == '.' || c.is_whitespace());
        let first = text.split_whitespace().next().and_then(super::passage::word);
        let length = text.split_whitespace().count();
        let start = first
            .and_then(|first| sentence.words.iter().position(|word| word.opens && word.text == first.text));
        if let Some(start) = start.filter(|_| (1..=8).contains(&length)) {
            let honorific = None;
            spans.push(Span { shape: Shape::Quoted, start, length, text: text.to_owned(), honorific });
        }
    }
    spans
}

/// "a, b and c" with items of one or two words.
fn lists(words: &[Word]) -> Vec<Span> {
    let mut spans = Vec::new();
    for (at, word) in words.iter().enumerate() {
        if word.lower != "and" {
            continue;
        }
        let Some(start) = list_start(words, at) else { continue };
        let last = words.iter().skip(at + 1).take(2).position(|word| word.ends).map_or(1, |place| place + 1);
        let mut items: Vec<String> = Vec::new();
        let mut item: Vec<&str> = Vec::new();
        for word in words.iter().take(at).skip(start) {
            item.push(&word.text);
            if word.comma {
                items.push(item.join(" "));
                item.clear();
            }
        }
        if !item.is_empty() {
            items.push(item.join(" "));
        }
        items.push(span(Shape::List, words, at + 1, last).text);
        let (length, honorific) = (at + 1 + last - start, None);
        spans.push(Span { shape: Shape::List, start, length, text: items.join(", "), honorific });
    }
    spans
}

/// Where the list begins whose last "and" is at `and`; none if no comma is near.
fn list_start(words: &[Word], and: usize) -> Option<usize> {
    let comma = |at: usize| words.get(at).is_some_and(|word| word.comma);
    let first_comma = (and.saturating_sub(6)..and).find(|at| comma(*at))?;
    let in_pairs = (first_comma..and).all(|at| !words.get(at).is_some_and(|word| word.ends && !word.comma));
    let two_words = (first_comma + 1..and).filter(|at| comma(*at) || *at + 1 == and).min()? > first_comma + 1;
    let start = if two_words { first_comma.saturating_sub(1) } else { first_comma };
    in_pairs.then_some(start)
}

#[cfg(test)]
mod tests {
    use super::super::passage;
    use super::*;

    fn texts(sentence: &str, shape: Shape) -> Vec<String> {
        let documents = passage::read(sentence);
        let found = spans(&documents[0].sentences[0]).into_iter().filter(|span| span.shape == shape);
        found
            .map(|span| {
                format!("{}{}", span.honorific.map_or(String::new(), |h| format!("[{h}] ")), span.text)
            })
            .collect()
    }

    #[test]
    fn spans_of_every_shape_are_found() {
        let cases: [(&str, Shape, &[&str]); 7] = [
            ("The bridge was drawn by Dr. Ada Lind of Varn.", Shape::Proper, &["[Dr.] Ada Lind of Varn"]),
            ("In Varn, Captain Ila Moss sang.", Shape::Proper, &["Varn", "[Captain] Ila Moss"]),
            ("They ordered 1,847 lamps and 12 oars.", Shape::Number, &["1,847", "12"]),
            ("It sank on 14 March 1902 near Holm.", Shape::Date, &["14 March 1902"]),
            ("Her novel “The Glass Orchard” came out.", Shape::Quoted, &["The Glass Orchard"]),
            ("The flag shows amber, slate and ochre.", Shape::List, &["amber, slate, ochre"]),
            (
                "They grew blue flax, red hops and white beets.",
                Shape::List,
                &["blue flax, red hops, white beets"],
            ),
        ];
        for (sentence, shape, expected) in cases {
            assert_eq!(texts(sentence, shape), expected, "{sentence}");
        }
    }
}
