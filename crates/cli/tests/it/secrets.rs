//! A key is in memory and in requests, and nowhere else.
//!
//! Always holds: every file that a command left is searched, the journal and the locks too.

use camino::Utf8Path;

use crate::run_folder::{Ended, SMALL, against, all_files, command, ended};
use crate::scratch::Scratch;
use crate::simulator::Simulator;

const KEY: &str = "sk-canary-9f27c4e1a8";

fn assert_nowhere(folder: &Utf8Path, ended: &Ended) {
    assert!(!ended.stdout.contains(KEY) && !ended.stderr.contains(KEY), "{ended}");
    for (name, bytes) in all_files(folder) {
        assert!(!bytes.windows(KEY.len()).any(|window| window == KEY.as_bytes()), "{name} holds the key");
    }
}

fn run(scratch: &Scratch, simulator: &Simulator, further: &[&str]) -> Ended {
    let keys = ["--set", "target.key_env=CANARY_KEY", "--set", "optimizer.key_env=CANARY_KEY"];
    let arguments = against(simulator, &[&SMALL[..], &keys, further].concat());
    let arguments: Vec<&str> = arguments.iter().map(String::as_str).collect();
    let mut command = command(scratch, &arguments);
    command.env("CANARY_KEY", KEY).env("TEXTUALRL_LOG", "trace");
    Ended::of(&command.output().unwrap())
}

#[test]
fn a_key_is_sent_and_written_nowhere() {
    let scratch = Scratch::new();
    let simulator = Simulator::start(&scratch, "healthy");
    let ended = run(&scratch, &simulator, &["-vv"]).with(0);
    assert_nowhere(scratch.path(), &ended);
    drop(simulator);
    let log = std::fs::read_to_string(scratch.path().join("healthy.requests.jsonl")).unwrap();
    assert!(log.lines().all(|line| line.contains("\"authorization\":true")));
}

#[test]
fn a_refused_key_is_not_told() {
    let scratch = Scratch::new();
    let simulator = Simulator::start_with(&scratch, "strict", &["--fault", "401:1.0"]);
    let ended = run(&scratch, &simulator, &["-vv"]).with(4).saying(&["refuses the key"]);
    assert_nowhere(scratch.path(), &ended);
}

#[test]
fn a_missing_key_is_found_before_anything_is_made() {
    let scratch = Scratch::new();
    let simulator = Simulator::start(&scratch, "healthy");
    let arguments = against(&simulator, &[&SMALL[..], &["--set", "target.key_env=NO_SUCH_KEY"]].concat());
    let arguments: Vec<&str> = arguments.iter().map(String::as_str).collect();
    ended(&scratch, &arguments).with(4).saying(&["[target]", "NO_SUCH_KEY", "set it"]);
    assert!(!scratch.run("small").exists());
}

#[test]
fn a_key_in_the_configuration_is_refused_and_not_repeated() {
    let scratch = Scratch::new();
    scratch.textualrl(&SMALL);
    let settings = [
        format!("target.base_url=http://127.0.0.1:9/v1?api_key={KEY}"),
        format!("target.base_url=http://user:{KEY}@127.0.0.1:9/v1"),
        format!("target.extra_headers={{ Authorization = \"Bearer {KEY}\" }}"),
        format!("target.extra_headers={{ x-api-key = \"{KEY}\" }}"),
        format!("target.extra_body={{ api_key = \"{KEY}\" }}"),
        format!("target.api_key={KEY}"),
    ];
    for setting in &settings {
        let http = ["--set", "target.provider=http", "--set", "target.base_url=http://127.0.0.1:9/v1"];
        let new = ["run", "--preset", "quickstart", "--name", "keyed", "-vv"];
        let again = ["run", "--resume", "runs/small", "--yes", "--allow-changed", "target"];
        let dry = ["run", "--preset", "quickstart", "--dry-run"];
        for start in [&new[..], &again[..], &dry[..]] {
            let said = ended(&scratch, &[start, &http[..], &["--set", setting]].concat()).with(2);
            assert_nowhere(scratch.path(), &said);
        }
        assert!(!scratch.run("keyed").exists());
    }
}
