//! The body of `POST …/chat/completions`.
//!
//! Always holds: what is not set is not sent, so that a strict endpoint sees no field that it does not know.

use std::collections::BTreeMap;

use serde::Serialize;
use serde_json::Value;
use textualrl_model::{Part, Role, ToolCall, Turn};

use super::{BodyForm, Cap, TemplateArguments, data_url, lone_text};
use crate::chat::{ChatRequest, ReplySchema, ToolDefinition};

#[derive(Serialize)]
pub(super) struct Body<'a> {
    model: &'a str,
    messages: Vec<Message<'a>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    temperature: Option<f64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    seed: Option<u64>,
    #[serde(flatten)]
    cap: Cap,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    tools: Vec<Tool<'a>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    response_format: Option<Format<'a>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    reasoning_effort: Option<&'a str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    chat_template_kwargs: Option<TemplateArguments>,
    #[serde(flatten)]
    extra: &'a BTreeMap<String, Value>,
}

#[derive(Serialize)]
struct Message<'a> {
    role: &'static str,
    content: Option<Content<'a>>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    tool_calls: Vec<Call<'a>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    tool_call_id: Option<&'a str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    reasoning_content: Option<&'a str>,
}

#[derive(Serialize)]
#[serde(untagged)]
enum Content<'a> {
    Text(&'a str),
    Parts(Vec<ContentPart<'a>>),
}

#[derive(Serialize)]
#[serde(tag = "type", rename_all = "snake_case")]
enum ContentPart<'a> {
    Text { text: &'a str },
    ImageUrl { image_url: ImageUrl },
}

#[derive(Serialize)]
struct ImageUrl {
    url: String,
}

#[derive(Serialize)]
struct Call<'a> {
    id: &'a str,
    r#type: &'static str,
    function: CalledFunction<'a>,
}

#[derive(Serialize)]
struct CalledFunction<'a> {
    name: &'a str,
    arguments: &'a str,
}

#[derive(Serialize)]
struct Tool<'a> {
    r#type: &'static str,
    function: &'a ToolDefinition,
}

#[derive(Serialize)]
struct Format<'a> {
    r#type: &'static str,
    json_schema: &'a ReplySchema,
}

impl<'a> Body<'a> {
    pub(super) fn new(form: &'a BodyForm, request: &'a ChatRequest) -> Self {
        Self {
            model: &form.model,
            messages: request.turns.iter().map(message).collect(),
            temperature: form.temperature.sent(request.temperature),
            seed: request.seed,
            cap: form.cap,
            tools: request.tools.iter().map(|function| Tool { r#type: "function", function }).collect(),
            response_format: request
                .schema
                .as_ref()
                .filter(|_| form.schema)
                .map(|json_schema| Format { r#type: "json_schema", json_schema }),
            reasoning_effort: form.effort.as_deref(),
            chat_template_kwargs: form.template,
            extra: &form.extra,
        }
    }
}

fn message(turn: &Turn) -> Message<'_> {
    // Thinking models demand their reasoning back in tool loops, and strict endpoints refuse it elsewhere.
    let reasoning = turn.reasoning.as_deref().filter(|_| !turn.tool_calls.is_empty());
    let only_calls = turn.role == Role::Assistant && turn.content.is_empty() && !turn.tool_calls.is_empty();
    Message {
        role: turn.role.name(),
        content: (!only_calls).then(|| content(&turn.content)),
        tool_calls: turn.tool_calls.iter().map(call).collect(),
        tool_call_id: turn.tool_call_id.as_deref(),
        reasoning_content: reasoning,
    }
}

fn content(parts: &[Part]) -> Content<'_> {
    match lone_text(parts) {
        Some(text) => Content::Text(text),
        None => Content::Parts(parts.iter().map(content_part).collect()),
    }
}

fn content_part(part: &Part) -> ContentPart<'_> {
    match part {
        Part::Text { text } => ContentPart::Text { text },
        Part::Image { media_type, base64 } => {
            ContentPart::ImageUrl { image_url: ImageUrl { url: data_url(media_type, base64) } }
        }
    }
}

fn call(call: &ToolCall) -> Call<'_> {
    Call {
        id: &call.id,
        r#type: "function",
        function: CalledFunction { name: &call.name, arguments: &call.arguments },
    }
}
