//! Waits for a program to end, or ends it.
//!
//! Always holds: when this returns, the group of the program is gone, and so is what left the group where the confinement can
//! tell it.

use std::time::{Duration, Instant};

use crate::folder::RunFolder;
use crate::printed::Allowance;
use crate::process::Running;
use crate::processes;
use crate::program::{Ended, Limits};

/// How often to look whether the program ended.
const PAUSE: Duration = Duration::from_millis(3);
/// How long to go on at least before looking what it uses, and how many times as long as that took.
const LOOK: Duration = Duration::from_millis(50);
const LOOK_SHARE: u32 = 8;
/// How long to go on at most, also where looking takes long because the machine is busy.
const LOOK_AT_LEAST_EVERY: Duration = Duration::from_millis(150);

/// Waits until the program ended or a limit is broken. `folder` is the one whose size is to be watched.
pub(crate) fn until_end(
    running: &mut Running,
    limits: &Limits,
    printed: &Allowance,
    folder: Option<&RunFolder>,
) -> std::io::Result<(Ended, Duration)> {
    let start = Instant::now();
    let mut next_look = start + LOOK;
    let ended = loop {
        if let Some(status) = running.ended()? {
            break ended(status);
        }
        let now = Instant::now();
        if now.duration_since(start) >= limits.run_time {
            break Ended::OutOfTime;
        }
        if printed.is_exceeded() {
            break Ended::OutOfOutput;
        }
        if now >= next_look {
            if let Some(ended) = broken(running, limits, folder) {
                break ended;
            }
            next_look = Instant::now() + (now.elapsed() * LOOK_SHARE).clamp(LOOK, LOOK_AT_LEAST_EVERY);
        }
        std::thread::sleep(PAUSE);
    };
    let time = start.elapsed();
    running.kill()?;
    // A program that was quick may have ended before anybody looked.
    let full = ended.by_itself() && folder.is_some_and(|folder| folder.growth() > limits.disk_bytes);
    Ok((if full { Ended::OutOfDisk } else { ended }, time))
}

/// The limit on memory or disk that all processes together have broken.
fn broken(running: &Running, limits: &Limits, folder: Option<&RunFolder>) -> Option<Ended> {
    let processes = running.processes();
    if processes::hold_more_than(&processes, limits.memory_bytes) {
        return Some(Ended::OutOfMemory);
    }
    let written = folder?.growth().saturating_add(processes::bytes_without_name(&processes));
    (written > limits.disk_bytes).then_some(Ended::OutOfDisk)
}

fn ended(status: std::process::ExitStatus) -> Ended {
    use std::os::unix::process::ExitStatusExt;
    match (status.code(), status.signal()) {
        (Some(code), _) => Ended::from_code(code),
        (None, signal) => Ended::Signalled(signal.unwrap_or_default()),
    }
}
