//! What can be noticed about a displayed trajectory.
//!
//! Always holds: only the task's input and what the agent did are looked at, never the outcome; a trajectory without
//! a word of the agent shows nothing.

mod choices;
mod documents;
mod household;
mod programs;
mod reader;

use std::collections::BTreeSet;

use super::read::Shown;

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
    /// Marks or words around a label.
    Bracketed,
    /// The choice with the most words.
    Lengthy,
    /// No marked-up command.
    Unmarked,
    /// A thing that the task does not name.
    Seized,
    /// The same lid many times.
    Fidgety,
    /// A thing without the state that the task names.
    Unready,
    /// A cell that something else has yet to compute.
    Uncomputed,
    /// A count of rows that was written down.
    Glance,
    /// A cell in which a figure has company.
    Dressed,
    /// A sheet that was not looked up.
    Current,
    /// A document that was searched and never opened.
    Unopened,
    /// Digits alone.
    Unscaled,
}

impl Sign {
    /// All signs, in the order in which equally strong ones are acted upon.
    pub(crate) const ALL: [Self; 24] = [
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
        Self::Bracketed,
        Self::Lengthy,
        Self::Unmarked,
        Self::Seized,
        Self::Fidgety,
        Self::Unready,
        Self::Uncomputed,
        Self::Glance,
        Self::Dressed,
        Self::Current,
        Self::Unopened,
        Self::Unscaled,
    ];
}

/// What kind of task an input is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Kind {
    /// Choices under labels.
    Choices,
    /// A home of words, one command a step.
    Household,
    /// A workbook that a program is to change.
    Programs,
    /// Documents to look into.
    Documents,
    /// A passage and a question, as far as anything else is known.
    Passage,
}

impl Kind {
    /// The kind of an input.
    pub(crate) fn of(input: &str) -> Self {
        if choices::fits(input) {
            Self::Choices
        } else if household::fits(input) {
            Self::Household
        } else if programs::fits(input) {
            Self::Programs
        } else if documents::fits(input) {
            Self::Documents
        } else {
            Self::Passage
        }
    }
}

/// The signs of a trajectory.
pub(crate) fn signs(input: &str, shown: &Shown) -> BTreeSet<Sign> {
    match Kind::of(input) {
        _ if shown.is_silent() => BTreeSet::new(),
        Kind::Choices => choices::signs(input, shown.last_reply()),
        Kind::Household => household::signs(input, shown),
        Kind::Programs => programs::signs(shown.last_reply()),
        Kind::Documents => documents::signs(shown),
        Kind::Passage => reader::signs(input, shown.last_reply()),
    }
}

/// What a task asks for, in a few words.
pub(crate) fn subject(input: &str) -> &'static str {
    match Kind::of(input) {
        Kind::Choices => "one of several statements",
        Kind::Household => "an errand in a house",
        Kind::Programs => "cells of a workbook",
        Kind::Documents => "a figure from documents",
        Kind::Passage => reader::subject(input),
    }
}

/// What an agent did that shows no sign, in words for a card.
pub(crate) fn unremarkable(input: &str, shown: &Shown) -> String {
    match Kind::of(input) {
        Kind::Household => {
            format!("went from place to place, {} marked commands in all", shown.replies.len())
        }
        Kind::Programs => {
            format!(
                "wrote values that it computed, in a program of {} lines",
                shown.last_reply().lines().count()
            )
        }
        Kind::Documents => {
            format!("opened what it had searched and answered after {} turns", shown.replies.len())
        }
        Kind::Choices | Kind::Passage => {
            let (_, text) = given(shown.last_reply());
            format!("gave the marked answer in {} words", text.split_whitespace().count())
        }
    }
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
