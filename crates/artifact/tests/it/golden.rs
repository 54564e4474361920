//! Files as version 1 wrote them: they must stay readable, and equal values must give the same bytes.
//!
//! `TEXTUALRL_WRITE_GOLDEN=1` writes files that are missing; it never replaces one.

use std::fs;

use camino::{Utf8Path, Utf8PathBuf};
use textualrl_artifact::{TrajectoryReader, TrajectoryWriter};
use textualrl_model::{Outcome, Reward, RolloutIndex, Split, Trajectory, Usage};

use crate::samples::{full_trajectory, manifest, record, run, scratch, slot, trajectory};

fn golden(name: &str) -> Utf8PathBuf {
    Utf8Path::new(env!("CARGO_MANIFEST_DIR")).join("../../fixtures/artifacts/v1").join(name)
}

fn keep(name: &str, bytes: &[u8]) -> Utf8PathBuf {
    let path = golden(name);
    if !path.exists() && std::env::var_os("TEXTUALRL_WRITE_GOLDEN").is_some() {
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(&path, bytes).unwrap();
    }
    path
}

fn check(name: &str, bytes: &[u8]) {
    let path = keep(name, bytes);
    let expected = fs::read(&path).unwrap();
    assert!(
        expected == bytes,
        "{path} differs from what is written now. If a format changed, it needs a new version and a new file."
    );
}

fn trajectories() -> Vec<Trajectory> {
    let solved = Trajectory {
        rollout: RolloutIndex::new(3),
        split: Split::Test,
        outcome: Outcome::Scored { reward: Reward::Success, answer: None, feedback: Default::default() },
        usage: Usage { input: None, output: Some(7) },
        ..full_trajectory()
    };
    vec![full_trajectory(), solved, trajectory(0, 300), trajectory(1, 300)]
}

#[test]
fn trajectories_of_version_1_are_read_and_written() {
    let scratch = scratch();
    let mut writer = TrajectoryWriter::create(&scratch.run).unwrap();
    for trajectory in trajectories() {
        writer.write(&trajectory).unwrap();
    }
    writer.finish().unwrap();
    check("trajectories.trj", &fs::read(&scratch.run).unwrap());
    assert_eq!(
        TrajectoryReader::open(&golden("trajectories.trj")).unwrap().read_all().unwrap(),
        trajectories()
    );
}

#[test]
fn manifest_and_record_of_version_1_are_read_and_written() {
    let scratch = scratch();
    let run = run(&scratch);
    let committed = run.begin(slot()).unwrap().commit(record(slot())).unwrap();
    check("stage.json", &fs::read(run.folder(slot()).join("stage.json")).unwrap());
    fs::copy(golden("stage.json"), run.folder(slot()).join("stage.json")).unwrap();
    assert_eq!(run.record(slot()).unwrap(), Some(committed));
    // Not compared byte for byte: a manifest names the tool that wrote it.
    let kept = keep("manifest.json", &fs::read(scratch.run.join("manifest.json")).unwrap());
    fs::copy(kept, scratch.run.join("manifest.json")).unwrap();
    assert_eq!(run.manifest().unwrap().data, manifest().data);
    assert_eq!(run.manifest().unwrap().target, manifest().target);
}
