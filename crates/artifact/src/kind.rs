//! Every file that a stage can leave: its name, its format and its version, in one table.
//!
//! Always holds: a file name comes from this table and never from data; a change of a format is a new version here,
//! with a line in its kind's documentation, made when the field is added.

use std::collections::BTreeMap;
use std::fmt;

use serde::{Deserialize, Serialize};

/// The version of an artifact's format.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub struct Version {
    /// Raised when older readers would misread.
    pub major: u16,
    /// Raised when something was added that older readers may ignore.
    pub minor: u16,
}

impl fmt::Display for Version {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}.{}", self.major, self.minor)
    }
}

macro_rules! kinds {
    ($($(#[$doc:meta])* $kind:ident = $name:literal, $file:literal, $major:literal . $minor:literal;)*) => {
        /// A kind of JSON artifact (and the trajectories, which are the only binary one).
        #[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
        pub enum Kind {
            $($(#[$doc])* $kind,)*
        }

        impl Kind {
            /// All kinds, in the order of the table.
            pub const ALL: &[Self] = &[$(Self::$kind,)*];

            /// The name in the envelope, after `textualrl/`.
            pub fn name(self) -> &'static str {
                match self { $(Self::$kind => $name,)* }
            }

            /// The file's name. Where there are several of a kind, a number goes before the extension.
            pub fn file(self) -> &'static str {
                match self { $(Self::$kind => $file,)* }
            }

            /// The version that is written, and the newest that is understood.
            pub fn version(self) -> Version {
                match self { $(Self::$kind => Version { major: $major, minor: $minor },)* }
            }
        }
    };
}

kinds! {
    /// What the run was made with. 1.0: first.
    Manifest = "manifest", "manifest.json", 1 . 0;
    /// The record that a stage leaves beside its output. 1.0: first.
    Stage = "stage", "stage.json", 1 . 0;
    /// Seconds by slot; never fingerprinted. 1.0: first.
    Timings = "timings", "timings.json", 1 . 0;
    /// A step's tasks, seed, context and edit budget. 1.0: first.
    Batch = "batch", "batch.json", 1 . 0;
    /// Trajectories, in the container of `container`. 1.0: record `v1`.
    Trajectories = "trajectories", "trajectories.trj", 1 . 0;
    /// Rollout groups: task, rewards, route. 1.0: first.
    Groups = "groups", "groups.json", 1 . 0;
    /// One analysis group: its critic's call and what came of it. 1.0: first.
    AnalysisGroup = "analysis-group", "group.json", 1 . 0;
    /// The edit proposals of a step. 1.0: first.
    Proposals = "proposals", "proposals.json", 1 . 0;
    /// The evidence cards of a step. 1.0: first.
    Evidence = "evidence", "evidence.json", 1 . 0;
    /// The cards that were refused, with the reason. 1.0: first.
    RejectedCards = "rejected-cards", "rejected-cards.json", 1 . 0;
    /// Groups that were not critiqued, and the failure patterns of the step. 1.0: first.
    Routing = "routing", "routing.json", 1 . 0;
    /// The merge tree with provenance. 1.0: first.
    MergeTree = "merge-tree", "merge-tree.json", 1 . 0;
    /// The merged edits before review. 1.0: first.
    Unreviewed = "unreviewed", "unreviewed.json", 1 . 0;
    /// The reviewed edits with their records. 1.0: first.
    Reviewed = "reviewed", "reviewed.json", 1 . 0;
    /// The order in which edits are taken. 1.0: first.
    Ranking = "ranking", "ranking.json", 1 . 0;
    /// What became of every edit, and why. 1.0: first.
    Fates = "fates", "fates.json", 1 . 0;
    /// The edits that were applied. 1.0: first.
    Patch = "patch", "patch.json", 1 . 0;
    /// What restores the context that the edits were applied to. 1.0: first.
    Inverse = "inverse", "inverse.json", 1 . 0;
    /// Rewards by task and their mean. 1.0: first.
    Scores = "scores", "scores.json", 1 . 0;
    /// The gate's decision. 1.0: first.
    Decision = "decision", "decision.json", 1 . 0;
    /// The step buffer after a step. 1.0: first.
    StepBuffer = "step-buffer", "step-buffer.json", 1 . 0;
    /// The edit families with their rejections. 1.0: first.
    Families = "families", "families.json", 1 . 0;
}

impl Kind {
    /// The name of the file numbered `number`, such as `group-007.json`.
    pub fn numbered_file(self, number: u32) -> String {
        match self.file().rsplit_once('.') {
            Some((stem, extension)) => format!("{stem}-{number:03}.{extension}"),
            None => format!("{}-{number:03}", self.file()),
        }
    }

    /// The number of a file that [`Kind::numbered_file`] named.
    pub(crate) fn number_of(self, file: &str) -> Option<u32> {
        let (stem, extension) = self.file().rsplit_once('.')?;
        let digits =
            file.strip_prefix(stem)?.strip_prefix('-')?.strip_suffix(extension)?.strip_suffix('.')?;
        let number = digits.parse().ok()?;
        (self.numbered_file(number) == file).then_some(number)
    }

    /// The versions of all kinds by name, for the manifest.
    pub fn versions() -> BTreeMap<String, Version> {
        Self::ALL.iter().map(|kind| (kind.name().to_owned(), kind.version())).collect()
    }
}

/// A text that a stage leaves for people or for the next stage.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum TextKind {
    /// The context that the trajectories beside it were collected under.
    Context,
    /// The review as people read it.
    Review,
    /// The candidate context C′, byte for byte.
    CandidateContext,
    /// What the candidate changes, as a unified diff.
    Change,
}

impl TextKind {
    /// The file's name.
    pub fn file(self) -> &'static str {
        match self {
            Self::Context => "context.md",
            Self::Review => "review.md",
            Self::CandidateContext => "candidate_context.md",
            Self::Change => "change.diff",
        }
    }
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use super::*;

    #[test]
    fn names_and_files_are_unique_and_plain() {
        let names: BTreeSet<_> = Kind::ALL.iter().map(|kind| kind.name()).collect();
        let files: BTreeSet<_> = Kind::ALL.iter().map(|kind| kind.file()).collect();
        assert_eq!((names.len(), files.len()), (Kind::ALL.len(), Kind::ALL.len()));
        for file in files {
            assert!(file.bytes().all(|byte| byte.is_ascii_lowercase() || b"-.".contains(&byte)), "{file}");
        }
    }

    #[test]
    fn numbers_are_read_back_from_file_names() {
        for number in [0, 7, 999, 1000] {
            let file = Kind::AnalysisGroup.numbered_file(number);
            assert_eq!(Kind::AnalysisGroup.number_of(&file), Some(number), "{file}");
        }
        for file in ["group.json", "group-7.json", "group-+07.json", "groups.json", "group-007.json.old"] {
            assert_eq!(Kind::AnalysisGroup.number_of(file), None, "{file}");
        }
    }
}
