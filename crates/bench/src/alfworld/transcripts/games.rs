//! The game files that transcripts name, packed or in folders.
//!
//! Always holds: a name is never used as a path; it is looked for among the files that are there.

use std::path::{Path, PathBuf};

use walkdir::WalkDir;

use crate::conformance::archive::{ArchiveError, read_archive, read_text};

/// The extension of game files.
const EXTENSION: &str = "tw-pddl";

/// A folder's game files, those of its archive first.
pub(super) struct Games {
    packed: Vec<(String, String)>,
    /// Paths within the folder, with `/`, and where they are.
    files: Vec<(String, PathBuf)>,
}

impl Games {
    /// Finds the games of `games.tar.xz` or `games.tar`, and those below the folder.
    ///
    /// # Errors
    /// If the archive is damaged.
    pub(super) fn of(folder: &Path) -> Result<Self, ArchiveError> {
        let archives = ["games.tar.xz", "games.tar"].map(|name| folder.join(name));
        let archive = archives.into_iter().find(|path| path.is_file());
        let packed = archive.map(|path| read_archive(&path, EXTENSION)).transpose()?.unwrap_or_default();
        let below = WalkDir::new(folder).sort_by_file_name().into_iter().flatten();
        let files = below
            .filter(|entry| entry.file_type().is_file())
            .filter(|entry| entry.path().extension().is_some_and(|found| found == EXTENSION))
            .map(|entry| (within(folder, entry.path()), entry.into_path()))
            .collect();
        Ok(Self { packed, files })
    }

    /// The text of the game that a transcript names: by its path, or by the end of it, as archives have folders around.
    pub(super) fn text(&self, name: &str) -> Result<String, String> {
        let fits = |path: &str| {
            path.strip_suffix(name).is_some_and(|before| before.is_empty() || before.ends_with('/'))
        };
        if let Some((_, text)) = self.packed.iter().find(|(path, _)| fits(path)) {
            return Ok(text.clone());
        }
        let found = self.files.iter().find(|(path, _)| fits(path));
        let (_, path) = found.ok_or("there is no such game beside the transcripts")?;
        read_text(path).map_err(|error| error.to_string())
    }
}

fn within(folder: &Path, path: &Path) -> String {
    let parts = path.strip_prefix(folder).unwrap_or(path).components();
    let parts: Vec<_> = parts.map(|part| part.as_os_str().to_string_lossy()).collect();
    parts.join("/")
}
