//! Waits for a program to end, or ends it.
//!
//! Always holds: when this returns, the group of the program is gone.

use std::time::{Duration, Instant};

use crate::folder::RunFolder;
use crate::printed::Allowance;
use crate::process::Running;
use crate::program::{Ended, Limits};

/// How often to look whether the program ended.
const PAUSE: Duration = Duration::from_millis(3);
/// How often to look what it uses, which takes longer.
const LOOK: Duration = Duration::from_millis(40);

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
            if folder.is_some_and(|folder| folder.has_grown_by_more_than(limits.disk_bytes)) {
                break Ended::OutOfDisk;
            }
            next_look = Instant::now() + LOOK;
        }
        std::thread::sleep(PAUSE);
    };
    let time = start.elapsed();
    running.kill();
    Ok((ended, time))
}

fn ended(status: std::process::ExitStatus) -> Ended {
    use std::os::unix::process::ExitStatusExt;
    match (status.code(), status.signal()) {
        (Some(code), _) => Ended::from_code(code),
        (None, signal) => Ended::Signalled(signal.unwrap_or_default()),
    }
}
