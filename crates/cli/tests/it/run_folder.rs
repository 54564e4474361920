//! How commands end, and what a run folder holds: shared by the tests of resuming, rerunning and failing.
//!
//! Always holds: a failure that passes through here is one paragraph without a panic or a backtrace.

use std::collections::BTreeMap;
use std::process::{Command, Output};

use camino::Utf8Path;

use crate::scratch::Scratch;
use crate::simulator::Simulator;

/// A small run: two steps of the quickstart, in process.
pub(crate) const SMALL: [&str; 9] =
    ["run", "--preset", "quickstart", "--set", "run.epochs=1", "--set", "data.limit=16", "--name", "small"];

/// How a command ended.
#[derive(Debug)]
pub(crate) struct Ended {
    /// Its exit code; -1 if a signal ended it.
    pub(crate) code: i32,
    /// What it printed as data.
    pub(crate) stdout: String,
    /// What it said.
    pub(crate) stderr: String,
}

impl Ended {
    pub(crate) fn of(output: &Output) -> Self {
        let text = |bytes: &[u8]| String::from_utf8_lossy(bytes).into_owned();
        Self {
            code: output.status.code().unwrap_or(-1),
            stdout: text(&output.stdout),
            stderr: text(&output.stderr),
        }
    }

    /// It must have ended with this code, without a panic, and a failure must be told in one paragraph.
    #[track_caller]
    pub(crate) fn with(self, code: i32) -> Self {
        assert_eq!(self.code, code, "{self}");
        for word in ["panicked", "backtrace", "RUST_BACKTRACE"] {
            assert!(!self.stderr.contains(word), "{self}");
        }
        if code != 0 {
            assert!(self.stderr.contains("error: "), "{self}");
            assert!(!self.stderr.trim().contains("\n\n") || code == 2, "more than a paragraph: {self}");
        }
        self
    }

    /// What it said must hold all these.
    #[track_caller]
    pub(crate) fn saying(self, parts: &[&str]) -> Self {
        for part in parts {
            assert!(self.stderr.contains(part), "{part:?} is missing: {self}");
        }
        self
    }
}

impl std::fmt::Display for Ended {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "exit code {}\nstdout: {}\nstderr: {}", self.code, self.stdout, self.stderr)
    }
}

/// `textualrl` in the scratch folder. Backtraces are asked for, so that a panic would show.
pub(crate) fn command(scratch: &Scratch, arguments: &[&str]) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_textualrl"));
    command.current_dir(scratch.path()).env("RUST_BACKTRACE", "1").args(arguments);
    command
}

/// Runs `textualrl` to its end.
pub(crate) fn ended(scratch: &Scratch, arguments: &[&str]) -> Ended {
    Ended::of(&command(scratch, arguments).output().expect("textualrl starts"))
}

/// The arguments of a run against a simulator.
pub(crate) fn against(simulator: &Simulator, arguments: &[&str]) -> Vec<String> {
    arguments.iter().map(ToString::to_string).chain(simulator.settings()).collect()
}

/// As [`ended`], against a simulator.
pub(crate) fn ended_against(scratch: &Scratch, simulator: &Simulator, arguments: &[&str]) -> Ended {
    let all = against(simulator, arguments);
    ended(scratch, &all.iter().map(String::as_str).collect::<Vec<_>>())
}

/// All files of a run that must come out the same however it was interrupted, by their path in the run. Journal, logs,
/// timings and locks tell of processes.
pub(crate) fn fingerprinted(run: &Utf8Path) -> BTreeMap<String, Vec<u8>> {
    let of_processes = |path: &str| {
        path.starts_with("journal-v1/")
            || ["log.jsonl", "timings.json", "run.lock", "stage.lock"].contains(&path)
    };
    let mut files = all_files(run);
    files.retain(|path, _| !of_processes(path));
    files
}

/// All files of a folder by their path in it.
pub(crate) fn all_files(folder: &Utf8Path) -> BTreeMap<String, Vec<u8>> {
    let mut files = BTreeMap::new();
    let mut folders = vec![folder.to_owned()];
    while let Some(next) = folders.pop() {
        for entry in next.read_dir_utf8().unwrap() {
            let path = entry.unwrap().into_path();
            if path.is_dir() {
                folders.push(path);
            } else {
                let name = path.strip_prefix(folder).unwrap().to_string();
                files.insert(name, std::fs::read(&path).unwrap());
            }
        }
    }
    files
}

/// Two sets of files must be the same; the names of those that differ are told.
#[track_caller]
pub(crate) fn assert_same(left: &BTreeMap<String, Vec<u8>>, right: &BTreeMap<String, Vec<u8>>) {
    let names = left.keys().chain(right.keys());
    let differing: Vec<_> = names.filter(|name| left.get(*name) != right.get(*name)).collect();
    assert!(differing.is_empty(), "these files differ: {differing:?}");
    assert!(!left.is_empty());
}

/// Copies a run folder, so that many tests can change one run.
pub(crate) fn copy(from: &Utf8Path, to: &Utf8Path) {
    for (name, bytes) in all_files(from) {
        let path = to.join(name);
        std::fs::create_dir_all(path.parent().unwrap()).unwrap();
        std::fs::write(path, bytes).unwrap();
    }
}
