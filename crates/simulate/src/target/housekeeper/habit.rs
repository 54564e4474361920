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
    let can_show = habit != Habit::Skipping || is_changing;
    (can_show && !is_forbidden(habit, context)).then_some(habit)
}

/// Whether a sentence of the context forbids a habit.
fn is_forbidden(habit: Habit, context: &str) -> bool {
    sentences(context).into_iter().any(|text| {
        let sentence = Sentence::read(&text);
        habit.forbidden_by().iter().all(|need| sentence.meets(need))
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_instruction_cures_the_habit_that_it_is_about() {
        use Habit::{Circling, Grabbing, Skipping, Untagged};
        let cases: [(&str, &[Habit]); 10] = [
            ("", &[]),
            ("Think before you act.", &[]),
            ("Always wrap the command in action tags.", &[Untagged]),
            ("Write each command between <action> and </action>.", &[Untagged]),
            ("Do not use any tags.", &[]),
            ("Pick up only what the task mentions.", &[Grabbing]),
            ("Take the thing and bring it to its place.", &[]),
            ("Never visit a place twice.", &[Circling]),
            ("Look at every place again and again.", &[]),
            ("If the task wants it hot, heat it first.", &[Skipping]),
        ];
        for (context, expected) in cases {
            let cured: Vec<Habit> =
                Habit::ALL.into_iter().filter(|habit| is_forbidden(*habit, context)).collect();
            assert_eq!(cured, expected, "{context}");
        }
    }
}
