//! What the stage itself costs a rollout, with a model that answers at once.
#![allow(missing_docs, clippy::unwrap_used, clippy::indexing_slicing, clippy::panic)]

use std::hint::black_box;
use std::sync::Arc;

use criterion::{Criterion, Throughput, criterion_group, criterion_main};
use textualrl_llm::{ChatModel, Finish};
use textualrl_model::settings::LimitSettings;
use textualrl_model::{Context, StepId};
use textualrl_rollout::{Collection, RequestSeed, RolloutPlan, Sampling, collect};

#[path = "../tests/it/scripted.rs"]
#[allow(dead_code)]
mod scripted;

fn bench(criterion: &mut Criterion) {
    let runtime = tokio::runtime::Runtime::new().unwrap();
    let plan = RolloutPlan::training(StepId::new(1, 1), &scripted::tasks(40), 4, 1).unwrap();
    let context = Context::new("Answer briefly.\n".repeat(600));
    let limits = LimitSettings { not_scored: 0.2, not_scored_retries: 1 };
    let mut group = criterion.benchmark_group("collect");
    group.throughput(Throughput::Elements(plan.keys().len() as u64));
    group.bench_function("160 rollouts, 10 kB context", |bencher| {
        bencher.iter(|| {
            let model: Arc<dyn ChatModel> =
                Arc::new(scripted::ScriptedModel::new(|_, _| Ok(scripted::reply("right", Finish::Stop))));
            let collection = Collection {
                plan: &plan,
                context: &context,
                benchmark: &scripted::ScriptedBenchmark::new(),
                sampling: Sampling { temperature: Some(0.7), seed: RequestSeed::PerRollout },
                generation: 0,
                concurrency: 64,
                limits: &limits,
            };
            black_box(runtime.block_on(collect(collection, model, &|_| {}, std::future::pending()))).unwrap()
        });
    });
    group.finish();
}

criterion_group!(benches, bench);
criterion_main!(benches);
