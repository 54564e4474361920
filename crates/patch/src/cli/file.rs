//! Reading and writing the files of the command line.
//!
//! Always holds: a file is there whole or not at all: it is written beside its place and then moved there.

use std::io::{Read, Write};
use std::path::{Path, PathBuf};

use textualrl_model::ExitCode;

/// Why a command could not be done.
#[derive(Debug, thiserror::Error)]
pub(crate) enum Failure {
    /// An input cannot be read.
    #[error("{0}")]
    Read(std::io::Error),
    /// A file is no text.
    #[error("{} is no UTF-8 text at byte {at}; convert it first", path.display())]
    NotText {
        /// The file.
        path: PathBuf,
        /// The first byte that is wrong, from 0.
        at: usize,
    },
    /// The patch cannot be used.
    #[error("{}: {problem}", path.display())]
    Patch {
        /// The file.
        path: PathBuf,
        /// What is wrong.
        problem: String,
    },
    /// Two of the named files are one, and writing it would lose the other.
    #[error("{} would be written over {what}; name another file", path.display())]
    Same {
        /// The file to write.
        path: PathBuf,
        /// What it is already.
        what: &'static str,
    },
    /// There is an older backup.
    #[error("{} is there already, and holds an older text; move it away first", path.display())]
    OldBackup {
        /// The backup.
        path: PathBuf,
    },
    /// A file cannot be written.
    #[error("{0}")]
    Write(std::io::Error),
}

impl Failure {
    /// The exit code.
    pub(crate) fn code(&self) -> u8 {
        match self {
            Self::Read(_) | Self::NotText { .. } | Self::Patch { .. } => ExitCode::BadInput.code(),
            Self::Same { .. } | Self::OldBackup { .. } => ExitCode::Usage.code(),
            Self::Write(_) => ExitCode::Storage.code(),
        }
    }
}

/// Reads a text file; `-` is standard input.
pub(crate) fn read(path: &Path) -> Result<String, Failure> {
    let bytes = if path.as_os_str() == "-" {
        let mut bytes = Vec::new();
        std::io::stdin().lock().read_to_end(&mut bytes).map_err(Failure::Read)?;
        bytes
    } else {
        fs_err::read(path).map_err(Failure::Read)?
    };
    String::from_utf8(bytes)
        .map_err(|error| Failure::NotText { path: path.to_owned(), at: error.utf8_error().valid_up_to() })
}

/// Writes a file whole; permissions of a file that is there are kept, and a link is followed.
pub(crate) fn write(path: &Path, text: &str) -> Result<(), Failure> {
    let place = fs_err::canonicalize(path).unwrap_or_else(|_| path.to_owned());
    let folder = place.parent().filter(|folder| !folder.as_os_str().is_empty()).unwrap_or(Path::new("."));
    let mut beside = tempfile::NamedTempFile::new_in(folder).map_err(Failure::Write)?;
    beside.write_all(text.as_bytes()).map_err(Failure::Write)?;
    beside.as_file().sync_all().map_err(Failure::Write)?;
    if let Ok(found) = fs_err::metadata(&place) {
        fs_err::set_permissions(beside.path(), found.permissions()).map_err(Failure::Write)?;
    }
    beside.persist(&place).map_err(|error| Failure::Write(error.error))?;
    Ok(())
}

/// The path of a file whether or not it is there, by which two spellings of one file are told.
pub(crate) fn real(path: &Path) -> PathBuf {
    if let Ok(real) = fs_err::canonicalize(path) {
        return real;
    }
    let folder = path.parent().filter(|folder| !folder.as_os_str().is_empty()).unwrap_or(Path::new("."));
    let folder = fs_err::canonicalize(folder).unwrap_or_else(|_| folder.to_owned());
    path.file_name().map_or_else(|| folder.clone(), |name| folder.join(name))
}

/// The name of the copy of the old text.
pub(crate) fn backup_of(path: &Path) -> PathBuf {
    let mut name = path.as_os_str().to_owned();
    name.push(".bak");
    PathBuf::from(name)
}

/// Prints to standard output; a reader that went away is no failure.
pub(crate) fn print(text: &str) -> Result<(), Failure> {
    let mut stdout = std::io::stdout().lock();
    match stdout.write_all(text.as_bytes()).and_then(|()| stdout.flush()) {
        Err(error) if error.kind() != std::io::ErrorKind::BrokenPipe => Err(Failure::Write(error)),
        _ => Ok(()),
    }
}

/// Prints to standard error.
pub(crate) fn tell(text: &str) -> Result<(), Failure> {
    std::io::stderr().lock().write_all(text.as_bytes()).map_err(Failure::Write)
}
