//! How fast a game of usual size loads and plays.

use std::fmt::Write as _;
use std::hint::black_box;
use std::sync::Arc;

use criterion::{Criterion, Throughput, criterion_group, criterion_main};
use serde_json::Value;
use textualrl_bench::alfworld::{Game, Play};

/// Piers, vessels and crates: as many places and things as a large household has.
const PIERS: usize = 30;
const VESSELS: usize = 30;
const CRATES: usize = 45;

/// Steps of one measured play.
const STEPS: u64 = 50;

/// The harbour of the fixtures, grown to usual size.
fn large_harbour() -> String {
    let harbour = include_str!("../../../fixtures/alfworld/harbour.tw-pddl");
    let mut file: Value = serde_json::from_str(harbour).unwrap_or_default();
    let mut objects = String::from("Anna - keeper\nLamp_bar_1 - beacon\n");
    let mut facts = String::from("(at Anna Pier_bar_0)\n(stands Lamp_bar_1 Pier_bar_0)\n");
    for number in 0..PIERS {
        let _ = writeln!(objects, "Pier_bar_{number} - pier");
    }
    for number in 0..VESSELS {
        let _ = writeln!(objects, "Boat_bar_{number} - vessel");
        let _ = writeln!(
            facts,
            "(moored Boat_bar_{number} Pier_bar_{})\n(barge Boat_bar_{number})",
            number % PIERS
        );
    }
    for number in 0..CRATES {
        let _ = writeln!(objects, "Crate_bar_{number} - crate");
        let _ = writeln!(facts, "(stowed Crate_bar_{number} Boat_bar_{})", number % VESSELS);
    }
    let goal = "(:goal (exists (?b - beacon) (lit ?b)))";
    let problem =
        format!("(define (problem large) (:domain harbour) (:objects {objects}) (:init {facts}) {goal})");
    if let Some(entry) = file.get_mut("pddl_problem") {
        *entry = problem.into();
    }
    file.to_string()
}

/// Plays by taking commands of the list in turn, with the list at every step as an agent needs it.
fn play(game: &Arc<Game>) -> usize {
    let Ok(mut play) = Play::start(game.clone()) else { return 0 };
    let mut read = 0;
    for step in 0..STEPS {
        let commands = play.admissible().unwrap_or_default();
        let place = (step as usize * 7) % commands.len().max(1);
        if let Some(command) = commands.get(place) {
            read += play.step(command).map_or(0, str::len);
        }
    }
    read
}

fn measure(criterion: &mut Criterion) {
    let text = large_harbour();
    let Ok(game) = Game::load(&text).map(Arc::new) else {
        // The fixture is part of the source; without it there is nothing to measure.
        return;
    };
    let mut group = criterion.benchmark_group("alfworld");
    group.bench_function("load", |bencher| bencher.iter(|| Game::load(black_box(&text))));
    group.throughput(Throughput::Elements(STEPS));
    group.bench_function("play 50 steps", |bencher| bencher.iter(|| play(black_box(&game))));
    group.finish();
}

criterion_group!(benches, measure);
criterion_main!(benches);
