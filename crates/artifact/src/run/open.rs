//! Making and opening a run folder.
//!
//! Always holds: a folder becomes a run with its manifest, which is written last; a folder that holds anything else
//! is left alone.

use std::io;

use camino::{Utf8Path, Utf8PathBuf};
use textualrl_model::ExitCode;

use super::access::Access;
use super::{RunDir, view};
use crate::atomic::{self, TEMPORARY_PREFIX};
use crate::envelope;
use crate::failure::{ReadError, WriteError};
use crate::kind::{Kind, Version};
use crate::lock::{Lock, LockError, Sharing};
use crate::manifest::Manifest;

pub(crate) const RUN_TOML: &str = "run.toml";
const RUN_LOCK: &str = "run.lock";
const STAGE_LOCK: &str = "stage.lock";

/// Why a run folder could not be made or opened.
#[derive(Debug, thiserror::Error)]
pub enum OpenError {
    /// A new run was to be made where there is one.
    #[error("{path} is a run already; go on with it by `--resume {path}`, or choose another name")]
    Exists {
        /// The folder.
        path: Utf8PathBuf,
    },
    /// A new run was to be made in a folder that holds something else.
    #[error("{path} is not empty and no run; choose another name")]
    Foreign {
        /// The folder.
        path: Utf8PathBuf,
    },
    /// The folder is no run.
    #[error("{path} is no run folder: it has no manifest.json")]
    NoRun {
        /// The folder.
        path: Utf8PathBuf,
    },
    /// A newer tool made the run.
    #[error(
        "{path} was made by textualrl {tool} (run format {found}, this tool knows {known}); use that version or a newer one"
    )]
    Newer {
        /// The folder.
        path: Utf8PathBuf,
        /// The tool that made it.
        tool: String,
        /// The format of its manifest.
        found: Version,
        /// The newest format that this tool knows.
        known: Version,
    },
    /// Another process works in the run.
    #[error("the run is in use: {0}")]
    InUse(#[source] LockError),
    /// A file of the run cannot be read.
    #[error(transparent)]
    Read(#[from] ReadError),
    /// A file of the run cannot be written.
    #[error(transparent)]
    Write(#[from] WriteError),
}

impl OpenError {
    /// The exit code of a command that ends with this error.
    pub fn exit_code(&self) -> ExitCode {
        match self {
            Self::Exists { .. } | Self::Foreign { .. } => ExitCode::Usage,
            Self::NoRun { .. } | Self::Newer { .. } => ExitCode::RunFolder,
            Self::InUse(_) => ExitCode::InUse,
            Self::Read(error) => error.exit_code(),
            Self::Write(error) => error.exit_code(),
        }
    }
}

impl From<LockError> for OpenError {
    fn from(error: LockError) -> Self {
        match error {
            LockError::InUse { .. } => Self::InUse(error),
            LockError::Storage { path, source } => Self::Write(WriteError::Storage { path, source }),
        }
    }
}

impl RunDir {
    /// Makes a run folder and holds it for writing.
    ///
    /// # Errors
    /// If the folder is a run already or holds anything else, or if it cannot be written.
    pub fn create(path: &Utf8Path, manifest: &Manifest, run_toml: &str) -> Result<Self, OpenError> {
        if path.join(Kind::Manifest.file()).exists() {
            return Err(OpenError::Exists { path: path.to_owned() });
        }
        let storage = |source: io::Error| WriteError::storage(path, source);
        fs_err::create_dir_all(path).map_err(storage)?;
        // A run that was killed before its manifest was written leaves these.
        let ours = |name: &String| {
            [RUN_LOCK, STAGE_LOCK, RUN_TOML].contains(&name.as_str()) || name.starts_with(TEMPORARY_PREFIX)
        };
        if !view::names_in(path)?.iter().all(ours) {
            return Err(OpenError::Foreign { path: path.to_owned() });
        }
        let root = path.canonicalize_utf8().map_err(storage)?;
        let lock = Lock::take(&root.join(RUN_LOCK), Sharing::Exclusive)?;
        let file = root.join(Kind::Manifest.file());
        if file.exists() {
            return Err(OpenError::Exists { path: path.to_owned() });
        }
        atomic::write(&root.join(RUN_TOML), run_toml.as_bytes())?;
        atomic::write(&file, &envelope::encode(&file, Kind::Manifest, manifest)?)?;
        Ok(Self { root, access: Access::Write, _lock: Some(lock) })
    }

    /// Opens a run folder. Writers wait up to five seconds for another one to end.
    ///
    /// # Errors
    /// If the folder is no run, was made by a newer tool, is damaged, or is in use.
    pub fn open(path: &Utf8Path, access: Access) -> Result<Self, OpenError> {
        let root = path.canonicalize_utf8().map_err(|_| OpenError::NoRun { path: path.to_owned() })?;
        check_manifest(path, access)?;
        let lock = match access {
            Access::Read => None,
            Access::Write => {
                let lock = take_run(&root)?;
                sweep(&root)?;
                Some(lock)
            }
            Access::UnderLoop => Some(Lock::take(&root.join(STAGE_LOCK), Sharing::Shared)?),
            Access::Shard(shard) => {
                let lock = root.join(format!("{}.lock", shard.folder()));
                let folder = lock.parent().unwrap_or(&root);
                fs_err::create_dir_all(folder).map_err(|source| WriteError::storage(folder, source))?;
                Some(Lock::take(&lock, Sharing::Exclusive)?)
            }
        };
        Ok(Self { root, access, _lock: lock })
    }
}

/// Removes the temporary files that killed processes left.
fn sweep(root: &Utf8Path) -> Result<(), OpenError> {
    let steps = root.join("steps");
    let mut folders = vec![root.to_owned(), root.join("contexts"), root.join("report")];
    folders.extend(view::names_in(&steps)?.iter().map(|name| steps.join(name)).filter(|path| path.is_dir()));
    for folder in folders {
        atomic::sweep(&folder).map_err(|source| WriteError::storage(&folder, source))?;
    }
    Ok(())
}

/// Takes the run, unless a stage process of a loop that was killed is still at work.
fn take_run(root: &Utf8Path) -> Result<Lock, LockError> {
    let run = Lock::take(&root.join(RUN_LOCK), Sharing::Exclusive)?;
    let stages = Lock::take(&root.join(STAGE_LOCK), Sharing::Exclusive)?;
    drop(stages);
    Ok(run)
}

/// Refuses a folder that is no run, or whose run this tool cannot read (or may not write).
fn check_manifest(path: &Utf8Path, access: Access) -> Result<(), OpenError> {
    let file = path.join(Kind::Manifest.file());
    let bytes = match super::read_bytes(&file) {
        Err(ReadError::Missing { .. }) => return Err(OpenError::NoRun { path: path.to_owned() }),
        read => read?,
    };
    let checked = match access {
        Access::Read => envelope::version(&file, Kind::Manifest, &bytes).map(drop).map_err(WriteError::from),
        _ => envelope::check_rewritable(&file, Kind::Manifest, &bytes),
    };
    match checked {
        Ok(()) => Ok(envelope::decode::<Manifest>(&file, Kind::Manifest, &bytes).map(drop)?),
        Err(
            WriteError::Read(ReadError::Newer { found, known, .. }) | WriteError::Newer { found, known, .. },
        ) => Err(OpenError::Newer { path: path.to_owned(), tool: tool_of(&bytes), found, known }),
        Err(WriteError::Read(error)) => Err(error.into()),
        Err(error) => Err(error.into()),
    }
}

/// The tool named in a manifest of whatever version.
fn tool_of(bytes: &[u8]) -> String {
    let manifest: serde_json::Value = serde_json::from_slice(bytes).unwrap_or_default();
    manifest
        .pointer("/data/tool")
        .and_then(serde_json::Value::as_str)
        .unwrap_or("of a later version")
        .to_owned()
}
