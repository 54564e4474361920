//! What the context tells the reader to do: clauses, negation, conditions.
//!
//! Always holds: an instruction is recognised by the words of its sense in one sentence, never by its wording; a
//! condition that it names restricts it to the answers that fit.

use super::habit::Habit;
use super::question::Kind;
use super::rules::{self, Effect, Need};

/// What a sentence of the context brings about.
struct Instruction {
    habit: Habit,
    effect: Effect,
    condition: Condition,
}

/// The instructions of a context.
pub(crate) struct Instructions(Vec<Instruction>);

impl Instructions {
    /// What the context wants of a habit in such an answer; where it contradicts itself, its last word counts.
    pub(crate) fn effect(&self, habit: Habit, kind: Kind, declarative: bool) -> Option<Effect> {
        let meant = self.0.iter().rfind(|instruction| {
            instruction.habit == habit && instruction.condition.holds(kind, declarative)
        });
        meant.map(|instruction| instruction.effect)
    }
}

/// Reads the instructions of a context.
pub(crate) fn read(context: &str) -> Instructions {
    let mut found = Vec::new();
    for text in sentences(context) {
        let sentence = Sentence::read(&text);
        let condition = Condition::read(&sentence);
        for rule in rules::rules() {
            if rule.needs.iter().all(|need| sentence.meets(need)) {
                found.push(Instruction {
                    habit: rule.habit,
                    effect: rule.effect,
                    condition: condition.clone(),
                });
            }
        }
    }
    Instructions(found)
}

/// The sentences of a text; a full stop inside an abbreviation ends none.
fn sentences(text: &str) -> Vec<String> {
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
struct Token {
    text: String,
    /// What separates it from the next word.
    after: Gap,
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Gap {
    None,
    Comma,
    Colon,
}

/// A sentence of the context as words.
struct Sentence(Vec<Token>);

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
    fn read(text: &str) -> Self {
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

    fn meets(&self, need: &Need) -> bool {
        match need {
            Need::Any(words) => self.places(words).next().is_some(),
            Need::Denied(words) => self.places(words).any(|at| self.denied(at)),
            Need::Affirmed(words) => self.places(words).any(|at| !self.denied(at)),
            Need::Absent(words) => self.places(words).next().is_none(),
        }
    }

    /// Where one of the words stands. A trailing `*` matches any ending; two words match in a row.
    fn places<'a>(&'a self, words: &'a [&'a str]) -> impl Iterator<Item = usize> + 'a {
        (0..self.0.len()).filter(move |at| words.iter().any(|word| self.matches(*at, word)))
    }

    fn matches(&self, at: usize, pattern: &str) -> bool {
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
}

/// For which answers an instruction is meant.
#[derive(Clone, Default)]
struct Condition {
    only: Vec<Subject>,
    except: Vec<Subject>,
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Subject {
    Kind(Kind),
    Clue,
}

/// The words by which a condition names answers.
const SUBJECTS: [(Subject, &[&str]); 6] = [
    (Subject::Kind(Kind::Person), &["person*", "people", "who", "name", "names"]),
    (Subject::Kind(Kind::Number), &["number*", "figure*", "how many", "count", "quantity", "amount"]),
    (Subject::Kind(Kind::Date), &["date", "dates", "day", "when", "calendar"]),
    (Subject::Kind(Kind::Title), &["title", "titles", "book*", "song*", "work"]),
    (Subject::Kind(Kind::List), &["list", "lists", "several", "multiple", "more than"]),
    (Subject::Clue, &["clue*", "statement*", "declarative"]),
];

impl Condition {
    /// Reads the clause after "if", "when", "unless" and the like, up to the next comma or colon.
    fn read(sentence: &Sentence) -> Self {
        let mut condition = Self::default();
        let mut at = 0;
        while let Some(token) = sentence.0.get(at) {
            let opens = match token.text.as_str() {
                "if" | "when" | "whenever" | "where" => Some(false),
                "for" => (at == 0 || sentence.matches(at.saturating_sub(1), "only")).then_some(false),
                "unless" | "except" => Some(true),
                _ => None,
            };
            at += 1;
            let Some(excluding) = opens else { continue };
            let rest = sentence.0.iter().skip(at);
            let length = rest.take_while(|token| token.after == Gap::None).count() + 1;
            for (subject, words) in SUBJECTS {
                for place in sentence.places(words).filter(|place| (at..at + length).contains(place)) {
                    let turned = excluding != sentence.denied_within(place, at);
                    let side = if turned { &mut condition.except } else { &mut condition.only };
                    side.push(subject);
                }
            }
            at += length;
        }
        condition
    }

    fn holds(&self, kind: Kind, declarative: bool) -> bool {
        let fits = |subject: &Subject| match subject {
            Subject::Kind(wanted) => *wanted == kind,
            Subject::Clue => declarative,
        };
        (self.only.is_empty() || self.only.iter().any(fits)) && !self.except.iter().any(fits)
    }
}

impl Sentence {
    /// Whether a negation stands between the start of a clause and a place in it.
    fn denied_within(&self, at: usize, start: usize) -> bool {
        let between = self.0.iter().take(at).skip(start);
        let mut between = between.map(|token| token.text.as_str());
        between.any(|word| NEGATORS.contains(&word) || word.ends_with("n't"))
    }
}
