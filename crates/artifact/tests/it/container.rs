//! What is written into a container comes back, whole or one by one.

use proptest::prelude::*;
use textualrl_artifact::{TrajectoryReader, TrajectoryWriter};
use textualrl_model::{RolloutIndex, TaskId, Trajectory};

use crate::samples::{full_trajectory, scratch, trajectory};

fn written(trajectories: &[Trajectory]) -> (crate::samples::Scratch, TrajectoryReader) {
    let scratch = scratch();
    let mut writer = TrajectoryWriter::create(&scratch.run).unwrap();
    for trajectory in trajectories {
        writer.write(trajectory).unwrap();
    }
    writer.finish().unwrap();
    let reader = TrajectoryReader::open(&scratch.run).unwrap();
    (scratch, reader)
}

#[test]
fn no_trajectory_is_a_file_too() {
    let (_scratch, mut reader) = written(&[]);
    assert!(reader.is_empty());
    assert_eq!(reader.read_all().unwrap(), []);
}

#[test]
fn every_field_survives() {
    let (_scratch, mut reader) = written(&[full_trajectory()]);
    assert_eq!(reader.read_all().unwrap(), [full_trajectory()]);
}

#[test]
fn one_trajectory_is_read_alone() {
    let all: Vec<Trajectory> = (0..900).map(|number| trajectory(number, 5000)).collect();
    let (_scratch, mut reader) = written(&all);
    assert_eq!(reader.len(), 900);
    for wanted in [&all[0], &all[211], &all[899]] {
        assert_eq!(reader.find(&wanted.task, wanted.rollout).unwrap().as_ref(), Some(wanted));
    }
    assert_eq!(reader.find(&TaskId::new("task-1").unwrap(), RolloutIndex::new(5)).unwrap(), None);
    let keys: Vec<_> = all.iter().map(|trajectory| (trajectory.task.clone(), trajectory.rollout)).collect();
    assert_eq!(reader.keys().unwrap(), keys);
    assert_eq!(reader.read_all().unwrap(), all, "reading alone does not disturb reading in order");
}

#[test]
fn the_bytes_do_not_depend_on_the_threads() {
    let bytes = |threads| {
        let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().unwrap();
        pool.install(|| {
            let (scratch, _) = written(&(0..1000).map(|number| trajectory(number, 5000)).collect::<Vec<_>>());
            std::fs::read(&scratch.run).unwrap()
        })
    };
    assert!(bytes(1) == bytes(5));
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(32))]

    #[test]
    fn what_is_written_comes_back(lengths in prop::collection::vec(0_usize..400_000, 0..12)) {
        let all: Vec<Trajectory> = (0..).zip(lengths).map(|(number, length)| trajectory(number, length)).collect();
        let (_scratch, mut reader) = written(&all);
        prop_assert_eq!(reader.read_all().unwrap(), all);
    }
}
