//! One stage rerun alone: on cached rollouts, with the old output kept and the later stages visibly stale.
//!
//! Always holds: what a rerun asked the models is read from the simulator's log and from the journal, not from words.

use std::time::Duration;

use camino::Utf8Path;
use serde_json::Value;

use crate::run_folder::{Ended, SMALL, all_files, assert_same, command, copy, ended, ended_against};
use crate::scratch::{Scratch, artifact};
use crate::simulator::{Purpose, Simulator};

/// The stages of a step: command, further arguments, folder.
const STAGES: [(&str, &[&str], &str); 6] = [
    ("rollout", &[], "1-rollout"),
    ("critique", &[], "2-critique"),
    ("review", &[], "3-review"),
    ("patch", &[], "4-patch"),
    ("rollout", &["--split", "validation"], "5-validation"),
    ("gate", &[], "6-gate"),
];

fn stage(scratch: &Scratch, name: &str, further: &[&str]) -> Ended {
    ended(scratch, &[&[name, "--run", "runs/small", "--step", "e1-s01"], further].concat())
}

/// The marks of a step in `status --json`, in the order of the stages.
fn marks(scratch: &Scratch, step: &str) -> Vec<Value> {
    let status = scratch.json(&["status", "--run", "runs/small"]);
    let row = status["rows"].as_array().unwrap().iter().find(|row| row["name"] == step).unwrap();
    row["marks"].as_array().unwrap().clone()
}

fn words(marks: &[Value]) -> Vec<&str> {
    marks.iter().map(|mark| mark["kind"].as_str().unwrap()).collect()
}

#[test]
fn every_stage_reruns_alone_from_the_journal_and_keeps_the_old_output() {
    let scratch = Scratch::new();
    let simulator = Simulator::start(&scratch, "server");
    ended_against(&scratch, &simulator, &SMALL).with(0);
    let before = simulator.logged();
    let step = scratch.run("small").join("steps/e1-s01");
    for (name, further, folder) in STAGES {
        let old = all_files(&step.join(folder));
        stage(&scratch, name, further).with(0);
        assert_same(&old, &all_files(&step.join(folder)));
        assert_same(&old, &all_files(&step.join(format!("{folder}.old-1"))));
        assert!(words(&marks(&scratch, "e1-s01")).iter().all(|mark| *mark == "done"), "{folder}");
    }
    assert_eq!(simulator.logged(), before, "a rerun asked a model again");
    ended(&scratch, &["run", "--resume", "runs/small"]).with(0).saying(&["The run is finished"]);
}

#[test]
fn resampled_critics_ask_the_optimizer_alone_and_make_later_stages_stale() {
    let scratch = Scratch::new();
    let simulator = Simulator::start(&scratch, "server");
    ended_against(&scratch, &simulator, &SMALL).with(0);
    let before = simulator.logged();
    let record = scratch.run("small").join("steps/e1-s01/2-critique/stage.json");
    assert_eq!(artifact(&record)["generation"], 0);
    stage(&scratch, "critique", &["--resample"]).with(0);
    assert_eq!(artifact(&record)["generation"], 1);
    let calls = artifact(&record)["summary"]["calls"].as_u64().unwrap();
    // Once sampled anew, a plain rerun replays the new calls and not the old ones.
    stage(&scratch, "critique", &[]).with(0);
    assert_eq!(artifact(&record)["generation"], 1);
    let requests = simulator.requests();
    let new = &requests[before..];
    assert!(u64::try_from(new.len()).unwrap() >= calls && calls > 0, "{} requests, {calls} calls", new.len());
    assert!(new.iter().all(|request| request.purpose == Purpose::Critic));
}

#[test]
fn a_changed_output_makes_later_stages_stale_until_it_is_the_same_again() {
    let scratch = Scratch::new();
    scratch.textualrl(&SMALL);
    // Fewer edits in the patch: the candidate is another one.
    let changed =
        ["run", "--resume", "runs/small", "--set", "patch.max_edits=1", "--set", "patch.min_edits=1"];
    ended(&scratch, &changed).with(2).saying(&["patch.max_edits", "patch.min_edits", "--allow-changed"]);
    assert!(
        words(&marks(&scratch, "e1-s01")).iter().all(|mark| *mark == "done"),
        "a refusal changed the run"
    );
    let allowed = [&changed[..], &["--allow-changed", "patch"]].concat();
    ended(&scratch, &allowed).with(2).saying(&["--yes"]);
    let now = marks(&scratch, "e1-s01");
    let now = words(&now);
    // The review knows the budget, as it ranks what goes beyond it.
    assert_eq!(now[..2], ["done", "done"]);
    assert!(now[2..].iter().all(|mark| *mark == "stale"), "{now:?}");
    let text = scratch.textualrl(&["status", "--run", "runs/small"]);
    assert!(text.contains("stale"), "{text}");

    stage(&scratch, "review", &[]).with(0);
    stage(&scratch, "patch", &[]).with(0);
    let now = marks(&scratch, "e1-s01");
    let now = words(&now);
    assert_eq!(now[..4], ["done", "done", "done", "done"]);
    assert_eq!(now[5], "stale");

    // Back to what it was: the old results fit again once the patch is the old one.
    let back = ["run", "--resume", "runs/small", "--set", "patch.max_edits=4", "--set", "patch.min_edits=2"];
    ended(&scratch, &[&back[..], &["--allow-changed", "patch"]].concat()).with(2).saying(&["--yes"]);
    stage(&scratch, "review", &[]).with(0);
    stage(&scratch, "patch", &[]).with(0);
    assert!(words(&marks(&scratch, "e1-s01")).iter().all(|mark| *mark == "done"));
}

#[test]
fn a_stage_without_its_input_says_what_to_run_first() {
    let scratch = Scratch::new();
    scratch.textualrl(&[&SMALL[..], &["--stop-after", "e1-s01"]].concat());
    let missing = |name: &str, further: &[&str]| {
        ended(&scratch, &[&[name, "--run", "runs/small", "--step", "e1-s02"], further].concat()).with(5)
    };
    missing("critique", &[]).saying(&["e1-s02 rollout", "first"]);
    missing("review", &[]).saying(&["e1-s02 critique", "first"]);
    missing("patch", &[]).saying(&["e1-s02 review", "first"]);
    missing("rollout", &["--split", "validation"]).saying(&["e1-s02 patch", "first"]);
    missing("gate", &[]).saying(&["first"]);
    let best = ["rollout", "--run", "runs/small", "--arm", "best", "--split", "test"];
    ended(&scratch, &best).with(5).saying(&["first"]);
    let table = [("--step", "e9-s09", "e1-s01 to e1-s02"), ("--step", "step1", "e1-s03")];
    for (flag, step, said) in table {
        ended(&scratch, &["critique", "--run", "runs/small", flag, step]).with(2).saying(&[said]);
    }
}

#[test]
fn earlier_stages_come_from_another_run_if_they_fit() {
    let scratch = Scratch::new();
    scratch.textualrl(&SMALL);
    let named = |name: &'static str| {
        let mut arguments = SMALL.to_vec();
        *arguments.last_mut().unwrap() = name;
        arguments
    };
    // The same up to the critique: its rollouts and baseline are taken over, and no target is asked.
    scratch.textualrl(&named("other"));
    let other = scratch.run("other");
    for gone in ["baseline", "steps", "evaluation", "journal-v1"] {
        std::fs::remove_dir_all(other.join(gone)).unwrap();
    }
    let critique = ["critique", "--run", "runs/other", "--step", "e1-s01", "--from", "runs/small"];
    let said = ended(&scratch, &critique).with(0);
    assert!(said.stderr.contains("taken over from"), "{said}");
    let folder = "steps/e1-s01/2-critique";
    assert_same(&all_files(&scratch.run("small").join(folder)), &all_files(&other.join(folder)));

    let mut different = named("seeded");
    different.extend(["--set", "run.seed=7"]);
    scratch.textualrl(&different);
    let seeded = scratch.run("seeded");
    std::fs::remove_dir_all(seeded.join("steps")).unwrap();
    let refused = ["critique", "--run", "runs/seeded", "--step", "e1-s01", "--from", "runs/small"];
    let before = all_files(&seeded);
    let said = ended(&scratch, &refused).with(5).saying(&["e1-s01 rollout", "does not fit"]);
    let fingerprint = |word: &&str| word.len() == 32 && word.chars().all(|c| c.is_ascii_hexdigit());
    let parts = said.stderr.split(|c: char| !c.is_ascii_alphanumeric());
    assert_eq!(parts.filter(fingerprint).count(), 2, "both fingerprints: {said}");
    let steps = |files: &std::collections::BTreeMap<String, Vec<u8>>| {
        files.keys().filter(|name| name.starts_with("steps")).count()
    };
    assert_eq!(steps(&before), steps(&all_files(&seeded)));
}

#[test]
fn a_run_that_is_in_use_is_left_alone() {
    let scratch = Scratch::new();
    let simulator = Simulator::start_with(&scratch, "slow", &["--latency-ms", "600"]);
    let arguments = crate::run_folder::against(&simulator, &SMALL);
    let arguments: Vec<&str> = arguments.iter().map(String::as_str).collect();
    let mut running = command(&scratch, &arguments);
    let mut running =
        running.stdout(std::process::Stdio::null()).stderr(std::process::Stdio::null()).spawn().unwrap();
    while simulator.logged() == 0 {
        assert!(running.try_wait().unwrap().is_none(), "the run ended");
        std::thread::sleep(Duration::from_millis(5));
    }
    let commands: [&[&str]; 2] =
        [&["run", "--resume", "runs/small", "--yes"], &["rollout", "--run", "runs/small", "--baseline"]];
    let owner = running.id().to_string();
    std::thread::scope(|scope| {
        for arguments in commands {
            let (scratch, owner) = (&scratch, &owner);
            scope.spawn(move || ended(scratch, arguments).with(6).saying(&["in use", owner]));
        }
        // Reading is always possible.
        scope.spawn(|| scratch.textualrl(&["status", "--run", "runs/small"]));
    });
    running.kill().unwrap();
    running.wait().unwrap();
}

#[test]
fn the_steps_after_the_named_one_are_left_for_later() {
    let scratch = Scratch::new();
    scratch.textualrl(&[&SMALL[..], &["--stop-after", "e1-s01"]].concat());
    assert!(!scratch.run("small").join("steps/e1-s02").exists());
    let whole = {
        let mut arguments = SMALL.to_vec();
        *arguments.last_mut().unwrap() = "whole";
        arguments
    };
    scratch.textualrl(&whole);
    ended(&scratch, &["run", "--resume", "runs/small"]).with(0);
    let files = |name: &str| crate::run_folder::fingerprinted(&scratch.run(name));
    assert_same(&files("whole"), &files("small"));
    let moved = Utf8Path::new("elsewhere");
    copy(&scratch.run("small"), &scratch.path().join(moved));
    ended(&scratch, &["run", "--resume", "elsewhere"]).with(0).saying(&["finished"]);
}
