//! Writing and rereading trajectories of 5 kB.
#![allow(missing_docs, clippy::unwrap_used, clippy::indexing_slicing)]

use std::hint::black_box;

use camino::Utf8Path;
use criterion::{Criterion, Throughput, criterion_group, criterion_main};
use textualrl_artifact::{TrajectoryReader, TrajectoryWriter};
use textualrl_model::Trajectory;

#[path = "../tests/it/samples.rs"]
#[allow(dead_code)]
mod samples;

const LENGTH: usize = 5000;

fn write(path: &Utf8Path, trajectories: &[Trajectory]) {
    let mut writer = TrajectoryWriter::create(path).unwrap();
    for trajectory in trajectories {
        writer.write(trajectory).unwrap();
    }
    writer.finish().unwrap();
}

fn bench(criterion: &mut Criterion) {
    let trajectories: Vec<Trajectory> = (0..4000).map(|number| samples::trajectory(number, LENGTH)).collect();
    let scratch = samples::scratch();
    let mut group = criterion.benchmark_group("trajectories");
    group.sample_size(20).throughput(Throughput::Bytes((trajectories.len() * LENGTH) as u64));
    group.bench_function("write", |bencher| bencher.iter(|| write(&scratch.run, &trajectories)));
    group.bench_function("read", |bencher| {
        bencher.iter(|| {
            let mut reader = TrajectoryReader::open(&scratch.run).unwrap();
            reader.iter().for_each(|trajectory| drop(black_box(trajectory.unwrap())));
        });
    });
    group.finish();
}

criterion_group!(benches, bench);
criterion_main!(benches);
