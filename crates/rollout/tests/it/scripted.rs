//! A benchmark and a model that do what a test says.

use std::sync::{Arc, Mutex};
use std::time::Duration;

use textualrl_bench::{Benchmark, Episode, EpisodeError, EpisodeSeed, Listing, Progress, Tool};
use textualrl_llm::chat::BoxFuture;
use textualrl_llm::{
    CallIdentity, ChatError, ChatModel, ChatReply, ChatRequest, EndpointDescription, Finish,
};
use textualrl_model::settings::LimitSettings;
use textualrl_model::{Context, Fingerprint, Outcome, Reward, Role, Split, StepId, TaskId, Turn, Usage};
use textualrl_rollout::{CollectError, Collected, Collection, RequestSeed, RolloutPlan, Sampling, collect};

pub(crate) fn task(name: &str) -> TaskId {
    TaskId::new(name).unwrap()
}

pub(crate) fn tasks(number: usize) -> Vec<TaskId> {
    (0..number).map(|number| task(&format!("t{number}"))).collect()
}

/// Tasks whose ids begin with `unable` cannot start; those with `panic` panic when scored, off the worker threads.
pub(crate) struct ScriptedBenchmark(Listing);

impl ScriptedBenchmark {
    pub(crate) fn new() -> Self {
        let (tasks, excluded) = (Vec::new(), Vec::new());
        Self(Listing { tasks, excluded, fingerprint: Fingerprint::of(b"scripted") })
    }
}

impl Benchmark for ScriptedBenchmark {
    fn name(&self) -> &str {
        "scripted"
    }

    fn listing(&self, _split: Split) -> &Listing {
        &self.0
    }

    fn initial_context(&self) -> Context {
        Context::default()
    }

    fn start(
        &self,
        split: Split,
        task: &TaskId,
        _seed: EpisodeSeed,
    ) -> Result<Box<dyn Episode>, EpisodeError> {
        if task.as_str().starts_with("unable") {
            return Err(EpisodeError::Environment { task: task.clone(), message: "no room".into() });
        }
        if task.as_str().starts_with("unknown") {
            return Err(EpisodeError::UnknownTask { task: task.clone(), split });
        }
        Ok(Box::new(ScriptedEpisode { task: task.clone(), answer: String::new() }))
    }
}

/// Goes on while the agent says `look`; solved if the last word is `right`.
struct ScriptedEpisode {
    task: TaskId,
    answer: String,
}

impl Episode for ScriptedEpisode {
    fn opening(&mut self, context: &Context) -> Vec<Turn> {
        vec![Turn::text(Role::System, context.text()), Turn::text(Role::User, self.task.as_str())]
    }

    fn tools(&self) -> Vec<Tool> {
        vec![Tool { name: "look".into(), description: "looks".into(), parameters: serde_json::json!({}) }]
    }

    fn blocks(&self) -> bool {
        self.task.as_str().starts_with("panic") || self.task.as_str().starts_with("block")
    }

    fn act(&mut self, reply: &Turn) -> Progress {
        self.answer = reply.joined_text();
        if self.answer == "look" {
            return Progress::Continue(vec![Turn::text(Role::Tool, "a view")]);
        }
        Progress::Finished
    }

    fn score(&mut self) -> Outcome {
        assert!(!self.task.as_str().starts_with("panic"), "this scorer panics");
        Outcome::Scored {
            reward: Reward::of(self.answer == "right"),
            answer: Some(self.answer.clone()),
            feedback: Default::default(),
        }
    }
}

type Answer = dyn Fn(&ChatRequest, &CallIdentity) -> Result<ChatReply, ChatError> + Send + Sync;

pub(crate) struct ScriptedModel {
    answer: Box<Answer>,
    delay: Box<dyn Fn(&CallIdentity) -> Duration + Send + Sync>,
    turns_waited: Box<dyn Fn(&CallIdentity) -> u64 + Send + Sync>,
    description: EndpointDescription,
    pub(crate) calls: Mutex<Vec<(CallIdentity, ChatRequest)>>,
}

impl ScriptedModel {
    pub(crate) fn new(
        answer: impl Fn(&ChatRequest, &CallIdentity) -> Result<ChatReply, ChatError> + Send + Sync + 'static,
    ) -> Self {
        Self {
            answer: Box::new(answer),
            delay: Box::new(|_| Duration::ZERO),
            turns_waited: Box::new(|_| 0),
            description: EndpointDescription {
                model: "scripted".into(),
                endpoint: "simulated".into(),
                simulated: true,
                settings: Fingerprint::of(b""),
            },
            calls: Mutex::default(),
        }
    }

    pub(crate) fn delayed(
        mut self,
        delay: impl Fn(&CallIdentity) -> Duration + Send + Sync + 'static,
    ) -> Self {
        self.delay = Box::new(delay);
        self
    }

    /// Lets others go first, as often as `turns` says.
    pub(crate) fn yielding(mut self, turns: impl Fn(&CallIdentity) -> u64 + Send + Sync + 'static) -> Self {
        self.turns_waited = Box::new(turns);
        self
    }
}

impl ChatModel for ScriptedModel {
    fn chat<'a>(
        &'a self,
        request: &'a ChatRequest,
        identity: &'a CallIdentity,
    ) -> BoxFuture<'a, Result<ChatReply, ChatError>> {
        Box::pin(async move {
            self.calls.lock().unwrap().push((identity.clone(), request.clone()));
            let delay = (self.delay)(identity);
            if !delay.is_zero() {
                tokio::time::sleep(delay).await;
            }
            for _ in 0..(self.turns_waited)(identity) {
                tokio::task::yield_now().await;
            }
            (self.answer)(request, identity)
        })
    }

    fn describe(&self) -> &EndpointDescription {
        &self.description
    }
}

pub(crate) fn reply(text: &str, finish: Finish) -> ChatReply {
    ChatReply {
        turn: Turn::text(Role::Assistant, text),
        finish,
        usage: Usage { input: Some(10), output: Some(1) },
        from_journal: false,
    }
}

pub(crate) fn transport(message: &str) -> ChatError {
    ChatError::Transport { endpoint: "http://127.0.0.1:9".into(), message: message.into() }
}

pub(crate) fn training(tasks: &[TaskId], k: u32) -> RolloutPlan {
    RolloutPlan::training(StepId::new(2, 3), tasks, k, 7).unwrap()
}

/// Collects with the usual limits.
pub(crate) async fn run(
    plan: &RolloutPlan,
    model: &Arc<ScriptedModel>,
    concurrency: u32,
) -> Result<Collected, CollectError> {
    let limits = LimitSettings { not_scored: 0.2, not_scored_retries: 1 };
    let seed = if plan.split() == Split::Train { RequestSeed::PerRollout } else { RequestSeed::Fixed(42) };
    let collection = Collection {
        plan,
        context: &Context::new("be brief"),
        benchmark: &ScriptedBenchmark::new(),
        sampling: Sampling { temperature: Some(0.7), seed },
        generation: 0,
        concurrency,
        limits: &limits,
    };
    collect(collection, Arc::clone(model) as Arc<dyn ChatModel>, &|_| {}, std::future::pending()).await
}
