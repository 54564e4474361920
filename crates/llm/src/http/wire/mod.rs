//! The wire forms of OpenAI-compatible endpoints: thin, strict in what is sent, tolerant in what is read.
//!
//! Always holds: a field of a reply that is absent, null, of another type or of an unknown value never loses the
//! rest of the reply.

mod chat_reply;
mod chat_request;
mod reply;
mod responses_reply;
mod responses_request;
mod stream;

use std::collections::BTreeMap;

use serde::Serialize;
use serde_json::Value;
use textualrl_model::Part;
use textualrl_model::settings::{
    ApiStyle, EndpointSettings, OutputCapField, SchemaSupport, Temperature, Thinking,
};

use crate::chat::ChatRequest;

pub(super) use reply::{BadReply, message, read};

/// The body fields that are ours to write; `extra_body` must not name them.
pub(super) const OWN_FIELDS: [&str; 15] = [
    "model",
    "messages",
    "input",
    "stream",
    "n",
    "temperature",
    "seed",
    "tools",
    "response_format",
    "text",
    "max_tokens",
    "max_completion_tokens",
    "max_output_tokens",
    "reasoning_effort",
    "reasoning",
];

/// What an endpoint's settings add to every request body.
#[derive(Debug, Clone)]
pub(super) struct BodyForm {
    api: ApiStyle,
    model: String,
    temperature: Temperature,
    schema: bool,
    cap: Cap,
    effort: Option<String>,
    template: Option<TemplateArguments>,
    extra: BTreeMap<String, Value>,
}

/// The output cap under the name that the endpoint wants.
#[derive(Debug, Clone, Copy, Default, Serialize)]
struct Cap {
    #[serde(skip_serializing_if = "Option::is_none")]
    max_tokens: Option<u32>,
    #[serde(skip_serializing_if = "Option::is_none")]
    max_completion_tokens: Option<u32>,
    #[serde(skip_serializing_if = "Option::is_none")]
    max_output_tokens: Option<u32>,
}

/// `chat_template_kwargs`.
#[derive(Debug, Clone, Copy, Serialize)]
struct TemplateArguments {
    enable_thinking: bool,
}

impl BodyForm {
    pub(super) fn new(settings: &EndpointSettings) -> Self {
        let cap = Some(settings.output_cap);
        Self {
            api: settings.api,
            model: settings.model.clone(),
            temperature: settings.temperature,
            schema: settings.schema == SchemaSupport::JsonSchema,
            cap: match settings.output_cap_field {
                OutputCapField::MaxTokens => Cap { max_tokens: cap, ..Cap::default() },
                OutputCapField::MaxCompletionTokens => Cap { max_completion_tokens: cap, ..Cap::default() },
                OutputCapField::MaxOutputTokens => Cap { max_output_tokens: cap, ..Cap::default() },
                OutputCapField::None => Cap::default(),
            },
            effort: Some(settings.reasoning_effort.clone()).filter(|effort| !effort.is_empty()),
            template: match settings.thinking {
                Thinking::Unset => None,
                Thinking::On => Some(TemplateArguments { enable_thinking: true }),
                Thinking::Off => Some(TemplateArguments { enable_thinking: false }),
            },
            extra: settings.extra_body.clone(),
        }
    }

    /// The request form.
    pub(super) fn api(&self) -> ApiStyle {
        self.api
    }

    /// The body of one request.
    pub(super) fn write(&self, request: &ChatRequest) -> Result<Vec<u8>, serde_json::Error> {
        match self.api {
            ApiStyle::ChatCompletions => serde_json::to_vec(&chat_request::Body::new(self, request)),
            ApiStyle::Responses => serde_json::to_vec(&responses_request::Body::new(self, request)),
        }
    }
}

/// An image part as a data URL.
fn data_url(media_type: &str, base64: &str) -> String {
    format!("data:{media_type};base64,{base64}")
}

/// The text of a turn that is one text part, by far the most common.
fn lone_text(content: &[Part]) -> Option<&str> {
    match content {
        [] => Some(""),
        [Part::Text { text }] => Some(text),
        _ => None,
    }
}
