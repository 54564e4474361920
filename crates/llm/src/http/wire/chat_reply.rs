//! The reply of `POST …/chat/completions`.
//!
//! Always holds: content is text, typed parts or nothing; reasoning is kept apart from it under either of its names.

use serde::Deserialize;
use serde_json::Value;
use textualrl_model::ToolCall;

use super::reply::{BadReply, Said, error_object, parse, text, usage};

#[derive(Deserialize)]
struct Body {
    #[serde(default)]
    error: Option<Value>,
    #[serde(default)]
    choices: Option<Vec<Choice>>,
    #[serde(default)]
    usage: Option<Value>,
}

#[derive(Deserialize)]
struct Choice {
    #[serde(default)]
    message: Option<Message>,
    #[serde(default)]
    finish_reason: Option<Value>,
    #[serde(default)]
    error: Option<Value>,
}

#[derive(Deserialize)]
struct Message {
    #[serde(default)]
    content: Option<Value>,
    #[serde(default)]
    refusal: Option<Value>,
    #[serde(default)]
    reasoning_content: Option<Value>,
    #[serde(default)]
    reasoning: Option<Value>,
    #[serde(default)]
    tool_calls: Option<Value>,
}

/// Reads a body.
pub(super) fn read(body: &[u8]) -> Result<Said, BadReply> {
    let body: Body = parse(body)?;
    error_object(body.error.as_ref())?;
    let choice = body.choices.into_iter().flatten().next().ok_or(BadReply::NoChoice)?;
    error_object(choice.error.as_ref())?;
    let message = choice.message.ok_or(BadReply::NoChoice)?;
    let (content, thinking) = content(message.content);
    let reasoning = text(message.reasoning_content.as_ref()).or_else(|| text(message.reasoning.as_ref()));
    Ok(Said {
        text: content,
        refusal: text(message.refusal.as_ref()),
        reasoning: reasoning.or(thinking),
        tool_calls: tool_calls(message.tool_calls.as_ref()),
        finish: text(choice.finish_reason.as_ref()).unwrap_or_default(),
        usage: usage(body.usage.as_ref()),
    })
}

/// The text of a content, and the thinking that stands in it as typed parts.
fn content(content: Option<Value>) -> (String, Option<String>) {
    match content {
        Some(Value::String(text)) => (text, None),
        Some(Value::Array(parts)) => {
            let said = parts.iter().filter_map(|part| text_part(part, &["text", "output_text"], "text"));
            let thought: String = parts.iter().filter_map(thinking_part).collect();
            (said.collect(), Some(thought).filter(|thought| !thought.is_empty()))
        }
        _ => (String::new(), None),
    }
}

fn text_part<'a>(part: &'a Value, kinds: &[&str], field: &str) -> Option<&'a str> {
    let kind = part.get("type").and_then(Value::as_str)?;
    kinds.contains(&kind).then(|| part.get(field).and_then(Value::as_str)).flatten()
}

/// A part of type `thinking`, whose text is a string or a list of text parts.
fn thinking_part(part: &Value) -> Option<String> {
    let kind = part.get("type").and_then(Value::as_str)?;
    if !matches!(kind, "thinking" | "reasoning") {
        return None;
    }
    match part.get("thinking").or_else(|| part.get("text"))? {
        Value::String(text) => Some(text.clone()),
        Value::Array(parts) => {
            Some(parts.iter().filter_map(|part| text_part(part, &["text"], "text")).collect())
        }
        _ => None,
    }
}

/// The calls that name a function; arguments stay as the model wrote them.
pub(super) fn tool_calls(calls: Option<&Value>) -> Vec<ToolCall> {
    let calls = calls.and_then(Value::as_array).map(Vec::as_slice).unwrap_or_default();
    let call = |(position, call): (usize, &Value)| {
        let function = call.get("function")?;
        let arguments = match function.get("arguments") {
            Some(Value::String(text)) => text.clone(),
            Some(Value::Null) | None => String::new(),
            Some(other) => other.to_string(),
        };
        Some(ToolCall {
            id: text(call.get("id")).unwrap_or_else(|| format!("call_{position}")),
            name: text(function.get("name"))?,
            arguments,
        })
    };
    calls.iter().enumerate().filter_map(call).collect()
}
