//! The clerk's bad habits, and which of them shows.
//!
//! Always holds: at most one habit shows; one that the context forbids never shows, and no other takes its place.

use crate::target::moment::Moment;
use crate::target::sentence::{Need, Sentence, sentences};

/// A way of spoiling an answer.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Habit {
    /// Takes the first figure that a search shows and opens nothing.
    Hasty,
    /// Leaves out what the table's heading says of its figures.
    Bare,
    /// Leaves out the answer tags.
    Untagged,
}

impl Habit {
    const ALL: [Self; 3] = [Self::Hasty, Self::Bare, Self::Untagged];

    /// What a sentence that forbids it holds: all of these.
    fn forbidden_by(self) -> &'static [Need] {
        match self {
            Self::Hasty => &[
                Need::Affirmed(&["read", "open", "opened", "opening"]),
                Need::Any(&["before", "first", "around", "above", "whole", "until"]),
            ],
            Self::Bare => &[
                Need::Any(&["thousand*", "million*", "unit", "units", "scale", "magnitude"]),
                Need::Affirmed(&["write", "give", "given", "add", "name", "keep", "include", "state", "put"]),
            ],
            Self::Untagged => &[
                Need::Any(&["<answer>", "<answer", "tag", "tags", "tagged"]),
                Need::Affirmed(&["wrap*", "between", "inside", "within", "enclos*", "use", "always"]),
            ],
        }
    }
}

/// The habit that shows, if one does.
pub(super) fn showing(context: &str, moment: &Moment) -> Option<Habit> {
    let drawn = moment.unit("habit") / moment.proneness() * Habit::ALL.len() as f64;
    let habit = Habit::ALL.into_iter().zip(1_u8..).find(|(_, end)| drawn < f64::from(*end))?.0;
    let forbids = |text: String| {
        let sentence = Sentence::read(&text);
        habit.forbidden_by().iter().all(|need| sentence.meets(need))
    };
    (!sentences(context).into_iter().any(forbids)).then_some(habit)
}
