//! The quickstart is no accident, and the same run twice is the same run.
//!
//! Always holds: every claim is about what the binary printed or left on disk.

use std::collections::BTreeMap;
use std::sync::atomic::{AtomicU64, Ordering};

use camino::Utf8Path;
use serde_json::Value;

use crate::scratch::{Scratch, artifact};

const SEEDS: u64 = 20;
const ENOUGH: usize = 16;

/// What matters of one run.
struct Trial {
    seed: u64,
    accepted: usize,
    rejected: usize,
    skipped: usize,
    initial: u64,
    best: u64,
}

impl Trial {
    fn of(seed: u64, summary: &Value) -> Self {
        let steps = summary["steps"].as_array().expect("steps");
        let count = |kind: &str| steps.iter().filter(|step| step["decision"]["kind"] == kind).count();
        Self {
            seed,
            accepted: count("accepted"),
            rejected: count("rejected"),
            skipped: count("skipped"),
            initial: solved(summary, "initial context", "test"),
            best: solved(summary, "best context", "test"),
        }
    }

    fn shows_everything(&self) -> bool {
        self.accepted > 0 && self.rejected > 0 && self.best > self.initial
    }
}

/// The tasks that an arm solved of a split.
pub(crate) fn solved(summary: &Value, arm: &str, split: &str) -> u64 {
    let arms = summary["arms"].as_array().expect("arms");
    let found = arms.iter().find(|one| one["arm"] == arm).expect("the arm");
    found[split]["solved"].as_u64().expect("a score")
}

#[test]
fn most_seeds_accept_reject_and_beat_the_initial_context() {
    let scratch = Scratch::new();
    let next = AtomicU64::new(1);
    let trials = || -> Vec<Trial> {
        let seeds = std::iter::from_fn(|| Some(next.fetch_add(1, Ordering::Relaxed)));
        seeds
            .take_while(|seed| *seed <= SEEDS)
            .map(|seed| Trial::of(seed, &quickstart(&scratch, seed)))
            .collect()
    };
    let mut trials: Vec<Trial> = std::thread::scope(|scope| {
        let workers = [scope.spawn(trials), scope.spawn(trials)];
        workers.into_iter().flat_map(|worker| worker.join().expect("trials")).collect()
    });
    trials.sort_by_key(|trial| trial.seed);
    println!("seed  accepted  rejected  skipped  initial  best");
    for Trial { seed, accepted, rejected, skipped, initial, best } in &trials {
        println!("{seed:>4}  {accepted:>8}  {rejected:>8}  {skipped:>7}  {initial:>7}  {best:>4}");
    }
    let good = trials.iter().filter(|trial| trial.shows_everything()).count();
    println!("{good} of {SEEDS}");
    assert_eq!(trials.len(), 20);
    assert!(good >= ENOUGH, "{good} of {SEEDS}");
}

fn quickstart(scratch: &Scratch, seed: u64) -> Value {
    scratch.json(&["run", "--name", &format!("seed-{seed}"), "--set", &format!("run.seed={seed}")])
}

#[test]
fn the_summary_says_simulated_and_the_best_context_is_the_adopted_one() {
    let scratch = Scratch::new();
    let summary = quickstart(&scratch, 3);
    assert_eq!(summary["simulated"], serde_json::json!(["the optimizer", "the target"]));
    let run = scratch.run("seed-3");
    assert_eq!(summary["best_context"], run.join("best_context.md").as_str());
    let best = std::fs::read_to_string(run.join("best_context.md")).expect("best_context.md");
    let evaluated = std::fs::read_to_string(run.join("evaluation/best-test/context.md")).expect("context.md");
    assert_eq!(best, evaluated);
    let last = artifact(&run.join("steps/e2-s04/6-gate/decision.json"));
    let name = last["decision"]["best"].as_str().expect("a fingerprint").to_owned();
    let adopted =
        std::fs::read_dir(run.join("contexts")).expect("contexts/").map(|entry| entry.expect("entry"));
    let mut adopted = adopted.filter(|entry| entry.file_name().to_string_lossy().contains(&name[..8]));
    let file = adopted.next().expect("the best context among the adopted ones");
    assert_eq!(best, std::fs::read_to_string(file.path()).expect("a context"));
}

#[test]
fn a_run_made_twice_is_the_same_byte_for_byte() {
    let [one, other] = [Scratch::new(), Scratch::new()].map(|scratch| {
        quickstart(&scratch, 11);
        let mut files = BTreeMap::new();
        read_all(&scratch.run("seed-11"), "", &mut files);
        files
    });
    let names = |files: &BTreeMap<String, Vec<u8>>| files.keys().cloned().collect::<Vec<_>>();
    assert_eq!(names(&one), names(&other));
    assert!(one.len() > 150, "only {} files", one.len());
    for (name, bytes) in &one {
        assert!(other[name] == *bytes, "{name} differs");
    }
}

/// Reads every file but times, logs, locks and the journal, whose order is that of the replies.
fn read_all(folder: &Utf8Path, prefix: &str, files: &mut BTreeMap<String, Vec<u8>>) {
    for entry in folder.read_dir_utf8().expect("a folder") {
        let entry = entry.expect("an entry");
        let name = format!("{prefix}{}", entry.file_name());
        if ["timings.json", "log.jsonl", "journal-v1"].contains(&name.as_str()) || name.ends_with(".lock") {
            continue;
        }
        if entry.file_type().expect("a type").is_dir() {
            read_all(entry.path(), &format!("{name}/"), files);
        } else {
            files.insert(name, std::fs::read(entry.path()).expect("a file"));
        }
    }
}
