//! Who may write into a run.
//!
//! Always holds: at most one process writes a run, with the stage processes that it started; a process that was
//! killed holds nothing, because the system releases its locks.

use std::fs::{File, OpenOptions, TryLockError};
use std::io::{self, Read, Seek, Write};
use std::thread::sleep;
use std::time::Duration;

use camino::{Utf8Path, Utf8PathBuf};
use serde::{Deserialize, Serialize};

const RETRY_EVERY: Duration = Duration::from_millis(100);
const RETRIES: u32 = 50;

/// Who holds a lock, as it wrote itself into the lock file.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Holder {
    /// The process.
    pub pid: u32,
    /// Its program and subcommand; never all arguments, as one may hold what nobody else should read.
    pub command: String,
}

/// Why a lock was not taken.
#[derive(Debug, thiserror::Error)]
pub enum LockError {
    /// Another process holds it.
    #[error("{path} is held by {}; wait for it or stop it", describe(holder.as_ref()))]
    InUse {
        /// The lock file.
        path: Utf8PathBuf,
        /// Who holds it, if it could be read.
        holder: Option<Holder>,
    },
    /// The lock file cannot be used.
    #[error("cannot lock {path}: {source}")]
    Storage {
        /// The lock file.
        path: Utf8PathBuf,
        /// What the system said.
        source: io::Error,
    },
}

fn describe(holder: Option<&Holder>) -> String {
    match holder {
        Some(holder) => format!("process {} ({})", holder.pid, holder.command),
        None => "another process".to_owned(),
    }
}

/// How a lock is shared.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Sharing {
    /// By nobody.
    Exclusive,
    /// With others that share it.
    Shared,
}

/// A lock, released when dropped.
#[derive(Debug)]
pub(crate) struct Lock {
    _file: File,
}

impl Lock {
    /// Takes the lock `path`, trying for five seconds.
    pub(crate) fn take(path: &Utf8Path, sharing: Sharing) -> Result<Self, LockError> {
        let storage = |source| LockError::Storage { path: path.to_owned(), source };
        let mut file = OpenOptions::new()
            .read(true)
            .write(true)
            .create(true)
            .truncate(false)
            .open(path)
            .map_err(storage)?;
        for attempt in 0..=RETRIES {
            let tried = match sharing {
                Sharing::Exclusive => file.try_lock(),
                Sharing::Shared => file.try_lock_shared(),
            };
            match tried {
                Ok(()) => {
                    sign(&mut file).map_err(storage)?;
                    return Ok(Self { _file: file });
                }
                Err(TryLockError::Error(source)) => return Err(storage(source)),
                Err(TryLockError::WouldBlock) if attempt < RETRIES => sleep(RETRY_EVERY),
                Err(TryLockError::WouldBlock) => {}
            }
        }
        Err(LockError::InUse { path: path.to_owned(), holder: read_holder(&mut file) })
    }
}

fn sign(file: &mut File) -> io::Result<()> {
    let command = std::env::args_os().take(2).map(|part| part.to_string_lossy().into_owned());
    let command = command.collect::<Vec<_>>().join(" ");
    let holder = serde_json::to_vec(&Holder { pid: std::process::id(), command })?;
    file.set_len(0)?;
    file.rewind()?;
    file.write_all(&holder)
}

fn read_holder(file: &mut File) -> Option<Holder> {
    let mut text = String::new();
    file.rewind().ok()?;
    file.read_to_string(&mut text).ok()?;
    serde_json::from_str(&text).ok()
}
