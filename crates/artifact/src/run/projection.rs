//! Files of the run that are made from the records and can be made again.
//!
//! Always holds: a projection is replaced whole; nothing is decided by what a projection says.

use std::io::Write;

use camino::Utf8PathBuf;
use serde::Serialize;
use serde::de::DeserializeOwned;
use textualrl_model::{Fingerprint, StepId};

use super::open::RUN_TOML;
use super::{RunDir, check_replaceable, read_json_file};
use crate::atomic;
use crate::envelope;
use crate::failure::{ReadError, WriteError};
use crate::kind::Kind;
use crate::manifest::Manifest;

/// A file that can be made again from the records.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Projection {
    /// One line a step.
    History,
    /// What to deploy.
    BestContext,
    /// An adopted context.
    Context {
        /// 0 for the initial context, then one more for each accepted candidate.
        number: u32,
        /// The context.
        context: Fingerprint,
    },
    /// The report for a browser.
    Report,
}

impl Projection {
    /// The file below the run, with `/` between its parts.
    pub fn file(&self) -> String {
        match self {
            Self::History => "history.jsonl".to_owned(),
            Self::BestContext => "best_context.md".to_owned(),
            Self::Context { number, context } => format!("contexts/{number:04}-{}.md", context.short()),
            Self::Report => "report/index.html".to_owned(),
        }
    }
}

impl RunDir {
    /// Where a projection lies.
    pub fn projection(&self, projection: &Projection) -> Utf8PathBuf {
        self.root.join(projection.file())
    }

    /// Replaces the resolved configuration and what follows from it in the manifest, when a run is gone on with under
    /// other settings.
    ///
    /// # Errors
    /// If they cannot be written.
    pub fn reconfigure(&self, manifest: &Manifest, run_toml: &str) -> Result<(), WriteError> {
        self.check_write(&self.root)?;
        atomic::write(&self.root.join(RUN_TOML), run_toml.as_bytes())?;
        let path = self.root.join(Kind::Manifest.file());
        atomic::write(&path, &envelope::encode(&path, Kind::Manifest, manifest)?)
    }

    /// Replaces a projection.
    ///
    /// # Errors
    /// If it cannot be written.
    pub fn write_projection(&self, projection: &Projection, bytes: &[u8]) -> Result<(), WriteError> {
        let path = self.projection(projection);
        self.check_write(path.parent().unwrap_or(&path))?;
        atomic::write(&path, bytes)
    }

    /// Writes an artifact of a step that belongs to no single stage (`batch.json`).
    ///
    /// # Errors
    /// If it cannot be written, or a newer tool wrote the one that is there.
    pub fn write_step_json<T: Serialize + ?Sized>(
        &self,
        step: StepId,
        kind: Kind,
        data: &T,
    ) -> Result<(), WriteError> {
        let path = self.step_file(step, kind);
        self.check_write(&path)?;
        check_replaceable(&path, kind)?;
        atomic::write(&path, &envelope::encode(&path, kind, data)?)
    }

    /// Reads an artifact of a step that belongs to no single stage.
    ///
    /// # Errors
    /// If it is missing, damaged or newer than this tool.
    pub fn read_step_json<T: DeserializeOwned>(&self, step: StepId, kind: Kind) -> Result<T, ReadError> {
        read_json_file(&self.step_file(step, kind), kind)
    }

    fn step_file(&self, step: StepId, kind: Kind) -> Utf8PathBuf {
        self.root.join("steps").join(step.to_string()).join(kind.file())
    }

    /// Opens the log of the run (`log.jsonl`) for appending. A line that a killed process left half is ended first.
    ///
    /// # Errors
    /// If it cannot be opened.
    pub fn open_log(&self) -> Result<std::fs::File, WriteError> {
        let path = self.root.join("log.jsonl");
        let open = || {
            let whole = !path.exists() || ends_a_line(&path)?;
            let mut file = std::fs::OpenOptions::new().create(true).append(true).open(&path)?;
            if !whole {
                file.write_all(b"\n")?;
            }
            Ok(file)
        };
        open().map_err(|source| WriteError::storage(&path, source))
    }

    /// The folder of a journal partition, such as `main` or a shard's. Made by whoever writes the journal.
    ///
    /// # Errors
    /// If the name is not made of 1 to 64 of a-z, 0-9 and -.
    pub fn journal(&self, partition: &str) -> Result<Utf8PathBuf, WriteError> {
        let plain = |byte: u8| byte.is_ascii_lowercase() || byte.is_ascii_digit() || byte == b'-';
        if partition.is_empty() || partition.len() > 64 || !partition.bytes().all(plain) {
            return Err(WriteError::Name { what: "journal partition", name: partition.to_owned() });
        }
        Ok(self.root.join("journal-v1").join(partition))
    }
}

fn ends_a_line(path: &camino::Utf8Path) -> std::io::Result<bool> {
    use std::io::{Read, Seek, SeekFrom};
    let mut file = std::fs::File::open(path)?;
    if file.metadata()?.len() == 0 {
        return Ok(true);
    }
    file.seek(SeekFrom::End(-1))?;
    let mut last = [0];
    file.read_exact(&mut last)?;
    Ok(last == *b"\n")
}
