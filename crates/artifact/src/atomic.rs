//! Files that are there whole or not at all.
//!
//! Always holds: a reader sees the old bytes or the new ones; when a function returns, what it wrote survives a
//! loss of power.

use std::io::{self, Write};

use camino::Utf8Path;
use tempfile::NamedTempFile;

use crate::failure::WriteError;

/// Replaces the file `path` by `bytes`, making its folder if needed.
///
/// # Errors
/// If there is no room or no permission; the old file is still there then.
pub fn write(path: &Utf8Path, bytes: &[u8]) -> Result<(), WriteError> {
    let folder = path.parent().unwrap_or(Utf8Path::new("."));
    replace(folder, path, bytes).map_err(|source| WriteError::storage(path, source))
}

fn replace(folder: &Utf8Path, path: &Utf8Path, bytes: &[u8]) -> io::Result<()> {
    fs_err::create_dir_all(folder)?;
    let mut file: NamedTempFile = tempfile::Builder::new().prefix(TEMPORARY_PREFIX).tempfile_in(folder)?;
    file.write_all(bytes)?;
    file.as_file().sync_all()?;
    file.persist(path).map_err(|error| error.error)?;
    sync_folder(folder)
}

/// Writes a file into a folder that nobody reads yet.
pub(crate) fn write_unseen(path: &Utf8Path, bytes: &[u8]) -> Result<(), WriteError> {
    let write = || {
        let mut file = fs_err::File::create(path)?;
        file.write_all(bytes)?;
        file.sync_all()
    };
    write().map_err(|source| WriteError::storage(path, source))
}

/// Copies a file into a folder that nobody reads yet, without holding it in memory.
pub(crate) fn copy_unseen(from: &Utf8Path, to: &Utf8Path) -> Result<(), WriteError> {
    let copy = || {
        fs_err::copy(from, to)?;
        fs_err::File::open(to)?.sync_all()
    };
    copy().map_err(|source| WriteError::storage(to, source))
}

/// How the names of temporary files begin. A killed process leaves them; the next writer sweeps them away.
pub(crate) const TEMPORARY_PREFIX: &str = ".tmp-";

/// Makes renames within `folder` durable.
pub(crate) fn sync_folder(folder: &Utf8Path) -> io::Result<()> {
    // Elsewhere a folder cannot be opened as a file, and the file system orders renames itself.
    if cfg!(unix) { fs_err::File::open(folder)?.sync_all() } else { Ok(()) }
}

/// Removes what killed processes left in `folder`. Called by the only writer.
pub(crate) fn sweep(folder: &Utf8Path) -> io::Result<()> {
    let entries = match folder.read_dir_utf8() {
        Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(()),
        entries => entries?,
    };
    for entry in entries {
        let entry = entry?;
        if entry.file_name().starts_with(TEMPORARY_PREFIX) {
            fs_err::remove_file(entry.path())?;
        }
    }
    Ok(())
}
