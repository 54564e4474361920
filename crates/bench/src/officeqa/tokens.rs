//! Answers as sequences of quantities and words, which the corrected metric compares one by one.
//!
//! Always holds: commas, semicolons and blanks part what is compared; a separator of thousands does not.

use super::quantity::Quantity;
use crate::python::text::is_space;
use crate::score::difference::folded;

/// A piece of an answer.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Token {
    /// A quantity.
    Quantity(Quantity),
    /// Anything else, in lower case without punctuation.
    Word(String),
}

impl Token {
    /// Whether this answers a gold's token.
    pub(super) fn answers(&self, gold: &Self) -> bool {
        match (self, gold) {
            (Self::Quantity(answer), Self::Quantity(gold)) => answer.answers(gold),
            (Self::Word(answer), Self::Word(gold)) => answer == gold,
            _ => false,
        }
    }

    fn is_quantity(&self) -> bool {
        matches!(self, Self::Quantity(_))
    }

    /// Whether it tells nothing beside quantities: a unit, or a dash.
    fn is_filler(&self) -> bool {
        matches!(self, Self::Word(word) if matches!(word.as_str(), "dollar" | "dollars" | "nominal" | "-"))
    }
}

/// The tokens of a text. The scale word at the end of a list of numbers is every number's; words such as `dollars` count
/// only where there is no number.
pub(super) fn tokens(text: &str) -> Vec<Token> {
    let text = folded(text).to_lowercase().replace('\u{2212}', "-");
    let mut found = Vec::new();
    let mut rest = text.as_str();
    while let Some((_, start)) = rest.find(|c| !is_between(c)).and_then(|at| rest.split_at_checked(at)) {
        if let Some((quantity, after)) = Quantity::read(start) {
            found.push(Token::Quantity(quantity));
            rest = after;
            continue;
        }
        let end = start.find(parts).unwrap_or(start.len());
        let (chunk, after) = start.split_at_checked(end).unwrap_or((start, ""));
        found.extend(word(chunk).map(Token::Word));
        rest = after;
    }
    if found.iter().any(Token::is_quantity) {
        found.retain(|token| !token.is_filler());
    }
    scaled_alike(found)
}

/// Whether a character parts two tokens.
fn parts(character: char) -> bool {
    is_space(character) || ",;".contains(character)
}

/// Whether a character can stand before a token without being part of it.
fn is_between(character: char) -> bool {
    parts(character) || (character.is_ascii_punctuation() && !"-+(.$".contains(character))
}

/// A chunk without punctuation, but for hyphens and marks between digits; none if nothing is left.
fn word(chunk: &str) -> Option<String> {
    let characters: Vec<char> = chunk.chars().collect();
    let digit = |at: Option<usize>| at.and_then(|at| characters.get(at)).is_some_and(char::is_ascii_digit);
    let keeps = |at: usize, character: char| match character {
        '.' | '/' | ':' => digit(at.checked_sub(1)) && digit(Some(at + 1)),
        '-' | '%' => true,
        other => !other.is_ascii_punctuation(),
    };
    let kept = characters.iter().enumerate().filter(|(at, character)| keeps(*at, **character));
    let word: String = kept.map(|(_, character)| *character).collect();
    (!word.is_empty()).then_some(word)
}

/// Gives every number of a list of numbers the scale word of the last, if the others have none.
fn scaled_alike(tokens: Vec<Token>) -> Vec<Token> {
    let scales: Option<Vec<Option<i64>>> = tokens
        .iter()
        .map(|token| match token {
            Token::Quantity(quantity) => Some(quantity.scale()),
            Token::Word(_) => None,
        })
        .collect();
    let scale = match scales.as_deref() {
        Some([others @ .., Some(scale)]) if others.iter().all(Option::is_none) => *scale,
        _ => return tokens,
    };
    let alike = |token| match token {
        Token::Quantity(quantity) => Token::Quantity(quantity.with_scale(scale)),
        word @ Token::Word(_) => word,
    };
    tokens.into_iter().map(alike).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn words(text: &str) -> Vec<String> {
        let shown = |token: Token| match token {
            Token::Quantity(_) => "#".to_owned(),
            Token::Word(word) => word,
        };
        tokens(text).into_iter().map(shown).collect()
    }

    #[test]
    fn texts_fall_into_quantities_and_words() {
        for (text, expected) in [
            ("1,2,3", vec!["#", "#", "#"]),
            ("2018,2019", vec!["#", "#"]),
            ("1,234", vec!["#"]),
            ("[2.1, 3.4]", vec!["#", "#"]),
            ("$24,193, $20,402, $14,366 thousand", vec!["#", "#", "#"]),
            ("March 1, 1944.", vec!["march", "#", "#"]),
            ("1944-03-01", vec!["1944-03-01"]),
            ("about 3/4 of A-B", vec!["about", "3/4", "of", "a-b"]),
            ("**$5 nominal dollars**", vec!["#"]),
            ("Nominal dollars", vec!["nominal", "dollars"]),
            ("don’t \"quote\"", vec!["dont", "quote"]),
            ("\u{2212}5 %", vec!["#"]),
            ("(five)", vec!["five"]),
            ("- 5", vec!["#"]),
            ("!? …", vec!["…"]),
            ("!?", vec![]),
        ] {
            assert_eq!(words(text), expected, "{text}");
        }
    }
}
