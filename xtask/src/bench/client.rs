//! The tool beside the bare loop.
//!
//! Always holds: both send requests of the same length to the same endpoint, take turns, and are timed alike: the phase
//! of calls by themselves, everything else from outside.

use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::{Duration, SystemTime, UNIX_EPOCH};

use serde_json::Value;

use super::process::{Server, Taken, measure};
use super::setting::{PreparedRun, REPLY, Setting};
use super::table::{Row, Target, Values};
use crate::shell::{self, TaskError};
use crate::tool;

/// What the tool took and what the bare loop took, turn by turn.
#[derive(Debug, Default)]
struct Measured {
    /// Seconds of the phase of calls.
    phases: Vec<f64>,
    bare_phases: Vec<f64>,
    /// Milliseconds of processor time a call.
    cpu: Vec<f64>,
    bare_cpu: Vec<f64>,
    /// Seconds from start to end.
    wall: Vec<f64>,
    /// MiB.
    peak: Vec<f64>,
}

/// All settings that have a target.
pub(super) fn all(repeat: u32) -> Result<Vec<Row>, TaskError> {
    let default = Setting::default();
    let tools = Tools::build()?;
    let busy = tools.measure("busy", &default, None, repeat)?;
    let near = tools.measure("near", &Setting { latency: 20, ..default }, None, repeat)?;
    let far = tools.measure("far", &Setting { latency: 200, ..default }, None, repeat)?;
    let step = Setting { latency: 200, calls: 160, ..default };
    let step_measured = tools.measure("step", &step, None, repeat)?;
    let long = tools.measure("long", &Setting { prompt: 10_000, ..step }, None, repeat)?;
    let (of_run, of_stage) = tools.first_requests(repeat)?;
    let ideal = f64::from(step.latency) / 1000.0;
    let shares = step_measured.phases.iter().map(|phase| ideal / phase);
    Ok(vec![
        Row::new("processor time a call, latency 0", "ms", busy.cpu, Some(Target::AtMost(0.10))),
        Row::new("  the bare loop", "ms", busy.bare_cpu, None),
        Row::new(
            "throughput beside the bare loop, 20 ms",
            "",
            throughput(&near),
            Some(Target::AtLeast(0.95)),
        ),
        Row::new(
            "throughput beside the bare loop, 200 ms",
            "",
            throughput(&far),
            Some(Target::AtLeast(0.95)),
        ),
        Row::new("160 calls at 200 ms: ideal / span", "", shares.collect(), Some(Target::AtLeast(0.90))),
        Row::new("first request after start of a stage", "ms", of_stage, Some(Target::AtMost(60.0))),
        Row::new("first request after start of a run", "ms", of_run, Some(Target::AtMost(60.0))),
        Row::new("peak memory, 160 trajectories of 10 kB", "MiB", long.peak, Some(Target::AtMost(48.0))),
        Row::new("peak memory, 2560 trajectories of 2 kB", "MiB", busy.peak, None),
    ])
}

/// One setting, against a simulated endpoint or the one at `base_url`.
pub(super) fn one(setting: &Setting, base_url: Option<&str>, repeat: u32) -> Result<Vec<Row>, TaskError> {
    let measured = Tools::build()?.measure("one", setting, base_url, repeat)?;
    let throughput = throughput(&measured);
    Ok(vec![
        Row::new("throughput beside the bare loop", "", throughput, None),
        Row::new("phase of calls", "s", measured.phases, None),
        Row::new("  the bare loop", "s", measured.bare_phases, None),
        Row::new("whole stage, from start to end", "s", measured.wall, None),
        Row::new("processor time a call", "ms", measured.cpu, None),
        Row::new("  the bare loop", "ms", measured.bare_cpu, None),
        Row::new("peak memory", "MiB", measured.peak, None),
    ])
}

fn throughput(measured: &Measured) -> Values {
    measured.bare_phases.iter().zip(&measured.phases).map(|(bare, phase)| bare / phase).collect()
}

/// The programs that take part.
struct Tools {
    bare_loop: PathBuf,
}

impl Tools {
    fn build() -> Result<Self, TaskError> {
        let tool = tool::textualrl()?;
        let build = ["build", "--release", "--quiet", "--package", "textualrl-llm", "--example", "bare_loop"];
        shell::check(shell::cargo().args(build).current_dir(shell::root()))?;
        let examples = Path::new(tool.get_program()).with_file_name("examples");
        Ok(Self { bare_loop: examples.join(format!("bare_loop{}", std::env::consts::EXE_SUFFIX)) })
    }

    fn measure(
        &self,
        name: &str,
        setting: &Setting,
        base_url: Option<&str>,
        repeat: u32,
    ) -> Result<Measured, TaskError> {
        eprintln!("{setting:?}");
        let server = base_url.is_none().then(|| server(setting.latency, None)).transpose()?;
        let url = base_url.or(server.as_ref().map(|server| server.url.as_str())).unwrap_or_default();
        let run = PreparedRun::new(name, setting, url)?;
        measure(&mut run.first_step()?)?;
        let mut measured = Measured::default();
        for _ in 0..repeat {
            let taken = measure(&mut run.rollout()?)?;
            let bare = measure(&mut self.bare(url, setting, run.folder())?)?;
            measured.phases.push(phase_of(&run.run())?);
            measured.bare_phases.push(bare.output.trim().parse().map_err(|_| unclear("the bare loop"))?);
            let a_call = 1000.0 / f64::from(setting.rollouts());
            measured.cpu.extend(taken.cpu.map(|seconds| seconds * a_call));
            measured.bare_cpu.extend(bare.cpu.map(|seconds| seconds * a_call));
            measured.peak.extend(taken.peak);
            measured.wall.push(taken.wall);
        }
        Ok(measured)
    }

    /// Milliseconds from the start of `textualrl run`, and of `textualrl rollout`, to the first request.
    fn first_requests(&self, repeat: u32) -> Result<(Values, Values), TaskError> {
        let setting = Setting { calls: 160, ..Setting::default() };
        let (mut of_run, mut of_stage) = (Values::new(), Values::new());
        for _ in 0..repeat {
            let log = super::setting::scratch()?.join("requests.jsonl");
            let _may_be_missing = std::fs::remove_file(&log);
            let server = server(0, Some(&log))?;
            let run = PreparedRun::new("start", &setting, &server.url)?;
            let taken = measure(&mut run.first_step()?)?;
            of_run.push(first_after(&log, &taken)?);
            let taken = measure(&mut run.rollout()?)?;
            of_stage.push(first_after(&log, &taken)?);
        }
        Ok((of_run, of_stage))
    }

    /// The bare loop, with a body as long as the tool's.
    fn bare(&self, url: &str, setting: &Setting, folder: &Path) -> Result<Command, TaskError> {
        let path = folder.join("body.json");
        let content = "word ".repeat(setting.prompt / 5 + SYSTEM_TURN / 5);
        let body = serde_json::json!({"model": "fixed", "messages": [{"role": "user", "content": content}]});
        std::fs::write(&path, body.to_string())
            .map_err(|source| TaskError::File { path: path.clone(), source })?;
        let mut command = Command::new(&self.bare_loop);
        command.arg(format!("{url}/chat/completions")).arg(path);
        command.arg(setting.rollouts().to_string()).arg(setting.concurrency.to_string());
        Ok(command)
    }
}

/// About the bytes of the tool's own turn before an own task.
const SYSTEM_TURN: usize = 400;

fn server(latency: u32, log: Option<&Path>) -> Result<Server, TaskError> {
    let mut command = tool::built()?;
    command.args(["simulate", "--fixed-reply", REPLY, "--latency-ms"]).arg(latency.to_string());
    if let Some(log) = log {
        command.arg("--log").arg(log);
    }
    Server::start(&mut command)
}

/// Seconds of the last phase of calls, as the run's log has them.
fn phase_of(run: &Path) -> Result<f64, TaskError> {
    let lines = lines(&run.join("log.jsonl"))?;
    let of_calls =
        |line: &&Value| line.pointer("/fields/message") == Some(&Value::from("rollouts collected"));
    let line = lines.iter().rev().find(of_calls);
    let seconds = line.and_then(|line| line.pointer("/fields/seconds")).and_then(Value::as_f64);
    seconds.ok_or_else(|| unclear("the run's log"))
}

/// Milliseconds from the start of a program to the first request after it.
fn first_after(log: &Path, taken: &Taken) -> Result<f64, TaskError> {
    let times = lines(log)?.into_iter().filter_map(|line| line.get("unix_us")?.as_u64());
    let times = times.map(|microseconds| UNIX_EPOCH + Duration::from_micros(microseconds));
    let first = times.filter_map(|time: SystemTime| time.duration_since(taken.start).ok()).min();
    first.map(|time| time.as_secs_f64() * 1000.0).ok_or_else(|| unclear("the log of requests"))
}

fn lines(path: &Path) -> Result<Vec<Value>, TaskError> {
    let text = std::fs::read_to_string(path);
    let text = text.map_err(|source| TaskError::File { path: path.to_owned(), source })?;
    Ok(text.lines().filter_map(|line| serde_json::from_str(line).ok()).collect())
}

fn unclear(what: &str) -> TaskError {
    TaskError::Refused(format!("{what} does not say what was to be measured"))
}
