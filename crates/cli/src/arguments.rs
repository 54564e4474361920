//! The command line as typed.
//!
//! Always holds: this file parses and documents, and decides nothing; what a flag means is in the command's file.

use camino::Utf8PathBuf;
use clap::{Args, Parser, Subcommand};
use textualrl_model::{ExitCode, Split, Stage, StepId};

/// Improves the textual context of a frozen LLM agent by reinforcement learning in text space.
#[derive(Debug, Parser)]
#[command(name = "textualrl", version, after_long_help = exit_codes())]
pub(crate) struct CommandLine {
    /// What to do.
    #[command(subcommand)]
    pub(crate) command: Command,
    /// Log more to stderr; twice for everything. The variable TEXTUALRL_LOG takes a filter of its own.
    #[arg(short, long, global = true, action = clap::ArgAction::Count)]
    pub(crate) verbose: u8,
}

/// The subcommands.
#[derive(Debug, Subcommand)]
pub(crate) enum Command {
    /// Run the whole loop, or go on with a run.
    Run(RunArguments),
    /// Collect trajectories: training (default), validation of a candidate, or an evaluation.
    Rollout(RolloutArguments),
    /// Route, deduplicate and ask the critics for edits and evidence cards.
    Critique(StageArguments),
    /// Merge the proposals, review them against all cards, rank them.
    Review(StageArguments),
    /// Filter, screen and apply the edits: the candidate context. No model call.
    Patch(StageArguments),
    /// Accept or reject the candidate. No model call.
    Gate(StageArguments),
    /// Show which stages are done, stale or missing, with scores.
    Status(StatusArguments),
    /// Print a trajectory file, or one trajectory of it.
    Show(ShowArguments),
    /// Check configuration, data, prompts and endpoints' keys without a model call.
    Check(ConfigArguments),
    /// Serve the simulated models over HTTP on loopback.
    Simulate(SimulateArguments),
    /// Play a household game (`game.tw-pddl`) in the terminal, as an agent would.
    Play(PlayArguments),
    /// Check scorers and loaders against reference cases and data.
    Conformance(ConformanceArguments),
    /// Look at a benchmark's task data, or make them from the provider's files.
    Data(DataArguments),
}

/// Where the configuration comes from.
#[derive(Debug, Clone, Args)]
pub(crate) struct ConfigArguments {
    /// Your configuration file, on top of the preset or the defaults.
    #[arg(long, value_name = "FILE")]
    pub(crate) config: Option<Utf8PathBuf>,
    /// A built-in preset, such as quickstart or searchqa.
    #[arg(long, value_name = "NAME")]
    pub(crate) preset: Option<String>,
    /// The folder of the task data (`data.dir`).
    #[arg(long, value_name = "DIR")]
    pub(crate) data: Option<Utf8PathBuf>,
    /// Set one key, such as `rollout.k=8`. Repeatable; the last one counts.
    #[arg(long, value_name = "KEY=VALUE")]
    pub(crate) set: Vec<String>,
    /// A folder of prompt templates that replace the built-in ones of the same name.
    #[arg(long, value_name = "DIR")]
    pub(crate) prompts: Option<Utf8PathBuf>,
}

/// `textualrl run`.
#[derive(Debug, Args)]
pub(crate) struct RunArguments {
    #[command(flatten)]
    pub(crate) configuration: ConfigArguments,
    /// The name of the run folder below `runs/`; by default the preset's name and a number.
    #[arg(long, value_name = "NAME")]
    pub(crate) name: Option<String>,
    /// Go on with this run folder from the first missing or stale stage.
    #[arg(long, value_name = "RUN")]
    pub(crate) resume: Option<Utf8PathBuf>,
    /// With --resume, a configuration key that may differ from the run's. Repeatable.
    #[arg(long, value_name = "KEY", requires = "resume")]
    pub(crate) allow_changed: Vec<String>,
    /// Print the resolved configuration and the plan of steps and calls, and make no call.
    #[arg(long)]
    pub(crate) dry_run: bool,
    /// Do not ask before finished stages are done again.
    #[arg(long)]
    pub(crate) yes: bool,
    /// Stop after this step; resume goes on from there.
    #[arg(long, value_name = "STEP")]
    pub(crate) stop_after: Option<StepId>,
    /// Print the summary as JSON.
    #[arg(long, conflicts_with = "dry_run")]
    pub(crate) json: bool,
}

/// What every stage command takes.
#[derive(Debug, Clone, Args)]
pub(crate) struct StageArguments {
    /// The run folder.
    #[arg(long, value_name = "RUN")]
    pub(crate) run: Utf8PathBuf,
    /// The step, such as e1-s02.
    #[arg(long, value_name = "STEP")]
    pub(crate) step: Option<StepId>,
    /// Take the earlier stages' results from this run instead.
    #[arg(long, value_name = "RUN")]
    pub(crate) from: Option<Utf8PathBuf>,
    /// Ask the models anew instead of replaying the journal.
    #[arg(long)]
    pub(crate) resample: bool,
    /// A folder of prompt templates that replace the built-in ones of the same name.
    #[arg(long, value_name = "DIR")]
    pub(crate) prompts: Option<Utf8PathBuf>,
    /// Print the stage's record as JSON.
    #[arg(long)]
    pub(crate) json: bool,
    /// The caller holds the run's lock.
    #[arg(long, hide = true)]
    pub(crate) under_loop: bool,
}

/// `textualrl rollout`.
#[derive(Debug, Clone, Args)]
pub(crate) struct RolloutArguments {
    #[command(flatten)]
    pub(crate) stage: StageArguments,
    /// The tasks: train (with --step), validation (with --step, or of the initial context with --baseline), test.
    #[arg(long, default_value = "train")]
    pub(crate) split: Split,
    /// Validate the initial context.
    #[arg(long, conflicts_with_all = ["step", "arm"])]
    pub(crate) baseline: bool,
    /// Evaluate a context at the end of a run: none, initial or best.
    #[arg(long, value_name = "ARM", conflicts_with = "step")]
    pub(crate) arm: Option<String>,
    /// Collect only part i of n, from 0/n to n-1/n; parts may run at the same time on several machines.
    #[arg(long, value_name = "I/N")]
    pub(crate) shard: Option<String>,
    /// Put the finished parts of n together into the stage's result.
    #[arg(long, value_name = "N", conflicts_with = "shard")]
    pub(crate) collect: Option<u32>,
}

/// `textualrl status`.
#[derive(Debug, Args)]
pub(crate) struct StatusArguments {
    /// The run folder.
    #[arg(long, value_name = "RUN")]
    pub(crate) run: Utf8PathBuf,
    /// The folder of prompt templates that the run was made with, if it was made with one.
    #[arg(long, value_name = "DIR")]
    pub(crate) prompts: Option<Utf8PathBuf>,
    /// Print JSON.
    #[arg(long)]
    pub(crate) json: bool,
}

/// `textualrl show`.
#[derive(Debug, Args)]
pub(crate) struct ShowArguments {
    /// A `.trj` file.
    pub(crate) file: Utf8PathBuf,
    /// Only this task.
    #[arg(long)]
    pub(crate) task: Option<String>,
    /// Only this rollout of the task, such as r2.
    #[arg(long, requires = "task")]
    pub(crate) rollout: Option<String>,
    /// Print JSON lines.
    #[arg(long)]
    pub(crate) json: bool,
}

/// `textualrl simulate`.
#[derive(Debug, Args)]
pub(crate) struct SimulateArguments {
    /// The port on 127.0.0.1; 0 takes a free one, which is printed.
    #[arg(long, default_value_t = 0)]
    pub(crate) port: u16,
    /// Milliseconds that every reply takes.
    #[arg(long, default_value_t = 0)]
    pub(crate) latency_ms: u64,
    /// Answer every request with this text, for load tests.
    #[arg(long, value_name = "TEXT")]
    pub(crate) fixed_reply: Option<String>,
    /// Write one JSON line a request to this file.
    #[arg(long, value_name = "FILE")]
    pub(crate) log: Option<Utf8PathBuf>,
    /// A fault by share: `429:0.1`, `cut:0.05`, `malformed:0.05`, `slow:0.1`. Repeatable.
    #[arg(long, value_name = "FAULT:SHARE")]
    pub(crate) fault: Vec<String>,
    /// Seconds named in `Retry-After` with a fault's status.
    #[arg(long, value_name = "SECONDS")]
    pub(crate) retry_after: Option<u64>,
    /// Milliseconds that a slow reply takes.
    #[arg(long, default_value_t = 5000)]
    pub(crate) slow_ms: u64,
}

/// `textualrl play`.
#[derive(Debug, Args)]
pub(crate) struct PlayArguments {
    /// The game's file.
    pub(crate) game: Utf8PathBuf,
}

/// `textualrl conformance`.
#[derive(Debug, Args)]
pub(crate) struct ConformanceArguments {
    /// A folder with `scorers.json`, transcripts of environments in folders such as `alfworld`, or both.
    #[arg(long, value_name = "DIR")]
    pub(crate) cases: Option<Utf8PathBuf>,
    /// A folder with one data folder a benchmark.
    #[arg(long, value_name = "DIR")]
    pub(crate) data: Option<Utf8PathBuf>,
    /// Print one JSON document.
    #[arg(long)]
    pub(crate) json: bool,
}

/// `textualrl data`.
#[derive(Debug, Args)]
pub(crate) struct DataArguments {
    /// What to do.
    #[command(subcommand)]
    pub(crate) command: DataCommand,
}

/// The subcommands of `textualrl data`.
#[derive(Debug, Subcommand)]
pub(crate) enum DataCommand {
    /// Load a benchmark's data: counts, tasks left out, bad records, leaks, and the released splits beside them.
    Check(DataCheckArguments),
    /// Write the released splits from the provider's own files.
    Prepare(DataPrepareArguments),
}

/// `textualrl data check`.
#[derive(Debug, Args)]
pub(crate) struct DataCheckArguments {
    /// The benchmark, such as searchqa.
    pub(crate) benchmark: String,
    /// The data folder.
    #[arg(value_name = "DIR")]
    pub(crate) folder: Utf8PathBuf,
    /// The released ids: a manifest, a folder of manifests, or a folder with a file for each split.
    #[arg(long, value_name = "PATH")]
    pub(crate) manifest: Option<Utf8PathBuf>,
    /// A single setting, such as `data.docvqa.mode=text`. Repeatable.
    #[arg(long, value_name = "KEY=VALUE")]
    pub(crate) set: Vec<String>,
    /// Print one JSON document.
    #[arg(long)]
    pub(crate) json: bool,
}

/// `textualrl data prepare`.
#[derive(Debug, Args)]
pub(crate) struct DataPrepareArguments {
    /// The benchmark, such as searchqa.
    pub(crate) benchmark: String,
    /// The provider's files (JSON, JSON lines, CSV), or folders of such. Without any, the manifest's own rows are written.
    #[arg(value_name = "FILE")]
    pub(crate) sources: Vec<Utf8PathBuf>,
    /// The released ids: a manifest, a folder of manifests, or a folder with a file for each split.
    #[arg(long, value_name = "PATH")]
    pub(crate) manifest: Utf8PathBuf,
    /// The folder that the splits are written to.
    #[arg(long, value_name = "DIR")]
    pub(crate) to: Utf8PathBuf,
}

fn exit_codes() -> String {
    let lines = ExitCode::ALL.iter().map(|code| format!("  {:>3}  {}", code.code(), code.meaning()));
    format!("Exit codes:\n{}", lines.collect::<Vec<_>>().join("\n"))
}

impl StageArguments {
    /// The arguments of a stage that the loop runs.
    pub(crate) fn of_loop(
        run: &Utf8PathBuf,
        step: Option<StepId>,
        prompts: Option<&Utf8PathBuf>,
    ) -> Vec<String> {
        let mut arguments = vec!["--run".to_owned(), run.to_string(), "--under-loop".to_owned()];
        if let Some(step) = step {
            arguments.extend(["--step".to_owned(), step.to_string()]);
        }
        if let Some(prompts) = prompts {
            arguments.extend(["--prompts".to_owned(), prompts.to_string()]);
        }
        arguments
    }
}

/// The name of the subcommand that fills a stage.
pub(crate) fn command_of(stage: Stage) -> &'static str {
    match stage {
        Stage::Rollout | Stage::Validation => "rollout",
        other => other.name(),
    }
}
