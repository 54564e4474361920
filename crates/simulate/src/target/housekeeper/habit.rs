//! The housekeeper's bad habits, and which of them an episode has.
//!
//! Always holds: at most one habit, from the first step to the last; one that the context forbids never shows, and no
//! other takes its place.

use crate::target::moment::Moment;
use crate::target::sentence::{Need, Sentence, sentences};

/// A way of spoiling an episode.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Habit {
    /// Leaves out the action tags once the first steps are taken.
    Untagged,
    /// Takes whatever comes to hand first.
    Grabbing,
    /// Opens and closes the same place again and again.
    Circling,
    /// Brings the thing as it is, though a change is asked for.
    Skipping,
}

impl Habit {
    const ALL: [Self; 4] = [Self::Untagged, Self::Grabbing, Self::Circling, Self::Skipping];

    /// What a sentence that forbids it holds: all of these.
    fn forbidden_by(self) -> &'static [Need] {
        match self {
            Self::Untagged => &[
                Need::Any(&["<action>", "<action", "tag", "tags", "tagged"]),
                Need::Affirmed(&[
                    "wrap*", "between", "inside", "within", "enclos*", "use", "always", "every",
                ]),
            ],
            Self::Grabbing => &[
                Need::Any(&["take", "taking", "pick", "picking", "grab", "lift"]),
                Need::Any(&["only", "other", "others", "else", "unasked", "unless"]),
            ],
            Self::Circling => &[
                Need::Denied(&["twice", "again", "repeat*", "reopen*", "close", "closing", "revisit*"]),
                Need::Absent(&["tag", "tags"]),
            ],
            Self::Skipping => &[
                Need::Any(&["clean*", "heat*", "cool*", "wash*", "warm*", "state", "condition"]),
                Need::Any(&["before", "first", "appliance*", "until", "station*"]),
            ],
        }
    }
}

/// The habit of an episode, if it has one.
pub(super) fn showing(context: &str, is_changing: bool, moment: &Moment) -> Option<Habit> {
    let drawn = moment.unit("habit") / moment.proneness() * Habit::ALL.len() as f64;
    let habit = Habit::ALL.into_iter().zip(1_u8..).find(|(_, end)| drawn < f64::from(*end))?.0;
    let forbids = |text: String| {
        let sentence = Sentence::read(&text);
        habit.forbidden_by().iter().all(|need| sentence.meets(need))
    };
    let can_show = habit != Habit::Skipping || is_changing;
    (can_show && !sentences(context).into_iter().any(forbids)).then_some(habit)
}
