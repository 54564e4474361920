//! Measures a large run: 100,000 trajectories of 5 kB in one file, and the view of a run of 625 steps.
//!
//! `cargo run --release -p textualrl-artifact --example measure [FOLDER]`
#![allow(missing_docs, clippy::unwrap_used, clippy::indexing_slicing)]

use std::time::Instant;

use camino::Utf8PathBuf;
use textualrl_artifact::{Access, RunDir, Slot, TrajectoryReader, TrajectoryWriter};
use textualrl_model::{Stage, StepId, Trajectory};

#[path = "../tests/it/samples.rs"]
#[allow(dead_code)]
mod samples;

const TRAJECTORIES: u32 = 100_000;
const LENGTH: usize = 5000;
/// Distinct texts; more would measure their making.
const DISTINCT: u32 = 1000;
const STEPS: u32 = 625;

/// The largest resident size so far, in MiB, where the system tells it.
fn peak() -> String {
    let status = std::fs::read_to_string("/proc/self/status").unwrap_or_default();
    let line = status.lines().find_map(|line| line.strip_prefix("VmHWM:"));
    let kib =
        line.and_then(|line| line.trim().strip_suffix(" kB")).and_then(|kib| kib.trim().parse::<u64>().ok());
    kib.map_or("unknown".to_owned(), |kib| format!("{} MiB", kib / 1024))
}

fn report(what: &str, since: Instant) {
    let seconds = since.elapsed().as_secs_f64();
    let rate = f64::from(TRAJECTORIES) * LENGTH as f64 / 1e6 / seconds;
    println!("{what}: {seconds:.2} s, {rate:.0} MB/s, peak resident {}", peak());
}

fn main() {
    let folder = std::env::args().nth(1).map_or_else(|| Utf8PathBuf::from("."), Utf8PathBuf::from);
    let distinct: Vec<Trajectory> = (0..DISTINCT).map(|number| samples::trajectory(number, LENGTH)).collect();
    println!("before: peak resident {}", peak());
    let path = folder.join("measure.trj");

    let started = Instant::now();
    let mut writer = TrajectoryWriter::create(&path).unwrap();
    for number in 0..TRAJECTORIES {
        writer.write(&distinct[(number % DISTINCT) as usize]).unwrap();
    }
    writer.finish().unwrap();
    report("write, with fsync", started);

    let started = Instant::now();
    let mut reader = TrajectoryReader::open(&path).unwrap();
    let turns: usize = reader.iter().map(|trajectory| trajectory.unwrap().turns.len()).sum();
    report("read", started);
    println!("{turns} turns, file of {} MB", path.metadata().unwrap().len() / 1_000_000);
    std::fs::remove_file(&path).unwrap();

    let scratch = samples::scratch();
    let run = samples::run(&scratch);
    for step in 1..=STEPS {
        for stage in Stage::ALL {
            let slot = Slot::Step { step: StepId::new(1, step), stage };
            run.begin(slot).unwrap().commit(samples::record(slot)).unwrap();
        }
    }
    let started = Instant::now();
    let view = RunDir::open(&scratch.run, Access::Read).unwrap().view().unwrap();
    println!("view of {} records: {:.3} s", view.records.len(), started.elapsed().as_secs_f64());
}
