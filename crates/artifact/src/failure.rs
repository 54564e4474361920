//! Why a file of a run could not be read or written.
//!
//! Always holds: every message names the file and what to do; no message holds the content of a file.

use std::io;

use camino::{Utf8Path, Utf8PathBuf};
use textualrl_model::ExitCode;

use crate::kind::Version;

/// Why a file could not be read.
#[derive(Debug, thiserror::Error)]
pub enum ReadError {
    /// There is no such file: the stage has not been done.
    #[error("{path} does not exist; run the stage that writes it")]
    Missing {
        /// The file.
        path: Utf8PathBuf,
    },
    /// The file system refused.
    #[error("cannot read {path}: {source}")]
    Storage {
        /// The file.
        path: Utf8PathBuf,
        /// What the system said.
        source: io::Error,
    },
    /// The file is not what was once written.
    #[error("{path} is damaged ({message}); run its stage again")]
    Damaged {
        /// The file.
        path: Utf8PathBuf,
        /// What is wrong with it.
        message: String,
    },
    /// The file holds something else.
    #[error("{path} holds {found}, not {expected}")]
    WrongKind {
        /// The file.
        path: Utf8PathBuf,
        /// What it says it holds.
        found: String,
        /// What was looked for.
        expected: String,
    },
    /// A newer tool wrote the file in a way that this one would misread.
    #[error("{path} has format version {found}, and this tool reads up to {known}; use a newer textualrl")]
    Newer {
        /// The file.
        path: Utf8PathBuf,
        /// Its version.
        found: Version,
        /// The newest that this tool reads.
        known: Version,
    },
}

impl ReadError {
    pub(crate) fn storage(path: &Utf8Path, source: io::Error) -> Self {
        let path = path.to_owned();
        if source.kind() == io::ErrorKind::NotFound {
            Self::Missing { path }
        } else {
            Self::Storage { path, source }
        }
    }

    pub(crate) fn damaged(path: &Utf8Path, message: impl Into<String>) -> Self {
        Self::Damaged { path: path.to_owned(), message: message.into() }
    }

    /// The exit code of a command that ends with this error.
    pub fn exit_code(&self) -> ExitCode {
        ExitCode::RunFolder
    }
}

/// Why a file could not be written. What was there before is untouched.
#[derive(Debug, thiserror::Error)]
pub enum WriteError {
    /// The file system refused, for example because the disk is full.
    #[error("cannot write {path}: {source}; what was there before is untouched")]
    Storage {
        /// The file.
        path: Utf8PathBuf,
        /// What the system said.
        source: io::Error,
    },
    /// The value cannot be written in this form.
    #[error("cannot write {path}: {message}")]
    Encode {
        /// The file.
        path: Utf8PathBuf,
        /// Why.
        message: String,
    },
    /// The run was opened for reading, or for one shard only.
    #[error("cannot write {path}: the run was not opened for writing")]
    ReadOnly {
        /// The file.
        path: Utf8PathBuf,
    },
    /// A link stands where a folder of the run should: what is written would land somewhere else.
    #[error(
        "{path} is a symbolic link; a run folder holds none, so remove it or open the folder it points to"
    )]
    Link {
        /// The link.
        path: Utf8PathBuf,
    },
    /// A newer tool wrote the file; rewriting it would lose what it added.
    #[error(
        "{path} has format version {found}, and this tool writes {known}; use a newer textualrl to change it"
    )]
    Newer {
        /// The file.
        path: Utf8PathBuf,
        /// Its version.
        found: Version,
        /// The version that this tool writes.
        known: Version,
    },
    /// The name may not be used for a file.
    #[error("{name:?} is no name of a {what}; use 1 to 64 of a-z, 0-9 and -")]
    Name {
        /// What was to be named.
        what: &'static str,
        /// The name.
        name: String,
    },
    /// What is to be changed cannot be read.
    #[error(transparent)]
    Read(#[from] ReadError),
}

impl WriteError {
    pub(crate) fn storage(path: &Utf8Path, source: io::Error) -> Self {
        Self::Storage { path: path.to_owned(), source }
    }

    /// The exit code of a command that ends with this error.
    pub fn exit_code(&self) -> ExitCode {
        match self {
            Self::Storage { .. } => ExitCode::Storage,
            Self::Encode { .. } | Self::ReadOnly { .. } | Self::Name { .. } => ExitCode::Internal,
            Self::Link { .. } | Self::Newer { .. } => ExitCode::RunFolder,
            Self::Read(error) => error.exit_code(),
        }
    }
}
