//! The client's own work on a call: taking JSON out of replies, writing and finding journal records.

#![allow(
    clippy::unwrap_used,
    missing_docs,
    reason = "a bench may panic, and its macros make undocumented items"
)]

use std::hint::black_box;
use std::sync::Arc;

use criterion::{Criterion, Throughput, criterion_group, criterion_main};
use textualrl_llm::reply::extract;
use textualrl_llm::{
    BoxFuture, CallIdentity, CallPurpose, ChatError, ChatModel, ChatReply, ChatRequest, EndpointDescription,
    Finish, Journal, Journaled, ModelRole,
};
use textualrl_model::{Fingerprint, Role, Turn, Usage};

/// Answers at once, so that only the work around it is measured.
struct Instant {
    description: EndpointDescription,
    reply: ChatReply,
}

impl ChatModel for Instant {
    fn chat<'a>(
        &'a self,
        _request: &'a ChatRequest,
        _identity: &'a CallIdentity,
    ) -> BoxFuture<'a, Result<ChatReply, ChatError>> {
        Box::pin(async { Ok(self.reply.clone()) })
    }

    fn describe(&self) -> &EndpointDescription {
        &self.description
    }
}

fn instant() -> Arc<Instant> {
    let description = EndpointDescription {
        model: "m".to_owned(),
        endpoint: "simulated".to_owned(),
        simulated: true,
        settings: Fingerprint::of(b""),
    };
    let turn = Turn::text(Role::Assistant, "x".repeat(200));
    let usage = Usage { input: Some(500), output: Some(50) };
    let reply = ChatReply { turn, finish: Finish::Stop, usage, from_journal: false };
    Arc::new(Instant { description, reply })
}

fn identity(sequence: u32) -> CallIdentity {
    CallIdentity {
        role: ModelRole::Target,
        purpose: CallPurpose::Rollout,
        split: None,
        step: None,
        task: None,
        rollout: None,
        sequence,
        attempt: 0,
        generation: 0,
    }
}

/// A prompt of 2 kB.
fn request() -> ChatRequest {
    let turns = vec![Turn::text(Role::System, "s".repeat(500)), Turn::text(Role::User, "u ".repeat(750))];
    ChatRequest { turns, temperature: Some(0.7), seed: None, schema: None, tools: Vec::new() }
}

fn extraction(criterion: &mut Criterion) {
    let edits = (0..20).map(|n| format!(r#"{{"op":"append","content":"rule {n}: {}"}}"#, "w ".repeat(80)));
    let object = format!("{{\"edits\":[{}]}}", edits.collect::<Vec<_>>().join(","));
    let nearly = format!("Here is my answer: {} Done.", object.replace("}]", "},]"));
    let fenced = format!("<think>{}</think>\n```json\n{object}\n```", "so ".repeat(500));
    let mut group = criterion.benchmark_group("extraction");
    for (name, text) in [("strict", object), ("fenced after thinking", fenced), ("mended", nearly)] {
        group.throughput(Throughput::Bytes(text.len() as u64));
        group.bench_function(name, |bencher| {
            bencher.iter(|| extract(black_box(&text), &Finish::Stop).unwrap())
        });
    }
    group.finish();
}

fn journal(criterion: &mut Criterion) {
    let runtime = tokio::runtime::Builder::new_current_thread().build().unwrap();
    let dir = tempfile::tempdir().unwrap();
    let journaled = Journaled::new(instant(), Arc::new(Journal::open(dir.path()).unwrap()));
    let request = request();
    let mut group = criterion.benchmark_group("journal");
    let mut sequence = 0;
    group.bench_function("a call that is made", |bencher| {
        bencher.iter(|| {
            sequence += 1;
            runtime.block_on(journaled.chat(&request, &identity(sequence))).unwrap()
        });
    });
    group.bench_function("a call that is replayed", |bencher| {
        bencher.iter(|| runtime.block_on(journaled.chat(&request, &identity(1))).unwrap());
    });
    drop(journaled);
    let size: u64 =
        std::fs::read_dir(dir.path()).unwrap().map(|entry| entry.unwrap().metadata().unwrap().len()).sum();
    group.sample_size(10).throughput(Throughput::Bytes(size));
    group.bench_function("open", |bencher| bencher.iter(|| Journal::open(dir.path()).unwrap()));
    group.finish();
}

criterion_group!(benches, extraction, journal);
criterion_main!(benches);
