//! Sentences of the context: words, negations and the gaps between them.
//!
//! Always holds: what a sentence means is decided by the words in it alone, wherever they stand and however they are
//! marked up.

/// What an instruction does to a habit.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Effect {
    /// Switches it off.
    Forbids,
    /// Brings it about.
    AsksFor,
}

/// What a sentence must hold.
#[derive(Debug, Clone, Copy)]
pub(crate) enum Need {
    /// One of the words.
    Any(&'static [&'static str]),
    /// One of the words under a negation.
    Denied(&'static [&'static str]),
    /// One of the words outside negations.
    Affirmed(&'static [&'static str]),
    /// None of the words.
    Absent(&'static [&'static str]),
}

/// The sentences of a text; a full stop inside an abbreviation ends none.
pub(crate) fn sentences(text: &str) -> Vec<String> {
    let mut sentences = Vec::new();
    for line in text.lines().filter(|line| !line.trim_start().starts_with('#')) {
        let mut current = String::new();
        for token in line.split_whitespace() {
            current.push_str(token);
            current.push(' ');
            let bare = token.trim_end_matches([')', '"', '”', '*', '`']);
            let abbreviation = bare.chars().filter(|c| c.is_alphabetic()).count() <= 4
                && (bare.starts_with(char::is_uppercase) || bare.contains("e.g") || bare.contains("i.e"));
            if bare.ends_with([';', '!', '?']) || (bare.ends_with('.') && !abbreviation) {
                sentences.push(std::mem::take(&mut current));
            }
        }
        if !current.is_empty() {
            sentences.push(current);
        }
    }
    sentences
}

/// A word of an instruction.
pub(crate) struct Token {
    /// The word in small letters.
    pub(crate) text: String,
    /// What separates it from the next word.
    pub(crate) after: Gap,
}

/// What stands between two words.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Gap {
    /// A space.
    None,
    /// A comma.
    Comma,
    /// A colon or a dash.
    Colon,
}

/// A sentence of the context as words.
pub(crate) struct Sentence(pub(crate) Vec<Token>);

/// Words that turn the sense of what follows.
const NEGATORS: [&str; 23] = [
    "not",
    "never",
    "no",
    "without",
    "avoid",
    "avoiding",
    "omit",
    "omitting",
    "drop",
    "dropping",
    "remove",
    "removing",
    "strip",
    "stripping",
    "skip",
    "exclude",
    "refrain",
    "instead",
    "rather",
    "neither",
    "nor",
    "cannot",
    "free",
];
/// Words that turn the sense of what went before.
const AFTERTHOUGHTS: [&str; 17] = [
    "not",
    "never",
    "omitted",
    "dropped",
    "removed",
    "stripped",
    "excluded",
    "avoided",
    "unnecessary",
    "unwanted",
    "forbidden",
    "wrong",
    "banned",
    "off",
    "don't",
    "unneeded",
    "outside",
];
/// How far a negation reaches.
const REACH: usize = 8;

impl Sentence {
    /// Reads a sentence.
    pub(crate) fn read(text: &str) -> Self {
        let spaced = text.replace(['/', '(', ')', '"', '“', '”', '`', '*'], " ").replace("—", " : ");
        let mut tokens: Vec<Token> = Vec::new();
        for raw in spaced.split_whitespace() {
            // Replacing the slash has split closing tags in two; a lone angle bracket is no word.
            let word =
                raw.trim_matches(|c: char| !c.is_alphanumeric() && c != '<' && c != '>').to_lowercase();
            let gap = if raw.ends_with(',') {
                Gap::Comma
            } else if raw.ends_with([':', '–']) {
                Gap::Colon
            } else {
                Gap::None
            };
            if word.is_empty() || word == "<" {
                if let Some(last) = tokens.last_mut().filter(|_| gap != Gap::None) {
                    last.after = gap;
                }
                continue;
            }
            tokens.push(Token { text: word.replace('’', "'"), after: gap });
        }
        Self(tokens)
    }

    /// Whether the sentence holds what is needed.
    pub(crate) fn meets(&self, need: &Need) -> bool {
        match need {
            Need::Any(words) => self.places(words).next().is_some(),
            Need::Denied(words) => self.places(words).any(|at| self.denied(at)),
            Need::Affirmed(words) => self.places(words).any(|at| !self.denied(at)),
            Need::Absent(words) => self.places(words).next().is_none(),
        }
    }

    /// Where one of the words stands. A trailing `*` matches any ending; two words match in a row.
    pub(crate) fn places<'a>(&'a self, words: &'a [&'a str]) -> impl Iterator<Item = usize> + 'a {
        (0..self.0.len()).filter(move |at| words.iter().any(|word| self.matches(*at, word)))
    }

    /// Whether a pattern's words stand there.
    pub(crate) fn matches(&self, at: usize, pattern: &str) -> bool {
        pattern.split(' ').enumerate().all(|(ahead, word)| {
            self.0.get(at + ahead).is_some_and(|token| match word.strip_suffix('*') {
                Some(beginning) => token.text.starts_with(beginning),
                None => token.text == word,
            })
        })
    }

    fn denied(&self, at: usize) -> bool {
        self.denied_before(at) || self.denied_after(at)
    }

    fn denied_before(&self, at: usize) -> bool {
        let mut piece = self.piece_after(at);
        for back in 1..=REACH.min(at) {
            let Some(token) = self.0.get(at - back) else { return false };
            match token.after {
                Gap::Colon => return false,
                // A long piece after a comma is a clause of its own, a short one an item of a list.
                Gap::Comma if piece > 3 => return false,
                Gap::Comma => piece = 0,
                Gap::None => {}
            }
            piece += 1;
            if token.text == "but" || token.text == "only" && back > 1 {
                return false;
            }
            if NEGATORS.contains(&token.text.as_str())
                || token.text.ends_with("n't")
                || self.leaves_out(at - back)
            {
                return true;
            }
        }
        false
    }

    /// How many words follow in the same piece between commas, this one counted.
    fn piece_after(&self, at: usize) -> usize {
        let rest = self.0.iter().skip(at);
        rest.take_while(|token| token.after == Gap::None).count() + 1
    }

    fn leaves_out(&self, at: usize) -> bool {
        let out = |token: &Token| matches!(token.text.as_str(), "out" | "off" | "away");
        let verb = self
            .0
            .get(at)
            .is_some_and(|token| matches!(token.text.as_str(), "leave" | "leaving" | "take" | "cut"));
        verb && self.0.iter().skip(at + 1).take(REACH).any(out)
    }

    fn denied_after(&self, at: usize) -> bool {
        if self.0.get(at).is_none_or(|token| token.after != Gap::None) {
            return false;
        }
        for token in self.0.iter().skip(at + 1).take(REACH) {
            if AFTERTHOUGHTS.contains(&token.text.as_str()) || token.text.ends_with("n't") {
                return true;
            }
            if token.after != Gap::None {
                return false;
            }
        }
        false
    }

    /// Whether a negation stands between the start of a clause and a place in it.
    pub(crate) fn denied_within(&self, at: usize, start: usize) -> bool {
        let between = self.0.iter().take(at).skip(start);
        let mut between = between.map(|token| token.text.as_str());
        between.any(|word| NEGATORS.contains(&word) || word.ends_with("n't"))
    }
}
