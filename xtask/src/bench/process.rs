//! Programs whose time, processor time and memory are measured.
//!
//! Always holds: a program that fails is an error, never a measurement; what the system does not tell is none.

use std::io::{BufRead, BufReader};
use std::process::{Child, Command, Stdio};
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread;
use std::time::{Duration, Instant, SystemTime};

use crate::shell::TaskError;

/// Between two looks at a program's memory.
const LOOK: Duration = Duration::from_millis(4);
/// Linux counts processor time for others in hundredths of a second.
const TICKS_PER_SECOND: f64 = 100.0;

/// What a program took.
#[derive(Debug, Clone)]
pub(super) struct Taken {
    /// When it was started.
    pub(super) start: SystemTime,
    /// Seconds from start to end.
    pub(super) wall: f64,
    /// Seconds of processor time, in user and system mode.
    pub(super) cpu: Option<f64>,
    /// The most MiB resident.
    pub(super) peak: Option<f64>,
    /// What it wrote to stdout.
    pub(super) output: String,
}

/// Runs a program to its end.
pub(super) fn measure(command: &mut Command) -> Result<Taken, TaskError> {
    let program = command.get_program().to_string_lossy().into_owned();
    let spawn = |source| TaskError::Spawn { program: program.clone(), source };
    let (cpu, start, began) = (cpu_of_children(), SystemTime::now(), Instant::now());
    let child = command.stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().map_err(spawn)?;
    let (id, ended) = (child.id(), AtomicBool::new(false));
    let (output, peak) = thread::scope(|scope| {
        let peak = scope.spawn(|| peak_until(id, &ended));
        let output = child.wait_with_output();
        ended.store(true, Ordering::Release);
        (output, peak.join().unwrap_or_default())
    });
    let wall = began.elapsed().as_secs_f64();
    let output = output.map_err(spawn)?;
    if !output.status.success() {
        eprint!("{}", String::from_utf8_lossy(&output.stderr));
        return Err(TaskError::Failed { program });
    }
    let cpu = cpu_of_children().zip(cpu).map(|(after, before)| after - before);
    let output = String::from_utf8_lossy(&output.stdout).into_owned();
    Ok(Taken { start, wall, cpu, peak, output })
}

/// Processor seconds of all children that have ended.
fn cpu_of_children() -> Option<f64> {
    let stat = std::fs::read_to_string("/proc/self/stat").ok()?;
    // The name in brackets may hold anything; `cutime` and `cstime` are the 14th and 15th field behind it.
    let (_, fields) = stat.rsplit_once(')')?;
    let ticks = fields.split_whitespace().skip(13).take(2).map(|field| field.parse::<f64>().ok());
    Some(ticks.sum::<Option<f64>>()? / TICKS_PER_SECOND)
}

fn peak_until(id: u32, ended: &AtomicBool) -> Option<f64> {
    let mut peak = None;
    while !ended.load(Ordering::Acquire) {
        // The system keeps the maximum, so that only the last moments before the end can be missed.
        peak = peak_of(id).or(peak);
        thread::sleep(LOOK);
    }
    peak
}

fn peak_of(id: u32) -> Option<f64> {
    let status = std::fs::read_to_string(format!("/proc/{id}/status")).ok()?;
    let line = status.lines().find_map(|line| line.strip_prefix("VmHWM:"))?;
    Some(line.trim().strip_suffix("kB")?.trim().parse::<f64>().ok()? / 1024.0)
}

/// A server that serves until it is dropped.
#[derive(Debug)]
pub(super) struct Server {
    child: Child,
    /// The base URL that it prints first.
    pub(super) url: String,
}

impl Server {
    /// Starts a server and waits for its address.
    pub(super) fn start(command: &mut Command) -> Result<Self, TaskError> {
        let program = command.get_program().to_string_lossy().into_owned();
        let spawn = |source| TaskError::Spawn { program: program.clone(), source };
        let mut child = command.stdout(Stdio::piped()).stderr(Stdio::null()).spawn().map_err(spawn)?;
        let mut url = String::new();
        if let Some(output) = child.stdout.take() {
            BufReader::new(output).read_line(&mut url).map_err(spawn)?;
        }
        let url = url.trim().to_owned();
        let server = Self { child, url };
        if server.url.is_empty() { Err(TaskError::Failed { program }) } else { Ok(server) }
    }
}

impl Drop for Server {
    fn drop(&mut self) {
        // It may have ended by itself.
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}
