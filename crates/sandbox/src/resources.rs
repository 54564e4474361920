//! The limits that the kernel keeps for each process, set by `prlimit`.
//!
//! Always holds: no limit is asked for above the one that this process has itself, which would be refused.

use std::path::Path;

use crate::program::Limits;

/// Open files of a process.
const OPEN_FILES: u64 = 256;

/// What a program does not answer for.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Beside {
    /// Processes and threads.
    pub(crate) processes: u64,
    /// Bytes of the files that the program is given.
    pub(crate) bytes: u64,
}

/// `prlimit` with the limits; what it is to start follows. `beside` is what
/// does not belong to the program but counts against its limits.
pub(crate) fn arguments(prlimit: &Path, limits: &Limits, beside: Beside) -> Vec<String> {
    let ceilings = std::fs::read_to_string("/proc/self/limits").unwrap_or_default();
    let mut arguments = vec![prlimit.to_string_lossy().into_owned()];
    for (option, row, value) in values(limits, beside) {
        let value = ceiling(&ceilings, row).map_or(value, |most| value.min(most));
        arguments.push(format!("--{option}={value}"));
    }
    arguments.push("--".to_owned());
    arguments
}

/// The option, the row of `/proc/self/limits`, and the value of each limit.
fn values(limits: &Limits, beside: Beside) -> [(&'static str, &'static str, u64); 7] {
    let processors = std::thread::available_parallelism().map_or(1, |count| count.get() as u64);
    // The run is stopped by its wall-clock time; this ends what would be left if that were not possible any more.
    let seconds = limits.run_time.as_secs().saturating_add(1).saturating_mul(processors);
    [
        ("as", "Max address space", limits.memory_bytes),
        ("nproc", "Max processes", u64::from(limits.processes).saturating_add(beside.processes)),
        ("fsize", "Max file size", limits.disk_bytes.saturating_add(beside.bytes)),
        ("nofile", "Max open files", OPEN_FILES),
        ("cpu", "Max cpu time", seconds),
        ("core", "Max core file size", 0),
        ("msgqueue", "Max msgqueue size", 0),
    ]
}

/// The hard limit of a row; `None` if there is none.
fn ceiling(table: &str, row: &str) -> Option<u64> {
    let line = table.lines().find_map(|line| line.strip_prefix(row))?;
    line.split_whitespace().nth(1)?.parse().ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_hard_limit_of_a_row_is_found() {
        let table = "Limit                     Soft Limit           Hard Limit           Units     \n\
                     Max cpu time              unlimited            unlimited            seconds   \n\
                     Max open files            1024                 4096                 files     \n";
        for (row, expected) in
            [("Max open files", Some(4096)), ("Max cpu time", None), ("Max processes", None)]
        {
            assert_eq!(ceiling(table, row), expected, "{row}");
        }
    }
}
