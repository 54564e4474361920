//! The body of a reply.
//!
//! Always holds: a turn without text and with tool calls has no message beside them.

use serde_json::{Value, json};
use textualrl_llm::ChatReply;
use textualrl_model::{ToolCall, Turn, Usage};

use super::Style;

impl Style {
    /// The body of a model's reply.
    pub(in super::super) fn reply_body(self, number: u64, model: &str, reply: &ChatReply) -> Value {
        self.body(number, model, &reply.turn, reply.usage)
    }

    /// The body of a reply that says `turn`.
    pub(in super::super) fn body(self, number: u64, model: &str, turn: &Turn, usage: Usage) -> Value {
        let (input, output) = (usage.input.unwrap_or(0), usage.output.unwrap_or(0));
        match self {
            Self::ChatCompletions => json!({
                "id": format!("simulated-{number}"),
                "object": "chat.completion",
                "created": 0,
                "model": model,
                "system_fingerprint": "simulated",
                "choices": [choice(turn)],
                "usage": {"prompt_tokens": input, "completion_tokens": output, "total_tokens": input + output},
            }),
            Self::Responses => json!({
                "id": format!("simulated-{number}"),
                "object": "response",
                "created_at": 0,
                "status": "completed",
                "model": model,
                "metadata": {"simulated": "true"},
                "output": items(number, turn),
                "usage": {"input_tokens": input, "output_tokens": output, "total_tokens": input + output},
            }),
        }
    }
}

fn choice(turn: &Turn) -> Value {
    let text = turn.joined_text();
    if turn.tool_calls.is_empty() {
        let message = json!({"role": "assistant", "content": text});
        return json!({"index": 0, "message": message, "finish_reason": "stop"});
    }
    let call = |call: &ToolCall| {
        let function = json!({"name": call.name, "arguments": call.arguments});
        json!({"id": call.id, "type": "function", "function": function})
    };
    let calls: Vec<Value> = turn.tool_calls.iter().map(call).collect();
    let content = if text.is_empty() { Value::Null } else { Value::String(text) };
    let message = json!({"role": "assistant", "content": content, "tool_calls": calls});
    json!({"index": 0, "message": message, "finish_reason": "tool_calls"})
}

fn items(number: u64, turn: &Turn) -> Vec<Value> {
    let text = turn.joined_text();
    let message = (!text.is_empty() || turn.tool_calls.is_empty()).then(|| {
        json!({
            "id": format!("simulated-{number}-message"),
            "type": "message",
            "role": "assistant",
            "status": "completed",
            "content": [{"type": "output_text", "text": text, "annotations": []}],
        })
    });
    let calls = turn.tool_calls.iter().map(|call| {
        json!({
            "id": format!("simulated-{number}-{}", call.id),
            "type": "function_call",
            "status": "completed",
            "call_id": call.id,
            "name": call.name,
            "arguments": call.arguments,
        })
    });
    message.into_iter().chain(calls).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn calls_stand_where_clients_of_the_style_look() {
        let call = ToolCall { id: "c1".to_owned(), name: "grep".to_owned(), arguments: "{}".to_owned() };
        let mut turn = Turn::text(textualrl_model::Role::Assistant, "");
        turn.tool_calls.push(call);
        let usage = Usage { input: Some(1), output: Some(1) };
        let chat = Style::ChatCompletions.body(1, "m", &turn, usage);
        assert_eq!(chat["choices"][0]["finish_reason"], "tool_calls");
        assert_eq!(chat["choices"][0]["message"]["content"], Value::Null);
        assert_eq!(chat["choices"][0]["message"]["tool_calls"][0]["function"]["name"], "grep");
        let responses = Style::Responses.body(1, "m", &turn, usage);
        assert_eq!(responses["output"][0]["type"], "function_call");
        assert_eq!(responses["output"][0]["call_id"], "c1");
    }
}
