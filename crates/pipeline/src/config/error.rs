//! What is wrong with a configuration, said so that it can be put right.
//!
//! Always holds: a message names the place (file and line, or flag), the key, what is wrong and what would be right.

use std::fmt;

use camino::Utf8PathBuf;

use super::layer::Layer;

/// Something wrong with one key.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Problem {
    /// Where the key was set, such as `my.toml:7` or `--set rollout.k`; never a value, as one may hold a key.
    pub place: String,
    /// The key with its sections, such as `rollout.k`.
    pub key: String,
    /// What is wrong and what would be right.
    pub message: String,
}

impl Problem {
    /// A problem whose place is found later.
    pub(crate) fn new(key: &str, message: impl Into<String>) -> Self {
        Self { place: String::new(), key: key.to_owned(), message: message.into() }
    }
}

impl fmt::Display for Problem {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}: `{}` {}", self.place, self.key, self.message)
    }
}

/// Why there is no configuration.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum ConfigError {
    /// The file cannot be read.
    #[error("cannot read the configuration {path}: {message}; name an existing UTF-8 file with --config")]
    File {
        /// The file.
        path: Utf8PathBuf,
        /// What the system said.
        message: String,
    },
    /// A text is no TOML.
    #[error("{place} is no TOML:\n{message}")]
    Syntax {
        /// The file or flag.
        place: String,
        /// The parser's message, with line and caret.
        message: String,
    },
    /// There is no such preset.
    #[error("{place}: there is no preset {name:?}; the presets are {known}")]
    UnknownPreset {
        /// Where it was named.
        place: String,
        /// The name.
        name: String,
        /// The presets that there are.
        known: String,
    },
    /// Two presets are named.
    #[error("--preset {flag} and `extends = {file:?}` in {path} name different presets; leave one out")]
    TwoPresets {
        /// The flag's.
        flag: String,
        /// The file's.
        file: String,
        /// The file.
        path: Utf8PathBuf,
    },
    /// A `--set` has no `=`.
    #[error("--set {text}: write it as --set KEY=VALUE, such as --set rollout.k=8")]
    Assignment {
        /// What was given.
        text: String,
    },
    /// Keys are unknown or hold wrong values.
    #[error("{}", joined(.0))]
    Problems(Vec<Problem>),
}

impl ConfigError {
    /// The problems with their places filled in from the layers that set the keys.
    pub(crate) fn of(problems: Vec<Problem>, layers: &[Layer]) -> Self {
        let placed = problems.into_iter().map(|problem| {
            let place = if problem.place.is_empty() { place_of(&problem.key, layers) } else { problem.place };
            Problem { place, ..problem }
        });
        Self::Problems(placed.collect())
    }
}

/// Where `key` got its value: the last layer that sets it, or the section that would hold it.
fn place_of(key: &str, layers: &[Layer]) -> String {
    let found = layers.iter().rev().find_map(|layer| layer.place(key));
    found.unwrap_or_else(|| "configuration".to_owned())
}

fn joined(problems: &[Problem]) -> String {
    problems.iter().map(Problem::to_string).collect::<Vec<_>>().join("\n")
}
