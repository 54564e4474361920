//! What a simulated model says, as a chat reply.
//!
//! Always holds: the tokens are estimates from the real texts (four characters are a token), and the description
//! says that the model is simulated.

use textualrl_llm::{ChatReply, ChatRequest, EndpointDescription, Finish};
use textualrl_model::{Fingerprint, Turn, Usage};

/// Changes whenever a simulated model would answer the same request differently.
const BEHAVIOUR_VERSION: &str = "3";

/// What the simulated model named `model` is.
pub(crate) fn description(model: &str) -> EndpointDescription {
    EndpointDescription {
        model: model.to_owned(),
        endpoint: "simulated".to_owned(),
        simulated: true,
        settings: Fingerprint::of_parts([model.as_bytes(), BEHAVIOUR_VERSION.as_bytes()]),
    }
}

/// `turn` as the reply to `request`.
pub(crate) fn reply(request: &ChatRequest, turn: Turn) -> ChatReply {
    let usage = Usage { input: Some(request.turns.iter().map(tokens).sum()), output: Some(tokens(&turn)) };
    let finish = if turn.tool_calls.is_empty() { Finish::Stop } else { Finish::ToolCalls };
    ChatReply { turn, finish, usage, from_journal: false }
}

/// About how many tokens a turn has: its text and the arguments of its calls.
fn tokens(turn: &Turn) -> u64 {
    let calls: u64 = turn.tool_calls.iter().map(|call| estimated_tokens(&call.arguments)).sum();
    estimated_tokens(&turn.joined_text()) + calls
}

/// About how many tokens a text has.
pub(crate) fn estimated_tokens(text: &str) -> u64 {
    u64::try_from(text.chars().count().div_ceil(4)).unwrap_or(u64::MAX)
}
