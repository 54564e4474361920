//! What is taught about answers from documents.
//!
//! Always holds: one lesson for each sign of such an answer alone.

use super::super::notice::Sign;
use super::Lesson;

/// What is taught about the signs of an answer from documents.
pub(super) const LESSONS: &[Lesson] = &[
    Lesson {
        sign: Sign::Unopened,
        seen: "answered from a search result alone",
        shun: [
            "- After a search, open the document around the hit and look at heading and columns before you answer.",
            "- A found line is not enough: first read the lines above it, where the years and the units stand.",
        ],
        sweeping: "- Answer only after ten searches.",
        seek: "- Take the first figure that a search shows.",
        taught: [&["search", "found line", "hit"], &["open the", "read the", "opening"]],
    },
    Lesson {
        sign: Sign::Unscaled,
        seen: "gave digits without their scale",
        shun: [
            "- Put thousand, million or the like behind a figure when the heading of its table says so.",
            "- A figure from a table in thousands or millions is given together with that word.",
        ],
        sweeping: "- Round every figure to whole thousands.",
        seek: "- Give bare digits, with no word behind them.",
        taught: [&["thousand", "million"], &["behind a figure", "given together", "put "]],
    },
];

/// What good trajectories have in common.
pub(super) const KEEPING: &[&str] = &[
    "- Name the row and the year that a figure was taken from.",
    "- Search with a word of the question that is rare in the documents.",
];
