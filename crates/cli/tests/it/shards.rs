//! Rollouts in parts are the rollouts of the whole.
//!
//! Always holds: parts are collected by processes that run at the same time.

use camino::Utf8Path;

use crate::run_folder::{SMALL, all_files, assert_same, command, copy, ended};
use crate::scratch::Scratch;

const PARTS: usize = 3;

/// Collects all parts at once, and waits for them.
fn collect_parts(scratch: &Scratch, stage: &[&str]) {
    let start = |part: usize| {
        let shard = format!("{part}/{PARTS}");
        command(scratch, &[stage, &["--shard", &shard]].concat()).spawn().unwrap()
    };
    let mut processes: Vec<_> = (0..PARTS).map(start).collect();
    for process in &mut processes {
        assert!(process.wait().unwrap().success());
    }
}

fn remove(path: &Utf8Path) {
    std::fs::remove_dir_all(path).unwrap();
}

#[test]
fn parts_put_together_are_the_whole() {
    let scratch = Scratch::new();
    scratch.textualrl(&SMALL);
    let cases: [(&str, &[&str]); 4] = [
        ("steps/e1-s02/1-rollout", &["--step", "e1-s02"]),
        ("steps/e1-s01/5-validation", &["--step", "e1-s01", "--split", "validation"]),
        ("baseline", &["--baseline"]),
        ("evaluation/best-test", &["--arm", "best", "--split", "test"]),
    ];
    for (folder, further) in cases {
        let name = folder.replace('/', "-");
        let run = scratch.run(&name);
        copy(&scratch.run("small"), &run);
        let whole = all_files(&run.join(folder));
        assert!(whole.contains_key("trajectories.trj"));
        remove(&run.join(folder));
        remove(&run.join("journal-v1"));
        let path = format!("runs/{name}");
        let stage = [&["rollout", "--run", &path], further].concat();
        collect_parts(&scratch, &stage);
        assert!(!run.join(folder).exists(), "a part alone is no result");
        ended(&scratch, &[&stage[..], &["--collect", "3"]].concat()).with(0);
        assert_same(&whole, &all_files(&run.join(folder)));
        ended(&scratch, &["run", "--resume", &path]).with(0).saying(&["finished"]);
    }
}

#[test]
fn a_part_that_is_missing_or_of_other_inputs_is_named() {
    let scratch = Scratch::new();
    scratch.textualrl(&SMALL);
    let run = scratch.run("small");
    let stage = ["rollout", "--run", "runs/small", "--step", "e1-s01"];
    let with = |further: &[&str]| ended(&scratch, &[&stage[..], further].concat());
    collect_parts(&scratch, &stage);
    let shards = run.join("steps/e1-s01/1-rollout.shards");
    remove(&shards.join("01-of-03"));
    with(&["--collect", "3"]).with(5).saying(&["part 1 of 3", "--shard 1/3"]);
    with(&["--collect", "4"]).with(5).saying(&["part 0 of 4", "--shard 0/4"]);
    with(&["--shard", "1/3"]).with(0);
    let trajectories = shards.join("02-of-03/trajectories.trj");
    let bytes = std::fs::read(&trajectories).unwrap();
    std::fs::write(&trajectories, &bytes[..bytes.len() / 2]).unwrap();
    with(&["--collect", "3"]).with(5).saying(&["trajectories.trj", "damaged"]);
    for (shard, said) in [("3/3", "3/3"), ("x", "0/4"), ("1/0", "1/0"), ("-1/3", "0/4")] {
        with(&[&format!("--shard={shard}")]).with(2).saying(&[said]);
    }
    with(&["--collect", "0"]).with(2);
    let allowed = ["--set", "rollout.temperature=0.9", "--allow-changed", "rollout", "--yes"];
    ended(&scratch, &[&["run", "--resume", "runs/small"], &allowed[..]].concat()).with(0);
    with(&["--shard", "2/3"]).with(0);
    with(&["--collect", "3"]).with(5).saying(&["part 0 of 3", "other inputs"]);
}
