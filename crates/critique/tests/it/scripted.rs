//! A critic that answers by a closure and remembers what it was asked.

use std::sync::Mutex;

use serde_json::Value;
use textualrl_llm::{
    BoxFuture, CallIdentity, ChatError, ChatModel, ChatReply, ChatRequest, EndpointDescription, Finish,
};
use textualrl_model::{Fingerprint, Role, Turn, Usage};

type Script = dyn Fn(&ChatRequest, &CallIdentity) -> Result<String, ChatError> + Send + Sync;

pub(crate) struct Scripted {
    script: Box<Script>,
    description: EndpointDescription,
    requests: Mutex<Vec<ChatRequest>>,
}

impl Scripted {
    pub(crate) fn new(
        script: impl Fn(&ChatRequest, &CallIdentity) -> Result<String, ChatError> + Send + Sync + 'static,
    ) -> Self {
        let description = EndpointDescription {
            model: "scripted".to_owned(),
            endpoint: "http://critic.example".to_owned(),
            simulated: true,
            settings: Fingerprint::of(b"scripted"),
        };
        Self { script: Box::new(script), description, requests: Mutex::new(Vec::new()) }
    }

    /// Always the same JSON.
    pub(crate) fn fixed(reply: Value) -> Self {
        Self::new(move |_, _| Ok(reply.to_string()))
    }

    pub(crate) fn requests(&self) -> Vec<ChatRequest> {
        self.requests.lock().unwrap().clone()
    }
}

impl ChatModel for Scripted {
    fn chat<'a>(
        &'a self,
        request: &'a ChatRequest,
        identity: &'a CallIdentity,
    ) -> BoxFuture<'a, Result<ChatReply, ChatError>> {
        Box::pin(async move {
            self.requests.lock().unwrap().push(request.clone());
            // Later calls return first, so that an order by completion would show.
            for _ in identity.sequence..8 {
                tokio::task::yield_now().await;
            }
            (self.script)(request, identity).map(|text| ChatReply {
                turn: Turn::text(Role::Assistant, text),
                finish: Finish::Stop,
                usage: Usage { input: Some(100), output: Some(10) },
                from_journal: false,
            })
        })
    }

    fn describe(&self) -> &EndpointDescription {
        &self.description
    }
}

/// The user turn of a request.
pub(crate) fn user(request: &ChatRequest) -> String {
    request.turns[1].joined_text()
}

/// The ids of the task blocks shown in a request.
pub(crate) fn shown_tasks(request: &ChatRequest) -> Vec<String> {
    let text = user(request);
    let ids = text.lines().filter_map(|line| line.strip_prefix("<task_block id=\"")?.strip_suffix("\">"));
    ids.map(str::to_owned).collect()
}
