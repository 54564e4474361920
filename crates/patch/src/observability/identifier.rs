//! Ids of tasks, rollouts and cards in the text of an edit. A rule that names one is about a single case.
//!
//! Always holds: an id is found only as a whole word; an id that could be an ordinary word or number counts only behind
//! a word that says what it is, as in "task 12".

use memchr::memmem;

/// Words behind which even a plain number is an id.
const NAMES: &[&str] =
    &["task", "rollout", "card", "example", "question", "item", "case", "trajectory", "id", "sample"];

/// The first of `identifiers` that `text` names.
///
/// ```
/// use textualrl_patch::observability::named_identifier;
///
/// assert_eq!(named_identifier("As in sqa-0417, keep the casing.", ["sqa-0417"]), Some("sqa-0417"));
/// assert_eq!(named_identifier("In task 12 keep the casing.", ["12"]), Some("12"));
/// assert_eq!(named_identifier("Use at most 12 words.", ["12"]), None);
/// ```
pub fn named_identifier<'a>(text: &str, identifiers: impl IntoIterator<Item = &'a str>) -> Option<&'a str> {
    identifiers.into_iter().find(|identifier| {
        !identifier.is_empty()
            && memmem::find_iter(text.as_bytes(), identifier.as_bytes()).any(|at| {
                let (before, after) =
                    (text.get(..at).unwrap_or(""), text.get(at + identifier.len()..).unwrap_or(""));
                let whole = !before.chars().next_back().is_some_and(is_part) && !goes_on(after);
                whole && (is_telling(identifier) || is_named(before))
            })
    })
}

fn is_part(character: char) -> bool {
    character.is_alphanumeric() || matches!(character, '_' | '-')
}

fn goes_on(after: &str) -> bool {
    let mut characters = after.chars();
    match characters.next() {
        Some('-') => characters.next().is_some_and(char::is_alphanumeric),
        Some(next) => next.is_alphanumeric() || next == '_',
        None => false,
    }
}

/// Whether an id cannot be an ordinary word, number or cell.
fn is_telling(identifier: &str) -> bool {
    let digits = identifier.chars().any(|character| character.is_ascii_digit());
    let others = identifier.chars().any(|character| !character.is_ascii_digit());
    identifier.len() >= 16 || (identifier.len() >= 4 && digits && others)
}

fn is_named(before: &str) -> bool {
    let mut words =
        before.split(|character: char| !character.is_alphanumeric()).filter(|word| !word.is_empty());
    let last = words.next_back().unwrap_or("").to_lowercase();
    let last = last.strip_suffix('s').unwrap_or(&last);
    let near = before.trim_end_matches([' ', '#', '`', '"', '(', ':', '\'', '[']);
    let touches = near.chars().next_back().is_some_and(char::is_alphanumeric);
    touches && NAMES.contains(&last)
}
