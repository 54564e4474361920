//! What is taught about programs that change workbooks.
//!
//! Always holds: one lesson for each sign of a program.

use super::super::notice::Sign;
use super::Lesson;

/// What is taught about the signs of a program.
pub(super) const LESSONS: &[Lesson] = &[
    Lesson {
        sign: Sign::Uncomputed,
        seen: "left a formula for others to compute",
        shun: [
            "- Work out every result in Python and write the finished value; never put a formula into a cell of the answer.",
            "- No formulas in the output: nothing evaluates them afterwards, so store what they would give.",
        ],
        sweeping: "- Rebuild the workbook from nothing with pandas.",
        seek: "- Put a live formula into the answer cell.",
        taught: [&["formula"], &["never", "no ", "not ", "without"]],
    },
    Lesson {
        sign: Sign::Glance,
        seen: "counted on the rows that were displayed",
        shun: [
            "- Go down to the last row of the sheet: what is displayed is the beginning of the table.",
            "- Take the number of rows from the sheet itself (max_row) and treat every row alike.",
        ],
        sweeping: "- Skip all rows with an empty cell.",
        seek: "- Use just the rows that were shown.",
        taught: [&["row"], &["max_row", "last row", "every row"]],
    },
    Lesson {
        sign: Sign::Dressed,
        seen: "wrote words next to a figure",
        shun: [
            "- Store numbers as numbers: no words or units in the same cell.",
            "- A cell of the answer holds the number alone, without any text around it.",
        ],
        sweeping: "- Round all numbers to whole ones.",
        seek: "- Add a label to the number.",
        taught: [&["number"], &["alone", "no words", "as numbers"]],
    },
    Lesson {
        sign: Sign::Current,
        seen: "wrote to whatever sheet was open",
        shun: [
            "- Look the sheet of the answer up by the name that the position gives; do not rely on the active one.",
            "- Never write to the active sheet: open the one that the position names.",
        ],
        sweeping: "- Copy the answer to all sheets.",
        seek: "- Write to the active sheet.",
        taught: [&["sheet"], &["name"]],
    },
];

/// What good trajectories have in common.
pub(super) const KEEPING: &[&str] = &[
    "- Look at the headings of a table before you compute with its columns.",
    "- Leave the cells outside of the answer as they are.",
];
