//! The processes of this machine and what they hold, as the kernel lists them.
//!
//! Always holds: a process that ends while it is looked at counts nothing.

use std::collections::BTreeSet;
use std::os::unix::fs::MetadataExt;
use std::path::PathBuf;

/// One process.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Process {
    /// Its number.
    pub(crate) id: u32,
    /// The number of the process that started it, or of the one that took it over.
    pub(crate) parent: u32,
    /// Its process group.
    pub(crate) group: u32,
    /// Its threads.
    pub(crate) threads: u64,
    /// As which user it runs.
    pub(crate) user: u32,
}

/// All processes that can be seen.
pub(crate) fn all() -> Vec<Process> {
    let Ok(entries) = std::fs::read_dir("/proc") else { return Vec::new() };
    let process = |entry: std::fs::DirEntry| {
        let id: u32 = entry.file_name().to_str()?.parse().ok()?;
        let user = entry.metadata().ok()?.uid();
        let line = std::fs::read_to_string(entry.path().join("stat")).ok()?;
        parse(id, user, &line)
    };
    entries.flatten().filter_map(process).collect()
}

fn parse(id: u32, user: u32, line: &str) -> Option<Process> {
    // The name in parentheses may hold anything, also parentheses and blanks.
    let fields: Vec<&str> = line.rsplit_once(')')?.1.split_whitespace().collect();
    let number = |place: usize| fields.get(place)?.parse::<u64>().ok();
    let parent = u32::try_from(number(1)?).ok()?;
    let group = u32::try_from(number(2)?).ok()?;
    Some(Process { id, parent, group, threads: number(17)?, user })
}

/// Those of a run: the first process, what it started, whatever is in its group, and what belongs to its own user.
pub(crate) fn of_run(processes: &[Process], first: u32, user: Option<u32>) -> Vec<u32> {
    let belongs =
        |process: &Process| process.id == first || process.group == first || Some(process.user) == user;
    let mut known: BTreeSet<u32> =
        processes.iter().filter(|process| belongs(process)).map(|process| process.id).collect();
    loop {
        let started = |process: &&Process| known.contains(&process.parent) && !known.contains(&process.id);
        let more: Vec<u32> = processes.iter().filter(started).map(|process| process.id).collect();
        if more.is_empty() {
            return known.into_iter().collect();
        }
        known.extend(more);
    }
}

/// Whether the processes together hold more memory than this. What several of them share counts once.
pub(crate) fn hold_more_than(processes: &[u32], bytes: u64) -> bool {
    // The quick sum counts shared memory for each process; only if that is too much, the kernel is asked to divide it.
    let quick = |id: &u32| kilobytes(&proc(*id, "status"), &["RssAnon:", "RssShmem:"]);
    let exact = |id: &u32| {
        let divided = kilobytes(&proc(*id, "smaps_rollup"), &["Pss_Anon:", "Pss_Shmem:"]);
        divided.or_else(|| quick(id))
    };
    let over = |held: &dyn Fn(&u32) -> Option<u64>| {
        processes.iter().filter_map(held).fold(0, u64::saturating_add).saturating_mul(1024) > bytes
    };
    over(&quick) && over(&exact)
}

/// The bytes of files that the processes hold open although they have no name any more.
pub(crate) fn bytes_without_name(processes: &[u32]) -> u64 {
    let mut seen = BTreeSet::new();
    let mut bytes = 0_u64;
    for id in processes {
        let Ok(entries) = std::fs::read_dir(proc(*id, "fd")) else { continue };
        for file in entries.flatten().filter_map(|entry| std::fs::metadata(entry.path()).ok()) {
            if file.is_file() && file.nlink() == 0 && seen.insert((file.dev(), file.ino())) {
                bytes = bytes.saturating_add(file.blocks().saturating_mul(512));
            }
        }
    }
    bytes
}

fn proc(id: u32, file: &str) -> PathBuf {
    PathBuf::from(format!("/proc/{id}/{file}"))
}

/// The sum of the rows of a file of `/proc`; `None` if it cannot be read or has none of them.
fn kilobytes(path: &PathBuf, rows: &[&str]) -> Option<u64> {
    sum(&std::fs::read_to_string(path).ok()?, rows)
}

fn sum(text: &str, rows: &[&str]) -> Option<u64> {
    let row = |line: &str| rows.iter().find_map(|row| line.strip_prefix(row)).map(str::to_owned);
    let values = text.lines().filter_map(row);
    let values: Vec<u64> = values.filter_map(|row| row.split_whitespace().next()?.parse().ok()).collect();
    (!values.is_empty()).then(|| values.iter().sum())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_process_is_read_from_its_line() {
        let line = "42 (a) S (b) S 7 40 40 0 -1 4194560 100 0 0 0 1 1 0 0 20 0 3 0 100 1000 20 1";
        let expected = Process { id: 42, parent: 7, group: 40, threads: 3, user: 1000 };
        assert_eq!(parse(42, 1000, line), Some(expected));
        assert_eq!(parse(42, 1000, "42 (a"), None);
    }

    #[test]
    fn the_processes_of_a_run_are_found() {
        let process = |id, parent, group, user| Process { id, parent, group, threads: 1, user };
        let processes = [
            process(1, 0, 1, 0),
            process(10, 5, 10, 0),  // the first
            process(11, 10, 11, 0), // started by it, in another group
            process(12, 11, 11, 0), // and so on
            process(13, 1, 10, 0),  // left alone, in its group
            process(14, 1, 14, 77), // left alone, of its user
            process(15, 1, 15, 0),  // somebody else's
        ];
        assert_eq!(of_run(&processes, 10, Some(77)), [10, 11, 12, 13, 14]);
        assert_eq!(of_run(&processes, 10, None), [10, 11, 12, 13]);
    }

    #[test]
    fn rows_are_added_up() {
        let text = "Name:\tx\nRssAnon:\t     100 kB\nRssFile:\t 5 kB\nRssShmem:\t       20 kB\n";
        assert_eq!(sum(text, &["RssAnon:", "RssShmem:"]), Some(120));
        assert_eq!(sum(text, &["Pss:"]), None);
    }
}
