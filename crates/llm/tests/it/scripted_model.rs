//! Settings, requests and a model in process for the tests.

use std::collections::BTreeMap;
use std::sync::Mutex;
use std::time::Duration;

use textualrl_llm::{
    BoxFuture, CallIdentity, CallPurpose, ChatError, ChatModel, ChatReply, ChatRequest, EndpointDescription,
    EndpointPool, Finish, HttpModel, ModelRole,
};
use textualrl_model::settings::{
    ApiStyle, EndpointSettings, OutputCapField, Provider, SchemaSupport, SeedPolicy, Temperature, Thinking,
};
use textualrl_model::{Fingerprint, Role, Turn, Usage};

pub(crate) fn settings(base_url: &str) -> EndpointSettings {
    EndpointSettings {
        provider: Provider::Http,
        base_url: base_url.to_owned(),
        model: "m".to_owned(),
        api: ApiStyle::ChatCompletions,
        key_env: String::new(),
        temperature: Temperature::Stage,
        seed: SeedPolicy::None,
        output_cap_field: OutputCapField::MaxTokens,
        output_cap: 100,
        reasoning_effort: String::new(),
        thinking: Thinking::Unset,
        schema: SchemaSupport::JsonSchema,
        extra_body: BTreeMap::new(),
        extra_headers: BTreeMap::new(),
        timeout_seconds: 5.0,
        deadline_seconds: 20.0,
        attempts: 3,
        concurrency: 64,
        requests_per_minute: 0,
        tokens_per_minute: 0,
        window_tokens: 100_000,
        system_proxy: false,
    }
}

/// The target behind these settings, with short pauses.
pub(crate) fn http(settings: &EndpointSettings) -> HttpModel {
    let pool = EndpointPool::new([("target", settings)]).unwrap();
    HttpModel::new("target", settings, &pool)
        .unwrap()
        .with_pauses(Duration::from_millis(20), Duration::from_millis(100))
}

pub(crate) fn request(text: &str) -> ChatRequest {
    ChatRequest {
        turns: vec![Turn::text(Role::User, text)],
        temperature: Some(0.7),
        seed: None,
        schema: None,
        tools: Vec::new(),
    }
}

pub(crate) fn identity() -> CallIdentity {
    CallIdentity {
        role: ModelRole::Optimizer,
        purpose: CallPurpose::Critique,
        split: None,
        step: None,
        task: None,
        rollout: None,
        sequence: 0,
        attempt: 0,
        generation: 0,
    }
}

/// Answers from a list, in order, and remembers what it was asked.
pub(crate) struct ScriptedModel {
    description: EndpointDescription,
    answers: Mutex<Vec<Result<ChatReply, ChatError>>>,
    pub(crate) asked: Mutex<Vec<(ChatRequest, CallIdentity)>>,
}

impl ScriptedModel {
    pub(crate) fn new(mut answers: Vec<Result<ChatReply, ChatError>>) -> Self {
        answers.reverse();
        let description = EndpointDescription {
            model: "scripted".to_owned(),
            endpoint: "simulated".to_owned(),
            simulated: true,
            settings: Fingerprint::of(b""),
        };
        Self { description, answers: Mutex::new(answers), asked: Mutex::default() }
    }

    pub(crate) fn calls(&self) -> usize {
        self.asked.lock().unwrap().len()
    }
}

/// A reply with this text.
pub(crate) fn said(text: &str) -> Result<ChatReply, ChatError> {
    finished(text, Finish::Stop)
}

pub(crate) fn finished(text: &str, finish: Finish) -> Result<ChatReply, ChatError> {
    let usage = Usage { input: Some(5), output: Some(2) };
    Ok(ChatReply { turn: Turn::text(Role::Assistant, text), finish, usage, from_journal: false })
}

impl ChatModel for ScriptedModel {
    fn chat<'a>(
        &'a self,
        request: &'a ChatRequest,
        identity: &'a CallIdentity,
    ) -> BoxFuture<'a, Result<ChatReply, ChatError>> {
        self.asked.lock().unwrap().push((request.clone(), identity.clone()));
        let answer = self.answers.lock().unwrap().pop().expect("no more calls than the script has answers");
        Box::pin(async move { answer })
    }

    fn describe(&self) -> &EndpointDescription {
        &self.description
    }
}
