//! What can be noticed about a displayed trajectory.
//!
//! Always holds: only the task's input and what the agent did are looked at, never the outcome; a trajectory without
//! a word of the agent shows nothing.

mod reader;

use std::collections::BTreeSet;

use super::read::Shown;
pub(crate) use reader::subject;

/// Something noticeable.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(crate) enum Sign {
    /// No marked-up answer.
    NoMark,
    /// Grounds beside the answer.
    Aside,
    /// Many words where few are asked for.
    LongWinded,
    /// Agreement or denial instead of an answer.
    Assent,
    /// A courtesy before a name.
    Courtesy,
    /// A number made vague.
    Vague,
    /// Words after a number.
    Trailing,
    /// Figures and strokes for a day.
    Strokes,
    /// A source after a heading.
    Source,
    /// A part of an enumeration.
    Part,
    /// The asker's own word given back.
    Echo,
    /// A piece of a longer name.
    Clipped,
}

impl Sign {
    /// All signs, in the order in which equally strong ones are acted upon.
    pub(crate) const ALL: [Self; 12] = [
        Self::NoMark,
        Self::Aside,
        Self::LongWinded,
        Self::Assent,
        Self::Courtesy,
        Self::Vague,
        Self::Trailing,
        Self::Strokes,
        Self::Source,
        Self::Part,
        Self::Echo,
        Self::Clipped,
    ];
}

/// The signs of a trajectory.
pub(crate) fn signs(input: &str, shown: &Shown) -> BTreeSet<Sign> {
    if shown.is_silent() { BTreeSet::new() } else { reader::signs(input, shown.last_reply()) }
}

/// What a reply gives as its answer: the marked-up text, or else the last line.
pub(crate) fn given(reply: &str) -> (bool, String) {
    let marked = reply.rsplit_once("<answer>").and_then(|(_, rest)| rest.split_once("</answer>"));
    match marked {
        Some((inner, _)) => (true, inner.trim().to_owned()),
        None => (false, final_line(reply).to_owned()),
    }
}

/// The last line that is not blank.
pub(crate) fn final_line(reply: &str) -> &str {
    reply.lines().map(str::trim).rfind(|line| !line.is_empty()).unwrap_or_default()
}
