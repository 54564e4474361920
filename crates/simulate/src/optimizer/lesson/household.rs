//! What is taught about plays in a home of words.
//!
//! Always holds: one lesson for each sign of a play.

use super::super::notice::Sign;
use super::Lesson;

/// What is taught about the signs of a play.
pub(super) const LESSONS: &[Lesson] = &[
    Lesson {
        sign: Sign::Unmarked,
        seen: "left a command without markup",
        shun: [
            "- Put the command of every reply between `<action>` and `</action>` tags, however clear it is.",
            "- A reply without <action> tags is lost: close each one with its command between them.",
        ],
        sweeping: "- Reply with the bare command and with no other text.",
        seek: "- Say in plain words what you would do next.",
        taught: [&["<action>", "tags"], &["between", "wrap", "enclose", "within"]],
    },
    Lesson {
        sign: Sign::Seized,
        seen: "seized a thing that nobody had asked for",
        shun: [
            "- Take only a thing of the kind that the task names; leave all others where they are.",
            "- Pick nothing up unless its name stands in the task.",
        ],
        sweeping: "- Carry nothing until all places have been seen.",
        seek: "- Collect whatever lies at hand.",
        taught: [&["take", "pick"], &["only a thing", "unless", "nothing else", "no other"]],
    },
    Lesson {
        sign: Sign::Fidgety,
        seen: "lifted one lid over and over",
        shun: [
            "- Never open or close a place twice: once it was seen, go on to the next.",
            "- Do not open the same place again; choose one that is new.",
        ],
        sweeping: "- Leave every lid shut.",
        seek: "- Look into each place several times.",
        taught: [&["open", "visit"], &["twice", "again"]],
    },
    Lesson {
        sign: Sign::Unready,
        seen: "put the thing down as it was",
        shun: [
            "- If a thing has to be clean, hot or cool, see to that first, and only then bring it to its place.",
            "- Heat, cool or clean the thing before it is put down, with the command for it.",
        ],
        sweeping: "- Clean everything that can be carried.",
        seek: "- Bring things just as they were found.",
        taught: [&["clean", "heat", "cool"], &["before", "first", "appliance"]],
    },
];

/// What good plays have in common.
pub(super) const KEEPING: &[&str] =
    &["- Read the listed commands anew at each step.", "- Say to yourself what is still missing, then act."];
