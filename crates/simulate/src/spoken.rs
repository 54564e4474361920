//! What a simulated model says, as a chat reply.
//!
//! Always holds: the tokens are estimates from the real texts (four characters are a token), and the description
//! says that the model is simulated.

use textualrl_llm::{ChatReply, ChatRequest, EndpointDescription, Finish};
use textualrl_model::{Fingerprint, Role, Turn, Usage};

/// Changes whenever a simulated model would answer the same request differently.
const BEHAVIOUR_VERSION: &str = "1";

/// What the simulated model named `model` is.
pub(crate) fn description(model: &str) -> EndpointDescription {
    EndpointDescription {
        model: model.to_owned(),
        endpoint: "simulated".to_owned(),
        simulated: true,
        settings: Fingerprint::of_parts([model.as_bytes(), BEHAVIOUR_VERSION.as_bytes()]),
    }
}

/// `text` as the reply to `request`.
pub(crate) fn reply(request: &ChatRequest, text: String) -> ChatReply {
    let input = request.turns.iter().map(|turn| estimated_tokens(&turn.joined_text())).sum();
    let usage = Usage { input: Some(input), output: Some(estimated_tokens(&text)) };
    ChatReply { turn: Turn::text(Role::Assistant, text), finish: Finish::Stop, usage, from_journal: false }
}

/// About how many tokens a text has.
pub(crate) fn estimated_tokens(text: &str) -> u64 {
    u64::try_from(text.chars().count().div_ceil(4)).unwrap_or(u64::MAX)
}
