//! Turns of a conversation between an agent and its task.
//!
//! Always holds: the context C stands in system turns only, so what is quotable as behaviour never includes it.

use serde::{Deserialize, Serialize};

/// Who speaks.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Role {
    /// Instructions, among them the context.
    System,
    /// The task, and what the environment answers in plain chat.
    User,
    /// The agent.
    Assistant,
    /// The result of a tool call.
    Tool,
}

impl Role {
    /// The role's name on the wire.
    pub fn name(self) -> &'static str {
        match self {
            Self::System => "system",
            Self::User => "user",
            Self::Assistant => "assistant",
            Self::Tool => "tool",
        }
    }
}

/// A piece of a turn's content.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case", tag = "type")]
pub enum Part {
    /// Text.
    Text {
        /// The text.
        text: String,
    },
    /// An image.
    Image {
        /// Its media type, such as `image/png`.
        media_type: String,
        /// Its bytes in base64.
        base64: String,
    },
}

/// A call of a tool that the agent asked for.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct ToolCall {
    /// The id by which the result is matched.
    pub id: String,
    /// The tool's name.
    pub name: String,
    /// The arguments as the model wrote them, possibly no valid JSON.
    pub arguments: String,
}

/// One turn.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Turn {
    /// Who speaks.
    pub role: Role,
    /// What is said, in order.
    pub content: Vec<Part>,
    /// The tools that the agent calls in this turn.
    #[serde(default)]
    pub tool_calls: Vec<ToolCall>,
    /// For a tool's turn, the id of the call that it answers.
    #[serde(default)]
    pub tool_call_id: Option<String>,
    /// The reasoning that the endpoint returned beside the content, kept for models that demand it back.
    #[serde(default)]
    pub reasoning: Option<String>,
}

impl Turn {
    /// A turn of plain text.
    pub fn text(role: Role, text: impl Into<String>) -> Self {
        Self {
            role,
            content: vec![Part::Text { text: text.into() }],
            tool_calls: Vec::new(),
            tool_call_id: None,
            reasoning: None,
        }
    }

    /// The text parts, joined.
    pub fn joined_text(&self) -> String {
        let texts = self.content.iter().filter_map(|part| match part {
            Part::Text { text } => Some(text.as_str()),
            Part::Image { .. } => None,
        });
        texts.collect()
    }
}
