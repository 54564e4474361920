//! Computing the formulas of a workbook with LibreOffice.
//!
//! Always holds: a workbook is computed in a folder and with a profile of its own, so that many can be at a time; nothing
//! that was started outlives its time.

use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::thread;
use std::time::{Duration, Instant};

use process_wrap::std::{CommandWrap, ProcessGroup};

/// How long LibreOffice may take for a workbook.
const LONGEST: Duration = Duration::from_secs(120);
const POLL: Duration = Duration::from_millis(20);

/// An installed LibreOffice.
#[derive(Debug, Clone)]
pub(super) struct Soffice {
    program: PathBuf,
}

/// Why formulas cannot be computed.
#[derive(Debug, thiserror::Error)]
pub(super) enum RecalculationError {
    /// There is no LibreOffice.
    #[error(
        "there is no `soffice` on the path; install LibreOffice, or set data.spreadsheet.recalculate=none"
    )]
    Missing,
    /// A file cannot be written or read.
    #[error("the workbook cannot be handed to soffice: {0}")]
    Files(#[from] std::io::Error),
    /// It failed or took too long.
    #[error("soffice {0}")]
    Failed(String),
    /// What it wrote cannot be used.
    #[error("what soffice wrote cannot be used: {0}")]
    Output(String),
}

impl Soffice {
    /// The one on the path.
    ///
    /// # Errors
    /// If there is none.
    pub(super) fn find() -> Result<Self, RecalculationError> {
        let folders = std::env::var_os("PATH").unwrap_or_default();
        let found = std::env::split_paths(&folders).map(|folder| folder.join("soffice"));
        let program = found.into_iter().find(|program| program.is_file());
        program.map(|program| Self { program }).ok_or(RecalculationError::Missing)
    }

    /// The workbook with the values of its formulas.
    ///
    /// # Errors
    /// If LibreOffice fails or takes too long.
    pub(super) fn recalculate(&self, workbook: &[u8]) -> Result<Vec<u8>, RecalculationError> {
        let folder = tempfile::tempdir()?;
        let (input, out) = (folder.path().join("workbook.xlsx"), folder.path().join("out"));
        std::fs::write(&input, workbook)?;
        self.convert(&input, &out, folder.path())?;
        let computed = out.join("workbook.xlsx");
        // LibreOffice ends well also when it could not read the file.
        std::fs::read(computed)
            .map_err(|_| RecalculationError::Failed("wrote no workbook; it may not read this one".to_owned()))
    }

    fn convert(&self, input: &Path, out: &Path, folder: &Path) -> Result<(), RecalculationError> {
        let mut command = Command::new(&self.program);
        command
            .arg(format!("-env:UserInstallation=file://{}/profile", folder.display()))
            .args(["--headless", "--norestore", "--convert-to", "xlsx:Calc MS Excel 2007 XML", "--outdir"])
            .args([out, input])
            .stdin(Stdio::null())
            .stdout(Stdio::null())
            .stderr(Stdio::null());
        let mut command = CommandWrap::from(command);
        command.wrap(ProcessGroup::leader());
        let mut child = command.spawn()?;
        let began = Instant::now();
        let status = loop {
            match child.try_wait()? {
                Some(status) => break Some(status),
                None if began.elapsed() > LONGEST => break None,
                None => thread::sleep(POLL),
            }
        };
        // Takes what it started with it.
        let _ = if status.is_some() { child.start_kill() } else { child.kill() };
        match status {
            Some(status) if status.success() => Ok(()),
            Some(status) => Err(RecalculationError::Failed(format!("ended with {status}"))),
            None => Err(RecalculationError::Failed(format!("took longer than {} s", LONGEST.as_secs()))),
        }
    }
}

#[cfg(test)]
mod tests {
    use std::os::unix::fs::PermissionsExt;

    use super::*;

    /// Something that is called as LibreOffice is.
    fn standing_in(script: &str) -> (tempfile::TempDir, Soffice) {
        let folder = tempfile::tempdir().unwrap();
        let program = folder.path().join("soffice");
        std::fs::write(&program, format!("#!/bin/sh\n{script}\n")).unwrap();
        std::fs::set_permissions(&program, std::fs::Permissions::from_mode(0o755)).unwrap();
        (folder, Soffice { program })
    }

    #[test]
    fn a_workbook_is_handed_over_and_what_comes_back_is_taken() {
        // The output folder is the argument before the last one, the workbook the last one.
        let taken = "while [ $# -gt 2 ]; do shift; done; mkdir \"$1\"; (cat \"$2\"; echo computed) > \"$1/workbook.xlsx\"";
        for (script, expected) in [
            (taken, Ok("bytes computed\n")),
            ("exit 0", Err("soffice wrote no workbook; it may not read this one")),
            ("exit 3", Err("soffice ended with exit status: 3")),
        ] {
            let (_folder, soffice) = standing_in(script);
            let computed = soffice.recalculate(b"bytes ").map_err(|error| error.to_string());
            assert_eq!(
                computed,
                expected.map(|text| text.as_bytes().to_vec()).map_err(str::to_owned),
                "{script}"
            );
        }
    }
}
