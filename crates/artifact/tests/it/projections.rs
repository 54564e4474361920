//! Projections, step files, the log, timings and journal partitions.

use std::fs;
use std::io::Write;
use std::time::Duration;

use textualrl_artifact::{Kind, Projection, Slot, WriteError};
use textualrl_model::{Context, StepId};

use crate::samples::{run, scratch};

#[test]
fn projections_are_replaced_whole() {
    let scratch = scratch();
    let run = run(&scratch);
    let context = Context::new("Be brief.").fingerprint();
    let adopted = Projection::Context { number: 3, context: context.clone() };
    assert_eq!(adopted.file(), format!("contexts/0003-{}.md", context.short()));
    for projection in [Projection::History, Projection::BestContext, Projection::Report, adopted] {
        for text in ["a longer text first", "short"] {
            run.write_projection(&projection, text.as_bytes()).unwrap();
            assert_eq!(fs::read_to_string(run.projection(&projection)).unwrap(), text);
        }
    }
}

#[test]
fn a_failed_write_leaves_what_was_there() {
    let scratch = scratch();
    let run = run(&scratch);
    let best = run.projection(&Projection::BestContext);
    fs::create_dir(&best).unwrap();
    fs::write(best.join("in the way"), "").unwrap();
    let error = run.write_projection(&Projection::BestContext, b"new").unwrap_err();
    assert!(matches!(&error, WriteError::Storage { path, .. } if *path == best), "{error}");
    assert!(best.join("in the way").exists());
    let left = fs::read_dir(&scratch.run)
        .unwrap()
        .filter(|entry| entry.as_ref().unwrap().file_name().to_string_lossy().starts_with(".tmp-"));
    assert_eq!(left.count(), 0);
}

#[test]
fn a_run_can_be_reconfigured() {
    let scratch = scratch();
    let run = run(&scratch);
    let mut manifest = crate::samples::manifest();
    manifest.benchmark = "searchqa".into();
    run.reconfigure(&manifest, "[run]\nseed = 2\n").unwrap();
    assert_eq!((run.manifest().unwrap(), run.run_toml().unwrap().as_str()), (manifest, "[run]\nseed = 2\n"));
}

#[test]
fn a_step_has_a_batch() {
    let scratch = scratch();
    let run = run(&scratch);
    let step = StepId::new(1, 2);
    run.write_step_json(step, Kind::Batch, &vec!["t1", "t2"]).unwrap();
    assert!(scratch.run.join("steps/e1-s02/batch.json").exists());
    assert_eq!(run.read_step_json::<Vec<String>>(step, Kind::Batch).unwrap(), ["t1", "t2"]);
}

#[test]
fn a_half_line_of_the_log_is_ended_before_the_next() {
    let scratch = scratch();
    let run = run(&scratch);
    run.open_log().unwrap().write_all(b"{\"step\":1}\n{\"st").unwrap();
    run.open_log().unwrap().write_all(b"{\"step\":2}\n").unwrap();
    run.open_log().unwrap().write_all(b"{\"step\":3}\n").unwrap();
    let text = fs::read_to_string(scratch.run.join("log.jsonl")).unwrap();
    assert_eq!(text, "{\"step\":1}\n{\"st\n{\"step\":2}\n{\"step\":3}\n");
}

#[test]
fn timings_are_kept_by_slot() {
    let scratch = scratch();
    let run = run(&scratch);
    run.record_timing(Slot::Baseline, Duration::from_millis(500)).unwrap();
    run.record_timing(crate::samples::slot(), Duration::from_millis(250)).unwrap();
    run.record_timing(Slot::Baseline, Duration::from_millis(750)).unwrap();
    let timings: Vec<(String, f64)> = run.timings().unwrap().into_iter().collect();
    assert_eq!(timings, [("baseline".to_owned(), 0.75), ("steps/e1-s03/1-rollout".to_owned(), 0.25)]);
    fs::write(scratch.run.join("timings.json"), "{").unwrap();
    assert!(run.timings().unwrap().is_empty(), "nothing depends on timings");
}

#[test]
fn a_journal_partition_has_a_plain_name() {
    let scratch = scratch();
    let run = run(&scratch);
    assert_eq!(run.journal("shard-03-of-16").unwrap(), scratch.run.join("journal-v1/shard-03-of-16"));
    for name in ["", "..", "a/b", "A", "a\0", "a.b", &"a".repeat(65)] {
        assert!(matches!(run.journal(name), Err(WriteError::Name { .. })), "{name:?}");
    }
}
