//! A reply's body, whatever its form: a reply, or what it is instead.
//!
//! Always holds: an error object is looked for before a choice; a body that holds no usable reply is told apart by
//! what is wrong with it, and never becomes an empty answer.

use serde::Deserialize;
use serde_json::Value;
use textualrl_model::settings::ApiStyle;
use textualrl_model::{Part, Role, ToolCall, Turn, Usage};

use super::{chat_reply, responses_reply, stream};
use crate::chat::{ChatReply, Finish};

/// Why a body of status 200 is no reply.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub(crate) enum BadReply {
    /// An error object, with the status that it names, if it names one.
    #[error("{message}")]
    ErrorObject {
        /// Its code as a status.
        status: Option<u16>,
        /// What it says.
        message: String,
    },
    /// `choices` is absent, null or empty, or `output` is.
    #[error("the reply has no choice")]
    NoChoice,
    /// Neither text nor tool calls, though the model says that it is done.
    #[error("the reply is empty")]
    Empty,
    /// All text is in the reasoning.
    #[error("the reply has reasoning only and no content")]
    ReasoningOnly,
    /// The model run broke off inside the endpoint.
    #[error("the endpoint broke off: finish reason \"error\"")]
    BrokenOff,
    /// An event stream ended before its last event.
    #[error("the endpoint streams though no stream was asked for, and the stream is incomplete")]
    CutOffStream,
    /// Not JSON, or JSON of another form.
    #[error("the body is no reply ({0})")]
    NotJson(String),
}

impl BadReply {
    /// The same, with every text that came from the endpoint changed.
    pub(crate) fn map_text(self, change: impl Fn(&str) -> String) -> Self {
        match self {
            Self::ErrorObject { status, message } => Self::ErrorObject { status, message: change(&message) },
            Self::NotJson(message) => Self::NotJson(change(&message)),
            other => other,
        }
    }
}

/// What both request forms say of a reply.
#[derive(Debug, Default)]
pub(super) struct Said {
    pub(super) text: String,
    pub(super) refusal: Option<String>,
    pub(super) reasoning: Option<String>,
    pub(super) tool_calls: Vec<ToolCall>,
    pub(super) finish: String,
    pub(super) usage: Usage,
}

/// Reads a body of status 200.
pub(crate) fn read(api: ApiStyle, body: &[u8]) -> Result<ChatReply, BadReply> {
    let said = match (api, stream::is_event_stream(body)) {
        (ApiStyle::ChatCompletions, false) => chat_reply::read(body)?,
        (ApiStyle::ChatCompletions, true) => stream::read_chat(body)?,
        (ApiStyle::Responses, false) => responses_reply::read(body)?,
        (ApiStyle::Responses, true) => stream::read_responses(body)?,
    };
    said.into_reply()
}

impl Said {
    /// The reply, if there is anything in it.
    fn into_reply(self) -> Result<ChatReply, BadReply> {
        let finish = self.finish();
        if self.finish == "error" {
            return Err(BadReply::BrokenOff);
        }
        let text = if self.text.is_empty() { self.refusal.unwrap_or_default() } else { self.text };
        // A cap, a filter or a refusal explains an empty text; otherwise nothing does.
        let explained = matches!(finish, Finish::Length | Finish::Refused) || !self.tool_calls.is_empty();
        if text.is_empty() && !explained {
            let thought = self.reasoning.is_some_and(|reasoning| !reasoning.is_empty());
            return Err(if thought { BadReply::ReasoningOnly } else { BadReply::Empty });
        }
        let content = if text.is_empty() { Vec::new() } else { vec![Part::Text { text }] };
        let turn = Turn {
            role: Role::Assistant,
            content,
            tool_calls: self.tool_calls,
            tool_call_id: None,
            reasoning: self.reasoning,
        };
        Ok(ChatReply { turn, finish, usage: self.usage, from_journal: false })
    }

    fn finish(&self) -> Finish {
        if self.refusal.as_ref().is_some_and(|refusal| !refusal.is_empty()) {
            return Finish::Refused;
        }
        match self.finish.as_str() {
            "" | "stop" | "completed" => Finish::Stop,
            "length" | "max_tokens" | "max_output_tokens" => Finish::Length,
            "tool_calls" | "function_call" => Finish::ToolCalls,
            "content_filter" | "refusal" => Finish::Refused,
            other => Finish::Other(other.to_owned()),
        }
    }
}

/// Parses a body, keeping of the parser's message what helps.
pub(super) fn parse<'a, T: Deserialize<'a>>(body: &'a [u8]) -> Result<T, BadReply> {
    serde_json::from_slice(body).map_err(|error| BadReply::NotJson(error.to_string()))
}

/// The error object of a body, if there is one.
pub(super) fn error_object(error: Option<&Value>) -> Result<(), BadReply> {
    match error {
        None | Some(Value::Null) => Ok(()),
        Some(error) => Err(BadReply::ErrorObject { status: status(error), message: message(error) }),
    }
}

/// The message of an error object, or the whole of it.
pub(crate) fn message(error: &Value) -> String {
    match error {
        Value::String(text) => text.clone(),
        other => match other.get("message").and_then(Value::as_str) {
            Some(message) => message.to_owned(),
            None => other.to_string(),
        },
    }
}

/// The numeric code of an error object as a status.
fn status(error: &Value) -> Option<u16> {
    let code = error.get("code").or_else(|| error.get("status"))?;
    let number = match code {
        Value::String(text) => text.parse().ok()?,
        other => other.as_u64()?,
    };
    u16::try_from(number).ok().filter(|status| (100..600).contains(status))
}

/// Tokens under either form's names.
pub(super) fn usage(usage: Option<&Value>) -> Usage {
    let field = |names: [&str; 2]| {
        names.iter().find_map(|name| usage.and_then(|usage| usage.get(name)).and_then(Value::as_u64))
    };
    Usage {
        input: field(["prompt_tokens", "input_tokens"]),
        output: field(["completion_tokens", "output_tokens"]),
    }
}

/// A string; null, absent or of another type is none.
pub(super) fn text(value: Option<&Value>) -> Option<String> {
    value.and_then(Value::as_str).map(str::to_owned)
}
