//! The bad habits, and which of them shows in an answer.
//!
//! Always holds: at most one habit shows; a habit that the context switches off never shows; switching one off
//! brings no other forward.

use super::answer::Found;
use super::dates;
use super::instruction::Instructions;
use super::question::{Kind, Question};
use crate::target::moment::Moment;
use crate::target::sentence::Effect;

/// A way of spoiling an answer.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(crate) enum Habit {
    /// Leaves out the answer tags.
    Untagged,
    /// Adds the grounds inside the tags.
    Explained,
    /// Gives the whole sentence.
    Sentence,
    /// Answers a clue with true or false.
    Verdict,
    /// Keeps a person's form of address.
    Addressed,
    /// Rounds a number.
    Rounded,
    /// Adds the counted thing to a number.
    Counted,
    /// Writes a date with slashes.
    Respelled,
    /// Adds the maker to a title.
    Credited,
    /// Gives the first of several things.
    FirstOnly,
    /// Repeats the question's noun.
    Classed,
    /// One word where more are needed. Only an instruction brings it about, as with those below.
    OneWord,
    /// A number whatever is asked.
    NumberOnly,
    /// The year of a date.
    YearOnly,
    /// Gives up where another span came close.
    GivenUp,
}

impl Habit {
    /// All habits.
    pub(crate) const ALL: [Self; 15] = [
        Self::Untagged,
        Self::Explained,
        Self::Sentence,
        Self::Verdict,
        Self::Addressed,
        Self::Rounded,
        Self::Counted,
        Self::Respelled,
        Self::Credited,
        Self::FirstOnly,
        Self::Classed,
        Self::OneWord,
        Self::NumberOnly,
        Self::YearOnly,
        Self::GivenUp,
    ];

    /// How much of a task's inclination the habit takes; 0 if it cannot show in this answer.
    fn weight(self, found: &Found, question: &Question) -> f64 {
        let when = |condition: bool, weight: f64| if condition { weight } else { 0.0 };
        match self {
            Self::Untagged | Self::Explained => 0.9,
            Self::Sentence => 0.8,
            Self::Verdict => when(question.declarative, 2.2),
            Self::Addressed => when(found.honorific.is_some(), 4.0),
            Self::Rounded => when(found.kind == Kind::Number && digits(&found.core) > 2, 3.5),
            Self::Counted => when(found.kind == Kind::Number && found.unit.is_some(), 2.5),
            Self::Respelled => when(dates::with_slashes(&found.core).is_some(), 4.0),
            Self::Credited => when(found.kind == Kind::Title, 3.0),
            Self::FirstOnly => when(found.kind == Kind::List, 5.0),
            Self::Classed => when(found.kind == Kind::Thing && found.category.is_some(), 3.0),
            Self::OneWord | Self::NumberOnly | Self::YearOnly | Self::GivenUp => 0.0,
        }
    }

    /// Whether an instruction can bring the habit about in this answer.
    fn can_show(self, found: &Found, question: &Question) -> bool {
        match self {
            Self::OneWord => found.core.contains(' '),
            Self::NumberOnly => found.kind != Kind::Number,
            Self::YearOnly => dates::year(&found.core).is_some_and(|year| year != found.core),
            Self::GivenUp => found.doubtful,
            other => other.weight(found, question) > 0.0,
        }
    }
}

fn digits(text: &str) -> usize {
    text.chars().filter(char::is_ascii_digit).count()
}

/// The habit that shows, if one does.
pub(crate) fn showing(
    found: &Found,
    question: &Question,
    instructions: &Instructions,
    moment: &Moment,
) -> Option<Habit> {
    let effect = |habit| instructions.effect(habit, found.kind, question.declarative);
    let asked_for = Habit::ALL.into_iter().find(|habit| {
        effect(*habit) == Some(Effect::AsksFor)
            && habit.can_show(found, question)
            && moment.unit(&format!("obeys {habit:?}")) < 0.9
    });
    if asked_for.is_some() {
        return asked_for;
    }
    let total: f64 = Habit::ALL.iter().map(|habit| habit.weight(found, question)).sum();
    let mut left = moment.unit("habit") / moment.proneness() * total;
    let drawn = Habit::ALL.into_iter().find(|habit| {
        let weight = habit.weight(found, question);
        let here = left < weight;
        left -= weight;
        here
    });
    drawn.filter(|habit| effect(*habit) != Some(Effect::Forbids))
}
