//! Stage output: whole or not at all, the old beside the new.

use serde_json::json;
use textualrl_artifact::{Access, Kind, ReadError, RunDir, Slot, TextKind, WriteError};
use textualrl_model::{Arm, Fingerprint, Split, Stage, StepId};

use crate::samples::{record, run, scratch, slot, trajectory};

#[test]
fn a_committed_stage_is_read_back() {
    let scratch = scratch();
    let run = run(&scratch);
    let mut draft = run.begin(slot()).unwrap();
    draft.write_trajectories((0..20).map(|number| trajectory(number, 500))).unwrap();
    draft.write_json(Kind::Groups, &json!({"k": 4})).unwrap();
    draft.write_numbered_json(Kind::AnalysisGroup, 1, &json!("b")).unwrap();
    draft.write_numbered_json(Kind::AnalysisGroup, 0, &json!("a")).unwrap();
    draft.write_text(TextKind::Context, "Be brief.\r\n").unwrap();
    assert_eq!(run.record(slot()).unwrap(), None, "a draft is invisible");
    let record = draft.commit(record(slot())).unwrap();

    let reader = RunDir::open(&scratch.run, Access::Read).unwrap();
    assert_eq!(reader.record(slot()).unwrap().as_ref(), Some(&record));
    assert_eq!(reader.trajectories(slot()).unwrap().len(), 20);
    assert_eq!(reader.read_json::<serde_json::Value>(slot(), Kind::Groups).unwrap(), json!({"k": 4}));
    assert_eq!(reader.numbers(slot(), Kind::AnalysisGroup).unwrap(), [0, 1]);
    assert_eq!(reader.read_numbered_json::<String>(slot(), Kind::AnalysisGroup, 1).unwrap(), "b");
    assert_eq!(reader.read_text(slot(), TextKind::Context).unwrap(), "Be brief.\r\n");
    for (name, fingerprint) in &record.outputs {
        let bytes = std::fs::read(run.folder(slot()).join(name)).unwrap();
        assert_eq!(*fingerprint, Fingerprint::of(&bytes), "{name}");
    }
    assert_eq!(record.outputs.len(), 5);
    assert_eq!(reader.changed_outputs(slot()).unwrap(), Vec::<String>::new());
}

#[test]
fn the_old_output_stays_beside_the_new() {
    let scratch = scratch();
    let run = run(&scratch);
    for number in 0..3 {
        let mut draft = run.begin(slot()).unwrap();
        draft.write_json(Kind::Groups, &number).unwrap();
        draft.commit(record(slot())).unwrap();
    }
    let kept = |name: &str| {
        let path = scratch.run.join(format!("steps/e1-s03/{name}/groups.json"));
        serde_json::from_slice::<serde_json::Value>(&std::fs::read(path).unwrap()).unwrap()["data"].clone()
    };
    assert_eq!(
        (kept("1-rollout.old-1"), kept("1-rollout.old-2"), kept("1-rollout")),
        (json!(0), json!(1), json!(2))
    );
    assert_eq!(run.view().unwrap().records.len(), 1);
}

#[test]
fn a_killed_draft_is_never_read_and_goes_away() {
    let scratch = scratch();
    let run = run(&scratch);
    let mut draft = run.begin(slot()).unwrap();
    draft.write_json(Kind::Groups, &1).unwrap();
    drop(draft);
    assert!(scratch.run.join("steps/e1-s03/1-rollout.tmp").exists());
    assert!(run.view().unwrap().records.is_empty());
    assert!(matches!(run.read_json::<u32>(slot(), Kind::Groups), Err(ReadError::Missing { .. })));

    let draft = run.begin(slot()).unwrap();
    draft.commit(record(slot())).unwrap();
    assert!(matches!(run.read_json::<u32>(slot(), Kind::Groups), Err(ReadError::Missing { .. })));
    assert!(!scratch.run.join("steps/e1-s03/1-rollout.tmp").exists());
}

#[test]
fn equal_outputs_have_equal_records() {
    let scratch = scratch();
    let run = run(&scratch);
    let commit = || {
        let mut draft = run.begin(slot()).unwrap();
        draft.write_trajectories((0..50).map(|number| trajectory(number, 5000))).unwrap();
        draft.commit(record(slot())).unwrap()
    };
    let (first, second) = (commit(), commit());
    assert_eq!(first.output(), second.output());
}

#[test]
fn a_view_holds_all_slots_and_nothing_else() {
    let scratch = scratch();
    let run = run(&scratch);
    let mut slots = vec![Slot::Baseline, Slot::Evaluation { arm: Arm::Best, split: Split::Test }];
    slots.extend(Stage::ALL.map(|stage| Slot::Step { step: StepId::new(2, 11), stage }));
    for slot in &slots {
        run.begin(*slot).unwrap().commit(record(*slot)).unwrap();
    }
    for folder in
        ["steps/notes", "steps/e1-s01/1-rollout", "steps/e01-s1/1-rollout.old-1", "evaluation/mine-test"]
    {
        std::fs::create_dir_all(scratch.run.join(folder)).unwrap();
    }
    let view = run.view().unwrap();
    let found: Vec<Slot> = view.records.keys().copied().collect();
    slots.sort_unstable();
    assert_eq!(found, slots);
}

#[test]
fn damage_is_said_with_the_file() {
    let scratch = scratch();
    let run = run(&scratch);
    let mut draft = run.begin(slot()).unwrap();
    draft.write_json(Kind::Groups, &1).unwrap();
    draft.commit(record(slot())).unwrap();
    let groups = run.folder(slot()).join("groups.json");
    std::fs::write(&groups, "{\"format\": \"textualrl/gro").unwrap();
    assert_eq!(run.changed_outputs(slot()).unwrap(), ["groups.json"]);
    let error = run.read_json::<u32>(slot(), Kind::Groups).unwrap_err();
    assert!(error.to_string().contains("groups.json"), "{error}");

    std::fs::write(run.folder(slot()).join("stage.json"), "").unwrap();
    let error = run.view().unwrap_err();
    assert!(error.to_string().contains("stage.json"), "{error}");
    run.begin(slot()).unwrap().commit(record(slot())).unwrap();
    assert_eq!(run.view().unwrap().records.len(), 1, "a damaged stage can be done again");
}

#[test]
fn what_a_newer_tool_wrote_is_not_replaced() {
    let scratch = scratch();
    let run = run(&scratch);
    run.begin(slot()).unwrap().commit(record(slot())).unwrap();
    let path = run.folder(slot()).join("stage.json");
    let text = std::fs::read_to_string(&path).unwrap();
    std::fs::write(&path, text.replace("\"minor\": 0", "\"minor\": 4")).unwrap();
    assert!(run.record(slot()).unwrap().is_some(), "it can be read");
    assert!(matches!(run.begin(slot()), Err(WriteError::Newer { .. })));
}

#[test]
fn names_in_a_record_lead_nowhere_else() {
    let scratch = scratch();
    let run = run(&scratch);
    run.begin(slot()).unwrap().commit(record(slot())).unwrap();
    let path = run.folder(slot()).join("stage.json");
    let text = std::fs::read_to_string(&path).unwrap();
    let toml = Fingerprint::of(b"[run]\nseed = 1\n");
    let text =
        text.replace("\"outputs\": {}", &format!("\"outputs\": {{\"../../../run.toml\": \"{toml}\"}}"));
    std::fs::write(&path, text).unwrap();
    assert_eq!(run.changed_outputs(slot()).unwrap(), ["../../../run.toml"]);
}

#[test]
fn a_slot_is_copied_from_another_run_if_it_is_whole() {
    let (one, two) = (scratch(), scratch());
    let (from, to) = (run(&one), run(&two));
    assert!(to.copy_slot(&from, slot()).is_err(), "there is nothing to copy");
    let mut draft = from.begin(slot()).unwrap();
    draft.write_json(Kind::Groups, &1).unwrap();
    let record = draft.commit(record(slot())).unwrap();
    std::fs::write(from.folder(slot()).join("notes.txt"), "not the stage's").unwrap();

    let from = RunDir::open(&one.run, Access::Read).unwrap();
    assert_eq!(to.copy_slot(&from, slot()).unwrap(), record);
    assert_eq!(to.record(slot()).unwrap(), Some(record));
    assert_eq!(to.changed_outputs(slot()).unwrap(), Vec::<String>::new());
    assert!(!to.folder(slot()).join("notes.txt").exists());

    std::fs::write(from.folder(slot()).join("groups.json"), "other").unwrap();
    let error = to.copy_slot(&from, slot()).unwrap_err();
    assert!(error.to_string().contains("groups.json"), "{error}");
}
