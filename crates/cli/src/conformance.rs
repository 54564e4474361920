//! `textualrl conformance`: our scorers and loaders against reference cases and real data.
//!
//! Always holds: a case that nobody covers is said to be not covered, and never counts as passed.

use camino::Utf8Path;
use textualrl_bench::conformance::{CaseTable, check_cases, check_data};
use textualrl_model::ExitCode;
use textualrl_model::settings::{DataSettings, Scoring};
use textualrl_pipeline::{RunConfig, Sources};

use crate::arguments::ConformanceArguments;
use crate::failure::Failure;
use crate::output;

/// Checks the named folders and prints a table.
pub(crate) fn conformance(arguments: &ConformanceArguments) -> Result<(), Failure> {
    if arguments.cases.is_none() && arguments.data.is_none() {
        return Err(Failure::new(ExitCode::Usage, "there is nothing to check")
            .hint("add --cases DIR, --data DIR or both"));
    }
    let mut failed = 0;
    if let Some(folder) = &arguments.cases {
        failed += cases(folder)?;
    }
    if let Some(folder) = &arguments.data {
        failed += data(folder)?;
    }
    if failed > 0 {
        return Err(Failure::new(ExitCode::CheckFailed, format!("{failed} checks do not conform")));
    }
    Ok(())
}

fn cases(folder: &Utf8Path) -> Result<usize, Failure> {
    let path = folder.join("scorers.json");
    let text = std::fs::read_to_string(&path)
        .map_err(|error| Failure::new(ExitCode::BadInput, format!("cannot read {path}: {error}")))?;
    let results = check_cases(&text).map_err(|error| Failure::of(ExitCode::BadInput, &error))?;
    let table = CaseTable::of(&results);
    output::data(&table.text())?;
    Ok(table.failed())
}

fn data(folder: &Utf8Path) -> Result<usize, Failure> {
    let config = RunConfig::resolve(&Sources { preset: Some("quickstart".to_owned()), ..Sources::default() })
        .map_err(|error| Failure::of(ExitCode::Usage, &error))?;
    let settings = DataSettings { scoring: Scoring::Reference, ..config.data };
    let report = check_data(folder.as_std_path(), &settings);
    output::data(&report.text())?;
    Ok(report.failed())
}
