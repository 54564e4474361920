//! `textualrl run --dry-run`: the resolved configuration and the plan, without a call or a file.
//!
//! Always holds: nothing is written and no endpoint is asked; optimizer calls are a range, as they depend on outcomes.

use textualrl_artifact::Access;
use textualrl_model::{ExitCode, Split};
use textualrl_pipeline::{CallEstimate, Plan, Records, Sizes};

use super::create::resolve;
use crate::arguments::RunArguments;
use crate::failure::Failure;
use crate::opened::Opened;
use crate::output;

/// Prints configuration and plan.
pub(super) fn dry_run(arguments: &RunArguments) -> Result<(), Failure> {
    if let Some(path) = &arguments.resume {
        let opened = Opened::open(path, Access::Read, arguments.configuration.prompts.as_deref())?;
        let records = opened.records()?;
        return print(&opened.plan, &records, sizes(opened.benchmark.as_ref()));
    }
    let resolved = resolve(&arguments.configuration)?;
    print(&resolved.plan, &Records::new(), sizes(resolved.benchmark.as_ref()))
}

/// The tasks that are evaluated.
pub(super) fn sizes(benchmark: &dyn textualrl_bench::Benchmark) -> Sizes {
    let count = |split| u32::try_from(benchmark.listing(split).tasks.len()).unwrap_or(u32::MAX);
    Sizes { validation: count(Split::Validation), test: count(Split::Test) }
}

fn print(plan: &Plan, records: &Records, sizes: Sizes) -> Result<(), Failure> {
    let config = plan.config().to_toml().map_err(|error| Failure::of(ExitCode::Internal, &error))?;
    let mut text = format!("{config}\n# The plan\n");
    for step in plan.steps() {
        text.push_str(&format!(
            "# {}: {} tasks, at most {} edits\n",
            step.step,
            step.tasks.len(),
            step.edit_budget
        ));
    }
    let pending = plan.pending(records);
    text.push_str(&format!(
        "# {} stages are done, {} are stale, {} are missing\n# {}\n",
        pending.done,
        pending.stale.len(),
        pending.missing.len(),
        in_words(&plan.calls(&pending, sizes))
    ));
    output::data(&text)
}

/// An estimate in a sentence.
pub(super) fn in_words(calls: &CallEstimate) -> String {
    let range =
        |least: u64, most: u64| if least == most { most.to_string() } else { format!("{least} to {most}") };
    format!(
        "{} target episodes and {} optimizer calls",
        range(calls.target.least, calls.target.most),
        range(calls.optimizer.least, calls.optimizer.most)
    )
}
