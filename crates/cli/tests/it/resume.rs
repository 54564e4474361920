//! Going on with a run after it was stopped, broken or changed.
//!
//! Always holds: what was paid for is not paid for again, and nothing goes on from other inputs without being told.

use std::fs;
use std::os::unix::process::CommandExt;
use std::process::{Command, Stdio};

use serde_json::Value;

use crate::run_folder::{
    Ended, SMALL, against, assert_same, command, copy, ended, ended_against, fingerprinted,
};
use crate::scratch::{Scratch, artifact};
use crate::simulator::Simulator;

/// One attempt a call, so that a broken endpoint is found at once.
const IMPATIENT: [&str; 6] =
    ["--set", "target.attempts=1", "--set", "optimizer.attempts=1", "--set", "limits.not_scored_retries=0"];

fn impatient(further: &[&'static str]) -> Vec<&'static str> {
    [&SMALL[..], &IMPATIENT, further].concat()
}

fn port(simulator: &Simulator) -> String {
    simulator.url.rsplit(':').next().unwrap().trim_end_matches("/v1").to_owned()
}

/// What a run that was never disturbed leaves, at a simulator on a port that is free again afterwards.
fn undisturbed(scratch: &Scratch) -> (String, usize) {
    let simulator = Simulator::start(scratch, "undisturbed");
    let port = port(&simulator);
    let mut arguments = impatient(&[]);
    arguments[8] = "undisturbed";
    ended_against(scratch, &simulator, &arguments).with(0);
    (port, simulator.requests().len())
}

/// How many logged requests a simulator answered.
fn good_requests(scratch: &Scratch, simulator: &str) -> usize {
    let log = fs::read_to_string(scratch.path().join(format!("{simulator}.requests.jsonl")));
    log.unwrap_or_default().lines().filter(|line| line.contains("\"fault\":null")).count()
}

fn assert_undisturbed(scratch: &Scratch) {
    let files = |name| fingerprinted(&scratch.run(name));
    assert_same(&files("undisturbed"), &files("small"));
}

#[test]
fn an_endpoint_that_goes_down_stops_the_run_until_it_is_back() {
    let scratch = Scratch::new();
    let (port, calls) = undisturbed(&scratch);
    let first = Simulator::start_with(&scratch, "first", &["--port", &port]);
    ended_against(&scratch, &first, &impatient(&["--stop-after", "e1-s01"])).with(0);
    let made = first.requests().len();
    let down = ended(&scratch, &["run", "--resume", "runs/small"]).with(4);
    let down = down.saying(&["http://127.0.0.1", "refused", "textualrl run --resume"]);
    assert!(down.stderr.contains("e1-s02 rollout"), "{down}");
    scratch.textualrl(&["status", "--run", "runs/small"]);
    let second = Simulator::start_with(&scratch, "second", &["--port", &port]);
    ended(&scratch, &["run", "--resume", "runs/small"]).with(0);
    assert_eq!(made + second.requests().len(), calls, "a call was paid for again");
    assert_undisturbed(&scratch);
}

#[test]
fn unscored_validation_tasks_pause_the_run_and_unscored_rollouts_stop_it() {
    let scratch = Scratch::new();
    let (port, calls) = undisturbed(&scratch);
    let shaky = ["--port", &port, "--fault", "500:0.5"];
    let first = Simulator::start_with(&scratch, "first", &shaky);
    ended_against(&scratch, &first, &impatient(&[])).with(8).saying(&[
        "paused",
        "tasks of the baseline",
        "status 500",
        "--resume",
    ]);
    let status = scratch.json(&["status", "--run", "runs/small"]);
    assert_eq!(status["rows"][0]["marks"].as_array().unwrap().last().unwrap()["kind"], "open");
    drop(first);
    let dead = Simulator::start_with(&scratch, "dead", &["--port", &port, "--fault", "500:1.0"]);
    ended(&scratch, &["run", "--resume", "runs/small"]).with(8).saying(&["status 500"]);
    drop(dead);
    let second = Simulator::start_with(&scratch, "second", &["--port", &port]);
    ended(&scratch, &["run", "--resume", "runs/small", "--stop-after", "e1-s01"]).with(0);
    drop(second);
    let third = Simulator::start_with(&scratch, "third", &shaky);
    let stopped = ended(&scratch, &["run", "--resume", "runs/small"]).with(4);
    stopped.saying(&["e1-s02 rollout", "limits.not_scored", "500"]);
    drop(third);
    let fourth = Simulator::start_with(&scratch, "fourth", &["--port", &port]);
    ended(&scratch, &["run", "--resume", "runs/small"]).with(0);
    drop(fourth);
    let answered = ["first", "dead", "second", "third", "fourth"].map(|name| good_requests(&scratch, name));
    assert_eq!(
        answered.iter().sum::<usize>(),
        calls,
        "a call that was answered was made again: {answered:?}"
    );
    let old = scratch.run("small").join("baseline.old-1");
    assert!(old.exists(), "the open baseline is kept beside the scored one");
    for number in 1..=2 {
        fs::remove_dir_all(scratch.run("small").join(format!("baseline.old-{number}"))).unwrap();
    }
    assert_undisturbed(&scratch);
}

#[test]
fn a_failure_has_one_exit_code_in_every_output_mode() {
    let scratch = Scratch::new();
    let strict = Simulator::start_with(&scratch, "strict", &["--fault", "401:1.0"]);
    for (number, mode) in [&[][..], &["--json"], &["-v"], &["-vv", "--json"]].into_iter().enumerate() {
        let mut arguments = impatient(mode);
        let name = format!("mode-{number}");
        arguments.retain(|argument| !["--name", "small"].contains(argument));
        let arguments = [&arguments[..], &["--name", &name]].concat();
        let said = ended_against(&scratch, &strict, &arguments).with(4).saying(&["refuses the key"]);
        assert!(said.stdout.is_empty(), "{said}");
    }
}

#[test]
fn an_interrupt_keeps_completed_calls_and_tells_how_to_go_on() {
    let scratch = Scratch::new();
    let (port, calls) = undisturbed(&scratch);
    // The target is interrupted in the baseline, the optimizer in its first critique.
    for (name, requests) in [("baseline", 3), ("critique", 16 + 32 + 1)] {
        let slow = ["--port", &port, "--latency-ms", "40"];
        let simulator = Simulator::start_with(&scratch, name, &slow);
        let arguments = against(&simulator, &impatient(&[]));
        let arguments: Vec<&str> = arguments.iter().map(String::as_str).collect();
        let mut starting = command(&scratch, &arguments);
        let child = starting.process_group(0).stdout(Stdio::null()).stderr(Stdio::piped()).spawn().unwrap();
        while simulator.logged() < requests {
            std::thread::sleep(std::time::Duration::from_millis(1));
        }
        let interrupt = format!("kill -INT -{}", child.id());
        assert!(Command::new("sh").args(["-c", &interrupt]).status().unwrap().success());
        let said = Ended::of(&child.wait_with_output().unwrap()).with(130);
        said.saying(&["interrupted", "textualrl run --resume"]);
        ended(&scratch, &["run", "--resume", "runs/small"]).with(0);
        let again = simulator.requests().len() - calls;
        assert!(again <= 16, "{again} calls were made again");
        assert_undisturbed(&scratch);
        fs::remove_dir_all(scratch.run("small")).unwrap();
    }
}

#[test]
fn projections_that_were_torn_are_made_again() {
    let scratch = Scratch::new();
    scratch.textualrl(&SMALL);
    let expected = fingerprinted(&scratch.run("small"));
    let run = scratch.run("small");
    let history = fs::read(run.join("history.jsonl")).unwrap();
    fs::write(run.join("history.jsonl"), &history[..history.len() - 20]).unwrap();
    fs::remove_file(run.join("best_context.md")).unwrap();
    fs::remove_dir_all(run.join("contexts")).unwrap();
    fs::remove_dir_all(run.join("evaluation/best-test")).unwrap();
    fs::create_dir_all(run.join("evaluation/best-test.tmp")).unwrap();
    fs::write(run.join("evaluation/best-test.tmp/scores.json"), "{\"half").unwrap();
    ended(&scratch, &["run", "--resume", "runs/small"]).with(0);
    assert_same(&expected, &fingerprinted(&run));
}

#[test]
fn changed_inputs_are_told_before_anything_is_done_again() {
    let scratch = Scratch::new();
    let tasks = scratch.path().join("tasks");
    let fixtures = camino::Utf8Path::new(env!("CARGO_MANIFEST_DIR")).join("../../fixtures/quickstart");
    copy(&fixtures, &tasks);
    scratch.textualrl(&[&SMALL[..], &["--data", "tasks", "--set", "data.context=tasks/context.md"]].concat());
    let expected = fingerprinted(&scratch.run("small"));
    let resume = ["run", "--resume", "runs/small"];
    let refused = |setting: &str, key: &str| {
        ended(&scratch, &[&resume[..], &["--set", setting]].concat())
            .with(2)
            .saying(&[key, "--allow-changed"]);
    };
    refused("target.output_cap=77", "target.output_cap");
    refused("data.own.scorer.name=exact", "data.own.scorer.name");
    refused("run.seed=43", "run.seed");
    refused("data.context=", "data.context");
    ended(
        &scratch,
        &[&resume[..], &["--set", "target.concurrency=3", "--set", "limits.not_scored=0.5"]].concat(),
    )
    .with(0)
    .saying(&["finished"]);
    // The run has its own copy of the initial context; another one in the user's file changes nothing.
    fs::write(tasks.join("context.md"), "Something else.\n").unwrap();
    ended(&scratch, &resume).with(0).saying(&["finished"]);
    let file = tasks.join("validation.jsonl");
    let before = fs::read_to_string(&file).unwrap();
    fs::write(&file, before.replacen("\"answer\": \"", "\"answer\": \"not ", 1)).unwrap();
    ended(&scratch, &resume).with(5).saying(&["the validation tasks have changed", "fingerprint"]);
    let taken = [&resume[..], &["--allow-changed", "data"]].concat();
    ended(&scratch, &taken).with(2).saying(&["baseline", "data", "--yes", "e1-s01", "e1-s02"]);
    fs::write(&file, before).unwrap();
    ended(&scratch, &taken).with(0).saying(&["finished"]);
    ended(&scratch, &resume).with(0).saying(&["finished"]);
    let mut now = fingerprinted(&scratch.run("small"));
    // Concurrency and limits are in the configuration, and only there.
    let old = now.insert("run.toml".into(), expected["run.toml"].clone());
    assert!(old.is_some_and(|text| String::from_utf8(text).unwrap().contains("concurrency = 3")));
    assert_same(&expected, &now);
}

#[test]
fn a_rerun_that_changes_later_steps_is_asked_about() {
    let scratch = Scratch::new();
    scratch.textualrl(&SMALL);
    let step = ["--run", "runs/small", "--step", "e1-s01"];
    let allowed =
        ["run", "--resume", "runs/small", "--set", "critique.max_edits=1", "--allow-changed", "critique"];
    let asked = ended(&scratch, &allowed).with(2).saying(&["--yes", "e1-s01, e1-s02", "critique"]);
    assert!(
        asked.stderr.contains("0 target episodes") || asked.stderr.contains("target episodes"),
        "{asked}"
    );
    ended(&scratch, &[&["critique"], &step[..]].concat()).with(0);
    ended(&scratch, &["run", "--resume", "runs/small"]).with(2).saying(&["--yes"]);
    ended(&scratch, &["run", "--resume", "runs/small", "--yes"]).with(0);
    assert!(scratch.run("small").join("steps/e1-s01/2-critique.old-1").exists());
    let status = scratch.json(&["status", "--run", "runs/small"]);
    let marks = status["rows"].as_array().unwrap().iter().flat_map(|row| row["marks"].as_array().unwrap());
    let good = |mark: &Value| ["done", "not_needed"].contains(&mark["kind"].as_str().unwrap());
    assert!(marks.clone().all(good), "{status}");
}

#[test]
fn new_runs_never_share_a_folder() {
    let scratch = Scratch::new();
    let start = || {
        let mut starting = command(&scratch, &["run", "--preset", "quickstart", "--set", "data.limit=4"]);
        starting.args(["--set", "run.epochs=1"]).stdout(Stdio::null()).stderr(Stdio::null()).spawn().unwrap()
    };
    let mut runs: Vec<_> = (0..4).map(|_| start()).collect();
    assert!(runs.iter_mut().all(|run| run.wait().unwrap().success()));
    for number in 1..=4 {
        let record = scratch.run(&format!("quickstart-{number}")).join("baseline/stage.json");
        assert_eq!(artifact(&record)["summary"]["score"]["tasks"], 4);
    }
    let taken = ["run", "--preset", "quickstart", "--name", "quickstart-1"];
    ended(&scratch, &taken).with(2).saying(&["runs/quickstart-1", "--resume"]);
    let foreign = scratch.run("foreign");
    fs::create_dir_all(&foreign).unwrap();
    fs::write(foreign.join("notes.txt"), "mine").unwrap();
    ended(&scratch, &["run", "--preset", "quickstart", "--name", "foreign"])
        .with(2)
        .saying(&["another name"]);
    assert_eq!(fs::read_to_string(foreign.join("notes.txt")).unwrap(), "mine");
}
