//! The reply of `POST …/responses`.
//!
//! Always holds: output items of unknown types are passed over; text, refusals, reasoning and calls are told apart.

use serde::Deserialize;
use serde_json::Value;
use textualrl_model::ToolCall;

use super::reply::{BadReply, Said, error_object, parse, text, usage};

#[derive(Deserialize)]
pub(super) struct Body {
    #[serde(default)]
    error: Option<Value>,
    #[serde(default)]
    status: Option<Value>,
    #[serde(default)]
    output: Option<Vec<Value>>,
    #[serde(default)]
    incomplete_details: Option<Value>,
    #[serde(default)]
    usage: Option<Value>,
}

/// Reads a body.
pub(super) fn read(body: &[u8]) -> Result<Said, BadReply> {
    said(parse(body)?)
}

/// What a body says.
pub(super) fn said(body: Body) -> Result<Said, BadReply> {
    error_object(body.error.as_ref())?;
    let status = text(body.status.as_ref()).unwrap_or_default();
    if matches!(status.as_str(), "failed" | "cancelled") {
        return Err(BadReply::ErrorObject { status: None, message: format!("the response {status}") });
    }
    let reason = body.incomplete_details.as_ref().and_then(|details| text(details.get("reason")));
    let output = body.output.unwrap_or_default();
    let mut said = Said { usage: usage(body.usage.as_ref()), ..Said::default() };
    said.finish =
        reason.unwrap_or_else(|| if status == "incomplete" { "length".to_owned() } else { String::new() });
    if output.is_empty() && said.finish.is_empty() {
        return Err(BadReply::NoChoice);
    }
    for item in &output {
        add_item(&mut said, item);
    }
    if !said.tool_calls.is_empty() && said.finish.is_empty() {
        said.finish = "tool_calls".to_owned();
    }
    Ok(said)
}

fn add_item(said: &mut Said, item: &Value) {
    let parts =
        |field: &str| item.get(field).and_then(Value::as_array).map(Vec::as_slice).unwrap_or_default();
    match item.get("type").and_then(Value::as_str).unwrap_or_default() {
        "message" => {
            for part in parts("content") {
                add_part(said, part);
            }
        }
        "reasoning" => {
            let texts = parts("content").iter().chain(parts("summary"));
            let thought: String = texts.filter_map(|part| part.get("text").and_then(Value::as_str)).collect();
            said.reasoning.get_or_insert_default().push_str(&thought);
        }
        "function_call" => said.tool_calls.extend(function_call(item)),
        _ => {}
    }
}

fn add_part(said: &mut Said, part: &Value) {
    let string = |field: &str| part.get(field).and_then(Value::as_str).unwrap_or_default();
    match string("type") {
        "output_text" | "text" => said.text.push_str(string("text")),
        "refusal" => said.refusal.get_or_insert_default().push_str(string("refusal")),
        _ => {}
    }
}

fn function_call(item: &Value) -> Option<ToolCall> {
    Some(ToolCall {
        id: text(item.get("call_id")).or_else(|| text(item.get("id")))?,
        name: text(item.get("name"))?,
        arguments: text(item.get("arguments")).unwrap_or_default(),
    })
}
