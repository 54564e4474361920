//! What became of each edit.
//!
//! Always holds: every edit has exactly one fate, and whatever is not applied says why, in words that a person or a
//! model can act on.

use std::fmt;
use std::ops::Range;

use serde::{Deserialize, Serialize};

/// How closely a target was found.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Tier {
    /// Byte for byte.
    Exact,
    /// But for line endings, Unicode composition, trailing blanks and typographic quotes.
    Normalized,
}

/// The fate of one edit.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case", tag = "fate")]
pub enum Fate {
    /// It is in the result.
    Applied(AppliedEdit),
    /// It would change nothing.
    NoChange {
        /// Why.
        reason: NoChangeReason,
        /// Where, or what to know.
        detail: String,
    },
    /// It was not applied.
    Refused(Refusal),
}

impl Fate {
    /// Whether the edit changed the text.
    pub fn is_applied(&self) -> bool {
        matches!(self, Self::Applied(_))
    }

    /// Whether the edit was refused.
    pub fn is_refused(&self) -> bool {
        matches!(self, Self::Refused(_))
    }
}

/// Where an applied edit's text is.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct AppliedEdit {
    /// How its target was found; none for `append`, which has no target.
    pub tier: Option<Tier>,
    /// The bytes of the result that hold the content; empty for `delete`.
    pub bytes: Range<usize>,
    /// The first and last line of the result that hold the content, from 1; for `delete`, the line where it was.
    pub lines: (usize, usize),
    /// The bytes of the base that it took away; empty for insertions.
    pub base_bytes: Range<usize>,
}

/// Why an edit would change nothing.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum NoChangeReason {
    /// The new text equals the old text.
    ContentEqual,
    /// The text to add is there already.
    AlreadyPresent,
    /// There is nothing to add.
    BlankContent,
}

/// Why an edit was refused.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum RefusalReason {
    /// The edit could not be read.
    Malformed,
    /// The target is blank.
    EmptyTarget,
    /// A replacement is blank; `delete` says what is meant.
    BlankContent,
    /// The target is not in the base.
    NotFound,
    /// The target is in the base more than once.
    Ambiguous,
    /// No heading, or more than one, fits `under`.
    Heading,
    /// The edit overlaps one that stands before it in the list.
    Overlap,
    /// The edit touches a protected region.
    Protected,
    /// The edit touches the front matter, or would make one.
    FrontMatter,
    /// The edit would create or remove a marker of protected regions.
    Marker,
    /// A code fence would be left open, or is open where the text should go.
    OpenFence,
    /// The result would lack a text that it must contain.
    MustContain,
    /// The result would be too large.
    TooLarge,
    /// Another edit was refused, and all or nothing was asked for.
    Withheld,
}

impl RefusalReason {
    /// The reason in a few words.
    pub fn words(self) -> &'static str {
        match self {
            Self::Malformed => "malformed edit",
            Self::EmptyTarget => "empty target",
            Self::BlankContent => "blank content",
            Self::NotFound => "target not found",
            Self::Ambiguous => "ambiguous target",
            Self::Heading => "heading not found exactly once",
            Self::Overlap => "overlaps an earlier edit",
            Self::Protected => "protected region",
            Self::FrontMatter => "front matter",
            Self::Marker => "marker of a protected region",
            Self::OpenFence => "open code fence",
            Self::MustContain => "required text would be lost",
            Self::TooLarge => "result too large",
            Self::Withheld => "withheld",
        }
    }
}

impl fmt::Display for RefusalReason {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.words())
    }
}

/// A refused edit: the reason, and the particulars.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, thiserror::Error)]
#[error("{reason}: {detail}")]
pub struct Refusal {
    /// The reason.
    pub reason: RefusalReason,
    /// The particulars: line numbers, the nearest line, what to do.
    pub detail: String,
}

impl Refusal {
    pub(crate) fn new(reason: RefusalReason, detail: impl Into<String>) -> Self {
        Self { reason, detail: detail.into() }
    }
}
