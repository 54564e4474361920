//! Event streams that nobody asked for: some endpoints always stream.
//!
//! Always holds: chunks are assembled only if the stream is complete; a stream without its last event is an error
//! and never half an answer.

use serde::Deserialize;
use serde_json::{Value, json};

use super::reply::{BadReply, Said, error_object, text, usage};
use super::{chat_reply, responses_reply};

/// Whether a body is an event stream; its content type is not to be relied upon.
pub(super) fn is_event_stream(body: &[u8]) -> bool {
    let body = body.trim_ascii_start();
    [b"data:".as_slice(), b"event:", b"id:", b"retry:", b": ", b":\n"]
        .iter()
        .any(|start| body.starts_with(start))
}

/// The data of each event, in order, `data:` with or without the space.
fn events(body: &[u8]) -> Vec<String> {
    let body = String::from_utf8_lossy(body);
    let mut events = Vec::new();
    let mut data = String::new();
    for line in body.lines().chain([""]) {
        if let Some(piece) = line.strip_prefix("data:") {
            if !data.is_empty() {
                data.push('\n');
            }
            data.push_str(piece.strip_prefix(' ').unwrap_or(piece));
        } else if line.is_empty() && !data.is_empty() {
            events.push(std::mem::take(&mut data));
        }
    }
    events
}

/// Assembles the chunks of a chat completion.
pub(super) fn read_chat(body: &[u8]) -> Result<Said, BadReply> {
    let mut said = Said::default();
    let mut calls: Vec<Value> = Vec::new();
    let mut complete = false;
    for event in events(body) {
        if event.trim() == "[DONE]" {
            complete = true;
            continue;
        }
        let chunk: Value =
            serde_json::from_str(&event).map_err(|error| BadReply::NotJson(error.to_string()))?;
        error_object(chunk.get("error"))?;
        if let Some(counted) = chunk.get("usage").filter(|counted| counted.is_object()) {
            said.usage = usage(Some(counted));
        }
        let Some(choice) = chunk.get("choices").and_then(|choices| choices.get(0)) else { continue };
        if let Some(finish) = text(choice.get("finish_reason")).filter(|finish| !finish.is_empty()) {
            said.finish = finish;
            complete = true;
        }
        if let Some(delta) = choice.get("delta").or_else(|| choice.get("message")) {
            add_delta(&mut said, &mut calls, delta);
        }
    }
    said.tool_calls = chat_reply::tool_calls(Some(&Value::Array(calls)));
    if complete { Ok(said) } else { Err(BadReply::CutOffStream) }
}

fn add_delta(said: &mut Said, calls: &mut Vec<Value>, delta: &Value) {
    said.text.push_str(delta.get("content").and_then(Value::as_str).unwrap_or_default());
    let reasoning = delta.get("reasoning_content").or_else(|| delta.get("reasoning")).and_then(Value::as_str);
    if let Some(reasoning) = reasoning {
        said.reasoning.get_or_insert_default().push_str(reasoning);
    }
    if let Some(refusal) = delta.get("refusal").and_then(Value::as_str) {
        said.refusal.get_or_insert_default().push_str(refusal);
    }
    for piece in delta.get("tool_calls").and_then(Value::as_array).into_iter().flatten() {
        add_call_piece(calls, piece);
    }
}

/// A call comes in pieces: first its id and name, then its arguments bit by bit.
fn add_call_piece(calls: &mut Vec<Value>, piece: &Value) {
    let last = calls.len().saturating_sub(1);
    let index = piece.get("index").and_then(Value::as_u64).and_then(|index| usize::try_from(index).ok());
    let function = |field: &str| piece.get("function").and_then(|function| text(function.get(field)));
    match calls.get_mut(index.unwrap_or(last)) {
        Some(call) => {
            let more = function("arguments").unwrap_or_default();
            if let Some(Value::String(arguments)) = call.pointer_mut("/function/arguments") {
                arguments.push_str(&more);
            }
        }
        None => calls.push(json!({
            "id": piece.get("id"),
            "function": {"name": function("name"), "arguments": function("arguments").unwrap_or_default()},
        })),
    }
}

/// The last event of a response holds the whole of it.
pub(super) fn read_responses(body: &[u8]) -> Result<Said, BadReply> {
    for event in events(body) {
        let Ok(event) = serde_json::from_str::<Value>(&event) else { continue };
        let kind = event.get("type").and_then(Value::as_str).unwrap_or_default();
        let last = ["response.completed", "response.incomplete", "response.failed"].contains(&kind);
        match event.get("response") {
            Some(response) if last => {
                let body = responses_reply::Body::deserialize(response)
                    .map_err(|error| BadReply::NotJson(error.to_string()))?;
                return responses_reply::said(body);
            }
            _ if kind == "error" => error_object(Some(event.get("error").unwrap_or(&event)))?,
            _ => {}
        }
    }
    Err(BadReply::CutOffStream)
}
