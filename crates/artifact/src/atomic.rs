//! Files that are there whole or not at all.
//!
//! Always holds: a reader sees the old bytes or the new ones; when a function returns, what it wrote survives a
//! loss of power.

use std::io::{self, Write};

use camino::Utf8Path;
use tempfile::NamedTempFile;

use crate::failure::WriteError;

/// Replaces the file `path` by `bytes`, making its folder if needed.
pub(crate) fn write(path: &Utf8Path, bytes: &[u8]) -> Result<(), WriteError> {
    let folder = path.parent().unwrap_or(Utf8Path::new("."));
    replace(folder, path, bytes).map_err(|source| WriteError::storage(path, source))
}

fn replace(folder: &Utf8Path, path: &Utf8Path, bytes: &[u8]) -> io::Result<()> {
    fs_err::create_dir_all(folder)?;
    // Temporary files of a killed process are swept by name, see `RunDir::open`.
    let mut file: NamedTempFile = tempfile::Builder::new().prefix(TEMPORARY_PREFIX).tempfile_in(folder)?;
    file.write_all(bytes)?;
    file.as_file().sync_all()?;
    file.persist(path).map_err(|error| error.error)?;
    sync_folder(folder)
}

/// How the names of temporary files begin.
pub(crate) const TEMPORARY_PREFIX: &str = ".tmp-";

/// Makes renames within `folder` durable.
pub(crate) fn sync_folder(folder: &Utf8Path) -> io::Result<()> {
    // Elsewhere a folder cannot be opened as a file, and the file system orders renames itself.
    if cfg!(unix) { fs_err::File::open(folder)?.sync_all() } else { Ok(()) }
}
