//! The coder's bad habits, and which of them shows.
//!
//! Always holds: at most one habit shows; one that the context forbids never shows, and no other takes its place; one that
//! it asks for shows.

use super::task::Task;
use crate::target::moment::Moment;
use crate::target::sentence::{Need, Sentence, sentences};

/// A way of spoiling a program.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Habit {
    /// Writes a formula where a value is wanted.
    Formula,
    /// Computes with the rows of the preview only.
    ShownRows,
    /// Puts words beside a number.
    Worded,
    /// Writes to the sheet that happens to be active.
    ActiveSheet,
}

impl Habit {
    const ALL: [Self; 4] = [Self::Formula, Self::ShownRows, Self::Worded, Self::ActiveSheet];

    /// How much of a task's inclination the habit takes; 0 if it would spoil nothing.
    fn weight(self, task: &Task) -> f64 {
        match self {
            Self::Formula => 2.0,
            Self::ShownRows => 1.2,
            Self::Worded => 0.7,
            Self::ActiveSheet if task.answer_sheet != task.sheet => 2.0,
            Self::ActiveSheet => 0.0,
        }
    }

    /// What a sentence that forbids it holds: all of one of these.
    fn forbidden_by(self) -> &'static [&'static [Need]] {
        const VALUES: &[&str] = &["value*", "result*", "number*"];
        match self {
            Self::Formula => &[
                &[Need::Denied(&["formula*"])],
                &[
                    Need::Any(VALUES),
                    Need::Affirmed(&["comput*", "calculat*", "static"]),
                    Need::Any(&["python", "script", "program"]),
                ],
            ],
            Self::ShownRows => &[
                &[
                    Need::Any(&["row*"]),
                    Need::Affirmed(&["all", "every", "last", "max_row", "whole", "each"]),
                ],
                &[
                    Need::Any(&["preview*", "excerpt*", "sample*"]),
                    Need::Any(&["row*", "beyond", "only", "first"]),
                ],
            ],
            Self::Worded => &[
                &[Need::Any(VALUES), Need::Denied(&["text*", "word*", "label*", "unit*"])],
                &[Need::Any(&["bare", "plain", "alone", "pure"]), Need::Any(VALUES)],
            ],
            Self::ActiveSheet => &[
                &[
                    Need::Any(&["sheet*", "tab", "worksheet*"]),
                    Need::Affirmed(&["name*", "by its", "position*"]),
                ],
                &[Need::Denied(&["active"])],
            ],
        }
    }

    /// What a sentence that asks for it holds: all of these.
    fn asked_for_by(self) -> &'static [Need] {
        match self {
            Self::Formula => {
                &[Need::Affirmed(&["formula*"]), Need::Any(&["write", "use", "leave", "put", "enter"])]
            }
            Self::ShownRows => {
                &[Need::Any(&["row*"]), Need::Any(&["shown", "preview*"]), Need::Any(&["only", "just"])]
            }
            Self::Worded => {
                &[Need::Affirmed(&["unit*", "label*"]), Need::Any(&["add", "with", "beside", "put"])]
            }
            Self::ActiveSheet => &[Need::Affirmed(&["active"])],
        }
    }
}

/// The habit that shows, if one does.
pub(super) fn showing(context: &str, task: &Task, moment: &Moment) -> Option<Habit> {
    let read: Vec<Sentence> = sentences(context).iter().map(|text| Sentence::read(text)).collect();
    let meets = |needs: &[Need]| read.iter().any(|sentence| needs.iter().all(|need| sentence.meets(need)));
    let forbidden = |habit: Habit| habit.forbidden_by().iter().any(|needs| meets(needs));
    let possible = || Habit::ALL.into_iter().filter(|habit| habit.weight(task) > 0.0);
    let asked_for = possible().find(|habit| !forbidden(*habit) && meets(habit.asked_for_by()));
    if asked_for.is_some() {
        return asked_for;
    }
    let total: f64 = possible().map(|habit| habit.weight(task)).sum();
    let mut left = moment.unit("habit") / moment.proneness() * total;
    let drawn = possible().find(|habit| {
        let here = left < habit.weight(task);
        left -= habit.weight(task);
        here
    });
    drawn.filter(|habit| !forbidden(*habit))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn instructions_are_understood_by_their_sense() {
        let meets = |text: &str, needs: &[Need]| {
            sentences(text).iter().any(|one| needs.iter().all(|need| Sentence::read(one).meets(need)))
        };
        for (text, habit, forbids, asks) in [
            ("Write no formulas into answer cells.", Habit::Formula, true, false),
            ("Compute the result in Python and save that value.", Habit::Formula, true, false),
            ("Leave a formula in the cell, so that it stays live.", Habit::Formula, false, true),
            ("Go through every row up to the last one.", Habit::ShownRows, true, false),
            ("The preview is cut: read beyond it.", Habit::ShownRows, true, false),
            ("Save numbers without text around them.", Habit::Worded, true, false),
            ("Add the unit to each number.", Habit::Worded, false, true),
            ("Look the sheet up by its name.", Habit::ActiveSheet, true, false),
            ("Read the instruction twice.", Habit::Formula, false, false),
        ] {
            let found = habit.forbidden_by().iter().any(|needs| meets(text, needs));
            assert_eq!((found, meets(text, habit.asked_for_by())), (forbids, asks), "{text}");
        }
    }
}
