//! What applying and screening cost.
//!
//! Always holds: the texts are made from fixed numbers, so that two runs measure the same work.

use std::hint::black_box;

use criterion::{BenchmarkId, Criterion, Throughput, criterion_group, criterion_main};
use textualrl_model::{Context, Edit, Patch};
use textualrl_patch::similarity::EditProfile;
use textualrl_patch::{ApplyOptions, apply};

/// A context of about `size` bytes: sections with one rule a line.
fn context(size: usize) -> Context {
    let mut text = String::from("# Instructions\n");
    let mut number = 0;
    while text.len() < size {
        if number % 20 == 0 {
            text.push_str(&format!("\n## Section {}\n\n", number / 20));
        }
        text.push_str(&format!(
            "- Rule {number}: when the clue names entity {number}, answer with its short name.\n"
        ));
        number += 1;
    }
    Context::new(text)
}

/// One edit of each kind, spread over the context.
fn four_edits(context: &Context) -> Patch {
    let rules = context.text().matches("- Rule ").count();
    let rule = |share: usize| {
        let number = rules * share / 8;
        format!("- Rule {number}: when the clue names entity {number}, answer with its short name.")
    };
    let edits = vec![
        Edit::append("- Prefer the most specific entity."),
        Edit::insert_after(rule(2), "- Keep the casing of the source."),
        Edit::replace(rule(4), "- Answer with the full name."),
        Edit::delete(rule(6)),
    ];
    Patch { base: None, edits }
}

fn many_edits(context: &Context, count: usize) -> Patch {
    let rules = context.text().matches("- Rule ").count();
    let edits = (0..count).map(|index| {
        let number = rules * index / count;
        let target =
            format!("- Rule {number}: when the clue names entity {number}, answer with its short name.");
        match index % 4 {
            0 => Edit::append(format!("- New rule {index}.")),
            1 => Edit::insert_after(target, format!("- Added rule {index}.")),
            2 => Edit::replace(target, format!("- Changed rule {index}.")),
            _ => Edit::delete(target),
        }
    });
    Patch { base: None, edits: edits.collect() }
}

fn applying(criterion: &mut Criterion) {
    let mut group = criterion.benchmark_group("apply");
    for size in [8_000, 50_000] {
        let base = context(size);
        let patch = four_edits(&base);
        for fingerprints in [false, true] {
            let options = ApplyOptions { fingerprints, ..ApplyOptions::default() };
            let name = if fingerprints { "four edits, fingerprints" } else { "four edits" };
            group.bench_with_input(BenchmarkId::new(name, size), &size, |bencher, _| {
                bencher.iter(|| apply(black_box(&base), black_box(&patch), &options));
            });
        }
    }
    let base = context(10_000_000);
    let patch = many_edits(&base, 500);
    let options = ApplyOptions { fingerprints: false, ..ApplyOptions::default() };
    group.sample_size(10).throughput(Throughput::Bytes(base.text().len() as u64));
    group.bench_function("500 edits/10000000", |bencher| {
        bencher.iter(|| apply(black_box(&base), black_box(&patch), &options));
    });
    group.finish();
}

fn screening(criterion: &mut Criterion) {
    let rule = |number: usize| {
        Edit::append(format!(
            "When the question asks for kind {number} of thing {}, return the shortest complete span that names it, \
             in the casing of the passage.",
            number % 7
        ))
    };
    let profiles: Vec<EditProfile> = (0..100).map(|number| EditProfile::of(&rule(number))).collect();
    criterion.bench_function("screening/10000 pairs", |bencher| {
        bencher.iter(|| {
            let pairs = profiles.iter().flat_map(|first| profiles.iter().map(move |second| (first, second)));
            pairs.filter(|(first, second)| first.similarity(second) >= 0.88).count()
        });
    });
    let edits: Vec<Edit> = (0..100).map(rule).collect();
    criterion.bench_function("screening/100 profiles", |bencher| {
        bencher.iter(|| edits.iter().map(EditProfile::of).collect::<Vec<_>>());
    });
}

criterion_group!(benches, applying, screening);
criterion_main!(benches);
