//! An optimizer that answers by a closure and remembers what it was asked.

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
            endpoint: "http://optimizer.example".to_owned(),
            simulated: true,
            settings: Fingerprint::of(b"scripted"),
        };
        Self { script: Box::new(script), description, requests: Mutex::new(Vec::new()) }
    }

    /// The answer without remembering the request.
    pub(crate) fn answer(&self, request: &ChatRequest, identity: &CallIdentity) -> Result<String, ChatError> {
        (self.script)(request, identity)
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
            self.answer(request, identity).map(|text| ChatReply {
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

/// What stands in a tagged block of the user turn.
pub(crate) fn block(request: &ChatRequest, tag: &str) -> Option<String> {
    let text = user(request);
    let (_, after) = text.split_once(&format!("<{tag}>\n"))?;
    after.split_once(&format!("\n</{tag}>")).map(|(inside, _)| inside.to_owned())
}

/// The JSON list in a tagged block; empty if there is no such block.
pub(crate) fn list(request: &ChatRequest, tag: &str) -> Vec<Value> {
    block(request, tag).map_or_else(Vec::new, |text| serde_json::from_str(&text).unwrap())
}
