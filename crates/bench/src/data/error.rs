//! Why tasks cannot be loaded.
//!
//! Always holds: a message names the file, the line or the field, and what to do.

/// Why tasks cannot be loaded.
#[derive(Debug, thiserror::Error)]
pub enum LoadError {
    /// The registry has no such benchmark.
    #[error("data.benchmark: there is no benchmark {name:?}; known are {known} (did you mean {nearest:?}?)")]
    UnknownBenchmark {
        /// What was named.
        name: String,
        /// The known names.
        known: String,
        /// The nearest of them.
        nearest: String,
    },
    /// No data folder was named.
    #[error("data.dir is not set; name the folder of the task files with --data DIR")]
    NoFolder,
    /// There is no such task set in the binary.
    #[error("there is no embedded task set {name:?}; the only one is embedded:quickstart")]
    UnknownEmbedded {
        /// What was named.
        name: String,
    },
    /// A file or folder cannot be read.
    #[error("cannot read {path}: {message}")]
    Unreadable {
        /// The file or folder.
        path: String,
        /// Why.
        message: String,
    },
    /// A split has no file.
    #[error("{folder} has no file for the {split} split; expected {expected}")]
    NoSplit {
        /// The folder.
        folder: String,
        /// The split.
        split: &'static str,
        /// Where it was looked for.
        expected: String,
    },
    /// A row cannot be used.
    #[error("{place}: {problem}")]
    Row {
        /// The file and line.
        place: String,
        /// What is wrong, and what would be right.
        problem: String,
    },
    /// Several rows cannot be used.
    #[error("{} rows cannot be used:{}", .0.len(), listed(.0))]
    Rows(Vec<LoadError>),
    /// Two rows have one id or one input.
    #[error(
        "{place}: the {what} is also at {other}; every task must be its own, and no task may be in two splits. Remove one of them"
    )]
    Repeated {
        /// The second row.
        place: String,
        /// The first row.
        other: String,
        /// `id "x"` or `input`.
        what: String,
    },
    /// A split ends up without tasks.
    #[error("the {split} split has no task ({detail}); {remedy}")]
    Empty {
        /// The split.
        split: &'static str,
        /// How that came about.
        detail: String,
        /// What to do.
        remedy: &'static str,
    },
    /// Something that must be installed is not there.
    #[error("data.{key}: {problem}")]
    Unavailable {
        /// The key that asks for it.
        key: &'static str,
        /// What is missing, and what to do.
        problem: String,
    },
    /// A setting of own tasks cannot be used.
    #[error("data.own.{key}: {problem}")]
    Setting {
        /// The key.
        key: &'static str,
        /// What is wrong, and what would be right.
        problem: String,
    },
}

/// How many of several problems a message lists.
const LISTED: usize = 20;

fn listed(errors: &[LoadError]) -> String {
    let lines = errors.iter().take(LISTED).map(|error| format!("\n  {error}"));
    let more = errors.len().saturating_sub(LISTED);
    let rest = (more > 0).then(|| format!("\n  and {more} more"));
    lines.chain(rest).collect()
}

impl LoadError {
    /// All of some errors as one; none if there is none.
    pub(crate) fn all(mut errors: Vec<Self>) -> Option<Self> {
        if errors.len() > 1 { Some(Self::Rows(errors)) } else { errors.pop() }
    }

    /// A row that cannot be used.
    pub(crate) fn row(place: &str, problem: impl Into<String>) -> Self {
        Self::Row { place: place.to_owned(), problem: problem.into() }
    }
}
