//! A run folder: opened for reading or writing, and read by slot and kind.
//!
//! Always holds: nothing is written before the lock is held; paths are made of slots, kinds and checked names only.

mod access;
mod draft;
mod open;
mod projection;
mod timing;
mod view;

use camino::{Utf8Path, Utf8PathBuf};
use serde::de::DeserializeOwned;

pub use access::{Access, InvalidShard, Shard};
pub use draft::StageDraft;
pub use open::OpenError;
pub use projection::Projection;
pub use view::RunView;

use crate::container::TrajectoryReader;
use crate::envelope;
use crate::failure::{ReadError, WriteError};
use crate::kind::{Kind, TextKind};
use crate::lock::Lock;
use crate::manifest::Manifest;
use crate::slot::Slot;
use crate::stage_record::StageRecord;

/// A run folder.
#[derive(Debug)]
pub struct RunDir {
    root: Utf8PathBuf,
    access: Access,
    _lock: Option<Lock>,
}

impl RunDir {
    /// The folder.
    pub fn path(&self) -> &Utf8Path {
        &self.root
    }

    /// The folder of a slot; it exists if the slot is filled.
    pub fn folder(&self, slot: Slot) -> Utf8PathBuf {
        self.root.join(slot.folder())
    }

    /// What the run was made with.
    ///
    /// # Errors
    /// If `manifest.json` cannot be read.
    pub fn manifest(&self) -> Result<Manifest, ReadError> {
        read_json_file(&self.root.join(Kind::Manifest.file()), Kind::Manifest)
    }

    /// The resolved configuration (`run.toml`).
    ///
    /// # Errors
    /// If it cannot be read.
    pub fn run_toml(&self) -> Result<String, ReadError> {
        read_text_file(&self.root.join(open::RUN_TOML))
    }

    /// The record of a filled slot, or nothing.
    ///
    /// # Errors
    /// If there is a record that cannot be read.
    pub fn record(&self, slot: Slot) -> Result<Option<StageRecord>, ReadError> {
        optional(read_json_file(&self.folder(slot).join(Kind::Stage.file()), Kind::Stage))
    }

    /// An artifact of a filled slot.
    ///
    /// # Errors
    /// If it is missing, damaged, of another kind or newer than this tool.
    pub fn read_json<T: DeserializeOwned>(&self, slot: Slot, kind: Kind) -> Result<T, ReadError> {
        read_json_file(&self.folder(slot).join(kind.file()), kind)
    }

    /// Artifact number `number` of a kind of which a slot holds several.
    ///
    /// # Errors
    /// As [`RunDir::read_json`].
    pub fn read_numbered_json<T: DeserializeOwned>(
        &self,
        slot: Slot,
        kind: Kind,
        number: u32,
    ) -> Result<T, ReadError> {
        read_json_file(&self.folder(slot).join(kind.numbered_file(number)), kind)
    }

    /// The numbers of a kind of which a slot holds several, ascending.
    ///
    /// # Errors
    /// If the folder cannot be read.
    pub fn numbers(&self, slot: Slot, kind: Kind) -> Result<Vec<u32>, ReadError> {
        let names = view::names_in(&self.folder(slot))?;
        let mut numbers: Vec<u32> = names.iter().filter_map(|name| kind.number_of(name)).collect();
        numbers.sort_unstable();
        Ok(numbers)
    }

    /// A text of a filled slot.
    ///
    /// # Errors
    /// If it is missing or no UTF-8.
    pub fn read_text(&self, slot: Slot, kind: TextKind) -> Result<String, ReadError> {
        read_text_file(&self.folder(slot).join(kind.file()))
    }

    /// The trajectories of a filled slot.
    ///
    /// # Errors
    /// If the file is missing, damaged or newer than this tool.
    pub fn trajectories(&self, slot: Slot) -> Result<TrajectoryReader, ReadError> {
        TrajectoryReader::open(&self.folder(slot).join(Kind::Trajectories.file()))
    }

    /// The record of a finished shard, or nothing.
    ///
    /// # Errors
    /// If there is a record that cannot be read.
    pub fn shard_record(&self, shard: Shard) -> Result<Option<StageRecord>, ReadError> {
        optional(read_json_file(&self.root.join(shard.folder()).join(Kind::Stage.file()), Kind::Stage))
    }

    /// The trajectories of a finished shard.
    ///
    /// # Errors
    /// If the file is missing, damaged or newer than this tool.
    pub fn shard_trajectories(&self, shard: Shard) -> Result<TrajectoryReader, ReadError> {
        TrajectoryReader::open(&self.root.join(shard.folder()).join(Kind::Trajectories.file()))
    }

    fn check_write(&self, path: &Utf8Path) -> Result<(), WriteError> {
        match self.access {
            Access::Write | Access::UnderLoop => self.check_links(path),
            Access::Read | Access::Shard(_) => Err(WriteError::ReadOnly { path: path.to_owned() }),
        }
    }

    /// Refuses if a folder between the run and `path` is a link, which would carry the write out of the run.
    fn check_links(&self, path: &Utf8Path) -> Result<(), WriteError> {
        let within = path.ancestors().take_while(|ancestor| *ancestor != self.root);
        for ancestor in within {
            if ancestor.symlink_metadata().is_ok_and(|metadata| metadata.is_symlink()) {
                return Err(WriteError::Link { path: ancestor.to_owned() });
            }
        }
        Ok(())
    }
}

fn optional<T>(read: Result<T, ReadError>) -> Result<Option<T>, ReadError> {
    match read {
        Ok(value) => Ok(Some(value)),
        Err(ReadError::Missing { .. }) => Ok(None),
        Err(error) => Err(error),
    }
}

fn read_bytes(path: &Utf8Path) -> Result<Vec<u8>, ReadError> {
    std::fs::read(path).map_err(|source| ReadError::storage(path, source))
}

fn read_json_file<T: DeserializeOwned>(path: &Utf8Path, kind: Kind) -> Result<T, ReadError> {
    envelope::decode(path, kind, &read_bytes(path)?)
}

fn read_text_file(path: &Utf8Path) -> Result<String, ReadError> {
    String::from_utf8(read_bytes(path)?).map_err(|_| ReadError::damaged(path, "it is no UTF-8"))
}

/// Refuses to replace a file that a newer tool wrote. A damaged one is no reason against writing it again.
fn check_replaceable(path: &Utf8Path, kind: Kind) -> Result<(), WriteError> {
    let bytes = match read_bytes(path) {
        Err(ReadError::Missing { .. }) => return Ok(()),
        read => read?,
    };
    match envelope::check_rewritable(path, kind, &bytes) {
        Err(WriteError::Read(ReadError::Damaged { .. } | ReadError::WrongKind { .. })) => Ok(()),
        checked => checked,
    }
}
