//! The folder of one run, with copies of what the program is given.
//!
//! Always holds: names are plain, so that nothing is written or read outside the folder, and the folder goes away with
//! its value.

use std::io::Read;
use std::os::unix::fs::{MetadataExt, PermissionsExt};
use std::path::{Path, PathBuf};

use tempfile::TempDir;

use crate::program::Program;
use crate::sandbox::SandboxError;

/// The script in the work folder.
pub(crate) const SCRIPT: &str = "program.py";
/// The folder for temporary files in the work folder.
pub(crate) const TEMPORARY: &str = ".tmp";

/// A folder that holds the script and the inputs, and is gone when this is dropped.
#[derive(Debug)]
pub(crate) struct RunFolder {
    /// Removed with everything in it.
    parent: TempDir,
    files: PathBuf,
    bytes: u64,
}

impl RunFolder {
    /// Copies the script and the inputs of a program. Everybody may read them, but nobody else can reach them.
    pub(crate) fn with(program: &Program<'_>) -> Result<Self, SandboxError> {
        check_names(program)?;
        let failed = |source| SandboxError::Folder { source };
        let parent = tempfile::Builder::new().prefix("textualrl-").tempdir().map_err(failed)?;
        // The temporary folder may be reached through a link; the program is told where it really is.
        let files = parent.path().canonicalize().map_err(failed)?.join("files");
        std::fs::create_dir(&files).map_err(failed)?;
        set_mode(&files, 0o755).map_err(failed)?;
        let script = files.join(SCRIPT);
        std::fs::write(&script, program.script).map_err(failed)?;
        set_mode(&script, 0o644).map_err(failed)?;
        let mut bytes = program.script.len() as u64;
        for (name, source) in &program.inputs {
            let copy = files.join(name);
            let input = |error| SandboxError::Input { path: (*source).to_owned(), source: error };
            bytes = bytes.saturating_add(std::fs::copy(source, &copy).map_err(input)?);
            set_mode(&copy, 0o644).map_err(failed)?;
        }
        Ok(Self { parent, files, bytes })
    }

    /// Where the files lie.
    pub(crate) fn path(&self) -> &Path {
        &self.files
    }

    /// The bytes of the files as they were copied.
    pub(crate) fn bytes(&self) -> u64 {
        self.bytes
    }

    /// Makes the folder for temporary files.
    pub(crate) fn make_temporary(&self) -> std::io::Result<()> {
        std::fs::create_dir(self.files.join(TEMPORARY))
    }

    /// Makes the folder and everything in it the property of a user.
    pub(crate) fn give_to(&self, number: u32) -> std::io::Result<()> {
        let give = |path: &Path| std::os::unix::fs::chown(path, Some(number), Some(number));
        for entry in std::fs::read_dir(&self.files)? {
            give(&entry?.path())?;
        }
        give(&self.files)?;
        // The folder above, which nobody may list, is passed through.
        set_mode(self.parent.path(), 0o711)
    }

    /// Bytes that were added to what was copied.
    pub(crate) fn growth(&self) -> u64 {
        size(&self.files).saturating_sub(self.bytes)
    }

    /// A path beside the files, which the program does not see.
    pub(crate) fn beside(&self, name: &str) -> PathBuf {
        self.parent.path().join(name)
    }

    /// How many files were copied.
    pub(crate) fn count(program: &Program<'_>) -> u64 {
        program.inputs.len() as u64 + 1
    }

    /// The regular file of this name, if it is at most `most` bytes long. A link is not followed.
    pub(crate) fn left(&self, name: &str, most: u64) -> Option<Vec<u8>> {
        let path = self.files.join(name);
        // Nothing of the program runs any more that could put something else in the file's place.
        std::fs::symlink_metadata(&path).ok().filter(std::fs::Metadata::is_file)?;
        let file = std::fs::File::open(&path).ok()?;
        let mut bytes = Vec::new();
        file.take(most.saturating_add(1)).read_to_end(&mut bytes).ok()?;
        (bytes.len() as u64 <= most).then_some(bytes)
    }
}

/// The bytes of all files below a folder. Files that go away meanwhile count nothing.
fn size(folder: &Path) -> u64 {
    let Ok(entries) = std::fs::read_dir(folder) else { return 0 };
    let bytes = |entry: std::fs::DirEntry| match entry.metadata() {
        Ok(file) if file.is_dir() => size(&entry.path()),
        // A file with holes takes less room than it is long.
        Ok(file) => file.blocks().saturating_mul(512).min(file.len()),
        Err(_) => 0,
    };
    entries.flatten().map(bytes).fold(0, u64::saturating_add)
}

fn set_mode(path: &Path, mode: u32) -> std::io::Result<()> {
    std::fs::set_permissions(path, std::fs::Permissions::from_mode(mode))
}

fn check_names(program: &Program<'_>) -> Result<(), SandboxError> {
    let inputs = program.inputs.iter().map(|(name, _)| *name);
    let all: Vec<&str> = inputs.clone().chain([program.output]).collect();
    let refused = all.iter().find(|name| !is_plain(name)).copied();
    let twice = inputs
        .clone()
        .enumerate()
        .find(|(place, name)| inputs.clone().take(*place).any(|other| other == *name));
    match refused.or(twice.map(|(_, name)| name)) {
        Some(name) => Err(SandboxError::Name { name: name.to_owned() }),
        None => Ok(()),
    }
}

/// Whether this is the name of a file in a folder, and none of those that the sandbox itself uses.
fn is_plain(name: &str) -> bool {
    let special = ["", ".", "..", SCRIPT, TEMPORARY];
    !special.contains(&name) && !name.contains(['/', '\0']) && name.len() < 256
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_plain_names_are_taken() {
        for (name, plain) in [
            ("input.xlsx", true),
            ("1_täbelle mit leer.xlsx", true),
            (".hidden", true),
            ("", false),
            ("..", false),
            ("a/b", false),
            ("/etc/passwd", false),
            ("a\0b", false),
            ("program.py", false),
        ] {
            assert_eq!(is_plain(name), plain, "{name:?}");
        }
    }

    #[test]
    fn a_name_is_used_once() {
        let inputs = vec![("a", Path::new("/x")), ("a", Path::new("/y"))];
        let program = Program { script: "", inputs, output: "a" };
        assert!(matches!(check_names(&program), Err(SandboxError::Name { name }) if name == "a"));
    }
}
