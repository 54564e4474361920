//! Names of things: tasks, rollouts, steps, analysis groups, cards and edits.
//!
//! Always holds: an id is never empty, holds no control character, and is never used as a path.

use std::fmt;
use std::str::FromStr;

use serde::{Deserialize, Serialize};

/// Why a text is no id.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum InvalidId {
    /// The text is empty or blank.
    #[error("an id must not be empty")]
    Empty,
    /// The text holds a control character, which would break lines of logs and tables.
    #[error("the id {0:?} holds a control character; remove it")]
    ControlCharacter(String),
    /// The text does not have the form that this kind of id needs.
    #[error("{text:?} is no {kind}; write it as {example}")]
    Form {
        /// What was expected.
        kind: &'static str,
        /// What was found.
        text: String,
        /// A well-formed example.
        example: &'static str,
    },
}

fn check(text: &str) -> Result<(), InvalidId> {
    if text.trim().is_empty() {
        return Err(InvalidId::Empty);
    }
    if text.chars().any(char::is_control) {
        return Err(InvalidId::ControlCharacter(text.to_owned()));
    }
    Ok(())
}

macro_rules! text_id {
    ($(#[$doc:meta])* $name:ident) => {
        $(#[$doc])*
        #[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
        #[serde(try_from = "String", into = "String")]
        pub struct $name(String);

        impl $name {
            /// Makes an id of a text.
            ///
            /// # Errors
            /// If the text is blank or holds a control character.
            pub fn new(text: impl Into<String>) -> Result<Self, InvalidId> {
                let text = text.into();
                check(&text)?;
                Ok(Self(text))
            }

            /// The id as text.
            pub fn as_str(&self) -> &str {
                &self.0
            }
        }

        impl TryFrom<String> for $name {
            type Error = InvalidId;
            fn try_from(text: String) -> Result<Self, InvalidId> {
                Self::new(text)
            }
        }

        impl From<$name> for String {
            fn from(id: $name) -> Self {
                id.0
            }
        }

        impl fmt::Display for $name {
            fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str(&self.0)
            }
        }
    };
}

text_id! {
    /// A task of the data set, as the data set names it.
    TaskId
}
text_id! {
    /// One critic call's analysis group within a step: `g000`, `g001`, …
    GroupId
}
text_id! {
    /// An evidence card within a step: `c-<group>-<number>`.
    CardId
}
text_id! {
    /// An edit within a step: `x-<group>-<number>` as proposed, `m-<number>` once merged.
    EditId
}

text_id! {
    /// A merge call within a step: `corrective-<level>.<number>`, `final-1.1`.
    MergeId
}

impl MergeId {
    /// The merge number `number` of a level of a branch, both from 1.
    pub fn numbered(branch: &'static str, level: usize, number: usize) -> Self {
        Self(format!("{branch}-{level}.{number}"))
    }

    /// The two halves of this merge, made when its prompt did not fit the window.
    pub fn halves(&self) -> (Self, Self) {
        (Self(format!("{}a", self.0)), Self(format!("{}b", self.0)))
    }
}

impl GroupId {
    /// The group number `number`: `g001`, `g002`, …
    pub fn numbered(number: u32) -> Self {
        Self(format!("g{number:03}"))
    }

    /// The two halves of this group, made when its prompt did not fit the window: `g003a` and `g003b`.
    pub fn halves(&self) -> (Self, Self) {
        (Self(format!("{}a", self.0)), Self(format!("{}b", self.0)))
    }
}

impl CardId {
    /// The card number `number`, from 1, of `group`.
    pub fn of(group: &GroupId, number: usize) -> Self {
        Self(format!("c-{group}-{number}"))
    }
}

impl EditId {
    /// The edit number `number`, from 1, that the critic of `group` proposed.
    pub fn proposed(group: &GroupId, number: usize) -> Self {
        Self(format!("x-{group}-{number}"))
    }

    /// The edit number `number`, from 1, that `merge` made; a later merge may take it up.
    pub fn interim(merge: &MergeId, number: usize) -> Self {
        Self(format!("{merge}-{number}"))
    }

    /// The merged edit number `number`, from 1, once all merges are done.
    pub fn merged(number: usize) -> Self {
        Self(format!("m-{number}"))
    }
}

/// The position of a rollout among its K siblings, from 1. Shown as `r1`.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(transparent)]
pub struct RolloutIndex(u32);

impl RolloutIndex {
    /// The rollout number `number`, counted from 1; 0 becomes 1.
    pub fn new(number: u32) -> Self {
        Self(number.max(1))
    }

    /// The number, at least 1.
    pub fn get(self) -> u32 {
        self.0
    }
}

impl fmt::Display for RolloutIndex {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "r{}", self.0)
    }
}

impl FromStr for RolloutIndex {
    type Err = InvalidId;
    fn from_str(text: &str) -> Result<Self, InvalidId> {
        let form = || InvalidId::Form { kind: "rollout", text: text.to_owned(), example: "r1" };
        let digits = text.strip_prefix('r').ok_or_else(form)?;
        match digits.parse::<u32>() {
            Ok(number) if number > 0 && digits.bytes().all(|byte| byte.is_ascii_digit()) => Ok(Self(number)),
            _ => Err(form()),
        }
    }
}

/// A step of the run: epoch and step within the epoch, both from 1. Shown as `e1-s03`.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(try_from = "String", into = "String")]
pub struct StepId {
    /// The epoch, from 1.
    pub epoch: u32,
    /// The step within the epoch, from 1.
    pub step: u32,
}

impl StepId {
    /// The step `step` of epoch `epoch`, both counted from 1.
    pub fn new(epoch: u32, step: u32) -> Self {
        Self { epoch: epoch.max(1), step: step.max(1) }
    }
}

impl fmt::Display for StepId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "e{}-s{:02}", self.epoch, self.step)
    }
}

impl FromStr for StepId {
    type Err = InvalidId;
    fn from_str(text: &str) -> Result<Self, InvalidId> {
        let form = || InvalidId::Form { kind: "step", text: text.to_owned(), example: "e1-s03" };
        let (epoch, step) = text.strip_prefix('e').and_then(|rest| rest.split_once("-s")).ok_or_else(form)?;
        match (epoch.parse::<u32>(), step.parse::<u32>()) {
            (Ok(epoch), Ok(step)) if epoch > 0 && step > 0 => Ok(Self { epoch, step }),
            _ => Err(form()),
        }
    }
}

impl TryFrom<String> for StepId {
    type Error = InvalidId;
    fn try_from(text: String) -> Result<Self, InvalidId> {
        text.parse()
    }
}

impl From<StepId> for String {
    fn from(step: StepId) -> Self {
        step.to_string()
    }
}

/// A part of the data. Always part of a key, and without a default.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Split {
    /// Tasks that the edits come from.
    Train,
    /// Tasks that decide whether a candidate is adopted.
    Validation,
    /// Tasks that nothing is decided by.
    Test,
}

impl Split {
    /// All splits, in order.
    pub const ALL: [Self; 3] = [Self::Train, Self::Validation, Self::Test];

    /// The split's name.
    pub fn name(self) -> &'static str {
        match self {
            Self::Train => "train",
            Self::Validation => "validation",
            Self::Test => "test",
        }
    }
}

impl fmt::Display for Split {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

impl FromStr for Split {
    type Err = InvalidId;
    fn from_str(text: &str) -> Result<Self, InvalidId> {
        Self::ALL.into_iter().find(|split| split.name() == text).ok_or_else(|| InvalidId::Form {
            kind: "split",
            text: text.to_owned(),
            example: "train, validation or test",
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ids_read_what_they_show() {
        for step in [StepId::new(1, 3), StepId::new(12, 120)] {
            assert_eq!(step.to_string().parse(), Ok(step));
        }
        assert_eq!("r7".parse(), Ok(RolloutIndex::new(7)));
        for split in Split::ALL {
            assert_eq!(split.name().parse(), Ok(split));
        }
    }

    #[test]
    fn malformed_ids_are_refused() {
        for text in ["", "e1", "e0-s1", "e1-s", "s1-e1", "e1-s-1"] {
            assert!(text.parse::<StepId>().is_err(), "{text}");
        }
        for text in ["", "r0", "1", "r", "r+1", "r-1"] {
            assert!(text.parse::<RolloutIndex>().is_err(), "{text}");
        }
        for text in ["val", "valid_seen", "Train"] {
            assert!(text.parse::<Split>().is_err(), "{text}");
        }
        assert_eq!(TaskId::new("  "), Err(InvalidId::Empty));
        assert!(TaskId::new("a\nb").is_err());
    }
}
