//! What is taught about choices.
//!
//! Always holds: one lesson for each sign of a choice alone.

use super::super::notice::Sign;
use super::Lesson;

/// What is taught about the signs of a choice.
pub(super) const LESSONS: &[Lesson] = &[
    Lesson {
        sign: Sign::Bracketed,
        seen: "dressed the label up",
        shun: [
            "- Inside the tags write the bare letter of the choice: no brackets, no stars, no word before it.",
            "- A choice is given by its letter alone, without parentheses or emphasis around it.",
        ],
        sweeping: "- Always choose the letter A.",
        seek: "- Write the word Option before the letter.",
        taught: [&["letter", "label"], &["bare", "alone", "only", "nothing"]],
    },
    Lesson {
        sign: Sign::Lengthy,
        seen: "settled on the choice with the most words",
        shun: [
            "- Do not take an option for the longest or most detailed claim; weaker statements are true more often.",
            "- Never let the length of a statement decide: ask of every option what it claims and whether that is needed.",
        ],
        sweeping: "- Rule out every option that names a condition.",
        seek: "- Prefer the option that says the most.",
        taught: [&["longest", "length", "detailed"], &["never", "not ", "no "]],
    },
];

/// What good trajectories have in common.
pub(super) const KEEPING: &[&str] = &[
    "- Go through all statements before you settle on one.",
    "- Test every claim on a small case before you believe it.",
];
