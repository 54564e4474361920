//! `textualrl conformance`: our scorers, environments and loaders against recorded cases and real data.
//!
//! Always holds: a case that nobody covers is said to be not covered, and never counts as passed.

use std::io::ErrorKind;

use camino::Utf8Path;
use serde_json::{Map, Value};
use textualrl_bench::conformance::{
    CaseTable, DataReport, TranscriptTable, check_cases, check_data, check_transcripts,
};
use textualrl_model::ExitCode;
use textualrl_model::settings::{DataSettings, Scoring};
use textualrl_pipeline::{RunConfig, Sources};

use crate::arguments::ConformanceArguments;
use crate::failure::Failure;
use crate::output;

/// Checks the named folders and prints a table, or one JSON document.
pub(crate) fn conformance(arguments: &ConformanceArguments) -> Result<(), Failure> {
    if arguments.cases.is_none() && arguments.data.is_none() {
        return Err(Failure::new(ExitCode::Usage, "there is nothing to check")
            .hint("add --cases DIR, --data DIR or both"));
    }
    let mut found = Findings::default();
    if let Some(folder) = &arguments.cases {
        (found.cases, found.transcripts) = cases(folder)?;
    }
    if let Some(folder) = &arguments.data {
        found.data = Some(data(folder)?);
    }
    if arguments.json {
        output::json(&found.json())?
    } else {
        output::data(&found.text())?
    }
    match found.failed() {
        0 => Ok(()),
        failed => Err(Failure::new(ExitCode::CheckFailed, format!("{failed} checks do not conform"))),
    }
}

/// What was found in the named folders; nothing where there was nothing to check.
#[derive(Default)]
struct Findings {
    cases: Option<CaseTable>,
    transcripts: Option<TranscriptTable>,
    data: Option<DataReport>,
}

impl Findings {
    fn text(&self) -> String {
        let Self { cases, transcripts, data } = self;
        let cases = cases.as_ref().map(CaseTable::text);
        let transcripts = transcripts.as_ref().map(TranscriptTable::text);
        let data = data.as_ref().map(DataReport::text);
        [cases, transcripts, data].into_iter().flatten().collect()
    }

    fn json(&self) -> Value {
        let Self { cases, transcripts, data } = self;
        let parts = [
            ("cases", cases.as_ref().map(CaseTable::json)),
            ("transcripts", transcripts.as_ref().map(TranscriptTable::json)),
            ("data", data.as_ref().map(DataReport::json)),
        ];
        let there = parts.into_iter().filter_map(|(name, part)| Some((name.to_owned(), part?)));
        Value::Object(there.collect::<Map<_, _>>())
    }

    fn failed(&self) -> usize {
        let cases = self.cases.as_ref().map_or(0, CaseTable::failed);
        let transcripts = self.transcripts.as_ref().map_or(0, TranscriptTable::failed);
        cases + transcripts + self.data.as_ref().map_or(0, DataReport::failed)
    }
}

fn cases(folder: &Utf8Path) -> Result<(Option<CaseTable>, Option<TranscriptTable>), Failure> {
    let transcripts =
        check_transcripts(folder.as_std_path()).map_err(|error| Failure::of(ExitCode::BadInput, &error))?;
    let transcripts = Some(transcripts).filter(|table| !table.is_empty());
    let path = folder.join("scorers.json");
    let text = match std::fs::read_to_string(&path) {
        Err(error) if error.kind() == ErrorKind::NotFound && transcripts.is_some() => {
            return Ok((None, transcripts));
        }
        read => {
            read.map_err(|error| Failure::new(ExitCode::BadInput, format!("cannot read {path}: {error}")))?
        }
    };
    let results =
        check_cases(&text).map_err(|error| Failure::new(ExitCode::BadInput, format!("{path}: {error}")))?;
    Ok((Some(CaseTable::of(&results)), transcripts))
}

fn data(folder: &Utf8Path) -> Result<DataReport, Failure> {
    let config = RunConfig::resolve(&Sources { preset: Some("quickstart".to_owned()), ..Sources::default() })
        .map_err(|error| Failure::of(ExitCode::Usage, &error))?;
    let settings = DataSettings { scoring: Scoring::Reference, ..config.data };
    Ok(check_data(folder.as_std_path(), &settings))
}
