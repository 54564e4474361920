//! What each command does.
//!
//! Always holds: everything is worked out before anything is written.

use std::io::IsTerminal;

use serde_json::Value;
use textualrl_model::{Context, Edit, Patch};
use textualrl_patch::{
    Applied, ApplyError, ApplyOptions, Fate, InversePatch, ParsePatchError, Refusal, RefusalReason, apply,
    lint, read_edits, unified_diff,
};

use crate::args::{Apply, Arguments, Color, Command, Inputs, Limits};
use crate::file::{Failure, backup_of, print, read, real, tell, write};
use crate::report::{End, Report};

/// Runs a command.
pub(crate) fn run(arguments: &Arguments) -> Result<End, Failure> {
    match &arguments.command {
        Command::Apply(arguments) => run_apply(arguments),
        Command::Check { inputs, json } => {
            let (_, _, report) = work_out(inputs)?;
            print(&if *json { report.json() } else { report.text() })?;
            Ok(report.end())
        }
        Command::Diff { inputs, color } => {
            let (base, result, report) = work_out(inputs)?;
            let name = inputs.context.display().to_string();
            let diff = unified_diff(&base, &result, &name, &format!("{name} (patched)"));
            let colored = match color {
                Color::Always => true,
                Color::Never => false,
                Color::Auto => std::io::stdout().is_terminal(),
            };
            print(&if colored { in_color(&diff) } else { diff })?;
            tell_refusals(&report)?;
            Ok(report.end())
        }
        Command::Invert { inputs } => {
            let (_, _, report) = work_out(inputs)?;
            let Some(inverse) = &report.inverse else {
                return Err(unusable(inputs, "is an inverse already; apply it".to_owned()));
            };
            print(&json_of(inverse))?;
            tell_refusals(&report)?;
            Ok(report.end())
        }
        Command::Lint { context, limits, json } => run_lint(&Context::new(read(context)?), limits, *json),
    }
}

fn run_apply(arguments: &Apply) -> Result<End, Failure> {
    let inputs = &arguments.inputs;
    check_places(arguments)?;
    let (base, result, mut report) = work_out(inputs)?;
    if let (Some(path), Some(inverse)) = (&arguments.undo, &report.inverse) {
        write(path, &json_of(inverse))?;
    }
    let place = if arguments.in_place { Some(&inputs.context) } else { arguments.out.as_ref() };
    if arguments.backup {
        write(&backup_of(&inputs.context), base.text())?;
    }
    if let Some(path) = place {
        write(path, result.text())?;
    }
    match (place, arguments.json) {
        (None, false) => print(result.text())?,
        (None, true) => {
            report.context = Some(result);
            print(&report.json())?;
        }
        (Some(_), true) => print(&report.json())?,
        (Some(_), false) => print(&report.text())?,
    }
    if place.is_none() && !arguments.json {
        tell_refusals(&report)?;
    }
    Ok(report.end())
}

/// Refuses to write over an input, over an older backup, or two things to one place.
fn check_places(arguments: &Apply) -> Result<(), Failure> {
    let Inputs { context, patch, .. } = &arguments.inputs;
    let outputs = [arguments.out.as_ref(), arguments.undo.as_ref()];
    for path in outputs.into_iter().flatten() {
        for (input, what) in [(context, "the context"), (patch, "the patch")] {
            if real(path) == real(input) {
                return Err(Failure::Same { path: path.clone(), what });
            }
        }
    }
    if let (Some(out), Some(undo)) = (&arguments.out, &arguments.undo)
        && real(out) == real(undo)
    {
        return Err(Failure::Same { path: undo.clone(), what: "the result" });
    }
    let backup = backup_of(context);
    if arguments.backup && backup.exists() {
        return Err(Failure::OldBackup { path: backup });
    }
    Ok(())
}

/// On standard error, so that standard output holds the result alone.
fn tell_refusals(report: &Report) -> Result<(), Failure> {
    if report.end() == End::Applies && report.flaws.is_empty() { Ok(()) } else { tell(&report.text()) }
}

/// Base, result and report.
fn work_out(inputs: &Inputs) -> Result<(Context, Context, Report), Failure> {
    let base = Context::new(read(&inputs.context)?);
    let text = read(&inputs.patch)?;
    let text = text.strip_prefix('\u{feff}').unwrap_or(&text);
    let value: Value = serde_json::from_str(text)
        .map_err(|error| unusable(inputs, format!("the patch is no JSON: {error}")))?;
    if value.get("splices").is_some() {
        return undo(inputs, base, value);
    }
    let read = read_edits(&value).map_err(|error| unusable(inputs, error.to_string()))?;
    let options = inputs.options();
    let malformed = read.edits.iter().any(Result::is_err);
    let edits: Vec<Edit> = read.edits.iter().filter_map(|edit| edit.as_ref().ok()).cloned().collect();
    let edits = if malformed && options.all_or_nothing { Vec::new() } else { edits };
    let applied = match apply(&base, &Patch { base: read.base.clone(), edits }, &options) {
        Ok(applied) => applied,
        Err(ApplyError::Incomplete { fates, .. }) => nothing(&base, &options, fates),
        Err(error @ ApplyError::OtherBase { .. }) => return Err(unusable(inputs, error.to_string())),
    };
    let mut fates = applied.fates.into_iter();
    let withheld = || {
        let detail = "another edit was refused".to_owned();
        Fate::Refused(Refusal { reason: RefusalReason::Withheld, detail })
    };
    let row = |(index, edit): (usize, &Result<Edit, ParsePatchError>)| match edit {
        Ok(edit) => Report::row(index, Some(edit), fates.next().unwrap_or_else(withheld)),
        Err(error) => {
            let refusal = Refusal { reason: RefusalReason::Malformed, detail: error.to_string() };
            Report::row(index, None, Fate::Refused(refusal))
        }
    };
    let edits = read.edits.iter().enumerate().map(row).collect();
    let report = Report {
        edits,
        fingerprints: applied.fingerprints,
        flaws: applied.flaws,
        inverse: Some(applied.inverse),
        context: None,
    };
    Ok((base, applied.context, report))
}

/// The base as its own result.
fn nothing(base: &Context, options: &ApplyOptions, fates: Vec<Fate>) -> Applied {
    let empty = Patch { base: None, edits: Vec::new() };
    let options = ApplyOptions { all_or_nothing: false, must_contain: Vec::new(), ..options.clone() };
    match apply(base, &empty, &options) {
        Ok(applied) => Applied { fates, ..applied },
        Err(_) => Applied {
            context: base.clone(),
            fates,
            inverse: InversePatch { from: None, to: None, length: base.text().len(), splices: Vec::new() },
            fingerprints: None,
            flaws: Vec::new(),
        },
    }
}

fn undo(inputs: &Inputs, base: Context, value: Value) -> Result<(Context, Context, Report), Failure> {
    let inverse: InversePatch = serde_json::from_value(value)
        .map_err(|error| unusable(inputs, format!("the inverse patch cannot be read: {error}")))?;
    let result = inverse.undo(&base).map_err(|error| unusable(inputs, error.to_string()))?;
    let report =
        Report { edits: Vec::new(), fingerprints: None, flaws: Vec::new(), inverse: None, context: None };
    Ok((base, result, report))
}

fn unusable(inputs: &Inputs, problem: String) -> Failure {
    Failure::Patch { path: inputs.patch.clone(), problem }
}

fn json_of(inverse: &InversePatch) -> String {
    serde_json::to_string_pretty(inverse).map_or_else(|error| error.to_string(), |text| text + "\n")
}

fn in_color(diff: &str) -> String {
    diff.split_inclusive('\n')
        .map(|line| {
            let color = match line.as_bytes().first() {
                Some(b'+') => "32",
                Some(b'-') => "31",
                Some(b'@') => "36",
                _ => return line.to_owned(),
            };
            let text = line.trim_end_matches(['\r', '\n']);
            format!("\x1b[{color}m{text}\x1b[0m{}", line.get(text.len()..).unwrap_or(""))
        })
        .collect()
}

fn run_lint(context: &Context, limits: &Limits, json: bool) -> Result<End, Failure> {
    let findings = lint(context, &limits.options());
    let text = if json {
        serde_json::to_string_pretty(&findings).map_or_else(|error| error.to_string(), |text| text + "\n")
    } else {
        findings.iter().map(|finding| format!("{finding}\n")).collect()
    };
    print(&text)?;
    Ok(if findings.iter().any(|finding| finding.is_problem) { End::Not } else { End::Applies })
}
