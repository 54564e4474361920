//! The request of a body.
//!
//! Always holds: fields and kinds of items that are unknown are passed over; a field of a wrong type is an error.

use serde::Deserialize;
use serde_json::Value;
use textualrl_llm::{ChatRequest, ToolDefinition};
use textualrl_model::{Part, Role, ToolCall, Turn};

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
    #[serde(default)]
    tools: Vec<Tool>,
}

#[derive(Deserialize)]
#[serde(untagged)]
enum Input {
    Text(String),
    Messages(Vec<Message>),
}

/// A message of either style, or an item of the responses style that is a call or its result.
#[derive(Deserialize, Default)]
struct Message {
    #[serde(default)]
    role: String,
    #[serde(default)]
    content: Option<Content>,
    #[serde(default)]
    tool_calls: Vec<Call>,
    #[serde(default)]
    tool_call_id: Option<String>,
    #[serde(default)]
    r#type: String,
    #[serde(default)]
    call_id: Option<String>,
    #[serde(default)]
    name: Option<String>,
    #[serde(default)]
    arguments: Option<String>,
    #[serde(default)]
    output: Option<String>,
}

#[derive(Deserialize)]
struct Call {
    id: String,
    function: Called,
}

#[derive(Deserialize)]
struct Called {
    name: String,
    #[serde(default)]
    arguments: String,
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
    #[serde(default)]
    image_url: Option<ImageUrl>,
}

/// The address of an image: an object in one style, a string in the other.
#[derive(Deserialize)]
#[serde(untagged)]
enum ImageUrl {
    Plain(String),
    Object { url: String },
}

/// A tool: its function inside in one style, its fields beside the type in the other.
#[derive(Deserialize)]
#[serde(untagged)]
enum Tool {
    Nested { function: Function },
    Plain(Function),
}

#[derive(Deserialize)]
struct Function {
    name: String,
    #[serde(default)]
    description: String,
    #[serde(default)]
    parameters: Value,
}

impl Content {
    fn parts(self) -> Vec<Part> {
        match self {
            Self::Text(text) => vec![Part::Text { text }],
            Self::Parts(pieces) => pieces.into_iter().filter_map(Piece::part).collect(),
        }
    }
}

impl Piece {
    fn part(self) -> Option<Part> {
        let (ImageUrl::Plain(url) | ImageUrl::Object { url }) = match (self.text, self.image_url) {
            (Some(text), _) => return Some(Part::Text { text }),
            (None, url) => url?,
        };
        let (media_type, base64) = url.strip_prefix("data:")?.split_once(";base64,")?;
        Some(Part::Image { media_type: media_type.to_owned(), base64: base64.to_owned() })
    }
}

impl Tool {
    fn definition(self) -> ToolDefinition {
        let (Self::Nested { function } | Self::Plain(function)) = self;
        ToolDefinition {
            name: function.name,
            description: function.description,
            parameters: function.parameters,
        }
    }
}

impl Message {
    fn turn(self) -> Turn {
        let role = match self.role.as_str() {
            "system" | "developer" => Role::System,
            "assistant" => Role::Assistant,
            "tool" => Role::Tool,
            _ => Role::User,
        };
        let called = |call: Call| ToolCall {
            id: call.id,
            name: call.function.name,
            arguments: call.function.arguments,
        };
        Turn {
            role,
            content: self.content.map(Content::parts).unwrap_or_default(),
            tool_calls: self.tool_calls.into_iter().map(called).collect(),
            tool_call_id: self.tool_call_id,
            reasoning: None,
        }
    }

    /// The item's call; none if it is none.
    fn call(&mut self) -> Option<ToolCall> {
        (self.r#type == "function_call").then(|| ToolCall {
            id: self.call_id.take().unwrap_or_default(),
            name: self.name.take().unwrap_or_default(),
            arguments: self.arguments.take().unwrap_or_default(),
        })
    }
}

/// Adds a message. Calls that are items of their own belong to the agent's turn before them.
fn add(turns: &mut Vec<Turn>, mut message: Message) {
    if let Some(call) = message.call() {
        match turns.last_mut().filter(|turn| turn.role == Role::Assistant) {
            Some(turn) => turn.tool_calls.push(call),
            None => turns.push(Turn {
                content: Vec::new(),
                tool_calls: vec![call],
                ..Turn::text(Role::Assistant, "")
            }),
        }
        return;
    }
    if message.r#type == "function_call_output" {
        let answer = Turn::text(Role::Tool, message.output.unwrap_or_default());
        turns.push(Turn { tool_call_id: message.call_id, ..answer });
        return;
    }
    turns.push(message.turn());
}

/// The request of a body of either style.
///
/// # Errors
/// If the body is no JSON or a field has the wrong type.
pub(in super::super) fn read(body: &[u8]) -> Result<ChatRequest, serde_json::Error> {
    let body: Body = serde_json::from_slice(body)?;
    let content = |content| Message { content, ..Message::default() };
    let system =
        |content| Message { role: "system".to_owned(), content: Some(content), ..Message::default() };
    let input = match body.input {
        Some(Input::Text(text)) => vec![content(Some(Content::Text(text)))],
        Some(Input::Messages(messages)) => messages,
        None => Vec::new(),
    };
    let mut turns = Vec::new();
    for message in body.instructions.map(system).into_iter().chain(body.messages).chain(input) {
        add(&mut turns, message);
    }
    Ok(ChatRequest {
        turns,
        temperature: body.temperature,
        seed: body.seed,
        schema: None,
        tools: body.tools.into_iter().map(Tool::definition).collect(),
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
    fn both_styles_give_the_same_tools_calls_and_images() {
        let chat = r#"{"messages":[
            {"role":"user","content":[{"type":"text","text":"U"},
                {"type":"image_url","image_url":{"url":"data:image/png;base64,AA=="}}]},
            {"role":"assistant","content":null,"tool_calls":[
                {"id":"a","type":"function","function":{"name":"read","arguments":"{}"}},
                {"id":"b","type":"function","function":{"name":"grep","arguments":"{x"}}]},
            {"role":"tool","tool_call_id":"a","content":"found"}],
            "tools":[{"type":"function","function":{"name":"read","description":"d","parameters":{}}}]}"#;
        let responses = r#"{"input":[
            {"role":"user","content":[{"type":"input_text","text":"U"},
                {"type":"input_image","image_url":"data:image/png;base64,AA=="}]},
            {"type":"function_call","call_id":"a","name":"read","arguments":"{}"},
            {"type":"function_call","call_id":"b","name":"grep","arguments":"{x"},
            {"type":"function_call_output","call_id":"a","output":"found"}],
            "tools":[{"type":"function","name":"read","description":"d","parameters":{}}]}"#;
        let request = read(chat.as_bytes()).unwrap();
        assert_eq!(request, read(responses.as_bytes()).unwrap());
        assert_eq!((request.turns.len(), request.tools.len()), (3, 1));
        assert_eq!(request.turns[1].tool_calls.len(), 2);
        assert!(
            matches!(&request.turns[0].content[1], Part::Image { media_type, .. } if media_type == "image/png")
        );
    }
}
