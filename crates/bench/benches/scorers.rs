//! What a scorer costs per answer, and what loading costs per row.

use std::fmt::Write;
use std::hint::black_box;

use criterion::{Criterion, criterion_group, criterion_main};
use textualrl_bench::answer::extract;
use textualrl_bench::data::row::parse_json;
use textualrl_bench::python::random::PythonRandom;
use textualrl_bench::score::{anls, choice, json_equal, numeric, tokens};
use textualrl_model::settings::Scoring;

/// A reply of some 2 kB, as a model that thinks aloud writes it.
fn reply() -> String {
    let thought = "The passage names the river twice, and the clue asks for its mouth (not its source). ";
    format!("{}\n\n<answer>The Gulf of Saint Lawrence</answer>\n", thought.repeat(24))
}

fn scorers(criterion: &mut Criterion) {
    let reply = reply();
    let golds = ["Gulf of St. Lawrence", "the Gulf of Saint Lawrence"].map(str::to_owned);
    let answer = extract(&reply, Scoring::Corrected).text;
    criterion.bench_function("extract an answer from 2 kB", |bencher| {
        bencher.iter(|| extract(black_box(&reply), Scoring::Corrected));
    });
    for (name, scoring) in [("reference", Scoring::Reference), ("corrected", Scoring::Corrected)] {
        criterion.bench_function(&format!("exact match and F1, {name}"), |bencher| {
            bencher.iter(|| {
                let exact = tokens::exact_match(black_box(&answer), &golds, scoring);
                (exact, tokens::f1(&answer, &golds, scoring))
            });
        });
    }
    criterion.bench_function("ANLS", |bencher| bencher.iter(|| anls::anls(black_box(&answer), &golds)));
    criterion.bench_function("the choice in 2 kB", |bencher| {
        bencher.iter(|| choice::matches(black_box(&reply), "B"));
    });
    criterion.bench_function("the number of a sentence", |bencher| {
        bencher.iter(|| numeric::close(black_box("The total comes to $1,234.50."), "1234.5", 0.0));
    });
    let gold = serde_json::json!({"name": "Oder", "length": 840, "countries": ["CZ", "PL", "DE"]});
    let written = gold.to_string();
    criterion.bench_function("JSON equality", |bencher| {
        bencher.iter(|| json_equal::matches(black_box(&written), &gold));
    });
}

fn data(criterion: &mut Criterion) {
    let mut lines = String::new();
    for number in 0..1000 {
        let passage = "[DOC] words of a passage ".repeat(40);
        // Writing into a text cannot fail.
        let _ = writeln!(
            lines,
            r#"{{"id": {number}, "question": "q", "context": "{passage}", "answers": ["a"]}}"#
        );
    }
    criterion.bench_function("parse 1,000 rows of 1 kB", |bencher| {
        bencher.iter(|| parse_json("rows.jsonl", black_box(&lines)).map(|rows| rows.len()));
    });
    criterion.bench_function("shuffle 1,000 as CPython", |bencher| {
        bencher.iter(|| {
            let mut items: Vec<u32> = (0..1000).collect();
            PythonRandom::new(black_box(42)).shuffle(&mut items);
            items
        });
    });
}

criterion_group!(benches, scorers, data);
criterion_main!(benches);
