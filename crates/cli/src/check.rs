//! `textualrl check`: everything that can be found wrong before a call is made.
//!
//! Always holds: no endpoint is asked and nothing is written.

use textualrl_bench::Listing;
use textualrl_llm::ModelRole;
use textualrl_model::Split;

use crate::arguments::ConfigArguments;
use crate::failure::Failure;
use crate::run::resolve;
use crate::{models, output};

/// Checks configuration, data, prompts and keys, and says what was found.
pub(crate) fn check(arguments: &ConfigArguments) -> Result<(), Failure> {
    let resolved = resolve(arguments)?;
    let mut text = format!("configuration  fine; {} steps\n", resolved.plan.steps().len());
    text.push_str(&format!("tasks          {}\n", resolved.benchmark.name()));
    for split in Split::ALL {
        let Listing { tasks, excluded, .. } = resolved.benchmark.listing(split);
        text.push_str(&format!("  {split:<12} {} tasks", tasks.len()));
        if excluded.is_empty() {
            text.push('\n');
        } else {
            text.push_str(&format!(", {} left out as they can never be scored:\n", excluded.len()));
            let lines = excluded.iter().map(|one| format!("    {}: {}\n", one.task, one.reason));
            text.extend(lines);
        }
    }
    for caveat in resolved.benchmark.caveats() {
        text.push_str(&format!("  note: {caveat}\n"));
    }
    text.push_str(&format!(
        "prompts        {} templates, {}\n",
        resolved.templates.fingerprints().len(),
        resolved.templates.fingerprint().short()
    ));
    text.push_str(&format!("context        {}\n", resolved.initial_context.short()));
    for role in [ModelRole::Target, ModelRole::Optimizer] {
        let model = models::connect(&resolved.config, role)?;
        let description = model.describe();
        let simulated = if description.simulated { " (simulated)" } else { "" };
        let name = models::role_name(role);
        text.push_str(&format!("{name:<14} {} at {}{simulated}\n", description.model, description.endpoint));
    }
    output::data(&text)
}
