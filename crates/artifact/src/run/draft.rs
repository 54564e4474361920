//! The output of a stage while it is being written.
//!
//! Always holds: a draft is invisible until it is committed, and then there whole; what was there before is kept
//! beside it. A draft that is dropped leaves nothing that is ever read.

use std::borrow::Borrow;
use std::collections::BTreeMap;
use std::io;

use camino::{Utf8Path, Utf8PathBuf};
use serde::Serialize;
use textualrl_model::{Fingerprint, Trajectory};

use super::access::{Access, Shard};
use super::{RunDir, check_replaceable};
use crate::atomic;
use crate::container::TrajectoryWriter;
use crate::envelope;
use crate::failure::{ReadError, WriteError};
use crate::kind::{Kind, TextKind};
use crate::slot::Slot;
use crate::stage_record::StageRecord;

/// The output of a stage while it is being written.
#[derive(Debug)]
pub struct StageDraft {
    folder: Utf8PathBuf,
    target: Utf8PathBuf,
    outputs: BTreeMap<String, Fingerprint>,
}

impl RunDir {
    /// Begins the output of a slot. What a killed process left of an earlier draft is removed.
    ///
    /// # Errors
    /// If the run is not open for writing, or what is there was written by a newer tool.
    pub fn begin(&self, slot: Slot) -> Result<StageDraft, WriteError> {
        let target = self.folder(slot);
        self.check_write(&target)?;
        StageDraft::new(target)
    }

    /// Copies the output of a slot of another run into this one, record included.
    ///
    /// # Errors
    /// If the other run lacks it, its files are no longer what its stage wrote, or it cannot be copied.
    pub fn copy_slot(&self, other: &Self, slot: Slot) -> Result<StageRecord, WriteError> {
        let source = other.folder(slot);
        let record: StageRecord = other.read_json(slot, Kind::Stage)?;
        if let Some(name) = other.changed_outputs(slot)?.first() {
            return Err(ReadError::damaged(
                &source.join(name),
                "it was changed after its stage had written it",
            )
            .into());
        }
        let draft = self.begin(slot)?;
        // The names were found plain above.
        for name in record.outputs.keys().map(String::as_str).chain([Kind::Stage.file()]) {
            atomic::copy_unseen(&source.join(name), &draft.folder.join(name))?;
        }
        draft.put_in_place().map_err(|source| WriteError::storage(&draft.target, source))?;
        Ok(record)
    }

    /// Begins the output of the shard that the run was opened for.
    ///
    /// # Errors
    /// If the run was not opened for this shard.
    pub fn begin_shard(&self, shard: Shard) -> Result<StageDraft, WriteError> {
        let target = self.path().join(shard.folder());
        if self.access != Access::Shard(shard) {
            return Err(WriteError::ReadOnly { path: target });
        }
        self.check_links(&target)?;
        StageDraft::new(target)
    }
}

impl StageDraft {
    fn new(target: Utf8PathBuf) -> Result<Self, WriteError> {
        check_replaceable(&target.join(Kind::Stage.file()), Kind::Stage)?;
        let folder = Utf8PathBuf::from(format!("{target}.tmp"));
        let storage = |source: io::Error| WriteError::storage(&folder, source);
        match fs_err::remove_dir_all(&folder) {
            Err(error) if error.kind() != io::ErrorKind::NotFound => return Err(storage(error)),
            _ => fs_err::create_dir_all(&folder).map_err(storage)?,
        }
        Ok(Self { folder, target, outputs: BTreeMap::new() })
    }

    /// Adds a JSON artifact.
    ///
    /// # Errors
    /// If it cannot be written.
    pub fn write_json<T: Serialize + ?Sized>(&mut self, kind: Kind, data: &T) -> Result<(), WriteError> {
        self.add(kind.file().to_owned(), |path| envelope::encode(path, kind, data))
    }

    /// Adds a JSON artifact of a kind of which there are several.
    ///
    /// # Errors
    /// If it cannot be written.
    pub fn write_numbered_json<T: Serialize + ?Sized>(
        &mut self,
        kind: Kind,
        number: u32,
        data: &T,
    ) -> Result<(), WriteError> {
        self.add(kind.numbered_file(number), |path| envelope::encode(path, kind, data))
    }

    /// Adds a text, byte for byte.
    ///
    /// # Errors
    /// If it cannot be written.
    pub fn write_text(&mut self, kind: TextKind, text: &str) -> Result<(), WriteError> {
        self.add(kind.file().to_owned(), |_| Ok(text.as_bytes().to_vec()))
    }

    /// Adds the trajectories in the order given, with the memory of a few blocks.
    ///
    /// # Errors
    /// If they cannot be written.
    pub fn write_trajectories<T: Borrow<Trajectory>>(
        &mut self,
        trajectories: impl IntoIterator<Item = T>,
    ) -> Result<(), WriteError> {
        let name = Kind::Trajectories.file().to_owned();
        let mut writer = TrajectoryWriter::create(&self.folder.join(&name))?;
        for trajectory in trajectories {
            writer.write(trajectory.borrow())?;
        }
        self.outputs.insert(name, writer.finish()?);
        Ok(())
    }

    fn add(
        &mut self,
        name: String,
        encode: impl FnOnce(&Utf8Path) -> Result<Vec<u8>, WriteError>,
    ) -> Result<(), WriteError> {
        let path = self.folder.join(&name);
        let bytes = encode(&path)?;
        atomic::write_unseen(&path, &bytes)?;
        self.outputs.insert(name, Fingerprint::of(&bytes));
        Ok(())
    }

    /// Puts the output in its place, with `record` beside it; `record.outputs` is filled in here.
    ///
    /// # Errors
    /// If it cannot be written; the earlier output is then still in its place.
    pub fn commit(mut self, mut record: StageRecord) -> Result<StageRecord, WriteError> {
        record.outputs = std::mem::take(&mut self.outputs);
        let path = self.folder.join(Kind::Stage.file());
        atomic::write_unseen(&path, &envelope::encode(&path, Kind::Stage, &record)?)?;
        self.put_in_place().map_err(|source| WriteError::storage(&self.target, source))?;
        Ok(record)
    }

    fn put_in_place(&self) -> io::Result<()> {
        atomic::sync_folder(&self.folder)?;
        let parent = self.target.parent().unwrap_or(&self.target);
        if !self.target.exists() {
            fs_err::rename(&self.folder, &self.target)?;
            return atomic::sync_folder(parent);
        }
        let old = (1_u32..).map(|number| Utf8PathBuf::from(format!("{}.old-{number}", self.target)));
        let old = old.into_iter().find(|path| !path.exists()).ok_or(io::ErrorKind::AlreadyExists)?;
        fs_err::rename(&self.target, &old)?;
        if let Err(error) = fs_err::rename(&self.folder, &self.target) {
            fs_err::rename(&old, &self.target)?;
            return Err(error);
        }
        atomic::sync_folder(parent)
    }
}
