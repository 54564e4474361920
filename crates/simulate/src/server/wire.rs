//! The two API styles: what of a request the models need, and the bodies of replies.
//!
//! Always holds: a reply has the fields that clients of its style read, with token counts and a mark that it is
//! simulated.

use serde::Deserialize;
use serde_json::{Value, json};
use textualrl_llm::{ChatReply, ChatRequest};
use textualrl_model::{Role, Turn};

/// An API style.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Style {
    /// `/v1/chat/completions`.
    ChatCompletions,
    /// `/v1/responses`.
    Responses,
}

impl Style {
    /// The style of a path, with or without `/v1`.
    pub(super) fn of(path: &str) -> Option<Self> {
        match path.strip_prefix("/v1").unwrap_or(path).trim_end_matches('/') {
            "/chat/completions" => Some(Self::ChatCompletions),
            "/responses" => Some(Self::Responses),
            _ => None,
        }
    }

    /// The body of a reply.
    pub(super) fn body(self, number: u64, model: &str, text: &str, input: u64, output: u64) -> Value {
        match self {
            Self::ChatCompletions => json!({
                "id": format!("simulated-{number}"),
                "object": "chat.completion",
                "created": 0,
                "model": model,
                "system_fingerprint": "simulated",
                "choices": [{
                    "index": 0,
                    "message": {"role": "assistant", "content": text},
                    "finish_reason": "stop",
                }],
                "usage": {"prompt_tokens": input, "completion_tokens": output, "total_tokens": input + output},
            }),
            Self::Responses => json!({
                "id": format!("simulated-{number}"),
                "object": "response",
                "created_at": 0,
                "status": "completed",
                "model": model,
                "metadata": {"simulated": "true"},
                "output": [{
                    "id": format!("simulated-{number}-message"),
                    "type": "message",
                    "role": "assistant",
                    "status": "completed",
                    "content": [{"type": "output_text", "text": text, "annotations": []}],
                }],
                "usage": {"input_tokens": input, "output_tokens": output, "total_tokens": input + output},
            }),
        }
    }

    /// The body of a model's reply.
    pub(super) fn reply_body(self, number: u64, model: &str, reply: &ChatReply) -> Value {
        let (input, output) = (reply.usage.input.unwrap_or(0), reply.usage.output.unwrap_or(0));
        self.body(number, model, &reply.turn.joined_text(), input, output)
    }
}

/// The body of an error.
pub(super) fn error_body(status: u16, message: &str) -> Value {
    json!({"error": {"message": message, "type": "simulated_error", "code": status}})
}

/// The model's name alone, for replies that need no more.
#[derive(Deserialize)]
pub(super) struct Named {
    #[serde(default)]
    pub(super) model: String,
}

#[derive(Deserialize)]
struct Body {
    #[serde(default)]
    messages: Vec<Message>,
    #[serde(default)]
    instructions: Option<Content>,
    #[serde(default)]
    input: Option<Input>,
    #[serde(default)]
    temperature: Option<f64>,
    #[serde(default)]
    seed: Option<u64>,
}

#[derive(Deserialize)]
#[serde(untagged)]
enum Input {
    Text(String),
    Messages(Vec<Message>),
}

#[derive(Deserialize)]
struct Message {
    role: String,
    #[serde(default)]
    content: Option<Content>,
}

#[derive(Deserialize)]
#[serde(untagged)]
enum Content {
    Text(String),
    Parts(Vec<Piece>),
}

#[derive(Deserialize)]
struct Piece {
    #[serde(default)]
    text: Option<String>,
}

impl Content {
    fn text(self) -> String {
        match self {
            Self::Text(text) => text,
            Self::Parts(parts) => parts.into_iter().filter_map(|part| part.text).collect(),
        }
    }
}

/// The request of a body of either style.
///
/// # Errors
/// If the body is no JSON or a field has the wrong type.
pub(super) fn read(body: &[u8]) -> Result<ChatRequest, serde_json::Error> {
    let body: Body = serde_json::from_slice(body)?;
    let mut messages = body.messages;
    match body.input {
        Some(Input::Text(text)) => {
            messages.push(Message { role: "user".to_owned(), content: Some(Content::Text(text)) });
        }
        Some(Input::Messages(more)) => messages.extend(more),
        None => {}
    }
    let instructions = body.instructions.map(|content| Turn::text(Role::System, content.text()));
    let turns = messages.into_iter().map(|message| {
        let role = match message.role.as_str() {
            "system" | "developer" => Role::System,
            "assistant" => Role::Assistant,
            "tool" => Role::Tool,
            _ => Role::User,
        };
        Turn::text(role, message.content.map(Content::text).unwrap_or_default())
    });
    Ok(ChatRequest {
        turns: instructions.into_iter().chain(turns).collect(),
        temperature: body.temperature,
        seed: body.seed,
        schema: None,
        tools: Vec::new(),
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn both_styles_give_the_same_request() {
        let chat = r#"{"model":"m","messages":[{"role":"developer","content":"S"},
            {"role":"user","content":[{"type":"text","text":"U"}]}],"temperature":0.7,"seed":3}"#;
        let responses = r#"{"model":"m","instructions":"S","input":[{"role":"user",
            "content":[{"type":"input_text","text":"U"}]}],"temperature":0.7,"seed":3}"#;
        let plain = r#"{"instructions":"S","input":"U","temperature":0.7,"seed":3}"#;
        let request = read(chat.as_bytes()).unwrap();
        assert_eq!(request.turns.len(), 2);
        assert_eq!(request, read(responses.as_bytes()).unwrap());
        assert_eq!(request, read(plain.as_bytes()).unwrap());
        assert!(read(b"[1]").is_err());
    }

    #[test]
    fn paths_are_known_with_and_without_version() {
        for (path, style) in [
            ("/v1/chat/completions", Some(Style::ChatCompletions)),
            ("/chat/completions/", Some(Style::ChatCompletions)),
            ("/responses", Some(Style::Responses)),
            ("/v1/models", None),
        ] {
            assert_eq!(Style::of(path), style, "{path}");
        }
    }
}
