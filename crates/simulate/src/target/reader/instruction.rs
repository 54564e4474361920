//! What the context tells the reader to do: clauses, negation, conditions.
//!
//! Always holds: an instruction is recognised by the words of its sense in one sentence, never by its wording; a
//! condition that it names restricts it to the answers that fit.

use super::habit::Habit;
use super::question::Kind;
use super::rules;
use crate::target::sentence::{Effect, Gap, Sentence, sentences};

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
