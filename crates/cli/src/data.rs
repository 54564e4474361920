//! `textualrl data`: task data beside the released lists, and from the providers' own files.
//!
//! Always holds: other tasks that are there are not overwritten; a file is written whole or not at all.

use camino::{Utf8Path, Utf8PathBuf};
use serde::Serialize;
use serde_json::{Map, Value};
use textualrl_bench::benchmark::Listing;
use textualrl_bench::data::manifest::{Comparison, Manifest};
use textualrl_bench::data::prepare::prepare;
use textualrl_bench::data::split::Splits;
use textualrl_bench::data::{LoadError, Row, row};
use textualrl_model::settings::{DataSettings, Scoring};
use textualrl_model::{ExitCode, Split};
use textualrl_pipeline::{RunConfig, Sources};

use crate::arguments::{DataArguments, DataCheckArguments, DataCommand, DataPrepareArguments};
use crate::failure::Failure;
use crate::output;

/// Does what the subcommand says.
pub(crate) fn data(arguments: &DataArguments) -> Result<(), Failure> {
    match &arguments.command {
        DataCommand::Check(arguments) => check(arguments),
        DataCommand::Prepare(arguments) => write_prepared(arguments),
    }
}

fn bad_input(error: &LoadError) -> Failure {
    Failure::of(ExitCode::BadInput, error)
}

/// What a split has, for scripts.
#[derive(Serialize)]
struct SplitCheck {
    split: Split,
    tasks: usize,
    left_out: Vec<LeftOut>,
    #[serde(skip_serializing_if = "Option::is_none")]
    released: Option<Comparison>,
}

/// A task that can never be scored.
#[derive(Serialize)]
struct LeftOut {
    task: String,
    reason: String,
}

impl SplitCheck {
    fn of(split: Split, listing: &Listing, manifest: Option<&Manifest>) -> Result<Self, LoadError> {
        let excluded = listing.excluded.iter();
        // A task that was left out is there all the same.
        let ids: Vec<_> =
            listing.tasks.iter().chain(excluded.clone().map(|one| &one.task)).cloned().collect();
        let released = manifest.map(|manifest| manifest.compare(split, &ids)).transpose()?;
        let left_out = excluded.map(|one| LeftOut { task: one.task.to_string(), reason: one.reason.clone() });
        Ok(Self { split, tasks: listing.tasks.len(), left_out: left_out.collect(), released })
    }

    fn line(&self) -> String {
        let (tasks, left_out) = (self.tasks, self.left_out.len());
        let released = match &self.released {
            None => String::new(),
            Some(Comparison::Complete) => "; all of the released split".to_owned(),
            Some(Comparison::Subset { of }) => format!("; {} of {of} released tasks", tasks + left_out),
            Some(Comparison::Different { unknown, missing }) => {
                let shown: Vec<&str> = unknown.iter().take(3).map(|id| id.as_str()).collect();
                let (count, shown) = (unknown.len(), shown.join(", "));
                format!(
                    "; {count} are not released, such as {shown}, and {missing} released ones are missing"
                )
            }
        };
        format!("{}: {tasks} tasks, {left_out} left out{released}\n", self.split)
    }
}

fn check(arguments: &DataCheckArguments) -> Result<(), Failure> {
    let settings = settings(arguments)?;
    let benchmark = textualrl_bench::load(&settings).map_err(|error| bad_input(&error))?;
    let manifest = arguments.manifest.as_ref();
    let manifest = manifest.map(|path| Manifest::read(path.as_std_path(), benchmark.name())).transpose();
    let manifest = manifest.map_err(|error| bad_input(&error))?;
    let checks: Result<Vec<SplitCheck>, LoadError> = Split::ALL
        .into_iter()
        .map(|split| SplitCheck::of(split, benchmark.listing(split), manifest.as_ref()))
        .collect();
    let checks = checks.map_err(|error| bad_input(&error))?;
    if arguments.json {
        output::json(&checks)?;
    } else {
        let left_out = |check: &SplitCheck| -> String {
            check.left_out.iter().map(|one| format!("left out: {} ({})\n", one.task, one.reason)).collect()
        };
        let text = checks.iter().map(SplitCheck::line).chain(checks.iter().map(left_out));
        output::data(&text.collect::<String>())?;
    }
    let differs = |check: &&SplitCheck| matches!(check.released, Some(Comparison::Different { .. }));
    match checks.iter().find(differs) {
        None => Ok(()),
        Some(check) => {
            let message = format!("the {} split has tasks that were not released", check.split);
            Err(Failure::new(ExitCode::CheckFailed, message))
        }
    }
}

/// The settings of the data: the defaults, published scoring, and what the user sets.
fn settings(arguments: &DataCheckArguments) -> Result<DataSettings, Failure> {
    let named = format!("data.benchmark={}", arguments.benchmark);
    let sources = Sources {
        preset: Some("quickstart".to_owned()),
        set: std::iter::once(named).chain(arguments.set.iter().cloned()).collect(),
        data: Some(arguments.folder.to_string()),
        ..Sources::default()
    };
    let config = RunConfig::resolve(&sources).map_err(|error| Failure::of(ExitCode::Usage, &error))?;
    let scored = arguments.set.iter().any(|set| set.starts_with("data.scoring="));
    let scoring = if scored { config.data.scoring } else { Scoring::Reference };
    Ok(DataSettings { scoring, ..config.data })
}

fn write_prepared(arguments: &DataPrepareArguments) -> Result<(), Failure> {
    let manifest = Manifest::read(arguments.manifest.as_std_path(), &arguments.benchmark)
        .map_err(|error| bad_input(&error))?;
    let source = source_rows(&arguments.sources).map_err(|error| bad_input(&error))?;
    let prepared = prepare(&manifest, &source).map_err(|error| Failure::of(ExitCode::BadInput, &error))?;
    let files = Split::ALL.map(|split| (file_of(&arguments.to, split), prepared.of(split)));
    let files: Vec<(Utf8PathBuf, String)> = files
        .into_iter()
        .map(|(file, rows)| serde_json::to_string_pretty(rows).map(|text| (file, text + "\n")))
        .collect::<Result<_, _>>()
        .map_err(|error| Failure::of(ExitCode::Internal, &error))?;
    let other = |(file, text): &&(Utf8PathBuf, String)| {
        std::fs::read(file).is_ok_and(|there| there != text.as_bytes())
    };
    if let Some((there, _)) = files.iter().find(other) {
        return Err(Failure::new(ExitCode::BadInput, format!("{there} is there already, with other tasks"))
            .hint("name another folder with --to, or move the file away"));
    }
    for (file, text) in &files {
        textualrl_artifact::write_whole(file, text.as_bytes())
            .map_err(|error| Failure::of(ExitCode::Storage, &error))?;
    }
    let counts = counts(&prepared);
    output::data(&format!("{}: {counts} tasks (train / validation / test)\n", arguments.to))?;
    output::say(&format!("look at them with: textualrl data check {} {}", arguments.benchmark, arguments.to));
    Ok(())
}

fn counts(prepared: &Splits<Vec<Map<String, Value>>>) -> String {
    Split::ALL.map(|split| prepared.of(split).len().to_string()).join(" / ")
}

/// The rows of all files; of a folder, those of the task files in it.
fn source_rows(sources: &[Utf8PathBuf]) -> Result<Vec<Row>, LoadError> {
    let mut rows = Vec::new();
    for source in sources {
        for file in textualrl_bench::data::folder::task_files(source.as_std_path())? {
            rows.extend(row::read(&file)?);
        }
    }
    Ok(rows)
}

fn file_of(folder: &Utf8Path, split: Split) -> Utf8PathBuf {
    let name = if split == Split::Validation { "val" } else { split.name() };
    folder.join(name).join("items.json")
}
