//! Making, opening and locking a run folder.

use std::fs;

use textualrl_artifact::{Access, Kind, OpenError, RunDir, Shard, WriteError};
use textualrl_model::ExitCode;

use crate::samples::{manifest, record, run, scratch, slot, trajectory};

#[test]
fn a_new_run_says_what_it_was_made_with() {
    let scratch = scratch();
    drop(run(&scratch));
    let reader = RunDir::open(&scratch.run, Access::Read).unwrap();
    assert_eq!(reader.manifest().unwrap(), manifest());
    assert_eq!(reader.run_toml().unwrap(), "[run]\nseed = 1\n");
}

#[test]
fn a_run_is_never_made_over_something_else() {
    let scratch = scratch();
    drop(run(&scratch));
    let before = fs::read(scratch.run.join("manifest.json")).unwrap();
    let error = RunDir::create(&scratch.run, &manifest(), "other").unwrap_err();
    assert!(matches!(error, OpenError::Exists { .. }) && error.to_string().contains("--resume"), "{error}");
    assert_eq!(fs::read(scratch.run.join("manifest.json")).unwrap(), before);

    let foreign = scratch.run.with_file_name("foreign");
    fs::create_dir(&foreign).unwrap();
    fs::write(foreign.join("thesis.tex"), "").unwrap();
    assert!(matches!(RunDir::create(&foreign, &manifest(), ""), Err(OpenError::Foreign { .. })));
    assert_eq!(fs::read_dir(&foreign).unwrap().count(), 1);
}

#[test]
fn a_run_that_was_killed_while_it_was_made_can_be_made_again() {
    let scratch = scratch();
    drop(run(&scratch));
    fs::remove_file(scratch.run.join("manifest.json")).unwrap();
    fs::write(scratch.run.join(".tmp-abc"), "half").unwrap();
    drop(RunDir::create(&scratch.run, &manifest(), "").unwrap());
    drop(RunDir::open(&scratch.run, Access::Write).unwrap());
    assert!(!scratch.run.join(".tmp-abc").exists(), "what was left is swept away");
}

#[test]
fn what_is_no_run_is_not_opened() {
    let scratch = scratch();
    for access in [Access::Read, Access::Write, Access::UnderLoop] {
        let error = RunDir::open(&scratch.run, access).unwrap_err();
        assert!(matches!(error, OpenError::NoRun { .. }), "{error}");
    }
    fs::create_dir(&scratch.run).unwrap();
    assert!(matches!(RunDir::open(&scratch.run, Access::Read), Err(OpenError::NoRun { .. })));
    fs::write(scratch.run.join("manifest.json"), "{\"format\"").unwrap();
    let error = RunDir::open(&scratch.run, Access::Read).unwrap_err();
    assert!(error.to_string().contains("manifest.json"), "{error}");
    assert_eq!(error.exit_code(), ExitCode::RunFolder);
}

#[test]
fn a_run_of_a_newer_tool_names_the_tool() {
    let scratch = scratch();
    drop(run(&scratch));
    let path = scratch.run.join("manifest.json");
    let text = fs::read_to_string(&path).unwrap();
    let version = |major: u32, minor: u32| {
        let old = "\"version\": {\n    \"major\": 1,\n    \"minor\": 0\n  }";
        let new = format!("\"version\": {{\"major\": {major}, \"minor\": {minor}}}");
        assert!(text.contains(old));
        text.replacen(old, &new, 1).replace("\"tool\": \"0.1.0\"", "\"tool\": \"3.1.4\"")
    };
    fs::write(&path, version(2, 0)).unwrap();
    for access in [Access::Read, Access::Write] {
        let error = RunDir::open(&scratch.run, access).unwrap_err();
        assert!(matches!(error, OpenError::Newer { .. }) && error.to_string().contains("3.1.4"), "{error}");
    }
    fs::write(&path, version(1, 5)).unwrap();
    assert!(RunDir::open(&scratch.run, Access::Read).is_ok(), "a newer minor version can be read");
    assert!(matches!(RunDir::open(&scratch.run, Access::Write), Err(OpenError::Newer { .. })));
}

#[test]
fn two_writers_are_not_let_in() {
    let scratch = scratch();
    let _first = run(&scratch);
    let error = RunDir::open(&scratch.run, Access::Write).unwrap_err();
    assert_eq!(error.exit_code(), ExitCode::InUse);
    let text = error.to_string();
    assert!(text.contains(&std::process::id().to_string()), "{text}");
    RunDir::open(&scratch.run, Access::Read).unwrap();
    RunDir::open(&scratch.run, Access::UnderLoop).unwrap();
}

#[test]
fn a_stage_process_that_outlived_its_loop_keeps_others_out() {
    let scratch = scratch();
    let the_loop = run(&scratch);
    let stage = RunDir::open(&scratch.run, Access::UnderLoop).unwrap();
    drop(the_loop);
    assert!(matches!(RunDir::open(&scratch.run, Access::Write), Err(OpenError::InUse(_))));
    drop(stage);
    RunDir::open(&scratch.run, Access::Write).unwrap();
}

#[test]
fn a_writer_waits_for_another_that_ends() {
    let scratch = scratch();
    let first = run(&scratch);
    let waiting = std::thread::spawn({
        let path = scratch.run.clone();
        move || RunDir::open(&path, Access::Write).is_ok()
    });
    std::thread::sleep(std::time::Duration::from_millis(300));
    drop(first);
    assert!(waiting.join().unwrap());
}

#[test]
fn a_shard_locks_only_itself() {
    let scratch = scratch();
    let _the_loop = run(&scratch);
    let shard = |number| Shard::new(slot(), number, 2).unwrap();
    let first = RunDir::open(&scratch.run, Access::Shard(shard(0))).unwrap();
    let second = RunDir::open(&scratch.run, Access::Shard(shard(1))).unwrap();
    assert!(matches!(RunDir::open(&scratch.run, Access::Shard(shard(1))), Err(OpenError::InUse(_))));
    for (run, number) in [(&first, 0), (&second, 1)] {
        let mut draft = run.begin_shard(shard(number)).unwrap();
        draft.write_trajectories([trajectory(number, 100)]).unwrap();
        draft.commit(record(slot())).unwrap();
    }
    assert!(matches!(first.begin_shard(shard(1)), Err(WriteError::ReadOnly { .. })));
    assert!(matches!(first.begin(slot()), Err(WriteError::ReadOnly { .. })));
    let reader = RunDir::open(&scratch.run, Access::Read).unwrap();
    for number in 0..2 {
        assert!(reader.shard_record(shard(number)).unwrap().is_some());
        let all = reader.shard_trajectories(shard(number)).unwrap().read_all().unwrap();
        assert_eq!(all, [trajectory(number, 100)]);
    }
    assert!(reader.view().unwrap().records.is_empty(), "shards are not the stage's result");
    assert!(Shard::new(slot(), 2, 2).is_err() && Shard::new(slot(), 0, 0).is_err());
}

#[test]
fn a_reader_writes_nothing() {
    let scratch = scratch();
    drop(run(&scratch));
    let reader = RunDir::open(&scratch.run, Access::Read).unwrap();
    assert!(matches!(reader.begin(slot()), Err(WriteError::ReadOnly { .. })));
    let written = reader.write_step_json(textualrl_model::StepId::new(1, 1), Kind::Batch, &1);
    assert!(matches!(written, Err(WriteError::ReadOnly { .. })));
    assert!(!scratch.run.join("steps").exists());
}

#[cfg(unix)]
#[test]
fn a_link_does_not_carry_output_out_of_the_run() {
    let scratch = scratch();
    let run = run(&scratch);
    let elsewhere = scratch.run.with_file_name("elsewhere");
    fs::create_dir(&elsewhere).unwrap();
    std::os::unix::fs::symlink(&elsewhere, scratch.run.join("steps")).unwrap();
    assert!(matches!(run.begin(slot()), Err(WriteError::Link { .. })));
    assert_eq!(fs::read_dir(&elsewhere).unwrap().count(), 0);
}
