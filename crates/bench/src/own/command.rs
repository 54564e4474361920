//! An external scorer: a program that reads one JSON object and writes one.
//!
//! Always holds: no shell is involved; a program that fails, is too slow or answers nonsense leaves the task unscored
//! and never gives a reward of 0; it sees no variable that looks like a key; nothing that it started in its process
//! group outlives it.

use std::io::{Read, Write};
use std::path::Path;
use std::process::{Command, ExitStatus, Stdio};
use std::sync::mpsc::{Receiver, channel};
use std::thread;
use std::time::{Duration, Instant};

use process_wrap::std::{ChildWrapper, CommandWrap, ProcessGroup};
use serde::Deserialize;
use serde_json::Value;
use textualrl_model::Reward;
use textualrl_model::settings::ScorerSettings;

/// The field in which the program gets the whole reply.
pub(super) const RESPONSE: &str = "response";
/// The field in which the program gets the answer found in the reply.
pub(super) const EXTRACTED_ANSWER: &str = "extracted_answer";
/// What a program may write at most, in bytes.
const MOST_OUTPUT: u64 = 1 << 20;
const POLL: Duration = Duration::from_millis(5);
/// Parts of the names of variables that a program does not get to see.
const SECRET: [&str; 5] = ["KEY", "TOKEN", "SECRET", "PASSWORD", "CREDENTIAL"];

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
    Failed { program: String, status: ExitStatus, stderr: String },
    #[error(
        "the scorer {program} must write {{\"reward\":0|1,\"feedback\":\"…\"}}, not {output:?} ({problem})"
    )]
    Nonsense { program: String, output: String, problem: String },
    #[error("the scorer {program} cannot be talked to: {source}")]
    Pipe { program: String, source: std::io::Error },
}

/// Whether there is such a program: a path from the working folder, or a name on `PATH`.
pub(super) fn is_there(program: &str) -> bool {
    let path = Path::new(program);
    if path.components().count() > 1 {
        return path.is_file();
    }
    std::env::var_os("PATH")
        .is_some_and(|folders| std::env::split_paths(&folders).any(|folder| folder.join(program).is_file()))
}

/// Asks the program about one answer.
pub(super) fn ask(settings: &ScorerSettings, input: &Value) -> Result<Verdict, CommandError> {
    let Some((program, arguments)) = settings.command.split_first() else {
        let source = std::io::Error::other("no program is named");
        return Err(CommandError::Start { program: String::new(), source });
    };
    let name = || program.clone();
    let deadline = Deadline::after(settings.timeout_seconds);
    let mut command = CommandWrap::from(prepared(program, arguments));
    command.wrap(ProcessGroup::leader());
    let mut child = command.spawn().map_err(|source| CommandError::Start { program: name(), source })?;
    let (stdout, stderr) = (drained(child.stdout().take()), drained(child.stderr().take()));
    feed(child.as_mut(), input.to_string());
    let status = wait(child.as_mut(), &deadline);
    // What is still running would hold the pipes open; a program that was stopped must be waited for.
    let _ = if matches!(status, Ok(Some(_))) { child.start_kill() } else { child.kill() };
    let status = status.map_err(|source| CommandError::Pipe { program: name(), source })?;
    let too_slow = || CommandError::TooSlow { program: name(), seconds: settings.timeout_seconds };
    let status = status.ok_or_else(too_slow)?;
    let stdout = deadline.receive(&stdout).ok_or_else(too_slow)?;
    if !status.success() {
        let stderr = deadline.receive(&stderr).unwrap_or_default();
        return Err(CommandError::Failed { program: name(), status, stderr: head(&stderr, 500) });
    }
    serde_json::from_str(stdout.trim()).map_err(|error| CommandError::Nonsense {
        program: name(),
        output: head(&stdout, 200),
        problem: error.to_string(),
    })
}

fn prepared(program: &str, arguments: &[String]) -> Command {
    let mut command = Command::new(program);
    command.args(arguments).stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
    for (variable, _) in std::env::vars_os() {
        let name = variable.to_string_lossy().to_uppercase();
        if SECRET.iter().any(|word| name.contains(word)) {
            command.env_remove(&variable);
        }
    }
    command
}

/// Writes the input in a thread of its own, as a program may write before it has read everything.
fn feed(child: &mut dyn ChildWrapper, input: String) {
    if let Some(mut stdin) = child.stdin().take() {
        // A program that reads nothing may still decide, so a closed pipe is no failure.
        thread::spawn(move || {
            let _ = stdin.write_all(input.as_bytes());
        });
    }
}

/// Waits until the program ends; none if its time is up first.
fn wait(child: &mut dyn ChildWrapper, deadline: &Deadline) -> std::io::Result<Option<ExitStatus>> {
    loop {
        if let Some(status) = child.try_wait()? {
            return Ok(Some(status));
        }
        if deadline.left().is_zero() {
            return Ok(None);
        }
        thread::sleep(POLL);
    }
}

/// The time that a program may take.
struct Deadline {
    began: Instant,
    limit: Duration,
}

impl Deadline {
    fn after(seconds: f64) -> Self {
        let limit = Duration::try_from_secs_f64(seconds).unwrap_or(Duration::MAX);
        Self { began: Instant::now(), limit }
    }

    fn left(&self) -> Duration {
        self.limit.saturating_sub(self.began.elapsed())
    }

    /// What a pipe held, once it is closed. None if something that left the process group still holds it open.
    fn receive(&self, pipe: &Receiver<String>) -> Option<String> {
        pipe.recv_timeout(self.left().max(POLL)).ok()
    }
}

/// Reads a pipe to its end in a thread of its own, so that a full pipe never blocks the program.
fn drained<R: Read + Send + 'static>(pipe: Option<R>) -> Receiver<String> {
    let (sender, receiver) = channel();
    if let Some(mut pipe) = pipe {
        thread::spawn(move || {
            let mut bytes = Vec::new();
            let _ = pipe.by_ref().take(MOST_OUTPUT).read_to_end(&mut bytes);
            let _ = std::io::copy(&mut pipe, &mut std::io::sink());
            // Nobody listens any more if the time was up.
            let _ = sender.send(String::from_utf8_lossy(&bytes).into_owned());
        });
    }
    receiver
}

/// The first characters of a text, for a message.
fn head(text: &str, most: usize) -> String {
    text.trim().chars().take(most).collect()
}
