//! Logs: warnings to stderr, everything of a run to its `log.jsonl`.
//!
//! Always holds: colour only on a terminal and without `NO_COLOR`; a log that cannot be opened never stops a command.

use std::fs::File;
use std::io::{self, IsTerminal};
use std::sync::Mutex;

use tracing_subscriber::filter::LevelFilter;
use tracing_subscriber::layer::SubscriberExt;
use tracing_subscriber::util::SubscriberInitExt;
use tracing_subscriber::{EnvFilter, Layer, fmt};

/// The variable that takes a log filter, such as `textualrl_llm=debug`.
const FILTER_VARIABLE: &str = "TEXTUALRL_LOG";

/// Starts logging. `run_log` is the run's `log.jsonl`, opened to append.
pub(crate) fn start(verbose: u8, run_log: Option<File>) {
    let level = match verbose {
        0 => LevelFilter::WARN,
        1 => LevelFilter::INFO,
        _ => LevelFilter::DEBUG,
    };
    let filter = EnvFilter::builder()
        .with_default_directive(level.into())
        .with_env_var(FILTER_VARIABLE)
        .from_env_lossy();
    let colour =
        io::stderr().is_terminal() && std::env::var_os("NO_COLOR").is_none_or(|value| value.is_empty());
    let terminal = fmt::layer()
        .with_writer(io::stderr)
        .with_ansi(colour)
        .with_target(false)
        .without_time()
        .with_filter(filter);
    let file = run_log.map(|file| {
        fmt::layer().json().with_ansi(false).with_writer(Mutex::new(file)).with_filter(LevelFilter::INFO)
    });
    // A second start, as in tests, keeps the first logger.
    let _ = tracing_subscriber::registry().with(terminal).with(file).try_init();
}
