//! The body of `POST …/responses`.
//!
//! Always holds: what is not set is not sent, so that a strict endpoint sees no field that it does not know.

use std::collections::BTreeMap;

use serde::Serialize;
use serde_json::Value;
use textualrl_model::{Part, Role, Turn};

use super::{BodyForm, Cap, TemplateArguments, data_url, lone_text};
use crate::chat::{ChatRequest, ReplySchema, ToolDefinition};

#[derive(Serialize)]
pub(super) struct Body<'a> {
    model: &'a str,
    input: Vec<Item<'a>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    temperature: Option<f64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    seed: Option<u64>,
    #[serde(flatten)]
    cap: Cap,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    tools: Vec<Tool<'a>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    text: Option<TextOptions<'a>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    reasoning: Option<Reasoning<'a>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    chat_template_kwargs: Option<TemplateArguments>,
    #[serde(flatten)]
    extra: &'a BTreeMap<String, Value>,
}

#[derive(Serialize)]
#[serde(untagged)]
enum Item<'a> {
    Message { role: &'static str, content: Content<'a> },
    Call { r#type: &'static str, call_id: &'a str, name: &'a str, arguments: &'a str },
    Output { r#type: &'static str, call_id: &'a str, output: String },
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
    InputText { text: &'a str },
    OutputText { text: &'a str },
    InputImage { image_url: String },
}

#[derive(Serialize)]
struct Tool<'a> {
    r#type: &'static str,
    #[serde(flatten)]
    function: &'a ToolDefinition,
}

#[derive(Serialize)]
struct TextOptions<'a> {
    format: Format<'a>,
}

#[derive(Serialize)]
struct Format<'a> {
    r#type: &'static str,
    #[serde(flatten)]
    schema: &'a ReplySchema,
}

#[derive(Serialize)]
struct Reasoning<'a> {
    effort: &'a str,
}

impl<'a> Body<'a> {
    pub(super) fn new(form: &'a BodyForm, request: &'a ChatRequest) -> Self {
        let schema = request.schema.as_ref().filter(|_| form.schema);
        Self {
            model: &form.model,
            input: request.turns.iter().flat_map(items).collect(),
            temperature: form.temperature.sent(request.temperature),
            seed: request.seed,
            cap: form.cap,
            tools: request.tools.iter().map(|function| Tool { r#type: "function", function }).collect(),
            text: schema.map(|schema| TextOptions { format: Format { r#type: "json_schema", schema } }),
            reasoning: form.effort.as_deref().map(|effort| Reasoning { effort }),
            chat_template_kwargs: form.template,
            extra: &form.extra,
        }
    }
}

/// One turn as items: what is said, then the calls, each an item of its own.
fn items(turn: &Turn) -> Vec<Item<'_>> {
    if let (Role::Tool, Some(call_id)) = (turn.role, turn.tool_call_id.as_deref()) {
        return vec![Item::Output { r#type: "function_call_output", call_id, output: turn.joined_text() }];
    }
    let said = Item::Message { role: turn.role.name(), content: content(turn) };
    let calls = turn.tool_calls.iter().map(|call| Item::Call {
        r#type: "function_call",
        call_id: &call.id,
        name: &call.name,
        arguments: &call.arguments,
    });
    let only_calls = turn.content.is_empty() && !turn.tool_calls.is_empty();
    (!only_calls).then_some(said).into_iter().chain(calls).collect()
}

fn content(turn: &Turn) -> Content<'_> {
    match lone_text(&turn.content) {
        Some(text) => Content::Text(text),
        None => Content::Parts(turn.content.iter().map(|part| content_part(turn.role, part)).collect()),
    }
}

fn content_part(role: Role, part: &Part) -> ContentPart<'_> {
    match part {
        Part::Text { text } if role == Role::Assistant => ContentPart::OutputText { text },
        Part::Text { text } => ContentPart::InputText { text },
        Part::Image { media_type, base64 } => {
            ContentPart::InputImage { image_url: data_url(media_type, base64) }
        }
    }
}
