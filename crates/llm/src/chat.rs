//! Requests, replies and the trait of a chat model.
//!
//! Always holds: a request says everything that decides its answer, so that it can be fingerprinted; a failed call
//! is a typed error, never an empty reply.

use std::future::Future;
use std::pin::Pin;
use std::time::Duration;

use serde::{Deserialize, Serialize};
use serde_json::Value;
use textualrl_model::{Fingerprint, Turn, Usage};

use crate::identity::CallIdentity;

/// A boxed future that can be sent between threads.
pub type BoxFuture<'a, T> = Pin<Box<dyn Future<Output = T> + Send + 'a>>;

/// A tool that the model may call.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct ToolDefinition {
    /// The tool's name.
    pub name: String,
    /// What it does.
    pub description: String,
    /// The JSON schema of its arguments.
    pub parameters: Value,
}

/// The JSON schema that a reply must follow.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct ReplySchema {
    /// A name for the schema, `[a-z_]+`.
    pub name: String,
    /// The schema.
    pub schema: Value,
}

/// One request, without what the endpoint's settings add.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct ChatRequest {
    /// The conversation so far.
    pub turns: Vec<Turn>,
    /// The temperature; none leaves it to the endpoint.
    pub temperature: Option<f64>,
    /// The seed, if one is sent.
    pub seed: Option<u64>,
    /// The schema of a structured reply.
    pub schema: Option<ReplySchema>,
    /// The tools offered.
    pub tools: Vec<ToolDefinition>,
}

/// Why the model stopped.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Finish {
    /// It was done, or the provider said nothing.
    Stop,
    /// The output cap was reached: the text is cut off.
    Length,
    /// It calls tools.
    ToolCalls,
    /// The model or a filter refused.
    Refused,
    /// Something else, as the provider wrote it.
    Other(String),
}

/// A completed call.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct ChatReply {
    /// What the assistant said.
    pub turn: Turn,
    /// Why it stopped.
    pub finish: Finish,
    /// The tokens as reported; unknown is none.
    pub usage: Usage,
    /// Whether the reply was found in the journal and cost nothing now. Not part of the record.
    #[serde(skip)]
    pub from_journal: bool,
}

/// How the names of simulated models begin, by which they are known over HTTP too.
pub const SIMULATED_PREFIX: &str = "simulated-";

/// What a model is, for logs, manifests and journal keys. Holds no key.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct EndpointDescription {
    /// The model's name.
    pub model: String,
    /// Its URL without credentials, or `simulated`.
    pub endpoint: String,
    /// Whether the answers are simulated or recorded rather than a real model's. Of an endpoint's model it is known by
    /// the [`SIMULATED_PREFIX`] of its name.
    pub simulated: bool,
    /// The fingerprint of every setting that decides answers (API style, cap, effort, extra body …).
    pub settings: Fingerprint,
}

/// Why a call failed for good. Messages name the endpoint and never hold a key.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum ChatError {
    /// 401 or 403, or no key where one is needed.
    #[error("{endpoint} refuses the key: {message}")]
    Auth {
        /// The endpoint.
        endpoint: String,
        /// What it said.
        message: String,
    },
    /// 429 until the deadline.
    #[error("{endpoint} limits the rate: {message}")]
    RateLimited {
        /// The endpoint.
        endpoint: String,
        /// What it said.
        message: String,
        /// How long it asked to wait, at last.
        retry_after: Option<Duration>,
    },
    /// The prompt does not fit into the model's window.
    #[error("the prompt does not fit into the window of {endpoint}: {message}")]
    ContextTooLong {
        /// The endpoint.
        endpoint: String,
        /// What it said.
        message: String,
    },
    /// Another permanent refusal of the request (400, 404, 422 …).
    #[error("{endpoint} refuses the request ({status}): {message}")]
    Rejected {
        /// The endpoint.
        endpoint: String,
        /// The HTTP status.
        status: u16,
        /// What it said.
        message: String,
    },
    /// 5xx, connection failure or timeout after all retries.
    #[error("{endpoint} cannot be used: {message}")]
    Transport {
        /// The endpoint.
        endpoint: String,
        /// What went wrong.
        message: String,
    },
    /// An answer that is no reply: no JSON, an error object, no choice, no text, after all retries.
    #[error("{endpoint} answered without a usable reply: {message}")]
    Malformed {
        /// The endpoint.
        endpoint: String,
        /// What was wrong with it.
        message: String,
    },
    /// The journal could not be written, so the call must not count.
    #[error("the call journal cannot be used: {message}")]
    Journal {
        /// What went wrong, naming the file.
        message: String,
    },
}

/// A chat model.
pub trait ChatModel: Send + Sync {
    /// Asks the model. `identity` says what the call is for; models answer by `request` alone.
    ///
    /// # Errors
    /// If the call failed for good, after the retries that the endpoint's settings allow.
    fn chat<'a>(
        &'a self,
        request: &'a ChatRequest,
        identity: &'a CallIdentity,
    ) -> BoxFuture<'a, Result<ChatReply, ChatError>>;

    /// What this model is.
    fn describe(&self) -> &EndpointDescription;
}
