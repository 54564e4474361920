//! An external scorer: a program that reads one JSON object and writes one.
//!
//! Always holds: no shell is involved; a program that fails, is too slow or answers nonsense leaves the task unscored
//! and never gives a reward of 0; it sees no variable that looks like a key.

use std::io::{Read, Write};
use std::process::{Command, Stdio};
use std::thread;
use std::time::{Duration, Instant};

use process_wrap::std::{ChildWrapper, CommandWrap, ProcessGroup};
use serde::Deserialize;
use serde_json::Value;
use textualrl_model::Reward;
use textualrl_model::settings::ScorerSettings;

/// What a program may write at most.
const MOST_OUTPUT: u64 = 1 << 20;
const POLL: Duration = Duration::from_millis(5);

/// What the program said.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize)]
pub(super) struct Verdict {
    /// 0 or 1.
    pub(super) reward: Reward,
    /// Words for critics.
    #[serde(default)]
    pub(super) feedback: Option<String>,
}

/// Why the program gave no verdict.
#[derive(Debug, thiserror::Error)]
pub(super) enum CommandError {
    #[error("the scorer {program} cannot be started: {source}; check data.own.scorer.command")]
    Start { program: String, source: std::io::Error },
    #[error("the scorer {program} took longer than {seconds} s and was stopped")]
    TooSlow { program: String, seconds: f64 },
    #[error("the scorer {program} ended with {status}: {stderr}")]
    Failed { program: String, status: String, stderr: String },
    #[error(
        "the scorer {program} must write {{\"reward\":0|1,\"feedback\":\"…\"}}, not {output:?} ({problem})"
    )]
    Nonsense { program: String, output: String, problem: String },
    #[error("the scorer {program} cannot be talked to: {source}")]
    Pipe { program: String, source: std::io::Error },
}

/// Asks the program about one answer.
pub(super) fn ask(settings: &ScorerSettings, input: &Value) -> Result<Verdict, CommandError> {
    let Some((program, arguments)) = settings.command.split_first() else {
        let source = std::io::Error::other("no program is named");
        return Err(CommandError::Start { program: String::new(), source });
    };
    let name = || program.clone();
    let mut command = CommandWrap::from(prepared(program, arguments));
    command.wrap(ProcessGroup::leader());
    let mut child = command.spawn().map_err(|source| CommandError::Start { program: name(), source })?;
    let pipe = |source| CommandError::Pipe { program: name(), source };
    let (stdout, stderr) = (drain(child.stdout().take()), drain(child.stderr().take()));
    if let Some(mut stdin) = child.stdin().take() {
        let text = input.to_string();
        // A program that reads nothing may still decide, so a closed pipe is no failure.
        thread::spawn(move || {
            let _ = stdin.write_all(text.as_bytes());
        });
    }
    let status = wait(child.as_mut(), settings.timeout_seconds).map_err(pipe)?;
    let Some(status) = status else {
        return Err(CommandError::TooSlow { program: name(), seconds: settings.timeout_seconds });
    };
    let (stdout, stderr) = (joined(stdout), joined(stderr));
    if !status.success() {
        let stderr = stderr.trim().chars().take(500).collect();
        return Err(CommandError::Failed { program: name(), status: status.to_string(), stderr });
    }
    serde_json::from_str(stdout.trim()).map_err(|error| CommandError::Nonsense {
        program: name(),
        output: stdout.trim().chars().take(200).collect(),
        problem: error.to_string(),
    })
}

fn prepared(program: &str, arguments: &[String]) -> Command {
    let mut command = Command::new(program);
    command.args(arguments).stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
    for (variable, _) in std::env::vars_os() {
        let name = variable.to_string_lossy().to_uppercase();
        if ["KEY", "TOKEN", "SECRET", "PASSWORD"].iter().any(|word| name.contains(word)) {
            command.env_remove(&variable);
        }
    }
    command
}

/// Waits until the program ends; after its time its whole process group is killed and there is no status.
fn wait(child: &mut dyn ChildWrapper, seconds: f64) -> std::io::Result<Option<std::process::ExitStatus>> {
    let limit = Duration::try_from_secs_f64(seconds).unwrap_or(Duration::MAX);
    let began = Instant::now();
    loop {
        if let Some(status) = child.try_wait()? {
            return Ok(Some(status));
        }
        if began.elapsed() >= limit {
            child.kill()?;
            return Ok(None);
        }
        thread::sleep(POLL);
    }
}

type Drained = Option<thread::JoinHandle<String>>;

/// Reads a pipe to its end in a thread of its own, so that a full pipe never blocks the program.
fn drain<R: Read + Send + 'static>(pipe: Option<R>) -> Drained {
    pipe.map(|mut pipe| {
        thread::spawn(move || {
            let mut bytes = Vec::new();
            let _ = pipe.by_ref().take(MOST_OUTPUT).read_to_end(&mut bytes);
            let _ = std::io::copy(&mut pipe, &mut std::io::sink());
            String::from_utf8_lossy(&bytes).into_owned()
        })
    })
}

fn joined(drained: Drained) -> String {
    drained.and_then(|thread| thread.join().ok()).unwrap_or_default()
}
