//! All records of a run, for deciding what runs next and for `status`.
//!
//! Always holds: only the manifest and the stage records are opened, never an artifact, so that a view costs the same
//! however many trajectories the run holds; folders that are no slot (drafts, old outputs) are passed over.

use std::collections::BTreeMap;

use camino::Utf8Path;
use textualrl_model::{Arm, Fingerprint, Split, Stage, StepId};

use super::RunDir;
use crate::failure::ReadError;
use crate::manifest::Manifest;
use crate::slot::Slot;
use crate::stage_record::StageRecord;

/// What a run holds, by its records.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct RunView {
    /// What the run was made with.
    pub manifest: Manifest,
    /// The records of all filled slots.
    pub records: BTreeMap<Slot, StageRecord>,
}

impl RunDir {
    /// Reads all records.
    ///
    /// # Errors
    /// If a record is damaged or newer than this tool.
    pub fn view(&self) -> Result<RunView, ReadError> {
        let steps = names_in(&self.root.join("steps"))?;
        let steps = steps.iter().filter_map(|name| {
            let step: StepId = name.parse().ok()?;
            // `e01-s1` would read as a step too, but it is not how its folder is named.
            (step.to_string() == *name).then_some(step)
        });
        let stages = steps.flat_map(|step| Stage::ALL.map(|stage| Slot::Step { step, stage }));
        let arms =
            Arm::ALL.into_iter().flat_map(|arm| Split::ALL.map(|split| Slot::Evaluation { arm, split }));
        let mut records = BTreeMap::new();
        for slot in std::iter::once(Slot::Baseline).chain(stages).chain(arms) {
            if let Some(record) = self.record(slot)? {
                records.insert(slot, record);
            }
        }
        Ok(RunView { manifest: self.manifest()?, records })
    }
}

impl RunDir {
    /// The files of a filled slot that are missing or are no longer what the stage wrote.
    ///
    /// # Errors
    /// If the record or a file cannot be read.
    pub fn changed_outputs(&self, slot: Slot) -> Result<Vec<String>, ReadError> {
        let folder = self.folder(slot);
        let outputs = self.record(slot)?.map(|record| record.outputs).unwrap_or_default();
        let mut changed = Vec::new();
        for (name, expected) in outputs {
            // The name is data: it may name a file of this folder and nothing else.
            let plain = Utf8Path::new(&name).file_name() == Some(name.as_str());
            if !plain || fingerprint_of(&folder.join(&name))? != Some(expected) {
                changed.push(name);
            }
        }
        Ok(changed)
    }
}

/// The fingerprint of a file; nothing if there is none.
fn fingerprint_of(path: &Utf8Path) -> Result<Option<Fingerprint>, ReadError> {
    let mut hasher = blake3::Hasher::new();
    let read = std::fs::File::open(path).and_then(|file| hasher.update_reader(file).map(drop));
    match read {
        Ok(()) => Ok(Some(Fingerprint::from(hasher.finalize()))),
        Err(error) if error.kind() == std::io::ErrorKind::NotFound => Ok(None),
        Err(error) => Err(ReadError::storage(path, error)),
    }
}

/// The names of what lies in `folder`, sorted; none if there is no such folder.
pub(crate) fn names_in(folder: &Utf8Path) -> Result<Vec<String>, ReadError> {
    let storage = |source| ReadError::storage(folder, source);
    let entries = match folder.read_dir_utf8() {
        Err(error) if error.kind() == std::io::ErrorKind::NotFound => return Ok(Vec::new()),
        entries => entries.map_err(storage)?,
    };
    let mut names = entries
        .map(|entry| Ok(entry?.file_name().to_owned()))
        .collect::<Result<Vec<_>, _>>()
        .map_err(storage)?;
    names.sort_unstable();
    Ok(names)
}
