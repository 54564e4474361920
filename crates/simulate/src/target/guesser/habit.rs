//! The guesser's bad habits, and which of them shows.
//!
//! Always holds: at most one habit shows; one that the context forbids never shows, and no other takes its place.

use crate::target::moment::Moment;
use crate::target::sentence::{Need, Sentence, sentences};

/// A way of spoiling a choice.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Habit {
    /// Leaves out the answer tags.
    Untagged,
    /// Puts marks or words around the label.
    Wrapped,
    /// Falls for the longest choice.
    Swayed,
}

impl Habit {
    const ALL: [Self; 3] = [Self::Untagged, Self::Wrapped, Self::Swayed];

    /// What a sentence that forbids it holds: all of these.
    fn forbidden_by(self) -> &'static [Need] {
        match self {
            Self::Untagged => &[
                Need::Any(&["<answer>", "<answer", "tag", "tags", "tagged"]),
                Need::Affirmed(&["wrap*", "between", "inside", "within", "enclos*", "use", "always"]),
            ],
            Self::Wrapped => &[
                Need::Any(&["letter", "letters", "label", "labels"]),
                Need::Any(&["only", "bare", "alone", "nothing", "just", "plain", "without", "single"]),
            ],
            Self::Swayed => &[
                Need::Any(&["choice*", "option*", "statement*", "claim*"]),
                Need::Denied(&["longest", "longer", "length", "detail*", "elaborat*", "fullest"]),
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
