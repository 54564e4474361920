//! Walks over text piece by piece.
//!
//! Always holds: the place only moves forward, and only over whole characters.

/// Why a grammar cannot be used.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("{place}: {message}")]
pub struct GrammarError {
    /// Where in the grammar: a line, a rule or an action.
    pub place: String,
    /// What is wrong and what was expected.
    pub message: String,
}

impl GrammarError {
    pub(crate) fn new(place: impl Into<String>, message: impl Into<String>) -> Self {
        Self { place: place.into(), message: message.into() }
    }
}

/// The rest of a text.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Scan<'a> {
    pub(crate) rest: &'a str,
}

impl<'a> Scan<'a> {
    pub(crate) fn new(text: &'a str) -> Self {
        Self { rest: text }
    }

    /// Takes the characters that fit, possibly none.
    pub(crate) fn take(&mut self, fits: impl Fn(char) -> bool) -> &'a str {
        let end = self.rest.find(|c| !fits(c)).unwrap_or(self.rest.len());
        let (taken, rest) = self.rest.split_at_checked(end).unwrap_or((self.rest, ""));
        self.rest = rest;
        taken
    }

    /// Takes the characters that fit, at least one.
    pub(crate) fn take_some(&mut self, fits: impl Fn(char) -> bool) -> Option<&'a str> {
        Some(self.take(fits)).filter(|taken| !taken.is_empty())
    }

    /// Takes `token` if it stands here.
    pub(crate) fn eat(&mut self, token: &str) -> bool {
        match self.rest.strip_prefix(token) {
            Some(rest) => {
                self.rest = rest;
                true
            }
            None => false,
        }
    }

    /// Takes the text up to `end` and `end` itself.
    pub(crate) fn take_until(&mut self, end: &str) -> Option<&'a str> {
        let (taken, rest) = self.rest.split_once(end)?;
        self.rest = rest;
        Some(taken)
    }
}

/// Whether a character belongs to a name.
pub(crate) fn is_word(c: char) -> bool {
    c.is_alphanumeric() || c == '_'
}
